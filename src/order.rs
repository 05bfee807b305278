//! How stale the row order of a species is: what decides when its rows are arranged again.
//!
//! The order of rows decides the order of sums, so all of this is part of the state, and no more goes into it than what
//! agents and hosts do: never how candidates are found.

/// Ticks from one arrangement of rows to the next, at most.
pub(crate) const LONGEST: u32 = 32;

/// Rows are arranged again when the ticks since the last time, times the distance that agents went, are this many
/// radii: what a spread cluster costs grows with the distance, and what arranging costs is shared by the ticks.
pub(crate) const STALE: f32 = 15.0;

/// Neighbours of a row out of place cost as much as those of so many rows in their places. Rows are arranged when what
/// they cost together comes to what arranging costs, which is about as much as a tick.
const COST_OF_A_STRAY: u64 = 24;

/// How stale the row order of one species is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RowOrder {
    /// The ticks since rows were arranged; none if they never were.
    pub(crate) age: Option<u32>,
    /// How far the fastest agents went since then, in metres.
    pub(crate) strayed: f32,
    /// The farthest that the host moved an agent since the last tick as agents go, in metres.
    pub(crate) carried: f32,
    /// Rows out of place: spawned, put elsewhere, or in the place of one that was removed. Ascending once settled.
    pub(crate) strays: Vec<u32>,
    /// The rows out of place in each tick since rows were arranged, added up.
    pub(crate) burden: u64,
}

impl RowOrder {
    /// Whether rows are to be arranged, for `agents` agents that look `radius` metres far.
    pub(crate) fn is_stale(&self, agents: usize, radius: f32) -> bool {
        let stale = |age| age >= LONGEST || (radius > 0.0 && age as f32 * self.strayed > STALE * radius);
        self.age.is_none_or(stale) || self.burden * COST_OF_A_STRAY > agents as u64
    }

    /// Records that rows were arranged.
    pub(crate) fn arranged(&mut self) {
        let mut strays = std::mem::take(&mut self.strays);
        strays.clear();
        *self = Self { age: Some(0), strays, ..Self::default() };
    }

    /// Records that a row is out of place.
    pub(crate) fn stray(&mut self, row: usize) {
        // Rows that never were arranged have no place to be out of.
        if self.age.is_some() {
            self.strays.push(row as u32);
        }
    }

    /// Puts the rows out of place in order, and forgets those beyond the last of `agents` rows.
    pub(crate) fn settle(&mut self, agents: usize) {
        settle(&mut self.strays, agents);
        self.burden += self.strays.len() as u64;
    }

    /// Records how far the fastest agents went in a tick, in metres.
    pub(crate) fn moved(&mut self, way: f32) {
        self.strayed += if way > self.carried { way } else { self.carried };
        self.carried = 0.0;
        self.age = self.age.map(|age| age + 1);
    }

    /// Records that the host moved an agent so many metres, as agents go and not from one end of the world to the
    /// other.
    pub(crate) fn carried(&mut self, way: f32) {
        if way > self.carried {
            self.carried = way;
        }
    }

    /// The ticks until rows are arranged again if agents go on at `stride` metres a tick and the host edits as it did
    /// while the order before this one `lasted`; at least one.
    pub(crate) fn ticks_left(&self, radius: f32, stride: f32, lasted: Option<u32>) -> f32 {
        let interval = if stride > 0.0 { (STALE * radius / stride).sqrt().ceil() } else { LONGEST as f32 };
        let interval = if interval < LONGEST as f32 { interval } else { LONGEST as f32 };
        let age = self.age.unwrap_or(0);
        let lasted = lasted.filter(|&lasted| lasted > age).map_or(interval, |lasted| lasted as f32);
        let left = if lasted < interval { lasted } else { interval } - age as f32;
        if left > 1.0 { left } else { 1.0 }
    }
}

/// Puts rows in order, each once, and forgets those beyond the last of `agents` rows.
pub(crate) fn settle(rows: &mut Vec<u32>, agents: usize) {
    rows.sort_unstable();
    rows.dedup();
    rows.truncate(rows.partition_point(|&row| (row as usize) < agents));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many ticks an order of rows lasts at a stride.
    fn lasts(way: f32, radius: f32) -> u32 {
        let mut order = RowOrder::default();
        assert!(order.is_stale(1000, radius), "rows that never were arranged");
        order.arranged();
        while !order.is_stale(1000, radius) {
            order.moved(way);
        }
        order.age.unwrap()
    }

    #[test]
    fn an_order_grows_stale_with_ticks_and_distance() {
        assert_eq!([0.0, 0.01, 0.1, 0.3, 20.0].map(|way| lasts(way, 1.0)), [32, 32, 13, 8, 1]);
        assert_eq!(lasts(20.0, 0.0), 32, "without perception");
    }

    #[test]
    fn what_the_host_moves_counts_too() {
        let mut order = RowOrder::default();
        order.arranged();
        for _ in 0..13 {
            order.carried(0.1);
            order.carried(0.05);
            order.moved(0.0);
        }
        assert!(order.is_stale(1000, 1.0));
    }

    #[test]
    fn rows_out_of_place_are_counted_once_a_tick_and_add_up() {
        let mut order = RowOrder::default();
        order.stray(3);
        assert!(order.strays.is_empty(), "without an order no row is out of place");
        order.arranged();
        [7, 3, 999, 7].into_iter().for_each(|row| order.stray(row));
        let mut ticks = 0;
        while !order.is_stale(960, 1.0) {
            order.settle(960);
            ticks += 1;
        }
        assert_eq!((&order.strays[..], ticks), (&[3, 7][..], 21));
    }
}
