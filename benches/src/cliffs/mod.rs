//! Workloads that a crowd engine may be slow or wrong at: what they are, what they cost, how many agents they get wrong.

mod list;
mod measure;
mod naive;
mod worlds;

use std::ops::Range;

use throng::{SpeciesId, Whom, World};

pub use list::all;
pub use measure::{Figures, measure};
pub use naive::{Exactness, exactness};

/// What may fail: worlds are checked, and so are scenarios.
pub type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// What a host does before a tick, of which it gets the number.
pub type Host<const D: usize> = Box<dyn FnMut(&mut World<D>, u64) -> Outcome<()>>;

/// What a naive search over all pairs is to find as well.
#[derive(Clone, Debug)]
pub enum Sight {
    /// Everybody within this distance, in metres.
    Within(f32, Whom),
    /// The nearest one.
    Nearest(Whom),
}

/// A world, what its host does, and what its species see.
pub struct Run<const D: usize> {
    /// The world before its first tick.
    pub world: World<D>,
    /// The host.
    pub host: Host<D>,
    /// What is compared.
    pub sights: Vec<(SpeciesId, Sight)>,
}

/// How a world of either number of dimensions is made.
pub enum Make {
    /// In two dimensions.
    Two(Box<dyn Fn() -> Outcome<Run<2>> + Sync>),
    /// In three.
    Three(Box<dyn Fn() -> Outcome<Run<3>> + Sync>),
}

/// What a time is compared with.
#[derive(Clone, Debug, PartialEq)]
pub enum To {
    /// A tick of the plain flock with as many agents and dimensions.
    Plain,
    /// The same for each pair of an agent and its exact neighbour.
    PlainPair,
    /// Another row.
    Row(String),
}

/// Whose time is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timed {
    /// That of the steps.
    Steps,
    /// That of the host's calls.
    Host,
}

/// One row of the table.
pub struct Workload {
    /// Its name.
    pub name: String,
    /// Agents at the start.
    pub agents: usize,
    /// Its world.
    pub make: Make,
    /// What its time is compared with.
    pub to: To,
    /// Ticks before the clock.
    pub warm: u64,
    /// Ticks on the clock, after those before it.
    pub ticks: Range<u64>,
    /// Whose time is taken.
    pub timed: Timed,
    /// What a tick's time is divided among as well, and how many there are.
    pub each: Option<(&'static str, usize)>,
    /// The number of threads where it matters; else that of the machine.
    pub threads: Option<usize>,
    /// Whether the host sleeps between ticks, as in a game.
    pub asleep: bool,
}
