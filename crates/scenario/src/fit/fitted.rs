//! The points of a fit, and the faults that end one.

use std::fmt;

use crate::build::BuildError;
use crate::problem::Problems;

/// The reason to refuse or end a fit.
#[derive(Debug)]
#[non_exhaustive]
pub enum FitFault {
    /// A scenario is refused.
    Scenario(Problems),
    /// A world cannot be built.
    Build(BuildError),
    /// Another part of the design is wrong, in words.
    Design(String),
    /// A step failed.
    Step(throng::Error),
    /// The caller ended it.
    Stopped,
}

impl fmt::Display for FitFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scenario(problems) => problems.fmt(f),
            Self::Build(error) => error.fmt(f),
            Self::Design(reason) => f.write_str(reason),
            Self::Step(error) => error.fmt(f),
            Self::Stopped => f.write_str("the fit was ended"),
        }
    }
}

impl std::error::Error for FitFault {}

/// Hears of each tick, and returns whether to continue.
pub type Watch<'w> = dyn Fn(u64) -> bool + Sync + 'w;

/// A point: values of the keys, and the distance of its runs from the tracks.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Fitted {
    /// The value of each key.
    pub values: Vec<f64>,
    /// The distance: [`throng::measures::Patterns::distance`].
    pub distance: f64,
}
