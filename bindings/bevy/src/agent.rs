//! Components of agents.

use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;
use throng::{AgentId, Seen, SpeciesId, Vector};

use crate::drawn::Drawn;

/// An agent of a world. Inserting it with a [`Body`] adds the agent to the world; removing it, or its entity, removes
/// the agent.
#[derive(Component, Clone, Copy, Debug)]
#[require(Transform, Drawn)]
pub struct Agent<const D: usize> {
    pub(crate) world: Entity,
    pub(crate) species: SpeciesId,
    pub(crate) id: Option<AgentId>,
    /// Where it was at the last tick.
    pub(crate) seen: Option<Seen>,
}

impl<const D: usize> Agent<D> {
    /// An agent of this species in the world of this entity, a [`Throng`](crate::Throng). It has no effect if the entity
    /// has no such component when the agent is inserted.
    #[must_use]
    pub fn new(world: Entity, species: SpeciesId) -> Self {
        Self { world, species, id: None, seen: None }
    }

    /// The entity of its world.
    #[must_use]
    pub fn world(&self) -> Entity {
        self.world
    }

    /// Its species.
    #[must_use]
    pub fn species(&self) -> SpeciesId {
        self.species
    }

    /// Its id in the world; `None` until the plugin has added it.
    #[must_use]
    pub fn id(&self) -> Option<AgentId> {
        self.id
    }
}

/// The place and the motion of an agent at the last tick. A change goes to the world before the next step.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Body<const D: usize> {
    /// The position in metres.
    pub position: Vector<D>,
    /// The velocity in metres per second.
    pub velocity: Vector<D>,
}

/// The force of the last step on an agent, in newtons, for a species with
/// [`moved_by_host`](throng::Species::moved_by_host): throng steers, and another crate moves. It reads the force and
/// writes the [`Body`], whose velocity after a step is the one that the force leads to.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Steering<const D: usize>(pub Vector<D>);

/// The goal of an agent in metres, which rules such as `Arrive` seek. A change goes to the world before the next step; an
/// agent that loses the component has no goal.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Goal<const D: usize>(pub Vector<D>);

/// Lets the events of this agent trigger observers of [`AgentEvent`](crate::AgentEvent) on its entity.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct AgentEventsEnabled;

/// Leaves the rotation of the `Transform` to the host: for upright figures and names above heads.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct NoRotation;
