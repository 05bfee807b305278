//! Wandering for the agents of a chunk.

use fearless_simd::{Level, Simd, SimdBase, SimdMask};

use crate::formulas::targets::{force, seek};
use crate::formulas::wander::{AT_REST, faced, on_circle, turned, walked};
use crate::kernels::combine::{Force, SteeredRows};
use crate::kernels::simd::{
    Lanes, Ordered, Truth, choose, direction, dot, is_zero, load, load_axes, mask, minus, plus, store_axes, times,
};
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
    forces: &mut Force<D>,
) {
    macro_rules! splat {
        ($value:expr) => {
            Lanes::splat(simd, $value)
        };
    }
    let zero = splat!(0.0);
    for row in (0..steered.velocity[0].len()).step_by(CLUSTER) {
        let velocity = load_axes(simd, &steered.velocity, row);
        let before = direction(load_axes(simd, wanderers.heading, row));
        let old = direction(load_axes(simd, wanderers.displacement, row));
        let slow = steered.max_speed.lanes(simd, row) * splat!(AT_REST);
        let moves = dot(&velocity, &velocity).gt(slow * slow);
        let heading = faced(choose(moves, velocity, [zero; D]), before);
        let displacement = if wanderers.turns { turned(old, before, heading) } else { old };
        // The caller draws missing displacements and headings first.
        let draws = is_zero(&old) | is_zero(&displacement) | is_zero(&heading);
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
        let displacement = walked(displacement, aside, (load(simd, &sines, 0), load(simd, &cosines, 0)));
        let circle = (splat!(wanderers.circle.0), splat!(wanderers.circle.1));
        let point = on_circle(heading, displacement, circle);
        let moved = mask(simd, ready);
        let (desired, wants) = if wanderers.turns {
            seek(point, steered.max_speed.lanes(simd, row))
        } else {
            (plus(velocity, point), moved)
        };
        let requested = force(desired, velocity, splat!(steered.response));
        store_axes(choose(moved & wants, requested, [zero; D]), forces, row);
        let heading = choose(moved, heading, load_axes(simd, wanderers.heading, row));
        store_axes(heading, wanderers.heading, row);
        let displacement = choose(moved, displacement, load_axes(simd, wanderers.displacement, row));
        store_axes(displacement, wanderers.displacement, row);
    }
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
    let other = direction(*vector);
    let mut found = *vector;
    while left != 0 {
        let mut drawn = [[0.0; CLUSTER]; D];
        for (lane, noise) in noise.iter_mut().enumerate().filter(|(lane, _)| left >> lane & 1 == 1) {
            let candidate = noise.any_way::<D>();
            for axis in 0..D {
                drawn[axis][lane] = candidate[axis];
            }
        }
        let candidate = direction(load_axes(simd, &drawn, 0));
        let along = dot(&candidate, &other);
        let across = minus(candidate, times(other, along));
        let taken = dot(&across, &across).gt(Lanes::splat(simd, Noise::ACROSS)).to_bitmask() as u16 & left;
        let (across, takes) = (direction(across), mask(simd, taken));
        for axis in 0..D {
            found[axis] = takes.choose(across[axis], found[axis]);
        }
        left &= !taken;
    }
    found
}
