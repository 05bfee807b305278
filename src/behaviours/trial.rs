//! Several agents that one rule steers, for the tests of rules that are about others and about bodies.

use crate::behaviour::Behaviour;
use crate::behaviours::testing;
use crate::ids::{AgentId, SpeciesId};
use crate::settings::{Edge, Settings};
use crate::species::{Rule, Species};
use crate::vector::Vector;
use crate::world::World;

/// A world of 100 metres per axis. Agents have a radius of 0.5 m, a mass of 1 kg, at most 10 m/s and 30 N, and a
/// response of 0.2 s.
pub(super) struct Trial<const D: usize> {
    pub(super) world: World<D>,
    species: SpeciesId,
}

impl<const D: usize> Trial<D> {
    pub(super) fn new(edge: Edge, rule: impl Behaviour<D> + 'static) -> Self {
        let mut world = World::new(Settings { edge, seed: 7, ..Settings::default() }).unwrap();
        let species = world.add_species(Species::new("agent").with(1.0, rule)).unwrap();
        Self { world, species }
    }

    pub(super) fn add_rule(&mut self, weight: f32, rule: impl Behaviour<D> + 'static) {
        self.world.rules_mut(self.species).unwrap().push(Rule {
            weight,
            behaviour: Box::new(rule),
            during: Vec::new(),
        });
    }

    pub(super) fn spawn(&mut self, position: [f32; D], velocity: [f32; D]) -> AgentId {
        self.world.spawn(self.species, position, velocity).unwrap()
    }

    pub(super) fn position(&self, agent: AgentId) -> Vector<D> {
        testing::motion(&self.world, agent).0
    }

    pub(super) fn velocity(&self, agent: AgentId) -> Vector<D> {
        testing::motion(&self.world, agent).1
    }

    /// Makes a tick, and tells what force an agent asked for in it.
    pub(super) fn force(&mut self, agent: AgentId) -> Vector<D> {
        testing::force(&mut self.world, agent)
    }

    /// The offset from one agent to another.
    pub(super) fn offset(&self, from: AgentId, to: AgentId) -> Vector<D> {
        self.world.settings().offset(self.position(from), self.position(to))
    }
}
