//! The design of a sweep: its runs, and the columns of its table.

use std::path::Path;

use serde_json::{Value, json};
use throng::measures::{MeasureOf, Outcome, Outcomes, Statistic};
use throng::{AnyWorld, Registry};
use throng_scenario::{Scenario, Sweep, SweepFault, SweepRun, Varied};

use super::measures::{self, From, Precision};
use super::until::MOST_SEEDS;
use super::vary::{self, Vary};
use super::warnings::Doubts;
use crate::arguments::SweepOptions;
use crate::failure::Failure;
use crate::find::{Found, find};
use crate::paths::Paths;

/// The largest number of runs without `--force`.
const MOST_RUNS: u64 = 100_000;

/// The largest number of runs with it.
const MOST_FORCED: u64 = 1_000_000_000;

/// The columns of faults in a run: see [`throng::Faults`].
const FAULTS: [&str; 3] = ["inexact", "quarantined", "left"];

/// A sweep: every combination of values with every seed. The last varied key changes first, seeds before it.
pub(super) struct Design {
    /// The scenario file and its text.
    file: String,
    text: String,
    /// The overrides of all runs.
    set: Vec<String>,
    pub(super) vary: Vec<Vary>,
    sweep: Sweep,
    pub(super) ticks: u64,
    pub(super) from: From,
    pub(super) measures: Vec<MeasureOf>,
    pub(super) statistics: Vec<Statistic>,
    /// The numbers that each run ends with.
    pub(super) outcomes: Vec<Outcome>,
    /// The tolerance of the egress curves of the seeds of each combination, which ends their runs.
    pub(super) until: Option<f64>,
    /// When a run ends before its last tick.
    pub(super) precision: Precision,
    /// The radius of measures that need one.
    pub(super) radius: Option<f32>,
    /// The number of runs.
    pub(super) runs: u64,
    /// The warnings of its scenarios.
    pub(super) doubts: Doubts,
}

/// One run of a sweep.
pub(super) struct Run {
    /// The values of the varied keys.
    pub(super) values: Vec<String>,
    pub(super) seed: u64,
    run: SweepRun,
}

impl Design {
    /// Reads the design from the command line, and checks the scenario of every combination of values.
    pub(super) fn read(options: &SweepOptions, registry: &Registry) -> Result<Self, Failure> {
        let SweepOptions { source, ticks, until, .. } = options;
        let from = options.from.unwrap_or(From::Tick(0));
        let seeds = until.map_or(options.seeds.get(), |_| MOST_SEEDS);
        if let From::Tick(from) = from
            && from >= *ticks
        {
            let reason = format!("--from {from}: must be less than --ticks {ticks}: no tick would be measured");
            return Err(Failure::Input(reason));
        }
        let vary = vary::read(&options.vary, options.points.as_deref(), options.latin)?;
        let (outcomes, names) = measures::outcomes(&measures::apart(&options.measure), until.is_some())?;
        let statistics = measures::statistics(&options.statistic)?;
        let Found { file, text, .. } = find(&source.scenario)?;
        let file = file.to_string_lossy().into_owned();
        let overrides = |keys: &[String], point: &[String]| {
            keys.iter().zip(point).map(|(key, value)| format!("{key}={value}")).collect()
        };
        let varied = vary.iter().map(|Vary { keys, points }| Varied {
            key: keys.join(" & "),
            values: points.iter().map(|point| overrides(keys, point)).collect(),
        });
        let (set, most) = (source.set.clone(), if options.force { MOST_FORCED } else { MOST_RUNS });
        let sweep = Sweep::new(registry, &text, &file, &set, varied.collect(), (None, seeds), most);
        let sweep = sweep.map_err(|fault| failure(fault, seeds))?;
        let measures = match names.is_empty() && !outcomes.is_empty() {
            true => Vec::new(),
            false => measures::named(&names, options.radius, &sweep.scenario(&sweep.run(0))?)?,
        };
        let precision = measures::precision(&options.precision, &measures)?;
        let (ticks, until, radius, runs) = (*ticks, *until, options.radius, sweep.runs());
        let doubts = Doubts::default();
        let mut design = Self {
            file,
            text,
            set,
            vary,
            sweep,
            ticks,
            from,
            measures,
            statistics,
            outcomes,
            until,
            precision,
            radius,
            runs,
            doubts,
        };
        let columns = design.columns();
        if let Some((_, twice)) = columns.iter().enumerate().find(|(number, name)| columns[..*number].contains(name)) {
            let reason = "the table would have two columns of this name: a species is named like a statistic";
            return Err(Failure::Input(format!("{twice}: {reason}")));
        }
        for (warning, run) in design.sweep.warnings() {
            design.doubts.add(warning, &design.of(run).values, &design.vary);
        }
        Ok(design)
    }

    /// The run with this number.
    pub(super) fn run(&self, number: u64) -> Run {
        self.of(self.sweep.run(number))
    }

    fn of(&self, run: SweepRun) -> Run {
        let values = self.vary.iter().zip(&run.values).flat_map(|(vary, &value)| vary.points[value].clone()).collect();
        Run { values, seed: run.seed, run }
    }

    /// The scenario of a run.
    pub(super) fn scenario(&self, run: &Run) -> Result<Scenario, Failure> {
        Ok(self.sweep.scenario(&run.run)?)
    }

    /// The observer of the outcomes of a run; `None` if the sweep needs none.
    pub(super) fn observe(&self, scenario: &Scenario, world: &AnyWorld) -> Result<Option<Outcomes>, Failure> {
        if self.outcomes.is_empty() && self.until.is_none() {
            return Ok(None);
        }
        let outcomes = Outcomes::new(&self.outcomes, scenario.recording(), world);
        outcomes.map(Some).map_err(|error| Failure::Input(format!("--measure: {error}")))
    }

    /// Adds the files that the sweep reads to the files of the command.
    pub(super) fn add_to(&self, paths: &mut Paths) {
        paths.reads("the scenario", Path::new(&self.file));
        self.sweep.files().for_each(|file| paths.reads("a file of the scenario", file));
    }

    /// The hash of the scenario's text and of the overrides of all runs.
    pub(super) fn scenario_hash(&self) -> u64 {
        // FNV-1a. A zero byte separates the texts.
        let texts = std::iter::once(&self.text).chain(&self.set);
        let bytes = texts.flat_map(|text| text.bytes().chain([0]));
        bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    /// The columns of the table.
    pub(super) fn columns(&self) -> Vec<String> {
        let keys = self.vary.iter().flat_map(|vary| vary.keys.clone());
        let (start, end) = (self.from == From::Relaxed, !self.precision.is_empty());
        let ticks =
            [("from", start), ("ticks", end)].into_iter().filter(|(_, has)| *has).map(|(name, _)| name.to_owned());
        let measures = self
            .measures
            .iter()
            .flat_map(|measure| self.statistics.iter().map(|statistic| statistic.column(&measure.to_string())));
        let measures = measures.chain(self.outcomes.iter().map(Outcome::to_string));
        let rest = FAULTS.iter().chain(&["scenario_hash", "state_hash"]).map(|&name| name.to_owned());
        keys.chain(["seed".to_owned()]).chain(ticks).chain(measures).chain(rest).collect()
    }

    /// Everything that the table follows from. `start` is the hash of the first run's world at tick zero: files that
    /// the scenario reads are part of it.
    pub(super) fn description(&self, start: u64) -> Value {
        let column = |points: &[Vec<String>], key: usize| -> Vec<String> {
            points.iter().map(|point| point[key].clone()).collect()
        };
        let vary: serde_json::Map<String, Value> = self
            .vary
            .iter()
            .flat_map(|Vary { keys, points }| {
                keys.iter().enumerate().map(|(number, key)| (key.clone(), json!(column(points, number))))
            })
            .collect();
        let together: Vec<&[String]> =
            self.vary.iter().filter(|vary| vary.keys.len() > 1).map(|vary| &vary.keys[..]).collect();
        let precision = self.precision.iter().map(|&(measure, error)| format!("{}={error}", self.measures[measure]));
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "physics": throng::PHYSICS,
            "file": self.file,
            "scenario_text": self.text,
            "overrides": self.set,
            "ticks": self.ticks,
            "from": match self.from {
                From::Tick(tick) => json!(tick),
                From::Relaxed => json!("auto"),
            },
            "vary": vary,
            "together": together,
            "statistics": self.statistics.iter().map(|statistic| statistic.name()).collect::<Vec<_>>(),
            "precision": precision.collect::<Vec<_>>(),
            "seeds": self.sweep.seeds(),
            "faults": FAULTS,
            "measures": self.measures.iter().map(measures::definition).collect::<Vec<_>>(),
            "outcomes": self.outcomes.iter().map(Outcome::to_string).collect::<Vec<_>>(),
            "until": self.until,
            "radius": self.radius,
            "scenario_hash": format!("{:016x}", self.scenario_hash()),
            "start_hash": format!("{start:016x}"),
        })
    }
}

/// The failure of the program for a sweep that is refused.
fn failure(fault: SweepFault, seeds: u64) -> Failure {
    match fault {
        SweepFault::Scenario(problems) => problems.into(),
        SweepFault::TooLarge(error) => error.into(),
        SweepFault::SeedVaried(key) => Failure::Input(format!("--vary {key}: seeds are varied by --seeds")),
        SweepFault::Seeds { .. } => Failure::Input(format!("--seeds {seeds}: {fault}")),
        SweepFault::TooManyRuns { runs: Some(..=MOST_FORCED), .. } => {
            Failure::Input(format!("{fault}; --force runs them"))
        }
        SweepFault::TooManyRuns { .. } => {
            Failure::Input(format!("the sweep has more runs than {MOST_FORCED}, which is the limit"))
        }
        fault => Failure::Input(format!("--vary: {fault}")),
    }
}
