//! Edits: what changes the set of agents happens here, at the start of the step, and between steps by the host.

use crate::agents::Agents;
use crate::ids::{AgentId, Ids};

/// Removes one agent; the last row of its species takes its place.
pub(crate) fn remove<const D: usize>(agents: &mut [Agents<D>], ids: &mut Ids, id: AgentId) {
    let Some(place) = ids.place(id) else { return };
    if let Some(moved) = agents[place.species as usize].swap_remove(place.row as usize) {
        ids.set_row(moved, place.row);
    }
    ids.remove(id);
}
