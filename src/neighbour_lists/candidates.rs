//! Candidates: the agents that a group looks at, in ascending row order: agents of other clusters within the radius of
//! its cluster's box, or of the group's own agents.
//!
//! Boxes do not hold rows out of place ([strays](crate::index::species_index::SpeciesIndex::strays)). Their additions
//! are found before, by searches from their points ([`Patch`]).

use crate::kernels::cull::{Reach, RowList, clusters_within, gather};
use crate::kernels::prune::prune;
use crate::kernels::{CLUSTER, CLUSTERS};
use crate::maths::ones;
use crate::neighbour_lists::candidate_limit::{self};
use crate::neighbour_lists::list_lifetime::ListMode;
use crate::neighbour_lists::lists::{CandidateFinder, ChunkLists, PassLists, TickLists};
use crate::neighbour_lists::pass::Pass;
use crate::neighbour_lists::patches::Patch;
use crate::neighbour_lists::search::NeighbourSearch;

/// Chunks that are searched between two checks for too many agents.
const AT_ONCE: usize = 32;

/// The number of clusters nearby, and the width of a box in radii, from which a cluster looks for candidates agent by
/// agent: one agent's surroundings are much smaller than the box's.
const WIDE: (usize, f32) = (64, 6.0);

impl<const D: usize> NeighbourSearch<'_, D> {
    /// Finds the candidates of one chunk in each pass. Lists that last go into `kept`, lists of this tick into `made`;
    /// `patches` has the additions of strays to both.
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
            if !pass.has_candidates {
                made.passes[number].clear();
                made.as_kept[number] = false;
                continue;
            }
            let kept = kept.as_deref_mut().map(|kept| &mut kept.passes[number]);
            let (skin, lists, lasts) = match (modes[number], kept) {
                (ListMode::Keep(_), Some(kept)) => (None, kept, true),
                (ListMode::Build(skin), Some(kept)) => (Some(skin), kept, true),
                _ => (Some(0.0), &mut made.passes[number], false),
            };
            if let Some(skin) = skin {
                self.find_placed(chunk, pass, skin, finder, lists);
            }
            self.patch(chunk, &patches[number], lists, &mut finder.joining, &mut finder.added);
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
        let Some(chunk_box) = self.own_index.placed.chunk_box(chunk) else { return };
        let (index, moved) = (&self.their_index(pass).placed, self.moved(pass));
        index.chunks_within(&chunk_box, pass.radius + skin + moved, &period, &mut finder.chunks);
        if finder.chunks.numbers.is_empty() {
            return;
        }
        let reach = pass.radius + skin + self.slack();
        let groups = self.groups();
        for cluster in 0..self.clusters_of(chunk) {
            let start = lists.rows.len();
            let ends = &mut lists.ends[cluster * groups..(cluster + 1) * groups];
            ends.fill(start);
            let members = self.own_index.placed.members(chunk * CLUSTERS + cluster);
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

    /// Appends the rows in their places within the radius of a pass and a skin of a cluster. Where there are more than
    /// the limit on crowds, appends the candidates of the nearest clusters only, and returns `true`.
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
        let index = &self.their_index(pass).placed;
        let position = self.positions(pass);
        let Some(limit) = self.limit_of(pass) else {
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
            let part = chunks.part(first..(first + AT_ONCE).clamp(0, chunks.numbers.len()));
            clusters_within(self.level, &reach, &index.boxes, part, clusters);
            counted += gather(self.level, &reach, &position, clusters.as_slice(), limit - counted, found);
            if counted > limit {
                break;
            }
        }
        let too_many = counted > limit;
        if too_many {
            found.truncate(start);
            let near = candidate_limit::CrowdedCluster { level: self.level, reach, boxes: &index.boxes, chunks };
            near.nearest(limit / CLUSTER, clusters, distances);
            gather(self.level, &reach, &position, clusters.as_slice(), usize::MAX, found);
        }
        too_many
    }

    /// Returns whether the surroundings of a cluster's box are much larger than the surroundings of its agents.
    pub(crate) fn is_wide(&self, reach: &Reach<D>, pass: &Pass, clusters: usize) -> bool {
        clusters > WIDE.0 && reach.half.iter().any(|&half| 2.0 * half > WIDE.1 * pass.radius)
    }

    /// Appends the candidates that each agent of a cluster finds by itself.
    pub(crate) fn find_one_by_one(
        &self,
        cluster: usize,
        pass: &Pass,
        skin: f32,
        extra: &mut Vec<u32>,
        found: &mut RowList,
    ) {
        extra.clear();
        let own = if self.looks_at_own(pass) { cluster as u32 } else { u32::MAX };
        for lane in ones(self.own_index.placed.members(cluster)) {
            let point = self.agents.position(cluster * CLUSTER + lane);
            self.find_around(point, pass, skin, |near, rows| {
                let rows = if near == own { 0 } else { rows };
                extra.extend(ones(rows).map(|lane| near * CLUSTER as u32 + lane as u32));
            });
        }
        extra.sort_unstable();
        extra.dedup();
        found.extend(extra);
    }
}
