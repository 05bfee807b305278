//! Named columns of a species: adding, removing, reading and writing them.

use crate::agents::columns::{Column, ColumnValue, Owner, Stored as _};
use crate::base::error::Error;
use crate::base::ids::{AgentId, AgentRow, SpeciesId};
use crate::base::values::{Allowed, Range};
use crate::derived::Change;
use crate::world::World;

impl<const D: usize> World<D> {
    /// Adds a named column to the agents of a species. Its value is `start` for present agents and for new ones.
    /// Columns move with their agents, and are part of the state and of snapshots.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`], or [`Error::NameTaken`] if the species has a column or a variable with this name.
    pub fn add_column<T: ColumnValue>(&mut self, species: SpeciesId, name: &str, start: T) -> Result<(), Error> {
        self.add_column_of(Owner::Host, species, name, start)
    }

    /// Adds such a column that is local to this host: it moves with its agents, but is neither part of the state nor of
    /// snapshots, so that it does not enter the [hash](Self::state_hash), and a loaded world is without it. Rules
    /// cannot read it. It suits values that only a player sees, such as the number of a sprite.
    ///
    /// # Errors
    ///
    /// As for [`add_column`](Self::add_column).
    pub fn add_local_column<T: ColumnValue>(&mut self, species: SpeciesId, name: &str, start: T) -> Result<(), Error> {
        self.add_column_of(Owner::Local, species, name, start)
    }

    fn add_column_of<T: ColumnValue>(
        &mut self,
        owner: Owner,
        species: SpeciesId,
        name: &str,
        start: T,
    ) -> Result<(), Error> {
        let agents = self.agents(species)?;
        if agents.columns().any(|column| column.name == name) {
            return Err(Error::NameTaken(name.to_owned()));
        }
        let column = Column::new(owner, name, start.data(), agents.len());
        let (state, derived) = self.edit();
        state.agents[species.number()].columns.0.push(column);
        state.conform(species.number());
        derived.note(Change::Rules);
        Ok(())
    }

    /// Removes a column that the host added.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`], or [`Error::NoSuchColumn`].
    pub fn remove_column(&mut self, species: SpeciesId, name: &str) -> Result<(), Error> {
        let is_it = |column: &Column| column.is(Owner::Host, name) || column.is(Owner::Local, name);
        let found = self.agents(species)?.columns.0.iter().position(is_it);
        let found = found.ok_or_else(|| Error::NoSuchColumn(name.to_owned()))?;
        let (state, derived) = self.edit();
        state.agents[species.number()].columns.0.remove(found);
        derived.note(Change::Rules);
        Ok(())
    }

    /// The value of an agent in a column that the host added, in a variable of its species' states, or else in the
    /// memory of a rule under this name ([`Inputs::memory`](crate::Inputs::memory)).
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`], [`Error::NoSuchColumn`], or [`Error::ColumnType`].
    pub fn value<T: ColumnValue>(&self, id: AgentId, name: &str) -> Result<T, Error> {
        let found = self.row_of(id)?;
        Ok(self.state.agents[found.species as usize].column::<T>(name)?[found.row as usize])
    }

    /// Sets the value of an agent in such a column: see [`value`](Self::value).
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`], [`Error::NoSuchColumn`], [`Error::ColumnType`], or [`Error::BadValue`] if it is a
    /// variable and the value is out of its range.
    pub fn set_value<T: ColumnValue>(&mut self, id: AgentId, name: &str, value: T) -> Result<(), Error> {
        self.set_value_at(self.row_of(id)?, name, value)
    }

    /// Sets the same value for several agents, of any species: an order for a squad, for example.
    ///
    /// # Errors
    ///
    /// As for [`set_value`](Self::set_value). Nothing has changed then.
    pub fn set_value_of_each<T: ColumnValue>(&mut self, ids: &[AgentId], name: &str, value: T) -> Result<(), Error> {
        let rows = ids.iter().map(|&id| self.row_of(id)).collect::<Result<Vec<_>, _>>()?;
        rows.iter().try_for_each(|found| self.check_values(found.species as usize, name, &[value]))?;
        rows.into_iter().try_for_each(|found| self.set_value_at(found, name, value))
    }

    /// The same for the agent at a row.
    pub(crate) fn set_value_at<T: ColumnValue>(&mut self, found: AgentRow, name: &str, value: T) -> Result<(), Error> {
        self.check_values(found.species as usize, name, &[value])?;
        if let Some(column) = self.edit().0.agents[found.species as usize].columns.named_mut(name)
            && let Some(values) = T::rows_mut(&mut column.data)
        {
            values[found.row as usize] = value;
        }
        Ok(())
    }

    /// Writes such a column, one value per row: see [`value`](Self::value).
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`], [`Error::NoSuchColumn`], [`Error::ColumnType`], [`Error::Length`] if there is not one
    /// value per agent, or [`Error::BadValue`] if it is a variable and a value is out of its range. Nothing has changed
    /// then.
    pub fn set_column<T: ColumnValue>(&mut self, species: SpeciesId, name: &str, values: &[T]) -> Result<(), Error> {
        let agents = self.agents(species)?.len();
        self.check_values(species.number(), name, values)?;
        if values.len() != agents {
            return Err(Error::Length { agents, given: values.len() });
        }
        if let Some(column) = self.edit().0.agents[species.number()].columns.named_mut(name)
            && let Some(rows) = T::rows_mut(&mut column.data)
        {
            rows.copy_from_slice(values);
        }
        Ok(())
    }

    /// Checks that a column has this type, and that the values are in range if it is a variable.
    fn check_values<T: ColumnValue>(&self, species: usize, name: &str, values: &[T]) -> Result<(), Error> {
        let column = self.state.agents[species].columns.typed::<T>(name)?;
        let variables = &self.state.species[species].variables;
        let Some(variable) = variables.iter().find(|variable| column.is(Owner::Variable, &variable.name)) else {
            return Ok(());
        };
        for value in values {
            let data = value.data();
            let [number] = f32::rows(&data).unwrap_or_default() else { continue };
            if !(variable.low..=variable.high).contains(number) {
                return Err(Error::bad(
                    name,
                    *number,
                    Allowed::number(Range::from(variable.low.into(), variable.high.into()), ""),
                ));
            }
        }
        Ok(())
    }
}
