//! Wandering for the agents of a chunk, with the operations of [`Wanderer`](crate::steering::Wanderer).

use fearless_simd::{Level, Select, Simd, SimdBase, SimdMask};

use crate::kernels::combine::{Force, SteeredRows};
use crate::kernels::simd::{Lanes, direction, dot, is_zero, load, load_axes, mask, store};
use crate::kernels::table::kernels;
use crate::kernels::{CHUNK, CLUSTER, CLUSTERS};
use crate::maths::{Noise, sin_cos, sin_cos_near_zero};

/// The wanderers of a chunk, and the parameters of the rule.
#[derive(Debug)]
pub(crate) struct WanderingAgents<'a, const D: usize> {
    pub(crate) displacement: &'a mut Force<D>,
    pub(crate) heading: &'a mut Force<D>,
    pub(crate) noise: &'a mut [Noise; CHUNK],
    /// The largest turn of the displacement, in radians.
    pub(crate) max_turn: f32,
    /// The radius and distance of the circle, in metres.
    pub(crate) circle: (f32, f32),
    /// Whether the displacement turns with the heading, and agents seek its point. Otherwise it keeps its direction in
    /// the world, and the offset of its point is the force.
    pub(crate) turns: bool,
}

/// Advances the wanderers whose bits are set in `active` by a tick and sets their forces. Wanderers that must draw a
/// heading or a first displacement stay unchanged, and their bits remain set.
pub(crate) fn wander<const D: usize>(
    level: Level,
    steered: &SteeredRows<'_, D>,
    wanderers: &mut WanderingAgents<'_, D>,
    active: &mut [u16; CLUSTERS],
    force: &mut Force<D>,
) {
    kernels::<D>().wander(level, steered, wanderers, active, force);
}

/// The largest angle, in radians, for the series about zero of sine and cosine: slightly less than an eighth of a turn.
const NEAR_ZERO: f32 = 0.78;

#[inline(always)]
pub(super) fn wander_lanes<S: Simd, const D: usize>(
    simd: S,
    steered: &SteeredRows<'_, D>,
    wanderers: &mut WanderingAgents<'_, D>,
    active: &mut [u16; CLUSTERS],
    force: &mut Force<D>,
) {
    macro_rules! splat {
        ($value:expr) => {
            Lanes::splat(simd, $value)
        };
    }
    let zero = splat!(0.0);
    for row in (0..steered.velocity[0].len()).step_by(CLUSTER) {
        let velocity = load_axes(simd, &steered.velocity, row);
        let before = direction(simd, &load_axes(simd, &wanderers.heading.each_ref().map(|axis| &axis[..]), row));
        let old = load_axes(simd, &wanderers.displacement.each_ref().map(|axis| &axis[..]), row);
        let (mut heading, old) = (direction(simd, &velocity), direction(simd, &old));
        let rests = is_zero(simd, &heading);
        for axis in 0..D {
            heading[axis] = rests.select(before[axis], heading[axis]);
        }
        let mut displacement = old;
        if wanderers.turns {
            let turned = turned_along(simd, &old, &before, &heading);
            let stays = is_zero(simd, &before);
            for axis in 0..D {
                displacement[axis] = stays.select(old[axis], turned[axis]);
            }
        }
        // The caller draws missing displacements and headings first.
        let draws = is_zero(simd, &old) | is_zero(simd, &displacement) | is_zero(simd, &heading);
        let ready = active[row / CLUSTER] & !(draws.to_bitmask() as u16);
        if ready == 0 {
            continue;
        }
        active[row / CLUSTER] &= !ready;
        let noise = &mut wanderers.noise[row..row + CLUSTER];
        let aside = across(simd, &displacement, ready, noise);
        let (mut sines, mut cosines) = ([0.0; CLUSTER], [1.0; CLUSTER]);
        let mut angles = [0.0; CLUSTER];
        for (lane, angle) in angles.iter_mut().enumerate().filter(|(lane, _)| ready >> lane & 1 == 1) {
            *angle = noise[lane].unit() * wanderers.max_turn;
        }
        if wanderers.max_turn <= NEAR_ZERO {
            for lane in 0..CLUSTER {
                (sines[lane], cosines[lane]) = sin_cos_near_zero(f64::from(angles[lane]));
            }
        } else {
            for lane in 0..CLUSTER {
                (sines[lane], cosines[lane]) = sin_cos(angles[lane]);
            }
        }
        let (sine, cosine) = (load(simd, &sines, 0), load(simd, &cosines, 0));
        for axis in 0..D {
            displacement[axis] = displacement[axis] * cosine + aside[axis] * sine;
        }
        let displacement = direction(simd, &displacement);
        let (radius, distance) = (splat!(wanderers.circle.0), splat!(wanderers.circle.1));
        let (mut steers, mut desired) = (mask(simd, ready), heading);
        for axis in 0..D {
            desired[axis] = heading[axis] * distance + displacement[axis] * radius;
        }
        if wanderers.turns {
            let (towards, max_speed) = (direction(simd, &desired), steered.max_speed.lanes(simd, row));
            steers &= !is_zero(simd, &towards);
            for axis in 0..D {
                desired[axis] = towards[axis] * max_speed;
            }
        } else {
            for axis in 0..D {
                desired[axis] = velocity[axis] + desired[axis];
            }
        }
        let (moved, response) = (mask(simd, ready), splat!(steered.response));
        for axis in 0..D {
            let requested = (desired[axis] - velocity[axis]) / response;
            store(steers.select(requested, zero), &mut force[axis], row);
            let (heading_before, displacement_before) =
                (load(simd, &wanderers.heading[axis], row), load(simd, &wanderers.displacement[axis], row));
            store(moved.select(heading[axis], heading_before), &mut wanderers.heading[axis], row);
            store(moved.select(displacement[axis], displacement_before), &mut wanderers.displacement[axis], row);
        }
    }
}

/// Returns a direction after the shortest rotation that takes one heading to another.
#[inline(always)]
fn turned_along<S: Simd, const D: usize>(
    simd: S,
    vector: &[Lanes<S>; D],
    from: &[Lanes<S>; D],
    to: &[Lanes<S>; D],
) -> [Lanes<S>; D] {
    let mut both = *from;
    for axis in 0..D {
        both[axis] += to[axis];
    }
    let cosine = dot(from, to);
    let opposite = cosine.simd_lt(Lanes::splat(simd, -0.999_999));
    let (share, twice) =
        (dot(&both, vector) / (Lanes::splat(simd, 1.0) + cosine), Lanes::splat(simd, 2.0) * dot(from, vector));
    let mut turned = *vector;
    for axis in 0..D {
        turned[axis] = vector[axis] - both[axis] * share + to[axis] * twice;
    }
    let mut turned = direction(simd, &turned);
    for axis in 0..D {
        turned[axis] = opposite.select(-vector[axis], turned[axis]);
    }
    turned
}

/// Draws a direction perpendicular to each `direction` for the lanes whose bits are set in `active`, with the
/// operations of [`Noise::across`](crate::Noise::across).
#[inline(always)]
fn across<S: Simd, const D: usize>(
    simd: S,
    vector: &[Lanes<S>; D],
    mut left: u16,
    noise: &mut [Noise],
) -> [Lanes<S>; D] {
    let other = direction(simd, vector);
    let mut found = *vector;
    while left != 0 {
        let mut drawn = [[0.0; CLUSTER]; D];
        for (lane, noise) in noise.iter_mut().enumerate().filter(|(lane, _)| left >> lane & 1 == 1) {
            let candidate = noise.any_way::<D>();
            for axis in 0..D {
                drawn[axis][lane] = candidate[axis];
            }
        }
        let candidate = direction(simd, &load_axes(simd, &drawn.each_ref().map(|axis| &axis[..]), 0));
        let along = dot(&candidate, &other);
        let mut across = candidate;
        for axis in 0..D {
            across[axis] = candidate[axis] - other[axis] * along;
        }
        let taken = dot(&across, &across).simd_gt(Lanes::splat(simd, Noise::ACROSS)).to_bitmask() as u16 & left;
        let (across, takes) = (direction(simd, &across), mask(simd, taken));
        for axis in 0..D {
            found[axis] = takes.select(across[axis], found[axis]);
        }
        left &= !taken;
    }
    found
}
