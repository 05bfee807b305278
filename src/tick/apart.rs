//! Ranks that move their own agents alone, and need no others but those near them.
//!
//! This holds while all rules perceive only neighbours. Boxes are measured by the rank of their chunk, and those of
//! chunks are gathered, so that the tree is that of one process. Rows are sorted by all ranks together
//! (`shared_sort.rs`). Everything else is rare and gathers all rows first: agents that leave the world, edits, and ticks
//! with strays.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use fearless_simd::Level;
use rayon::prelude::*;

use crate::agents::Agents;
use crate::agents::parallel::FEW_CHUNKS;
use crate::index::agent_index::AgentIndex;
use crate::index::species_index::SpeciesIndex;
use crate::kernels::cull::ChunkList;
use crate::kernels::{CHUNK, CLUSTER};
use crate::neighbour_lists::list_lifetime::ListMode;
use crate::species::Species;
use crate::state::State;
use crate::tick::derived::Derived;
use crate::tick::division::{Division, Shared};
use crate::tick::halo::Halo;
use crate::tick::migrate::{Migration, OwnColumns};
use crate::tick::shared_sort;

impl<const D: usize> Derived<D> {
    /// Gathers all rows if this tick needs more than those near each rank.
    pub(crate) fn keep_together(&mut self, state: &mut State<D>) {
        if self.division.is_partial && !self.needs_neighbours_alone(state) {
            self.gather_rows(state, None);
        }
    }

    /// From now on, each rank moves its own agents alone, if their rules allow it.
    pub(crate) fn separate(&mut self, state: &mut State<D>) {
        self.keep_together(state);
        if !self.division.lacks_rows() && self.needs_neighbours_alone(state) {
            self.division.is_partial = true;
            self.halo = Halo::default();
            state.ids.forget_places();
            for (number, agents) in state.agents.iter_mut().enumerate() {
                let chunks = agents.chunks();
                self.division.divide(number, chunks);
                self.give_back(agents, number);
            }
            // The lists that were kept have no halo.
            self.indices.iter_mut().for_each(|index| index.valid = false);
        }
        self.division.whole = None;
        if self.division.is_partial {
            // Only a rank that had all rows has listed them.
            self.indices.iter_mut().for_each(|index| index.loose.clear());
        }
    }

    /// Prepares a world that was built or loaded, of which each rank has its own agents alone, for its next tick. Returns whether they can
    /// start so; otherwise all rows have to be gathered.
    pub(crate) fn start_apart(&mut self, state: &State<D>) -> bool {
        self.division.is_partial = true;
        self.forget(state);
        self.plan(state);
        let is_mixed = crate::neighbour_lists::mix_members::choose(state).0.contains(&true);
        let starts_apart = state.is_settled() && !is_mixed && self.needs_neighbours_alone(state);
        self.forget_plans();
        starts_apart
    }

    /// Returns whether each rank can move its agents with those near them alone.
    fn needs_neighbours_alone(&self, state: &State<D>) -> bool {
        let State { species, orders, environment, mix, leavers, region_bits, .. } = state;
        let is_simple = |species: &Species<D>| {
            let times = species.times().iter().all(Option::is_none);
            times && species.states.is_empty() && species.variables.is_empty() && species.catch.is_none()
        };
        let is_empty = environment.walls().is_empty() && environment.places.items().is_empty();
        let regions = region_bits.is_empty() && environment.regions.ids().is_empty();
        self.division.is_divided()
            // Without plans, those before allowed it: no rule has changed since.
            && self.plans.as_ref().is_none_or(|plans| plans.iter().all(|plan| plan.is_nearby))
            && species.iter().all(is_simple)
            && orders.iter().all(|order| order.strays.is_empty())
            && is_empty
            && regions
            && mix.ids.is_empty()
            && leavers.is_empty()
            && !state.is_limited()
    }

    /// Gives back the memory of what this rank does not advance, where it has much of it.
    fn give_back(&mut self, agents: &mut Agents<D>, species: usize) {
        let own = self.division.own(species, agents.chunks());
        self.outputs[species].keep_lists(own.clone());
        if self.division.gives_back(species, own.clone()) {
            agents.keep_chunks(own);
            self.outputs[species].keep_no_forces();
        }
    }

    /// Gathers the rows of all ranks at one of them, or at all, where they are missing.
    pub(crate) fn gather_rows(&mut self, state: &mut State<D>, at: Option<usize>) {
        if !self.division.is_partial || at.is_some() && at == self.division.whole {
            return;
        }
        let Self { division, outputs, indices, .. } = self;
        let mut columns = Vec::new();
        for (number, (agents, output)) in state.agents.iter_mut().zip(outputs).enumerate() {
            let forces = output.force.iter_mut().chain(&mut output.preferred);
            columns.extend(forces.map(|column| Shared::of(number, CHUNK, column)));
            let OwnColumns { changing, fixed } = OwnColumns::of(agents);
            let of_agents = changing.into_iter().chain(fixed);
            columns.extend(of_agents.map(|(numbers, width)| Shared::wide(number, numbers, width)));
        }
        division.gather_at(&mut columns, at);
        drop(columns);
        (division.is_partial, division.whole) = (at.is_some(), at);
        if division.lacks_rows() {
            state.ids.forget_places();
        } else {
            state.ids.find_places(state.agents.iter().map(Agents::ids));
            division.filled();
        }
        for (index, agents) in indices.iter_mut().zip(&state.agents) {
            (index.placed, index.valid) = (AgentIndex::default(), false);
            index.edited.clear();
            index.loosen(if division.lacks_rows() { 0 } else { agents.len() });
        }
        self.halo = Halo::default();
        self.queries.forget();
        self.crowds.moved();
    }
}

/// Sorts the rows of a species into space order, and divides them anew. Afterwards a rank lacks the rows of others, also
/// those near its own.
pub(crate) fn arrange<const D: usize>(state: &mut State<D>, derived: &mut Derived<D>, number: usize) {
    let Derived { division, sort_buffers, .. } = &mut *derived;
    let agents = &mut state.agents[number];
    if agents.len() <= CLUSTER {
        return;
    }
    let (rows, rank) = (agents.len(), division.rank());
    let ranges = |division: &Division| -> Vec<Range<usize>> {
        (0..division.ranks()).map(|rank| division.rows_of(rank, number, rows)).collect()
    };
    let before = ranges(division);
    division.balance(number);
    let after = ranges(division);
    let divisions = [&before[..], &after[..]];
    let sorted = shared_sort::sort(agents, divisions, division, sort_buffers);
    let migration = Migration::plan(division, &sorted, divisions);
    drop(sorted);
    agents.trim();
    migration.migrate(division, agents, after[rank].start);
    // Messages are as large as columns, and sorts are rare.
    division.drop_messages();
    derived.give_back(&mut state.agents[number], number);
}

/// Measures boxes where this tick needs them, and gets the rows of the halo.
pub(crate) fn measure<const D: usize>(derived: &mut Derived<D>, level: Level, state: &mut State<D>) {
    let period = state.settings.period();
    for (index, agents) in derived.indices.iter_mut().zip(&state.agents) {
        index.loose.clear();
        index.rebuild_strays(level, agents, &period);
    }
    measure_own(derived, level, state, |index| (index.measured || !index.held) && !index.is_fresh());
    let outputs = std::mem::take(&mut derived.outputs);
    look_around(derived, state, |species, pass| match outputs[species].modes[pass] {
        ListMode::Keep(_) => None,
        ListMode::Build(skin) => Some(skin),
        ListMode::Fresh => Some(0.0),
    });
    derived.outputs = outputs;
    get_near(derived, level, state);
}

/// Measures all boxes around the present positions, and gets the rows within the radii of all passes. Lists are not
/// kept then, because their halo may be larger.
pub(crate) fn measure_all<const D: usize>(derived: &mut Derived<D>, level: Level, state: &mut State<D>) {
    measure_own(derived, level, state, |_| true);
    look_around(derived, state, |_, _| Some(0.0));
    get_near(derived, level, state);
    (0..state.agents.len()).for_each(|species| derived.drop_lists(species));
}

/// Measures the boxes of this rank's chunks of some species, and gets those of the others' chunks.
fn measure_own<const D: usize>(
    derived: &mut Derived<D>,
    level: Level,
    state: &State<D>,
    is_measured: impl Fn(&SpeciesIndex<D>) -> bool,
) {
    let Derived { indices, division, .. } = derived;
    let period = state.settings.period();
    let mut measured = Vec::new();
    for (number, (index, agents)) in indices.iter_mut().zip(&state.agents).enumerate() {
        if is_measured(index) {
            let own = division.own(number, agents.chunks());
            index.placed.rebuild_own(level, &agents.position, agents.len(), own, &period);
            index.valid = true;
            measured.push(number);
        }
    }
    if !measured.is_empty() {
        let are_measured = indices.iter_mut().enumerate().filter(|(number, _)| measured.contains(number));
        let mut leaves: Vec<_> =
            are_measured.map(|(number, index)| Shared::of(number, 1, index.placed.leaves())).collect();
        division.gather(&mut leaves);
        drop(leaves);
        measured.iter().for_each(|&number| indices[number].placed.plant());
    }
}

/// Finds the halo of the passes for which `skin` returns a width, and lets the other ranks know.
fn look_around<const D: usize>(
    derived: &mut Derived<D>,
    state: &mut State<D>,
    skin: impl Fn(usize, usize) -> Option<f32>,
) {
    let Derived { indices, plans, division, halo, .. } = derived;
    let period = state.settings.period();
    halo.passes.resize_with(indices.len(), Vec::new);
    let mut is_new = false;
    for (own, plan) in plans.iter().flatten().enumerate() {
        halo.passes[own].resize_with(plan.passes.len(), Vec::new);
        for (number, (pass, near)) in plan.passes.iter().zip(&mut halo.passes[own]).enumerate() {
            let Some(skin) = skin(own, number) else { continue };
            let chunks = |species: usize| division.own(species, state.agents[species].chunks());
            let (of, around) = ((&indices[own], chunks(own)), (&indices[pass.species], chunks(pass.species)));
            *near = chunks_near(of, around, pass.radius + skin, &period);
            is_new = true;
        }
    }
    if is_new {
        halo.request(division, plans.iter().flatten().map(|plan| &plan.passes[..]), &mut state.agents);
    }
}

/// Gets the rows of the halo, and measures the boxes of their clusters where they are missing.
fn get_near<const D: usize>(derived: &mut Derived<D>, level: Level, state: &mut State<D>) {
    let Derived { indices, division, halo, .. } = derived;
    let period = state.settings.period();
    halo.exchange_motion(division, &mut state.agents);
    for &(species, chunk) in halo.incoming.iter().flatten() {
        indices[species].placed.include(level, &state.agents[species].position, chunk, &period);
    }
}

/// Returns the chunks of other ranks within `radius` of those of this one, of the same or another species.
fn chunks_near<const D: usize>(
    (own, chunks): (&SpeciesIndex<D>, Range<usize>),
    (theirs, present): (&SpeciesIndex<D>, Range<usize>),
    radius: f32,
    period: &[f32; D],
) -> Vec<usize> {
    let near: Vec<AtomicBool> = (0..theirs.placed.chunks()).map(|_| AtomicBool::new(false)).collect();
    // The reach of the search for candidates.
    let reach = radius + (own.placed.moved + theirs.placed.moved);
    chunks.into_par_iter().with_min_len(FEW_CHUNKS).for_each_init(ChunkList::default, |found, chunk| {
        let Some(chunk_box) = own.placed.chunk_box(chunk) else { return };
        theirs.placed.chunks_within(&chunk_box, reach, period, found);
        found.numbers.iter().for_each(|&chunk| near[chunk as usize].store(true, Relaxed));
    });
    (0..near.len()).filter(|chunk| !present.contains(chunk) && near[*chunk].load(Relaxed)).collect()
}
