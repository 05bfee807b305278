//! Messages of the plugin.

use bevy_ecs::prelude::*;
use throng::{Error, Event};

/// An event of the last tick of a world: an agent arrived, was caught, ran into a wall, came or went.
#[derive(Message, Clone, Copy, Debug)]
pub struct WorldEvent {
    /// The entity of the world.
    pub world: Entity,
    /// The entity of its agent, [`Event::agent`], which is about to be despawned if the agent has gone. `None` for
    /// agents without entities, and for an agent of a source in its first tick.
    pub entity: Option<Entity>,
    /// The event.
    pub event: Event,
}

/// An event of the last tick, triggered on the entity of its agent if it has
/// [`AgentEventsEnabled`](crate::AgentEventsEnabled): for observers.
#[derive(EntityEvent, Clone, Copy, Debug)]
pub struct AgentEvent {
    /// The entity of the agent.
    pub entity: Entity,
    /// The entity of the world.
    pub world: Entity,
    /// The event.
    pub event: Event,
}

/// A world did not step: a rule panicked, or the arithmetic of the thread is not the default. No agent has moved.
#[derive(Message, Clone, Debug)]
pub struct StepFailed {
    /// The entity of the world.
    pub world: Entity,
    /// The reason.
    pub error: Error,
}

/// A world refused a new agent, a changed body or a goal, for example for a position outside of it. The entity of a new
/// agent is removed; a changed body gets its old values back, a goal is not set.
#[derive(Message, Clone, Debug)]
pub struct SpawnRefused {
    /// The entity of the agent.
    pub entity: Entity,
    /// The reason.
    pub error: Error,
}
