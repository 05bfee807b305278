//! Agents and entities that come and go.

use bevy_ecs::prelude::*;

use crate::agent::{Agent, Body};
use crate::messages::SpawnRefused;
use crate::world::Throng;

/// Adds the agents of new entities to their worlds.
pub(crate) fn add_agents<const D: usize>(
    mut worlds: Query<'_, '_, &mut Throng<D>>,
    mut agents: Query<'_, '_, (Entity, &mut Agent<D>, &Body<D>), Added<Agent<D>>>,
    mut commands: Commands<'_, '_>,
    mut refused: MessageWriter<'_, SpawnRefused>,
) {
    for (entity, mut agent, body) in &mut agents {
        let (None, Ok(mut throng)) = (agent.id, worlds.get_mut(agent.world)) else { continue };
        match throng.world.spawn(agent.species, body.position, body.velocity) {
            Ok(id) => {
                (agent.id, agent.seen) = (Some(id), throng.seen(id));
                throng.link(id, Some(entity));
            }
            Err(error) => {
                refused.write(SpawnRefused { entity, error });
                commands.entity(entity).despawn();
            }
        }
    }
}

/// Spawns entities for agents that the host or a source has added.
pub(crate) fn add_entities<const D: usize>(
    mut worlds: Query<'_, '_, (Entity, &mut Throng<D>)>,
    mut commands: Commands<'_, '_>,
) {
    for (world, mut throng) in &mut worlds {
        if !throng.has_entities() || throng.compared == throng.world.spawned() {
            continue;
        }
        throng.compared = throng.world.spawned();
        for (species, id) in throng.without_entity() {
            let (Ok(position), Ok(velocity)) = (throng.world.position(id), throng.world.velocity(id)) else { continue };
            let agent = Agent::<D> { world, species, id: Some(id), seen: throng.seen(id) };
            let entity = commands.spawn((agent, Body { position, velocity })).id();
            throng.link(id, Some(entity));
        }
    }
}

/// Removes the agent of an entity that loses its [`Agent`].
pub(crate) fn remove_agent<const D: usize>(
    removed: On<'_, '_, Remove, Agent<D>>,
    agents: Query<'_, '_, &Agent<D>>,
    mut worlds: Query<'_, '_, &mut Throng<D>>,
) {
    let Ok(&Agent { world, id: Some(id), .. }) = agents.get(removed.entity) else { return };
    if let Ok(mut throng) = worlds.get_mut(world) {
        // The agent may have gone before its entity, and its slot may have a new one.
        if throng.world.despawn(id).is_ok() {
            throng.link(id, None);
        }
    }
}
