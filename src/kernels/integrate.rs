//! Integration of forces by semi-implicit Euler steps with compensated sums.
//!
//! Reynolds, "Steering Behaviors For Autonomous Characters" (1999): the force is truncated, divided by the mass and
//! added to the velocity. The velocity is truncated and added to the position.

use fearless_simd::{Level, Simd, SimdBase, SimdFloat};

use crate::formulas::sums::compensated;
use crate::kernels::combine::QuantitySlice;
use crate::kernels::simd::{Lanes, Ordered, Truth, dot, load, load_axes, store, truncate};
use crate::kernels::table::kernels;
use crate::kernels::{Axes, AxesMut, CLUSTER};

/// The limits of agents, and the parts of a step that apply to them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits<'a> {
    pub(crate) mass: QuantitySlice<'a>,
    pub(crate) max_force: QuantitySlice<'a>,
    pub(crate) max_speed: QuantitySlice<'a>,
    pub(crate) min_speed: f32,
    /// The cosine and sine of the largest turn in one tick; `None` if turns are unlimited.
    pub(crate) turn: Option<(f32, f32)>,
    /// Whether the step updates positions.
    pub(crate) moves: bool,
    /// Whether the steering is the new velocity.
    pub(crate) direct: bool,
    /// Whether positions advance by the old velocities.
    pub(crate) explicit: bool,
}

/// The results of steering in a tick.
pub(crate) struct Steps<'a, const D: usize> {
    /// The steering forces, or the new velocities.
    pub(crate) steering: Axes<'a, D>,
    /// Displacements of agents in addition to their velocities, in metres, if there are any.
    pub(crate) displacement: Option<Axes<'a, D>>,
}

/// Columns of sums with their residuals.
pub(crate) struct CompensatedColumns<'a, const D: usize> {
    pub(crate) sum: AxesMut<'a, D>,
    /// The parts of the sums that rounding removed.
    pub(crate) residual: AxesMut<'a, D>,
}

/// Advances velocities and positions by `dt` seconds. Returns the squared largest speed of the agents that moved: the
/// speed over the whole way, displacements included.
pub(crate) fn integrate<const D: usize>(
    level: Level,
    limits: &Limits<'_>,
    dt: f32,
    steps: &Steps<'_, D>,
    position: &mut CompensatedColumns<'_, D>,
    velocity: &mut CompensatedColumns<'_, D>,
) -> f32 {
    kernels::<D>().integrate(level, limits, dt, steps, position, velocity)
}

#[inline(always)]
pub(super) fn integrate_lanes<S: Simd, const D: usize>(
    simd: S,
    limits: &Limits<'_>,
    dt: f32,
    steps: &Steps<'_, D>,
    position: &mut CompensatedColumns<'_, D>,
    velocity: &mut CompensatedColumns<'_, D>,
) -> f32 {
    let steering = &steps.steering;
    let mut fastest = Lanes::splat(simd, 0.0);
    let seconds = Lanes::splat(simd, dt);
    let same_gain = match limits.mass {
        QuantitySlice::Same(mass) => Some(Lanes::splat(simd, dt / mass)),
        QuantitySlice::Each(_) => None,
    };
    for row in (0..steering[0].len()).step_by(CLUSTER) {
        let force = truncate(load_axes(simd, steering, row), limits.max_force.lanes(simd, row));
        let before = load_axes(simd, &velocity.sum, row);
        let gain = same_gain.unwrap_or_else(
            #[inline(always)]
            || seconds / limits.mass.lanes(simd, row),
        );
        let (mut sum, mut new_residual) = (before, before);
        for axis in 0..D {
            let residual = load(simd, velocity.residual[axis], row);
            (sum[axis], new_residual[axis]) = compensated(before[axis], residual, force[axis] * gain);
        }
        let mut after = sum;
        if let Some(turn) = limits.turn {
            after = turn_at_most(simd, &before, after, turn);
        }
        if limits.min_speed > 0.0 {
            after = lengthen(simd, after, limits.min_speed);
        }
        let mut after = truncate(after, limits.max_speed.lanes(simd, row));
        if limits.direct {
            after = load_axes(simd, steering, row);
        }
        let advance = if limits.explicit { before } else { after };
        let (mut way, mut speed) = (advance, advance);
        for axis in 0..D {
            way[axis] = advance[axis] * seconds;
            if let Some(displacement) = &steps.displacement {
                way[axis] += load(simd, displacement[axis], row);
                speed[axis] = way[axis] / seconds;
            }
        }
        let squared = dot(&speed, &speed);
        // Rows beyond the last agent have no position, which no comparison accepts.
        let place = load(simd, position.sum[0], row);
        fastest = (squared.gt(fastest) & place.equals(place)).choose(squared, fastest);
        for axis in 0..D {
            store(after[axis], velocity.sum[axis], row);
            // A velocity that a limit or a motion sets has no residual.
            let kept_residual = after[axis].equals(sum[axis]).choose(new_residual[axis], Lanes::splat(simd, 0.0));
            store(kept_residual, velocity.residual[axis], row);
            if limits.moves {
                let (at, residual) = (load(simd, position.sum[axis], row), load(simd, position.residual[axis], row));
                let (moved, residual) = compensated(at, residual, way[axis]);
                store(moved, position.sum[axis], row);
                store(residual, position.residual[axis], row);
            }
        }
    }
    // bits: the largest of numbers none of which is a NaN or a negative zero
    if limits.moves { fastest.reduce_max() } else { 0.0 }
}

/// Returns the vector, lengthened to `shortest` where it is shorter and not zero.
#[inline(always)]
fn lengthen<S: Simd, const D: usize>(simd: S, vector: [Lanes<S>; D], shortest: f32) -> [Lanes<S>; D] {
    let squared = dot(&vector, &vector);
    let shortest = Lanes::splat(simd, shortest);
    let too_short = squared.lt(shortest * shortest) & squared.gt(Lanes::splat(simd, 0.0));
    let factor = shortest / squared.sqrt();
    let mut result = vector;
    for axis in 0..D {
        result[axis] = too_short.choose(vector[axis] * factor, vector[axis]);
    }
    result
}

/// Returns `after`, rotated towards `before` where the angle between them exceeds the largest turn. Its length stays.
#[inline(always)]
fn turn_at_most<S: Simd, const D: usize>(
    simd: S,
    before: &[Lanes<S>; D],
    after: [Lanes<S>; D],
    (cosine, sine): (f32, f32),
) -> [Lanes<S>; D] {
    let zero = Lanes::splat(simd, 0.0);
    let (before_squared, after_squared) = (dot(before, before), dot(&after, &after));
    let along = dot(before, &after);
    let lengths = before_squared.sqrt() * after_squared.sqrt();
    // At lower speeds the division by the squared speed is inexact.
    let moving = before_squared.gt(Lanes::splat(simd, f32::MIN_POSITIVE));
    let too_far = along.lt(lengths * Lanes::splat(simd, cosine)) & moving;
    // The component of the new velocity perpendicular to the old one gives the direction of the turn. It is zero for
    // opposite velocities.
    let mut perpendicular = after;
    for axis in 0..D {
        perpendicular[axis] = after[axis] - before[axis] * (along / before_squared);
    }
    let mut perpendicular_squared = dot(&perpendicular, &perpendicular);
    let opposite = perpendicular_squared.le(after_squared * Lanes::splat(simd, 1e-12));
    let upright = before[0].equals(zero) & before[1].equals(zero);
    perpendicular[0] = opposite.choose(upright.choose(Lanes::splat(simd, 1.0), zero - before[1]), perpendicular[0]);
    perpendicular[1] = opposite.choose(before[0], perpendicular[1]);
    for axis in 2..D {
        perpendicular[axis] = opposite.choose(zero, perpendicular[axis]);
    }
    perpendicular_squared = dot(&perpendicular, &perpendicular);
    let speed = after_squared.sqrt();
    let (forwards, sideways) = (
        speed * Lanes::splat(simd, cosine) / before_squared.sqrt(),
        speed * Lanes::splat(simd, sine) / perpendicular_squared.sqrt(),
    );
    let usable = too_far & perpendicular_squared.gt(zero);
    let mut result = after;
    for axis in 0..D {
        let turned = before[axis] * forwards + perpendicular[axis] * sideways;
        result[axis] = usable.choose(turned, after[axis]);
    }
    result
}
