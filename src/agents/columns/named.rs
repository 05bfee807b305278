//! The named columns of one species.

use crate::agents::columns::column::{Column, Owner};
use crate::agents::columns::value::{ColumnValue, Stored as _};
use crate::base::error::Error;

/// The named columns of one species.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Columns(pub(crate) Vec<Column>);

impl Clone for Columns {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    fn clone_from(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
    }
}

impl Columns {
    /// The first column of this owner.
    pub(crate) fn of(&self, owner: Owner) -> Option<&Column> {
        self.0.iter().find(|column| column.owner == owner)
    }

    /// The first column of this owner, mutably.
    pub(crate) fn of_mut(&mut self, owner: Owner) -> Option<&mut Column> {
        self.0.iter_mut().find(|column| column.owner == owner)
    }

    /// The values of the column of this owner.
    pub(crate) fn values<T: ColumnValue>(&self, owner: Owner) -> Option<&[T]> {
        T::rows(&self.of(owner)?.data)
    }

    /// The mutable values of the column of this owner.
    pub(crate) fn values_mut<T: ColumnValue>(&mut self, owner: Owner) -> Option<&mut [T]> {
        T::rows_mut(&mut self.of_mut(owner)?.data)
    }

    /// Takes the values out of the column of this owner, for [`put`](Self::put); empty if the column does not exist.
    pub(crate) fn take<T: ColumnValue>(&mut self, owner: Owner) -> Vec<T> {
        self.of_mut(owner).map_or_else(Vec::new, |column| T::take(&mut column.data))
    }

    /// Puts values back into the column of this owner.
    pub(crate) fn put<T: ColumnValue>(&mut self, owner: Owner, values: Vec<T>) {
        if let Some(column) = self.of_mut(owner) {
            T::put(values, &mut column.data);
        }
    }

    /// Takes the values out of a variable, for [`put_variable`](Self::put_variable); empty if there is none of this name.
    pub(crate) fn take_variable(&mut self, name: &str) -> Vec<f32> {
        self.variable_mut(name).map_or_else(Vec::new, |column| f32::take(&mut column.data))
    }

    /// Puts values back into a variable.
    pub(crate) fn put_variable(&mut self, name: &str, values: Vec<f32>) {
        if let Some(column) = self.variable_mut(name) {
            f32::put(values, &mut column.data);
        }
    }

    fn variable_mut(&mut self, name: &str) -> Option<&mut Column> {
        self.0.iter_mut().find(|column| column.is(Owner::Variable, name))
    }

    /// The variables of the species' states, in their order.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &[f32]> {
        let variables = self.0.iter().filter(|column| column.owner == Owner::Variable);
        variables.filter_map(|column| f32::rows(&column.data))
    }

    /// The column of the times left with this name.
    pub(crate) fn time_mut(&mut self, name: &str) -> Option<&mut [f32]> {
        let column = self.0.iter_mut().find(|column| column.is(Owner::Time, name));
        column.and_then(|column| f32::rows_mut(&mut column.data))
    }

    /// The column of the times left with this name.
    pub(crate) fn time(&self, name: &str) -> Option<&[f32]> {
        self.0.iter().find(|column| column.is(Owner::Time, name)).and_then(|column| f32::rows(&column.data))
    }

    /// The values of a column of the host with this name.
    pub(crate) fn host<T: ColumnValue>(&self, name: &str) -> Option<&[T]> {
        let column = self.0.iter().find(|column| column.is(Owner::Host, name));
        column.and_then(|column| T::rows(&column.data))
    }

    /// The same, to be changed.
    pub(crate) fn host_mut<T: ColumnValue>(&mut self, name: &str) -> Option<&mut [T]> {
        let column = self.0.iter_mut().find(|column| column.is(Owner::Host, name));
        column.and_then(|column| T::rows_mut(&mut column.data))
    }

    /// The values of a variable, and the states of agents.
    pub(crate) fn variable_and_states(&mut self, name: &str) -> (&mut [f32], &[u32]) {
        let (mut values, mut states) = (&mut [][..], &[][..]);
        for column in &mut self.0 {
            if column.is(Owner::Variable, name) {
                values = f32::rows_mut(&mut column.data).unwrap_or_default();
            } else if column.owner == Owner::State {
                states = u32::rows(&column.data).unwrap_or_default();
            }
        }
        (values, states)
    }

    /// Returns the index of the column with this name: a variable or a column of the host, or else the first memory of
    /// a rule with this name.
    pub(crate) fn place_of(&self, name: &str) -> Option<usize> {
        let place = |of: fn(Owner) -> bool| self.0.iter().position(|column| of(column.owner) && column.name == name);
        place(Owner::is_host).or_else(|| place(Owner::is_rule))
    }

    /// The same for rules, which read only the state.
    pub(crate) fn place_for_rules(&self, name: &str) -> Option<usize> {
        self.place_of(name).filter(|&place| self.0[place].owner.is_state())
    }

    /// The column with this name: see [`place_of`](Self::place_of).
    pub(crate) fn named(&self, name: &str) -> Option<&Column> {
        self.place_of(name).map(|place| &self.0[place])
    }

    /// The column with this name, mutably.
    pub(crate) fn named_mut(&mut self, name: &str) -> Option<&mut Column> {
        self.place_of(name).map(|place| &mut self.0[place])
    }

    /// The column with this name, if it holds values of type `T`.
    pub(crate) fn typed<T: ColumnValue>(&self, name: &str) -> Result<&Column, Error> {
        let column = self.named(name).ok_or_else(|| Error::NoSuchColumn(name.to_owned()))?;
        check_type::<T>(column)?;
        Ok(column)
    }
}

/// Checks that a column holds values of type `T`.
fn check_type<T: ColumnValue>(column: &Column) -> Result<(), Error> {
    if column.width == T::WIDTH && T::rows(&column.data).is_some() {
        return Ok(());
    }
    let asked = std::any::type_name::<T>();
    Err(Error::ColumnType { name: column.name.clone(), has: column.type_name(), asked })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_rejects_another_type() {
        let columns = Columns(vec![Column::new(Owner::Host, "count", 7u64.data(), 2)]);
        assert_eq!(u64::rows(&columns.typed::<u64>("count").unwrap().data), Some(&[7, 7][..]));
        let wrong = columns.typed::<f32>("count").unwrap_err();
        assert_eq!(wrong.to_string(), "column `count` holds u64, not f32");
        assert!(matches!(columns.typed::<[u64; 2]>("count"), Err(Error::ColumnType { .. })));
        assert_eq!(columns.typed::<u64>("energy").unwrap_err().to_string(), "unknown column `energy`");
    }
}
