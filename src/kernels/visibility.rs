//! Visibility masks: the candidates that the agents of a cluster see, for rules that use neighbours one by one.
//!
//! A sight is a candidate and one bit for each agent that sees it. Kernels visit sights with the agents in the lanes.
//! The lists of the agents result from the bits, with the sights in the lanes.

use fearless_simd::{Level, SimdBase, SimdMask};

use crate::kernels::group::{Group, GroupRows, Grouped, load_group, load_group_axes};
use crate::kernels::pairs::Observers;
use crate::kernels::simd::{Ordered, dispatch, dot, offset_to};
use crate::kernels::table::kernels;
use crate::kernels::vision::{LaneVision, Vision, ahead};
use crate::kernels::{Axes, CLUSTER};
use crate::maths::ones;

/// The sights of a cluster's agents, by species.
#[derive(Debug, Default)]
pub(crate) struct Sights {
    rows: Vec<u32>,
    /// For each row, the agents that see it, one bit each. Padding after each part is zero.
    seen: Vec<u32>,
    parts: Vec<Part>,
}

/// Sights of one species. Each part begins at a multiple of 16.
#[derive(Clone, Copy, Debug)]
struct Part {
    species: u32,
    /// The agents that searched, one bit each.
    lanes: u16,
    start: usize,
    end: usize,
}

/// Sights of one species.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VisibleAgents<'a> {
    pub(crate) species: u32,
    /// The agents that searched, one bit each.
    pub(crate) lanes: u16,
    /// The number of the first sight.
    pub(crate) first: usize,
    pub(crate) rows: &'a [u32],
    /// For each row, the agents that see it, one bit each.
    pub(crate) by: &'a [u32],
}

impl VisibleAgents<'_> {
    /// The rows, and for each the agents that see it, one bit each.
    #[inline(always)]
    pub(crate) fn each(&self) -> impl Iterator<Item = (usize, u16)> {
        self.rows.iter().zip(self.by).map(|(&row, &by)| (row as usize, by as u16))
    }
}

impl Sights {
    pub(crate) fn clear(&mut self) {
        self.parts.clear();
    }

    /// Returns the sights in parts, each of one species.
    pub(crate) fn parts(&self) -> impl Iterator<Item = VisibleAgents<'_>> {
        self.parts.iter().map(|&Part { species, lanes, start, end }| VisibleAgents {
            species,
            lanes,
            first: start,
            rows: &self.rows[start..end],
            by: &self.seen[start..end],
        })
    }

    /// Returns the species and the row of the sight with this number.
    #[inline]
    pub(crate) fn at(&self, number: usize) -> (u32, u32) {
        let part = self.parts.partition_point(|part| part.end <= number);
        (self.parts[part].species, self.rows[number])
    }

    /// Clears the bit of an agent in the sight with this number.
    pub(crate) fn clear_bit(&mut self, number: usize, lane: usize) {
        self.seen[number] &= !(1 << lane);
    }

    /// Returns the number of sights of each agent.
    pub(crate) fn count(&self) -> [u32; CLUSTER] {
        let mut counts = [0; CLUSTER];
        for by in self.parts().flat_map(|part| part.by) {
            ones(*by).for_each(|lane| counts[lane] += 1);
        }
        counts
    }

    /// Clears all bits of the sights of other agents than those that `is_kept` accepts, by species and row.
    pub(crate) fn keep(&mut self, is_kept: impl Fn(u32, u32) -> bool) {
        let Self { rows, seen, parts } = self;
        for part in parts {
            for (row, seen) in rows[part.start..part.end].iter().zip(&mut seen[part.start..part.end]) {
                *seen = if is_kept(part.species, *row) { *seen } else { 0 };
            }
        }
    }

    /// Appends sights of one species. `fill` writes at most `limit` rows and masks, and returns their number.
    fn append(&mut self, species: u32, lanes: u16, limit: usize, fill: impl FnOnce(&mut [u32], &mut [u32]) -> usize) {
        let start = self.parts.last().map_or(0, |part| part.end.next_multiple_of(CLUSTER));
        let room = start + limit + CLUSTER;
        if self.rows.len() < room {
            self.rows.resize(room, 0);
            self.seen.resize(room, 0);
        }
        let end = start + fill(&mut self.rows[start..room], &mut self.seen[start..room]);
        self.seen[end..end + CLUSTER].fill(0);
        self.parts.push(Part { species, lanes, start, end });
    }

    /// Appends sights of one species: rows with the agents that see them.
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

/// The search of a group for its sights of one species.
#[derive(Clone, Debug)]
pub(crate) struct SightQuery<'a, const D: usize> {
    pub(crate) species: u32,
    /// The agents of the species, and the candidates among them.
    pub(crate) position: Axes<'a, D>,
    pub(crate) rows: &'a [u32],
    /// The rows of the cluster; empty if the species differ.
    pub(crate) own_rows: std::ops::Range<u32>,
    pub(crate) view: Vision,
    /// The squared radius of each agent of the cluster, where they differ.
    pub(crate) within: Option<&'a [f32; CLUSTER]>,
    /// The agents of the cluster that search, one bit each.
    pub(crate) lanes: u16,
}

/// The number of sights, and the number of pairs of agents, which is the number of bits of the sights.
pub(crate) type SightCount = (usize, u64);

/// Appends the sights of a group's agents in ascending order of rows, with the operations of
/// [`add_pairs`](super::pairs::add_pairs). Returns the number of pairs.
pub(crate) fn see<const D: usize>(
    level: Level,
    observers: &Observers<'_, D>,
    group: usize,
    query: &SightQuery<'_, D>,
    sights: &mut Sights,
) -> u64 {
    let limit = query.rows.len() + query.own_rows.len();
    let mut pairs = 0;
    sights.append(query.species, query.lanes, limit, |rows, seen| {
        let count = kernels::<D>().see(level, observers, group, query, rows, seen);
        pairs = count.1;
        count.0
    });
    pairs
}

#[inline(always)]
pub(super) fn see_lanes<S: Grouped, const D: usize>(
    simd: S,
    observers: &Observers<'_, D>,
    group: usize,
    query: &SightQuery<'_, D>,
    rows: &mut [u32],
    seen: &mut [u32],
) -> SightCount {
    let first = group * Group::<S>::LEN;
    let position = load_group_axes(simd, &observers.position, first);
    let heading = load_group_axes(simd, &observers.heading, first);
    let mut view = LaneVision::new(simd, Some(query.view), dot(&heading, &heading));
    if let Some(within) = query.within {
        view.radius_squared = load_group(simd, within, first % CLUSTER);
    }
    let narrow = query.view.cosine_squared > Vision::ALL_ROUND;
    let seam = observers.at_seam(first / CLUSTER);
    // With columns of equal length, one bounds check covers all of them.
    let agents = query.position[0].len();
    let theirs = query.position.map(|column| &column[..agents]);
    let (lanes, shift) = (u32::from(query.lanes), first % CLUSTER);
    let (mut end, mut pairs) = (0, 0);
    macro_rules! test {
        ($row:expr, $lanes:expr) => {
            let row = $row;
            let offset = offset_to(&position, &theirs, row as usize, seam, &observers.period);
            let squared = dot(&offset, &offset);
            let visible = if narrow {
                view.sees::<true>(squared, ahead(&heading, &offset))
            } else {
                view.sees::<false>(squared, squared)
            };
            // The row is written in any case: a branch would be unpredictable.
            let by = (visible.to_bitmask() as u32) << shift & $lanes;
            (rows[end], seen[end]) = (row, by);
            end += usize::from(by != 0);
            pairs += u64::from(by.count_ones());
        };
    }
    let own_rows = query.own_rows.clone();
    let (before, after) = query.rows.split_at(query.rows.partition_point(|&row| row < own_rows.start));
    for &row in before {
        test!(row, lanes);
    }
    for row in own_rows.clone() {
        test!(row, lanes & !(1 << (row - own_rows.start)));
    }
    for &row in after {
        test!(row, lanes);
    }
    (end, pairs)
}

/// The sights of each agent of a cluster, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    numbers: Vec<u32>,
    /// For each agent, the end of its sights.
    ends: Vec<usize>,
}

impl Lists {
    /// Replaces the lists by the lists of `sights`.
    pub(crate) fn fill(&mut self, level: Level, sights: &Sights) {
        dispatch!(level, simd => fill_lanes(simd, sights, self));
    }

    /// Returns the numbers of one agent's sights, in ascending order.
    #[inline]
    pub(crate) fn of(&self, lane: usize) -> &[u32] {
        let start = if lane == 0 { 0 } else { self.ends[lane - 1] };
        &self.numbers[start..self.ends[lane]]
    }
}

#[inline(always)]
fn fill_lanes<S: Grouped>(simd: S, sights: &Sights, lists: &mut Lists) {
    let len = GroupRows::<S>::LEN;
    let room =
        sights.parts.iter().map(|part| (part.end - part.start) * part.lanes.count_ones() as usize).sum::<usize>();
    if lists.numbers.len() < room + len {
        lists.numbers.resize(room + len, 0);
    }
    lists.ends.clear();
    let places = GroupRows::<S>::from_fn(simd, |place| place as u32);
    let mut end = 0;
    for lane in 0..CLUSTER {
        let me = GroupRows::<S>::splat(simd, 1 << lane);
        for part in &sights.parts {
            let sees = part.lanes >> lane & 1 == 1;
            for first in (part.start..if sees { part.end } else { part.start }).step_by(len) {
                let seen = GroupRows::<S>::from_slice(simd, &sights.seen[first..first + len]) & me;
                let seen = seen.equals(me);
                (places + first as u32).compress(seen).store_slice(&mut lists.numbers[end..end + len]);
                end += seen.to_bitmask().count_ones() as usize;
            }
        }
        lists.ends.push(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{InstructionSet, Noise};

    #[test]
    fn each_agent_lists_what_its_bits_say_in_order() {
        let mut noise = Noise::new(5, 0, 0, 0);
        let mut bits = |limit: f32| noise.between(0.0, limit) as u16;
        // Numbers of sights: none, less than a register, whole registers, and more.
        let parts: Vec<(u32, Vec<(u32, u16)>)> = [(4, 0), (1, 5), (2, 32), (2, 0), (7, 77)]
            .map(|(species, sights)| {
                (species, (0..sights).map(|_| (u32::from(bits(1e4)), bits(65536.0) & 0b1011_1111_1111_1110)).collect())
            })
            .into();
        let mut sights = Sights::default();
        // Sights are used again for the next cluster.
        sights.extend(9, (0..200).map(|row| (row, u16::MAX)));
        sights.clear();
        for (species, part) in &parts {
            sights.extend(*species, part.iter().copied());
        }
        for set in InstructionSet::available() {
            let mut lists = Lists::default();
            lists.fill(set.level().unwrap(), &sights);
            for lane in 0..CLUSTER {
                let seen = |(species, part): &(u32, Vec<(u32, u16)>)| -> Vec<(u32, u32)> {
                    part.iter().filter(|(_, by)| by >> lane & 1 == 1).map(|(row, _)| (*species, *row)).collect()
                };
                let expected: Vec<_> = parts.iter().flat_map(seen).collect();
                let found: Vec<_> = lists.of(lane).iter().map(|&number| sights.at(number as usize)).collect();
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
