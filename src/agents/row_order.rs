//! The staleness of a species' row order, which decides when its rows are arranged again.
//!
//! Sums depend on the order of rows, so staleness is part of the state. It depends only on the motion of agents and the
//! edits of hosts, not on neighbour lists.

use crate::kernels::CHUNK;

/// The largest number of ticks between two arrangements of rows.
pub(crate) const LONGEST: u32 = 32;

/// The distance, in radii, that agents may have moved since the last sort before rows are arranged again. Clusters grow
/// by it on all sides.
pub(crate) const STALE: f32 = 0.7;

/// The cost of a stray in each tick, relative to a placed row. Rows are arranged when strays have cost as much as the
/// sort, which is about the cost of a tick. A stray costs about 30 times more than a placed row in the tick in which it
/// appears, and again when lists are built.
const COST_OF_A_STRAY: u64 = 8;

/// The staleness of one species' row order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RowOrder {
    /// The number of ticks since rows were arranged; `None` if they never were.
    pub(crate) age: Option<u32>,
    /// The sum of the largest distances that an agent moved in each tick since then, in metres.
    pub(crate) distance_sum: f32,
    /// The largest distance that the host moved an agent since the last tick, relocations excluded, in metres.
    pub(crate) host_distance: f32,
    /// The strays: rows that were spawned, relocated, or moved into the row of a removed agent. Ascending after
    /// [`count_strays`](Self::count_strays).
    pub(crate) strays: Vec<u32>,
    /// The burden: the number of strays, summed over the ticks since rows were arranged.
    pub(crate) burden: u64,
}

impl RowOrder {
    /// Returns whether rows must be arranged. The smallest radius of a perception is `radius` metres, infinite without
    /// one.
    pub(crate) fn is_stale(&self, agents: usize, radius: f32) -> bool {
        let stale = |age| age >= LONGEST || (radius > 0.0 && self.distance_sum > STALE * radius);
        self.age.is_none_or(stale)
            || self.burden * COST_OF_A_STRAY > agents as u64
            || are_too_many(self.strays.len(), agents)
    }

    /// Records that rows were arranged.
    pub(crate) fn arranged(&mut self) {
        let mut strays = std::mem::take(&mut self.strays);
        strays.clear();
        *self = Self { age: Some(0), strays, ..Self::default() };
    }

    /// Records that a row is a stray.
    pub(crate) fn stray(&mut self, row: usize) {
        // Rows without an order have no strays.
        if self.age.is_some() {
            self.strays.push(row as u32);
        }
    }

    /// Sorts the strays, drops those beyond the last of `agents` rows, and adds their number to the burden.
    pub(crate) fn count_strays(&mut self, agents: usize) {
        sort_and_trim(&mut self.strays, agents);
        self.burden += self.strays.len() as u64;
    }

    /// Records the largest distance that an agent moved in a tick, in metres.
    pub(crate) fn moved(&mut self, distance: f32) {
        self.distance_sum += if distance > self.host_distance { distance } else { self.host_distance };
        self.host_distance = 0.0;
        self.age = self.age.map(|age| age + 1);
    }

    /// Records that the host moved an agent by `distance` metres, as a motion and not as a relocation.
    pub(crate) fn moved_by_host(&mut self, distance: f32) {
        if distance > self.host_distance {
            self.host_distance = distance;
        }
    }

    /// Returns the expected number of ticks until rows are arranged again, at least one. It assumes a stride of
    /// `stride` metres, and that the host edits as often as during the previous order, which `lasted` that number of
    /// ticks.
    pub(crate) fn ticks_left(&self, radius: f32, stride: f32, lasted: Option<u32>) -> f32 {
        let interval = if stride > 0.0 { (STALE * radius / stride).ceil() } else { LONGEST as f32 };
        let interval = if interval < LONGEST as f32 { interval } else { LONGEST as f32 };
        let age = self.age.unwrap_or(0);
        let lasted = lasted.filter(|&lasted| lasted > age).map_or(interval, |lasted| lasted as f32);
        let left = if lasted < interval { lasted } else { interval } - age as f32;
        if left > 1.0 { left } else { 1.0 }
    }
}

/// Returns whether new lists cost less than separate searches for these rows.
pub(crate) fn are_too_many(rows: usize, agents: usize) -> bool {
    rows > CHUNK + agents / 16
}

/// Sorts rows, removes duplicates, and drops those beyond the last of `agents` rows.
pub(crate) fn sort_and_trim(rows: &mut Vec<u32>, agents: usize) {
    // Mostly these are the rows of the tick before, sorted, and then new ones.
    let old = rows.windows(2).take_while(|pair| pair[0] < pair[1]).count() + 1;
    if old < rows.len() {
        rows[old..].sort_unstable();
        merge(rows, old);
        rows.dedup();
    }
    rows.truncate(rows.partition_point(|&row| (row as usize) < agents));
}

/// Sorts rows whose first `old` are sorted, and whose others are sorted.
fn merge(rows: &mut Vec<u32>, mut old: usize) {
    let all = rows.len();
    rows.extend_from_within(old..);
    // From the end, so that no old row is overwritten before it has moved.
    let (mut new, mut end) = (rows.len(), all);
    while new > all {
        let from = if old > 0 && rows[old - 1] > rows[new - 1] { &mut old } else { &mut new };
        *from -= 1;
        end -= 1;
        rows[end] = rows[*from];
    }
    rows.truncate(all);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_rows_join_those_that_are_sorted() {
        let mut noise = crate::Noise::new(1, 0, 0, 0);
        for (old, new) in (0..40).flat_map(|old| [0, 1, 2, 30].map(|new| (old, new))) {
            let mut rows: Vec<u32> = (0..old).map(|row| 3 * row).collect();
            rows.extend((0..new).map(|_| noise.between(0.0, 100.0) as u32));
            let expected: std::collections::BTreeSet<u32> = rows.iter().copied().filter(|&row| row < 90).collect();
            sort_and_trim(&mut rows, 90);
            assert!(rows.iter().eq(&expected), "{old} {new}: {rows:?}");
        }
    }

    /// Returns the number of ticks that a row order lasts at a stride.
    fn lasts(distance: f32, radius: f32) -> u32 {
        let mut order = RowOrder::default();
        assert!(order.is_stale(1000, radius), "rows that never were arranged");
        order.arranged();
        while !order.is_stale(1000, radius) {
            order.moved(distance);
        }
        order.age.unwrap()
    }

    #[test]
    fn an_order_grows_stale_with_ticks_and_distance() {
        assert_eq!([0.0, 0.01, 0.03, 0.2, 0.5, 20.0].map(|distance| lasts(distance, 1.0)), [32, 32, 24, 4, 2, 1]);
        assert_eq!(lasts(20.0, f32::INFINITY), 32, "without perception");
    }

    #[test]
    fn moves_by_the_host_count() {
        let mut order = RowOrder::default();
        order.arranged();
        for _ in 0..4 {
            order.moved_by_host(0.2);
            order.moved_by_host(0.05);
            order.moved(0.0);
        }
        assert!(order.is_stale(1000, 1.0));
    }

    #[test]
    fn rows_out_of_place_add_up_once_per_tick() {
        let mut order = RowOrder::default();
        order.stray(3);
        assert!(order.strays.is_empty(), "without an order no row is out of place");
        order.arranged();
        [7, 3, 999, 7].into_iter().for_each(|row| order.stray(row));
        let mut ticks = 0;
        while !order.is_stale(960, 1.0) {
            order.count_strays(960);
            ticks += 1;
        }
        assert_eq!((&order.strays[..], ticks), (&[3, 7][..], 61));
    }
}
