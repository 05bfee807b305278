//! The roofline of the pair kernel: the pair tests per second that it reaches if all other work is free.
//!
//! It is measured, not computed from a data sheet: the kernel alone over lists of candidates, on 1024 agents that stay
//! in the first-level cache, on one core, with the instruction set and the arithmetic of a tick.

use std::time::{Duration, Instant};

use throng::bench_kernels::{FlockRules, Tile};
use throng::{Error, Execution, InstructionSet, NeighbourLists};

use crate::flock::{Flock, MAX_FORCE, MAX_SPEED, RADIUS, RESPONSE, SEPARATION_RADIUS, TICK_SECONDS};

/// The rules and limits, in the form that the kernels expect.
pub(crate) const RULES: FlockRules = FlockRules {
    separation_radius: SEPARATION_RADIUS,
    radius: RADIUS,
    max_speed: MAX_SPEED,
    max_force: MAX_FORCE,
    response: RESPONSE,
    tick_seconds: TICK_SECONDS,
};

/// Agents of the tile: 64 clusters.
const AGENTS: usize = 1024;

/// Candidates of a cluster, about the number in a tick in two dimensions.
pub const CANDIDATES: usize = 76;

/// Builds a tile of arranged agents, for one kernel at a time.
///
/// # Errors
///
/// [`Error::NoSuchInstructionSet`] if this machine lacks it.
pub fn tile<const D: usize>(agents: usize, set: InstructionSet) -> Result<Tile<D>, Error> {
    let execution = Execution { neighbour_lists: NeighbourLists::Fresh, instruction_set: Some(set) };
    let mut world = Flock::new(agents).world(execution)?;
    world.step();
    Tile::new(&world, set, RULES).ok_or_else(|| Error::NoSuchInstructionSet(set.name().to_owned()))
}

/// Measures the pair tests per second of one core: the best of many short runs, within about `time`.
///
/// # Errors
///
/// [`Error::NoSuchInstructionSet`] if this machine lacks it.
pub fn pair_tests_per_second<const D: usize>(set: InstructionSet, time: Duration) -> Result<f64, Error> {
    let mut tile = tile::<D>(AGENTS, set)?;
    tile.list(CANDIDATES);
    let mut best: f64 = 0.0;
    let began = Instant::now();
    while best == 0.0 || began.elapsed() < time {
        let run = Instant::now();
        let pairs: u64 = (0..8).map(|_| std::hint::black_box(&mut tile).add_pairs()).sum();
        best = best.max(pairs as f64 / run.elapsed().as_secs_f64());
    }
    Ok(best)
}
