//! The list of designs, each of which is made from a flock.

use throng::{Error, Execution, InstructionSet, NeighbourLists};

use crate::design::Design;
use crate::flock::Flock;
use crate::grid::Grid;
use crate::literal::PerAgentTree;
use crate::throng_design::ThrongDesign;

/// The designs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DesignKind {
    /// throng with fresh lists of candidates in every tick.
    Fresh,
    /// throng with lists of candidates that are kept for several ticks.
    Kept,
    /// A grid of cells with the same kernels; agents are sorted in every tick.
    Grid,
    /// An R-tree with one leaf and one query per agent.
    RstarPerAgent,
}

impl DesignKind {
    /// All designs.
    pub const ALL: [Self; 4] = [Self::Fresh, Self::Kept, Self::Grid, Self::RstarPerAgent];

    /// The name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fresh => "fresh",
            Self::Kept => "kept",
            Self::Grid => "grid",
            Self::RstarPerAgent => "rstar_per_agent",
        }
    }

    /// Builds a flock in this design, before its first tick.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchInstructionSet`] if this machine lacks it.
    pub fn build<const D: usize>(self, flock: &Flock<D>, set: InstructionSet) -> Result<Box<dyn Design>, Error> {
        let world = |neighbour_lists| flock.world(Execution { neighbour_lists, instruction_set: Some(set) });
        Ok(match self {
            Self::Fresh => Box::new(ThrongDesign(world(NeighbourLists::Fresh)?)),
            Self::Kept => Box::new(ThrongDesign(world(NeighbourLists::Kept)?)),
            Self::Grid => Box::new(Grid::new(flock, set)?),
            Self::RstarPerAgent => Box::new(PerAgentTree::<D>::new(flock)),
        })
    }
}
