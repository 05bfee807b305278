//! Visibility masks: which candidates the agents of a cluster see, for rules that look at neighbours one by one.
//!
//! A sight is a candidate and one bit for each agent that sees it: kernels go through sights with the agents in the
//! lanes. A list for each agent is made of the bits, with the sights in the lanes.

use fearless_simd::{Level, SimdBase, SimdMask};

use crate::kernels::group::{Group, GroupRows, Grouped, load_group_axes};
use crate::kernels::pairs::Observers;
use crate::kernels::simd::{dispatch, dot, offset_to};
use crate::kernels::table::kernels;
use crate::kernels::vision::{LaneVision, Vision, ahead};
use crate::kernels::{Axes, CLUSTER};

/// Agents that some of a cluster's agents see, species by species.
#[derive(Debug, Default)]
pub(crate) struct Sights {
    rows: Vec<u32>,
    /// For each row, the agents that see it, one bit each; zero after the end of each part.
    seen: Vec<u32>,
    parts: Vec<Part>,
}

/// Sights of one species. Each part begins with a register of its own.
#[derive(Clone, Copy, Debug)]
struct Part {
    species: u32,
    /// The agents that may have seen these, one bit each.
    lanes: u16,
    start: usize,
    end: usize,
}

/// Sights of one species.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VisibleAgents<'a> {
    pub(crate) species: u32,
    /// The number of the first.
    pub(crate) first: usize,
    pub(crate) rows: &'a [u32],
    /// For each row, the agents that see it, one bit each.
    pub(crate) by: &'a [u32],
}

impl Sights {
    pub(crate) fn clear(&mut self) {
        self.parts.clear();
    }

    /// The sights, a species or a part of one at a time.
    pub(crate) fn parts(&self) -> impl Iterator<Item = VisibleAgents<'_>> {
        self.parts.iter().map(|&Part { species, start, end, .. }| VisibleAgents {
            species,
            first: start,
            rows: &self.rows[start..end],
            by: &self.seen[start..end],
        })
    }

    /// The species and the row of the sight with this number.
    pub(crate) fn at(&self, number: usize) -> (u32, u32) {
        let part = self.parts.partition_point(|part| part.end <= number);
        (self.parts[part].species, self.rows[number])
    }

    /// Records that an agent does not see the sight with this number.
    pub(crate) fn lose(&mut self, number: usize, lane: usize) {
        self.seen[number] &= !(1 << lane);
    }

    /// How many agents the agents see in the last part, one by one.
    pub(crate) fn last_count(&self) -> u64 {
        let Some(part) = self.parts.last() else { return 0 };
        self.seen[part.start..part.end].iter().map(|seen| u64::from(seen.count_ones())).sum()
    }

    /// Appends agents of one species and which agents see them, to be filled in by the caller: at most `most`. The
    /// caller returns the number of sights.
    fn append(&mut self, species: u32, lanes: u16, most: usize, fill: impl FnOnce(&mut [u32], &mut [u32]) -> usize) {
        let start = self.parts.last().map_or(0, |part| part.end.next_multiple_of(CLUSTER));
        let room = start + most + CLUSTER;
        if self.rows.len() < room {
            self.rows.resize(room, 0);
            self.seen.resize(room, 0);
        }
        let end = start + fill(&mut self.rows[start..room], &mut self.seen[start..room]);
        self.seen[end..end + CLUSTER].fill(0);
        self.parts.push(Part { species, lanes, start, end });
    }

    /// Appends these agents of one species, each with the agents that see it.
    pub(crate) fn extend(&mut self, species: u32, sights: impl ExactSizeIterator<Item = (u32, u16)>) {
        self.append(species, u16::MAX, sights.len(), |rows, seen| {
            let mut end = 0;
            for (row, by) in sights {
                (rows[end], seen[end]) = (row, u32::from(by));
                end += 1;
            }
            end
        });
    }
}

/// What a group of agents looks at for its neighbours one by one.
#[derive(Clone, Debug)]
pub(crate) struct Looked<'a, const D: usize> {
    pub(crate) species: u32,
    /// The agents of the species, and the candidates among them.
    pub(crate) position: Axes<'a, D>,
    pub(crate) rows: &'a [u32],
    /// The rows of the cluster's own agents, none where they are of another species.
    pub(crate) mates: std::ops::Range<u32>,
    pub(crate) view: Vision,
    /// The agents of the cluster that look, one bit each.
    pub(crate) lanes: u16,
}

/// Appends what the agents of a group see, in ascending order of rows, by the same operations as in
/// [`add_pairs`](super::pairs::add_pairs).
pub(crate) fn see<const D: usize>(
    level: Level,
    observers: &Observers<'_, D>,
    group: usize,
    looked: &Looked<'_, D>,
    sights: &mut Sights,
) {
    let most = looked.rows.len() + looked.mates.len();
    sights.append(looked.species, looked.lanes, most, |rows, seen| {
        kernels::<D>().see(level, observers, group, looked, rows, seen)
    });
}

#[inline(always)]
pub(super) fn see_lanes<S: Grouped, const D: usize>(
    simd: S,
    observers: &Observers<'_, D>,
    group: usize,
    looked: &Looked<'_, D>,
    rows: &mut [u32],
    seen: &mut [u32],
) -> usize {
    let first = group * Group::<S>::LEN;
    let position = load_group_axes(simd, &observers.position, first);
    let velocity = load_group_axes(simd, &observers.velocity, first);
    let view = LaneVision::new(simd, Some(looked.view), dot(&velocity, &velocity));
    let narrow = looked.view.cosine_squared > Vision::ALL_ROUND;
    let seam = observers.at_seam(first / CLUSTER);
    // Columns of equal length: one comparison shows that a row is within all of them.
    let agents = looked.position[0].len();
    let theirs = looked.position.map(|column| &column[..agents]);
    let (lanes, shift) = (u32::from(looked.lanes), first % CLUSTER);
    let mut end = 0;
    macro_rules! look {
        ($row:expr, $lanes:expr) => {
            let row = $row;
            let offset = offset_to(simd, &position, &theirs, row as usize, seam, &observers.period);
            let squared = dot(&offset, &offset);
            let visible = if narrow {
                view.sees::<true>(squared, ahead(&velocity, &offset))
            } else {
                view.sees::<false>(squared, squared)
            };
            // Written whether it is seen or not: a branch would be unpredictable.
            let by = (visible.to_bitmask() as u32) << shift & $lanes;
            (rows[end], seen[end]) = (row, by);
            end += usize::from(by != 0);
        };
    }
    let mates = looked.mates.clone();
    let (before, after) = looked.rows.split_at(looked.rows.partition_point(|&row| row < mates.start));
    for &row in before {
        look!(row, lanes);
    }
    for row in mates.clone() {
        look!(row, lanes & !(1 << (row - mates.start)));
    }
    for &row in after {
        look!(row, lanes);
    }
    end
}

/// The rows that each agent of a cluster sees, species by species.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    rows: Vec<u32>,
    /// For each agent, where its rows of each part of the sights end.
    ends: Vec<usize>,
}

/// The rows that one agent sees, species by species.
#[derive(Clone, Debug)]
pub(crate) struct List<'a> {
    rows: &'a [u32],
    start: usize,
    ends: &'a [usize],
    parts: &'a [Part],
}

impl Lists {
    /// Replaces the lists by those of `sights`.
    pub(crate) fn fill(&mut self, level: Level, sights: &Sights) {
        dispatch!(level, simd => fill_lanes(simd, sights, self));
    }

    /// The list of one agent. `sights` are those that the lists were made of.
    pub(crate) fn of<'a>(&'a self, sights: &'a Sights, lane: usize) -> List<'a> {
        let parts = sights.parts.len();
        let (before, ends) = self.ends[..(lane + 1) * parts].split_at(lane * parts);
        List { rows: &self.rows, start: before.last().copied().unwrap_or(0), ends, parts: &sights.parts }
    }
}

impl List<'_> {
    /// The number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.ends.last().map_or(0, |end| end - self.start)
    }
}

impl<'a> Iterator for List<'a> {
    type Item = (u32, &'a [u32]);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let ((part, parts), (&end, ends)) = (self.parts.split_first()?, self.ends.split_first()?);
        let rows = &self.rows[self.start..end];
        (self.start, self.ends, self.parts) = (end, ends, parts);
        Some((part.species, rows))
    }
}

#[inline(always)]
fn fill_lanes<S: Grouped>(simd: S, sights: &Sights, lists: &mut Lists) {
    let len = GroupRows::<S>::LEN;
    let room =
        sights.parts.iter().map(|part| (part.end - part.start) * part.lanes.count_ones() as usize).sum::<usize>();
    if lists.rows.len() < room + len {
        lists.rows.resize(room + len, 0);
    }
    lists.ends.clear();
    let mut end = 0;
    for lane in 0..CLUSTER {
        let me = GroupRows::<S>::splat(simd, 1 << lane);
        for part in &sights.parts {
            let sees = part.lanes >> lane & 1 == 1;
            for first in (part.start..if sees { part.end } else { part.start }).step_by(len) {
                let seen = GroupRows::<S>::from_slice(simd, &sights.seen[first..first + len]) & me;
                let seen = seen.simd_eq(me);
                let rows = GroupRows::<S>::from_slice(simd, &sights.rows[first..first + len]);
                rows.compress(seen).store_slice(&mut lists.rows[end..end + len]);
                end += seen.to_bitmask().count_ones() as usize;
            }
            lists.ends.push(end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{InstructionSet, Noise};

    #[test]
    fn each_agent_lists_what_its_bits_say_in_order() {
        let mut noise = Noise::new(5, 0, 0, 0);
        let mut bits = |most: f32| noise.between(0.0, most) as u16;
        // Species and numbers of sights: none, less than a register, whole registers, and more.
        let parts: Vec<(u32, Vec<(u32, u16)>)> = [(4, 0), (1, 5), (2, 32), (2, 0), (7, 77)]
            .map(|(species, sights)| {
                (species, (0..sights).map(|_| (u32::from(bits(1e4)), bits(65536.0) & 0b1011_1111_1111_1110)).collect())
            })
            .into();
        let mut sights = Sights::default();
        // Used again, as from cluster to cluster.
        sights.extend(9, (0..200).map(|row| (row, u16::MAX)));
        sights.clear();
        for (species, part) in &parts {
            sights.extend(*species, part.iter().copied());
        }
        for set in InstructionSet::available() {
            let mut lists = Lists::default();
            lists.fill(set.level().unwrap(), &sights);
            for lane in 0..CLUSTER {
                let seen = |part: &[(u32, u16)]| -> Vec<u32> {
                    part.iter().filter(|(_, by)| by >> lane & 1 == 1).map(|(row, _)| *row).collect()
                };
                let expected: Vec<_> = parts.iter().map(|(species, part)| (*species, seen(part))).collect();
                let list = lists.of(&sights, lane);
                assert_eq!(list.rows(), expected.iter().map(|(_, rows)| rows.len()).sum::<usize>(), "{set}");
                let found: Vec<_> = list.map(|(species, rows)| (species, rows.to_vec())).collect();
                assert_eq!(found, expected, "{set}, agent {lane}");
            }
        }
    }

    #[test]
    fn a_sight_is_found_by_its_number() {
        let mut sights = Sights::default();
        for (species, rows) in [(3, 0..0), (1, 10..15), (6, 0..0), (2, 20..60)] {
            sights.extend(species, rows.map(|row: u32| (row, 1)));
        }
        for seen in sights.parts() {
            for (number, &row) in (seen.first..).zip(seen.rows) {
                assert_eq!(sights.at(number), (seen.species, row));
            }
        }
    }
}
