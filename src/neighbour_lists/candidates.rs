//! CandidateList: the agents that a group looks at, in ascending row order: those of other clusters within the radius of
//! its cluster's box, or of the group's own agents.
//!
//! Boxes do not hold rows out of place ([`Strays`](crate::index::strays::Strays)). What these add is found before, by searches
//! from their points ([`Patch`]).

use crate::agents::Agents;
use crate::kernels::boxes::SLACK;
use crate::kernels::cull::{ChunkList, ClusterList, Reach, RowList, clusters_within, gather};
use crate::kernels::group::group;
use crate::kernels::pairs::CandidateList;
use crate::kernels::prune::prune;
use crate::kernels::{self, CHUNK, CLUSTER, CLUSTERS, GROUPS};
use crate::neighbour_lists::budget::Count;
use crate::neighbour_lists::candidate_limit::{self, Distances};
use crate::neighbour_lists::list_lifetime::ListMode;
use crate::neighbour_lists::patches::Patch;
use crate::neighbour_lists::plan::Pass;
use crate::tick::scratch::Scratch;
use crate::tick::steer::Steering;

/// Chunks that are searched between two checks for too many agents.
const AT_ONCE: usize = 32;

/// The number of clusters nearby, and the width of a box in radii, from which a cluster looks for candidates agent by
/// agent: one agent's surroundings are much smaller than the box's.
const WIDE: (usize, f32) = (64, 6.0);

/// The candidates of the groups of one chunk, for each pass of their species.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChunkLists {
    passes: Vec<PassLists>,
    /// For each pass, whether the kept lists are used unchanged.
    as_kept: Vec<bool>,
}

/// The candidates of the groups of one chunk, for one pass: one list after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct PassLists {
    pub(crate) rows: RowList,
    /// Where the rows of each group end.
    pub(crate) ends: [usize; GROUPS],
    capped: [bool; CLUSTERS],
}

/// The lists of a chunk in one tick: for each pass those that were kept, or those made for this tick alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TickLists<'a> {
    made: &'a ChunkLists,
    kept: Option<&'a ChunkLists>,
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
    fn clear(&mut self) {
        self.rows.truncate(0);
        self.ends = [0; GROUPS];
        self.capped = [false; CLUSTERS];
    }
}

/// Buffers of the search for candidates.
#[derive(Debug, Default)]
pub(crate) struct CandidateFinder<const D: usize> {
    chunks: ChunkList<D>,
    clusters: ClusterList,
    distances: Distances,
    /// Rows to be added to a list.
    extra: Vec<u32>,
    /// Rows to be added to the lists of a chunk, and where.
    added: Vec<(usize, u32)>,
    /// The candidates that are counted.
    counted: RowList,
    /// The list of a cluster's second group.
    second: RowList,
}

impl<const D: usize> Steering<'_, D> {
    /// Finds the candidates of one chunk in each pass. Lists that last go into `kept`, those of this tick into `made`;
    /// `patches` is what rows out of place add to both.
    pub(crate) fn find_candidates<'l>(
        &self,
        chunk: usize,
        modes: &[ListMode],
        patches: &[Patch],
        mut kept: Option<&'l mut ChunkLists>,
        finder: &mut CandidateFinder<D>,
        made: &'l mut ChunkLists,
    ) -> TickLists<'l> {
        let passes = self.plan.passes.len();
        made.passes.resize_with(passes, PassLists::default);
        made.as_kept.resize(passes, false);
        if let Some(kept) = &mut kept {
            kept.passes.resize_with(passes, PassLists::default);
        }
        for (number, pass) in self.plan.passes.iter().enumerate() {
            let kept = kept.as_deref_mut().map(|kept| &mut kept.passes[number]);
            let (skin, lists, lasts) = match (modes[number], kept) {
                (ListMode::Keep(_), Some(kept)) => (None, kept, true),
                (ListMode::Build(skin), Some(kept)) => (Some(skin), kept, true),
                _ => (Some(0.0), &mut made.passes[number], false),
            };
            if let Some(skin) = skin {
                self.find_placed(chunk, pass, skin, finder, lists);
            }
            self.patch(chunk, &patches[number], lists, &mut finder.extra, &mut finder.added);
            made.as_kept[number] = lasts;
        }
        let lists = TickLists { made, kept: kept.map(|kept| &*kept) };
        if cfg!(debug_assertions) {
            self.check_lists(chunk, lists);
        }
        lists
    }

    /// Fills the lists of one chunk with all rows in their places within the radius of a pass and `skin` metres around
    /// it.
    fn find_placed(
        &self,
        chunk: usize,
        pass: &Pass,
        skin: f32,
        finder: &mut CandidateFinder<D>,
        lists: &mut PassLists,
    ) {
        lists.clear();
        let period = self.world.settings.period();
        let Some(chunk_box) = self.own.index.chunk_box(chunk) else { return };
        let (index, moved) = (&self.their_places(pass).index, self.moved(pass));
        index.chunks_within(&chunk_box, pass.radius + skin + moved, &period, &mut finder.chunks);
        let reach = pass.radius + skin + self.slack();
        let groups = self.groups();
        for cluster in 0..self.clusters_of(chunk) {
            let start = lists.rows.len();
            let ends = &mut lists.ends[cluster * groups..(cluster + 1) * groups];
            ends.fill(start);
            let members = self.own.index.members(chunk * CLUSTERS + cluster);
            if members != 0 {
                lists.capped[cluster] = self.find(chunk, cluster, pass, skin, finder, &mut lists.rows);
                if skin > 0.0 || groups > 1 {
                    let observers = self.cluster_observers(chunk, cluster, pass, reach);
                    let position = self.positions(pass);
                    ends[0] = lists.rows.divide(start, &mut finder.second, |rows, second| {
                        prune(self.level, &observers, cluster, members, &position, reach, rows, second)
                    });
                }
            }
            ends[groups - 1] = lists.rows.len();
        }
        lists.ends[self.clusters_of(chunk) * groups..].fill(lists.rows.len());
    }

    /// How far a cluster's box reaches: agents within `radius` and `skin`, found in boxes that were measured `moved`
    /// metres ago.
    fn reach(&self, cluster: usize, pass: &Pass, moved: f32, skin: f32) -> Reach<D> {
        let (radius, period) = (pass.radius + skin + moved, self.world.settings.period());
        self.own.index.reach(cluster, radius, radius, self.looks_at_own(pass), &period)
    }

    /// Returns how far an agent and a neighbour together may have moved since their boxes were measured, in metres.
    fn moved(&self, pass: &Pass) -> f32 {
        self.own.index.moved + self.their_places(pass).index.moved
    }

    /// Returns how far rounding may shift the nearest image of an agent, in metres.
    pub(crate) fn slack(&self) -> f32 {
        let period = self.world.settings.period();
        period.iter().filter(|&&period| period < f32::INFINITY).map(|period| SLACK * period).sum()
    }

    /// Returns how many pairs a cluster of at least `agents` agents looks at.
    pub(crate) fn pairs_of(
        &self,
        cluster: usize,
        agents: usize,
        pass: &Pass,
        candidates: &CandidateList<'_, D>,
    ) -> u64 {
        let (groups, size) = (self.groups(), group(self.level));
        let mates = if self.looks_at_own(pass) { agents.clamp(0, CLUSTER) } else { 0 };
        let pairs = |half: usize| {
            let lanes = agents.saturating_sub(half * size).clamp(0, size);
            ((candidates.of(cluster * groups + half).len() + mates) * lanes) as u64
        };
        (0..groups).map(pairs).sum()
    }

    /// Returns the number of groups in a cluster.
    pub(crate) fn groups(&self) -> usize {
        CLUSTER / group(self.level)
    }

    /// The agents of its cluster that are in a group, one bit each.
    pub(crate) fn lanes_of(&self, group: usize) -> u16 {
        let lanes = CLUSTER / self.groups();
        u16::MAX >> (CLUSTER - lanes) << (group * lanes % CLUSTER)
    }

    /// Returns the number of clusters of a chunk that have agents.
    pub(crate) fn clusters_of(&self, chunk: usize) -> usize {
        self.agents.chunk_rows(chunk).len() / CLUSTER
    }

    /// Appends the rows in their places within the radius of a pass and a skin of a cluster. Where there are more than
    /// the limit on crowds, appends those of the nearest clusters only, and returns `true`.
    fn find(
        &self,
        chunk: usize,
        cluster: usize,
        pass: &Pass,
        skin: f32,
        finder: &mut CandidateFinder<D>,
        found: &mut RowList,
    ) -> bool {
        let number = chunk * CLUSTERS + cluster;
        let reach = self.reach(number, pass, self.moved(pass), skin);
        let index = &self.their_places(pass).index;
        let position = self.positions(pass);
        let Some(most) = self.most else {
            clusters_within(self.level, &reach, &index.boxes, finder.chunks.all(), &mut finder.clusters);
            if self.is_wide(&reach, pass, finder.clusters.as_slice().len()) {
                self.find_one_by_one(number, pass, skin, &mut finder.extra, found);
            } else {
                gather(self.level, &reach, &position, finder.clusters.as_slice(), usize::MAX, found);
            }
            return false;
        };
        let CandidateFinder { chunks, clusters, distances, .. } = finder;
        let chunks = chunks.all();
        let (start, mut counted) = (found.len(), 0);
        for first in (0..chunks.numbers.len()).step_by(AT_ONCE) {
            let some = chunks.part(first..(first + AT_ONCE).clamp(0, chunks.numbers.len()));
            clusters_within(self.level, &reach, &index.boxes, some, clusters);
            counted += gather(self.level, &reach, &position, clusters.as_slice(), most - counted, found);
            if counted > most {
                break;
            }
        }
        let too_many = counted > most;
        if too_many {
            found.truncate(start);
            let near = candidate_limit::CrowdedCluster { level: self.level, reach, boxes: &index.boxes, chunks };
            near.nearest(most / CLUSTER, clusters, distances);
            gather(self.level, &reach, &position, clusters.as_slice(), usize::MAX, found);
        }
        too_many
    }

    /// Returns whether the surroundings of a cluster's box are much larger than those of its agents.
    fn is_wide(&self, reach: &Reach<D>, pass: &Pass, clusters: usize) -> bool {
        clusters > WIDE.0 && reach.half.iter().any(|&half| 2.0 * half > WIDE.1 * pass.radius)
    }

    /// Appends what each agent of a cluster finds by itself.
    fn find_one_by_one(&self, cluster: usize, pass: &Pass, skin: f32, extra: &mut Vec<u32>, found: &mut RowList) {
        extra.clear();
        let mut members = self.own.index.members(cluster);
        while members != 0 {
            let row = cluster * CLUSTER + members.trailing_zeros() as usize;
            members &= members - 1;
            self.find_around(self.agents.position(row), pass, skin, extra);
        }
        let own = if self.looks_at_own(pass) { cluster as u32 } else { u32::MAX };
        extra.retain(|row| row / CLUSTER as u32 != own);
        extra.sort_unstable();
        extra.dedup();
        found.extend(extra);
    }

    /// Counts the pairs that the clusters of a chunk have to look at, at most, until `budget` is exceeded.
    pub(crate) fn count_pairs(&self, chunk: usize, count: Count, budget: &dyn Fn(u64) -> bool) {
        self.with_scratch(|Scratch { finder, .. }| {
            let (period, Some(chunk_box)) = (self.world.settings.period(), self.own.index.chunk_box(chunk)) else {
                return;
            };
            for pass in &self.plan.passes {
                let index = &self.their_places(pass).index;
                index.chunks_within(&chunk_box, pass.radius, &period, &mut finder.chunks);
                let pairs = match count {
                    Count::Certain => index.certain_pairs(&self.own.index, chunk, pass.radius, &finder.chunks),
                    Count::Chunks => (finder.chunks.numbers.len() * CHUNK * CHUNK) as u64,
                    Count::Clusters | Count::Rows => 0,
                };
                if budget(pairs) {
                    return;
                }
                if matches!(count, Count::Certain | Count::Chunks) {
                    continue;
                }
                for cluster in 0..self.clusters_of(chunk) {
                    let number = chunk * CLUSTERS + cluster;
                    let reach = self.reach(number, pass, 0.0, 0.0);
                    clusters_within(self.level, &reach, &index.boxes, finder.chunks.all(), &mut finder.clusters);
                    let clusters = finder.clusters.as_slice().len();
                    let found = &mut finder.counted;
                    found.truncate(0);
                    let candidates = if self.is_wide(&reach, pass, clusters) {
                        self.find_one_by_one(number, pass, 0.0, &mut finder.extra, found);
                        found.len()
                    } else if count == Count::Rows {
                        let clusters = finder.clusters.as_slice();
                        gather(self.level, &reach, &self.positions(pass), clusters, usize::MAX, found)
                    } else {
                        clusters * CLUSTER
                    };
                    if budget((candidates * CLUSTER) as u64) {
                        return;
                    }
                }
            }
        });
    }
}
