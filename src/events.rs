//! Events: facts of the last tick.

use crate::ids::{AgentId, SpeciesId};

/// A fact of the last tick. Events are in the order of the stages that noticed them, within a stage by species and row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// An agent was caught. Where its hunters remove who they catch, it is gone at the start of the next tick.
    Caught {
        /// Who was caught.
        agent: AgentId,
        /// Its species.
        species: SpeciesId,
        /// Who caught it.
        by: AgentId,
    },
    /// An agent's steering was not finite; it was steered by nothing in this tick.
    Quarantined {
        /// Whose steering it was.
        agent: AgentId,
        /// Its species.
        species: SpeciesId,
    },
    /// An agent came to the target of one of its rules. It is told once, until the agent has been away from it.
    Arrived {
        /// Who arrived.
        agent: AgentId,
        /// Its species.
        species: SpeciesId,
    },
    /// An agent left the world. Where the edge removes it, it is gone at the start of the next tick.
    Left {
        /// Who left.
        agent: AgentId,
        /// Its species.
        species: SpeciesId,
    },
    /// An agent came into a region.
    EnteredRegion {
        /// Who came.
        agent: AgentId,
        /// Its species.
        species: SpeciesId,
        /// The number of the region in the scenery.
        region: u32,
    },
    /// An agent went out of a region.
    LeftRegion {
        /// Who went.
        agent: AgentId,
        /// Its species.
        species: SpeciesId,
        /// The number of the region in the scenery.
        region: u32,
    },
}

impl Event {
    /// The names of all kinds of events.
    pub const NAMES: [&'static str; 6] = ["caught", "quarantined", "arrived", "left", "entered_region", "left_region"];

    /// What kind of event it is, in one word: events are counted under it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Caught { .. } => "caught",
            Self::Quarantined { .. } => "quarantined",
            Self::Arrived { .. } => "arrived",
            Self::Left { .. } => "left",
            Self::EnteredRegion { .. } => "entered_region",
            Self::LeftRegion { .. } => "left_region",
        }
    }
}
