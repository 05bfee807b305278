//! Workloads on which a crowd engine may be slow or wrong: their worlds, their cost, and their share of wrong agents.

mod list;
mod measure;
mod naive;
mod people;
mod worlds;

use std::ops::Range;

use throng::{SpeciesFilter, SpeciesId, World};

pub use list::all;
pub use measure::{Measurement, measure};
pub use naive::{Exactness, exactness};

/// A result of building or running a workload: worlds and scenarios check their values.
pub type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// The work of a host before a tick; it receives the number of the tick.
pub type HostCall<const D: usize> = Box<dyn FnMut(&mut World<D>, u64) -> Outcome<()>>;

/// The neighbours that a species looks for, and that the naive search over all pairs must find too.
#[derive(Clone, Debug)]
pub enum NeighbourQuery {
    /// All agents within this distance, in metres.
    Within(f32, SpeciesFilter),
    /// The nearest agent.
    Nearest(SpeciesFilter),
}

/// A world, its host, and the queries of its species.
pub struct Setup<const D: usize> {
    /// The world before its first tick.
    pub world: World<D>,
    /// The host.
    pub host: HostCall<D>,
    /// The species that are compared, and their queries.
    pub queries: Vec<(SpeciesId, NeighbourQuery)>,
}

/// A function that builds the world of a workload, in two or three dimensions.
pub enum WorldBuilder {
    /// In two dimensions.
    Two(Box<dyn Fn() -> Outcome<Setup<2>> + Sync>),
    /// In three dimensions.
    Three(Box<dyn Fn() -> Outcome<Setup<3>> + Sync>),
}

/// The measurement that a time is compared with.
#[derive(Clone, Debug, PartialEq)]
pub enum Baseline {
    /// A tick of the plain flock with the same number of agents and dimensions.
    Plain,
    /// The same, per pair of an agent and an exact neighbour.
    PlainPair,
    /// The workload of this name.
    Row(String),
}

/// The part of a tick on the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimedPart {
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
    /// Builds its world.
    pub build: WorldBuilder,
    /// The measurement that its time is compared with.
    pub baseline: Baseline,
    /// Ticks before the clock starts.
    pub warm: u64,
    /// Ticks on the clock, after those before it.
    pub ticks: Range<u64>,
    /// The part of a tick on the clock.
    pub timed: TimedPart,
    /// The name of a unit that the time of a tick is also divided by, and the number of units per tick.
    pub each: Option<(&'static str, usize)>,
    /// The number of threads, one of which is the host's; all threads of the machine if `None`.
    pub threads: Option<usize>,
    /// Whether the host sleeps between ticks, as in a game. Without a number of threads, its thread is then outside of
    /// the pool, as the thread of a game is.
    pub asleep: bool,
}
