//! Transforms between two ticks.

use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec2, Vec3};
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;

use crate::agent::Drawn;

/// Moves transforms between the last two positions, by the time since the last tick.
pub(crate) fn interpolate(time: Res<'_, Time<Fixed>>, mut agents: Query<'_, '_, (&Drawn, &mut Transform)>) {
    draw(&mut agents, time.overstep_fraction());
}

/// Moves transforms to the last positions.
pub(crate) fn follow(mut agents: Query<'_, '_, (&Drawn, &mut Transform)>) {
    draw(&mut agents, 1.0);
}

/// Agents look along the x axis of their transform.
fn draw(agents: &mut Query<'_, '_, (&Drawn, &mut Transform)>, share: f32) {
    agents.par_iter_mut().for_each(|(drawn, mut transform)| {
        transform.translation = drawn.from.lerp(drawn.to, share);
        if drawn.heading.z == 0.0 && drawn.heading != Vec3::ZERO {
            transform.rotation = Quat::from_rotation_arc_2d(Vec2::X, drawn.heading.truncate());
        } else if drawn.heading != Vec3::ZERO {
            transform.rotation = Quat::from_rotation_arc(Vec3::X, drawn.heading);
        }
    });
}
