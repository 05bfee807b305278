//! Named columns of a species: adding, removing, reading and writing them.

use crate::agents::columns::{Column, ColumnValue, Data, Owner, Stored as _};
use crate::base::error::Error;
use crate::base::ids::{AgentId, AgentRow, SpeciesId};
use crate::base::values::{Allowed, Range, is_trajectory_column};
use crate::derived::{Change, Derived};
use crate::state::State;
use crate::world::World;
use crate::world::recording::edit::Edit;

impl<const D: usize> World<D> {
    /// Adds a named column to the agents of a species. Its value is `start` for present agents and for new ones.
    /// Columns move with their agents, and are part of the state and of snapshots.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`], or [`Error::NameTaken`] if the species has a column or a variable with this name, or
    /// trajectories do: `id`, `x`, `time` and the like.
    pub fn add_column<T: ColumnValue>(&mut self, species: SpeciesId, name: &str, start: T) -> Result<(), Error> {
        self.add_column_of(Owner::Host, species, name, start.data())
    }

    /// Adds such a column that is local to this host: it moves with its agents, but is neither part of the state nor of
    /// snapshots, so that it does not enter the [hash](Self::state_hash), and a loaded world is without it. Rules
    /// cannot read it. It suits values that only a player sees, such as the number of a sprite.
    ///
    /// # Errors
    ///
    /// As for [`add_column`](Self::add_column).
    pub fn add_local_column<T: ColumnValue>(&mut self, species: SpeciesId, name: &str, start: T) -> Result<(), Error> {
        self.add_column_of(Owner::Local, species, name, start.data())
    }

    /// Adds a column whose value is `start`, one row.
    pub(in crate::world) fn add_column_of(
        &mut self,
        owner: Owner,
        species: SpeciesId,
        name: &str,
        start: Data,
    ) -> Result<(), Error> {
        let agents = self.agents(species)?;
        if is_trajectory_column(name) || agents.columns().any(|column| column.name == name) {
            return Err(Error::NameTaken(name.to_owned()));
        }
        let column = Column::new(owner, name, start, agents.len());
        let (state, derived) = if owner.is_state() {
            self.edit(|| Edit::AddColumn(species, name.to_owned(), column.start.clone()))
        } else {
            self.edit_beside()
        };
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
        let (state, derived) = self.edit_column(species, name, || Edit::RemoveColumn(species, name.to_owned()));
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
    pub fn column_value<T: ColumnValue>(&self, id: AgentId, name: &str) -> Result<T, Error> {
        let found = self.row_of(id)?;
        Ok(self.state.agents[found.species as usize].column::<T>(name)?[found.row as usize])
    }

    /// Sets the value of an agent in such a column: see [`column_value`](Self::column_value).
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`], [`Error::NoSuchColumn`], [`Error::ColumnType`], or [`Error::BadValue`] if it is a
    /// variable and the value is out of its range.
    pub fn set_column_value<T: ColumnValue>(&mut self, id: AgentId, name: &str, value: T) -> Result<(), Error> {
        let found = self.row_of(id)?;
        self.check_values(found.species as usize, name, &[value])?;
        let record = || Edit::SetValues(vec![id], name.to_owned(), value.data());
        set_value(self.edit_column(SpeciesId(found.species), name, record).0, found, name, value);
        Ok(())
    }

    /// Sets the same value for several agents, of any species: an order for a squad, for example.
    ///
    /// # Errors
    ///
    /// As for [`set_column_value`](Self::set_column_value). Nothing has changed then.
    pub fn set_column_values<T: ColumnValue>(&mut self, ids: &[AgentId], name: &str, value: T) -> Result<(), Error> {
        let rows = ids.iter().map(|&id| self.row_of(id)).collect::<Result<Vec<_>, _>>()?;
        rows.iter().try_for_each(|found| self.check_values(found.species as usize, name, &[value]))?;
        let of_state = ids.iter().zip(&rows).filter(|(_, found)| !self.is_local(found.species as usize, name));
        let recorded = if self.is_recording() { of_state.map(|(&id, _)| id).collect() } else { Vec::new() };
        let (state, _) = self.edit(|| Edit::SetValues(recorded, name.to_owned(), value.data()));
        rows.into_iter().for_each(|found| set_value(state, found, name, value));
        Ok(())
    }

    /// Writes such a column, one value per row: see [`column_value`](Self::column_value).
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
        let record = || Edit::SetColumn(species, name.to_owned(), T::all(values));
        let (state, _) = self.edit_column(species, name, record);
        if let Some(column) = state.agents[species.number()].columns.named_mut(name)
            && let Some(rows) = T::rows_mut(&mut column.data)
        {
            rows.copy_from_slice(values);
        }
        Ok(())
    }

    /// The state, for an edit of this column, which is recorded unless the column is local.
    fn edit_column(
        &mut self,
        species: SpeciesId,
        name: &str,
        record: impl FnOnce() -> Edit<D>,
    ) -> (&mut State<D>, &mut Derived<D>) {
        if self.is_local(species.number(), name) { self.edit_beside() } else { self.edit(record) }
    }

    fn is_local(&self, species: usize, name: &str) -> bool {
        self.state.agents[species].columns.0.iter().any(|column| column.is(Owner::Local, name))
    }

    /// Checks that a column has this type, and that the values are in range if it is a variable.
    pub(in crate::world) fn check_values<T: ColumnValue>(
        &self,
        species: usize,
        name: &str,
        values: &[T],
    ) -> Result<(), Error> {
        let column = self.state.agents[species].columns.typed::<T>(name)?;
        let variables = &self.state.species[species].variables;
        let Some(variable) = variables.iter().find(|variable| column.is(Owner::Variable, &variable.name)) else {
            return Ok(());
        };
        let data = T::all(values);
        for number in f32::rows(&data).unwrap_or_default() {
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

/// Sets the value of the agent at a row in a column of its type.
pub(in crate::world) fn set_value<T: ColumnValue, const D: usize>(
    state: &mut State<D>,
    found: AgentRow,
    name: &str,
    value: T,
) {
    if let Some(column) = state.agents[found.species as usize].columns.named_mut(name)
        && let Some(values) = T::rows_mut(&mut column.data)
    {
        values[found.row as usize] = value;
    }
}
