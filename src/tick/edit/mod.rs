//! Edit: agents are removed and spawned; navigation fields and plans follow changes.

mod bound;
mod crowds;
mod lifts;
mod links;
mod sources;
mod tracks;
mod zones;

use fearless_simd::Level;

use crate::agents::Agents;
use crate::agents::events::{Event, Removal};
use crate::agents::row_order::LONGEST;
use crate::derived::{Change, Derived};
use crate::environment::navigation;
use crate::neighbour_lists::mix_members;
use crate::ranks::Part;
use crate::state::State;
use crate::state::undo::{Beside, Undoable};

/// Removes agents that left the world or were caught in the last tick, in the order of ids, and those in sinks. Spawns
/// the agents of sources and of tracks. Moves lifts, and lets agents onto links. Brings navigation fields up to date, resolves
/// names and rebuilds plans where rules changed.
pub(crate) fn edit<const D: usize>(
    state: &mut Undoable<'_, D>,
    derived: &mut Derived<D>,
    part: &mut Part,
    level: Level,
    events: &mut Vec<Event>,
) {
    part.keep_together(state, derived);
    let now = (state.tick, state.seconds());
    let Beside { environment, settings, .. } = state.beside_rows();
    navigation::settle(environment, settings, now);
    crowds::observe(state);
    if !state.is_settled() {
        state.rows().settle();
        derived.note(Change::Rules);
    }
    let despawned = |&(agent, species): &_| Event::Removed { agent, species, reason: Removal::Despawned };
    events.extend(state.despawned.iter().map(despawned));
    while let Some((&agent, &reason)) = state.leavers.first_key_value() {
        sources::remove_one(state, derived, agent, reason.name(), reason.removal(), events);
    }
    sources::remove_agents(state, derived, events);
    tracks::remove_and_spawn(state, derived, events);
    sources::spawn(state, derived, level, events);
    let mut held = lifts::act(state, derived);
    links::act(state, derived, level, &mut held);
    held.sort_unstable();
    zones::act(state, &mut derived.plans, part, &held);
    mix(state, derived);
    derived.plan(state);
}

/// Returns whether the next tick may begin with a change: of agents, of fields, or of the species that are mixed.
pub(crate) fn is_due<const D: usize>(state: &State<D>) -> bool {
    let State { environment, leavers, species, .. } = state;
    let comes_and_goes = !environment.sources.is_empty()
        || !environment.sinks.is_empty()
        || !environment.tracks.is_empty()
        || !leavers.is_empty();
    let dies = species.iter().any(|species| species.lifetime.is_some());
    let follows = state.zoned || !state.is_settled() || !environment.navigations.is_empty();
    comes_and_goes || dies || follows || is_mix_due(state)
}

fn is_mix_due<const D: usize>(state: &State<D>) -> bool {
    !state.mix.chosen || state.tick.is_multiple_of(u64::from(LONGEST))
}

/// Chooses which species are mixed: after a change of a definition, and every [`LONGEST`] ticks.
fn mix<const D: usize>(state: &mut Undoable<'_, D>, derived: &mut Derived<D>) {
    if !is_mix_due(state) {
        return;
    }
    let (members, radius) = mix_members::choose(state);
    let is_mixed = state.agents.iter().map(Agents::is_mixed);
    if !is_mixed.eq(members.iter().copied()) {
        state.rows().mix_species(&members);
        *state.beside_rows().limited = None;
        derived.note(Change::Rules);
        derived.note(Change::MixRows);
    } else if radius.to_bits() != state.mix.radius.to_bits() {
        derived.note(Change::Rules);
    }
    let mix = state.beside_rows().mix;
    (mix.radius, mix.chosen) = (radius, true);
}
