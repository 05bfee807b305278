//! The origin of a run's results: everything that another run needs to repeat it.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use throng::{AnyWorld, Registry, with_world};
use throng_formats::trajectory::shortest;
use throng_scenario::{Scenario, shown};
use throng_view::overrides;

use crate::arguments::RunOptions;
use crate::failure::Failure;
use crate::find::{Found, find};
use crate::paths::Paths;
use crate::results::SUMMARY;

/// A scenario as it is run: its text, and the changes by the command line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Origin {
    /// The file of the scenario. Files that the scenario names are relative to its folder.
    pub(crate) file: PathBuf,
    #[serde(rename = "scenario_text")]
    pub(crate) text: String,
    overrides: Vec<String>,
    /// The results that a repeated run must give.
    #[serde(skip)]
    pub(crate) recorded: Option<Recorded>,
}

/// The outcome of a recorded run.
#[derive(Clone, Debug)]
pub(crate) struct Recorded {
    summary: PathBuf,
    version: String,
    pub(crate) ticks: u64,
    hash: String,
}

impl Origin {
    /// The origin that the command line names: a scenario file, or the folder of an earlier run.
    pub(crate) fn read(run: &RunOptions) -> Result<Self, Failure> {
        match (&run.again, &run.scenario) {
            (Some(folder), _) => Self::recorded(folder),
            (None, Some(file)) => {
                let Found { file, text, .. } = find(file)?;
                let colour = run.colour.iter().map(|what| format!("output.picture.colour={what:?}"));
                let sets: Vec<String> = run.set.iter().cloned().chain(colour).collect();
                Ok(Self::of(file, text, overrides(&sets, run.engine.seed)))
            }
            (None, None) => Err(Failure::Input("a scenario, or --again, is missing".to_owned())),
        }
    }

    /// A scenario of this file, with its text.
    pub(crate) fn of(file: PathBuf, text: String, overrides: Vec<String>) -> Self {
        Self { file, text, overrides, recorded: None }
    }

    /// The origin in the summary of a folder of results.
    pub(crate) fn recorded(folder: &Path) -> Result<Self, Failure> {
        let summary = folder.join(SUMMARY);
        let refuse = |reason: String| Failure::Input(format!("{}: {reason}", shown(&summary)));
        let bytes = fs::read(&summary).map_err(|error| refuse(format!("cannot be read: {error}")))?;
        let object: Value = serde_json::from_slice(&bytes).map_err(|error| refuse(format!("is not JSON: {error}")))?;
        let missing = |key: &str| refuse(format!("the key {key} is missing: the run of another version wrote it"));
        let text = |key: &str| object[key].as_str().map(str::to_owned).ok_or_else(|| missing(key));
        let overrides = object["overrides"].as_array().and_then(|overrides| {
            overrides.iter().map(|set| set.as_str().map(str::to_owned)).collect::<Option<Vec<String>>>()
        });
        let recorded = Recorded {
            version: text("version")?,
            ticks: object["ticks"].as_u64().ok_or_else(|| missing("ticks"))?,
            hash: text("hash")?,
            summary: summary.clone(),
        };
        Ok(Self {
            file: text("file")?.into(),
            text: text("scenario_text")?,
            overrides: overrides.ok_or_else(|| missing("overrides"))?,
            recorded: Some(recorded),
        })
    }

    /// Adds the files that the run reads to the files of a command.
    pub(crate) fn add_to(&self, paths: &mut Paths, scenario: &Scenario) {
        add_scenario(paths, &self.file, scenario);
        if let Some(recorded) = &self.recorded {
            paths.reads("the summary of the run to repeat", &recorded.summary);
        }
    }

    /// The same with another seed.
    pub(crate) fn with_seed(&self, seed: u64) -> Self {
        let overrides = self.overrides.iter().cloned().chain([format!("world.seed={seed}")]).collect();
        Self { overrides, ..self.clone() }
    }

    /// The changes by the command line, as in `--set`.
    pub(crate) fn overrides(&self) -> &[String] {
        &self.overrides
    }

    /// The values that must be the same on all ranks: the program, the overrides and the text of the scenario.
    pub(crate) fn request(&self, program: &str) -> String {
        format!("{program}\n{:?}\n{}", self.overrides, self.text)
    }

    /// The scenario, with the rules of `registry`.
    pub(crate) fn scenario(&self, registry: &Registry) -> Result<Scenario, Failure> {
        let file = self.file.to_string_lossy();
        Ok(Scenario::parse_in(registry, &self.text, &file, &self.overrides)?)
    }

    /// The keys of the summary that describe the origin.
    pub(crate) fn json(&self, world: &AnyWorld) -> Map<String, Value> {
        let (settings, dimensions) = (world.settings(), world.dimensions());
        let edges: Vec<&str> = settings.edge.iter().take(dimensions).map(|edge| edge.name()).collect();
        let size: Vec<f64> = settings.size.0.iter().take(dimensions).map(|&extent| shortest(extent)).collect();
        let object = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "physics": throng::PHYSICS,
            "tick_seconds": shortest(settings.tick_seconds),
            "size": size,
            "edges": edges,
            "file": self.file.to_string_lossy(),
            "overrides": self.overrides,
            "scenario_text": self.text,
        });
        if let Value::Object(object) = object { object } else { Map::new() }
    }
}

impl Recorded {
    /// Compares the hash of the repeated run.
    pub(crate) fn compare(&self, hash: &str) -> Result<(), Failure> {
        if hash == self.hash {
            return Ok(());
        }
        let present = env!("CARGO_PKG_VERSION");
        let by = if self.version == present { String::new() } else { format!(", written by version {}", self.version) };
        let recorded = format!("{} has {}{by}", shown(&self.summary), self.hash);
        Err(Failure::Unexpected(format!("the state hash is {hash}, and {recorded}")))
    }
}

/// Adds a scenario and the files that it names to the files of a command.
pub(crate) fn add_scenario(paths: &mut Paths, file: &Path, scenario: &Scenario) {
    paths.reads("the scenario", file);
    scenario.files().iter().for_each(|file| paths.reads("a file of the scenario", file));
}

/// The simulated time of a world, in seconds, without the rounding errors of its last digits.
pub(crate) fn seconds(world: &AnyWorld) -> f64 {
    with_world!(world, world => world.decimal_seconds())
}
