//! Forces towards or away from targets.

use fearless_simd::{Level, Simd, SimdBase};

use crate::formulas::targets::{ahead, arrive, flee, force, predict, seek, time_to_cover};
use crate::kernels::combine::{Force, SteeredRows};
use crate::kernels::simd::{Lanes, choose, load_axes, mask, store_axes};
use crate::kernels::table::kernels;
use crate::kernels::{Axes, CLUSTER};
use crate::maths::components::{length, negative};

/// The targets of the agents of consecutive clusters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TargetRows<'a, const D: usize> {
    /// The offset from each agent to its target.
    pub(crate) offset: Axes<'a, D>,
    /// The velocity of each agent's target.
    pub(crate) velocity: Axes<'a, D>,
    /// The agents that have a target, one bit each.
    pub(crate) active: &'a [u16],
}

/// The desired velocity in relation to a target. Distances are in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TargetSteering {
    /// Full speed towards the target.
    Seek,
    /// Full speed away from the target within a distance.
    Flee(f32),
    /// Full speed towards the target, slower within a distance, zero at the target.
    Arrive(f32),
    /// Full speed towards the predicted position of the target, or away from it.
    Predict {
        /// The prediction time in seconds. Zero stands for the time to reach the target, limited to `longest`.
        horizon: f32,
        longest: f32,
        /// Whether the full prediction time applies to approaching targets too.
        literal: bool,
        away: bool,
    },
}

/// Sets the forces of agents that have a target; the others stay unchanged. `first` is the row of the first agent.
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
    forces: &mut Force<D>,
) {
    for (cluster, &active) in targets.active.iter().enumerate() {
        if active == 0 {
            continue;
        }
        let (place, row) = (cluster * CLUSTER, first + cluster * CLUSTER);
        let steers = mask(simd, active);
        let max_speed = steered.max_speed.lanes(simd, row);
        let offset = load_axes(simd, &targets.offset, place);
        let (desired, wants) = match steering {
            TargetSteering::Seek => seek(offset, max_speed),
            TargetSteering::Flee(within) => flee(offset, max_speed, Lanes::splat(simd, within)),
            TargetSteering::Arrive(slowing) => (arrive(offset, max_speed, Lanes::splat(simd, slowing)), steers),
            TargetSteering::Predict { horizon, longest, literal, away } => {
                let velocity = load_axes(simd, &targets.velocity, place);
                let seconds = if horizon <= 0.0 {
                    time_to_cover(length(&offset), max_speed, Lanes::splat(simd, longest))
                } else {
                    Lanes::splat(simd, horizon)
                };
                let there = if literal { ahead(offset, velocity, seconds) } else { predict(offset, velocity, seconds) };
                seek(if away { negative(there) } else { there }, max_speed)
            }
        };
        let (steers, velocity) = (steers & wants, load_axes(simd, &steered.velocity, row));
        let requested = force(desired, velocity, Lanes::splat(simd, steered.response));
        store_axes(choose(steers, requested, load_axes(simd, forces, row)), forces, row);
    }
}
