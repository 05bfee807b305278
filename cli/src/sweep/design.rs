//! The design of a sweep: its runs, and the columns of its table.

use serde_json::{Value, json};
use throng::Registry;
use throng::measures::Measure;
use throng_scenario::{Scenario, Sweep, SweepFault, SweepRun, Varied};

use super::measures;
use super::vary::Vary;
use super::warnings::Doubts;
use crate::arguments::SweepOptions;
use crate::failure::Failure;
use crate::find::{Found, find};

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
    pub(super) from: u64,
    pub(super) measures: Vec<&'static Measure>,
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
        let SweepOptions { source, ticks, from, seeds, .. } = options;
        if from >= ticks {
            let reason = format!("--from {from}: must be less than --ticks {ticks}: no tick would be measured");
            return Err(Failure::Input(reason));
        }
        let vary = options.vary.iter().map(|text| Vary::parse(text)).collect::<Result<Vec<_>, _>>()?;
        let measures = measures::named(&options.measure, options.radius)?;
        let Found { file, text, .. } = find(&source.scenario)?;
        let file = file.display().to_string();
        let varied = vary.iter().map(|Vary { key, values }| Varied {
            key: key.clone(),
            values: values.iter().map(|value| vec![format!("{key}={value}")]).collect(),
        });
        let (set, most) = (source.set.clone(), if options.force { MOST_FORCED } else { MOST_RUNS });
        let sweep = Sweep::new(registry, &text, &file, &set, varied.collect(), (None, seeds.get()), most);
        let sweep = sweep.map_err(|fault| failure(fault, seeds.get()))?;
        let (ticks, from, radius, runs) = (*ticks, *from, options.radius, sweep.runs());
        let doubts = Doubts::default();
        let mut design = Self { file, text, set, vary, sweep, ticks, from, measures, radius, runs, doubts };
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
        let values = self.vary.iter().zip(&run.values).map(|(vary, &value)| vary.values[value].clone()).collect();
        Run { values, seed: run.seed, run }
    }

    /// The scenario of a run.
    pub(super) fn scenario(&self, run: &Run) -> Result<Scenario, Failure> {
        Ok(self.sweep.scenario(&run.run)?)
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
            "first_seed": self.sweep.first_seed(),
            "seeds": self.sweep.seeds(),
            "faults": FAULTS,
            "measures": self.measures.iter().map(|measure| measure.name).collect::<Vec<_>>(),
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
