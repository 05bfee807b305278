//! Candidates: the agents that a group looks at, in ascending row order: those of other clusters within the radius of
//! its cluster's box, or of the group's own agents.
//!
//! Boxes do not hold rows out of place ([`Strays`](crate::strays::Strays)). Every tick searches for these rows, and for
//! what each of them sees, whether lists are fresh or kept.

use rstar::AABB;

use crate::agents::Agents;
use crate::kernels::boxes::SLACK;
use crate::kernels::gather::{ChunkList, ClusterList, GENEROUS, Reach, RowList, clusters_within, gather};
use crate::kernels::group::group;
use crate::kernels::pairs::Candidates;
use crate::kernels::prune::prune;
use crate::kernels::{self, CHUNK, CLUSTER, CLUSTERS, GROUPS};
use crate::maths::Vector;
use crate::search::{Crowd, Search};
use crate::tick::budget::Count;
use crate::tick::crowd::{self, Distances};
use crate::tick::keep::Mode;
use crate::tick::plan::Pass;
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
    rows: RowList,
    ends: [usize; GROUPS],
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
    pub(crate) fn candidates<const D: usize>(&self, pass: usize, others: &'a Agents<D>) -> Candidates<'a, D> {
        let lists = self.pass(pass);
        let all = 0..others.position[0].len();
        Candidates {
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

    fn of(&self, group: usize) -> &[u32] {
        let start = if group == 0 { 0 } else { self.ends[group - 1] };
        &self.rows.as_slice()[start..self.ends[group]]
    }
}

/// Buffers of the search for candidates.
#[derive(Debug, Default)]
pub(crate) struct Finder<const D: usize> {
    chunks: ChunkList<D>,
    clusters: ClusterList,
    distances: Distances,
    /// The lists of rows in their places, where others are added to them.
    placed: PassLists,
    /// Places, among the rows out of place, of those near a chunk.
    strays: RowList,
    stray_chunks: ChunkList<D>,
    /// Rows out of place that are near a cluster.
    near: Vec<u32>,
    /// Rows to be added to a list.
    extra: Vec<u32>,
    /// The list of a cluster's second group.
    second: RowList,
}

impl<const D: usize> Steering<'_, D> {
    /// Finds the candidates of one chunk in each pass. Lists that last go into `kept`, those of this tick into `made`.
    pub(crate) fn find_candidates<'l>(
        &self,
        chunk: usize,
        modes: &[Mode],
        mut kept: Option<&'l mut ChunkLists>,
        finder: &mut Finder<D>,
        made: &'l mut ChunkLists,
    ) -> TickLists<'l> {
        let passes = self.plan.passes.len();
        made.passes.resize_with(passes, PassLists::default);
        made.as_kept.resize(passes, false);
        if let Some(kept) = &mut kept {
            kept.passes.resize_with(passes, PassLists::default);
        }
        let chunk_box = self.own.index.chunk_box(chunk);
        let displaced = (0..self.clusters_of(chunk)).any(|cluster| self.displaced(chunk, cluster) != 0);
        for (number, pass) in self.plan.passes.iter().enumerate() {
            finder.strays.truncate(0);
            if let Some(chunk_box) = &chunk_box {
                self.find_strays(chunk_box, pass, finder);
            }
            let all_placed = !displaced && finder.strays.len() == 0;
            let (made, as_kept) = (&mut made.passes[number], &mut made.as_kept[number]);
            let kept = kept.as_deref_mut().map(|kept| &mut kept.passes[number]);
            *as_kept = false;
            match (modes[number], kept) {
                (Mode::Keep, Some(_)) if all_placed => *as_kept = true,
                (Mode::Keep, Some(kept)) => self.add_strays(chunk, pass, kept, finder, made),
                (Mode::Build(skin), Some(kept)) => {
                    self.find_placed(chunk, pass, skin, finder, kept);
                    *as_kept = all_placed;
                    if !all_placed {
                        self.add_strays(chunk, pass, kept, finder, made);
                    }
                }
                _ if all_placed => self.find_placed(chunk, pass, 0.0, finder, made),
                _ => {
                    let mut placed = std::mem::take(&mut finder.placed);
                    self.find_placed(chunk, pass, 0.0, finder, &mut placed);
                    self.add_strays(chunk, pass, &placed, finder, made);
                    finder.placed = placed;
                }
            }
        }
        let lists = TickLists { made, kept: kept.map(|kept| &*kept) };
        if cfg!(debug_assertions) {
            self.check_lists(chunk, lists);
        }
        lists
    }

    /// Fills the lists of one chunk with all rows in their places within the radius of a pass and `skin` metres around
    /// it.
    fn find_placed(&self, chunk: usize, pass: &Pass, skin: f32, finder: &mut Finder<D>, lists: &mut PassLists) {
        lists.clear();
        let period = self.scene.settings.period();
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

    /// Merges the lists of rows in their places with the rows out of place nearby, and with what the cluster's own
    /// agents out of place see.
    fn add_strays(&self, chunk: usize, pass: &Pass, placed: &PassLists, finder: &mut Finder<D>, made: &mut PassLists) {
        made.clear();
        let strays = &self.their_places(pass).strays;
        let period = self.scene.settings.period();
        let groups = self.groups();
        for cluster in 0..self.clusters_of(chunk) {
            finder.near.clear();
            let number = chunk * CLUSTERS + cluster;
            if self.own.index.members(number) != 0 && finder.strays.len() > 0 {
                let reach = self.reach(number, pass, self.own.index.moved, 0.0);
                let near = finder.strays.as_slice().iter().filter(|&&place| {
                    let at = |axis: usize| strays.position[axis][place as usize];
                    reach.gap_squared(Vector::from_fn(at), &period) <= reach.squared * GENEROUS
                });
                finder.near.extend(near.map(|&place| strays.rows[place as usize]));
            }
            let own = if self.looks_at_own(pass) { number as u32 } else { u32::MAX };
            for group in cluster * groups..(cluster + 1) * groups {
                finder.extra.clear();
                finder.extra.extend(&finder.near);
                let mut displaced = self.displaced(chunk, cluster) & self.lanes_of(group);
                while displaced != 0 {
                    let row = number * CLUSTER + displaced.trailing_zeros() as usize;
                    displaced &= displaced - 1;
                    self.find_around(row, pass, 0.0, &mut finder.extra);
                }
                finder.extra.retain(|row| row / CLUSTER as u32 != own);
                finder.extra.sort_unstable();
                finder.extra.dedup();
                made.rows.extend_merged(placed.of(group), &finder.extra);
                made.ends[group] = made.rows.len();
            }
            made.capped[cluster] = placed.capped[cluster];
        }
        made.ends[self.clusters_of(chunk) * groups..].fill(made.rows.len());
    }

    /// Finds the rows out of place that are within the radius of a pass of a chunk's box.
    fn find_strays(&self, chunk_box: &AABB<[f32; D]>, pass: &Pass, finder: &mut Finder<D>) {
        let strays = &self.their_places(pass).strays;
        if strays.is_empty() {
            return;
        }
        let (period, radius) = (self.scene.settings.period(), pass.radius + self.own.index.moved);
        strays.index.chunks_within(chunk_box, radius, &period, &mut finder.stray_chunks);
        let (lower, upper) = (chunk_box.lower(), chunk_box.upper());
        let reach = Reach {
            centre: std::array::from_fn(|axis| 0.5 * (lower[axis] + upper[axis])),
            half: std::array::from_fn(|axis| 0.5 * (upper[axis] - lower[axis]) * (1.0 + SLACK)),
            squared: radius * radius,
            counted: radius * radius,
            own: None,
            wraps: period.iter().any(|&period| period < f32::INFINITY),
            period,
        };
        let position = kernels::rows(&strays.position, 0..strays.position[0].len());
        clusters_within(self.level, &reach, &strays.index.boxes, finder.stray_chunks.all(), &mut finder.clusters);
        gather(self.level, &reach, &position, finder.clusters.as_slice(), usize::MAX, &mut finder.strays);
    }

    /// Adds the rows within the radius of a pass and `skin` metres around it of one agent, wherever they are.
    fn find_around(&self, row: usize, pass: &Pass, skin: f32, extra: &mut Vec<u32>) {
        let (agents, places) = (self.others(pass), self.their_places(pass));
        let radius = (pass.radius + skin) * GENEROUS + self.slack();
        let search =
            Search { point: self.agents.position(row), radius, period: self.scene.settings.period(), by: None };
        search.rows(Crowd::of(agents, places), |row| extra.push(row));
    }

    /// The agents of a cluster that are out of place, one bit each.
    fn displaced(&self, chunk: usize, cluster: usize) -> u16 {
        let first = (chunk * CLUSTERS + cluster) * CLUSTER;
        let agents = self.agents.len().saturating_sub(first).clamp(0, CLUSTER);
        ((1u32 << agents) - 1) as u16 & !self.own.index.members(chunk * CLUSTERS + cluster)
    }

    /// How far a cluster's box reaches: agents within `radius` and `skin`, found in boxes that were measured `moved`
    /// metres ago.
    fn reach(&self, cluster: usize, pass: &Pass, moved: f32, skin: f32) -> Reach<D> {
        let (radius, period) = (pass.radius + skin + moved, self.scene.settings.period());
        self.own.index.reach(cluster, radius, radius, self.looks_at_own(pass), &period)
    }

    /// Returns how far an agent and a neighbour together may have moved since their boxes were measured, in metres.
    fn moved(&self, pass: &Pass) -> f32 {
        self.own.index.moved + self.their_places(pass).index.moved
    }

    /// Returns how far rounding may shift the nearest image of an agent, in metres.
    fn slack(&self) -> f32 {
        let period = self.scene.settings.period();
        period.iter().filter(|&&period| period < f32::INFINITY).map(|period| SLACK * period).sum()
    }

    /// Returns how many pairs a cluster of at least `agents` agents looks at.
    pub(crate) fn pairs_of(&self, cluster: usize, agents: usize, pass: &Pass, candidates: &Candidates<'_, D>) -> u64 {
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
        finder: &mut Finder<D>,
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
        let Finder { chunks, clusters, distances, .. } = finder;
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
            let near = crowd::Near { level: self.level, reach, boxes: &index.boxes, chunks };
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
            self.find_around(row, pass, skin, extra);
        }
        let own = if self.looks_at_own(pass) { cluster as u32 } else { u32::MAX };
        extra.retain(|row| row / CLUSTER as u32 != own);
        extra.sort_unstable();
        extra.dedup();
        found.extend_merged(extra, &[]);
    }

    /// Counts the pairs that the clusters of a chunk have to look at, at most, until `budget` is exceeded.
    pub(crate) fn count_pairs(&self, chunk: usize, count: Count, budget: &dyn Fn(u64) -> bool) {
        self.with_scratch(|Scratch { finder, .. }| {
            let (period, Some(chunk_box)) = (self.scene.settings.period(), self.own.index.chunk_box(chunk)) else {
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
                    let found = &mut finder.strays;
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
