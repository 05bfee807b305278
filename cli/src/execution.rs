//! How worlds run: the instruction set that the environment names.

use throng::scenario::BuildError;
use throng::{AnyWorld, Error, Scenario};
use throng_bench::execution;

/// Builds the world of a scenario.
pub(crate) fn build(scenario: &Scenario) -> Result<AnyWorld, BuildError> {
    let mut world = scenario.build_any()?;
    prepare(&mut world)?;
    Ok(world)
}

/// Selects the instruction set for a world.
pub(crate) fn prepare(world: &mut AnyWorld) -> Result<(), Error> {
    world.set_execution(execution()?)
}
