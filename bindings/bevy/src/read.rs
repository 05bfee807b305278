//! Changes of bodies by the host.

use bevy_ecs::prelude::*;

use crate::agent::{Agent, Body};
use crate::messages::SpawnRefused;
use crate::world::Throng;

/// Gives changed bodies to the worlds.
pub(crate) fn read_bodies<const D: usize>(
    mut worlds: Query<'_, '_, &mut Throng<D>>,
    mut agents: Query<'_, '_, (Entity, &Agent<D>, &mut Body<D>), Changed<Body<D>>>,
    mut refused: MessageWriter<'_, SpawnRefused>,
) {
    for (entity, agent, mut body) in &mut agents {
        let (Some(id), Ok(mut throng)) = (agent.id, worlds.get_mut(agent.world)) else { continue };
        let (Ok(position), Ok(velocity)) = (throng.world.position(id), throng.world.velocity(id)) else { continue };
        if (body.position, body.velocity) == (position, velocity) {
            continue;
        }
        let moved = throng.world.set_position(id, body.position);
        if let Err(error) = moved.and_then(|()| throng.world.set_velocity(id, body.velocity)) {
            // The old position is one that the world accepts.
            let _ = throng.world.set_position(id, position);
            *body.bypass_change_detection() = Body { position, velocity };
            refused.write(SpawnRefused { entity, error });
        }
    }
}
