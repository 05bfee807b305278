//! What a session needs from the program that drives it.

use std::time::Duration;

use throng::{AnyWorld, Error};
use throng_scenario::{BuildError, Scenario};

/// The clock of a session, and how its worlds run.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// The time since some moment before.
    pub now: fn() -> Duration,
    /// Selects the execution of a world.
    pub prepare: fn(&mut AnyWorld) -> Result<(), Error>,
}

impl Host {
    /// Builds the world of a scenario.
    ///
    /// # Errors
    ///
    /// Fails if the world is too large, or if it cannot run here.
    pub fn build(&self, scenario: &Scenario) -> Result<AnyWorld, BuildError> {
        let mut world = scenario.build_any()?;
        (self.prepare)(&mut world)?;
        Ok(world)
    }
}
