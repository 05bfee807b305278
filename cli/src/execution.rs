//! Building worlds with the instruction set that the environment names.

use throng::scenario::BuildError;
use throng::{AnyWorld, Scenario};
use throng_bench::execution;

/// Builds the world of a scenario.
pub(crate) fn build(scenario: &Scenario) -> Result<AnyWorld, BuildError> {
    let mut world = scenario.build_any()?;
    world.set_execution(execution()?)?;
    Ok(world)
}
