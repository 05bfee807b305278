//! Which agents can be neighbours of a cluster? Those within the radius of its box, gathered into a buffer.

use fearless_simd::{Level, Simd, SimdBase, SimdMask, u32x16};

use super::boxes::Boxes;
use super::simd::{Lanes, Mask, dispatch, load, nearest_distance};
use super::{Axes, CHUNK, CLUSTER, CLUSTERS};

/// Squared reaches are this much larger than the squared radius: a candidate too many costs a test, one too few is a
/// wrong result.
const GENEROUS: f32 = 1.0 + 1e-5;

/// Agents that may be neighbours of one cluster, in ascending row order, one column per quantity.
#[derive(Clone, Debug)]
pub(crate) struct Candidates<const D: usize> {
    pub(crate) position: [Vec<f32>; D],
    pub(crate) velocity: [Vec<f32>; D],
    pub(crate) row: Vec<u32>,
    pub(crate) len: usize,
}

impl<const D: usize> Default for Candidates<D> {
    fn default() -> Self {
        Self {
            position: std::array::from_fn(|_| Vec::new()),
            velocity: std::array::from_fn(|_| Vec::new()),
            row: Vec::new(),
            len: 0,
        }
    }
}

impl<const D: usize> Candidates<D> {
    /// Room for one more register beyond the last candidate.
    #[inline]
    fn reserve(&mut self, lanes: usize) {
        if self.row.len() < self.len + lanes {
            self.grow(lanes);
        }
    }

    #[cold]
    fn grow(&mut self, lanes: usize) {
        let room = (2 * self.row.len()).max(CHUNK).max(self.len + lanes);
        for column in self.position.iter_mut().chain(&mut self.velocity) {
            column.resize(room, 0.0);
        }
        self.row.resize(room, 0);
    }
}

/// The box of the cluster whose neighbours are sought, and how far its agents see.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach<const D: usize> {
    pub(crate) centre: [f32; D],
    pub(crate) half: [f32; D],
    /// The radius, squared.
    pub(crate) squared: f32,
    /// The world's period per axis, infinite where it does not repeat.
    pub(crate) period: [f32; D],
}

/// The agents that are looked through: their columns, padded to whole clusters, and their clusters' boxes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Perceived<'a, const D: usize> {
    pub(crate) position: Axes<'a, D>,
    pub(crate) velocity: Axes<'a, D>,
    pub(crate) boxes: &'a Boxes<D>,
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
    dispatch!(level, simd => clusters_within_lanes(simd, reach, boxes, chunks, found));
}

#[inline(always)]
fn clusters_within_lanes<S: Simd, const D: usize>(
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
    squared.simd_le(Lanes::splat(simd, reach.squared * GENEROUS))
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

/// Fills `candidates` with the agents of `clusters` that are within reach. Gives up as soon as there are more than
/// `most`, and tells whether it did.
pub(crate) fn gather<const D: usize>(
    level: Level,
    reach: &Reach<D>,
    perceived: &Perceived<'_, D>,
    clusters: &[u32],
    most: usize,
    candidates: &mut Candidates<D>,
) -> bool {
    candidates.len = 0;
    dispatch!(level, simd => gather_lanes(simd, reach, perceived, clusters, most, candidates))
}

#[inline(always)]
fn gather_lanes<S: Simd, const D: usize>(
    simd: S,
    reach: &Reach<D>,
    perceived: &Perceived<'_, D>,
    clusters: &[u32],
    most: usize,
    candidates: &mut Candidates<D>,
) -> bool {
    for &cluster in clusters {
        let first = cluster as usize * CLUSTER;
        let mut squared = Lanes::splat(simd, 0.0);
        for axis in 0..D {
            let position = load(simd, perceived.position[axis], first);
            let difference = position - Lanes::splat(simd, reach.centre[axis]);
            squared = add_gap(simd, squared, difference, Lanes::splat(simd, reach.half[axis]), reach.period[axis]);
        }
        let near = squared.simd_le(Lanes::splat(simd, reach.squared * GENEROUS));
        candidates.reserve(CLUSTER);
        let end = candidates.len;
        for axis in 0..D {
            let position = load(simd, perceived.position[axis], first).compress(near);
            position.store_slice(&mut candidates.position[axis][end..end + CLUSTER]);
            let velocity = load(simd, perceived.velocity[axis], first).compress(near);
            velocity.store_slice(&mut candidates.velocity[axis][end..end + CLUSTER]);
        }
        let rows = consecutive(simd, first as u32).compress(near);
        rows.store_slice(&mut candidates.row[end..end + CLUSTER]);
        candidates.len += near.to_bitmask().count_ones() as usize;
        if candidates.len > most {
            return true;
        }
    }
    false
}
