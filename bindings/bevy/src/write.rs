//! Bodies, forces and drawn places after a step.

use bevy_ecs::prelude::*;
use throng::{Seen, Vector};

use crate::agent::{Agent, Body, Steering};
use crate::drawn::Drawn;
use crate::world::Throng;

/// Writes what the step has changed, and removes the entities of agents that have gone.
pub(crate) fn write_bodies<const D: usize>(
    worlds: Query<'_, '_, &Throng<D>>,
    mut agents: Query<'_, '_, (Entity, &mut Agent<D>, &mut Body<D>, &mut Drawn, Option<&mut Steering<D>>)>,
    commands: ParallelCommands<'_, '_>,
) {
    agents.par_iter_mut().for_each(|(entity, mut agent, mut body, mut drawn, steering)| {
        let (Some(id), Ok(throng)) = (agent.id, worlds.get(agent.world)) else { return };
        let Ok((species, row)) = throng.world.find(id) else {
            commands.command_scope(|mut commands| commands.entity(entity).despawn());
            return;
        };
        let Ok(columns) = throng.world.agents(species) else { return };
        let [position, velocity] =
            [columns.positions(), columns.velocities()].map(|axes| Vector::from_fn(|axis| axes[axis][row]));
        if let (Some(mut steering), Ok(forces)) = (steering, throng.world.steering(species)) {
            steering.0 = Vector::from_fn(|axis| forces[axis].get(row).copied().unwrap_or(0.0));
        }
        // The host did not change these.
        let seen = agent.bypass_change_detection().seen.get_or_insert_with(|| Seen::of(columns, row));
        let came = seen.again(throng.world.settings(), columns, row);
        *body.bypass_change_detection() = Body { position, velocity };
        *drawn = drawn.moved(position, velocity, came);
    });
}
