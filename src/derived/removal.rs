//! The removal of agents.

use crate::base::ids::{AgentId, AgentRow};
use crate::derived::{Change, Derived};
use crate::state::State;

/// Removes one agent and counts the reason, if it lives. Returns where it was.
pub(crate) fn remove<const D: usize>(
    state: &mut State<D>,
    derived: &mut Derived<D>,
    id: AgentId,
    reason: &str,
) -> Option<AgentRow> {
    let (place, mixed) = state.remove(id, reason)?;
    let species = place.species as usize;
    let last = state.agents[species].len();
    let stamp = state.agents[species].position.stamp();
    derived.note(Change::Removed { species, row: place.row as usize, last, stamp });
    derived.note_mix_row(mixed);
    Some(place)
}
