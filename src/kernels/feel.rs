//! Which obstacles may be in the way of which agents: a test that leaves few pairs to be looked at one by one.

use fearless_simd::{Level, Select, Simd, SimdBase, SimdFloat, SimdMask};

use super::combine::Quantity;
use super::simd::{Lanes, dot, load, load_axes, nearest_image};
use super::table::kernels;
use super::{Axes, CLUSTER};

/// Discs or balls as columns, padded to whole registers with discs that are nowhere.
#[derive(Clone, Debug)]
pub(crate) struct Discs<const D: usize> {
    centre: [Vec<f32>; D],
    velocity: [Vec<f32>; D],
    radius: Vec<f32>,
}

impl<const D: usize> Discs<D> {
    /// Discs with these centres, velocities and radii, in a world that repeats every `period`.
    pub(crate) fn new(discs: impl ExactSizeIterator<Item = ([f32; D], [f32; D], f32)>, period: &[f32; D]) -> Self {
        let padded = discs.len().next_multiple_of(CLUSTER);
        let column = || vec![f32::NAN; padded];
        let [mut centre, mut velocity] = [(); 2].map(|()| std::array::from_fn(|_| column()));
        let mut radius = column();
        for (place, (at, speed, length)) in discs.enumerate() {
            for axis in 0..D {
                (centre[axis][place], velocity[axis][place]) = (at[axis], speed[axis]);
            }
            // More than half a period outside of the world, the offset takes more than one step: the kernel leaves all
            // agents to be looked at.
            let far = (0..D).any(|axis| (at[axis] - 0.5 * period[axis]).abs() > period[axis]);
            radius[place] = if far { f32::INFINITY } else { length };
        }
        Self { centre, velocity, radius }
    }
}

/// The agents of one chunk and how they feel for obstacles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feelers<'a, const D: usize> {
    pub(crate) position: Axes<'a, D>,
    pub(crate) velocity: Axes<'a, D>,
    /// The radius of their bodies.
    pub(crate) body: Quantity<'a>,
    /// How far the feelers reach.
    pub(crate) distance: f32,
    /// How far agents keep from an obstacle.
    pub(crate) buffer: f32,
    /// The largest distance from an agent to an obstacle's edge that matters.
    pub(crate) reach: f32,
    pub(crate) period: [f32; D],
}

/// Fills `met` with the discs that may be in the way of an agent of a cluster, ascending, each with sixteen bits, one
/// for each agent. The cluster's agents are in the box of this `centre` and `half`.
pub(crate) fn feel<const D: usize>(
    level: Level,
    feelers: &Feelers<'_, D>,
    cluster: usize,
    (centre, half): (&[f32; D], &[f32; D]),
    discs: &Discs<D>,
    met: &mut Vec<(u32, u16)>,
) {
    kernels::<D>().feel(level, feelers, cluster, centre, half, discs, met);
}

#[inline(always)]
pub(super) fn feel_lanes<S: Simd, const D: usize>(
    simd: S,
    feelers: &Feelers<'_, D>,
    cluster: usize,
    centre: &[f32; D],
    half: &[f32; D],
    discs: &Discs<D>,
    met: &mut Vec<(u32, u16)>,
) {
    let row = cluster * CLUSTER;
    macro_rules! splat {
        ($value:expr) => {
            Lanes::splat(simd, $value)
        };
    }
    let position = load_axes(simd, &feelers.position, row);
    let velocity = load_axes(simd, &feelers.velocity, row);
    let body = feelers.body.lanes(simd, row);
    let zero = splat!(0.0);
    met.clear();
    for first in (0..discs.radius.len()).step_by(CLUSTER) {
        let mut squared = zero;
        for axis in 0..D {
            let offset = load(simd, &discs.centre[axis], first) - splat!(centre[axis]);
            let gap = nearest_image(simd, offset, feelers.period[axis]).abs() - splat!(half[axis]);
            // What is no number has to reach the sum.
            let gap = gap.simd_lt(zero).select(zero, gap);
            squared += gap * gap;
        }
        let reach = (load(simd, &discs.radius, first) + splat!(feelers.reach)) * splat!(1.0 + 1e-5);
        let mut near = squared.simd_le(reach * reach).to_bitmask() as u16;
        while near != 0 {
            let disc = first + near.trailing_zeros() as usize;
            near &= near - 1;
            let (mut offset, mut relative) = (position, velocity);
            for axis in 0..D {
                let difference = splat!(discs.centre[axis][disc]) - position[axis];
                offset[axis] = nearest_image(simd, difference, feelers.period[axis]);
                relative[axis] = velocity[axis] - splat!(discs.velocity[axis][disc]);
            }
            let speed_squared = dot(&relative, &relative);
            let scale = splat!(1.0) / speed_squared.sqrt();
            let scale = speed_squared.simd_gt(zero).select(scale, zero);
            let mut along = relative;
            for axis in 0..D {
                along[axis] = relative[axis] * scale;
            }
            let ahead = dot(&offset, &along);
            let mut aside = offset;
            for axis in 0..D {
                aside[axis] = offset[axis] - along[axis] * ahead;
            }
            let touching = splat!(discs.radius[disc]) + body;
            let reach = touching + splat!(feelers.buffer);
            // Squares of the smallest numbers are zero: whatever is as near as that is looked at.
            let least = splat!(1e-30);
            let inside = dot(&offset, &offset).simd_le(touching * touching + least);
            let in_the_way = ahead.simd_gt(zero)
                & dot(&aside, &aside).simd_le(reach * reach + least)
                & (ahead - reach).simd_le(splat!(feelers.distance * (1.0 + 1e-5) + 1e-15));
            let mask = (inside | in_the_way).to_bitmask() as u16;
            if mask != 0 {
                met.push((disc as u32, mask));
            }
        }
    }
}
