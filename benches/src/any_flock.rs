//! A flock in either number of dimensions, for programs that learn it when they run.

use std::time::Duration;

use throng::{Error, InstructionSet};

use crate::{Design, Flock, Kind, roofline};

/// A flock in two or in three dimensions.
#[derive(Debug)]
pub enum AnyFlock {
    /// A flock in the plane.
    Flat(Flock<2>),
    /// A flock in space.
    Space(Flock<3>),
}

impl AnyFlock {
    /// A flock of `agents` agents, in three dimensions if `dimensions` is 3 and else in two.
    #[must_use]
    pub fn new(dimensions: usize, agents: usize) -> Self {
        if dimensions == 3 { Self::Space(Flock::new(agents)) } else { Self::Flat(Flock::new(agents)) }
    }

    /// How many dimensions it has.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        match self {
            Self::Flat(_) => 2,
            Self::Space(_) => 3,
        }
    }

    /// The flock in a design, before its first tick.
    ///
    /// # Errors
    ///
    /// As for [`Kind::make`].
    pub fn design(&self, kind: Kind, set: InstructionSet) -> Result<Box<dyn Design>, Error> {
        match self {
            Self::Flat(flock) => kind.make(flock, set),
            Self::Space(flock) => kind.make(flock, set),
        }
    }

    /// The roofline in its number of dimensions: see [`roofline::pair_tests_per_second`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn roofline(&self, set: InstructionSet, time: Duration) -> Result<f64, Error> {
        match self {
            Self::Flat(_) => roofline::pair_tests_per_second::<2>(set, time),
            Self::Space(_) => roofline::pair_tests_per_second::<3>(set, time),
        }
    }
}
