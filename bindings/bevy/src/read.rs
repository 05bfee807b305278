//! Changes of bodies by the host.

use bevy_ecs::prelude::*;
use throng::{AgentId, Error, LIMIT, World};

use crate::agent::{Agent, Body, Goal};
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
        if let Err(error) = set(&mut throng.world, id, *body, Body { position, velocity }) {
            *body.bypass_change_detection() = Body { position, velocity };
            refused.write(SpawnRefused { entity, error });
        }
    }
}

/// Gives changed goals, and the goals of new agents, to the worlds.
pub(crate) fn read_goals<const D: usize>(
    mut worlds: Query<'_, '_, &mut Throng<D>>,
    agents: Query<'_, '_, (Entity, &Agent<D>, &Goal<D>), Or<(Changed<Goal<D>>, Changed<Agent<D>>)>>,
    mut refused: MessageWriter<'_, SpawnRefused>,
) {
    for (entity, agent, goal) in &agents {
        let (Some(id), Ok(mut throng)) = (agent.id, worlds.get_mut(agent.world)) else { continue };
        if let Err(error) = throng.world.set_goal(id, Some(goal.0)) {
            refused.write(SpawnRefused { entity, error });
        }
    }
}

/// Takes the goal from the agent of an entity that loses its [`Goal`].
pub(crate) fn remove_goal<const D: usize>(
    removed: On<'_, '_, Remove, Goal<D>>,
    agents: Query<'_, '_, &Agent<D>>,
    mut worlds: Query<'_, '_, &mut Throng<D>>,
) {
    let Ok(&Agent { world, id: Some(id), .. }) = agents.get(removed.entity) else { return };
    if let Ok(mut throng) = worlds.get_mut(world) {
        // An agent that has gone has no goal.
        let _ = throng.world.set_goal(id, None);
    }
}

/// Sets the changed quantities of an agent's body: a quantity that is set again loses its residual. If one part is
/// refused, none is set.
fn set<const D: usize>(world: &mut World<D>, id: AgentId, body: Body<D>, old: Body<D>) -> Result<(), Error> {
    // A refused velocity comes first, and changes nothing. Else only the position can be refused.
    if !body.velocity.0.iter().all(|component| component.abs() <= LIMIT) {
        world.set_velocity(id, body.velocity)?;
    }
    if body.position != old.position {
        world.set_position(id, body.position)?;
    }
    if body.velocity != old.velocity {
        world.set_velocity(id, body.velocity)?;
    }
    Ok(())
}
