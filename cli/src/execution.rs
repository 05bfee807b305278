//! How worlds run: the instruction set that the environment names.

use throng::scenario::BuildError;
use throng::{AnyWorld, Scenario};
use throng_bench::execution;

/// Builds the world of a scenario.
pub(crate) fn build(scenario: &Scenario) -> Result<AnyWorld, BuildError> {
    let mut world = scenario.build_any()?;
    set(&mut world)?;
    Ok(world)
}

/// Sets how a world runs.
pub(crate) fn set(world: &mut AnyWorld) -> Result<(), BuildError> {
    world.set_execution(execution()?)?;
    Ok(())
}
