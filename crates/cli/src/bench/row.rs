//! The measurement of one world with one number of threads.

use serde_json::{Map, Value, json};
use throng_bench::Counts;

use super::statistics::{median, quartiles};

/// The means over the ticks of one repetition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    pub(crate) agents: f64,
    pub(crate) milliseconds: f64,
    /// Sums over its ticks.
    pub(crate) counts: Counts,
    pub(crate) ticks: u64,
    /// The milliseconds of each stage.
    pub(crate) stages: Vec<(&'static str, f64)>,
    /// The hash of the last state.
    pub(crate) hash: u64,
}

/// One row of the results.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) scenario: String,
    pub(crate) dimensions: usize,
    /// The size in words.
    pub(crate) size: String,
    pub(crate) design: String,
    pub(crate) threads: usize,
    pub(crate) instruction_set: String,
    pub(crate) samples: Vec<Sample>,
    /// The peak number of bytes allocated; zero if unknown.
    pub(crate) bytes: usize,
    /// The pair tests per second that only the kernel reaches on all threads; zero if unknown.
    pub(crate) roofline: f64,
    /// The differences from the other designs.
    pub(crate) notes: Option<String>,
}

impl Row {
    /// The mean over all ticks of the values of a sample.
    fn mean(&self, of: impl Fn(&Sample) -> f64) -> f64 {
        self.samples.iter().map(of).sum::<f64>() / self.samples.len() as f64
    }

    /// Milliseconds per tick of each repetition.
    pub(crate) fn repetitions(&self) -> Vec<f64> {
        self.samples.iter().map(|sample| sample.milliseconds).collect()
    }

    /// The median of the milliseconds per tick.
    pub(crate) fn milliseconds(&self) -> f64 {
        median(&self.repetitions())
    }

    pub(crate) fn agents(&self) -> f64 {
        self.mean(|sample| sample.agents)
    }

    pub(crate) fn agents_per_second(&self) -> f64 {
        self.agents() / self.milliseconds() * 1e3
    }

    pub(crate) fn neighbours(&self) -> f64 {
        self.mean(|sample| sample.counts.neighbours as f64 / sample.ticks as f64) / self.agents()
    }

    pub(crate) fn candidates_per_neighbour(&self) -> f64 {
        self.mean(|sample| sample.counts.candidates as f64) / self.mean(|sample| sample.counts.neighbours as f64)
    }

    /// Pairs tested per second, as a share of the roofline.
    pub(crate) fn roofline_fraction(&self) -> Option<f64> {
        let pairs = self.mean(|sample| sample.counts.candidates as f64 / sample.ticks as f64);
        (self.roofline > 0.0).then(|| pairs / self.milliseconds() * 1e3 / self.roofline)
    }

    pub(crate) fn bytes_per_agent(&self) -> Option<f64> {
        (self.bytes > 0 && self.agents() > 0.0).then(|| self.bytes as f64 / self.agents())
    }

    /// Agents with inexact neighbours, and all, over all ticks.
    pub(crate) fn capped(&self) -> (u64, u64) {
        let capped = self.samples.iter().map(|sample| sample.counts.capped).sum();
        (capped, self.samples.iter().map(|sample| (sample.agents * sample.ticks as f64) as u64).sum())
    }

    pub(crate) fn hash(&self) -> u64 {
        self.samples.first().map_or(0, |sample| sample.hash)
    }

    /// The milliseconds per tick of each stage.
    pub(crate) fn stages(&self) -> Vec<(&'static str, f64)> {
        let names = self.samples.first().map_or(&[][..], |sample| &sample.stages);
        let mean = |stage: usize| self.mean(|sample| sample.stages.get(stage).map_or(0.0, |(_, time)| *time));
        names.iter().enumerate().map(|(stage, (name, _))| (*name, mean(stage))).collect()
    }

    /// Whether both rows are of one series: the same worlds on several numbers of threads.
    pub(crate) fn is_beside(&self, other: &Self) -> bool {
        let series = |row: &Self| (row.scenario.clone(), row.dimensions, row.size.clone(), row.design.clone());
        series(self) == series(other)
    }

    /// The agents per second over the agents per second of one thread of the series, if that is among the rows.
    pub(crate) fn speed_up(&self, rows: &[Self]) -> Option<f64> {
        let alone = rows.iter().find(|row| row.threads == 1 && row.is_beside(self))?;
        Some(self.agents_per_second() / alone.agents_per_second())
    }

    /// The speed-up as a share of the number of threads.
    pub(crate) fn efficiency(&self, rows: &[Self]) -> Option<f64> {
        Some(self.speed_up(rows)? / self.threads as f64)
    }

    /// The values of the row by their names.
    pub(crate) fn values(&self, rows: &[Self]) -> Vec<(&'static str, Value)> {
        let [low, middle, high] = quartiles(&self.repetitions());
        let number = |value: f64| if value.is_finite() { json!(value) } else { Value::Null };
        let optional = |value: Option<f64>| value.map_or(Value::Null, number);
        vec![
            ("scenario", json!(self.scenario)),
            ("dimensions", json!(self.dimensions)),
            ("size", json!(self.size)),
            ("design", json!(self.design)),
            ("threads", json!(self.threads)),
            ("instruction_set", json!(self.instruction_set)),
            ("agents", number(self.agents())),
            ("ticks", json!(self.samples.iter().map(|sample| sample.ticks).sum::<u64>())),
            ("milliseconds_per_tick", number(middle)),
            ("lower_quartile", number(low)),
            ("upper_quartile", number(high)),
            ("agents_per_second", number(self.agents_per_second())),
            ("speed_up", optional(self.speed_up(rows))),
            ("efficiency", optional(self.efficiency(rows))),
            ("neighbours", number(self.neighbours())),
            ("candidates_per_neighbour", number(self.candidates_per_neighbour())),
            ("inexact_share", number(self.capped().0 as f64 / self.capped().1 as f64)),
            ("bytes_per_agent", optional(self.bytes_per_agent())),
            ("roofline_fraction", optional(self.roofline_fraction())),
            ("hash", json!(format!("{:016x}", self.hash()))),
        ]
    }

    pub(crate) fn json(&self, rows: &[Self]) -> Value {
        let mut object: Map<String, Value> =
            self.values(rows).into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let stages: Map<String, Value> =
            self.stages().into_iter().map(|(name, mean)| (name.to_owned(), json!(mean))).collect();
        object.insert("repetitions".to_owned(), json!(self.repetitions()));
        object.insert("stage_milliseconds".to_owned(), stages.into());
        object.insert("notes".to_owned(), json!(self.notes));
        object.into()
    }
}
