//! Patches: the additions of strays to lists of candidates.
//!
//! Boxes do not hold rows out of place ([strays](crate::index::species_index::SpeciesIndex::strays)), so lists made from boxes lack them.
//! One search around each of these rows finds all that may be near it: they join the list of its group, and it joins
//! the lists of theirs. A list that is made takes all rows out of place, a kept one only those that were edited since.

use std::ops::ControlFlow;

use crate::agents::Agents;
use crate::agents::parallel::{ChunkedColumn, for_each_chunk};
use crate::index::search::{Search, SearchedSpecies};
use crate::index::species_index::SpeciesIndex;
use crate::kernels::cull::REACH_MARGIN;
use crate::kernels::places::find_places;
use crate::kernels::{CLUSTER, CLUSTERS};
use crate::maths::Vector;
use crate::neighbour_lists::list_lifetime::ListMode;
use crate::neighbour_lists::lists::PassLists;
use crate::neighbour_lists::pass::Pass;
use crate::neighbour_lists::search::NeighbourSearch;

/// Rows out of place that one thread searches around at a time.
const PIECE: usize = 32;

/// The additions of strays to the lists of one pass: some rows of clusters, one bit each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patch {
    rows: Vec<(u32, u16)>,
    /// Where the rows of each group start, and where the last ones end.
    starts: Vec<u32>,
    /// The additions of each of a few strays.
    pieces: Vec<Vec<Addition>>,
}

/// Rows that join a list: the number of the group, the number of a cluster, and some of the cluster's rows.
type Addition = (u32, u32, u16);

impl Patch {
    /// Removes all rows.
    fn clear(&mut self) {
        self.rows.clear();
        self.starts.clear();
        self.pieces.iter_mut().for_each(Vec::clear);
    }

    /// Adds the rows that `search` finds for each of these rows. `pieces` were filled before.
    fn add(&mut self, pieces: usize, rows: &[u32], search: impl Fn(u32, &mut Vec<Addition>) + Sync) {
        let end = pieces + rows.len().div_ceil(PIECE);
        if self.pieces.len() < end {
            self.pieces.resize_with(end, Vec::new);
        }
        let pieces = &mut self.pieces[pieces..end];
        for_each_chunk(pieces.len(), 1, ChunkedColumn(pieces, 1), &|number, piece| {
            rows.iter().skip(number * PIECE).take(PIECE).for_each(|&row| search(row, &mut piece.0[0]));
        });
    }

    /// Sorts the additions of all pieces by their groups; there are `groups` groups.
    fn sort(&mut self, groups: usize) {
        let Self { rows, starts, pieces } = self;
        let additions = || pieces.iter().flatten();
        if additions().next().is_none() {
            return;
        }
        starts.resize(groups + 1, 0);
        additions().for_each(|&(group, ..)| starts[group as usize] += 1);
        let mut total = 0;
        for start in &mut *starts {
            total += std::mem::replace(start, total);
        }
        rows.resize(total as usize, (0, 0));
        for &(group, cluster, mask) in additions() {
            rows[starts[group as usize] as usize] = (cluster, mask);
            starts[group as usize] += 1;
        }
        // Each start has become the next one.
        starts.copy_within(..groups, 1);
        starts[0] = 0;
    }

    /// The rows that join the list of a group.
    fn of(&self, group: usize) -> &[(u32, u16)] {
        &self.rows[self.starts[group] as usize..self.starts[group + 1] as usize]
    }
}

impl<const D: usize> NeighbourSearch<'_, D> {
    /// Finds the additions of strays to the lists of each pass.
    pub(crate) fn find_patches(&self, modes: &[ListMode], patches: &mut Vec<Patch>) {
        patches.resize_with(modes.len(), Patch::default);
        for ((pass, &mode), patch) in self.plan.passes.iter().zip(modes).zip(patches) {
            patch.clear();
            if !pass.has_candidates {
                continue;
            }
            let (own, theirs) = (self.own_index, self.their_index(pass));
            let (skin, own, theirs) = match mode {
                ListMode::Keep(skin) => (skin, &own.edited, &theirs.edited),
                ListMode::Build(skin) => (skin, &own.loose, &theirs.loose),
                ListMode::Fresh => (0.0, &own.loose, &theirs.loose),
            };
            let each_other = self.looks_at_own(pass);
            patch.add(0, own, |row, additions| {
                let (cluster, bit) = (row / CLUSTER as u32, 1 << (row % CLUSTER as u32));
                let group = self.groups_of(cluster, bit).next().unwrap_or_default();
                self.find_around(self.agents.position(row as usize), pass, skin, |near, rows| {
                    if !each_other || near != cluster {
                        additions.push((group, near, rows));
                        let observers = self.groups_of(near, if each_other { rows } else { 0 });
                        additions.extend(observers.map(|group| (group, cluster, bit)));
                    }
                });
            });
            if !each_other {
                let others = self.others(pass);
                patch.add(own.len().div_ceil(PIECE), theirs, |row, additions| {
                    let (cluster, bit) = (row / CLUSTER as u32, 1 << (row % CLUSTER as u32));
                    let point = others.position(row as usize);
                    self.search_around(self.agents, self.own_index, point, pass, skin, |near, rows| {
                        additions.extend(self.groups_of(near, rows).map(|group| (group, cluster, bit)));
                    });
                });
            }
            patch.sort(self.agents.chunks() * CLUSTERS * self.groups());
        }
    }

    /// Adds the additions of strays to the lists of one chunk. `extra` and `added` are buffers.
    pub(crate) fn patch(
        &self,
        chunk: usize,
        patch: &Patch,
        lists: &mut PassLists,
        extra: &mut Vec<(u32, u16)>,
        added: &mut Vec<(usize, u32)>,
    ) {
        if patch.rows.is_empty() {
            return;
        }
        let groups = CLUSTERS * self.groups();
        added.clear();
        let mut start = 0;
        for (group, end) in lists.ends[..groups].iter_mut().enumerate() {
            extra.clear();
            extra.extend(patch.of(chunk * groups + group));
            extra.sort_unstable_by_key(|(cluster, _)| *cluster);
            extra.dedup_by(|(cluster, rows), (last, all)| {
                let is_same = cluster == last;
                *all |= if is_same { *rows } else { 0 };
                is_same
            });
            find_places(self.level, &lists.rows.as_slice()[start..*end], extra, start, added);
            start = *end;
            *end += added.len();
        }
        let end = lists.ends[groups - 1];
        lists.ends[groups..].fill(end);
        lists.rows.insert(added);
    }

    /// The groups of some agents of a cluster, one bit each.
    fn groups_of(&self, cluster: u32, rows: u16) -> impl Iterator<Item = u32> {
        let first = cluster as usize * self.groups();
        let groups = first..first + self.groups();
        groups.filter(move |&group| rows & self.lanes_of(group) != 0).map(|group| group as u32)
    }

    /// Calls `visit` with all rows within the radius of a pass and `skin` metres around it of a point, wherever they
    /// are: some rows of one cluster at a time, one bit each.
    pub(crate) fn find_around(&self, point: Vector<D>, pass: &Pass, skin: f32, visit: impl FnMut(u32, u16)) {
        self.search_around(self.others(pass), self.their_index(pass), point, pass, skin, visit);
    }

    fn search_around(
        &self,
        agents: &Agents<D>,
        index: &SpeciesIndex<D>,
        point: Vector<D>,
        pass: &Pass,
        skin: f32,
        mut visit: impl FnMut(u32, u16),
    ) {
        let radius = (pass.radius + skin) * REACH_MARGIN + self.slack();
        let search = Search { point, radius, period: self.world.settings.period(), by: None };
        let _ = search.clusters(SearchedSpecies::of(agents, index), |cluster, rows, _| {
            visit(cluster, rows);
            ControlFlow::Continue(())
        });
    }
}
