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
        let mut set = throng.world.set_velocity(id, body.velocity);
        // A position that is set again would lose its residual.
        if set.is_ok() && body.position != position {
            set = throng.world.set_position(id, body.position);
        }
        if let Err(error) = set {
            // The old velocity is one that the world accepts.
            let _ = throng.world.set_velocity(id, velocity);
            *body.bypass_change_detection() = Body { position, velocity };
            refused.write(SpawnRefused { entity, error });
        }
    }
}
