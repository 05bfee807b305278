//! Worlds as the program runs them: the environment says with which instruction set.

use throng::scenario::BuildError;
use throng::{AnyWorld, Scenario};
use throng_bench::execution;

/// Makes the world of a scenario.
pub(crate) fn build(scenario: &Scenario) -> Result<AnyWorld, BuildError> {
    let mut world = scenario.build_any()?;
    world.set_execution(execution()?)?;
    Ok(world)
}
