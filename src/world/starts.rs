//! Agents that start with a heading and a goal.

use crate::agents::Agents;
use crate::base::error::Error;
use crate::base::ids::{AgentId, SpeciesId};
use crate::base::settings::within_limit;
use crate::derived::rows::spawn;
use crate::maths::Vector;
use crate::world::World;
use crate::world::agent_start::AgentStart;
use crate::world::recording::edit::Edit;

impl<const D: usize> World<D> {
    /// Adds an agent as [`spawn`](Self::spawn) does, with its heading and its goal.
    ///
    /// ```
    /// use throng::behaviours::Seek;
    /// use throng::{AgentStart, Settings, Species, World};
    ///
    /// let mut world = World::<2>::new(Settings::default())?;
    /// let ant = world.add_species(Species::new("ant").with(1.0, Seek { target: [0.0, 0.0].into() }))?;
    /// let start = AgentStart::new([50.0, 50.0], [0.0, 0.0]).with_heading([0.0, 1.0]).with_goal([90.0, 50.0]);
    /// let id = world.spawn_from(ant, &start)?;
    /// (0..60).for_each(|_| world.step());
    /// assert!(world.position(id)?[0] > 50.0, "it goes to its own goal");
    /// # Ok::<(), throng::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`spawn`](Self::spawn), also if a component of the heading or of the goal is not finite or beyond
    /// [`LIMIT`](crate::LIMIT).
    pub fn spawn_from(&mut self, species: SpeciesId, start: &AgentStart<D>) -> Result<AgentId, Error> {
        let number = species.number();
        self.agents(species)?;
        check(start)?;
        let (position, velocity) = self.checked_start(start)?;
        if !self.state.ids.has_room(1) {
            return Err(Error::Full);
        }
        let (state, derived) = self.edit(|| Edit::Spawn(species, *start));
        let id = spawn(state, derived, number, position, velocity)?;
        let row = state.agents[number].len() - 1;
        complete(&mut state.agents[number], row, start);
        Ok(id)
    }
}

/// Gives the agent at a row the values of a start other than position and velocity.
pub(super) fn complete<const D: usize>(agents: &mut Agents<D>, row: usize, start: &AgentStart<D>) {
    if start.heading != Vector::ZERO && agents.is_at_rest(row) {
        agents.face(row, start.heading);
    }
    if start.goal.is_some() {
        agents.set_goal(row, start.goal);
    }
}

/// Checks the values of a start other than position and velocity.
pub(super) fn check<const D: usize>(start: &AgentStart<D>) -> Result<(), Error> {
    within_limit("heading", start.heading, "")?;
    start.goal.map_or(Ok(()), |goal| within_limit("goal", goal, "m").map(drop))
}
