//! Collide: walls move, and agents that would cross one slide along it, stop or rest.

mod agent;
pub(crate) mod buffers;
mod find;
mod cached;
mod lean;
mod near;
mod slide;
mod solid;
mod steps;
mod walker;

use fearless_simd::Level;

use crate::agents::Agents;
use crate::agents::events::Event;
use crate::agents::parallel::{ChunkedColumn, ChunkedSums, chunked_sums};
use crate::derived::indices::Indices;
use crate::kernels::CHUNK;
use crate::maths::Vector;
use crate::maths::wide::Wide;
use crate::ranks::Part;
use crate::state::State;
use crate::tick::collide::buffers::{ChunkOutcome, CollideBuffers};
use crate::tick::collide::find::GRAIN;
use crate::tick::collide::steps::WallStep;
use crate::tick::integrate::Before;

/// Moves walls, and keeps agents on their sides of them.
///
/// A moving wall that would press an agent against something that holds stays where it is in this tick. The motion of
/// the agents near that wall is then computed again, with the wall at rest, which frees the agent.
pub(crate) fn collide<const D: usize>(
    state: &mut State<D>,
    indices: &mut Indices<D>,
    before: &[Before<D>],
    part: &Part,
    buffers: &mut CollideBuffers<D>,
    level: Level,
    events: &mut Vec<Event>,
) {
    if state.environment.walls.is_empty() {
        return;
    }
    let are_changed = std::mem::take(&mut indices.environment.walls.is_changed);
    let walls = &indices.environment.walls;
    begin(state, &mut buffers.steps, &walls.active, are_changed);
    let largest_step = largest_step(&buffers.steps, &walls.active);
    buffers.threads.prepare();
    buffers.blocked.clear();
    buffers.held.clear();
    buffers.species.resize_with(state.agents.len(), Vec::new);
    find_tracked(state, &mut buffers.tracked);
    loop {
        for (number, agents) in state.agents.iter().enumerate() {
            if !state.species[number].moved_by_host {
                let of = (number, part.moves(agents));
                find::find(state, (walls, are_changed), of, &before[number], buffers, largest_step, level);
            }
        }
        let CollideBuffers { species, steps, blocked, held, .. } = &mut *buffers;
        held.clear();
        for outcome in species.iter_mut().flatten() {
            for (wall, event) in outcome.blocked.drain(..) {
                blocked.push((wall, event));
                held.push(wall);
                steps[wall as usize].block();
            }
        }
        if held.is_empty() {
            break;
        }
        held.sort_unstable();
        held.dedup();
    }
    for number in 0..state.agents.len() {
        if !state.species[number].moved_by_host {
            apply(state, indices, part, &mut buffers.species[number], number, events);
        }
    }
    events.extend(buffers.blocked.iter().map(|(_, event)| *event));
    end(state, &mut buffers.steps, &indices.environment.walls.active, are_changed);
}

/// Finds the rows of the agents of each species that follow tracks.
fn find_tracked<const D: usize>(state: &State<D>, tracked: &mut Vec<Vec<u32>>) {
    tracked.resize_with(state.agents.len(), Vec::new);
    tracked.iter_mut().for_each(Vec::clear);
    for found in state.environment.carried().filter_map(|agent| state.ids.row_of(agent)) {
        tracked[found.species as usize].push(found.row);
    }
    tracked.iter_mut().for_each(|rows| rows.sort_unstable());
}

/// Computes the motions of walls in this tick: all of them after a change, else the ones that move or open.
fn begin<const D: usize>(state: &State<D>, steps: &mut Vec<WallStep<D>>, active: &[u32], are_changed: bool) {
    let seconds = state.seconds();
    let (walls, motions) = (state.environment.walls.items(), state.environment.wall_motions());
    let step = |wall: usize| WallStep::new(&walls[wall], &motions[wall], &state.settings, seconds);
    if are_changed {
        steps.clear();
        steps.extend((0..walls.len()).map(step));
    } else {
        active.iter().for_each(|&wall| steps[wall as usize] = step(wall as usize));
    }
}

/// The largest motion of these walls on each axis.
fn largest_step<const D: usize>(steps: &[WallStep<D>], active: &[u32]) -> Wide<D> {
    let mut largest = [0.0; D];
    for step in active.iter().map(|&wall| &steps[wall as usize]) {
        for axis in 0..D {
            let step = step.step[axis].abs();
            largest[axis] = if step > largest[axis] { step } else { largest[axis] };
        }
    }
    largest
}

/// Writes their motions to the walls.
fn end<const D: usize>(state: &mut State<D>, steps: &mut [WallStep<D>], active: &[u32], are_changed: bool) {
    let mut finish = |number: usize, step: &mut WallStep<D>| {
        let (wall, motion) = state.environment.wall_mut(number);
        step.finish(wall, motion);
        step.rest();
    };
    if are_changed {
        steps.iter_mut().enumerate().for_each(|(number, step)| finish(number, step));
    } else {
        active.iter().for_each(|&number| finish(number as usize, &mut steps[number as usize]));
    }
}

/// Applies the changes by walls to a species. Agents that they pushed become strays.
fn apply<const D: usize>(
    state: &mut State<D>,
    indices: &mut Indices<D>,
    part: &Part,
    outcomes: &mut [ChunkOutcome<D>],
    number: usize,
    events: &mut Vec<Event>,
) {
    let chunks = part.moves(&state.agents[number]);
    let Agents { position, velocity, position_residual, velocity_residual, .. } = &mut state.agents[number];
    let motion = (chunked_sums(position, position_residual), chunked_sums(velocity, velocity_residual));
    let columns = (motion, ChunkedColumn(&mut *outcomes, 1));
    chunks.for_each(GRAIN, columns, &|_, ((mut position, mut velocity), outcome)| {
        let ChunkOutcome { stopped, pushed, .. } = &mut outcome.0[0];
        for (in_chunk, stopped) in stopped.iter() {
            set(&mut position, *in_chunk as usize, stopped.position);
            set(&mut velocity, *in_chunk as usize, stopped.velocity);
        }
        pushed.sort_unstable();
    });
    for (chunk, outcome) in outcomes.iter_mut().enumerate() {
        for in_chunk in &outcome.pushed {
            let row = chunk * CHUNK + *in_chunk as usize;
            indices.strayed(state, number, row);
        }
        events.append(&mut outcome.events);
    }
}

/// Sets a row of a chunk, and clears its residuals, unless it is as it was.
fn set<const D: usize>((columns, residuals): &mut ChunkedSums<'_, D>, row: usize, to: Vector<D>) {
    if (0..D).any(|axis| columns.0[axis][row] != to[axis]) {
        for axis in 0..D {
            (columns.0[axis][row], residuals.0[axis][row]) = (to[axis], 0.0);
        }
    }
}
