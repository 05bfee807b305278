//! Edit: agents are removed and spawned; plans are made for changed rules.

use fearless_simd::Level;

use crate::agents::Agents;
use crate::agents::events::Event;
use crate::agents::row_order::LONGEST;
use crate::base::ids::{AgentId, AgentRow};
use crate::neighbour_lists::mix_members;
use crate::state::State;
use crate::tick::derived::{Change, Derived};
use crate::tick::{sources, zones};

/// Removes agents that left the world or were caught in the last tick, in the order of ids, and those in sinks. Spawns
/// the agents of sources. Resolves names and rebuilds plans where rules changed.
pub(crate) fn edit<const D: usize>(
    state: &mut State<D>,
    derived: &mut Derived<D>,
    level: Level,
    events: &mut Vec<Event>,
) {
    let (regions, zones) = (state.settle_regions(), state.settle_zones());
    if regions || zones {
        derived.note(Change::Rules);
    }
    while let Some((&id, &reason)) = state.leavers.first_key_value() {
        remove(state, derived, id, reason.name());
    }
    sources::remove_agents(state, derived, events);
    sources::spawn(state, derived, level, events);
    zones::slow_down(state, derived);
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

/// Removes one agent and counts the reason, if it lives. Returns where it was.
pub(crate) fn remove<const D: usize>(
    state: &mut State<D>,
    derived: &mut Derived<D>,
    id: AgentId,
    reason: &str,
) -> Option<AgentRow> {
    state.leavers.remove(&id);
    let mixed = state.ids.place(id).and_then(|place| state.mix_row(place.species as usize, place.row as usize));
    let place = state.remove(id, reason)?;
    let species = place.species as usize;
    let last = state.agents[species].len();
    derived.note(Change::Removed { species, row: place.row as usize, last });
    derived.note_mix_row(mixed);
    Some(place)
}
