//! The design of a sweep: its runs, and the columns of its table.

use serde_json::{Value, json};
use throng::measures::Measure;
use throng::scenario::keys::MAX_SEED;
use throng::{Registry, Scenario};

use super::measures;
use super::vary::Vary;
use super::warnings::Doubts;
use crate::arguments::SweepOptions;
use crate::failure::Failure;

/// The largest number of runs without `--force`.
const MOST_RUNS: u64 = 100_000;

/// The largest number of runs with it.
const MOST_FORCED: u64 = 1_000_000_000;

/// The columns of what went wrong in a run: see [`throng::Faults`].
const FAULTS: [&str; 3] = ["inexact", "quarantined", "left"];

/// A sweep: every combination of values with every seed. The last varied key changes first, seeds before it.
pub(super) struct Design {
    /// The scenario file and its text.
    file: String,
    text: String,
    /// The overrides of all runs.
    set: Vec<String>,
    pub(super) vary: Vec<Vary>,
    first_seed: u64,
    seeds: u64,
    pub(super) ticks: u64,
    pub(super) from: u64,
    pub(super) measures: Vec<&'static Measure>,
    /// The radius of measures that need one.
    pub(super) radius: Option<f32>,
    /// The number of runs.
    pub(super) runs: u64,
    /// What its scenarios hardly mean.
    pub(super) doubts: Doubts,
}

/// One run of a sweep.
pub(super) struct Run {
    /// The values of the varied keys.
    pub(super) values: Vec<String>,
    pub(super) seed: u64,
}

impl Design {
    /// Reads the design from the command line, and checks the scenario of every combination of values.
    pub(super) fn read(options: &SweepOptions, registry: &Registry) -> Result<Self, Failure> {
        let SweepOptions { source, ticks, from, seeds, .. } = options;
        if from >= ticks {
            let reason = format!("--from {from}: must be less than --ticks {ticks}: no tick would be measured");
            return Err(Failure::Input(reason));
        }
        let vary = options.vary.iter().map(|text| Vary::parse(text)).collect::<Result<Vec<_>, _>>()?;
        for (number, varied) in vary.iter().enumerate() {
            if vary[..number].iter().any(|other| other.key == varied.key) {
                return Err(Failure::Input(format!("--vary {}: the key is varied twice", varied.key)));
            }
        }
        let measures = measures::named(&options.measure, options.radius)?;
        let file = source.scenario.display().to_string();
        let text = Scenario::read(&source.scenario)?;
        let scenario = Scenario::parse_in(registry, &text, &file, &source.set)?;
        let first_seed = scenario.seed();
        let last_seed = first_seed.checked_add(seeds.get() - 1).filter(|seed| *seed <= MAX_SEED);
        if last_seed.is_none() {
            let reason = format!("--seeds {seeds}: the seeds from {first_seed} on must not exceed {MAX_SEED}");
            return Err(Failure::Input(reason));
        }
        let combinations = vary.iter().try_fold(1_u64, |count, vary| count.checked_mul(vary.values.len() as u64));
        let runs = combinations.and_then(|count| count.checked_mul(seeds.get()));
        let few = runs.filter(|runs| *runs <= MOST_RUNS || options.force && *runs <= MOST_FORCED);
        let (Some(combinations), Some(runs)) = (combinations, few) else {
            let reason = match runs.filter(|runs| *runs <= MOST_FORCED) {
                Some(runs) => format!("the sweep has {runs} runs, more than {MOST_RUNS}; --force runs them"),
                None => format!("the sweep has more runs than {MOST_FORCED}, which is the limit"),
            };
            return Err(Failure::Input(reason));
        };
        let set = source.set.clone();
        let (seeds, ticks, from) = (seeds.get(), *ticks, *from);
        let radius = options.radius;
        let doubts = Doubts::default();
        let mut design = Self { file, text, set, vary, first_seed, seeds, ticks, from, measures, radius, runs, doubts };
        for combination in 0..combinations {
            let run = design.run(combination * design.seeds);
            let scenario = design.scenario(registry, &run)?;
            scenario.check_limits()?;
            design.doubts.add(scenario.warnings(), &run, &design.vary);
        }
        Ok(design)
    }

    /// The run with this number.
    pub(super) fn run(&self, number: u64) -> Run {
        let mut rest = number / self.seeds;
        let mut values: Vec<String> = Vec::with_capacity(self.vary.len());
        for vary in self.vary.iter().rev() {
            let count = vary.values.len() as u64;
            values.push(vary.values[(rest % count) as usize].clone());
            rest /= count;
        }
        values.reverse();
        Run { values, seed: self.first_seed + number % self.seeds }
    }

    /// The scenario of a run.
    pub(super) fn scenario(&self, registry: &Registry, run: &Run) -> Result<Scenario, Failure> {
        let varied = self.vary.iter().zip(&run.values).map(|(vary, value)| format!("{}={value}", vary.key));
        let seed = format!("world.seed={}", run.seed);
        let set: Vec<String> = self.set.iter().cloned().chain(varied).chain([seed]).collect();
        Ok(Scenario::parse_in(registry, &self.text, &self.file, &set)?)
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
        let keys = self.vary.iter().map(|vary| vary.key.clone());
        let measures =
            self.measures.iter().flat_map(|measure| [measure.name.to_owned(), format!("{}_sd", measure.name)]);
        let rest = FAULTS.iter().chain(&["scenario_hash", "state_hash"]).map(|&name| name.to_owned());
        keys.chain(["seed".to_owned()]).chain(measures).chain(rest).collect()
    }

    /// Everything that the table follows from. `start` is the hash of the first run's world at tick zero: files that
    /// the scenario reads are part of it.
    pub(super) fn description(&self, start: u64) -> Value {
        let vary: serde_json::Map<String, Value> =
            self.vary.iter().map(|vary| (vary.key.clone(), json!(vary.values))).collect();
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "physics": throng::PHYSICS,
            "file": self.file,
            "scenario_text": self.text,
            "overrides": self.set,
            "ticks": self.ticks,
            "from": self.from,
            "vary": vary,
            "first_seed": self.first_seed,
            "seeds": self.seeds,
            "faults": FAULTS,
            "measures": self.measures.iter().map(|measure| measure.name).collect::<Vec<_>>(),
            "radius": self.radius,
            "scenario_hash": format!("{:016x}", self.scenario_hash()),
            "start_hash": format!("{start:016x}"),
        })
    }
}
