//! Obstacle avoidance for sixteen agents at a time, by the operations of
//! [`avoid_obstacles`](crate::steering::avoid_obstacles).

use fearless_simd::{Level, Select, Simd, SimdBase, SimdFloat, SimdMask};

use super::combine::{Force, Quantity, Steered};
use super::discs::NearDiscs;
use super::simd::{Lanes, direction, dot, load, load_axes, nearest_image, store};
use super::table::kernels;
use super::{Axes, CLUSTER};

/// The agents of one chunk and the parameters of their feelers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feelers<'a, const D: usize> {
    pub(crate) position: Axes<'a, D>,
    pub(crate) steered: Steered<'a, D>,
    /// The radius of their bodies.
    pub(crate) body: Quantity<'a>,
    /// How far the feelers reach.
    pub(crate) distance: f32,
    /// How far agents keep from an obstacle.
    pub(crate) buffer: f32,
    /// The share of its speed that an agent gives up when it is closest.
    pub(crate) braking: f32,
    /// The largest distance from an agent to an obstacle's edge that matters.
    pub(crate) reach: f32,
    pub(crate) period: [f32; D],
}

/// Sets the forces of one cluster, whose agents are in the box of this `centre` and `half`, where a disc is in the way.
/// Returns sixteen bits, one for each agent: whether its force is left out, because its direction is drawn.
pub(crate) fn feel<const D: usize>(
    level: Level,
    feelers: &Feelers<'_, D>,
    cluster: usize,
    (centre, half): (&[f32; D], &[f32; D]),
    near: &[NearDiscs<'_, D>; 2],
    force: &mut Force<D>,
) -> u16 {
    kernels::<D>().feel(level, feelers, cluster, centre, half, near, force)
}

#[inline(always)]
pub(super) fn feel_lanes<S: Simd, const D: usize>(
    simd: S,
    feelers: &Feelers<'_, D>,
    cluster: usize,
    centre: &[f32; D],
    half: &[f32; D],
    near: &[NearDiscs<'_, D>; 2],
    force: &mut Force<D>,
) -> u16 {
    let row = cluster * CLUSTER;
    macro_rules! splat {
        ($value:expr) => {
            Lanes::splat(simd, $value)
        };
    }
    let position = load_axes(simd, &feelers.position, row);
    let velocity = load_axes(simd, &feelers.steered.velocity, row);
    let body = feelers.body.lanes(simd, row);
    let (zero, least, length) = (splat!(0.0), splat!(1e-30), splat!(feelers.distance));
    let heading = direction(simd, &velocity);
    let mut seam = false;
    for NearDiscs { discs, .. } in near {
        seam |= discs.outside;
        for axis in 0..D {
            let reach = half[axis] + (feelers.reach + discs.largest) * (1.0 + 1e-4);
            seam |= feelers.period[axis] < f32::INFINITY
                && (centre[axis] - reach < 0.0 || centre[axis] + reach > feelers.period[axis]);
        }
    }
    // Of the disc that is met first: how far along the feeler, the offset to it, and the direction of the feeler.
    let (mut nearest, mut number, mut offset_to, mut feeler) = (splat!(f32::INFINITY), zero, position, heading);
    for &NearDiscs { discs, clumps } in near {
        for &clump in clumps {
            let first = clump as usize * CLUSTER;
            let mut squared = zero;
            for axis in 0..D {
                let offset = load(simd, &discs.centre[axis], first) - splat!(centre[axis]);
                let gap = nearest_image(simd, offset, feelers.period[axis]).abs() - splat!(half[axis]);
                // A NaN has to reach the sum.
                let gap = gap.simd_lt(zero).select(zero, gap);
                squared += gap * gap;
            }
            let reach = (load(simd, &discs.radius, first) + splat!(feelers.reach)) * splat!(1.0 + 1e-5);
            let mut reached = squared.simd_le(reach * reach).to_bitmask() as u16;
            while reached != 0 {
                let disc = first + reached.trailing_zeros() as usize;
                reached &= reached - 1;
                let (mut offset, mut relative, mut moves) = (position, velocity, false);
                for axis in 0..D {
                    offset[axis] = splat!(discs.centre[axis][disc]) - position[axis];
                    if seam {
                        offset[axis] = nearest_image(simd, offset[axis], feelers.period[axis]);
                    }
                    relative[axis] = velocity[axis] - splat!(discs.velocity[axis][disc]);
                    moves |= discs.velocity[axis][disc] != 0.0;
                }
                let along = if moves { direction(simd, &relative) } else { heading };
                let ahead = dot(&offset, &along);
                let mut aside = offset;
                for axis in 0..D {
                    aside[axis] = offset[axis] - along[axis] * ahead;
                }
                let (from_centre, aside) = (dot(&offset, &offset), dot(&aside, &aside));
                let touching = splat!(discs.radius[disc]) + body;
                let reach = touching + splat!(feelers.buffer);
                let ahead_of_it = ahead.simd_gt(zero) & aside.simd_lt(reach * reach);
                // Without roots, and squares of the smallest numbers are zero: no disc that is met is left out.
                let may_touch = from_centre.simd_le(touching * touching + least);
                // Nor is a disc that is met no later than the nearest so far.
                let longest = length * splat!(1.0 + 1e-5) + least;
                let longest = nearest.simd_lt(longest).select(nearest, longest);
                let may_meet = ahead_of_it & (ahead - reach).simd_le(longest);
                if !(may_touch | may_meet).any_true() {
                    continue;
                }
                let (mut inside, mut inwards) = (may_touch, zero);
                if may_touch.any_true() {
                    let from_centre = from_centre.sqrt();
                    inside = from_centre.simd_lt(touching);
                    inwards = from_centre - touching;
                }
                let entry = ahead - (reach * reach - aside).sqrt();
                let entry = entry.simd_gt(zero).select(entry, zero);
                let distance = inside.select(inwards, entry);
                let own = splat!(discs.number[disc]);
                let first = distance.simd_lt(nearest) | (distance.simd_eq(nearest) & own.simd_lt(number));
                let met = (inside | (ahead_of_it & entry.simd_lt(length))) & first;
                nearest = met.select(distance, nearest);
                number = met.select(own, number);
                for axis in 0..D {
                    offset_to[axis] = met.select(offset[axis], offset_to[axis]);
                    feeler[axis] = met.select(along[axis], feeler[axis]);
                }
            }
        }
    }
    let meets = nearest.simd_lt(splat!(f32::INFINITY));
    if !meets.any_true() {
        return 0;
    }
    let (mut aside, ahead) = (offset_to, dot(&offset_to, &feeler));
    for axis in 0..D {
        aside[axis] = offset_to[axis] - feeler[axis] * ahead;
    }
    let head_on = dot(&aside, &aside).simd_le(splat!(1e-10) * dot(&offset_to, &offset_to));
    // Inside of a disc agents steer straight out.
    let (inside, outside) = (meets & nearest.simd_lt(zero), meets & nearest.simd_ge(zero));
    let centred = dot(&offset_to, &offset_to).simd_le(zero);
    let left_out = (inside & centred) | (outside & head_on);
    let (towards, inwards, one) = (direction(simd, &aside), direction(simd, &offset_to), splat!(1.0));
    let closeness = one - nearest / length;
    let brakes = dot(&offset_to, &velocity).simd_gt(zero);
    let braking = brakes.select(splat!(feelers.braking) * closeness, zero);
    let max_speed = feelers.steered.max_speed.lanes(simd, row);
    let away = max_speed * closeness;
    for axis in 0..D {
        let round = velocity[axis] * (one - braking) + (-towards[axis]) * away;
        let desired = inside.select((-inwards[axis]) * max_speed, round);
        let wanted = (desired - velocity[axis]) / splat!(feelers.steered.response);
        store(meets.select(wanted, zero), &mut force[axis], row);
    }
    left_out.to_bitmask() as u16
}
