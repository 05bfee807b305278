//! What encloses pieces of walls, and which of sixteen balls are near them.
//!
//! The answers are supersets, with room for rounding, so they decide no bit.

use fearless_simd::{Level, Select, Simd, SimdBase, SimdFloat, SimdMask};

use crate::kernels::combine::QuantitySlice;
use crate::kernels::simd::{Lanes, dot, load, load_axes, mask, nearest_image, store};
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
    /// The radii of smaller balls inside, for a second test.
    pub(crate) inner: [f32; CLUSTER],
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
    /// The reach of boxes around paths, and of the inner balls, in radii of the body.
    pub(crate) around: f32,
    pub(crate) inner: f32,
    /// The motion of walls on each axis.
    pub(crate) motion: [f32; D],
}

impl<const D: usize> Default for Balls<D> {
    fn default() -> Self {
        Self { centre: [[0.0; CLUSTER]; D], radius: [0.0; CLUSTER], inner: [0.0; CLUSTER] }
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

/// Puts a ball around the box around each path. Returns the centre of a box around all of them, with half of its extent.
pub(crate) fn enclose_paths<const D: usize>(
    level: Level,
    paths: &Paths<'_, D>,
    room: &Room<D>,
    balls: &mut Balls<D>,
) -> [[f32; D]; 2] {
    kernels::<D>().enclose_paths(level, paths, room, balls)
}

/// Calls `near` with each of these hulls that is near one of the balls: its number, one bit for each ball, and one for
/// each inner ball.
pub(crate) fn hulls_near_balls<const D: usize>(
    level: Level,
    balls: &Balls<D>,
    period: &[f32; D],
    hulls: &[Hull<D>],
    numbers: &[u32],
    near: &mut dyn FnMut(u32, u16, u16),
) {
    kernels::<D>().hulls_near_balls(level, balls, period, hulls, numbers, near);
}

#[inline(always)]
pub(super) fn enclose_paths_lanes<S: Simd, const D: usize>(
    simd: S,
    paths: &Paths<'_, D>,
    room: &Room<D>,
    balls: &mut Balls<D>,
) -> [[f32; D]; 2] {
    let zero = Lanes::splat(simd, 0.0);
    let present = mask(simd, ((1u32 << paths.len) - 1) as u16);
    let bodies = present.select(paths.radius.lanes(simd, 0), zero);
    // bits: these boxes and balls only decide which walls are tested
    let largest = bodies.reduce_max();
    let (mut centre, mut half, mut farthest, mut moved) = ([0.0; D], [0.0; D], 0.0, 0.0);
    let (mut squared, mut far) = (zero, zero.simd_gt(zero));
    for axis in 0..D {
        let (anchor, period) = (paths.from[axis][0], room.period[axis]);
        let from = load(simd, paths.from[axis], 0);
        let start = nearest_image(simd, from - Lanes::splat(simd, anchor), period);
        let start = present.select(start, zero);
        let path = present.select(load(simd, paths.to[axis], 0) - from, zero);
        let end = start + path;
        let (lower, upper) = (start.simd_lt(end).select(start, end), start.simd_lt(end).select(end, start));
        // bits: as above
        let (low, high) = (lower.reduce_min(), upper.reduce_max());
        centre[axis] = anchor + 0.5 * (low + high);
        half[axis] = 0.5 * (high - low) + room.around * largest + room.motion[axis];
        let extent = anchor.abs() + (high - low);
        farthest = if extent > farthest { extent } else { farthest };
        moved += room.motion[axis];
        store(
            present.select(from + path * Lanes::splat(simd, 0.5), Lanes::splat(simd, anchor)),
            &mut balls.centre[axis],
            0,
        );
        squared += path * path;
        far |= path.abs().simd_gt(Lanes::splat(simd, FAR * period));
    }
    let slack = SLACK * farthest;
    let half_path = squared.sqrt() * Lanes::splat(simd, 0.5);
    let reach = |radii: f32, shape: f32| {
        half_path + bodies * Lanes::splat(simd, radii * shape) + Lanes::splat(simd, (moved + slack) * shape)
    };
    let (outer, inner) = (reach(room.around, DIAGONAL), reach(room.inner, 1.0));
    for axis in 0..D {
        far |= outer.simd_gt(Lanes::splat(simd, FAR * room.period[axis]));
        half[axis] += slack;
    }
    let infinite = Lanes::splat(simd, f32::INFINITY);
    store(far.select(infinite, outer), &mut balls.radius, 0);
    store(far.select(infinite, inner), &mut balls.inner, 0);
    if far.any_true() {
        // A long path perceives walls all along its axes.
        for axis in 0..D {
            half[axis] = if room.period[axis] < f32::INFINITY { half[axis] + room.period[axis] } else { half[axis] };
        }
    }
    [centre, half]
}

#[inline(always)]
pub(super) fn hulls_near_balls_lanes<S: Simd, const D: usize>(
    simd: S,
    balls: &Balls<D>,
    period: &[f32; D],
    hulls: &[Hull<D>],
    numbers: &[u32],
    near: &mut dyn FnMut(u32, u16, u16),
) {
    let (zero, one) = (Lanes::splat(simd, 0.0), Lanes::splat(simd, 1.0));
    let centre = load_axes(simd, &balls.centre.each_ref().map(|axis| &axis[..]), 0);
    let radius = load(simd, &balls.radius, 0);
    let (squared, inner) = (radius * radius, load(simd, &balls.inner, 0));
    let inner = inner * inner;
    for &number in numbers {
        let hull = &hulls[number as usize];
        let (mut offset, mut along) = (centre, centre);
        for axis in 0..D {
            offset[axis] = nearest_image(simd, centre[axis] - Lanes::splat(simd, hull.centre[axis]), period[axis]);
            along[axis] = Lanes::splat(simd, hull.along[axis]);
        }
        let share = dot(&offset, &along) * Lanes::splat(simd, hull.inverse);
        let share = share.simd_gt(one).select(one, share);
        let share = share.simd_lt(-one).select(-one, share);
        let mut gap = zero;
        for axis in 0..D {
            let beyond = (offset[axis] - along[axis] * share).abs() - Lanes::splat(simd, hull.half[axis]);
            let beyond = beyond.simd_gt(zero).select(beyond, zero);
            gap += beyond * beyond;
        }
        let meets = gap.simd_le(squared).to_bitmask() as u16;
        if meets != 0 {
            near(number, meets, gap.simd_le(inner).to_bitmask() as u16);
        }
    }
}
