//! The interface of all designs, which are advanced by ticks and measured in rounds.

use std::ops::AddAssign;
use std::time::{Duration, Instant};

/// Ticks from one arrangement of this flock's rows in throng to the next. Measurements take whole intervals, so that
/// every tick bears its share of the cost.
pub const INTERVAL: u64 = 32;

/// Ticks of a round before the clock starts.
pub const WARM: u64 = INTERVAL / 2;

/// Ticks of a round on the clock. Agents move less than half a perception radius, so the flock stays spread out.
pub const ROUND: u64 = INTERVAL;

/// An engine that moves a flock.
pub trait Design: Send {
    /// Advances by one tick, in the current pool of threads.
    fn tick(&mut self);

    /// The pairs that the last tick tested.
    fn counts(&self) -> Counts;

    /// Milliseconds of each stage of the last tick.
    fn stages(&self) -> Vec<(&'static str, f64)>;

    /// A hash of the bits of all positions and velocities.
    fn hash(&self) -> u64;
}

/// Numbers of pairs that were tested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pairs of an agent and a candidate, itself included, that the index returned.
    pub candidates: u64,
    /// Pairs of an agent and a neighbour.
    pub neighbours: u64,
    /// Agents that tested only their nearest candidates, so that their neighbours are not exact.
    pub capped: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.candidates += other.candidates;
        self.neighbours += other.neighbours;
        self.capped += other.capped;
    }
}

/// Totals of the ticks on the clock.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// The number of ticks.
    pub ticks: u64,
    /// Their time.
    pub time: Duration,
    /// The sum of their counts.
    pub counts: Counts,
    /// Milliseconds of each stage, summed over ticks.
    pub stages: Vec<(&'static str, f64)>,
    /// The hash after the last tick.
    pub hash: u64,
}

/// Rounds of ticks that all start from the same state.
#[derive(Debug, Default)]
pub struct Rounds {
    /// The totals of all rounds.
    pub totals: Totals,
}

impl Rounds {
    /// Runs one round: [`WARM`] ticks off the clock, then `ticks` on it.
    pub fn round(&mut self, design: &mut dyn Design, ticks: u64) {
        (0..WARM).for_each(|_| design.tick());
        let totals = &mut self.totals;
        for _ in 0..ticks {
            let began = Instant::now();
            design.tick();
            totals.time += began.elapsed();
            totals.ticks += 1;
            totals.counts += design.counts();
            let stages = design.stages();
            totals.stages.resize(stages.len(), ("", 0.0));
            for (sum, (name, milliseconds)) in totals.stages.iter_mut().zip(stages) {
                *sum = (name, sum.1 + milliseconds);
            }
        }
        totals.hash = design.hash();
    }
}
