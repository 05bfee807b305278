//! What happened in the last tick that a host may want to know?

use crate::ids::{AgentId, SpeciesId};

/// A fact of the last tick. Events are in the order of the stages that noticed them, within a stage by species and row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// An agent's steering was not finite; it was steered by nothing in this tick.
    Quarantined {
        /// Whose steering it was.
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
}
