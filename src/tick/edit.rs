//! Edit: agents that left the world, or were caught, are removed; navigation fields and plans follow changes.

use crate::agents::Agents;
use crate::agents::row_order::LONGEST;
use crate::environment::navigation;
use crate::neighbour_lists::mix_members;
use crate::state::State;
use crate::tick::derived::{Change, Derived};

/// Removes agents that left the world or were caught in the last tick, in the order of ids. Brings navigation fields up to
/// date, resolves names and rebuilds plans where rules changed.
pub(crate) fn edit<const D: usize>(state: &mut State<D>, derived: &mut Derived<D>) {
    navigation::settle(&mut state.environment, &state.settings, state.tick);
    if state.settle_regions() {
        derived.note(Change::Rules);
    }
    while let Some((&id, _)) = state.leavers.first_key_value() {
        remove(state, derived, id);
    }
    mix(state, derived);
    derived.plan(state);
}

/// Chooses which species are mixed: after a change of a definition, and every [`LONGEST`] ticks.
fn mix<const D: usize>(state: &mut State<D>, derived: &mut Derived<D>) {
    if state.mix.chosen && !state.tick.is_multiple_of(u64::from(LONGEST)) {
        return;
    }
    let (members, radius) = mix_members::choose(state);
    let is_mixed = state.agents.iter().map(Agents::is_mixed);
    if !is_mixed.eq(members.iter().copied()) {
        state.mix_species(&members);
        state.limited = None;
        derived.note(Change::Rules);
        derived.note(Change::MixRows);
    } else if radius.to_bits() != state.mix.radius.to_bits() {
        derived.note(Change::Rules);
    }
    (state.mix.radius, state.mix.chosen) = (radius, true);
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
