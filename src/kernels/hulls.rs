//! Hulls of pieces of walls, and which of sixteen balls are near them.
//!
//! The answers are supersets, with room for rounding, so they decide no bit.

use fearless_simd::{Level, Simd, SimdBase, SimdFloat, SimdMask};
use smallvec::SmallVec;

use crate::kernels::combine::QuantitySlice;
use crate::kernels::simd::{Lanes, Mask, Ordered, Truth, dot, load, load_axes, mask, nearest_image, store};
use crate::kernels::table::kernels;
use crate::kernels::walkers::Vectors;
use crate::kernels::{Axes, CLUSTER};
use crate::maths::Vector;

/// The share of a period beyond which a ball is near everything, so that one image of each hull is enough.
pub(crate) const FAR: f32 = 0.25;

/// The room of balls for rounding, relative to coordinates.
const SLACK: f32 = 64.0 * f32::EPSILON;

/// The diagonal of a cube over its side, in three dimensions at most.
const DIAGONAL: f32 = 1.75;

/// A box that is swept along a line, from both sides of its centre.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hull<const D: usize> {
    /// The centre, in the world where it is periodic.
    pub(crate) centre: [f32; D],
    /// Half of the line, and one over its squared length; zero for a box that is not swept.
    pub(crate) along: [f32; D],
    pub(crate) inverse: f32,
    /// Half of the box's extent, with room for rounding: infinite where one image is not enough.
    pub(crate) half: [f32; D],
}

/// Sixteen balls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Balls<const D: usize> {
    pub(crate) centre: Vectors<D>,
    /// Infinite for a ball that is near everything.
    pub(crate) radius: [f32; CLUSTER],
}

/// The surroundings of sixteen agents at their earlier positions: the hulls within a distance of each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<const D: usize> {
    pub(crate) centre: Vectors<D>,
    /// The distance; infinite or not a number where nothing can be kept.
    pub(crate) radius: [f32; CLUSTER],
    /// The distance to the nearest hull.
    pub(crate) clear: [f32; CLUSTER],
}

/// How agents lie in these surroundings, one bit for each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    /// The agents for which not all hulls near their paths may be known.
    pub(crate) lost: u16,
    /// The agents whose bodies may touch one.
    pub(crate) close: u16,
}

/// The paths of up to sixteen agents in a tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paths<'a, const D: usize> {
    pub(crate) from: Axes<'a, D>,
    pub(crate) to: Axes<'a, D>,
    pub(crate) radius: QuantitySlice<'a>,
    pub(crate) len: usize,
}

/// How far around a path walls matter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room<const D: usize> {
    pub(crate) period: [f32; D],
    /// The reach of the boxes around paths, and the distance within which a body may touch a wall, in radii of the body.
    pub(crate) around: f32,
    pub(crate) touch: f32,
    /// The motion of walls on each axis.
    pub(crate) motion: [f32; D],
    /// How much farther than needed the balls around paths reach, so that one search serves for several ticks.
    pub(crate) margin: f32,
}

impl<const D: usize> Default for Balls<D> {
    fn default() -> Self {
        Self { centre: [[0.0; CLUSTER]; D], radius: [0.0; CLUSTER] }
    }
}

impl<const D: usize> Balls<D> {
    /// Sets one ball. A large one of a periodic world is near everything.
    pub(crate) fn set(&mut self, lane: usize, centre: Vector<D>, radius: f32, period: &[f32; D]) {
        let is_far = (0..D).any(|axis| radius > FAR * period[axis]);
        self.radius[lane] = if is_far { f32::INFINITY } else { radius };
        (0..D).for_each(|axis| self.centre[axis][lane] = centre[axis]);
    }
}

/// Puts a ball around the box around each path. Returns the centre of a box around all balls, with half of its extent.
pub(crate) fn enclose_paths<const D: usize>(
    level: Level,
    paths: &Paths<'_, D>,
    room: &Room<D>,
    balls: &mut Balls<D>,
) -> [[f32; D]; 2] {
    kernels::<D>().enclose_paths(level, paths, room, balls)
}

/// Finds out which agents are still where hulls are known.
pub(crate) fn follow_paths<const D: usize>(
    level: Level,
    paths: &Paths<'_, D>,
    room: &Room<D>,
    known: &Known<D>,
) -> Placed {
    kernels::<D>().follow_paths(level, paths, room, known)
}

/// The numbers of some hulls. A few need no memory of the heap.
pub(crate) type HullNumbers = SmallVec<[u32; 256]>;

/// The hulls near some of sixteen balls.
#[derive(Clone, Debug, Default)]
pub(crate) struct NearHulls {
    /// Their numbers, in the order in which they were given, and the balls that each is near, one bit for each. Only the
    /// first `len` entries count.
    numbers: HullNumbers,
    balls: SmallVec<[u16; 256]>,
    len: usize,
    /// The least squared distance of a hull from the centre of each ball.
    pub(crate) least: [f32; CLUSTER],
}

impl NearHulls {
    /// The hulls, each with the balls that it is near.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, u16)> {
        self.numbers[..self.len].iter().copied().zip(self.balls[..self.len].iter().copied())
    }

    /// Writes the numbers of the hulls near one ball to a buffer, and returns them.
    pub(crate) fn of_ball<'a>(&self, ball: usize, buffer: &'a mut HullNumbers) -> &'a [u32] {
        if buffer.len() < self.len {
            buffer.resize(self.len, 0);
        }
        let mut end = 0;
        for (number, by) in self.iter() {
            // The number is written in any case: a branch would be unpredictable.
            buffer[end] = number;
            end += usize::from(by >> ball & 1);
        }
        &buffer[..end]
    }
}

/// Fills `near` with the hulls that are near one of the balls.
pub(crate) fn hulls_near_balls<const D: usize>(
    level: Level,
    balls: &Balls<D>,
    period: &[f32; D],
    hulls: &[Hull<D>],
    numbers: &[u32],
    near: &mut NearHulls,
) {
    kernels::<D>().hulls_near_balls(level, balls, period, hulls, numbers, near);
}

/// The paths of a cluster in lanes. Chords of absent agents have no length, at the first agent's position.
struct LanePaths<S: Simd, const D: usize> {
    present: Mask<S>,
    from: [Lanes<S>; D],
    path: [Lanes<S>; D],
    bodies: Lanes<S>,
    /// Half of the length of each path.
    half: Lanes<S>,
    /// Whether a path is too long for one image of each hull.
    is_long: Mask<S>,
}

#[inline(always)]
fn lane_paths<S: Simd, const D: usize>(simd: S, paths: &Paths<'_, D>, room: &Room<D>) -> LanePaths<S, D> {
    let zero = Lanes::splat(simd, 0.0);
    let present = mask(simd, ((1u32 << paths.len) - 1) as u16);
    let (mut from, mut path, mut squared, mut is_long) = ([zero; D], [zero; D], zero, zero.gt(zero));
    for axis in 0..D {
        let start = load(simd, paths.from[axis], 0);
        from[axis] = present.choose(start, Lanes::splat(simd, paths.from[axis][0]));
        path[axis] = present.choose(load(simd, paths.to[axis], 0) - start, zero);
        squared += path[axis] * path[axis];
        is_long |= path[axis].abs().gt(Lanes::splat(simd, FAR * room.period[axis]));
    }
    let bodies = present.choose(paths.radius.lanes(simd, 0), zero);
    LanePaths { present, from, path, bodies, half: squared.sqrt() * Lanes::splat(simd, 0.5), is_long }
}

impl<S: Simd, const D: usize> LanePaths<S, D> {
    /// The room around each path: for the motion of walls, and for rounding at these places.
    #[inline(always)]
    fn slack(&self, simd: S, room: &Room<D>, places: &[Lanes<S>; D]) -> Lanes<S> {
        let (mut farthest, mut moved) = (Lanes::splat(simd, 0.0), 0.0);
        for axis in 0..D {
            farthest += self.from[axis].abs() + self.path[axis].abs() + places[axis].abs();
            moved += room.motion[axis];
        }
        farthest * Lanes::splat(simd, SLACK) + Lanes::splat(simd, moved)
    }

    /// Fills the balls around the paths. Returns their radii, with finite numbers for those that are near everything,
    /// and which these are.
    #[inline(always)]
    fn store(&self, simd: S, room: &Room<D>, slack: Lanes<S>, balls: &mut Balls<D>) -> (Lanes<S>, Mask<S>) {
        let outer = self.half + (self.bodies * Lanes::splat(simd, room.around) + slack) * Lanes::splat(simd, DIAGONAL);
        let outer = outer + Lanes::splat(simd, room.margin);
        let mut far = self.is_long;
        for axis in 0..D {
            store(self.from[axis] + self.path[axis] * Lanes::splat(simd, 0.5), &mut balls.centre[axis], 0);
            far |= outer.gt(Lanes::splat(simd, FAR * room.period[axis]));
        }
        let infinite = Lanes::splat(simd, f32::INFINITY);
        store(far.choose(infinite, outer), &mut balls.radius, 0);
        (outer, far)
    }
}

#[inline(always)]
pub(super) fn enclose_paths_lanes<S: Simd, const D: usize>(
    simd: S,
    paths: &Paths<'_, D>,
    room: &Room<D>,
    balls: &mut Balls<D>,
) -> [[f32; D]; 2] {
    let lanes = lane_paths(simd, paths, room);
    let slack = lanes.slack(simd, room, &lanes.from);
    let (reach, is_far) = lanes.store(simd, room, slack, balls);
    let is_any_far = (is_far & lanes.present).any_true();
    let (mut centre, mut half) = ([0.0; D], [0.0; D]);
    for axis in 0..D {
        let (anchor, period) = (paths.from[axis][0], room.period[axis]);
        let start = nearest_image(lanes.from[axis] - Lanes::splat(simd, anchor), period);
        let end = start + lanes.path[axis];
        let (lower, upper) = (start.lt(end).choose(start, end), start.lt(end).choose(end, start));
        // bits: these boxes and balls only decide which walls are tested
        let (low, high) = ((lower - reach).reduce_min(), (upper + reach).reduce_max());
        centre[axis] = anchor + 0.5 * (low + high);
        half[axis] = 0.5 * (high - low) * (1.0 + SLACK) + SLACK * anchor.abs();
        if is_any_far && period < f32::INFINITY {
            // A long path perceives walls all along its axes.
            half[axis] += period;
        }
    }
    [centre, half]
}

#[inline(always)]
pub(super) fn follow_paths_lanes<S: Simd, const D: usize>(
    simd: S,
    paths: &Paths<'_, D>,
    room: &Room<D>,
    known: &Known<D>,
) -> Placed {
    let lanes = lane_paths(simd, paths, room);
    let centre = load_axes(simd, &known.centre, 0);
    let (radius, clear) = (load(simd, &known.radius, 0), load(simd, &known.clear, 0));
    // The edge of the world may hold the agent on some axes only: it then ends beside its path, in the box around it.
    let mut moved = Lanes::splat(simd, 0.0);
    for axis in 0..D {
        let start = nearest_image(lanes.from[axis] - centre[axis], room.period[axis]);
        let (start, end) = (start * start, (start + lanes.path[axis]) * (start + lanes.path[axis]));
        moved += start.gt(end).choose(start, end);
    }
    let moved = moved.sqrt();
    let slack = lanes.slack(simd, room, &centre);
    let reach = (lanes.bodies * Lanes::splat(simd, room.around) + slack) * Lanes::splat(simd, DIAGONAL);
    let holds = (moved + reach).le(radius) & radius.lt(Lanes::splat(simd, f32::INFINITY)) & !lanes.is_long;
    let is_clear = (moved + lanes.bodies * Lanes::splat(simd, room.touch) + slack).lt(clear);
    let close = (lanes.present & !is_clear).to_bitmask() as u16;
    Placed { lost: (lanes.present & !holds).to_bitmask() as u16, close }
}

#[inline(always)]
pub(super) fn hulls_near_balls_lanes<S: Simd, const D: usize>(
    simd: S,
    balls: &Balls<D>,
    period: &[f32; D],
    hulls: &[Hull<D>],
    numbers: &[u32],
    near: &mut NearHulls,
) {
    let (zero, one) = (Lanes::splat(simd, 0.0), Lanes::splat(simd, 1.0));
    let centre = load_axes(simd, &balls.centre, 0);
    let radius = load(simd, &balls.radius, 0);
    let squared = radius * radius;
    let mut least = Lanes::splat(simd, f32::INFINITY);
    if near.numbers.len() < numbers.len() {
        near.numbers.resize(numbers.len(), 0);
        near.balls.resize(numbers.len(), 0);
    }
    let (found, by, mut end) = (&mut near.numbers[..], &mut near.balls[..], 0);
    for &number in numbers {
        let hull = &hulls[number as usize];
        let (mut offset, mut along) = (centre, centre);
        for axis in 0..D {
            offset[axis] = nearest_image(centre[axis] - Lanes::splat(simd, hull.centre[axis]), period[axis]);
            along[axis] = Lanes::splat(simd, hull.along[axis]);
        }
        let share = dot(&offset, &along) * Lanes::splat(simd, hull.inverse);
        let share = share.gt(one).choose(one, share);
        let share = share.lt(-one).choose(-one, share);
        let mut gap = zero;
        for axis in 0..D {
            let beyond = (offset[axis] - along[axis] * share).abs() - Lanes::splat(simd, hull.half[axis]);
            let beyond = beyond.gt(zero).choose(beyond, zero);
            gap += beyond * beyond;
        }
        least = gap.lt(least).choose(gap, least);
        let meets = gap.le(squared).to_bitmask() as u16;
        (found[end], by[end]) = (number, meets);
        end += usize::from(meets != 0);
    }
    near.len = end;
    store(least, &mut near.least, 0);
}
