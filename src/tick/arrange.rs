//! Arrange: rows are sorted into space order where the order is stale.

use fearless_simd::Level;

use crate::agents::space_order;
use crate::neighbour_lists::budget;
use crate::state::State;
use crate::tick::derived::{Change, Derived};
use crate::tick::index;

/// Sorts rows into space order where the order is stale, and checks whether a tick exceeds the budget of pairs.
pub(crate) fn arrange<const D: usize>(state: &mut State<D>, derived: &mut Derived<D>, level: Level) {
    let limited = state.is_limited();
    for (agents, order) in state.agents.iter().zip(&mut state.orders) {
        order.count_strays(agents.len());
    }
    let is_stale = |state: &State<D>, derived: &Derived<D>, number: usize| {
        limited || state.orders[number].is_stale(state.agents[number].len(), derived.indices[number].radius)
    };
    if derived.division.is_partial && (0..state.agents.len()).any(|number| is_stale(state, derived, number)) {
        derived.gather_rows(state);
    }
    for number in 0..state.agents.len() {
        if is_stale(state, derived, number) {
            let State { agents, orders, ids, .. } = &mut *state;
            space_order::arrange(&mut agents[number], ids, &mut derived.sort_buffers);
            derived.indices[number].lasted = orders[number].age;
            orders[number].arranged();
            derived.note(Change::Rows { species: number });
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

/// Returns whether a tick would examine more pairs than the settings allow.
fn is_over_budget<const D: usize>(state: &State<D>, derived: &mut Derived<D>, level: Level) -> bool {
    let Some(budget) = state.settings.pair_budget else { return false };
    index::measure_all(derived, level, state);
    derived.prepare_buffers();
    let species = (0..state.species.len()).map(|number| derived.search(state, level, number));
    let species: Vec<_> = species.chain([derived.mix_search(state, level)]).collect();
    let budget = (budget as u64).saturating_mul(state.population() as u64);
    let exceeded = budget::is_exceeded(&species, &derived.search_buffers, budget);
    drop(species);
    index::let_loose(derived);
    exceeded
}
