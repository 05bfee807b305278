//! The time per stage and the counters of the last tick.

#[cfg(not(target_family = "wasm"))]
use std::time::Instant;

use crate::agents::strand;
use crate::neighbour_lists::sums::Counts;

/// The milliseconds per stage of the last tick, and its counters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Profile {
    /// Removing agents and updating plans.
    pub edit: f64,
    /// Sorting rows into space order.
    pub arrange: f64,
    /// Boxes and trees.
    pub index: f64,
    /// States and catches.
    pub decide: f64,
    /// Neighbours and behaviours.
    pub steer: f64,
    /// Discarding steering that is not finite.
    pub quarantine: f64,
    /// Velocities and positions.
    pub integrate: f64,
    /// Walls.
    pub collide: f64,
    /// The edge of the world.
    pub confine: f64,
    /// The number of agents that were steered.
    pub agents: u64,
    /// Pairs of an agent and a candidate that were examined.
    pub candidates: u64,
    /// Pairs of an agent and a neighbour in the widest perception of its species, over all species it perceives.
    pub neighbours: u64,
    /// Agents whose clusters examined only their nearest candidates, because the tick exceeded its budget of pairs
    /// ([`Settings::pair_budget`](crate::Settings::pair_budget)). Their neighbours are not exact.
    pub capped: u64,
    /// Agents whose expression wanted more than their largest speed or force: see [`Faults::cut`](crate::Faults::cut).
    pub cut: u64,
}

impl Profile {
    /// The stages, in order, with their milliseconds.
    #[must_use]
    pub fn stages(&self) -> [(&'static str, f64); 9] {
        [
            ("edit", self.edit),
            ("arrange", self.arrange),
            ("index", self.index),
            ("decide", self.decide),
            ("steer", self.steer),
            ("quarantine", self.quarantine),
            ("integrate", self.integrate),
            ("collide", self.collide),
            ("confine", self.confine),
        ]
    }

    /// Records the counts from the steering of a number of agents.
    pub(crate) fn count(&mut self, counts: Counts, agents: usize) {
        let Counts { candidates, neighbours, capped, tally, .. } = counts;
        self.cut = tally.cut;
        (self.candidates, self.neighbours, self.capped, self.agents) = (candidates, neighbours, capped, agents as u64);
    }

    /// Milliseconds of the whole tick.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.stages().iter().map(|(_, milliseconds)| milliseconds).sum()
    }

    /// The mean number of neighbours of an agent.
    #[must_use]
    pub fn mean_neighbours(&self) -> f64 {
        ratio(self.neighbours, self.agents)
    }

    /// The share of agents whose neighbours are not exact, from 0 to 1: see [`capped`](Self::capped).
    #[must_use]
    pub fn capped_share(&self) -> f64 {
        // An agent counts once for each species that it perceives.
        ratio(self.capped, self.agents).clamp(0.0, 1.0)
    }

    /// The number of examined candidates per neighbour.
    #[must_use]
    pub fn candidates_per_pair(&self) -> f64 {
        ratio(self.candidates, self.neighbours)
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A clock that is read once per stage. On WebAssembly the standard library has no clock, and the readings are zero.
#[derive(Debug)]
pub(crate) struct Clock(#[cfg(not(target_family = "wasm"))] Instant);

impl Clock {
    pub(crate) fn start() -> Self {
        Self(
            #[cfg(not(target_family = "wasm"))]
            Instant::now(),
        )
    }

    /// Milliseconds since the last reading. A record of the tick ends its stage here too.
    pub(crate) fn lap(&mut self) -> f64 {
        strand::end_stage();
        #[cfg(not(target_family = "wasm"))]
        {
            let now = Instant::now();
            let milliseconds = (now - self.0).as_secs_f64() * 1e3;
            self.0 = now;
            milliseconds
        }
        #[cfg(target_family = "wasm")]
        0.0
    }
}
