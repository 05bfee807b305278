//! Arrange: rows are sorted into space order where the order is stale.

use fearless_simd::Level;

use crate::agents::space_order;
use crate::neighbour_lists::budget;
use crate::state::State;
use crate::tick::derived::{Change, Derived};
use crate::tick::{apart, index};

/// Sorts rows into space order where the order is stale, and checks whether a tick exceeds the budget of pairs.
pub(crate) fn arrange<const D: usize>(state: &mut State<D>, derived: &mut Derived<D>, level: Level) {
    let limited = state.is_limited();
    for (agents, order) in state.agents.iter().zip(&mut state.orders) {
        order.count_strays(agents.len());
    }
    derived.separate(state);
    let is_stale = |state: &State<D>, derived: &Derived<D>, number: usize| {
        let agents = &state.agents[number];
        limited || state.orders[number].is_stale(agents.len(), derived.indices[number].radius_of_order(agents))
    };
    for number in 0..state.agents.len() {
        if is_stale(state, derived, number) {
            if derived.division.is_partial {
                apart::arrange(state, derived, number);
            } else {
                derived.division.balance(number);
                space_order::arrange(&mut state.agents[number], &state.ids, &mut derived.sort_buffers);
            }
            derived.indices[number].lasted = state.orders[number].age;
            state.orders[number].arranged();
            derived.arranged(number);
            state.limited = None;
        }
    }
    arrange_mix(state, derived, limited);
    if state.limited.is_none() {
        state.limited = Some(is_over_budget(state, derived, level));
    }
}

/// Sorts the agents of the mixed species into space order.
fn arrange_mix<const D: usize>(state: &mut State<D>, derived: &mut Derived<D>, limited: bool) {
    let State { mix, .. } = &mut *state;
    mix.order.count_strays(mix.ids.len());
    if mix.ids.is_empty() || !(limited || mix.order.is_stale(mix.ids.len(), derived.mixed.index.radius)) {
        return;
    }
    let Derived { mixed, sort_buffers, .. } = &mut *derived;
    mixed.copy(state);
    space_order::order(&mut mixed.agents, sort_buffers);
    state.order_mix(&mixed.agents.id);
    mixed.index.lasted = state.mix.order.age;
    state.mix.order.arranged();
    derived.note(Change::MixRows);
    state.limited = None;
}

/// Returns whether a tick would examine more pairs than the settings allow. Each rank counts those of its own chunks.
fn is_over_budget<const D: usize>(state: &mut State<D>, derived: &mut Derived<D>, level: Level) -> bool {
    let Some(budget) = state.settings.pair_budget else { return false };
    let is_partial = derived.division.is_partial;
    if is_partial {
        apart::measure_all(derived, level, state);
    } else {
        index::measure_all(derived, level, state);
    }
    derived.prepare_buffers();
    let mut division = std::mem::take(&mut derived.division);
    let species = (0..state.species.len()).map(|number| derived.search(state, level, number));
    let own = species.map(|search| (search, division.own(search.agents.species.number(), search.agents.chunks())));
    let mix = derived.mix_search(state, level);
    let own: Vec<_> = own.chain([(mix, division.own_in_mix(mix.agents.chunks()))]).collect();
    let budget = (budget as u64).saturating_mul(state.population() as u64);
    let exceeded = budget::is_exceeded(&own, &derived.search_buffers, budget, |pairs| division.add_up([pairs]));
    drop(own);
    derived.division = division;
    if !is_partial {
        index::let_loose(derived);
    }
    exceeded
}
