//! Steer: every agent finds its neighbours and asks its rules, on frozen state.

pub(crate) mod buffers;
mod chunks;
mod gather;
pub(crate) mod output;
mod rules;
mod steering;

use fearless_simd::Level;

use crate::agents::events::Event;
use crate::agents::parallel::{ChunkedColumn, for_each_chunk};
use crate::neighbour_lists::sums::Counts;
use crate::state::State;
use crate::tick::derived::Derived;

use steering::Steering;

/// Steers every agent; on several ranks each steers its own, and gets the results of the others. Returns what was
/// counted, summed over all chunks.
pub(crate) fn steer<const D: usize>(
    state: &mut State<D>,
    derived: &mut Derived<D>,
    level: Level,
    events: &mut Vec<Event>,
) -> Counts {
    derived.prepare_buffers();
    let mut all = Counts::default();
    let mut mix_sums = std::mem::take(&mut derived.mix_sums);
    let own = derived.division.own_in_mix(derived.mixed.agents.chunks());
    mix_sums.add_all(&derived.mixed, &derived.mix_search(state, level), &derived.search_buffers, own);
    all.add(&mix_sums.counts);
    if derived.division.is_divided() {
        gather::gather_mix(&mut derived.division, &mut mix_sums);
    }
    derived.mix_sums = mix_sums;
    let mut outputs = std::mem::take(&mut derived.outputs);
    let mut arrived = std::mem::take(&mut derived.arrivals);
    arrived.clear();
    let (reads, work) = (&*derived, ChunkedColumn(&mut outputs, 1));
    for_each_chunk(state.agents.len(), 1, work, &|number, output| {
        steering(state, reads, level, number).steer(&mut output.0[0]);
    });
    for (number, output) in outputs.iter().enumerate() {
        all.add(&output.counts);
        derived.division.worked(number, output.counts.iter().map(|counts| counts.candidates));
        arrived.extend(output.counts.iter().map(|counts| counts.arrived));
    }
    for ((agents, plan), output) in state.agents.iter_mut().zip(derived.plans.iter().flatten()).zip(&mut outputs) {
        output.remember(agents, plan);
    }
    if derived.division.is_divided() {
        gather::gather(state, derived, &mut outputs, &mut arrived, &mut all);
    }
    let mut first = 0;
    for ((agents, plan), output) in state.agents.iter_mut().zip(derived.plans.iter().flatten()).zip(&mut outputs) {
        let arrived = &arrived[first..first + agents.chunks()];
        first += agents.chunks();
        output.take_over(agents, plan, arrived, events);
    }
    (derived.outputs, derived.arrivals) = (outputs, arrived);
    derived.listed();
    all
}

/// Returns the steering of one species.
pub(crate) fn steering<'a, const D: usize>(
    state: &'a State<D>,
    derived: &'a Derived<D>,
    level: Level,
    number: usize,
) -> Steering<'a, D> {
    Steering {
        search: derived.search(state, level, number),
        own: derived.division.own(number, state.agents[number].chunks()),
        species: &state.species[number],
        names: &derived.names()[number].rules,
        mix_sums: &derived.mix_sums,
        buffers: &derived.steer_buffers,
    }
}
