//! Forces towards or away from what agents aim at, by the operations of [`steering`](crate::steering).

use fearless_simd::{Level, Select, Simd, SimdBase, SimdFloat};

use crate::kernels::combine::{Force, SteeredRows};
use crate::kernels::simd::{Lanes, Mask, direction, dot, is_zero, load, load_axes, mask, store};
use crate::kernels::table::kernels;
use crate::kernels::{Axes, CLUSTER};

/// What agents of consecutive clusters aim at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TargetRows<'a, const D: usize> {
    /// From each agent to what it aims at.
    pub(crate) offset: Axes<'a, D>,
    /// The velocity of what each agent aims at.
    pub(crate) velocity: Axes<'a, D>,
    /// The agents that aim at anything, one bit each.
    pub(crate) some: &'a [u16],
}

/// An agent's intention towards what it aims at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TargetSteering {
    /// Full speed towards it.
    Seek,
    /// Full speed away from it within a distance.
    Flee(f32),
    /// A stop there, slowing down within a distance.
    Arrive(f32),
    /// Full speed towards where it will be, or away from there.
    Predict {
        /// How far ahead, in seconds: at zero for the time to get there, but for no longer than `longest`.
        horizon: f32,
        longest: f32,
        /// Whether what comes closer is predicted for the full time.
        literal: bool,
        away: bool,
    },
}

/// Sets the forces of agents that aim at anything; those of others stay. `first` is the row of the first agent.
pub(crate) fn steer_to_target<const D: usize>(
    level: Level,
    steered: &SteeredRows<'_, D>,
    targets: &TargetRows<'_, D>,
    steering: TargetSteering,
    first: usize,
    force: &mut Force<D>,
) {
    kernels::<D>().steer_to_target(level, steered, targets, steering, first, force);
}

#[inline(always)]
pub(super) fn steer_to_target_lanes<S: Simd, const D: usize>(
    simd: S,
    steered: &SteeredRows<'_, D>,
    targets: &TargetRows<'_, D>,
    steering: TargetSteering,
    first: usize,
    force: &mut Force<D>,
) {
    for (cluster, &some) in targets.some.iter().enumerate() {
        if some == 0 {
            continue;
        }
        let (place, row) = (cluster * CLUSTER, first + cluster * CLUSTER);
        let mut wants = mask(simd, some);
        let max_speed = steered.max_speed.lanes(simd, row);
        let offset = load_axes(simd, &targets.offset, place);
        let mut desired = offset;
        match steering {
            TargetSteering::Seek => wants &= seek(simd, &offset, max_speed, &mut desired),
            TargetSteering::Flee(within) => {
                let near = dot(&offset, &offset).sqrt().simd_le(Lanes::splat(simd, within));
                wants &= near & seek(simd, &negative(&offset), max_speed, &mut desired);
            }
            TargetSteering::Arrive(slowing) => {
                let slowing = Lanes::splat(simd, slowing);
                let near = dot(&offset, &offset).sqrt().simd_lt(slowing);
                let towards = direction(simd, &offset);
                for axis in 0..D {
                    desired[axis] = near.select(offset[axis] / slowing * max_speed, towards[axis] * max_speed);
                }
            }
            TargetSteering::Predict { horizon, longest, literal, away } => {
                let velocity = load_axes(simd, &targets.velocity, place);
                let mut seconds = Lanes::splat(simd, horizon);
                if horizon <= 0.0 {
                    let (time, longest) = (dot(&offset, &offset).sqrt() / max_speed, Lanes::splat(simd, longest));
                    seconds = time.simd_lt(longest).select(time, longest);
                }
                let mut there = if literal {
                    ahead(&offset, &velocity, seconds)
                } else {
                    predict(simd, &offset, &velocity, seconds)
                };
                if away {
                    there = negative(&there);
                }
                wants &= seek(simd, &there, max_speed, &mut desired);
            }
        }
        for axis in 0..D {
            let asked =
                (desired[axis] - load(simd, steered.velocity[axis], row)) / Lanes::splat(simd, steered.response);
            store(wants.select(asked, load(simd, &force[axis], row)), &mut force[axis], row);
        }
    }
}

/// Returns full speed along a vector, or zero where it is zero.
#[inline(always)]
fn seek<S: Simd, const D: usize>(
    simd: S,
    way: &[Lanes<S>; D],
    max_speed: Lanes<S>,
    desired: &mut [Lanes<S>; D],
) -> Mask<S> {
    let towards = direction(simd, way);
    for axis in 0..D {
        desired[axis] = towards[axis] * max_speed;
    }
    !is_zero(simd, &towards)
}

#[inline(always)]
fn negative<S: Simd, const D: usize>(vector: &[Lanes<S>; D]) -> [Lanes<S>; D] {
    let mut negative = *vector;
    for axis in 0..D {
        negative[axis] = -vector[axis];
    }
    negative
}

/// Returns the offset after some seconds.
#[inline(always)]
fn ahead<S: Simd, const D: usize>(
    offset: &[Lanes<S>; D],
    velocity: &[Lanes<S>; D],
    seconds: Lanes<S>,
) -> [Lanes<S>; D] {
    let mut ahead = *offset;
    for axis in 0..D {
        ahead[axis] += velocity[axis] * seconds;
    }
    ahead
}

/// The same, but half of the way to the agent at most: as [`steering::predict`](crate::steering::predict).
#[inline(always)]
fn predict<S: Simd, const D: usize>(
    simd: S,
    offset: &[Lanes<S>; D],
    velocity: &[Lanes<S>; D],
    seconds: Lanes<S>,
) -> [Lanes<S>; D] {
    let (squared, twice) = (dot(offset, offset), Lanes::splat(simd, 2.0) * -dot(offset, velocity));
    let seconds = (twice * seconds).simd_gt(squared).select(squared / twice, seconds);
    ahead(offset, velocity, seconds)
}
