//! Patches: what rows out of place add to lists of candidates.
//!
//! Boxes do not hold rows out of place ([`Strays`](crate::strays::Strays)), so lists made from boxes lack them. One
//! search around each of these rows finds all that may be near it: they join the list of its group, and it joins the
//! lists of theirs. A list that is made takes all rows out of place, a kept one only those that were edited since.

use rayon::prelude::*;

use crate::agents::Agents;
use crate::kernels::gather::{GENEROUS, RowList};
use crate::kernels::group::group;
use crate::kernels::{CLUSTER, CLUSTERS, GROUPS};
use crate::maths::Vector;
use crate::places::Places;
use crate::search::{Crowd, Search};
use crate::tick::candidates::PassLists;
use crate::tick::keep::Mode;
use crate::tick::plan::Pass;
use crate::tick::steer::Steering;

/// Rows out of place that one thread searches around at a time.
const PIECE: usize = 32;

/// What rows out of place add to the lists of one pass: rows, each below the number of the group whose list it joins.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patch {
    /// What the rows out of place look at, in the order of groups.
    around: Vec<u64>,
    /// The rows out of place themselves, in the order of groups.
    seen: Vec<u64>,
    pieces: Vec<Piece>,
}

/// The same for a few rows out of place, in their order.
#[derive(Clone, Debug, Default)]
struct Piece {
    around: Vec<u64>,
    seen: Vec<u64>,
    found: Vec<u32>,
}

impl Patch {
    fn clear(&mut self) {
        self.around.clear();
        self.seen.clear();
    }

    /// Adds what `search` finds for each of these rows.
    fn add(&mut self, rows: &[u32], search: impl Fn(u32, &mut Piece) + Sync) {
        let count = rows.len().div_ceil(PIECE);
        if self.pieces.len() < count {
            self.pieces.resize_with(count, Piece::default);
        }
        let pieces = &mut self.pieces[..count];
        pieces.par_iter_mut().zip(rows.par_chunks(PIECE)).for_each(|(piece, rows)| {
            piece.around.clear();
            piece.seen.clear();
            rows.iter().for_each(|&row| search(row, piece));
        });
        for piece in pieces {
            self.around.extend(&piece.around);
            self.seen.extend(&piece.seen);
        }
    }
}

/// The rows below the numbers of some groups.
fn of(entries: &[u64], groups: std::ops::Range<usize>) -> &[u64] {
    let start = entries.partition_point(|&entry| entry >> 32 < groups.start as u64);
    let length = entries[start..].partition_point(|&entry| entry >> 32 < groups.end as u64);
    &entries[start..start + length]
}

/// A row below the number of a group.
fn entry(group: usize, row: u32) -> u64 {
    (group as u64) << 32 | u64::from(row)
}

impl<const D: usize> Steering<'_, D> {
    /// Finds what rows out of place add to the lists of each pass.
    pub(crate) fn find_patches(&self, modes: &[Mode], patches: &mut Vec<Patch>) {
        patches.resize_with(modes.len(), Patch::default);
        for ((pass, &mode), patch) in self.plan.passes.iter().zip(modes).zip(patches) {
            patch.clear();
            let (own, theirs) = (self.own, self.their_places(pass));
            let (skin, own, theirs) = match mode {
                Mode::Keep(skin) => (skin, &own.edited, &theirs.edited),
                Mode::Build(skin) => (skin, &own.loose, &theirs.loose),
                Mode::Fresh => (0.0, &own.loose, &theirs.loose),
            };
            let each_other = self.looks_at_own(pass);
            let lanes = group(self.level);
            patch.add(own, |row, Piece { around, seen, found }| {
                found.clear();
                self.find_around(self.agents.position(row as usize), pass, skin, found);
                found.sort_unstable();
                let (cluster, group) = (row / CLUSTER as u32, row as usize / lanes);
                for &other in found.iter().filter(|&&other| !each_other || other / CLUSTER as u32 != cluster) {
                    around.push(entry(group, other));
                    if each_other {
                        let new = entry(other as usize / lanes, row);
                        if seen.last() != Some(&new) {
                            seen.push(new);
                        }
                    }
                }
            });
            if !each_other {
                let others = self.others(pass);
                patch.add(theirs, |row, Piece { seen, found, .. }| {
                    found.clear();
                    self.search_around(self.agents, self.own, others.position(row as usize), pass, skin, found);
                    seen.extend(found.iter().map(|&observer| entry(observer as usize / lanes, row)));
                });
            }
            patch.seen.par_sort_unstable();
        }
    }

    /// Adds to the lists of one chunk what rows out of place add. `buffers` are those of a thread.
    pub(crate) fn patch(&self, chunk: usize, patch: &Patch, lists: &mut PassLists, buffers: &mut Buffers) {
        let groups = CLUSTERS * self.groups();
        let first = chunk * groups;
        let all = first..first + groups;
        let (around, seen) = (of(&patch.around, all.clone()), of(&patch.seen, all));
        if around.is_empty() && seen.is_empty() {
            return;
        }
        let Buffers { rows, extra } = buffers;
        rows.truncate(0);
        let mut ends = [0; GROUPS];
        for group in 0..self.clusters_of(chunk) * self.groups() {
            extra.clear();
            let this = first + group..first + group + 1;
            extra.extend(of(around, this.clone()).iter().chain(of(seen, this)).map(|&entry| entry as u32));
            extra.sort_unstable();
            extra.dedup();
            rows.extend_merged(lists.of(group), extra);
            ends[group] = rows.len();
        }
        ends[self.clusters_of(chunk) * self.groups()..].fill(rows.len());
        lists.set(rows, ends);
    }

    /// Appends the rows within the radius of a pass and `skin` metres around it of a point, wherever they are.
    pub(crate) fn find_around(&self, point: Vector<D>, pass: &Pass, skin: f32, found: &mut Vec<u32>) {
        self.search_around(self.others(pass), self.their_places(pass), point, pass, skin, found);
    }

    fn search_around(
        &self,
        agents: &Agents<D>,
        places: &Places<D>,
        point: Vector<D>,
        pass: &Pass,
        skin: f32,
        found: &mut Vec<u32>,
    ) {
        let radius = (pass.radius + skin) * GENEROUS + self.slack();
        let search = Search { point, radius, period: self.scene.settings.period(), by: None };
        search.rows(Crowd::of(agents, places), |row| found.push(row));
    }
}

/// Buffers of a thread that patches lists.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    rows: RowList,
    extra: Vec<u32>,
}
