//! The nearest of many segments to points ahead of sixteen agents.

use fearless_simd::{Level, Select, Simd, SimdBase, SimdFloat, SimdMask};

use super::simd::{Lanes, dot, load, load_axes, nearest_image, store};
use super::table::kernels;
use super::{Axes, CLUSTER};

/// Segments as columns, padded to whole registers with segments that are nowhere.
#[derive(Clone, Debug)]
pub(crate) struct Segments<const D: usize> {
    start: [Vec<f32>; D],
    /// Half of the way from start to end.
    half: [Vec<f32>; D],
    /// How many there are.
    pub(crate) len: usize,
    /// The squared distances from the middle of the points, while the kernel runs.
    squared: Vec<f32>,
    /// Sixteen bits for each register, meanwhile: whether the nearest image may differ between agents.
    over: Vec<u16>,
    /// The ways from the middle of the points, meanwhile.
    way: [Vec<f32>; D],
}

impl<const D: usize> Segments<D> {
    /// Segments with these starts, and half of the ways to their ends, in a world that repeats every `period`.
    pub(crate) fn new(segments: impl ExactSizeIterator<Item = ([f32; D], [f32; D])>, period: &[f32; D]) -> Self {
        let len = segments.len();
        let padded = len.next_multiple_of(CLUSTER);
        let [mut start, mut half] = [(); 2].map(|()| std::array::from_fn(|_| vec![f32::NAN; padded]));
        for (place, (from, way)) in segments.enumerate() {
            for axis in 0..D {
                // More than half a period outside of the world, the offset takes more than one step: the kernel leaves
                // such a segment over.
                let far = (from[axis] - 0.5 * period[axis]).abs() > period[axis];
                half[axis][place] = if far { f32::INFINITY } else { way[axis] };
                start[axis][place] = from[axis];
            }
        }
        Self {
            start,
            half,
            len,
            squared: vec![0.0; padded],
            over: vec![0; padded / CLUSTER],
            way: std::array::from_fn(|_| vec![0.0; padded]),
        }
    }
}

/// The agents of one chunk and how far ahead they look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lookers<'a, const D: usize> {
    pub(crate) position: Axes<'a, D>,
    pub(crate) velocity: Axes<'a, D>,
    /// How far ahead, in seconds.
    pub(crate) horizon: f32,
    pub(crate) period: [f32; D],
}

/// The way from the point ahead of each agent of a cluster to the nearest segment.
#[derive(Clone, Debug)]
pub(crate) struct Ways<const D: usize> {
    pub(crate) way: [[f32; CLUSTER]; D],
    /// The number of the segment, the first one where several are as near; no number where there is none.
    pub(crate) number: [f32; CLUSTER],
    /// Segments whose nearest image is not the same for all of the cluster's agents: they were left out.
    pub(crate) rest: Vec<u32>,
}

impl<const D: usize> Ways<D> {
    pub(crate) fn new() -> Self {
        Self { way: [[0.0; CLUSTER]; D], number: [f32::NAN; CLUSTER], rest: Vec::new() }
    }
}

/// Finds the nearest segments. The points ahead of the cluster's agents are within `around` of `centre`, a point of the
/// world, and no more than a quarter of a period ahead; where that is not so, `around` must be infinite, and all
/// segments are left over.
pub(crate) fn nearest_segments<const D: usize>(
    level: Level,
    lookers: &Lookers<'_, D>,
    cluster: usize,
    (centre, around): (&[f32; D], f32),
    segments: &mut Segments<D>,
    ways: &mut Ways<D>,
) {
    kernels::<D>().nearest_segments(level, lookers, cluster, centre, around, segments, ways);
}

/// The way to the nearest point of a segment, by the operations of
/// [`nearest_on_segment`](crate::steering::nearest_on_segment).
#[inline(always)]
fn way_to<S: Simd, const D: usize>(simd: S, middle: &[Lanes<S>; D], half: &[Lanes<S>; D]) -> [Lanes<S>; D] {
    let (mut start, mut end, mut along) = (*middle, *middle, *middle);
    for axis in 0..D {
        start[axis] = middle[axis] - half[axis];
        end[axis] = middle[axis] + half[axis];
        along[axis] = end[axis] - start[axis];
    }
    let zero = Lanes::splat(simd, 0.0);
    let part = (-dot(&start, &along)) / dot(&along, &along);
    let (past, between) = (part.simd_ge(Lanes::splat(simd, 1.0)), part.simd_gt(zero));
    let mut way = start;
    for axis in 0..D {
        way[axis] = past.select(end[axis], between.select(start[axis] + along[axis] * part, start[axis]));
    }
    way
}

/// A bound that is closer than that of the triangle inequality where the points are on one side of all segments.
///
/// With q the way from the middle to segment k, p that to the nearest one and e that to one of the points: k lies beyond
/// the plane through q at right angles to it, so it is no nearer to the point than |q| - e q/|q|. The nearest one is no
/// further than |p| - e p/|p| + e² / (2 (|p| - |e|)). So |q| <= |p| + |e| |q/|q| - p/|p|| + e² / (2 (|p| - |e|)) must
/// hold.
struct Sides<S: Simd, const D: usize> {
    towards: [Lanes<S>; D],
    least: Lanes<S>,
    around: Lanes<S>,
}

impl<S: Simd, const D: usize> Sides<S, D> {
    #[inline(always)]
    fn new(simd: S, squared: &[f32], ways: &[Vec<f32>; D], over: &[u16], least: f32, around: f32) -> Option<Self> {
        let shortest = least.sqrt();
        if shortest.is_nan() || shortest <= 1.5 * around || shortest > 1e8 {
            return None;
        }
        let plain = |number: &usize| over[number / CLUSTER] >> (number % CLUSTER) & 1 == 0;
        let is_least = |number: &usize| squared[*number] == least;
        let number = (0..squared.len()).filter(is_least).find(plain)?;
        let mut towards = [Lanes::splat(simd, 0.0); D];
        for axis in 0..D {
            towards[axis] = Lanes::splat(simd, ways[axis][number] / shortest);
        }
        let bulge = around * around / (2.0 * (shortest - around));
        let least = Lanes::splat(simd, (shortest + bulge) * (1.0 + 1e-4));
        Some(Self { towards, least, around: Lanes::splat(simd, around) })
    }

    #[inline(always)]
    fn may_be_nearest(&self, first: usize, squared: Lanes<S>, ways: &[Vec<f32>; D]) -> u16 {
        let simd = squared.simd;
        let length = squared.sqrt();
        let scale = Lanes::splat(simd, 1.0) / length;
        let mut apart = Lanes::splat(simd, 0.0);
        for axis in 0..D {
            let difference = load(simd, &ways[axis], first) * scale - self.towards[axis];
            apart += difference * difference;
        }
        let most =
            self.least + self.around * (apart.sqrt() * Lanes::splat(simd, 1.0 + 1e-4) + Lanes::splat(simd, 1e-4));
        length.simd_le(most).to_bitmask() as u16
    }
}

#[inline(always)]
pub(super) fn nearest_segments_lanes<S: Simd, const D: usize>(
    simd: S,
    lookers: &Lookers<'_, D>,
    cluster: usize,
    centre: &[f32; D],
    around: f32,
    segments: &mut Segments<D>,
    ways: &mut Ways<D>,
) {
    let Segments { start, half, len, squared, over, way: ways_from_middle } = segments;
    ways.rest.clear();
    // How far each segment is from the middle of the points, sixteen segments at a time.
    let mut least = Lanes::splat(simd, f32::INFINITY);
    for first in (0..*len).step_by(CLUSTER) {
        let (mut middle, mut halves) = ([least; D], [least; D]);
        let mut plain = least.simd_eq(least);
        for axis in 0..D {
            let period = lookers.period[axis];
            halves[axis] = load(simd, &half[axis], first);
            let difference = load(simd, &start[axis], first) - Lanes::splat(simd, centre[axis]);
            middle[axis] = nearest_image(simd, nearest_image(simd, difference, period) + halves[axis], period);
            let farthest = middle[axis].abs() + halves[axis].abs() + Lanes::splat(simd, around);
            plain &= farthest.simd_lt(Lanes::splat(simd, 0.5 * period * (1.0 - 1e-5)));
        }
        let way = way_to(simd, &middle, &halves);
        let mut distance = dot(&way, &way);
        if !plain.all_true() {
            // The other images that may be nearer to some of the points.
            for image in 1..1usize << D {
                let mut moved = middle;
                for axis in (0..D).filter(|axis| image >> axis & 1 == 1) {
                    let period = Lanes::splat(simd, lookers.period[axis]);
                    moved[axis] = middle[axis]
                        .simd_lt(Lanes::splat(simd, 0.0))
                        .select(middle[axis] + period, middle[axis] - period);
                }
                let way = way_to(simd, &moved, &halves);
                let squared = dot(&way, &way);
                distance = squared.simd_lt(distance).select(squared, distance);
            }
            // What is not a number may be anywhere.
            distance = distance.simd_eq(distance).select(distance, Lanes::splat(simd, 0.0));
        }
        over[first / CLUSTER] = !(plain.to_bitmask() as u16);
        least = (plain & distance.simd_lt(least)).select(distance, least);
        store(distance, squared, first);
        for axis in 0..D {
            store(way[axis], &mut ways_from_middle[axis], first);
        }
    }
    // bits: a bound only decides which segments are looked at
    let least = least.reduce_min();
    let reach = least.sqrt() + 2.0 * around;
    let bound = Lanes::splat(simd, reach * reach * (1.0 + 1e-4));
    let sides = Sides::new(simd, squared, ways_from_middle, over, least, around);
    let position = load_axes(simd, &lookers.position, cluster * CLUSTER);
    let mut ahead = load_axes(simd, &lookers.velocity, cluster * CLUSTER);
    for axis in 0..D {
        ahead[axis] *= Lanes::splat(simd, lookers.horizon);
    }
    let mut nearest = Lanes::splat(simd, f32::INFINITY);
    let (mut nearest_way, mut numbers) = (ahead, Lanes::splat(simd, f32::NAN));
    for first in (0..*len).step_by(CLUSTER) {
        let distance = load(simd, squared, first);
        let mut near = distance.simd_le(bound).to_bitmask() as u16;
        let mut left_over = near & over[first / CLUSTER];
        while left_over != 0 {
            let number = first + left_over.trailing_zeros() as usize;
            left_over &= left_over - 1;
            if number < *len {
                ways.rest.push(number as u32);
            }
        }
        near &= !over[first / CLUSTER];
        if let Some(sides) = &sides {
            near &= sides.may_be_nearest(first, distance, ways_from_middle);
        }
        while near != 0 {
            let number = first + near.trailing_zeros() as usize;
            near &= near - 1;
            let (mut middle, mut halves) = (position, position);
            for axis in 0..D {
                halves[axis] = Lanes::splat(simd, half[axis][number]);
                let difference = Lanes::splat(simd, start[axis][number]) - position[axis];
                let from_ahead = nearest_image(simd, difference, lookers.period[axis]) + halves[axis] - ahead[axis];
                middle[axis] = nearest_image(simd, from_ahead, lookers.period[axis]);
            }
            let way = way_to(simd, &middle, &halves);
            let distance = dot(&way, &way);
            let nearer = distance.simd_lt(nearest);
            nearest = nearer.select(distance, nearest);
            numbers = nearer.select(Lanes::splat(simd, number as f32), numbers);
            for axis in 0..D {
                nearest_way[axis] = nearer.select(way[axis], nearest_way[axis]);
            }
        }
    }
    store(numbers, &mut ways.number, 0);
    for axis in 0..D {
        store(nearest_way[axis], &mut ways.way[axis], 0);
    }
}
