//! Edits of a recording, made again by the functions of a world that recorded them.

use crate::agents::columns::{Data, Owner};
use crate::base::error::Error;
use crate::base::values::{Allowed, Range};
use crate::derived::Change;
use crate::species::Species;
use crate::world::World;
use crate::world::recording::edit::Edit;

impl<const D: usize> World<D> {
    /// Makes an edit.
    ///
    /// # Errors
    ///
    /// The errors of the function that recorded it. The world has not changed then.
    pub(super) fn apply(&mut self, edit: &Edit<D>) -> Result<(), Error> {
        match edit {
            Edit::AddSpecies(definition) => self.add_species((*definition.0).clone()).map(drop),
            Edit::ReplaceSpecies(id, definition) => {
                self.edit_species(*id, |species| *species = Species::clone(&definition.0))
            }
            Edit::RemoveSpecies(id) => self.remove_species(*id),
            Edit::SetSettings(settings) => self.set_settings(settings.clone()),
            Edit::SetTickSeconds(seconds) => self.set_tick_seconds(*seconds),
            Edit::Spawn(species, start) => self.spawn_from(*species, start).map(drop),
            Edit::SpawnMany(species, positions, velocities) => {
                self.spawn_many(*species, positions, velocities).map(drop)
            }
            Edit::Despawn(ids) => {
                let mut sorted = ids.clone();
                sorted.sort_unstable();
                if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                    return Err(Error::NoSuchAgent(twice[0]));
                }
                ids.iter().try_for_each(|&id| self.find(id).map(drop))?;
                ids.iter().try_for_each(|&id| self.despawn(id))
            }
            Edit::Clear => {
                self.clear();
                Ok(())
            }
            Edit::ChangeSpecies(id, species) => self.change_species(*id, *species),
            Edit::SetPosition(id, position) => self.set_position(*id, *position),
            Edit::SetPositions(species, columns) => self.set_positions(*species, axes(columns)?),
            Edit::SetPositionsOf(ids, positions) => self.set_positions_of(ids, positions),
            Edit::SetVelocity(id, velocity) => self.set_velocity(*id, *velocity),
            Edit::SetVelocities(species, columns) => self.set_velocities(*species, axes(columns)?),
            Edit::SetVelocitiesOf(ids, velocities) => self.set_velocities_of(ids, velocities),
            Edit::SetHeading(id, heading) => self.set_heading(*id, *heading),
            Edit::SetGoal(id, goal) => self.set_goal(*id, *goal),
            Edit::SetState(id, state) => self.set_state(*id, state),
            Edit::SetQuantity(id, quantity, value) => self.set_quantity(*id, *quantity, *value),
            Edit::AddColumn(species, name, start) => {
                if start.len() == 0 {
                    return Err(length(1, 0));
                }
                self.add_column_of(Owner::Host, *species, name, start.clone())
            }
            Edit::RemoveColumn(species, name) => self.remove_column(*species, name),
            Edit::SetValues(ids, name, value) => {
                let rows = ids.iter().map(|&id| self.row_of(id)).collect::<Result<Vec<_>, _>>()?;
                rows.iter().try_for_each(|found| self.check_rows(found.species as usize, name, value, 1))?;
                let (state, _) = self.edit(|| edit.clone());
                for found in rows {
                    if let Some(column) = state.agents[found.species as usize].columns.named_mut(name) {
                        column.data.copy_row(found.row as usize, value, column.width);
                    }
                }
                Ok(())
            }
            Edit::SetColumn(species, name, values) => {
                let agents = self.agents(*species)?.len();
                self.check_rows(species.number(), name, values, agents)?;
                let (state, _) = self.edit(|| edit.clone());
                if let Some(column) = state.agents[species.number()].columns.named_mut(name) {
                    column.data.clone_from(values);
                }
                Ok(())
            }
            Edit::MoveWall(id, centre, angle) => self.move_wall(*id, *centre, *angle).map(drop),
            Edit::SetItems(items) => {
                let (state, derived) = self.edit_environment();
                derived.note(Change::Environment);
                items.put(&mut state.environment);
                Ok(())
            }
        }
    }

    /// Checks that a column has values of this type for this number of rows, and that they are in range if it is a variable.
    fn check_rows(&self, species: usize, name: &str, values: &Data, rows: usize) -> Result<(), Error> {
        let column = self.state.agents[species].columns.named(name);
        let column = column.ok_or_else(|| Error::NoSuchColumn(name.to_owned()))?;
        if column.data.type_name() != values.type_name() {
            let (name, has) = (name.to_owned(), column.type_name());
            return Err(Error::ColumnType { name, has, asked: values.type_name() });
        }
        if Some(values.len()) != column.width.checked_mul(rows) {
            return Err(length(rows, values.len() / column.width));
        }
        let mut variables = self.state.species[species].variables.iter();
        let Some(variable) = variables.find(|variable| column.is(Owner::Variable, &variable.name)) else {
            return Ok(());
        };
        let Data::F32(numbers) = values else { return Ok(()) };
        match numbers.iter().find(|number| !(variable.low..=variable.high).contains(number)) {
            Some(&number) => {
                let range = Range::from(variable.low.into(), variable.high.into());
                Err(Error::bad(name, number, Allowed::number(range, "")))
            }
            None => Ok(()),
        }
    }
}

/// One slice for each axis.
fn axes<const D: usize>(columns: &[Vec<f32>]) -> Result<[&[f32]; D], Error> {
    let columns: &[Vec<f32>; D] = columns.try_into().map_err(|_| length(D, columns.len()))?;
    Ok(columns.each_ref().map(|column| &column[..]))
}

fn length(agents: usize, given: usize) -> Error {
    Error::Length { agents, given }
}
