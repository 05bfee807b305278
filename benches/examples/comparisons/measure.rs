//! The time of a run, by the clock and of the processor.

use std::time::Instant;

use throng::{Error, World};
use throng_bench::processor_seconds;

/// One run of a model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) agents: usize,
    /// Seconds by the clock.
    pub(crate) seconds: f64,
    /// Seconds of all processors.
    pub(crate) processor_seconds: f64,
    /// The mean number of neighbours in the first and in the last tick.
    pub(crate) neighbours: [f64; 2],
    pub(crate) hash: u64,
}

/// Creates a world and runs it. The creation counts only if it is asked for.
pub(crate) fn sample<const D: usize>(
    make: impl FnOnce() -> Result<World<D>, Error>,
    ticks: u32,
    with_creation: bool,
) -> Result<Sample, Error> {
    let mut began = (Instant::now(), processor_seconds());
    let mut world = make()?;
    if !with_creation {
        began = (Instant::now(), processor_seconds());
    }
    let mut first = 0.0;
    for tick in 0..ticks {
        world.step();
        if tick == 0 {
            first = world.profile().mean_neighbours();
        }
    }
    let seconds = began.0.elapsed().as_secs_f64();
    let processor_seconds = processor_seconds() - began.1;
    let neighbours = [first, world.profile().mean_neighbours()];
    Ok(Sample { agents: world.population(), seconds, processor_seconds, neighbours, hash: world.state_hash() })
}
