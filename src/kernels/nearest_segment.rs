//! Offsets from predicted positions to the nearest of many segments, for the agents of a cluster.

use fearless_simd::{Level, Simd, SimdBase, SimdFloat, SimdMask};

use crate::formulas::obstacles::nearest_on_segment;
use crate::kernels::combine::Force;
use crate::kernels::segments::{FirstSegments, Segments};
use crate::kernels::simd::{
    Lanes, Mask, Ordered, Truth, choose, dot, load, load_axes, mask, minus, nearest_image, plus, store, store_axes,
};
use crate::kernels::table::kernels;
use crate::kernels::{Axes, CLUSTER};
use crate::maths::ones;

/// Scratch of the kernel, one entry per segment unless stated otherwise.
#[derive(Clone, Debug)]
pub(crate) struct Measures<const D: usize> {
    /// The squared distance from the centre of the points.
    squared: Vec<f32>,
    /// One bit for each segment, one entry per register: whether its nearest image may differ between agents.
    ambiguous: Vec<u16>,
    /// The offset from the centre of the points to the nearest point of the segment, and to the segment's middle.
    offset: [Vec<f32>; D],
    middle: [Vec<f32>; D],
    /// The reciprocal of the squared half length; zero for very short segments.
    inverse: Vec<f32>,
    /// The segments that may be the nearest, and for each the estimated squared distances of the agents' points.
    listed: Vec<u32>,
    estimates: Vec<f32>,
}

impl<const D: usize> Measures<D> {
    pub(crate) fn new() -> Self {
        let [offset, middle] = [(); 2].map(|()| std::array::from_fn(|_| Vec::new()));
        let [squared, inverse, estimates] = [(); 3].map(|()| Vec::new());
        Self { squared, ambiguous: Vec::new(), offset, middle, inverse, listed: Vec::new(), estimates }
    }

    fn resize(&mut self, padded: usize) {
        self.offset.iter_mut().chain(&mut self.middle).for_each(|column| column.resize(padded, 0.0));
        self.squared.resize(padded, 0.0);
        self.inverse.resize(padded, 0.0);
        self.ambiguous.resize(padded / CLUSTER, 0);
        self.listed.clear();
        self.estimates.clear();
    }
}

/// The agents of one cluster, and the parameters of the rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathFollowers<'a, const D: usize> {
    pub(crate) position: Axes<'a, D>,
    pub(crate) velocity: Axes<'a, D>,
    /// The agents to steer, one bit each. Their predicted positions are within `around` of `centre`, a point of the
    /// world, and at most a quarter of a period ahead.
    pub(crate) active: u16,
    pub(crate) centre: [f32; D],
    pub(crate) around: f32,
    /// The prediction time, in seconds.
    pub(crate) horizon: f32,
    /// The radius of the path, in metres.
    pub(crate) radius: f32,
    pub(crate) period: [f32; D],
}

/// Fills `offsets`, from `row` on, with the offsets to the nearest points of the segments, the first of several at the
/// same distance. Returns one bit for each agent whose predicted position is outside the path.
pub(crate) fn offset_to_path<const D: usize>(
    level: Level,
    followers: &PathFollowers<'_, D>,
    segments: &Segments<D>,
    measures: &mut Measures<D>,
    row: usize,
    offsets: &mut Force<D>,
) -> u16 {
    kernels::<D>().offset_to_path(level, followers, segments, measures, row, offsets)
}

/// Returns the offset to the nearest point of a segment.
#[inline(always)]
fn offset_to_segment<S: Simd, const D: usize>(middle: &[Lanes<S>; D], half: &[Lanes<S>; D]) -> [Lanes<S>; D] {
    nearest_on_segment(minus(*middle, *half), plus(*middle, *half))
}

/// A bound on the nearest segment. It is tighter than the triangle inequality where all segments are on one side of the
/// points.
///
/// Let q be the offset from the centre to segment k, p that to the nearest segment, and e that to one of the points.
/// Segment k lies beyond the plane through q perpendicular to q, so its distance from the point is at least |q| - e
/// q/|q|. The distance of the nearest segment is at most |p| - e p/|p| + e² / (2 (|p| - |e|)). If k is the nearest to
/// the point, then |q| <= |p| + |e| |q/|q| - p/|p|| + e² / (2 (|p| - |e|)).
struct Sides<S: Simd, const D: usize> {
    towards: [Lanes<S>; D],
    least: Lanes<S>,
    around: Lanes<S>,
}

impl<S: Simd, const D: usize> Sides<S, D> {
    #[inline(always)]
    fn new(
        simd: S,
        squared: &[f32],
        offsets: &[Vec<f32>; D],
        ambiguous: &[u16],
        least: f32,
        around: f32,
    ) -> Option<Self> {
        let shortest = least.sqrt();
        if shortest.is_nan() || shortest <= 1.5 * around || shortest > 1e8 {
            return None;
        }
        let unambiguous = |number: &usize| ambiguous[number / CLUSTER] >> (number % CLUSTER) & 1 == 0;
        let is_least = |number: &usize| squared[*number] == least;
        let number = (0..squared.len()).filter(is_least).find(unambiguous)?;
        let mut towards = [Lanes::splat(simd, 0.0); D];
        for axis in 0..D {
            towards[axis] = Lanes::splat(simd, offsets[axis][number] / shortest);
        }
        let bulge = around * around / (2.0 * (shortest - around));
        let least = Lanes::splat(simd, (shortest + bulge) * (1.0 + 1e-4));
        Some(Self { towards, least, around: Lanes::splat(simd, around) })
    }

    #[inline(always)]
    fn may_be_nearest(&self, first: usize, squared: Lanes<S>, offsets: &[Vec<f32>; D]) -> u16 {
        let simd = squared.simd;
        let length = squared.sqrt();
        let scale = Lanes::splat(simd, 1.0) / length;
        let mut apart = Lanes::splat(simd, 0.0);
        for axis in 0..D {
            let difference = load(simd, &offsets[axis], first) * scale - self.towards[axis];
            apart += difference * difference;
        }
        let limit =
            self.least + self.around * (apart.sqrt() * Lanes::splat(simd, 1.0 + 1e-4) + Lanes::splat(simd, 1e-4));
        length.le(limit).to_bitmask() as u16
    }
}

#[inline(always)]
pub(super) fn offset_to_path_lanes<S: Simd, const D: usize>(
    simd: S,
    followers: &PathFollowers<'_, D>,
    segments: &Segments<D>,
    measures: &mut Measures<D>,
    row: usize,
    offsets: &mut Force<D>,
) -> u16 {
    let position = load_axes(simd, &followers.position, 0);
    let mut ahead = load_axes(simd, &followers.velocity, 0);
    for axis in 0..D {
        ahead[axis] *= Lanes::splat(simd, followers.horizon);
    }
    let points = Points::new(simd, followers, segments, &position, &ahead);
    let active = points.perhaps_outside(followers, &segments.first);
    if !active.any_true() {
        return 0;
    }
    measures.resize(segments.start[0].len());
    let least = measure(simd, followers, segments, measures);
    let bound = list_nearest(&points, followers, segments, measures, active, least);
    let infinite = Lanes::splat(simd, f32::INFINITY);
    let (mut nearest, mut numbers, mut nearest_offset) = (infinite, infinite, ahead);
    for (place, &number) in measures.listed.iter().enumerate() {
        let may_be = load(simd, &measures.estimates, place * CLUSTER).le(bound) & active;
        if !may_be.any_true() {
            continue;
        }
        let number = number as usize;
        let (mut middle, mut halves) = (position, position);
        for axis in 0..D {
            halves[axis] = Lanes::splat(simd, segments.half[axis][number]);
            let difference = Lanes::splat(simd, segments.start[axis][number]) - position[axis];
            let from_ahead = nearest_image(difference, followers.period[axis]) + halves[axis] - ahead[axis];
            middle[axis] = nearest_image(from_ahead, followers.period[axis]);
        }
        let mut offset = offset_to_segment(&middle, &halves);
        if measures.ambiguous[number / CLUSTER] >> (number % CLUSTER) & 1 == 1 {
            offset = offset_to_images(simd, &middle, &halves, &offset, &followers.period);
        }
        let distance = dot(&offset, &offset);
        let number = Lanes::splat(simd, number as f32);
        let nearer = distance.lt(nearest) | (distance.equals(nearest) & number.lt(numbers));
        nearest = nearer.choose(distance, nearest);
        numbers = nearer.choose(number, numbers);
        nearest_offset = choose(nearer, offset, nearest_offset);
    }
    store_axes(plus(ahead, nearest_offset), offsets, row);
    let outside = dot(&nearest_offset, &nearest_offset).sqrt().gt(Lanes::splat(simd, followers.radius));
    (outside & active).to_bitmask() as u16
}

/// The points ahead of the agents.
struct Points<S: Simd, const D: usize> {
    /// The offsets from their centre.
    offset: [Lanes<S>; D],
    /// More than rounding can take from two distances.
    rounding: Lanes<S>,
}

impl<S: Simd, const D: usize> Points<S, D> {
    #[inline(always)]
    fn new(
        simd: S,
        followers: &PathFollowers<'_, D>,
        segments: &Segments<D>,
        position: &[Lanes<S>; D],
        ahead: &[Lanes<S>; D],
    ) -> Self {
        let (mut offset, mut extent) = (*position, Lanes::splat(simd, 0.0));
        for axis in 0..D {
            let from_centre = position[axis] - Lanes::splat(simd, followers.centre[axis]) + ahead[axis];
            offset[axis] = nearest_image(from_centre, followers.period[axis]);
            let coordinate = position[axis].abs() + ahead[axis].abs();
            extent = coordinate.gt(extent).choose(coordinate, extent);
        }
        let rounding = (extent + Lanes::splat(simd, segments.extent + followers.around)) * Lanes::splat(simd, 1e-5);
        Self { offset, rounding }
    }

    /// The squared distances to a segment, to within rounding and without a division.
    #[inline(always)]
    fn squared_distance(&self, middle: [f32; D], half: [f32; D], inverse_square: f32) -> Lanes<S> {
        let simd = self.rounding.simd;
        let (mut offset, mut halves) = (self.offset, self.offset);
        for axis in 0..D {
            halves[axis] = Lanes::splat(simd, half[axis]);
            offset[axis] = Lanes::splat(simd, middle[axis]) - self.offset[axis];
        }
        let one = Lanes::splat(simd, 1.0);
        let part = dot(&offset, &halves) * Lanes::splat(simd, inverse_square);
        let part = part.gt(one).choose(one, part);
        let part = part.lt(-one).choose(-one, part);
        for axis in 0..D {
            offset[axis] -= halves[axis] * part;
        }
        dot(&offset, &offset)
    }

    /// The agents that may be too far from the path: those within the radius of one of these segments are not, wherever
    /// the nearest segment is.
    #[inline(always)]
    fn perhaps_outside(&self, followers: &PathFollowers<'_, D>, segments: &FirstSegments<D>) -> Mask<S> {
        let simd = self.rounding.simd;
        let mut middles = [[0.0; CLUSTER]; D];
        let mut halves = self.offset;
        for axis in 0..D {
            halves[axis] = load(simd, &segments.half[axis], 0);
            let middle = middle_from_centre(simd, followers, axis, load(simd, &segments.start[axis], 0), halves[axis]);
            store(middle, &mut middles[axis], 0);
        }
        let mut inverse = [0.0; CLUSTER];
        store(inverse_square(simd, &halves), &mut inverse, 0);
        let within = Lanes::splat(simd, followers.radius) - self.rounding;
        let within = within * within.abs();
        let mut outside = mask(simd, followers.active);
        for number in 0..segments.count {
            let (mut middle, mut half) = ([0.0; D], [0.0; D]);
            for axis in 0..D {
                (middle[axis], half[axis]) = (middles[axis][number], segments.half[axis][number]);
            }
            outside &= !self.squared_distance(middle, half, inverse[number]).le(within);
            // Where the first few are too far from all agents, others will be too.
            let hopeless = number == 3 && outside.to_bitmask() as u16 == followers.active;
            if hopeless || !outside.any_true() {
                break;
            }
        }
        outside
    }
}

/// The offsets on one axis from the centre of the points to the middles of sixteen segments.
#[inline(always)]
fn middle_from_centre<S: Simd, const D: usize>(
    simd: S,
    followers: &PathFollowers<'_, D>,
    axis: usize,
    start: Lanes<S>,
    half: Lanes<S>,
) -> Lanes<S> {
    let (period, difference) = (followers.period[axis], start - Lanes::splat(simd, followers.centre[axis]));
    nearest_image(nearest_image(difference, period) + half, period)
}

/// One over the squares of these lengths; zero where that is not a number.
#[inline(always)]
fn inverse_square<S: Simd, const D: usize>(simd: S, lengths: &[Lanes<S>; D]) -> Lanes<S> {
    let square = dot(lengths, lengths);
    let usable = square.gt(Lanes::splat(simd, 1e-30));
    usable.choose(Lanes::splat(simd, 1.0) / square, Lanes::splat(simd, 0.0))
}

/// Lists the segments that may be the nearest to one of the points of `some` agents, with the squared distance of each
/// agent's point, to within rounding and without a division; zero where the nearest image may differ between agents.
/// Returns the largest of these distances at which a segment may be the nearest to an agent.
#[inline(always)]
fn list_nearest<S: Simd, const D: usize>(
    points: &Points<S, D>,
    followers: &PathFollowers<'_, D>,
    segments: &Segments<D>,
    measures: &mut Measures<D>,
    active: Mask<S>,
    least: f32,
) -> Lanes<S> {
    let (simd, rounding, around) = (points.rounding.simd, points.rounding, followers.around);
    let Measures { squared, ambiguous, offset, middle, inverse, listed, estimates } = measures;
    let sides = Sides::new(simd, squared, offset, ambiguous, least, around);
    let mut best = Lanes::splat(simd, f32::INFINITY);
    // Segments nearest to the middle come first: they exclude most others, which are farther from all agents.
    let shortest = least.sqrt();
    let (mut looked_at, mut reach) = (-1.0, shortest + 0.5 * around);
    for round in 0..2 {
        if round == 1 {
            let limit = active.choose(best.sqrt() + rounding, Lanes::splat(simd, 0.0));
            // bits: a bound only decides which segments are looked at
            let farthest = limit.reduce_max() + around;
            let limit = shortest + 2.0 * around;
            (looked_at, reach) = (reach, if farthest < limit { farthest } else { limit });
        }
        let square = |reach: f32| Lanes::splat(simd, reach * reach.abs() * (1.0 + 1e-4));
        let (from, to) = (square(looked_at), square(reach));
        for first in (0..squared.len()).step_by(CLUSTER) {
            let distance = load(simd, squared, first);
            let mut pending = (distance.gt(from) & distance.le(to)).to_bitmask() as u16;
            if let Some(sides) = sides.as_ref().filter(|_| pending != 0) {
                pending &= ambiguous[first / CLUSTER] | sides.may_be_nearest(first, distance, offset);
            }
            for lane in ones(pending) {
                let number = first + lane;
                let seam = ambiguous[first / CLUSTER] >> lane & 1 == 1;
                listed.push(number as u32);
                if seam {
                    estimates.extend_from_slice(&[0.0; CLUSTER]);
                    continue;
                }
                let (mut to_middle, mut half) = ([0.0; D], [0.0; D]);
                for axis in 0..D {
                    (to_middle[axis], half[axis]) = (middle[axis][number], segments.half[axis][number]);
                }
                let distance = points.squared_distance(to_middle, half, inverse[number]);
                best = distance.lt(best).choose(distance, best);
                let mut distances = [0.0; CLUSTER];
                store(distance, &mut distances, 0);
                estimates.extend_from_slice(&distances);
            }
        }
    }
    let limit = best.sqrt() + rounding;
    limit * limit
}

/// Measures the distance of each segment from the centre of the points, sixteen segments at a time. Returns the
/// smallest squared distance.
#[inline(always)]
fn measure<S: Simd, const D: usize>(
    simd: S,
    followers: &PathFollowers<'_, D>,
    segments: &Segments<D>,
    measures: &mut Measures<D>,
) -> f32 {
    let mut least = Lanes::splat(simd, f32::INFINITY);
    for first in (0..measures.squared.len()).step_by(CLUSTER) {
        let (mut middle, mut halves) = ([least; D], [least; D]);
        let mut unambiguous = least.equals(least);
        for axis in 0..D {
            let period = followers.period[axis];
            halves[axis] = load(simd, &segments.half[axis], first);
            let start = load(simd, &segments.start[axis], first);
            middle[axis] = middle_from_centre(simd, followers, axis, start, halves[axis]);
            let farthest = middle[axis].abs() + halves[axis].abs() + Lanes::splat(simd, followers.around);
            unambiguous &= farthest.lt(Lanes::splat(simd, 0.5 * period * (1.0 - 1e-5)));
        }
        let mut offset = offset_to_segment(&middle, &halves);
        if !unambiguous.all_true() {
            // Another image may be nearer to some of the points.
            for image in 1..1usize << D {
                let other = offset_to_segment(&moved(simd, &middle, image, &followers.period), &halves);
                closer(&other, &mut offset, !unambiguous);
            }
        }
        let distance = dot(&offset, &offset);
        store(inverse_square(simd, &halves), &mut measures.inverse, first);
        measures.ambiguous[first / CLUSTER] = !(unambiguous.to_bitmask() as u16);
        least = distance.lt(least).choose(distance, least);
        store(distance, &mut measures.squared, first);
        store_axes(offset, &mut measures.offset, first);
        store_axes(middle, &mut measures.middle, first);
    }
    // bits: a bound only decides which segments are looked at
    least.reduce_min()
}

/// Returns the shortest of `offset` and the offsets to other images of a segment that extends beyond half of the world.
#[inline(always)]
fn offset_to_images<S: Simd, const D: usize>(
    simd: S,
    middle: &[Lanes<S>; D],
    half: &[Lanes<S>; D],
    offset: &[Lanes<S>; D],
    period: &[f32; D],
) -> [Lanes<S>; D] {
    let mut shortest = *offset;
    for image in 1..1usize << D {
        let mut reaches = mask(simd, u16::MAX);
        for axis in (0..D).filter(|axis| image >> axis & 1 == 1) {
            reaches &= (middle[axis].abs() + half[axis].abs()).gt(Lanes::splat(simd, 0.5 * period[axis]));
        }
        if reaches.any_true() {
            closer(&offset_to_segment(&moved(simd, middle, image, period), half), &mut shortest, reaches);
        }
    }
    shortest
}

/// Returns the middle of another image, shifted by one period on the axes whose bits are set in `image`.
#[inline(always)]
fn moved<S: Simd, const D: usize>(simd: S, middle: &[Lanes<S>; D], image: usize, period: &[f32; D]) -> [Lanes<S>; D] {
    let mut moved = *middle;
    for axis in (0..D).filter(|axis| image >> axis & 1 == 1) {
        let period = Lanes::splat(simd, period[axis]);
        let below = middle[axis].lt(Lanes::splat(simd, 0.0));
        moved[axis] = below.choose(middle[axis] + period, middle[axis] - period);
    }
    moved
}

/// Replaces an offset by another one where that is shorter and `may` is set.
#[inline(always)]
fn closer<S: Simd, const D: usize>(other: &[Lanes<S>; D], offset: &mut [Lanes<S>; D], may: Mask<S>) {
    let closer = may & dot(other, other).lt(dot(offset, offset));
    for axis in 0..D {
        offset[axis] = closer.choose(other[axis], offset[axis]);
    }
}
