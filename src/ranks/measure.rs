//! Boxes and halos of ranks that have their own rows: each measures the boxes of its own chunks.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use fearless_simd::Level;
use rayon::prelude::*;

use crate::agents::parallel::FEW_CHUNKS;
use crate::derived::indices::Indices;
use crate::derived::plans::Plans;
use crate::index::species_index::SpeciesIndex;
use crate::kernels::cull::ChunkList;
use crate::neighbour_lists::list_lifetime::ListMode;
use crate::ranks::columns::Shared;
use crate::ranks::division::Division;
use crate::state::State;

/// Measures boxes where this tick needs them, and gets the rows of the halo.
pub(super) fn measure<const D: usize>(
    division: &mut Division,
    level: Level,
    state: &mut State<D>,
    plans: &Plans<D>,
    indices: &mut Indices<D>,
) {
    let period = state.settings.period();
    for (index, agents) in indices.species.iter_mut().zip(&state.agents) {
        index.loose.clear();
        index.rebuild_strays(level, agents, &period);
    }
    measure_own(division, level, state, indices, |index| (index.measured || !index.held) && !index.is_fresh());
    look_around(division, state, plans, indices, |species, pass| match indices.lists[species].modes[pass] {
        ListMode::Keep(_) => None,
        ListMode::Build(skin) => Some(skin),
        ListMode::Fresh => Some(0.0),
    });
    get_near(division, level, state, indices);
}

/// Measures all boxes around the present positions, and gets the rows within the radii of all passes. Lists are not
/// kept then, because their halo may be larger.
pub(super) fn measure_all<const D: usize>(
    division: &mut Division,
    level: Level,
    state: &mut State<D>,
    plans: &Plans<D>,
    indices: &mut Indices<D>,
) {
    measure_own(division, level, state, indices, |_| true);
    look_around(division, state, plans, indices, |_, _| Some(0.0));
    get_near(division, level, state, indices);
    (0..state.agents.len()).for_each(|species| indices.drop_lists(plans, species));
}

/// Measures the boxes of this rank's chunks of some species, and gets the boxes of the others' chunks.
fn measure_own<const D: usize>(
    division: &mut Division,
    level: Level,
    state: &State<D>,
    indices: &mut Indices<D>,
    is_measured: impl Fn(&SpeciesIndex<D>) -> bool,
) {
    let period = state.settings.period();
    let mut measured = Vec::new();
    for (number, (index, agents)) in indices.species.iter_mut().zip(&state.agents).enumerate() {
        if is_measured(index) {
            index.placed.rebuild_own(level, &agents.position, agents.len(), division.own(agents), &period);
            index.valid = true;
            measured.push(number);
        }
    }
    if !measured.is_empty() {
        let are_measured = indices.species.iter_mut().enumerate().filter(|(number, _)| measured.contains(number));
        let mut leaves: Vec<_> =
            are_measured.map(|(number, index)| Shared::of(number, 1, index.placed.leaves())).collect();
        division.gather(&mut leaves, None);
        drop(leaves);
        measured.iter().for_each(|&number| indices.species[number].placed.plant());
    }
}

/// Finds the halo of the passes for which `skin` returns a width, and lets the other ranks know.
fn look_around<const D: usize>(
    division: &mut Division,
    state: &mut State<D>,
    plans: &Plans<D>,
    indices: &Indices<D>,
    skin: impl Fn(usize, usize) -> Option<f32>,
) {
    let period = state.settings.period();
    let Division { messages, shares, halo, .. } = division;
    let rank = messages.rank();
    halo.passes.resize_with(indices.species.len(), Vec::new);
    let mut is_new = false;
    for (own, (plan, halos)) in plans.of().iter().zip(&mut halo.passes).enumerate() {
        halos.resize_with(plan.passes.len(), Vec::new);
        for (number, (pass, near)) in plan.passes.iter().zip(halos).enumerate() {
            let Some(skin) = skin(own, number) else { continue };
            let chunks = |species: usize| shares.of(rank, Some(species), state.agents[species].chunks());
            let with_chunks = |species: usize| (&indices.species[species], chunks(species));
            *near = chunks_near(with_chunks(own), with_chunks(pass.species), pass.reach + skin, &period);
            is_new = true;
        }
    }
    if is_new {
        halo.request(messages, shares, plans.of().iter().map(|plan| &plan.passes[..]), &mut state.agents);
    }
}

/// Gets the rows of the halo, and measures the boxes of their clusters where they are missing.
fn get_near<const D: usize>(division: &mut Division, level: Level, state: &mut State<D>, indices: &mut Indices<D>) {
    let period = state.settings.period();
    let Division { messages, halo, .. } = division;
    halo.exchange_motion(messages, &mut state.agents);
    for &(species, chunk) in halo.incoming.iter().flatten() {
        indices.species[species].placed.include(level, &state.agents[species].position, chunk, &period);
    }
}

/// Returns the chunks of other ranks within `radius` of the chunks of this one, of the same or another species.
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
