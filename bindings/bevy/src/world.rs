//! Worlds as components.

use bevy_ecs::prelude::*;
use throng::{AgentId, Error, Seen, SpeciesId, World};

use crate::drawn::Plane;

/// A world of throng, on an entity of its own. The plugin steps every such world once per run of its schedule.
///
/// [`world`](Self::world) has everything else: species, rules, queries, columns, snapshots and the hash of the state.
/// Agents that it gains or loses, by edits, sources and sinks, gain or lose their entities with the next run.
#[derive(Component, Debug)]
pub struct Throng<const D: usize> {
    /// The world.
    pub world: World<D>,
    /// The entity of each agent by the slot of its id, or `None` for agents without entities.
    entities: Option<Vec<Option<Entity>>>,
    /// The axes along which its agents are drawn.
    pub(crate) plane: Plane,
    /// The agents that had ever been spawned when entities were last compared.
    pub(crate) compared: u64,
}

impl<const D: usize> Throng<D> {
    /// A world with one entity per agent.
    #[must_use]
    pub fn new(world: World<D>) -> Self {
        Self { world, entities: Some(Vec::new()), plane: if D == 2 { Plane::Xy } else { Plane::Space }, compared: 0 }
    }

    /// A world whose agents have no entities: for crowds that are drawn from columns, see
    /// [`instances`](Self::instances).
    #[must_use]
    pub fn without_entities(world: World<D>) -> Self {
        Self { entities: None, ..Self::new(world) }
    }

    /// An agent as it is now.
    pub(crate) fn seen(&self, id: AgentId) -> Option<Seen> {
        let (species, row) = self.world.find(id).ok()?;
        Some(Seen::of(self.world.agents(species).ok()?, row))
    }

    /// The same world on the ground of a scene in space, [`Plane::Xz`]: for worlds of two dimensions, before agents are
    /// added.
    #[must_use]
    pub fn on_ground(mut self) -> Self {
        self.plane = if D == 2 { Plane::Xz } else { self.plane };
        self
    }

    /// Whether agents have entities.
    #[must_use]
    pub fn has_entities(&self) -> bool {
        self.entities.is_some()
    }

    /// The entity of an agent.
    #[must_use]
    pub fn entity(&self, id: AgentId) -> Option<Entity> {
        self.entities.as_ref()?.get(slot(id)).copied().flatten().filter(|_| self.world.contains(id))
    }

    /// Fills `instances` with the position and the velocity of each agent of a species, in metres and metres per
    /// second, with zeros for axes that the world does not have: the contents of an instance buffer.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`].
    pub fn instances(&self, species: SpeciesId, instances: &mut Vec<[f32; 6]>) -> Result<(), Error> {
        let agents = self.world.agents(species)?;
        let (positions, velocities) = (agents.positions(), agents.velocities());
        instances.clear();
        instances.extend((0..agents.len()).map(|row| {
            let mut instance = [0.0; 6];
            for axis in 0..D {
                instance[axis] = positions[axis][row];
                instance[3 + axis] = velocities[axis][row];
            }
            instance
        }));
        Ok(())
    }

    /// The entity of an agent that is in the world, or was until the last step.
    pub(crate) fn last_entity(&self, id: AgentId) -> Option<Entity> {
        self.entities.as_ref()?.get(slot(id)).copied().flatten()
    }

    /// Sets the entity of an agent.
    pub(crate) fn link(&mut self, id: AgentId, entity: Option<Entity>) {
        let entities = self.entities.get_or_insert_default();
        if entities.len() <= slot(id) {
            entities.resize(slot(id) + 1, None);
        }
        entities[slot(id)] = entity;
    }

    /// The agents that have no entity, with their species.
    pub(crate) fn without_entity(&self) -> Vec<(SpeciesId, AgentId)> {
        let Some(entities) = &self.entities else { return Vec::new() };
        let linked = |id: AgentId| entities.get(slot(id)).copied().flatten().is_some();
        let all = self.world.all_agents().iter();
        all.flat_map(|agents| agents.ids().iter().map(move |id| (agents.species(), *id)))
            .filter(|(_, id)| !linked(*id))
            .collect()
    }
}

/// Ids of living agents differ in their low half.
fn slot(id: AgentId) -> usize {
    id.to_bits() as u32 as usize
}
