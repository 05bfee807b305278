//! The spatial index of a species: boxes of clusters, and an R-tree over the boxes of chunks.
//!
//! A tree with one leaf per agent, built and queried for each agent, costs fifty times as much as the rest of a tick.
//! This one has a leaf for each 256 agents. A leaf stores its box: computing it on demand makes building four to nine
//! times slower.
//!
//! Boxes leave out [strays](super::species_index::SpeciesIndex::strays), which would make them as large as the world.

use std::ops::Range;
use std::sync::OnceLock;

use fearless_simd::Level;
use rstar::AABB;

use crate::agents::parallel::{ChunkedAxes, ChunkedColumn, for_each_chunk_of};
use crate::base::settings::nearest_image;
use crate::boxes::aabb::Aabb;
use crate::boxes::hierarchy::{BoxHierarchy, GRAIN};
use crate::index::chunk_tree::{ChunkTree, Leaf};
use crate::kernels::boxes::{Boxes, SLACK, enclose};
use crate::kernels::cull::{ChunkList, Reach};
use crate::kernels::{self, AxesMut, CHUNK, CLUSTER, CLUSTERS};
use crate::maths::{Vector, ones};

/// Boxes of clusters of consecutive rows, and a tree over the boxes of chunks.
#[derive(Clone, Debug)]
pub(crate) struct AgentIndex<const D: usize> {
    pub(crate) boxes: Boxes<D>,
    leaves: Vec<Leaf<D>>,
    /// The largest distance that an agent may have moved since the boxes were measured, in metres.
    pub(crate) moved: f32,
    tree: ChunkTree<D>,
    /// The rows of each cluster that are in its box, one bit each.
    members: Vec<u16>,
    /// The hierarchy for searches from a point. The first search measures it, and from then on each rebuild.
    bounds: OnceLock<BoxHierarchy<D>>,
    /// The instruction set, the period and the number of rows when the boxes were measured.
    measured: Option<(Level, [f32; D], usize)>,
    /// Whether the rows of each chunk belong to another rank and are not present; empty on one rank.
    unknown: Vec<bool>,
}

impl<const D: usize> Default for AgentIndex<D> {
    fn default() -> Self {
        Self {
            boxes: Boxes::default(),
            leaves: Vec::new(),
            moved: 0.0,
            tree: ChunkTree::default(),
            members: Vec::new(),
            bounds: OnceLock::new(),
            measured: None,
            unknown: Vec::new(),
        }
    }
}

impl<const D: usize> AgentIndex<D> {
    /// Indexes the first `agents` rows of `position`, except those in `strays` (ascending).
    pub(crate) fn rebuild(
        &mut self,
        level: Level,
        position: &[Vec<f32>; D],
        agents: usize,
        strays: &[u32],
        period: &[f32; D],
    ) {
        self.start(level, agents, strays, period);
        let chunks = 0..self.leaves.len();
        self.enclose(level, position, agents, chunks, period);
        if let Some(bounds) = self.bounds.get_mut() {
            bounds.measure(level, position, agents, Some(&self.members), period, GRAIN);
        }
        self.plant();
    }

    /// Measures only the boxes of the chunks in `own`. The other rows are in no box until [`include`](Self::include)
    /// measures the box of their chunk; the tree is complete once [`leaves`](Self::leaves) holds the boxes of all
    /// chunks.
    pub(crate) fn rebuild_own(
        &mut self,
        level: Level,
        position: &[Vec<f32>; D],
        agents: usize,
        own: Range<usize>,
        period: &[f32; D],
    ) {
        self.start(level, agents, &[], period);
        self.members[..own.start * CLUSTERS].fill(0);
        self.members[own.end * CLUSTERS..].fill(0);
        self.unknown.resize(self.leaves.len(), true);
        self.unknown[own.clone()].fill(false);
        for column in self.boxes.centre.iter_mut() {
            column[..own.start * CLUSTERS].fill(f32::NAN);
            column[own.end * CLUSTERS..].fill(f32::NAN);
        }
        self.enclose(level, position, agents, own, period);
        self.bounds.take();
    }

    /// The boxes of all chunks, for their exchange between ranks.
    pub(crate) fn leaves(&mut self) -> &mut [Leaf<D>] {
        &mut self.leaves
    }

    /// The number of chunks.
    pub(crate) fn chunks(&self) -> usize {
        self.leaves.len()
    }

    /// Measures the boxes of a chunk whose rows are present now, unless it has them.
    pub(crate) fn include(&mut self, level: Level, position: &[Vec<f32>; D], chunk: usize, period: &[f32; D]) {
        let Some((_, _, agents)) = self.measured.filter(|_| self.is_unknown(chunk * CHUNK)) else { return };
        self.unknown[chunk] = false;
        for cluster in chunk * CLUSTERS..(chunk + 1) * CLUSTERS {
            self.members[cluster] = all_of(cluster, agents);
        }
        let leaf = self.leaves[chunk];
        self.enclose(level, position, agents, chunk..chunk + 1, period);
        // The tree has the box that the chunk's rank measured.
        self.leaves[chunk] = leaf;
        self.bounds.take();
    }

    /// Returns whether the positions of a row's chunk are from an earlier tick, because it belongs to another rank.
    pub(crate) fn is_unknown(&self, row: usize) -> bool {
        self.unknown.get(row / CHUNK).is_some_and(|&unknown| unknown)
    }

    /// Makes room for the boxes of the first `agents` rows, except those in `strays`.
    fn start(&mut self, level: Level, agents: usize, strays: &[u32], period: &[f32; D]) {
        let chunks = agents.div_ceil(CHUNK);
        self.boxes.resize(chunks);
        self.unknown.clear();
        self.members.clear();
        self.members.extend((0..chunks * CLUSTERS).map(|cluster| all_of(cluster, agents)));
        for &row in strays {
            self.members[row as usize / CLUSTER] &= !(1 << (row as usize % CLUSTER));
        }
        let empty = Leaf { envelope: AABB::from_point([0.0; D]), chunk: 0 };
        self.leaves.resize(chunks, empty);
        self.measured = Some((level, *period, agents));
        self.moved = 0.0;
    }

    /// Measures the boxes of these chunks.
    fn enclose(
        &mut self,
        level: Level,
        position: &[Vec<f32>; D],
        agents: usize,
        chunks: Range<usize>,
        period: &[f32; D],
    ) {
        let members = &self.members;
        let columns = (
            ChunkedColumn(&mut self.leaves, 1),
            ChunkedAxes::<D, CLUSTERS>::new(&mut self.boxes.centre),
            ChunkedAxes::<D, CLUSTERS>::new(&mut self.boxes.half),
        );
        for_each_chunk_of(chunks, GRAIN, columns, &|chunk, (leaf, mut centre, mut half)| {
            let first = chunk * CHUNK;
            let rows = (agents - first).clamp(0, CHUNK);
            let positions = kernels::rows(position, first..first + rows.next_multiple_of(CLUSTER));
            let (members, _) = members[chunk * CLUSTERS..].as_chunks();
            enclose(level, &positions, &members[0], period, &mut centre.0, &mut half.0);
            leaf.0[0] = Leaf { envelope: box_around(&centre.0, &half.0, period), chunk: chunk as u32 };
        });
    }

    /// Builds the tree over the boxes of all chunks.
    pub(crate) fn plant(&mut self) {
        self.tree = ChunkTree::of(&self.leaves);
    }

    /// Returns the rows of a cluster that are in its box, one bit each; none if the cluster is not indexed.
    pub(crate) fn members(&self, cluster: usize) -> u16 {
        self.members.get(cluster).copied().unwrap_or(0)
    }

    /// The instruction set with which the boxes were measured, if they were.
    pub(crate) fn level(&self) -> Option<Level> {
        self.measured.map(|(level, ..)| level)
    }

    /// Returns the hierarchy for searches from a point; `None` before boxes were measured. A world without such
    /// searches does not pay for it: see [`AgentIndex`].
    pub(crate) fn bounds(&self, position: &[Vec<f32>; D]) -> Option<&BoxHierarchy<D>> {
        let (level, period, agents) = self.measured?;
        Some(self.bounds.get_or_init(|| BoxHierarchy::measured(level, position, agents, &self.members, &period)))
    }

    /// Fills `found` with the chunks whose boxes are within `radius` of the box, each once, in a world with this
    /// `period`.
    pub(crate) fn chunks_within(
        &self,
        envelope: &AABB<[f32; D]>,
        radius: f32,
        period: &[f32; D],
        found: &mut ChunkList<D>,
    ) {
        let ChunkList { numbers, boxes } = found;
        numbers.clear();
        self.visit_chunks(envelope, radius, period, &mut |chunk| numbers.push(chunk));
        numbers.sort_unstable();
        numbers.dedup();
        boxes.clear();
        boxes.resize(numbers.len().div_ceil(CLUSTERS) + 1);
        for (place, &chunk) in numbers.iter().enumerate() {
            let envelope = self.leaves[chunk as usize].envelope;
            let (lower, upper) = (envelope.lower(), envelope.upper());
            for axis in 0..D {
                boxes.centre[axis][place] = 0.5 * (lower[axis] + upper[axis]);
                let slack = SLACK * (lower[axis].abs() + upper[axis].abs());
                boxes.half[axis][place] = 0.5 * (upper[axis] - lower[axis]) + slack;
            }
        }
    }

    /// Calls `visit` with the chunks whose boxes are within `radius` of the box, in any order, possibly more than once.
    fn visit_chunks(&self, envelope: &AABB<[f32; D]>, radius: f32, period: &[f32; D], visit: &mut impl FnMut(u32)) {
        let Some(all) = self.tree.envelope() else { return };
        let (mut lower, mut upper) = (envelope.lower(), envelope.upper());
        for axis in 0..D {
            let reach = radius * (1.0 + 1e-5) + SLACK * (lower[axis].abs() + upper[axis].abs());
            lower[axis] -= reach;
            upper[axis] += reach;
            // A box that spans the period intersects all images of all boxes.
            if upper[axis] - lower[axis] >= period[axis] {
                (lower[axis], upper[axis]) = (f32::MIN, f32::MAX);
            }
        }
        for image in 0..3usize.pow(D as u32) {
            let (mut low, mut high, mut rest, mut intersects) = (lower, upper, image, true);
            for axis in 0..D {
                let step = [0.0, -1.0, 1.0][rest % 3];
                rest /= 3;
                if step != 0.0 {
                    intersects &= period[axis] < f32::INFINITY && lower[axis] > f32::MIN;
                    low[axis] += step * period[axis];
                    high[axis] += step * period[axis];
                }
                intersects &= low[axis] <= all.upper()[axis] && high[axis] >= all.lower()[axis];
            }
            if intersects {
                self.tree.visit(AABB::from_corners(low, high), visit);
            }
        }
    }

    /// Returns whether a pair within `radius` of one of a cluster's members may lie across a seam.
    fn at_seam(&self, cluster: usize, radius: f32, period: &[f32; D]) -> bool {
        !(0..D).all(|axis| {
            let reach = self.boxes.half[axis][cluster] + self.moved + radius;
            is_inside(self.boxes.centre[axis][cluster], reach, period[axis])
        })
    }

    /// Returns whether a pair within `radius` of any agent of a cluster may lie across a seam. Strays are tested by
    /// their positions.
    pub(crate) fn any_at_seam(&self, cluster: usize, radius: f32, period: &[f32; D], position: &[Vec<f32>; D]) -> bool {
        let others = !self.members(cluster);
        if others != u16::MAX && self.at_seam(cluster, radius, period) {
            return true;
        }
        ones(others).map(|lane| cluster * CLUSTER + lane).any(|row| {
            let inside = |axis: usize| {
                // Boxes include a margin for rounding; positions do not.
                let reach = radius + SLACK * period[axis];
                position[axis].get(row).is_none_or(|&at| is_inside(at, reach, period[axis]))
            };
            !(0..D).all(inside)
        })
    }

    /// Returns one bit for each cluster of a chunk: whether a pair within `radius` of one of its agents may lie across
    /// a seam.
    pub(crate) fn seams(&self, chunk: usize, radius: f32, period: &[f32; D], position: &[Vec<f32>; D]) -> u16 {
        let Some(leaf) = self.leaves.get(chunk) else { return u16::MAX };
        let (envelope, reach) = (leaf.envelope, self.moved + radius);
        let inside = (0..D).all(|axis| {
            envelope.lower()[axis] - reach >= 0.0 && envelope.upper()[axis] + reach <= period[axis]
                || period[axis] == f32::INFINITY
        });
        let full = |cluster: usize| self.members(chunk * CLUSTERS + cluster) == u16::MAX;
        let at_seam = |&cluster: &usize| {
            !(inside && full(cluster)) && self.any_at_seam(chunk * CLUSTERS + cluster, radius, period, position)
        };
        (0..CLUSTERS).filter(at_seam).fold(0, |seams, cluster| seams | 1 << cluster)
    }

    /// Returns the reach of a cluster's agents. Agents within `counted`, at least `radius`, count towards a limit.
    /// `each_other` is set if the agents perceive their own species.
    pub(crate) fn reach(
        &self,
        cluster: usize,
        radius: f32,
        counted: f32,
        each_other: bool,
        period: &[f32; D],
    ) -> Reach<D> {
        Reach {
            own: each_other.then_some(cluster as u32),
            centre: std::array::from_fn(|axis| self.boxes.centre[axis][cluster]),
            half: std::array::from_fn(|axis| self.boxes.half[axis][cluster]),
            squared: radius * radius,
            counted: counted * counted,
            period: *period,
            wraps: self.at_seam(cluster, counted, period),
        }
    }

    /// Returns the number of certain pairs: an agent in a chunk of `other` and an agent in one of `chunks` whose boxes
    /// are within `radius` of that chunk entirely.
    pub(crate) fn certain_pairs(&self, other: &Self, chunk: usize, radius: f32, chunks: &ChunkList<D>) -> u64 {
        let Some(own) = other.chunk_box(chunk) else { return 0 };
        let farthest = |place: usize| {
            let far = |axis: usize| {
                let (centre, half) = (chunks.boxes.centre[axis][place], chunks.boxes.half[axis][place]);
                let (below, above) = (own.upper()[axis] - (centre - half), centre + half - own.lower()[axis]);
                if below > above { below } else { above }
            };
            (0..D).map(|axis| far(axis) * far(axis)).fold(0.0, |sum, squared| sum + squared)
        };
        let near = chunks.numbers.iter().enumerate().filter(|(place, _)| farthest(*place) <= radius * radius);
        other.agents_in(chunk) * near.map(|(_, &chunk)| self.agents_in(chunk as usize)).sum::<u64>()
    }

    /// Returns the number of a chunk's agents in its box.
    fn agents_in(&self, chunk: usize) -> u64 {
        (chunk * CLUSTERS..(chunk + 1) * CLUSTERS).map(|cluster| u64::from(self.members(cluster).count_ones())).sum()
    }

    /// Returns the largest absolute coordinate of any agent.
    pub(crate) fn extent(&self) -> f32 {
        let Some(all) = self.tree.envelope() else { return 0.0 };
        let coordinates = all.lower().into_iter().chain(all.upper());
        coordinates.fold(0.0, |largest, coordinate| if coordinate.abs() > largest { coordinate.abs() } else { largest })
    }

    /// Returns the measured box of one chunk; `None` without placed rows.
    pub(crate) fn chunk_box(&self, chunk: usize) -> Option<AABB<[f32; D]>> {
        self.leaves.get(chunk).filter(|leaf| leaf.has_box()).map(|leaf| leaf.envelope)
    }

    /// Returns a box that contains the present positions of a cluster's members; `None` without members.
    pub(crate) fn cluster_bounds(&self, cluster: usize) -> Option<Aabb<D>> {
        // Agents of this tick may lie in clusters that have no box yet.
        (self.members(cluster) != 0).then(|| {
            let half = Vector::from_fn(|axis| self.boxes.half[axis][cluster] + self.moved);
            let centre = Vector::from_fn(|axis| self.boxes.centre[axis][cluster]);
            Aabb { centre, half }
        })
    }

    /// Returns a box that contains the present positions of a chunk's members; `None` without members.
    pub(crate) fn chunk_bounds(&self, chunk: usize) -> Option<Aabb<D>> {
        let envelope = self.chunk_box(chunk)?;
        let (lower, upper) = (Vector(envelope.lower()), Vector(envelope.upper()));
        let half = (upper - lower) * 0.5 + Vector::splat(self.moved);
        Some(Aabb { centre: (lower + upper) * 0.5, half })
    }

    /// Returns whether a row is in the box of its cluster.
    #[inline]
    pub(crate) fn is_member(&self, row: usize) -> bool {
        self.members(row / CLUSTER) >> (row % CLUSTER) & 1 == 1
    }

    /// Makes a row loose, so that its position may be outside its cluster's box. Returns whether it may have been in
    /// the box.
    pub(crate) fn make_loose(&mut self, row: usize) -> bool {
        let Some(members) = self.members.get_mut(row / CLUSTER) else { return true };
        let bit = 1 << (row % CLUSTER);
        let was_member = *members & bit != 0;
        *members &= !bit;
        was_member || self.measured.is_none_or(|(_, _, rows)| row >= rows)
    }
}

/// Returns the rows of a cluster among `agents` rows, one bit each.
fn all_of(cluster: usize, agents: usize) -> u16 {
    let rows = agents.saturating_sub(cluster * CLUSTER).clamp(0, CLUSTER);
    ((1u32 << rows) - 1) as u16
}

/// Returns whether everything within `reach` of a coordinate is between the seams of an axis.
#[inline]
fn is_inside(at: f32, reach: f32, period: f32) -> bool {
    period == f32::INFINITY || (at - reach >= 0.0 && at + reach <= period)
}

/// Returns the box around the boxes of one chunk's clusters; in a periodic world, around the images nearest to the
/// first one.
fn box_around<const D: usize>(centre: &AxesMut<'_, D>, half: &AxesMut<'_, D>, period: &[f32; D]) -> AABB<[f32; D]> {
    let (mut lower, mut upper) = ([0.0; D], [0.0; D]);
    for axis in 0..D {
        let anchor = centre[axis].iter().copied().find(|centre| !centre.is_nan()).unwrap_or(f32::NAN);
        let (mut low, mut high) = (0.0, 0.0);
        for cluster in 0..CLUSTERS {
            let offset = nearest_image(centre[axis][cluster] - anchor, period[axis]);
            let half = half[axis][cluster];
            // Clusters without members have a NaN centre, which fails both tests.
            if offset - half < low {
                low = offset - half;
            }
            if offset + half > high {
                high = offset + half;
            }
        }
        let slack = SLACK * if period[axis] < f32::INFINITY { period[axis] } else { anchor.abs() + (high - low) };
        // Centres are inside the world, so the distance between two is at most one period.
        let middle = anchor + 0.5 * (low + high);
        let shift = if period[axis] == f32::INFINITY {
            0.0
        } else if middle < 0.0 {
            period[axis]
        } else if middle >= period[axis] {
            -period[axis]
        } else {
            0.0
        };
        (lower[axis], upper[axis]) = (anchor + shift + low - slack, anchor + shift + high + slack);
    }
    AABB::from_corners(lower, upper)
}
