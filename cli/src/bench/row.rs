//! The measurement of one design, with one number of agents and threads.

use serde_json::{Map, Value, json};
use throng_bench::design::Totals;

/// One row of the results.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) design: String,
    pub(crate) dimensions: usize,
    pub(crate) agents: usize,
    pub(crate) threads: usize,
    pub(crate) instruction_set: String,
    pub(crate) totals: Totals,
    /// The pair tests per second that all threads reach at best.
    pub(crate) roofline: f64,
    /// The peak number of bytes allocated; zero if unknown.
    pub(crate) bytes: usize,
    /// The differences from the other designs.
    pub(crate) notes: Option<String>,
}

impl Row {
    fn per_tick(&self, sum: f64) -> f64 {
        sum / (self.totals.ticks.clamp(1, u64::MAX) as f64)
    }

    pub(crate) fn milliseconds_per_tick(&self) -> f64 {
        self.per_tick(self.totals.time.as_secs_f64() * 1e3)
    }

    /// The speed-up over the same design with one thread, if that is among `rows`.
    pub(crate) fn speed_up<'a>(&self, mut rows: impl Iterator<Item = &'a Row>) -> Option<f64> {
        let same = |row: &&Row| {
            (&row.design, row.dimensions, row.agents, row.threads) == (&self.design, self.dimensions, self.agents, 1)
        };
        rows.find(same).map(|alone| alone.milliseconds_per_tick() / self.milliseconds_per_tick())
    }

    fn per_second(&self, sum: f64) -> f64 {
        let seconds = self.totals.time.as_secs_f64();
        if seconds > 0.0 { sum / seconds } else { 0.0 }
    }

    pub(crate) fn agent_updates_per_second(&self) -> f64 {
        self.per_second((self.agents as u64 * self.totals.ticks) as f64)
    }

    pub(crate) fn pair_tests_per_second(&self) -> f64 {
        self.per_second(self.totals.counts.candidates as f64)
    }

    pub(crate) fn roofline_fraction(&self) -> f64 {
        if self.roofline > 0.0 { self.pair_tests_per_second() / self.roofline } else { 0.0 }
    }

    pub(crate) fn candidates_per_pair(&self) -> f64 {
        let counts = self.totals.counts;
        if counts.neighbours > 0 { counts.candidates as f64 / counts.neighbours as f64 } else { 0.0 }
    }

    pub(crate) fn mean_neighbours(&self) -> f64 {
        self.per_tick(self.totals.counts.neighbours as f64) / self.agents as f64
    }

    /// The share of agents with inexact neighbours, over all ticks.
    pub(crate) fn capped_share(&self) -> f64 {
        (self.per_tick(self.totals.counts.capped as f64) / self.agents as f64).clamp(0.0, 1.0)
    }

    pub(crate) fn bytes_per_agent(&self) -> f64 {
        self.bytes as f64 / self.agents as f64
    }

    /// The mean milliseconds per tick of each stage.
    pub(crate) fn stages(&self) -> impl Iterator<Item = (&'static str, f64)> {
        self.totals.stages.iter().map(|(name, sum)| (*name, self.per_tick(*sum)))
    }

    pub(crate) fn json(&self) -> Value {
        let stages: Map<String, Value> = self.stages().map(|(name, mean)| (name.to_owned(), json!(mean))).collect();
        json!({
            "design": self.design,
            "dimensions": self.dimensions,
            "agents": self.agents,
            "threads": self.threads,
            "instruction_set": self.instruction_set,
            "ticks": self.totals.ticks,
            "milliseconds_per_tick": self.milliseconds_per_tick(),
            "agent_updates_per_second": self.agent_updates_per_second(),
            "pair_tests_per_second": self.pair_tests_per_second(),
            "roofline_pair_tests_per_second": self.roofline,
            "roofline_fraction": self.roofline_fraction(),
            "candidates_per_pair": self.candidates_per_pair(),
            "mean_neighbours": self.mean_neighbours(),
            "capped_share": self.capped_share(),
            "bytes_per_agent": self.bytes_per_agent(),
            "stage_milliseconds": stages,
            "hash": format!("{:016x}", self.totals.hash),
            "notes": self.notes,
        })
    }
}
