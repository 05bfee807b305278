//! Index: boxes and trees are made again, unless the lists of candidates of an earlier tick still hold.

use fearless_simd::Level;

use crate::tick::derived::Derived;
use crate::kernels::CHUNK;
use crate::settings::Candidates;
use crate::state::State;
use crate::tick::keep::Mode;

/// Decides where the candidates of each pass come from in this tick, and measures the boxes that are needed for it.
pub(crate) fn index<const D: usize>(
    derived: &mut Derived<D>,
    level: Level,
    state: &State<D>,
    wanted: Candidates,
) {
    derived.scenery.update(&state.scenery, &state.settings);
    let period = state.settings.period();
    for (number, agents) in state.agents.iter().enumerate() {
        derived.places[number].settle(agents.len());
        // So many rows to be looked for one by one cost more than new lists.
        if !derived.places[number].valid || derived.places[number].loose.len() > CHUNK + agents.len() / 16 {
            derived.places[number].valid = false;
            derived.drop_lists(number);
        }
    }
    let plans = derived.plans.as_deref().unwrap_or_default();
    // A list lasts until rows are arranged.
    let radii: Vec<f32> = (0..plans.len()).map(|number| derived.radius(number)).collect();
    let left = |number: usize| {
        state.orders[number].ticks_left(radii[number], derived.places[number].stride)
    };
    let mut measured: Vec<bool> = derived.places.iter().map(|places| !places.valid).collect();
    let mut held = vec![false; plans.len()];
    for (own, (steered, plan)) in derived.steered.iter_mut().zip(plans).enumerate() {
        steered.modes.clear();
        for (kept, pass) in steered.kept.iter_mut().zip(&plan.passes) {
            let way = derived.places[own].stride + derived.places[pass.species].stride;
            let (own_left, their_left) = (left(own), left(pass.species));
            let left = if own_left < their_left { own_left } else { their_left };
            let mode = match state.limited {
                Some(true) => kept.choose(Candidates::Fresh, pass.radius, way, left),
                _ => kept.choose(wanted, pass.radius, way, left),
            };
            let part = if mode == Mode::Keep { &mut held } else { &mut measured };
            part[own] = true;
            part[pass.species] = true;
            steered.modes.push(mode);
        }
    }
    for (number, places) in derived.places.iter_mut().enumerate() {
        let (agents, strays) = (&state.agents[number], &state.orders[number].strays);
        // Species that no pass has part in are only searched.
        if measured[number] || !held[number] {
            // Lists that still hold lack the rows that were loose when they were made.
            if !held[number] {
                places.loose.clear();
            }
            places.loose.extend(strays);
            places.measure(level, agents, &period);
        } else {
            places.settle(agents.len());
        }
        places.strays.rebuild(level, &agents.position, &places.loose, &period);
    }
}

/// Measures all boxes around the rows in their places, as they follow from the state alone.
pub(crate) fn measure_all<const D: usize>(derived: &mut Derived<D>, level: Level, state: &State<D>) {
    let period = state.settings.period();
    for ((places, agents), order) in derived.places.iter_mut().zip(&state.agents).zip(&state.orders) {
        places.index.rebuild(level, &agents.position, agents.len(), &order.strays, &period);
        places.valid = true;
    }
}

/// Lets the rows go again that were edited since lists were made.
pub(crate) fn let_loose<const D: usize>(derived: &mut Derived<D>) {
    for places in &mut derived.places {
        for place in 0..places.loose.len() {
            places.index.let_go(places.loose[place] as usize);
        }
    }
}

/// Brings indices up to date with the edits since the last tick.
pub(crate) fn refresh<const D: usize>(derived: &mut Derived<D>, level: Level, state: &State<D>) {
    let period = state.settings.period();
    derived.asked.forget();
    derived.scenery.update(&state.scenery, &state.settings);
    for (places, agents) in derived.places.iter_mut().zip(&state.agents) {
        if !places.valid {
            places.measure(level, agents, &period);
        }
        places.settle(agents.len());
        places.strays.rebuild(level, &agents.position, &places.loose, &period);
    }
}
