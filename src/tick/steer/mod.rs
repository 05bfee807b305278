//! Steer: every agent finds its neighbours and asks its rules, on frozen state.

pub(crate) mod buffers;
mod chunks;
mod rules;
mod steering;
mod zones;

use fearless_simd::Level;

use crate::agents::events::Event;
use crate::agents::parallel::{PerThread, for_each_item};
use crate::derived::indices::Indices;
use crate::derived::output::SteeringOutput;
use crate::derived::plans::Plans;
use crate::environment::Zone;
use crate::maths::Vector;
use crate::neighbour_lists::mix_sums::MixSums;
use crate::neighbour_lists::plan::Plan;
use crate::neighbour_lists::search::SearchBuffers;
use crate::neighbour_lists::sums::Counts;
use crate::ranks::Part;
use crate::state::State;
use crate::tick::steer::buffers::{SteerBuffers, ThreadBuffers};
use crate::tick::steer::steering::Steering;

/// Steers every agent; on several ranks each steers its own, and gets the results of the others. Returns the counts,
/// summed over all chunks.
pub(crate) fn steer<const D: usize>(
    state: &mut State<D>,
    (plans, indices): (&Plans<D>, &mut Indices<D>),
    outputs: &mut [SteeringOutput<D>],
    part: &mut Part,
    (search, buffers): (&mut PerThread<SearchBuffers<D>>, &mut SteerBuffers<D>),
    level: Level,
    events: &mut Vec<Event>,
) -> Counts {
    search.prepare();
    buffers.threads.prepare();
    let SteerBuffers { mix_sums, arrivals, threads } = buffers;
    let mut all = Counts::default();
    let own = part.steers_in_mix(indices.mixed.agents.chunks());
    mix_sums.add_all(&indices.mixed, &indices.mix_search(state, level), search, own.range());
    all.add(&mix_sums.counts);
    part.complete_mix_sums(mix_sums);
    show_images(state, plans, indices);
    let (frozen, places, division, read) = (&*state, &*indices, &*part, (&*mix_sums, &*threads));
    for_each_item(outputs, &|number, output| {
        let own = division.steers(&frozen.agents[number]);
        steering(frozen, (plans, places), read, level, number).steer(&own, output);
    });
    indices.images.hide(&mut state.agents, state.species.len());
    arrivals.clear();
    for output in &*outputs {
        all.add(&output.counts);
        arrivals.extend(output.counts.iter().map(|counts| counts.arrived));
    }
    for ((agents, plan), output) in state.agents.iter_mut().zip(plans.of()).zip(&mut *outputs) {
        output.remember(agents, plan);
    }
    part.complete_steering(&mut state.agents, plans, outputs, arrivals, &mut all);
    let mut first = 0;
    for ((agents, plan), output) in state.agents.iter_mut().zip(plans.of()).zip(outputs) {
        let arrived = &arrivals[first..first + agents.chunks()];
        first += agents.chunks();
        output.take_over(agents, plan, arrived, events);
    }
    indices.listed();
    all
}

/// Shows rules the images of agents across seams, which follow the agents of all species until they are hidden.
fn show_images<const D: usize>(state: &mut State<D>, plans: &Plans<D>, indices: &mut Indices<D>) {
    if !indices.images.is_empty() {
        let reaches = plans.of().iter().flat_map(Plan::all_passes).map(|pass| pass.reach);
        let reach = reaches.fold(0.0, |most: f32, reach| if reach > most { reach } else { most });
        indices.images.update(&state.settings, &state.agents, reach);
        indices.images.show(&mut state.agents);
    }
}

/// Returns each rule's force on the agent of a species' row, the combined force, and the velocity that the motion chooses,
/// if there is one.
pub(crate) fn explain<const D: usize>(
    state: &mut State<D>,
    (plans, indices): (&Plans<D>, &mut Indices<D>),
    (search, buffers): (&mut PerThread<SearchBuffers<D>>, &mut SteerBuffers<D>),
    level: Level,
    (number, row): (usize, usize),
) -> (Vec<Vector<D>>, Vector<D>, Vector<D>) {
    search.prepare();
    buffers.threads.prepare();
    let SteerBuffers { mix_sums, threads, .. } = buffers;
    if let Some(place) = state.mix_row(number, row) {
        mix_sums.add_around(&indices.mixed, &indices.mix_search(state, level), search, place);
    }
    show_images(state, plans, indices);
    let explained = steering(state, (plans, indices), (mix_sums, threads), level, number).explain(row);
    indices.images.hide(&mut state.agents, state.species.len());
    explained
}

/// Returns the steering of one species.
fn steering<'a, const D: usize>(
    state: &'a State<D>,
    (plans, indices): (&'a Plans<D>, &'a Indices<D>),
    (mix_sums, buffers): (&'a MixSums<D>, &'a PerThread<ThreadBuffers<D>>),
    level: Level,
    number: usize,
) -> Steering<'a, D> {
    let zones = state.environment.zones.items();
    let by_region = plans.zones_by_region().filter(|_| zones.iter().any(Zone::is_directed));
    Steering {
        search: indices.search(state, plans, level, number),
        modes: &indices.lists[number].modes,
        species: &state.species[number],
        names: &plans.names()[number].rules,
        zones: by_region.map(|by_region| (zones, by_region)),
        held: plans
            .held_by_region()
            .filter(|_| !state.environment.lifts.is_empty() || !state.environment.links.is_empty()),
        mix_sums,
        buffers,
    }
}
