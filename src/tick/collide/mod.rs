//! Collide: walls move, and agents that would cross one slide along it, stop or rest.

mod agent;
pub(crate) mod buffers;
mod kept;
mod lean;
mod near;
mod slide;
mod solid;
mod steps;
mod walker;

use std::ops::Range;

use fearless_simd::Level;

use crate::agents::Agents;
use crate::agents::events::Event;
use crate::agents::parallel::{ChunkedColumn, ChunkedSums, chunked_sums, for_each_chunk};
use crate::environment::near_wall::periods;
use crate::environment::wall::FARTHEST;
use crate::kernels::hulls::Paths;
use crate::kernels::{self, CHUNK, CLUSTER, CLUSTERS};
use crate::maths::wide::Wide;
use crate::maths::{Vector, ones};
use crate::state::State;
use crate::tick::collide::buffers::{ChunkOutcome, CollideBuffers, SpeciesBuffers, ThreadBuffers};
use crate::tick::collide::lean::Batch;
use crate::tick::collide::near::Walls;
use crate::tick::collide::steps::WallStep;
use crate::tick::collide::walker::{Motion, Moved, Walker};
use crate::tick::derived::{Change, Derived};

/// Chunks that a thread takes at a time.
const GRAIN: usize = 4;

/// Clusters with one bit in a word for each of their agents.
const PART: usize = 64 / CLUSTER;

/// Moves walls, and keeps agents on their sides of them.
///
/// A moving wall that would press an agent against something that holds stays where it is in this tick. The motion of
/// the agents near that wall is then computed again, with the wall at rest, which frees the agent.
pub(crate) fn collide<const D: usize>(
    state: &mut State<D>,
    derived: &mut Derived<D>,
    level: Level,
    events: &mut Vec<Event>,
) {
    if state.environment.walls().is_empty() {
        return;
    }
    let mut buffers = std::mem::take(&mut derived.collide);
    let are_changed = std::mem::take(&mut derived.environment.walls.is_changed);
    let active = &derived.environment.walls.active[..];
    begin(state, &mut buffers.steps, active, are_changed);
    let largest_step = largest_step(&buffers.steps, active);
    buffers.threads.prepare();
    buffers.blocked.clear();
    buffers.held.clear();
    loop {
        for number in 0..state.agents.len() {
            if !state.species[number].moved_by_host {
                find(state, derived, level, (&mut buffers, are_changed), largest_step, number);
            }
        }
        let CollideBuffers { species, steps, blocked, held, .. } = &mut buffers;
        held.clear();
        for outcome in species.iter_mut().flat_map(|species| &mut species.chunks) {
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
            apply(state, derived, &mut buffers.species[number], number, events);
        }
    }
    events.extend(buffers.blocked.iter().map(|(_, event)| *event));
    end(state, &mut buffers.steps, &derived.environment.walls.active, are_changed);
    derived.collide = buffers;
}

/// Computes what walls do in this tick: all of them after a change, else those that move or open.
fn begin<const D: usize>(state: &State<D>, steps: &mut Vec<WallStep<D>>, active: &[u32], are_changed: bool) {
    let seconds = state.tick as f64 * f64::from(state.settings.tick_seconds);
    let (walls, motions) = (state.environment.walls(), state.environment.wall_motions());
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

/// Writes what they did to the walls.
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

/// Finds what walls change in the motion of a species: of all its agents, or of the chunks near walls that are held.
fn find<const D: usize>(
    state: &State<D>,
    derived: &Derived<D>,
    level: Level,
    (buffers, are_changed): (&mut CollideBuffers<D>, bool),
    largest_step: Wide<D>,
    number: usize,
) {
    let (agents, index) = (&state.agents[number], &derived.environment.walls);
    let CollideBuffers { steps, species, threads, held, .. } = buffers;
    let is_still = if are_changed { &[] } else { &index.is_still[..] };
    let (settings, still) = (&state.settings, WallStep::still());
    let (period, size, tick) = (settings.period(), periods(settings), state.tick);
    let SpeciesBuffers { before, chunks, fastest } = &mut species[number];
    let farthest = f64::from(*fastest) * f64::from(settings.tick_seconds) * (1.0 + 1e-5);
    let rounding = rounding(size);
    let walls = Walls { settings, period, size, index, steps, is_still, still, tick, largest_step, rounding, farthest };
    chunks.resize_with(agents.chunks(), ChunkOutcome::default);
    let (threads, before, held) = (&*threads, &*before, &held[..]);
    for_each_chunk(agents.chunks(), GRAIN, ChunkedColumn(chunks, 1), &|chunk, outcome| {
        let outcome = &mut outcome.0[0];
        if !held.is_empty() && !outcome.depends_on(index, held) {
            return;
        }
        outcome.clear();
        threads.with(|thread| find_in_chunk(&walls, level, (agents, before), chunk, thread, outcome));
    });
}

/// The largest error of a position that re-enters a world of this size, and of the displacement of a wall.
fn rounding<const D: usize>(size: Wide<D>) -> f64 {
    let displacement = 8.0 * f64::EPSILON * FARTHEST;
    size.iter().fold(displacement, |most, size| most + 2.0 * f64::from(f32::EPSILON) * size)
}

fn find_in_chunk<const D: usize>(
    walls: &Walls<'_, D>,
    level: Level,
    (agents, before): (&Agents<D>, &[Vec<f32>; D]),
    chunk: usize,
    thread: &mut ThreadBuffers<D>,
    outcome: &mut ChunkOutcome<D>,
) {
    let rows = chunk * CHUNK..((chunk + 1) * CHUNK).clamp(0, agents.len());
    let motion = |place: usize| motion((agents, before), rows.start + place);
    let ThreadBuffers { find, left, own, agent: buffers } = thread;
    let mut close = [0; CLUSTERS];
    let paths = |cluster| paths(agents, before, &rows, cluster);
    outcome.near.follow(walls, level, rows.len(), &paths, &mut close, find);
    let mut batch = Batch::new(walls, level, left);
    for (part, close) in close.chunks_exact(PART).enumerate() {
        let close = close.iter().rev().fold(0, |bits, &close| bits << CLUSTER | u64::from(close));
        for place in ones(close).map(|lane| part * PART * CLUSTER + lane) {
            batch.add(place, motion(place), outcome);
        }
    }
    batch.run(outcome);
    #[cfg(test)]
    if walls.index.is_exhaustive {
        outcome.clear();
        *left = (0..rows.len()).collect();
    }
    left.sort_unstable();
    for &place in left.iter() {
        own.clear();
        own.extend(outcome.near.of_agent(place).map(|piece| piece.number));
        #[cfg(test)]
        if walls.index.is_exhaustive {
            *own = (0..walls.index.pieces.len() as u32).collect();
        }
        let motion = motion(place);
        let walker = Walker { agent: agents.id[rows.start + place], species: agents.species, motion };
        match walker.resolve(walls, own, &motion.body(walls), buffers) {
            Moved::Clear(gap) => {
                // A wall that moves, or another image of a long one, may come nearer.
                let is_plain = outcome.near.of_agent(place).all(|piece| piece.is_plain);
                if is_plain && !walls.is_still.is_empty() {
                    outcome.near.renew(place, &motion, gap, &walls.period);
                }
            }
            Moved::Stopped(stopped) => outcome.stop(place, &motion, stopped, walls.farthest),
            Moved::Kept => {}
        }
        outcome.has_left_solids |= std::mem::take(&mut buffers.leaves_solid);
        outcome.events.append(&mut buffers.events);
        outcome.blocked.append(&mut buffers.blocked);
    }
}

/// The motion of the agent of a row.
fn motion<const D: usize>((agents, before): (&Agents<D>, &[Vec<f32>; D]), row: usize) -> Motion<D> {
    Motion {
        from: Vector::from_fn(|axis| before[axis][row]),
        to: agents.position(row),
        velocity: agents.velocity(row),
        radius: agents.radius(row),
    }
}

/// The paths of the agents of a cluster of a chunk with these rows.
fn paths<'a, const D: usize>(
    agents: &'a Agents<D>,
    before: &'a [Vec<f32>; D],
    rows: &Range<usize>,
    cluster: usize,
) -> Paths<'a, D> {
    let first = rows.start + cluster * CLUSTER;
    let (len, cluster) = ((rows.end - first).clamp(0, CLUSTER), first..first + CLUSTER);
    Paths {
        from: kernels::rows(before, cluster.clone()),
        to: kernels::rows(&agents.position, cluster.clone()),
        radius: agents.body.radius.of(cluster),
        len,
    }
}

/// Applies to a species what walls change. Agents that they pushed become strays.
fn apply<const D: usize>(
    state: &mut State<D>,
    derived: &mut Derived<D>,
    SpeciesBuffers { chunks, .. }: &mut SpeciesBuffers<D>,
    number: usize,
    events: &mut Vec<Event>,
) {
    let Agents { position, velocity, position_residual, velocity_residual, .. } = &mut state.agents[number];
    let motion = (chunked_sums(position, position_residual), chunked_sums(velocity, velocity_residual));
    let columns = (motion, ChunkedColumn(chunks, 1));
    for_each_chunk(columns.1.0.len(), GRAIN, columns, &|_, ((mut position, mut velocity), outcome)| {
        let ChunkOutcome { stopped, pushed, .. } = &mut outcome.0[0];
        for (place, stopped) in stopped.iter() {
            set(&mut position, *place as usize, stopped.position);
            set(&mut velocity, *place as usize, stopped.velocity);
        }
        pushed.sort_unstable();
    });
    for (chunk, outcome) in chunks.iter_mut().enumerate() {
        for place in &outcome.pushed {
            let row = chunk * CHUNK + *place as usize;
            state.stray(number, row);
            derived.note(Change::Row { species: number, row, stamp: state.agents[number].position.stamp() });
            derived.note_mix_row(state.mix_row(number, row));
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
