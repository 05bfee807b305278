//! Index: boxes and trees are rebuilt, unless the candidate lists of an earlier tick still hold.

use fearless_simd::Level;

use crate::agents::row_order;
use crate::base::settings::NeighbourLists;
use crate::neighbour_lists::list_lifetime::ListLifetime;
use crate::neighbour_lists::mix::Mixed;
use crate::state::State;
use crate::tick::derived::Derived;

/// Decides where this tick's candidates come from in each pass, and measures the boxes that they need.
pub(crate) fn index<const D: usize>(derived: &mut Derived<D>, level: Level, state: &State<D>, wanted: NeighbourLists) {
    derived.environment.update(&state.environment, &state.settings);
    let period = state.settings.period();
    let Derived { places, steered, plans, mixed, .. } = derived;
    for (places, agents) in places.iter_mut().zip(&state.agents) {
        places.settle(agents.len());
        places.valid &= !row_order::are_many(places.loose.len(), agents.len());
        (places.measured, places.held) = (!places.valid, false);
    }
    let wanted = if state.limited == Some(true) { NeighbourLists::Fresh } else { wanted };
    mixed.index(level, state, wanted);
    for (own, (steered, plan)) in steered.iter_mut().zip(plans.iter().flatten()).enumerate() {
        steered.modes.clear();
        // Boxes of a mixed species are measured with those of the mix.
        places[own].held |= plan.joint.is_some() && mixed.modes[0].keeps();
        for (kept, pass) in steered.kept.iter_mut().zip(&plan.passes) {
            let other = pass.species;
            if !places[own].valid || !places[other].valid {
                *kept = ListLifetime::default();
            }
            // A list lasts until rows are arranged.
            let left = |species: usize| {
                let (order, places) = (&state.orders[species], &places[species]);
                order.ticks_left(places.radius, places.stride, places.lasted)
            };
            let (own_left, their_left) = (left(own), left(other));
            let left = if own_left < their_left { own_left } else { their_left };
            let mode = kept.choose(wanted, pass.radius, places[own].stride + places[other].stride, left);
            for species in [own, other] {
                places[species].held |= mode.keeps();
                places[species].measured |= !mode.keeps();
            }
            steered.modes.push(mode);
        }
    }
    for ((places, agents), order) in places.iter_mut().zip(&state.agents).zip(&state.orders) {
        // Species without a pass are only searched.
        let fresh = places.is_fresh() && order.strays.is_empty();
        if (places.measured || !places.held) && !fresh {
            // Lists that still hold lack the rows that were loose when they were made.
            if !places.held {
                places.loose.clear();
            }
            places.loose.extend(&order.strays);
            places.measure(level, agents, &period);
        }
        places.strays.rebuild(level, &agents.position, &places.loose, &period);
    }
}

/// Measures all boxes around the rows in their places, as a function of the state alone. Where all rows are in their
/// places, these are the boxes of the tick.
pub(crate) fn measure_all<const D: usize>(derived: &mut Derived<D>, level: Level, state: &State<D>) {
    let period = state.settings.period();
    derived.mixed.copy(state);
    for ((places, agents), order) in derived.places.iter_mut().zip(&state.agents).zip(&state.orders) {
        places.index.rebuild(level, &agents.position, agents.len(), &order.strays, &period);
        places.valid |= places.loose.is_empty() && order.strays.is_empty();
    }
    let Mixed { agents, places, .. } = &mut derived.mixed;
    places.index.rebuild(level, &agents.position, agents.len(), &state.mix.order.strays, &period);
}

/// Takes the rows that were edited since lists were made out of their boxes again.
pub(crate) fn let_loose<const D: usize>(derived: &mut Derived<D>) {
    for places in derived.places.iter_mut().chain([&mut derived.mixed.places]) {
        for place in 0..places.loose.len() {
            places.index.let_go(places.loose[place] as usize);
        }
    }
}

/// Brings indices up to date with the edits since the last tick.
pub(crate) fn refresh<const D: usize>(derived: &mut Derived<D>, level: Level, state: &State<D>) {
    let period = state.settings.period();
    derived.asked.forget();
    derived.environment.update(&state.environment, &state.settings);
    derived.mixed.copy(state);
    let Mixed { agents, places, .. } = &mut derived.mixed;
    for (places, agents) in derived.places.iter_mut().zip(&state.agents).chain([(places, &*agents)]) {
        if !places.valid {
            places.measure(level, agents, &period);
        }
        places.settle(agents.len());
        places.strays.rebuild(level, &agents.position, &places.loose, &period);
    }
}
