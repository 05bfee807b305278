//! The initial positions and velocities of a species, as read from a scenario.

use crate::species::Distribution;

/// The initial positions and velocities of a species.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Start {
    pub(crate) region: StartRegion,
    pub(crate) heading: Heading,
    /// `None` for the maximum speed of each agent.
    pub(crate) speed: Option<Distribution>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StartRegion {
    All,
    /// Centre and radius.
    Disc(Vec<f32>, f32),
    /// Centre and extent.
    Box(Vec<f32>, Vec<f32>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Heading {
    Random,
    Along(Vec<f32>),
}
