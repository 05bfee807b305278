//! Candidate culling: gathers the agents within a radius of a cluster's box.

use fearless_simd::{Level, Simd, SimdBase, SimdMask};

use crate::kernels::boxes::Boxes;
use crate::kernels::simd::{Lanes, Mask, Ordered, append, load};
use crate::kernels::table::kernels;
use crate::kernels::{Axes, CHUNK, CLUSTER, CLUSTERS};

/// The factor from a squared radius to a squared reach. It covers rounding: an extra candidate costs one test, a
/// missing one gives a wrong result.
pub(crate) const REACH_MARGIN: f32 = 1.0 + 1e-5;

/// A list of rows, with room for one more register.
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

    /// Divides the rows from `start` on into two consecutive lists. `divide` moves the rows of the first list to the
    /// front, returns their number, and puts the rows of the second list into `second`. Returns the end of the first
    /// list.
    pub(crate) fn divide(
        &mut self,
        start: usize,
        second: &mut Self,
        divide: impl FnOnce(&mut [u32], &mut Self) -> usize,
    ) -> usize {
        let end = start + divide(&mut self.rows[start..self.len], second);
        self.len = end;
        self.reserve(second.len);
        self.append(second.as_slice());
        end
    }

    /// Removes all rows, and returns a slice for `rows` new ones.
    pub(crate) fn room(&mut self, rows: usize) -> &mut [u32] {
        self.len = 0;
        self.reserve(rows);
        &mut self.rows[..rows]
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = len;
    }

    pub(crate) fn extend(&mut self, rows: &[u32]) {
        self.reserve(rows.len());
        self.append(rows);
    }

    /// Inserts rows before those now at the given places, which ascend.
    pub(crate) fn insert(&mut self, added: &[(usize, u32)]) {
        self.reserve(added.len());
        // Starts at the end, so that no row is overwritten before it is moved.
        let mut left = self.len;
        self.len += added.len();
        for (before, &(place, row)) in added.iter().enumerate().rev() {
            self.rows.copy_within(place..left, place + before + 1);
            self.rows[place + before] = row;
            left = place;
        }
    }

    fn append(&mut self, rows: &[u32]) {
        self.rows[self.len..self.len + rows.len()].copy_from_slice(rows);
        self.len += rows.len();
    }

    /// Reserves room for `more` further rows.
    fn reserve(&mut self, more: usize) {
        if self.rows.len() < self.len + more {
            let room = self.len + self.len / 2 + more + CHUNK;
            // Each chunk has a list. Doubling their capacities would waste a quarter of all memory.
            self.rows.reserve_exact(room - self.rows.len());
            self.rows.resize(room, 0);
        }
    }
}

/// The box of the observing cluster, and the reach of its agents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach<const D: usize> {
    pub(crate) centre: [f32; D],
    pub(crate) half: [f32; D],
    /// The radius, squared.
    pub(crate) squared: f32,
    /// The squared radius, at least `squared`, within which agents count towards a limit.
    pub(crate) counted: f32,
    /// The number of the observing cluster if its agents may be neighbours of each other. They are counted, but not
    /// gathered.
    pub(crate) own: Option<u32>,
    /// The world's period per axis, infinite where it does not repeat.
    pub(crate) period: [f32; D],
    /// Whether an agent within the radius may lie across a seam. A box may in any case.
    pub(crate) wraps: bool,
}

/// The numbers of clusters, ascending, with room for one more register.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClusterList {
    numbers: Vec<u32>,
    len: usize,
}

impl ClusterList {
    pub(crate) fn as_slice(&self) -> &[u32] {
        &self.numbers[..self.len]
    }

    /// Keeps the numbers for which `keep`, called with place and number, returns `true`.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(usize, u32) -> bool) {
        let mut end = 0;
        for place in 0..self.len {
            let number = self.numbers[place];
            self.numbers[end] = number;
            end += usize::from(keep(place, number));
        }
        self.len = end;
    }

    /// Keeps the numbers in these places.
    pub(crate) fn keep(&mut self, places: std::ops::Range<usize>) {
        self.len = places.len();
        self.numbers.copy_within(places, 0);
    }
}

/// The numbers of chunks, ascending, and their boxes, with room for one more register.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChunkList<const D: usize> {
    pub(crate) numbers: Vec<u32>,
    pub(crate) boxes: Boxes<D>,
}

impl<const D: usize> ChunkList<D> {
    pub(crate) fn all(&self) -> Chunks<'_, D> {
        Chunks { numbers: &self.numbers, boxes: &self.boxes, first: 0 }
    }
}

/// A part of a list of chunks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunks<'a, const D: usize> {
    pub(crate) numbers: &'a [u32],
    pub(crate) boxes: &'a Boxes<D>,
    /// The place of the first box.
    first: usize,
}

impl<const D: usize> Chunks<'_, D> {
    /// Returns the chunks in these places.
    pub(crate) fn part(&self, places: std::ops::Range<usize>) -> Self {
        Self { first: self.first + places.start, numbers: &self.numbers[places], ..*self }
    }
}

/// Fills `found` with the clusters of `chunks` whose boxes are within reach.
pub(crate) fn clusters_within<const D: usize>(
    level: Level,
    reach: &Reach<D>,
    boxes: &Boxes<D>,
    chunks: Chunks<'_, D>,
    found: &mut ClusterList,
) {
    found.len = 0;
    let room = chunks.numbers.len() * CLUSTERS;
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
    chunks: Chunks<'_, D>,
    found: &mut ClusterList,
) {
    let mut end = 0;
    for (group, numbers) in chunks.numbers.chunks(CLUSTERS).enumerate() {
        let near = boxes_within(simd, reach, chunks.boxes, chunks.first + group * CLUSTERS);
        let mut near = near.to_bitmask() & ((1 << numbers.len()) - 1);
        while near != 0 {
            let first = numbers[near.trailing_zeros() as usize] * CLUSTERS as u32;
            near &= near - 1;
            let within = boxes_within(simd, reach, boxes, first as usize);
            end = append(simd, first, within, &mut found.numbers, end);
        }
    }
    found.len = end;
}

/// Returns which of sixteen boxes are within reach.
#[inline(always)]
fn boxes_within<S: Simd, const D: usize>(simd: S, reach: &Reach<D>, boxes: &Boxes<D>, first: usize) -> Mask<S> {
    let mut squared = Lanes::splat(simd, 0.0);
    for axis in 0..D {
        let centre = load(simd, &boxes.centre[axis], first);
        let halves = load(simd, &boxes.half[axis], first) + Lanes::splat(simd, reach.half[axis]);
        squared = add_gap::<S, D, true>(simd, squared, centre, halves, reach, axis);
    }
    squared.le(Lanes::splat(simd, reach.counted * REACH_MARGIN))
}

/// Adds to `squared` the square of a coordinate's distance from the centre of the box on an axis, beyond `halves`.
#[inline(always)]
fn add_gap<S: Simd, const D: usize, const WRAPS: bool>(
    simd: S,
    squared: Lanes<S>,
    coordinate: Lanes<S>,
    halves: Lanes<S>,
    reach: &Reach<D>,
    axis: usize,
) -> Lanes<S> {
    let direct = (coordinate - Lanes::splat(simd, reach.centre[axis])).abs();
    let distance = if WRAPS { direct.min((Lanes::splat(simd, reach.period[axis]) - direct).abs()) } else { direct };
    let gap = distance - halves;
    // The first factor carries a NaN into the sum. `max` may drop it.
    squared + gap * gap.max(Lanes::splat(simd, 0.0))
}

/// Calls `visit` with the squared distance of each cluster's box from the box in `reach`, in the order of `clusters`.
pub(crate) fn box_distances<const D: usize>(
    reach: &Reach<D>,
    boxes: &Boxes<D>,
    clusters: impl IntoIterator<Item = u32>,
    mut visit: impl FnMut(f32),
) {
    for cluster in clusters {
        let mut squared = 0.0;
        for axis in 0..D {
            let direct = (boxes.centre[axis][cluster as usize] - reach.centre[axis]).abs();
            let around = (reach.period[axis] - direct).abs();
            let distance = if around < direct { around } else { direct };
            let gap = distance - (boxes.half[axis][cluster as usize] + reach.half[axis]);
            squared += if gap > 0.0 { gap * gap } else { 0.0 };
        }
        visit(squared);
    }
}

/// Appends the agents of `clusters` within reach, except the agents of the observing cluster. Stops when the count
/// exceeds `limit`. Returns the count.
pub(crate) fn gather<const D: usize>(
    level: Level,
    reach: &Reach<D>,
    position: &Axes<'_, D>,
    clusters: &[u32],
    limit: usize,
    found: &mut RowList,
) -> usize {
    kernels::<D>().gather(level, reach, position, clusters, limit, found)
}

#[inline(always)]
pub(super) fn gather_lanes<S: Simd, const D: usize>(
    simd: S,
    reach: &Reach<D>,
    position: &Axes<'_, D>,
    clusters: &[u32],
    limit: usize,
    found: &mut RowList,
) -> usize {
    let rows = clusters.len() * CLUSTER;
    found.reserve(CLUSTER + if rows > limit { limit + CLUSTER } else { rows });
    if reach.wraps {
        gather_rows::<S, D, true>(simd, reach, position, clusters, limit, found)
    } else {
        gather_rows::<S, D, false>(simd, reach, position, clusters, limit, found)
    }
}

#[inline(always)]
fn gather_rows<S: Simd, const D: usize, const WRAPS: bool>(
    simd: S,
    reach: &Reach<D>,
    position: &Axes<'_, D>,
    clusters: &[u32],
    limit: usize,
    found: &mut RowList,
) -> usize {
    let RowList { rows, len } = found;
    let (mut end, mut count) = (*len, 0);
    let own = reach.own.unwrap_or(u32::MAX);
    let near = Lanes::splat(simd, reach.squared * REACH_MARGIN);
    let counted = Lanes::splat(simd, reach.counted * REACH_MARGIN);
    for &cluster in clusters {
        let first = cluster as usize * CLUSTER;
        let mut squared = Lanes::splat(simd, 0.0);
        for axis in 0..D {
            let coordinate = load(simd, position[axis], first);
            let half = Lanes::splat(simd, reach.half[axis]);
            squared = add_gap::<S, D, WRAPS>(simd, squared, coordinate, half, reach, axis);
        }
        let after = append(simd, first as u32, squared.le(near), rows, end);
        end = if cluster == own { end } else { after };
        count += squared.le(counted).to_bitmask().count_ones() as usize;
        if count > limit {
            break;
        }
    }
    *len = end;
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_inserted_before_others() {
        let mut noise = crate::Noise::new(1, 0, 0, 0);
        for round in 0..200 {
            let old: Vec<u32> = (0..round % 37).collect();
            let mut places: Vec<usize> =
                (0..round % 13).map(|_| noise.between(0.0, old.len() as f32 + 0.99) as usize).collect();
            places.sort_unstable();
            let added: Vec<(usize, u32)> = places.into_iter().zip(100..).collect();
            let mut list = RowList::default();
            list.extend(&old);
            list.insert(&added);
            let mut expected = old;
            added.iter().rev().for_each(|&(place, row)| expected.insert(place, row));
            assert_eq!(list.as_slice(), expected);
        }
    }
}
