//! Worlds from TOML scenario files.
//!
//! A file is checked in full before anything is built: [`Scenario::load`] returns a valid scenario, or every problem of
//! the file with its line and column. [`keys`] lists the keys of a file.
//!
//! ```
//! use throng::Scenario;
//!
//! let scenario = Scenario::parse(
//!     r#"
//!     format = 1
//!     [world]
//!     dimensions = 2
//!     size = [200.0, 100.0]
//!     [species.starling]
//!     count = 100
//!     behaviours = [{ rule = "alignment", radius = 8.0 }]
//!     "#,
//!     "small.toml",
//! )?;
//! let mut world = scenario.build::<2>()?;
//! world.step();
//! assert_eq!(world.population(), 100);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod check;
mod document;
mod fields;
pub mod keys;
mod memory;
mod overrides;
mod place;
mod problem;
mod reason;
mod rules;
mod environment;
mod states;
mod suggest;

use std::fs::File;
use std::io::Read;
use std::path::Path;

pub use build::{BuildError, MOST_RULES, MOST_SPECIES};
pub use problem::{Location, Problem, Problems, printable};
pub use reason::{Cause, Reason};

use crate::base::settings::Edge;
use crate::species::registry::Registry;
use crate::species::{Combine, Distribution};
use environment::EnvironmentSpec;
use place::Start;
use rules::RuleSpec;
use states::StatesSpec;

/// The largest size of a scenario file, in bytes; larger files are refused unread.
pub const LARGEST_FILE: u64 = 16 << 20;

/// A validated description of a world and of its run.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The rules that the file may use.
    registry: Registry,
    name: String,
    dimensions: usize,
    /// `None` only while a file is being read.
    size: Option<Vec<f32>>,
    edge: Edge,
    tick_seconds: f32,
    ticks: u64,
    seed: u64,
    pair_budget: Option<usize>,
    environment: EnvironmentSpec,
    groups: Vec<Group>,
    output: Output,
}

/// The output of a run of a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Output {
    /// The interval in ticks at which positions and velocities are written; `None` for never.
    pub trajectory_every: Option<u64>,
    /// The quantity that the colour of an agent shows; `None` to choose by the number of species.
    pub colour: Option<Colour>,
    /// The width of the picture in pixels; `None` to choose by the shape of the world.
    pub width: Option<u32>,
    /// The height of the picture in pixels; `None` to choose by the shape of the world.
    pub height: Option<u32>,
}

/// The quantity that the colour of an agent shows in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// The species.
    Species,
    /// The direction of motion.
    Heading,
    /// The speed.
    Speed,
    /// The number of agents nearby.
    Neighbours,
    /// The state and the species.
    State,
}

impl Colour {
    /// All variants, in the order of their documentation.
    pub const ALL: [Self; 5] = [Self::Species, Self::Heading, Self::Speed, Self::Neighbours, Self::State];

    /// The name in a scenario file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Species => "species",
            Self::Heading => "heading",
            Self::Speed => "speed",
            Self::Neighbours => "neighbours",
            Self::State => "state",
        }
    }
}

/// The agents of one species at the start.
#[derive(Clone, Debug, PartialEq)]
struct Group {
    name: String,
    count: u64,
    start: Start,
    /// In the order of [`QUANTITIES`](crate::species::QUANTITIES).
    quantities: [Distribution; 7],
    combine: Combine,
    rules: Vec<RuleSpec>,
    states: StatesSpec,
}

impl Scenario {
    /// Reads a scenario from the text of a file; messages refer to it as `file`.
    ///
    /// # Errors
    ///
    /// All problems of the text.
    pub fn parse(text: &str, file: &str) -> Result<Self, Problems> {
        Self::parse_with(text, file, &[])
    }

    /// Reads a scenario from text, with overrides of some keys, such as `world.seed=3`, `species.starling.max_speed=9`,
    /// `species.starling.behaviours.0.weight=2` or `species.starling.separation.radius=3`.
    ///
    /// # Errors
    ///
    /// All problems of the file and of the overrides.
    pub fn parse_with(text: &str, file: &str, overrides: &[String]) -> Result<Self, Problems> {
        Self::parse_in(&Registry::new(), text, file, overrides)
    }

    /// Reads a scenario from text, with the rules of a registry: throng's own and those of the program.
    ///
    /// # Errors
    ///
    /// As for [`parse_with`](Self::parse_with).
    pub fn parse_in(registry: &Registry, text: &str, file: &str, overrides: &[String]) -> Result<Self, Problems> {
        check::check(registry, text, file, overrides)
    }

    /// Reads a scenario file.
    ///
    /// # Errors
    ///
    /// All problems of the file, including that it cannot be read or is larger than [`LARGEST_FILE`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Problems> {
        Self::load_with(path, &[])
    }

    /// Reads a scenario file, with overrides of some keys.
    ///
    /// # Errors
    ///
    /// As for [`load`](Self::load) and [`parse_with`](Self::parse_with).
    pub fn load_with(path: impl AsRef<Path>, overrides: &[String]) -> Result<Self, Problems> {
        Self::load_in(&Registry::new(), path, overrides)
    }

    /// Reads a scenario file, with the rules of a registry: throng's own and those of the program.
    ///
    /// # Errors
    ///
    /// As for [`load_with`](Self::load_with).
    pub fn load_in(registry: &Registry, path: impl AsRef<Path>, overrides: &[String]) -> Result<Self, Problems> {
        let path = path.as_ref();
        Self::parse_in(registry, &Self::read(path)?, &path.display().to_string(), overrides)
    }

    /// Reads the text of a scenario file unchecked, for [`parse`](Self::parse).
    ///
    /// # Errors
    ///
    /// A problem if the file cannot be read, is larger than [`LARGEST_FILE`] or is not UTF-8 text.
    pub fn read(path: impl AsRef<Path>) -> Result<String, Problems> {
        let path = path.as_ref();
        let wrong = |reason: Reason| Problems::whole(&path.display().to_string(), reason);
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|open| open.take(LARGEST_FILE + 1).read_to_end(&mut bytes));
        read.map_err(|error| wrong(Reason::Unreadable { kind: error.kind(), message: error.to_string() }))?;
        if bytes.len() as u64 > LARGEST_FILE {
            return Err(wrong(Reason::TooLarge));
        }
        String::from_utf8(bytes).map_err(|error| wrong(Reason::NotUtf8(error.utf8_error().valid_up_to())))
    }

    fn empty(file: &str, registry: Registry) -> Self {
        let stem = Path::new(file).file_stem().unwrap_or_default();
        Self {
            registry,
            name: printable(&stem.to_string_lossy()).to_string(),
            dimensions: 2,
            size: None,
            edge: Edge::Wrap,
            tick_seconds: 1.0,
            ticks: keys::TICKS,
            seed: 0,
            pair_budget: None,
            environment: EnvironmentSpec::default(),
            groups: Vec::new(),
            output: Output::default(),
        }
    }

    /// The title in the file, or the file name without its extension.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of dimensions, with which [`build`](Self::build) must be called.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The number of ticks of a run.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// The seed of all random draws.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The species and their initial numbers of agents.
    pub fn species(&self) -> impl Iterator<Item = (&str, u64)> {
        self.groups.iter().map(|group| (&group.name[..], group.count))
    }

    /// The initial number of agents.
    #[must_use]
    pub fn agents(&self) -> u64 {
        self.groups.iter().fold(0, |sum, group| sum.saturating_add(group.count))
    }

    /// The output of a run.
    #[must_use]
    pub fn output(&self) -> &Output {
        &self.output
    }
}
