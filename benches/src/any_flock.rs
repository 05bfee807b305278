//! A flock in either number of dimensions, for programs that choose it at run time.

use std::time::Duration;

use throng::{Error, InstructionSet};

use crate::{Design, DesignKind, Flock, roofline};

/// A flock in two or in three dimensions.
#[derive(Debug)]
pub enum AnyFlock {
    /// A flock in the plane.
    Flat(Flock<2>),
    /// A flock in space.
    Space(Flock<3>),
}

impl AnyFlock {
    /// Creates a flock of `agents` agents, in three dimensions if `dimensions` is 3 and else in two.
    #[must_use]
    pub fn new(dimensions: usize, agents: usize) -> Self {
        if dimensions == 3 { Self::Space(Flock::new(agents)) } else { Self::Flat(Flock::new(agents)) }
    }

    /// Returns the number of dimensions.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        match self {
            Self::Flat(_) => 2,
            Self::Space(_) => 3,
        }
    }

    /// Builds the flock in a design, before its first tick.
    ///
    /// # Errors
    ///
    /// As for [`DesignKind::build`].
    pub fn design(&self, kind: DesignKind, set: InstructionSet) -> Result<Box<dyn Design>, Error> {
        match self {
            Self::Flat(flock) => kind.build(flock, set),
            Self::Space(flock) => kind.build(flock, set),
        }
    }

    /// Measures the roofline in its number of dimensions: see [`roofline::pair_tests_per_second`].
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchInstructionSet`] if this machine lacks it.
    pub fn roofline(&self, set: InstructionSet, time: Duration) -> Result<f64, Error> {
        match self {
            Self::Flat(_) => roofline::pair_tests_per_second::<2>(set, time),
            Self::Space(_) => roofline::pair_tests_per_second::<3>(set, time),
        }
    }
}
