//! The times in which agents leave the world.

use crate::measures::by_agent::ByAgent;
use crate::state::snapshot::saved;
use crate::world::World;

/// Measures the time from the first observation of each agent to its removal. It observes the world before the first
/// tick and after each tick. An agent exits in the last tick in which it was observed.
#[derive(Clone, Debug, Default)]
pub struct ExitTimes {
    /// The times of the first and the last observation, in seconds.
    agents: ByAgent<[f64; 2]>,
    /// In seconds, in the order of removal.
    times: Vec<f64>,
    last: f64,
}

saved!(struct ExitTimes { agents, times, last });

impl ExitTimes {
    /// A measure that starts with its first observation.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Observes the world.
    pub fn observe<const D: usize>(&mut self, world: &World<D>) {
        let now = world.seconds();
        self.agents.start(world.tick());
        for id in world.all_agents().iter().flat_map(|agents| agents.ids()) {
            match self.agents.touch(*id) {
                Some([_, last]) => *last = now,
                None => self.agents.set(*id, [now; 2]),
            }
        }
        self.agents.gone(|[first, last]| {
            self.times.push(last - first);
            self.last = if last > self.last { last } else { self.last };
        });
    }

    /// Returns whether the times would be undefined if the world were observed now: it has advanced by more than a tick
    /// since the last observation.
    #[must_use]
    pub fn misses<const D: usize>(&self, world: &World<D>) -> bool {
        self.agents.misses(world.tick())
    }

    /// Returns whether a tick was not observed: agents may then have come and gone unseen, and times are too short.
    #[must_use]
    pub fn has_missed(&self) -> bool {
        self.agents.has_missed()
    }

    /// The time of each agent that was removed, in seconds.
    #[must_use]
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The number of agents that the last observation found in the world: they have no time yet.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.agents.values().count()
    }

    /// The mean time in seconds; NaN if no agent was removed, or a tick was not observed.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.has_missed() {
            return f64::NAN;
        }
        self.times.iter().sum::<f64>() / self.times.len() as f64
    }

    /// The median time in seconds; NaN if no agent was removed, or a tick was not observed.
    #[must_use]
    pub fn median(&self) -> f64 {
        let mut times = self.times.clone();
        times.sort_unstable_by(f64::total_cmp);
        let middle = times.len() / 2;
        match times.len() {
            _ if self.has_missed() => f64::NAN,
            0 => f64::NAN,
            count if count % 2 == 1 => times[middle],
            _ => 0.5 * (times[middle - 1] + times[middle]),
        }
    }

    /// The simulated time at which the last of the removed agents exited, in seconds; NaN if no agent was removed.
    #[must_use]
    pub fn last(&self) -> f64 {
        if self.times.is_empty() { f64::NAN } else { self.last }
    }
}
