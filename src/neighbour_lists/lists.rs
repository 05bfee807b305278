//! Candidate lists of the groups of a chunk, made for one tick or kept for several, and the buffers of their search.

use crate::agents::Agents;
use crate::kernels::cull::{ChunkList, ClusterList, RowList};
use crate::kernels::nearest_walk::NearestDistances;
use crate::kernels::pairs::CandidateList;
use crate::kernels::{self, CLUSTERS, GROUPS};
use crate::neighbour_lists::candidate_limit::Distances;

/// The candidates of the groups of one chunk, for each pass of their species.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChunkLists {
    pub(crate) passes: Vec<PassLists>,
    /// For each pass, whether the kept lists are used unchanged.
    pub(crate) as_kept: Vec<bool>,
}

/// The candidates of the groups of one chunk, for one pass: one list after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct PassLists {
    pub(crate) rows: RowList,
    /// Where the rows of each group end.
    pub(crate) ends: [usize; GROUPS],
    pub(crate) capped: [bool; CLUSTERS],
}

/// The lists of a chunk in one tick: for each pass those that were kept, or the lists made for this tick only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TickLists<'a> {
    pub(crate) made: &'a ChunkLists,
    pub(crate) kept: Option<&'a ChunkLists>,
}

impl<'a> TickLists<'a> {
    fn pass(&self, pass: usize) -> &'a PassLists {
        let kept = if self.made.as_kept[pass] { self.kept } else { None };
        &kept.unwrap_or(self.made).passes[pass]
    }

    /// The candidates of the chunk's groups, rows of `others`.
    pub(crate) fn candidates<const D: usize>(&self, pass: usize, others: &'a Agents<D>) -> CandidateList<'a, D> {
        let lists = self.pass(pass);
        let all = 0..others.position[0].len();
        CandidateList {
            rows: lists.rows.as_slice(),
            ends: &lists.ends,
            position: kernels::rows(&others.position, all.clone()),
            velocity: kernels::rows(&others.velocity, all),
        }
    }

    /// Returns whether a cluster looks at only some of its candidates.
    pub(crate) fn capped(&self, pass: usize, cluster: usize) -> bool {
        self.pass(pass).capped[cluster]
    }
}

impl PassLists {
    pub(crate) fn clear(&mut self) {
        self.rows.truncate(0);
        self.ends = [0; GROUPS];
        self.capped = [false; CLUSTERS];
    }
}

/// Buffers of the search for candidates.
#[derive(Debug, Default)]
pub(crate) struct CandidateFinder<const D: usize> {
    pub(crate) chunks: ChunkList<D>,
    pub(crate) clusters: ClusterList,
    pub(crate) distances: Distances,
    /// The rows that the agents of a wide cluster find.
    pub(crate) extra: Vec<u32>,
    /// Rows that rows out of place add to a list: clusters, and some rows of each.
    pub(crate) joining: Vec<(u32, u16)>,
    /// Rows to be added to the lists of a chunk, and where.
    pub(crate) added: Vec<(usize, u32)>,
    /// The candidates that are counted.
    pub(crate) counted: RowList,
    /// The list of a cluster's second group.
    pub(crate) second: RowList,
    pub(crate) nearest: NearestFinder,
}

/// The buffers of a search for the nearest.
#[derive(Debug, Default)]
pub(crate) struct NearestFinder {
    pub(super) distances: NearestDistances,
    /// The number of the perceived species, a cluster of it, and some of its rows.
    pub(super) found: Vec<(u32, u32, u16)>,
    pub(super) rows: Vec<u32>,
    /// The squared distance, id and number of each agent that one agent sees.
    pub(super) by_id: Vec<(u32, u64, usize)>,
}
