//! Obstacle avoidance for the agents of a cluster.

use fearless_simd::{Level, Simd, SimdBase, SimdMask};

use crate::formulas::obstacles::{aside, feel, turned};
use crate::formulas::targets;
use crate::kernels::combine::{Force, QuantitySlice, SteeredRows};
use crate::kernels::discs::{Discs, NearDiscs};
use crate::kernels::simd::{
    Lanes, Ordered, Truth, append, choose, direction, dot, load, load_axes, nearest_image, negative, store_axes, times,
};
use crate::kernels::table::kernels;
use crate::kernels::{Axes, CLUSTER};

/// The agents of one chunk and the parameters of their feelers. Lengths are in metres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feelers<'a, const D: usize> {
    pub(crate) position: Axes<'a, D>,
    pub(crate) steered: SteeredRows<'a, D>,
    /// The radius of their bodies.
    pub(crate) body: QuantitySlice<'a>,
    /// The length of the feelers.
    pub(crate) distance: f32,
    /// The distance to keep from an obstacle.
    pub(crate) buffer: f32,
    /// The share of its speed that an agent next to an obstacle loses.
    pub(crate) braking: f32,
    /// The largest distance of a relevant obstacle's edge from an agent.
    pub(crate) reach: f32,
    pub(crate) period: [f32; D],
}

/// Sets the forces where a disc is in the way, for the cluster in the box with this `centre` and `half` extent. Returns
/// one bit for each agent whose direction the caller must draw. Its force is not valid.
pub(crate) fn avoid_discs<const D: usize>(
    level: Level,
    feelers: &Feelers<'_, D>,
    cluster: usize,
    (centre, half): (&[f32; D], &[f32; D]),
    near: &[NearDiscs<'_, D>; 2],
    force: &mut Force<D>,
) -> u16 {
    kernels::<D>().avoid_discs(level, feelers, cluster, centre, half, near, force)
}

#[inline(always)]
pub(super) fn avoid_discs_lanes<S: Simd, const D: usize>(
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
    let velocity = load_axes(simd, &feelers.steered.velocity, row);
    let agents = Agents {
        position: load_axes(simd, &feelers.position, row),
        velocity,
        heading: direction(velocity),
        body: feelers.body.lanes(simd, row),
    };
    let (zero, least) = (splat!(0.0), splat!(1e-30));
    let longest = splat!(feelers.distance * (1.0 + 1e-5) + 1e-30);
    let (ahead_of_all, aside_of_all, margin) = around_feelers(simd, feelers, &agents.heading, centre, half);
    let mut first_hit =
        FirstHit { distance: splat!(f32::INFINITY), number: zero, offset: agents.position, feeler: agents.heading };
    let mut numbers = [0; (CLUMPS + 1) * CLUSTER];
    for &NearDiscs { discs, clumps } in near {
        let mut seam = discs.outside;
        for axis in 0..D {
            let reach = half[axis] + (feelers.reach + discs.largest) * (1.0 + 1e-4);
            seam |= feelers.period[axis] < f32::INFINITY
                && (centre[axis] - reach < 0.0 || centre[axis] + reach > feelers.period[axis]);
        }
        // A feeler follows the velocity relative to its disc. If discs move, it may point anywhere.
        let (middle, half, reach) = match discs.moves {
            true => (centre, half, feelers.reach),
            false => (&ahead_of_all, &aside_of_all, feelers.reach - feelers.distance + margin),
        };
        for clumps in clumps.chunks(CLUMPS) {
            let mut end = 0;
            for &clump in clumps {
                let first = clump as usize * CLUSTER;
                let mut squared = zero;
                for axis in 0..D {
                    let mut offset = load(simd, &discs.centre[axis], first) - splat!(middle[axis]);
                    if seam {
                        offset = nearest_image(offset, feelers.period[axis]);
                    }
                    let gap = offset.abs() - splat!(half[axis]);
                    // A NaN has to reach the sum.
                    let gap = gap.lt(zero).choose(zero, gap);
                    squared += gap * gap;
                }
                let reach = (load(simd, &discs.radius, first) + splat!(reach)) * splat!(1.0 + 1e-5);
                end = append(simd, first as u32, squared.le(reach * reach), &mut numbers, end);
            }
            let mut hit = 0;
            for place in 0..end {
                let disc = numbers[place] as usize;
                let (offset, along) = agents.feelers(simd, (discs, disc), seam.then_some(&feelers.period));
                // These tests save square roots. Their margins cover the rounding of squares, and squares that
                // underflow, so that no hit is missed.
                let (ahead, from_centre) = (dot(&offset, &along), dot(&offset, &offset));
                let reach = splat!(discs.radius[disc] + feelers.buffer) + agents.body;
                let squared = reach * reach + (from_centre * splat!(1e-5) + least);
                let in_front = ahead.gt(zero) & (ahead - reach).le(longest);
                let in_way = (from_centre - ahead * ahead).le(squared);
                // The number is written in any case: a branch would be unpredictable.
                numbers[hit] = disc as u32;
                hit += usize::from((in_way & (in_front | from_centre.le(squared))).any_true());
            }
            for &disc in &numbers[..hit] {
                let (offset, along) = agents.feelers(simd, (discs, disc as usize), seam.then_some(&feelers.period));
                first_hit.test(simd, feelers, agents.body, (discs, disc as usize), &offset, &along);
            }
        }
    }
    let FirstHit { distance: nearest, offset: offset_to, feeler, .. } = first_hit;
    let hits = nearest.lt(splat!(f32::INFINITY));
    if !hits.any_true() {
        return 0;
    }
    let (towards, head_on) = aside(offset_to, feeler);
    // Agents inside a disc steer straight out.
    let (inside, outside) = (hits & nearest.lt(zero), hits & nearest.ge(zero));
    let centred = dot(&offset_to, &offset_to).le(zero);
    let left_out = (inside & centred) | (outside & head_on);
    let (inwards, closeness) = (direction(offset_to), splat!(1.0) - nearest / splat!(feelers.distance));
    let brakes = dot(&offset_to, &velocity).gt(zero);
    let max_speed = feelers.steered.max_speed.lanes(simd, row);
    let round = turned(velocity, negative(towards), brakes, (max_speed, closeness, feelers.braking));
    let desired = choose(inside, times(negative(inwards), max_speed), round);
    let requested = targets::force(desired, velocity, splat!(feelers.steered.response));
    store_axes(choose(hits, requested, [zero; D]), force, row);
    left_out.to_bitmask() as u16
}

/// The agents of a cluster in lanes.
struct Agents<S: Simd, const D: usize> {
    position: [Lanes<S>; D],
    velocity: [Lanes<S>; D],
    heading: [Lanes<S>; D],
    body: Lanes<S>,
}

impl<S: Simd, const D: usize> Agents<S, D> {
    /// Returns the offsets to a disc, to its nearest image if the world has a `period`, and the directions of the
    /// feelers, which are the directions of the velocities relative to it.
    #[inline(always)]
    fn feelers(
        &self,
        simd: S,
        (discs, disc): (&Discs<D>, usize),
        period: Option<&[f32; D]>,
    ) -> ([Lanes<S>; D], [Lanes<S>; D]) {
        let (mut offset, mut along) = (self.position, self.velocity);
        for axis in 0..D {
            offset[axis] = Lanes::splat(simd, discs.centre[axis][disc]) - self.position[axis];
            if let Some(period) = period {
                offset[axis] = nearest_image(offset[axis], period[axis]);
            }
        }
        if !discs.moves {
            return (offset, self.heading);
        }
        for axis in 0..D {
            along[axis] -= Lanes::splat(simd, discs.velocity[axis][disc]);
        }
        (offset, direction(along))
    }
}

/// The number of clumps whose discs are listed at a time.
const CLUMPS: usize = 16;

/// Returns the centre and half extent of the box around all feelers of agents in the box with this `centre` and `half`
/// extent, and the largest rounding error of a distance from it.
#[inline(always)]
fn around_feelers<S: Simd, const D: usize>(
    simd: S,
    feelers: &Feelers<'_, D>,
    heading: &[Lanes<S>; D],
    centre: &[f32; D],
    half: &[f32; D],
) -> ([f32; D], [f32; D], f32) {
    let zero = Lanes::splat(simd, 0.0);
    let (mut middle, mut extent, mut margin) = (*centre, *half, 1e-5 * feelers.reach);
    for axis in 0..D {
        let (back, forth) = (heading[axis].lt(zero), heading[axis].gt(zero));
        // bits: a bound only decides which discs are looked at
        let low = back.choose(heading[axis], zero).reduce_min() * feelers.distance;
        let high = forth.choose(heading[axis], zero).reduce_max() * feelers.distance; // bits: the same
        middle[axis] += 0.5 * (low + high);
        extent[axis] += 0.5 * (high - low);
        // The middle may be outside the world. A single step to the nearest image does not cover one period more.
        if middle[axis] < 0.0 && feelers.period[axis] < f32::INFINITY {
            middle[axis] += feelers.period[axis];
        } else if middle[axis] > feelers.period[axis] {
            middle[axis] -= feelers.period[axis];
        }
        margin += 1e-6 * (centre[axis].abs() + extent[axis]);
    }
    (middle, extent, margin)
}

/// The first disc that each agent's feeler hits: the distance along the feeler, the disc's number, the offset to it,
/// and the direction of the feeler.
struct FirstHit<S: Simd, const D: usize> {
    distance: Lanes<S>,
    number: Lanes<S>,
    offset: [Lanes<S>; D],
    feeler: [Lanes<S>; D],
}

impl<S: Simd, const D: usize> FirstHit<S, D> {
    /// Tests a disc at this `offset`, with feelers `along` these directions.
    #[inline(always)]
    fn test(
        &mut self,
        simd: S,
        feelers: &Feelers<'_, D>,
        body: Lanes<S>,
        (discs, disc): (&Discs<D>, usize),
        offset: &[Lanes<S>; D],
        along: &[Lanes<S>; D],
    ) {
        let touching = Lanes::splat(simd, discs.radius[disc]) + body;
        let (met, distance) = feel(*offset, *along, touching, [feelers.distance, feelers.buffer]);
        let number = Lanes::splat(simd, discs.number[disc]);
        let first = distance.lt(self.distance) | (distance.equals(self.distance) & number.lt(self.number));
        let hits = met & first;
        self.distance = hits.choose(distance, self.distance);
        self.number = hits.choose(number, self.number);
        for axis in 0..D {
            self.offset[axis] = hits.choose(offset[axis], self.offset[axis]);
            self.feeler[axis] = hits.choose(along[axis], self.feeler[axis]);
        }
    }
}
