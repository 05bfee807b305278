//! Edit: agents that left the world, or were caught, are removed.

use crate::state::State;
use crate::tick::derived::{Change, Derived};

/// Removes every agent that is to leave, in the order of ids.
pub(crate) fn edit<const D: usize>(state: &mut State<D>, derived: &mut Derived<D>) {
    while let Some((&id, _)) = state.leavers.first_key_value() {
        remove(state, derived, id);
    }
}

/// Removes one agent, if it lives.
pub(crate) fn remove<const D: usize>(state: &mut State<D>, derived: &mut Derived<D>, id: crate::AgentId) {
    state.leavers.remove(&id);
    let mixed = state.ids.place(id).and_then(|place| state.mix_row(place.species as usize, place.row as usize));
    if let Some(place) = state.remove(id) {
        let species = place.species as usize;
        let last = state.agents[species].len();
        derived.note(Change::Removed { species, row: place.row as usize, last });
        derived.note_mix_row(mixed);
    }
}
