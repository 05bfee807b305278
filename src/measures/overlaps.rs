//! Overlaps of bodies over time.

use crate::measures::sample::Measured;
use crate::measures::spacing::{Overlapping, overlapping};
use crate::state::snapshot::saved;

/// Sums up overlaps of bodies over all observations. Agent-time counts one observation of one agent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overlaps {
    agents: u64,
    sum: Overlapping,
    last: Overlapping,
}

saved!(struct Overlaps { agents, sum, last });
saved!(struct Overlapping { agents, pairs, worst, yielding });

impl Overlaps {
    /// No observations.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Observes the agents.
    pub fn observe<const D: usize>(&mut self, agents: &impl Measured<D>) {
        let sample = agents.sample();
        self.last = overlapping(&*sample);
        self.agents += sample.len() as u64;
        self.sum.agents += self.last.agents;
        self.sum.pairs += self.last.pairs;
        self.sum.yielding += self.last.yielding;
        self.sum.worst = if self.last.worst > self.sum.worst { self.last.worst } else { self.sum.worst };
    }

    /// The overlaps of the last observation.
    #[must_use]
    pub fn last(&self) -> Overlapping {
        self.last
    }

    /// The share of agent-time in which a body overlaps another; 0 without agents.
    #[must_use]
    pub fn share(&self) -> f64 {
        if self.agents == 0 { 0.0 } else { self.sum.agents as f64 / self.agents as f64 }
    }

    /// The share of agent-time in which shoulders yield to another body, and no core overlaps one; 0 without agents.
    #[must_use]
    pub fn yielding_share(&self) -> f64 {
        if self.agents == 0 { 0.0 } else { self.sum.yielding as f64 / self.agents as f64 }
    }

    /// The largest depth of an overlap, in metres.
    #[must_use]
    pub fn worst(&self) -> f64 {
        self.sum.worst
    }

    /// The pair-seconds of overlap per agent-second; 0 without agents.
    #[must_use]
    pub fn pairs_per_agent(&self) -> f64 {
        if self.agents == 0 { 0.0 } else { self.sum.pairs as f64 / self.agents as f64 }
    }
}
