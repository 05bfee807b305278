//! The state of the world at the start of a tick, as rules read it.

use crate::agents::Agents;
use crate::base::ids::{AgentId, Ids, SpeciesId};
use crate::base::settings::Settings;
use crate::environment::Environment;
use crate::environment::index::EnvironmentIndex;
use crate::index::species_index::SpeciesIndex;
use crate::maths::{Noise, Vector, mix64};

/// The state of the world at the start of the tick, which every behaviour may read.
#[derive(Clone, Copy, Debug)]
pub struct WorldView<'a, const D: usize> {
    pub(crate) settings: &'a Settings<D>,
    pub(crate) tick: u64,
    pub(crate) agents: &'a [Agents<D>],
    pub(crate) indices: &'a [SpeciesIndex<D>],
    pub(crate) ids: &'a Ids,
    pub(crate) environment: &'a Environment<D>,
    pub(crate) environment_index: &'a EnvironmentIndex<D>,
}

impl<'a, const D: usize> WorldView<'a, D> {
    /// The world's settings.
    #[must_use]
    pub fn settings(&self) -> &'a Settings<D> {
        self.settings
    }

    /// The number of ticks before this one.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// The simulated time before this tick, in seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.tick as f64 * f64::from(self.settings.tick_seconds)
    }

    /// The agents of every species, in the order in which the species were added.
    #[must_use]
    pub fn species(&self) -> &'a [Agents<D>] {
        self.agents
    }

    /// The marks, obstacles, regions and flow fields of the world.
    #[must_use]
    pub fn environment(&self) -> &'a Environment<D> {
        self.environment
    }

    /// The species and the row of an agent, if it is alive.
    #[must_use]
    pub fn find(&self, id: AgentId) -> Option<(SpeciesId, usize)> {
        let place = self.ids.place(id)?;
        Some((SpeciesId(place.species), place.row as usize))
    }

    /// The direction in which an agent moves away from another one at the same position. It is drawn for the pair of
    /// ids, and the other agent gets the opposite.
    pub(crate) fn drawn_direction(&self, me: u64, them: u64) -> Vector<D> {
        let (low, high) = if me < them { (me, them) } else { (them, me) };
        let direction =
            Noise::new(self.settings.seed, mix64(low) ^ high, self.tick, Noise::COINCIDENT).direction::<D>();
        if me < them { direction } else { -direction }
    }

    /// The position and the velocity of an agent, if it is alive.
    #[must_use]
    pub fn motion(&self, id: AgentId) -> Option<(Vector<D>, Vector<D>)> {
        let place = self.ids.place(id)?;
        let agents = &self.agents[place.species as usize];
        Some((agents.position(place.row as usize), agents.velocity(place.row as usize)))
    }
}
