//! Options that several commands have, and their meaning.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use throng::Registry;
use throng_formats::trajectory::TrajectoryFormat;
use throng_scenario::{Scenario, shown};
use throng_view::overrides;

use crate::failure::Failure;
use crate::files::existing;
use crate::find::find;
use crate::output::{print, print_folded};
use crate::terminal::warn_all;
use crate::values::{seed, threads};

#[derive(Debug, Args)]
pub(crate) struct ScenarioOptions {
    /// The scenario: a file, a name as in throng list, or - for the standard input
    pub(crate) scenario: PathBuf,
    /// Override a key, such as world.tick=0.02; may be repeated
    ///
    /// A rule of a species is named as in species.starling.separation.radius=3.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
}

impl ScenarioOptions {
    /// Loads the scenario with the rules of `registry`, the overrides, and `seed` if given. Prints its warnings.
    pub(crate) fn load(&self, registry: &Registry, seed: Option<u64>) -> Result<Scenario, Failure> {
        let scenario = find(&self.scenario)?.parse(registry, &overrides(&self.set, seed))?;
        warn_all(&scenario.warnings());
        Ok(scenario)
    }
}

/// Whether a file is a trajectory and not a scenario.
///
/// # Errors
///
/// Fails if the file is a trajectory that does not exist, or for which a key or the seed of a scenario is set.
pub(crate) fn is_trajectory(file: &Path, set: &[String], seed: Option<u64>) -> Result<bool, Failure> {
    if TrajectoryFormat::of(file).is_none() {
        return Ok(false);
    }
    existing(&file)?;
    if !set.is_empty() || seed.is_some() {
        let reason = "is a trajectory: --set and --seed are for scenarios";
        return Err(Failure::Input(format!("{}: {reason}", shown(&file))));
    }
    Ok(true)
}

// Options of the engine. Not a doc comment: clap would show it as the help of the command.
#[derive(Clone, Debug, Args)]
pub(crate) struct EngineOptions {
    /// Use this many threads [default: one per core]
    ///
    /// 64 of them are allowed, or four per core if these are more.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// The seed of all random numbers
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seed)]
    pub(crate) seed: Option<u64>,
}

// Options of the summary that a command prints at its end. Not a doc comment, for the same reason.
#[derive(Clone, Debug, Args)]
pub(crate) struct OutputOptions {
    /// Print the summary as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Print only errors, and the JSON object if --json is given
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl OutputOptions {
    /// Prints the summary as a JSON object, as text, or not at all.
    pub(crate) fn print(&self, json: impl FnOnce() -> String, text: impl FnOnce() -> String) -> Result<(), Failure> {
        if self.json {
            print(&json())
        } else if !self.quiet {
            print_folded(&text())
        } else {
            Ok(())
        }
    }
}
