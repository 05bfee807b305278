//! Index: boxes and trees are rebuilt, unless the candidate lists of an earlier tick still hold.

use fearless_simd::Level;

use crate::base::settings::NeighbourLists;
use crate::derived::indices::Indices;
use crate::derived::plans::Plans;
use crate::neighbour_lists::list_lifetime::{ListLifetime, wanted_for};
use crate::ranks::Part;
use crate::state::State;
use crate::state::undo::Undoable;

/// Decides where this tick's candidates come from in each pass, and measures the boxes that they need.
pub(crate) fn index<const D: usize>(
    state: &mut Undoable<'_, D>,
    plans: &Plans<D>,
    indices: &mut Indices<D>,
    part: &mut Part,
    level: Level,
    wanted: NeighbourLists,
) {
    indices.environment.paths.drop_unused();
    indices.update_environment(level, state);
    indices.queue(state, plans);
    indices.group(state, plans);
    let Indices { species, mixed, lists, .. } = indices;
    for (index, agents) in species.iter_mut().zip(&state.agents) {
        index.prepare(agents.len());
        (index.measured, index.held) = (!index.valid, false);
        // No lists are kept now.
        if !index.valid {
            part.divide(agents.species.number(), agents.chunks());
        }
    }
    let wanted = if state.is_limited() { NeighbourLists::Fresh } else { wanted };
    mixed.index(level, state, wanted);
    if !mixed.modes[0].keeps() {
        part.divide_mix(mixed.agents.chunks());
    }
    for (own, (lists, plan)) in lists.iter_mut().zip(plans.of()).enumerate() {
        lists.modes.clear();
        // Boxes of a mixed species are measured with the boxes of the mix.
        species[own].held |= plan.joint.is_some() && mixed.modes[0].keeps();
        for (kept, pass) in lists.kept.iter_mut().zip(&plan.passes) {
            let other = pass.species;
            if !species[own].valid || !species[other].valid {
                *kept = ListLifetime::default();
            }
            // A list lasts until rows are arranged.
            let left = |number: usize| species[number].ticks_left(&state.orders[number]);
            let (own_left, their_left) = (left(own), left(other));
            let left = if own_left < their_left { own_left } else { their_left };
            let wanted = wanted_for(wanted, state.settings.is_all(pass.radius), state.agents[other].len());
            let mode = kept.choose(wanted, pass.radius, species[own].way() + species[other].way(), left);
            for number in [own, other] {
                species[number].held |= mode.keeps();
                species[number].measured |= !mode.keeps();
            }
            lists.modes.push(mode);
        }
    }
    part.measure(level, state, plans, indices);
}

/// Brings indices up to date with the edits since the last tick.
pub(crate) fn refresh<const D: usize>(state: &State<D>, plans: &Plans<D>, indices: &mut Indices<D>, level: Level) {
    let period = state.settings.period();
    indices.queries.forget();
    indices.update_environment(level, state);
    indices.environment.places.update(state.environment.places.records());
    indices.queue(state, plans);
    indices.group(state, plans);
    let Indices { species, mixed, .. } = indices;
    mixed.copy(state);
    for (index, agents) in species.iter_mut().zip(&state.agents).chain([(&mut mixed.index, &mixed.agents)]) {
        if !index.valid {
            index.measure(level, agents, &period);
        }
        index.sort_and_trim(agents.len());
        index.rebuild_strays(level, agents, &period);
    }
}
