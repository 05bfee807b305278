//! Workloads on which a crowd engine may be slow or wrong: their worlds, their cost, and their share of wrong agents.

mod list;
mod measure;
mod naive;
mod worlds;

use std::ops::Range;

use throng::{SpeciesFilter, SpeciesId, World};

pub use list::all;
pub use measure::{Figures, measure};
pub use naive::{Exactness, exactness};

/// A result of making or running a workload: worlds and scenarios check their values.
pub type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// The work of a host before a tick; it receives the number of the tick.
pub type Host<const D: usize> = Box<dyn FnMut(&mut World<D>, u64) -> Outcome<()>>;

/// What the naive search over all pairs looks for.
#[derive(Clone, Debug)]
pub enum Sight {
    /// All agents within this distance, in metres.
    Within(f32, SpeciesFilter),
    /// The nearest agent.
    Nearest(SpeciesFilter),
}

/// A world, its host, and the sights of its species.
pub struct Run<const D: usize> {
    /// The world before its first tick.
    pub world: World<D>,
    /// The host.
    pub host: Host<D>,
    /// The species that are compared, and their sights.
    pub sights: Vec<(SpeciesId, Sight)>,
}

/// Makes a world, in two or three dimensions.
pub enum Make {
    /// In two dimensions.
    Two(Box<dyn Fn() -> Outcome<Run<2>> + Sync>),
    /// In three dimensions.
    Three(Box<dyn Fn() -> Outcome<Run<3>> + Sync>),
}

/// The reference of a time.
#[derive(Clone, Debug, PartialEq)]
pub enum To {
    /// A tick of the plain flock with the same number of agents and dimensions.
    Plain,
    /// The same, per pair of an agent and an exact neighbour.
    PlainPair,
    /// The workload of this name.
    Row(String),
}

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timed {
    /// The steps.
    Steps,
    /// The host's calls.
    Host,
}

/// A workload: one row of the table.
pub struct Workload {
    /// Its name.
    pub name: String,
    /// Agents at the start.
    pub agents: usize,
    /// Its world.
    pub make: Make,
    /// The reference of its time.
    pub to: To,
    /// Ticks before the clock starts.
    pub warm: u64,
    /// Ticks on the clock, after those before it.
    pub ticks: Range<u64>,
    /// What is timed.
    pub timed: Timed,
    /// A unit that the time of a tick is also divided by: its name, and the number of units per tick.
    pub each: Option<(&'static str, usize)>,
    /// The number of threads; that of the machine if `None`.
    pub threads: Option<usize>,
    /// Whether the host sleeps between ticks, as in a game.
    pub asleep: bool,
}
