//! The nearest hiding place behind discs or balls, for the agents of a cluster.

use fearless_simd::{Level, Simd, SimdBase, SimdFloat, SimdMask};

use crate::kernels::discs::NearDiscs;
use crate::kernels::simd::{Lanes, Ordered, Truth, choose, dot, load, load_axes, nearest_image, store, store_axes};
use crate::kernels::table::kernels;
use crate::kernels::{Axes, CLUSTER};
use crate::maths::ones;

/// The agents of one cluster, and the parameters of the rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HidingAgents<'a, const D: usize> {
    pub(crate) position: Axes<'a, D>,
    /// The offset from each agent to its hunter.
    pub(crate) hunter: Axes<'a, D>,
    /// The distance of a hiding place from the obstacle's surface, in metres.
    pub(crate) behind: f32,
    /// All agents are within `around` of `centre`, a point of the world.
    pub(crate) centre: [f32; D],
    pub(crate) around: f32,
    pub(crate) period: [f32; D],
}

/// The nearest hiding place of each agent of a cluster.
#[derive(Clone, Debug)]
pub(crate) struct HidingPlaces<const D: usize> {
    pub(crate) offset: [[f32; CLUSTER]; D],
    /// The squared length of the offset; infinite if there is none.
    pub(crate) squared: [f32; CLUSTER],
    /// No untested place is nearer than this.
    pub(crate) complete: f32,
    /// The distances of obstacles from the centre of the agents: scratch of the kernel.
    distance: Vec<f32>,
}

impl<const D: usize> HidingPlaces<D> {
    pub(crate) fn new() -> Self {
        Self { offset: [[0.0; CLUSTER]; D], squared: [f32::INFINITY; CLUSTER], complete: 0.0, distance: Vec::new() }
    }
}

/// Finds the nearest hiding place behind the obstacles in `near`, the first of several at the same distance. `near`
/// includes the obstacles of all places nearer than `complete`.
pub(crate) fn nearest_places<const D: usize>(
    level: Level,
    agents: &HidingAgents<'_, D>,
    near: &[NearDiscs<'_, D>; 2],
    complete: f32,
    places: &mut HidingPlaces<D>,
) {
    kernels::<D>().nearest_places(level, agents, near, complete, places);
}

#[inline(always)]
pub(super) fn nearest_places_lanes<S: Simd, const D: usize>(
    simd: S,
    agents: &HidingAgents<'_, D>,
    near: &[NearDiscs<'_, D>; 2],
    complete: f32,
    places: &mut HidingPlaces<D>,
) {
    let (infinite, behind) = (Lanes::splat(simd, f32::INFINITY), Lanes::splat(simd, agents.behind));
    // First the distances of obstacles from the centre of the agents, sixteen at a time. The smallest distance of a
    // place bounds the search.
    let mut farthest = infinite;
    places.distance.clear();
    for &NearDiscs { discs, clumps } in near {
        for &clump in clumps {
            let first = clump as usize * CLUSTER;
            let mut offset = [infinite; D];
            for axis in 0..D {
                let difference = load(simd, &discs.centre[axis], first) - Lanes::splat(simd, agents.centre[axis]);
                offset[axis] = nearest_image(difference, agents.period[axis]);
            }
            let far = dot(&offset, &offset).sqrt();
            let place = far + load(simd, &discs.radius, first) + behind;
            farthest = place.lt(farthest).choose(place, farthest);
            let mut distances = [0.0; CLUSTER];
            store(far, &mut distances, 0);
            places.distance.extend_from_slice(&distances);
        }
    }
    // bits: a bound only decides which places are looked at
    let bound = farthest.reduce_min() + agents.around;
    let bound = if bound < complete { bound } else { complete };
    places.complete = bound * (1.0 - 1e-5);
    let bound = Lanes::splat(simd, (bound + agents.around) * (1.0 + 1e-5));
    let position = load_axes(simd, &agents.position, 0);
    let hunter = load_axes(simd, &agents.hunter, 0);
    let (mut nearest, mut number, mut place) = (infinite, infinite, position);
    let mut measured = 0;
    for &NearDiscs { discs, clumps } in near {
        for &clump in clumps {
            let first = clump as usize * CLUSTER;
            let least = load(simd, &places.distance, measured) - load(simd, &discs.radius, first) - behind;
            measured += CLUSTER;
            for lane in ones(least.le(bound).to_bitmask() as u16) {
                let disc = first + lane;
                let (radius, own) = (Lanes::splat(simd, discs.radius[disc]), Lanes::splat(simd, discs.number[disc]));
                let (mut offset, mut away) = (position, position);
                for axis in 0..D {
                    let period = agents.period[axis];
                    let difference = Lanes::splat(simd, discs.centre[axis][disc]) - position[axis];
                    offset[axis] = nearest_image(difference, period);
                    let from_hunter = nearest_image(offset[axis] - hunter[axis], period);
                    // The image of the hunter that is nearest to the obstacle.
                    away[axis] = offset[axis] - (offset[axis] - from_hunter);
                }
                let squared = dot(&away, &away);
                let scale = Lanes::splat(simd, 1.0) / squared.sqrt();
                let scale = squared.gt(Lanes::splat(simd, 0.0)).choose(scale, Lanes::splat(simd, 0.0));
                for axis in 0..D {
                    offset[axis] += away[axis] * scale * (radius + behind);
                }
                let distance = dot(&offset, &offset);
                let nearer = distance.lt(nearest) | (distance.equals(nearest) & own.lt(number));
                let nearer = squared.sqrt().gt(radius) & nearer;
                nearest = nearer.choose(distance, nearest);
                number = nearer.choose(own, number);
                place = choose(nearer, offset, place);
            }
        }
    }
    store(nearest, &mut places.squared, 0);
    store_axes(place, &mut places.offset, 0);
}
