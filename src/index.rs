//! Which chunks are near? An R-tree over the boxes of chunks, not over agents.
//!
//! A tree with one leaf per agent costs fifty times as much as the whole rest of a tick: it is built and asked once
//! for each of 256 agents what it is asked here once for all of them. A leaf stores its box (computing it on demand
//! makes building four to nine times slower).

use std::ops::ControlFlow;

use fearless_simd::Level;
use rstar::{AABB, RStarInsertionStrategy, RTree, RTreeObject, RTreeParams};

use crate::kernels::boxes::{Boxes, SLACK, enclose};
use crate::kernels::gather::{ChunkList, Reach};
use crate::kernels::{self, AxesMut, CHUNK, CLUSTER, CLUSTERS};
use crate::parallel::{Column, Columns, for_each_chunk};
use crate::scenery::tree::Bounds;
use crate::settings::nearest_image;
use crate::vector::Vector;

/// One chunk in the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf<const D: usize> {
    envelope: AABB<[f32; D]>,
    chunk: u32,
}

impl<const D: usize> RTreeObject for Leaf<D> {
    type Envelope = AABB<[f32; D]>;

    #[inline(always)]
    fn envelope(&self) -> Self::Envelope {
        self.envelope
    }
}

/// Node sizes of the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nodes;

impl RTreeParams for Nodes {
    const MIN_SIZE: usize = 3;
    const MAX_SIZE: usize = 8;
    const REINSERTION_COUNT: usize = 1;
    type DefaultInsertionStrategy = RStarInsertionStrategy;
}

/// The spatial index of one species: boxes of clusters, and a tree over the boxes of chunks.
#[derive(Clone, Debug)]
pub(crate) struct Index<const D: usize> {
    pub(crate) boxes: Boxes<D>,
    leaves: Vec<Leaf<D>>,
    /// How far agents may have moved since the boxes were measured, in metres.
    pub(crate) moved: f32,
    tree: RTree<Leaf<D>, Nodes>,
}

impl<const D: usize> Default for Index<D> {
    fn default() -> Self {
        Self { boxes: Boxes::default(), leaves: Vec::new(), moved: 0.0, tree: RTree::new_with_params() }
    }
}

impl<const D: usize> Index<D> {
    /// Indexes the first `agents` rows of `position`.
    pub(crate) fn rebuild(&mut self, level: Level, position: &[Vec<f32>; D], agents: usize, period: &[f32; D]) {
        let chunks = agents.div_ceil(CHUNK);
        self.boxes.resize(chunks);
        let nowhere = Leaf { envelope: AABB::from_point([0.0; D]), chunk: 0 };
        self.leaves.resize(chunks, nowhere);
        let columns = (
            Column(&mut self.leaves, 1),
            Columns::<D, CLUSTERS>::new(&mut self.boxes.centre),
            Columns::<D, CLUSTERS>::new(&mut self.boxes.half),
        );
        for_each_chunk(chunks, 8, columns, &|chunk, (leaf, mut centre, mut half)| {
            let first = chunk * CHUNK;
            let rows = (agents - first).clamp(0, CHUNK);
            let positions = kernels::rows(position, first..first + rows.next_multiple_of(CLUSTER));
            enclose(level, &positions, rows, period, &mut centre.0, &mut half.0);
            leaf.0[0] = Leaf { envelope: around(&centre.0, &half.0, period), chunk: chunk as u32 };
        });
        self.moved = 0.0;
        self.tree = RTree::bulk_load_with_params(self.leaves.clone());
    }

    /// Fills `found` with the chunks (each once) that come within `radius` of the box, in a world that repeats every
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
            let envelope = self.envelope(chunk as usize);
            let (lower, upper) = (envelope.lower(), envelope.upper());
            for axis in 0..D {
                boxes.centre[axis][place] = 0.5 * (lower[axis] + upper[axis]);
                let slack = SLACK * (lower[axis].abs() + upper[axis].abs());
                boxes.half[axis][place] = 0.5 * (upper[axis] - lower[axis]) + slack;
            }
        }
    }

    /// Shows the chunks that come within `radius` of the box, in any order, some of them more than once.
    fn visit_chunks(&self, envelope: &AABB<[f32; D]>, radius: f32, period: &[f32; D], visit: &mut impl FnMut(u32)) {
        if self.leaves.is_empty() {
            return;
        }
        let all = self.tree.root().envelope();
        let (mut lower, mut upper) = (envelope.lower(), envelope.upper());
        for axis in 0..D {
            let reach = radius * (1.0 + 1e-5) + SLACK * (lower[axis].abs() + upper[axis].abs());
            lower[axis] -= reach;
            upper[axis] += reach;
            // A box that goes all the way round meets every image of everything.
            if upper[axis] - lower[axis] >= period[axis] {
                (lower[axis], upper[axis]) = (f32::MIN, f32::MAX);
            }
        }
        for image in 0..3usize.pow(D as u32) {
            let (mut low, mut high, mut rest, mut meets) = (lower, upper, image, true);
            for axis in 0..D {
                let step = [0.0, -1.0, 1.0][rest % 3];
                rest /= 3;
                if step != 0.0 {
                    meets &= period[axis] < f32::INFINITY && lower[axis] > f32::MIN;
                    low[axis] += step * period[axis];
                    high[axis] += step * period[axis];
                }
                meets &= low[axis] <= all.upper()[axis] && high[axis] >= all.lower()[axis];
            }
            if meets {
                let _: ControlFlow<()> =
                    self.tree.locate_in_envelope_intersecting_int(AABB::from_corners(low, high), |leaf| {
                        visit(leaf.chunk);
                        ControlFlow::Continue(())
                    });
            }
        }
    }

    /// Shows the first rows of the clusters that come within `radius` of a point of the world, in any order, some of
    /// them more than once. Tells how many chunks were looked at, those looked at twice counted twice.
    pub(crate) fn visit_clusters(
        &self,
        point: Vector<D>,
        radius: f32,
        period: &[f32; D],
        mut visit: impl FnMut(usize),
    ) -> usize {
        let mut chunks = 0;
        let radius = radius + self.moved;
        let reach = radius * radius * (1.0 + 1e-5);
        self.visit_chunks(&AABB::from_point(point.0), radius, period, &mut |chunk| {
            chunks += 1;
            for cluster in chunk as usize * CLUSTERS..(chunk as usize + 1) * CLUSTERS {
                if self.gap_squared(cluster, point, period) <= reach {
                    visit(cluster * CLUSTER);
                }
            }
        });
        chunks
    }

    /// The square of the distance from a point to a cluster's box; not a number where the cluster has no rows.
    fn gap_squared(&self, cluster: usize, point: Vector<D>, period: &[f32; D]) -> f32 {
        let mut squared = 0.0;
        for axis in 0..D {
            let offset = nearest_image(self.boxes.centre[axis][cluster] - point[axis], period[axis]);
            let gap = offset.abs() - self.boxes.half[axis][cluster];
            // What is no number has to reach the sum.
            squared += gap * if gap > 0.0 { gap } else { 0.0 };
        }
        squared
    }

    /// Whether a pair within `radius` of one of the cluster's agents may lie across a seam.
    pub(crate) fn at_seam(&self, cluster: usize, radius: f32, period: &[f32; D]) -> bool {
        !(0..D).all(|axis| {
            let reach = self.boxes.half[axis][cluster] + self.moved + radius;
            let centre = self.boxes.centre[axis][cluster];
            period[axis] == f32::INFINITY || (centre - reach >= 0.0 && centre + reach <= period[axis])
        })
    }

    /// One bit for each cluster of a chunk: whether a pair within `radius` of one of its agents may lie across a seam.
    pub(crate) fn seams(&self, chunk: usize, radius: f32, period: &[f32; D]) -> u16 {
        let (envelope, reach) = (self.envelope(chunk), self.moved + radius);
        let inside = (0..D).all(|axis| {
            envelope.lower()[axis] - reach >= 0.0 && envelope.upper()[axis] + reach <= period[axis]
                || period[axis] == f32::INFINITY
        });
        if inside {
            return 0;
        }
        let at_seam = |cluster: &usize| self.at_seam(chunk * CLUSTERS + cluster, radius, period);
        (0..CLUSTERS).filter(at_seam).fold(0, |seams, cluster| seams | 1 << cluster)
    }

    /// How far a cluster's agents see: those within `counted`, no less than `radius`, are counted against a limit.
    /// `each_other` if its agents look for those of their own species.
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

    /// How many chunks there are.
    pub(crate) fn chunks(&self) -> usize {
        self.leaves.len()
    }

    /// The radius of a ball about as large as a cluster: where a search for the nearest starts.
    pub(crate) fn cluster_radius(&self) -> f32 {
        let half = self.boxes.half.iter().filter_map(|half| half.first());
        half.fold(1e-3, |largest, &half| if half > largest { half } else { largest })
    }

    /// The largest coordinate of any agent, whatever its sign.
    pub(crate) fn extent(&self) -> f32 {
        if self.leaves.is_empty() {
            return 0.0;
        }
        let all = self.tree.root().envelope();
        let coordinates = all.lower().into_iter().chain(all.upper());
        coordinates.fold(0.0, |most, coordinate| if coordinate.abs() > most { coordinate.abs() } else { most })
    }

    /// The box that holds the agents of one cluster now: its centre, and half of its extent.
    pub(crate) fn cluster_bounds(&self, cluster: usize) -> Bounds<D> {
        let half = Vector::from_fn(|axis| self.boxes.half[axis][cluster] + self.moved);
        Bounds { centre: Vector::from_fn(|axis| self.boxes.centre[axis][cluster]), half }
    }

    /// The box that holds the agents of one chunk now.
    pub(crate) fn chunk_bounds(&self, chunk: usize) -> Bounds<D> {
        let envelope = self.envelope(chunk);
        let (lower, upper) = (Vector(envelope.lower()), Vector(envelope.upper()));
        Bounds { centre: (lower + upper) * 0.5, half: (upper - lower) * 0.5 + Vector::splat(self.moved) }
    }

    /// The box of one chunk.
    pub(crate) fn envelope(&self, chunk: usize) -> AABB<[f32; D]> {
        self.leaves[chunk].envelope
    }
}

/// The box around the boxes of one chunk's clusters: where the world repeats, around their images nearest to the first.
fn around<const D: usize>(centre: &AxesMut<'_, D>, half: &AxesMut<'_, D>, period: &[f32; D]) -> AABB<[f32; D]> {
    let (mut lower, mut upper) = ([0.0; D], [0.0; D]);
    for axis in 0..D {
        let anchor = centre[axis][0];
        let (mut low, mut high) = (0.0, 0.0);
        for cluster in 0..CLUSTERS {
            let offset = nearest_image(centre[axis][cluster] - anchor, period[axis]);
            let half = half[axis][cluster];
            // Clusters without a row have no centre and fail both.
            if offset - half < low {
                low = offset - half;
            }
            if offset + half > high {
                high = offset + half;
            }
        }
        let slack = SLACK * if period[axis] < f32::INFINITY { period[axis] } else { anchor.abs() + (high - low) };
        // Centres are inside the world, so that no two are further apart than one period.
        let middle = anchor + 0.5 * (low + high);
        let home = if period[axis] == f32::INFINITY {
            0.0
        } else if middle < 0.0 {
            period[axis]
        } else if middle >= period[axis] {
            -period[axis]
        } else {
            0.0
        };
        (lower[axis], upper[axis]) = (anchor + home + low - slack, anchor + home + high + slack);
    }
    AABB::from_corners(lower, upper)
}
