//! The columns with which agents of a scenario start: their groups, and common times.

use throng::behaviours::WalkTo;
use throng::species::tables::PRE_MOVEMENT;
use throng::{Environment, Error, SpeciesId, World};

use crate::definition::Group;
use crate::draw::DrawnStart;

/// The column of the numbers of groups.
const GROUP: &str = "group";

/// The value of an agent in a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum StartValue {
    Number(f32),
    Whole(u32),
}

impl Group {
    /// Adds the columns of a species.
    pub(super) fn add_columns<const D: usize>(&self, world: &mut World<D>, species: SpeciesId) -> Result<(), Error> {
        if self.start.group_size.is_some() {
            world.add_column(species, GROUP, 0_u32)?;
        }
        Ok(())
    }

    /// The values of an agent.
    pub(super) fn start_values<const D: usize>(
        &self,
        (environment, seed): (&Environment<D>, u64),
        start: &DrawnStart<D>,
    ) -> impl Iterator<Item = (&'static str, StartValue)> {
        let number = start.group.map(|joined| (GROUP, StartValue::Whole(joined.number)));
        // A group sets off with its first member, and knows the same goals.
        let of_group = start.group.map(|joined| (self.body(), joined.leader));
        let wait = of_group.as_ref().and_then(|(body, leader)| body.start_pre_movement(seed, *leader));
        let wait = wait.map(|wait| (PRE_MOVEMENT, StartValue::Number(wait)));
        let known = of_group
            .as_ref()
            .and_then(|(body, leader)| body.start_familiar(&environment.navigations, seed, start.id, *leader));
        let known = known.map(|known| (WalkTo::FAMILIAR, StartValue::Whole(known)));
        number.into_iter().chain(wait).chain(known)
    }
}
