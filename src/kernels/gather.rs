//! Which agents can be neighbours of a cluster? Those within the radius of its box, gathered into a buffer.

use fearless_simd::{Level, Simd, SimdBase, SimdMask, u32x16};

use super::boxes::Boxes;
use super::simd::{Lanes, Mask, load, nearest_distance};
use super::table::kernels;
use super::{Axes, CHUNK, CLUSTER, CLUSTERS};

/// Squared reaches are this much larger than the squared radius: a candidate too many costs a test, one too few is a
/// wrong result.
const GENEROUS: f32 = 1.0 + 1e-5;

/// Rows of agents, with room for one register more.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowList {
    rows: Vec<u32>,
    len: usize,
}

impl RowList {
    pub(crate) fn as_slice(&self) -> &[u32] {
        &self.rows[..self.len]
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = len;
    }

    #[inline]
    fn reserve(&mut self) {
        if self.rows.len() < self.len + CLUSTER {
            self.rows.resize(self.len + self.len / 4 + CHUNK, 0);
        }
    }
}

/// The box of the cluster whose neighbours are sought, and how far its agents see.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach<const D: usize> {
    pub(crate) centre: [f32; D],
    pub(crate) half: [f32; D],
    /// The radius, squared.
    pub(crate) squared: f32,
    /// The radius, squared, within which agents are counted against a limit: no smaller.
    pub(crate) counted: f32,
    /// The world's period per axis, infinite where it does not repeat.
    pub(crate) period: [f32; D],
}

/// Numbers of clusters, ascending, with room for one register more.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClusterList {
    numbers: Vec<u32>,
    len: usize,
}

impl ClusterList {
    pub(crate) fn as_slice(&self) -> &[u32] {
        &self.numbers[..self.len]
    }

    /// Replaces the list by at most as many other numbers.
    pub(crate) fn set(&mut self, numbers: impl ExactSizeIterator<Item = u32>) {
        self.len = numbers.len();
        for (place, number) in self.numbers.iter_mut().zip(numbers) {
            *place = number;
        }
        self.numbers[..self.len].sort_unstable();
    }

    /// Keeps the numbers in these places alone.
    pub(crate) fn keep(&mut self, places: std::ops::Range<usize>) {
        self.len = places.len();
        self.numbers.copy_within(places, 0);
    }
}

/// Fills `found` with the clusters of `chunks` whose box is within reach.
pub(crate) fn clusters_within<const D: usize>(
    level: Level,
    reach: &Reach<D>,
    boxes: &Boxes<D>,
    chunks: &[u32],
    found: &mut ClusterList,
) {
    found.len = 0;
    let room = chunks.len() * CLUSTERS;
    if found.numbers.len() < room {
        found.numbers.resize(room, 0);
    }
    kernels::<D>().clusters_within(level, reach, boxes, chunks, found);
}

#[inline(always)]
pub(super) fn clusters_within_lanes<S: Simd, const D: usize>(
    simd: S,
    reach: &Reach<D>,
    boxes: &Boxes<D>,
    chunks: &[u32],
    found: &mut ClusterList,
) {
    let mut end = 0;
    for &chunk in chunks {
        let first = chunk * CLUSTERS as u32;
        let near = boxes_within(simd, reach, boxes, first as usize);
        let numbers = consecutive(simd, first).compress(near);
        numbers.store_slice(&mut found.numbers[end..end + CLUSTERS]);
        end += near.to_bitmask().count_ones() as usize;
    }
    found.len = end;
}

/// Sixteen consecutive numbers.
#[inline(always)]
fn consecutive<S: Simd>(simd: S, first: u32) -> u32x16<S> {
    u32x16::from_slice(simd, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]) + u32x16::splat(simd, first)
}

#[inline(always)]
fn boxes_within<S: Simd, const D: usize>(simd: S, reach: &Reach<D>, boxes: &Boxes<D>, first: usize) -> Mask<S> {
    let mut squared = Lanes::splat(simd, 0.0);
    for axis in 0..D {
        let difference = load(simd, &boxes.centre[axis], first) - Lanes::splat(simd, reach.centre[axis]);
        let halves = load(simd, &boxes.half[axis], first) + Lanes::splat(simd, reach.half[axis]);
        squared = add_gap(simd, squared, difference, halves, reach.period[axis]);
    }
    squared.simd_le(Lanes::splat(simd, reach.counted * GENEROUS))
}

/// `squared` plus the square of how far a difference of centres exceeds the halves.
#[inline(always)]
fn add_gap<S: Simd>(simd: S, squared: Lanes<S>, difference: Lanes<S>, halves: Lanes<S>, period: f32) -> Lanes<S> {
    let gap = nearest_distance(simd, difference, period) - halves;
    // The first factor carries what is no number, which `max` may swallow, into the sum.
    squared + gap * gap.max(Lanes::splat(simd, 0.0))
}

/// Shows the square of the distance of each cluster's box from the one in `reach`.
pub(crate) fn box_distances<const D: usize>(
    reach: &Reach<D>,
    boxes: &Boxes<D>,
    clusters: &[u32],
    mut show: impl FnMut(u32, f32),
) {
    for &cluster in clusters {
        let mut squared = 0.0;
        for axis in 0..D {
            let direct = (boxes.centre[axis][cluster as usize] - reach.centre[axis]).abs();
            let around = (reach.period[axis] - direct).abs();
            let distance = if around < direct { around } else { direct };
            let gap = distance - (boxes.half[axis][cluster as usize] + reach.half[axis]);
            squared += if gap > 0.0 { gap * gap } else { 0.0 };
        }
        show(cluster, squared);
    }
}

/// Appends the agents of `clusters` that are within reach. Gives up as soon as it counted more than `most`, and tells
/// whether it did.
pub(crate) fn gather<const D: usize>(
    level: Level,
    reach: &Reach<D>,
    position: &Axes<'_, D>,
    clusters: &[u32],
    most: usize,
    found: &mut RowList,
) -> bool {
    kernels::<D>().gather(level, reach, position, clusters, most, found)
}

#[inline(always)]
pub(super) fn gather_lanes<S: Simd, const D: usize>(
    simd: S,
    reach: &Reach<D>,
    position: &Axes<'_, D>,
    clusters: &[u32],
    most: usize,
    found: &mut RowList,
) -> bool {
    let mut counted = 0;
    for &cluster in clusters {
        let first = cluster as usize * CLUSTER;
        let mut squared = Lanes::splat(simd, 0.0);
        for axis in 0..D {
            let difference = load(simd, position[axis], first) - Lanes::splat(simd, reach.centre[axis]);
            squared = add_gap(simd, squared, difference, Lanes::splat(simd, reach.half[axis]), reach.period[axis]);
        }
        let near = squared.simd_le(Lanes::splat(simd, reach.squared * GENEROUS));
        found.reserve();
        let end = found.len;
        consecutive(simd, first as u32).compress(near).store_slice(&mut found.rows[end..end + CLUSTER]);
        found.len += near.to_bitmask().count_ones() as usize;
        let within = squared.simd_le(Lanes::splat(simd, reach.counted * GENEROUS));
        counted += within.to_bitmask().count_ones() as usize;
        if counted > most {
            return true;
        }
    }
    false
}
