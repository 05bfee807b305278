//! Transforms between two ticks.

use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;

use crate::agent::{Agent, Body, NoRotation};
use crate::drawn::Drawn;
use crate::world::Throng;

type Drawing<'a> = (&'a Drawn, &'a mut Transform, Has<NoRotation>);

/// Moves transforms between the last two positions, by the time since the last tick.
pub(crate) fn interpolate(time: Res<'_, Time<Fixed>>, mut agents: Query<'_, '_, Drawing<'static>>) {
    draw(&mut agents, time.overstep_fraction());
}

/// Moves transforms to the last positions.
pub(crate) fn follow(mut agents: Query<'_, '_, Drawing<'static>>) {
    draw(&mut agents, 1.0);
}

fn draw(agents: &mut Query<'_, '_, Drawing<'static>>, share: f32) {
    agents.par_iter_mut().for_each(|(drawn, mut transform, keeps)| drawn.draw(share, &mut transform, !keeps));
}

/// Draws a new agent where it is, from its first frame on.
pub(crate) fn place<const D: usize>(
    inserted: On<'_, '_, Insert, (Agent<D>, Body<D>)>,
    mut agents: Query<'_, '_, (&Agent<D>, &Body<D>, &mut Drawn, &mut Transform, Has<NoRotation>)>,
    worlds: Query<'_, '_, &Throng<D>>,
) {
    let Ok((agent, body, mut drawn, mut transform, keeps)) = agents.get_mut(inserted.entity) else { return };
    let Ok(throng) = worlds.get(agent.world) else { return };
    *drawn = Drawn::at_rest(body.position, body.velocity, throng.plane);
    drawn.draw(1.0, &mut transform, !keeps);
}
