//! The measured worlds: the flock of throng's own figures, or a scenario, in worlds of several sizes.

use std::path::PathBuf;

use throng::{AnyWorld, Execution, Registry};
use throng_bench::Flock;
use throng_scenario::Scenario;

use super::options::BenchOptions;
use crate::execution::{build, execution};
use crate::failure::Failure;
use crate::find::{Found, find};
use crate::origin::add_scenario;
use crate::output::grouped;
use crate::paths::Paths;
use crate::terminal::warn_all;

/// The size of a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Size {
    /// A number of agents.
    Agents(u64),
    /// A multiple of the scenario's number.
    Scale(f64),
}

impl Size {
    /// The size in words, by which rows of two measurements are the same.
    pub(crate) fn text(self) -> String {
        match self {
            Self::Agents(1) => "1 agent".to_owned(),
            Self::Agents(agents) => format!("{} agents", grouped(agents)),
            Self::Scale(1.0) => "as in the file".to_owned(),
            Self::Scale(scale) => format!("scale {scale}"),
        }
    }

    /// The size of a world for this many threads, each with this one.
    pub(crate) fn times(self, threads: usize) -> Self {
        match self {
            Self::Agents(agents) => Self::Agents(agents.saturating_mul(threads as u64)),
            Self::Scale(scale) => Self::Scale(scale * threads as f64),
        }
    }
}

/// A world to measure, before its first tick.
pub(crate) enum Subject<'r> {
    /// The flock.
    Flock(Execution),
    /// A scenario.
    Scenario(Box<File<'r>>),
}

/// A scenario as it is measured.
pub(crate) struct File<'r> {
    file: PathBuf,
    text: String,
    overrides: Vec<String>,
    registry: &'r Registry,
    pub(crate) scenario: Scenario,
}

impl<'r> Subject<'r> {
    /// Reads the names on the command line.
    pub(crate) fn open(options: &BenchOptions, registry: &'r Registry) -> Result<Self, Failure> {
        let Some(name) = &options.scenario else {
            return execution().map(Self::Flock).map_err(|error| Failure::Input(error.to_string()));
        };
        let (found, overrides) = (find(name)?, options.set.clone());
        let scenario = found.parse(registry, &overrides)?;
        warn_all(&scenario.warnings());
        let Found { file, text, .. } = found;
        Ok(Self::Scenario(Box::new(File { file, text, overrides, registry, scenario })))
    }

    /// Adds the files of the scenario to the files of the command.
    pub(crate) fn add_to(&self, paths: &mut Paths) {
        if let Self::Scenario(file) = self {
            add_scenario(paths, &file.file, &file.scenario);
        }
    }

    /// The name in results.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Flock(_) => "flock",
            Self::Scenario(file) => file.scenario.name(),
        }
    }

    /// The numbers of dimensions to measure.
    pub(crate) fn dimensions(&self, options: &BenchOptions) -> Vec<usize> {
        match self {
            Self::Flock(_) => options.dimensions.iter().map(|&dimensions| dimensions.into()).collect(),
            Self::Scenario(file) => vec![file.scenario.dimensions()],
        }
    }

    /// Builds a world of this size. `population` is the number of agents of the scenario as it is, where the size is a
    /// number of agents.
    pub(crate) fn world(&self, dimensions: usize, size: Size, population: u64) -> Result<AnyWorld, Failure> {
        match self {
            Self::Flock(execution) => {
                let agents = if let Size::Agents(agents) = size { agents as usize } else { 0 };
                let world = match dimensions {
                    3 => Flock::<3>::world_of(agents, *execution).map(AnyWorld::from),
                    _ => Flock::<2>::world_of(agents, *execution).map(AnyWorld::from),
                };
                world.map_err(|error| Failure::Input(error.to_string()))
            }
            Self::Scenario(file) => Ok(build(&file.scaled(size, population)?)?),
        }
    }

    /// Checks that a world of this size can be built, without building it. Returns its number of agents at the start.
    pub(crate) fn check(&self, size: Size, population: u64) -> Result<u64, Failure> {
        match (self, size) {
            (Self::Flock(_), Size::Agents(agents)) => Ok(agents),
            (Self::Flock(_), Size::Scale(_)) => Ok(0),
            (Self::Scenario(file), size) => {
                let scenario = file.scaled(size, population)?;
                scenario.check_limits()?;
                Ok(if let Size::Agents(agents) = size { agents } else { scenario.agents() })
            }
        }
    }
}

impl File<'_> {
    /// The scenario in this size.
    fn scaled(&self, size: Size, population: u64) -> Result<Scenario, Failure> {
        let scale = match size {
            Size::Scale(1.0) => return Ok(self.scenario.clone()),
            Size::Scale(scale) => scale,
            Size::Agents(agents) => agents as f64 / population as f64,
        };
        let file = self.file.to_string_lossy().into_owned();
        Ok(Scenario::parse_scaled(self.registry, &self.text, &file, &self.overrides, scale)?)
    }
}
