//! Offsets to the nearest of many segments from points ahead of sixteen agents.

use fearless_simd::{Level, Select, Simd, SimdBase, SimdFloat, SimdMask};

use crate::kernels::combine::Force;
use crate::kernels::simd::{Lanes, Mask, dot, load, load_axes, mask, nearest_image, store};
use crate::kernels::table::kernels;
use crate::kernels::{Axes, CLUSTER};

/// Segments as columns, padded to whole registers with segments that are nowhere.
#[derive(Clone, Debug)]
pub(crate) struct Segments<const D: usize> {
    start: [Vec<f32>; D],
    /// Half of the way from start to end.
    half: [Vec<f32>; D],
    /// Whether a start is more than half a period outside of the world: the offset takes more than the one step of a
    /// kernel then.
    pub(crate) far_outside: bool,
    /// The largest coordinate or half of a way.
    extent: f32,
}

impl<const D: usize> Segments<D> {
    /// Segments with these starts, and half of the ways to their ends, in a world that repeats every `period`.
    pub(crate) fn new(segments: impl Iterator<Item = ([f32; D], [f32; D])>, period: &[f32; D]) -> Self {
        let [mut start, mut half] = [(); 2].map(|()| std::array::from_fn(|_| Vec::new()));
        let (mut far_outside, mut extent) = (false, 0.0);
        for (from, way) in segments {
            for axis in 0..D {
                for length in [from[axis].abs(), way[axis].abs()] {
                    extent = if length > extent { length } else { extent };
                }
                far_outside |= (from[axis] - 0.5 * period[axis]).abs() > period[axis];
                start[axis].push(from[axis]);
                half[axis].push(way[axis]);
            }
        }
        for column in start.iter_mut().chain(&mut half) {
            column.resize(column.len().next_multiple_of(CLUSTER), f32::NAN);
        }
        Self { start, half, far_outside, extent }
    }
}

/// Intermediate results of a kernel about segments, register by register.
#[derive(Clone, Debug)]
pub(crate) struct Measures<const D: usize> {
    /// The squared distances from the middle of the points.
    squared: Vec<f32>,
    /// Sixteen bits for each register: whether the nearest image may differ between agents.
    over: Vec<u16>,
    /// The ways from the middle of the points: to the nearest point of each segment, and to its middle.
    way: [Vec<f32>; D],
    middle: [Vec<f32>; D],
    /// One over the squares of half of the lengths; zero where that is not a number.
    inverse: Vec<f32>,
    /// The segments that may be the nearest ones, and for each the squared distances of the agents from about there.
    listed: Vec<u32>,
    about: Vec<f32>,
}

impl<const D: usize> Measures<D> {
    /// Creates empty results.
    pub(crate) fn new() -> Self {
        let [way, middle] = [(); 2].map(|()| std::array::from_fn(|_| Vec::new()));
        let [squared, inverse, about] = [(); 3].map(|()| Vec::new());
        Self { squared, over: Vec::new(), way, middle, inverse, listed: Vec::new(), about }
    }

    fn resize(&mut self, padded: usize) {
        self.way.iter_mut().chain(&mut self.middle).for_each(|column| column.resize(padded, 0.0));
        self.squared.resize(padded, 0.0);
        self.inverse.resize(padded, 0.0);
        self.over.resize(padded / CLUSTER, 0);
        self.listed.clear();
        self.about.clear();
    }
}

/// The agents of one cluster, and how they stay near a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathFollowers<'a, const D: usize> {
    pub(crate) position: Axes<'a, D>,
    pub(crate) velocity: Axes<'a, D>,
    /// The agents that count, one bit each. The points ahead of them are within `around` of `centre`, a point of the
    /// world, and no more than a quarter of a period ahead.
    pub(crate) some: u16,
    pub(crate) centre: [f32; D],
    pub(crate) around: f32,
    /// How far ahead they look, in seconds.
    pub(crate) horizon: f32,
    /// How far from the path they may be.
    pub(crate) radius: f32,
    pub(crate) period: [f32; D],
}

/// Fills `back`, from `row` on, with the offsets to the nearest points of the segments, of the first one where several
/// are as near. Returns the agents that will be too far from there, one bit each.
pub(crate) fn way_back<const D: usize>(
    level: Level,
    lookers: &PathFollowers<'_, D>,
    segments: &Segments<D>,
    measures: &mut Measures<D>,
    row: usize,
    back: &mut Force<D>,
) -> u16 {
    kernels::<D>().way_back(level, lookers, segments, measures, row, back)
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
/// With q the way from the middle to segment k, p that to the nearest one and e that to one of the points: k lies
/// beyond the plane through q at right angles to it, so it is not nearer to the point than |q| - e q/|q|. The nearest
/// one is within |p| - e p/|p| + e² / (2 (|p| - |e|)). So |q| <= |p| + |e| |q/|q| - p/|p|| + e² / (2 (|p| -
/// |e|)) must hold.
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
pub(super) fn way_back_lanes<S: Simd, const D: usize>(
    simd: S,
    lookers: &PathFollowers<'_, D>,
    segments: &Segments<D>,
    measures: &mut Measures<D>,
    row: usize,
    back: &mut Force<D>,
) -> u16 {
    measures.resize(segments.start[0].len());
    let least = measure(simd, lookers, segments, measures);
    let (infinite, some) = (Lanes::splat(simd, f32::INFINITY), mask(simd, lookers.some));
    let position = load_axes(simd, &lookers.position, 0);
    let mut ahead = load_axes(simd, &lookers.velocity, 0);
    for axis in 0..D {
        ahead[axis] *= Lanes::splat(simd, lookers.horizon);
    }
    let bound = list_nearest(simd, lookers, segments, measures, &position, &ahead, least);
    let (mut nearest, mut numbers, mut nearest_way) = (infinite, infinite, ahead);
    for (place, &number) in measures.listed.iter().enumerate() {
        let may_be = load(simd, &measures.about, place * CLUSTER).simd_le(bound) & some;
        if !may_be.any_true() {
            continue;
        }
        let number = number as usize;
        let (mut middle, mut halves) = (position, position);
        for axis in 0..D {
            halves[axis] = Lanes::splat(simd, segments.half[axis][number]);
            let difference = Lanes::splat(simd, segments.start[axis][number]) - position[axis];
            let from_ahead = nearest_image(simd, difference, lookers.period[axis]) + halves[axis] - ahead[axis];
            middle[axis] = nearest_image(simd, from_ahead, lookers.period[axis]);
        }
        let mut way = way_to(simd, &middle, &halves);
        if measures.over[number / CLUSTER] >> (number % CLUSTER) & 1 == 1 {
            way = way_of_images(simd, &middle, &halves, &way, &lookers.period);
        }
        let distance = dot(&way, &way);
        let number = Lanes::splat(simd, number as f32);
        let nearer = distance.simd_lt(nearest) | (distance.simd_eq(nearest) & number.simd_lt(numbers));
        nearest = nearer.select(distance, nearest);
        numbers = nearer.select(number, numbers);
        for axis in 0..D {
            nearest_way[axis] = nearer.select(way[axis], nearest_way[axis]);
        }
    }
    for axis in 0..D {
        store(ahead[axis] + nearest_way[axis], &mut back[axis], row);
    }
    let outside = dot(&nearest_way, &nearest_way).sqrt().simd_gt(Lanes::splat(simd, lookers.radius));
    outside.to_bitmask() as u16 & lookers.some
}

/// Lists the segments that may be the nearest to one of the points, with the squared distance of each agent's point, to
/// within rounding and without a division; zero where the nearest image may differ between agents. Returns the
/// largest of these distances at which a segment may be the nearest to an agent.
#[inline(always)]
fn list_nearest<S: Simd, const D: usize>(
    simd: S,
    lookers: &PathFollowers<'_, D>,
    segments: &Segments<D>,
    measures: &mut Measures<D>,
    position: &[Lanes<S>; D],
    ahead: &[Lanes<S>; D],
    least: f32,
) -> Lanes<S> {
    let around = lookers.around;
    let Measures { squared, over, way, middle, inverse, listed, about } = measures;
    let sides = Sides::new(simd, squared, way, over, least, around);
    let (zero, one, some) = (Lanes::splat(simd, 0.0), Lanes::splat(simd, 1.0), mask(simd, lookers.some));
    let (mut point, mut best, mut extent) = (*position, Lanes::splat(simd, f32::INFINITY), zero);
    for axis in 0..D {
        let from_centre = position[axis] - Lanes::splat(simd, lookers.centre[axis]) + ahead[axis];
        point[axis] = nearest_image(simd, from_centre, lookers.period[axis]);
        let coordinate = position[axis].abs() + ahead[axis].abs();
        extent = coordinate.simd_gt(extent).select(coordinate, extent);
    }
    // More than rounding can take from two distances.
    let rounding = (extent + Lanes::splat(simd, segments.extent + around)) * Lanes::splat(simd, 1e-5);
    // Those that are nearest to the middle come first: what they leave is nearer to all agents than most others are.
    let shortest = least.sqrt();
    let (mut looked_at, mut reach) = (-1.0, shortest + 0.5 * around);
    for round in 0..2 {
        if round == 1 {
            let most = some.select(best.sqrt() + rounding, zero);
            // bits: a bound only decides which segments are looked at
            let farthest = most.reduce_max() + around;
            let most = shortest + 2.0 * around;
            (looked_at, reach) = (reach, if farthest < most { farthest } else { most });
        }
        let square = |reach: f32| Lanes::splat(simd, reach * reach.abs() * (1.0 + 1e-4));
        let (from, to) = (square(looked_at), square(reach));
        for first in (0..squared.len()).step_by(CLUSTER) {
            let distance = load(simd, squared, first);
            let mut now = (distance.simd_gt(from) & distance.simd_le(to)).to_bitmask() as u16;
            if let Some(sides) = sides.as_ref().filter(|_| now != 0) {
                now &= over[first / CLUSTER] | sides.may_be_nearest(first, distance, way);
            }
            while now != 0 {
                let number = first + now.trailing_zeros() as usize;
                let seam = over[first / CLUSTER] >> (number - first) & 1 == 1;
                now &= now - 1;
                listed.push(number as u32);
                if seam {
                    about.extend_from_slice(&[0.0; CLUSTER]);
                    continue;
                }
                let (mut way, mut half) = (point, point);
                for axis in 0..D {
                    half[axis] = Lanes::splat(simd, segments.half[axis][number]);
                    way[axis] = Lanes::splat(simd, middle[axis][number]) - point[axis];
                }
                let part = dot(&way, &half) * Lanes::splat(simd, inverse[number]);
                let part = part.simd_gt(one).select(one, part);
                let part = part.simd_lt(-one).select(-one, part);
                for axis in 0..D {
                    way[axis] -= half[axis] * part;
                }
                let distance = dot(&way, &way);
                best = distance.simd_lt(best).select(distance, best);
                let mut distances = [0.0; CLUSTER];
                store(distance, &mut distances, 0);
                about.extend_from_slice(&distances);
            }
        }
    }
    let most = best.sqrt() + rounding;
    most * most
}

/// Measures how far each segment is from the middle of the points, sixteen segments at a time. Returns the least
/// square.
#[inline(always)]
fn measure<S: Simd, const D: usize>(
    simd: S,
    lookers: &PathFollowers<'_, D>,
    segments: &Segments<D>,
    measures: &mut Measures<D>,
) -> f32 {
    let mut least = Lanes::splat(simd, f32::INFINITY);
    for first in (0..measures.squared.len()).step_by(CLUSTER) {
        let (mut middle, mut halves) = ([least; D], [least; D]);
        let mut plain = least.simd_eq(least);
        for axis in 0..D {
            let period = lookers.period[axis];
            halves[axis] = load(simd, &segments.half[axis], first);
            let difference = load(simd, &segments.start[axis], first) - Lanes::splat(simd, lookers.centre[axis]);
            middle[axis] = nearest_image(simd, nearest_image(simd, difference, period) + halves[axis], period);
            let farthest = middle[axis].abs() + halves[axis].abs() + Lanes::splat(simd, lookers.around);
            plain &= farthest.simd_lt(Lanes::splat(simd, 0.5 * period * (1.0 - 1e-5)));
        }
        let mut way = way_to(simd, &middle, &halves);
        if !plain.all_true() {
            // The other images that may be nearer to some of the points.
            for image in 1..1usize << D {
                let other = way_to(simd, &moved(simd, &middle, image, &lookers.period), &halves);
                closer(&other, &mut way, !plain);
            }
        }
        let distance = dot(&way, &way);
        let square = dot(&halves, &halves);
        let usable = square.simd_gt(Lanes::splat(simd, 1e-30));
        let inverse = usable.select(Lanes::splat(simd, 1.0) / square, Lanes::splat(simd, 0.0));
        store(inverse, &mut measures.inverse, first);
        measures.over[first / CLUSTER] = !(plain.to_bitmask() as u16);
        least = distance.simd_lt(least).select(distance, least);
        store(distance, &mut measures.squared, first);
        for axis in 0..D {
            store(way[axis], &mut measures.way[axis], first);
            store(middle[axis], &mut measures.middle[axis], first);
        }
    }
    // bits: a bound only decides which segments are looked at
    least.reduce_min()
}

/// The shortest of a way and those to other images of a segment that reaches further than half of the world.
#[inline(always)]
fn way_of_images<S: Simd, const D: usize>(
    simd: S,
    middle: &[Lanes<S>; D],
    half: &[Lanes<S>; D],
    way: &[Lanes<S>; D],
    period: &[f32; D],
) -> [Lanes<S>; D] {
    let mut shortest = *way;
    for image in 1..1usize << D {
        let mut reaches = mask(simd, u16::MAX);
        for axis in (0..D).filter(|axis| image >> axis & 1 == 1) {
            reaches &= (middle[axis].abs() + half[axis].abs()).simd_gt(Lanes::splat(simd, 0.5 * period[axis]));
        }
        if reaches.any_true() {
            closer(&way_to(simd, &moved(simd, middle, image, period), half), &mut shortest, reaches);
        }
    }
    shortest
}

/// The middle of another image: on the other side of those axes that have a bit in `image`.
#[inline(always)]
fn moved<S: Simd, const D: usize>(simd: S, middle: &[Lanes<S>; D], image: usize, period: &[f32; D]) -> [Lanes<S>; D] {
    let mut moved = *middle;
    for axis in (0..D).filter(|axis| image >> axis & 1 == 1) {
        let period = Lanes::splat(simd, period[axis]);
        let below = middle[axis].simd_lt(Lanes::splat(simd, 0.0));
        moved[axis] = below.select(middle[axis] + period, middle[axis] - period);
    }
    moved
}

/// Replaces a way by another one where that is shorter.
#[inline(always)]
fn closer<S: Simd, const D: usize>(other: &[Lanes<S>; D], way: &mut [Lanes<S>; D], may: Mask<S>) {
    let closer = may & dot(other, other).simd_lt(dot(way, way));
    for axis in 0..D {
        way[axis] = closer.select(other[axis], way[axis]);
    }
}
