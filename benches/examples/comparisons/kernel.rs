//! Pairs per microsecond of one core: the pair kernel by itself, and in a tick.

use std::time::Duration;

use throng::{Error, Execution, InstructionSet};
use throng_bench::{Flock, roofline};

/// Agents of the tick: few, so that some ticks pass without an interruption on a machine with other work.
const AGENTS: usize = 12_000;
/// Ticks before the timed ones, and these.
const TICKS: [usize; 2] = [16, 256];

/// Pairs per microsecond with one instruction set, on one thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pairs {
    /// Pairs whose distance the kernel tests, with its data in the nearest cache.
    pub(crate) tested: f64,
    /// Pairs within the radius, counted for both of their agents, in the stage that finds and sums them: the best tick.
    pub(crate) found: f64,
    /// Pairs tested per pair within the radius, in these ticks.
    pub(crate) candidates: f64,
}

/// Measures the flock in three dimensions.
pub(crate) fn measure(set: InstructionSet) -> Result<Pairs, Error> {
    let tested = 1e-6 * roofline::pair_tests_per_second::<3>(set, Duration::from_secs(1))?;
    let mut world = Flock::<3>::world_of(AGENTS, Execution { instruction_set: Some(set), ..Execution::default() })?;
    let (mut found, mut candidates) = (0.0, 0.0);
    for tick in 0..TICKS[0] + TICKS[1] {
        world.step();
        let profile = world.profile();
        let rate = profile.neighbours as f64 / (1e3 * profile.steer);
        if tick >= TICKS[0] && rate > found {
            (found, candidates) = (rate, profile.candidates_per_pair());
        }
    }
    Ok(Pairs { tested, found, candidates })
}
