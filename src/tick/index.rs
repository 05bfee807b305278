//! Index: boxes and trees are rebuilt, unless the candidate lists of an earlier tick still hold.

use fearless_simd::Level;

use crate::agents::columns::Stored as _;
use crate::base::settings::NeighbourLists;
use crate::neighbour_lists::list_lifetime::{ListLifetime, wanted_for};
use crate::neighbour_lists::mix::Mixed;
use crate::state::State;
use crate::tick::apart;
use crate::tick::derived::Derived;

/// Decides where this tick's candidates come from in each pass, and measures the boxes that they need.
pub(crate) fn index<const D: usize>(
    derived: &mut Derived<D>,
    level: Level,
    state: &mut State<D>,
    wanted: NeighbourLists,
) {
    derived.keep_together(state);
    derived.environment.paths.drop_unused();
    derived.environment.update(level, &state.environment, &state.settings);
    queue(derived, state);
    let period = state.settings.period();
    let Derived { indices, outputs, plans, mixed, division, .. } = derived;
    for (number, (index, agents)) in indices.iter_mut().zip(&state.agents).enumerate() {
        index.prepare(agents.len());
        (index.measured, index.held) = (!index.valid, false);
        // No lists are kept now.
        if !index.valid {
            division.divide(number, agents.chunks());
        }
    }
    let wanted = if state.is_limited() { NeighbourLists::Fresh } else { wanted };
    mixed.index(level, state, wanted);
    if !mixed.modes[0].keeps() {
        division.divide_mix(mixed.agents.chunks());
    }
    for (own, (output, plan)) in outputs.iter_mut().zip(plans.iter().flatten()).enumerate() {
        output.modes.clear();
        // Boxes of a mixed species are measured with those of the mix.
        indices[own].held |= plan.joint.is_some() && mixed.modes[0].keeps();
        for (kept, pass) in output.kept.iter_mut().zip(&plan.passes) {
            let other = pass.species;
            if !indices[own].valid || !indices[other].valid {
                *kept = ListLifetime::default();
            }
            // A list lasts until rows are arranged.
            let left = |species: usize| indices[species].ticks_left(&state.orders[species]);
            let (own_left, their_left) = (left(own), left(other));
            let left = if own_left < their_left { own_left } else { their_left };
            let wanted = wanted_for(wanted, state.settings.is_all(pass.whole), state.agents[other].len());
            let mode = kept.choose(wanted, pass.radius, indices[own].way() + indices[other].way(), left);
            for species in [own, other] {
                indices[species].held |= mode.keeps();
                indices[species].measured |= !mode.keeps();
            }
            output.modes.push(mode);
        }
    }
    if division.is_partial {
        apart::measure(derived, level, state);
        return;
    }
    for ((index, agents), order) in indices.iter_mut().zip(&state.agents).zip(&state.orders) {
        // Species without a pass are only searched.
        let fresh = index.is_fresh() && order.strays.is_empty();
        if (index.measured || !index.held) && !fresh {
            // Lists that still hold lack the rows that were loose when they were made.
            if !index.held {
                index.loose.clear();
            }
            index.loose.extend(&order.strays);
            index.measure(level, agents, &period);
        }
        index.rebuild_strays(level, agents, &period);
    }
}

/// Lists the agents on their way to each navigation's goals, if a rule reads these queues.
fn queue<const D: usize>(derived: &mut Derived<D>, state: &State<D>) {
    let Derived { environment, plans, .. } = derived;
    let all = || state.agents.iter().zip(plans.iter().flatten());
    if !all().any(|(_, plan)| plan.rules.iter().any(|rule| rule.queues)) {
        return;
    }
    let ids = state.environment.navigations.ids();
    environment.queues.clear(ids.len());
    for (agents, plan) in all() {
        for column in plan.rules.iter().filter_map(|rule| rule.heading) {
            for &[navigation, distance] in <[u32; 2]>::rows(&agents.columns.0[column].data).unwrap_or_default() {
                if let Ok(place) = ids.binary_search_by_key(&u64::from(navigation), |id| id.to_bits() + 1)
                    && navigation != 0
                {
                    environment.queues.add(place, distance);
                }
            }
        }
    }
    environment.queues.sort();
}

/// Measures all boxes around the rows in their places, as a function of the state alone. Where all rows are in their
/// places, these are the boxes of the tick.
pub(crate) fn measure_all<const D: usize>(derived: &mut Derived<D>, level: Level, state: &State<D>) {
    let period = state.settings.period();
    derived.mixed.copy(state);
    for ((index, agents), order) in derived.indices.iter_mut().zip(&state.agents).zip(&state.orders) {
        index.placed.rebuild(level, &agents.position, agents.len(), &order.strays, &period);
        index.valid |= index.loose.is_empty() && order.strays.is_empty();
    }
    let Mixed { agents, index, .. } = &mut derived.mixed;
    index.placed.rebuild(level, &agents.position, agents.len(), &state.mix.order.strays, &period);
}

/// Takes the rows that were edited since lists were made out of their boxes again.
pub(crate) fn let_loose<const D: usize>(derived: &mut Derived<D>) {
    for index in derived.indices.iter_mut().chain([&mut derived.mixed.index]) {
        for place in 0..index.loose.len() {
            index.placed.make_loose(index.loose[place] as usize);
        }
    }
}

/// Brings indices up to date with the edits since the last tick.
pub(crate) fn refresh<const D: usize>(derived: &mut Derived<D>, level: Level, state: &State<D>) {
    let period = state.settings.period();
    derived.queries.forget();
    derived.environment.update(level, &state.environment, &state.settings);
    derived.environment.places.update(state.environment.places.all_kept());
    queue(derived, state);
    derived.mixed.copy(state);
    let Mixed { agents, index, .. } = &mut derived.mixed;
    for (index, agents) in derived.indices.iter_mut().zip(&state.agents).chain([(index, &*agents)]) {
        if !index.valid {
            index.measure(level, agents, &period);
        }
        index.sort_and_trim(agents.len());
        index.rebuild_strays(level, agents, &period);
    }
}
