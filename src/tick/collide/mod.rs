//! Collide: walls move, and agents that would cross one slide along it, stop or rest.

mod agent;
pub(crate) mod buffers;
mod near;
mod slide;
mod solid;
mod steps;
mod walker;

use crate::agents::Agents;
use crate::agents::events::Event;
use crate::agents::parallel::{ChunkedColumn, for_each_chunk};
use crate::base::settings::nearest_image;
use crate::environment::tree::Aabb;
use crate::environment::wall_index::are_near;
use crate::kernels::boxes::SLACK;
use crate::kernels::{CHUNK, CLUSTER};
use crate::maths::Vector;
use crate::maths::wide::{length, sub, widened};
use crate::state::State;
use crate::tick::collide::buffers::{ChunkOutcome, CollideBuffers, SpeciesBuffers, ThreadBuffers};
use crate::tick::collide::near::Walls;
use crate::tick::collide::steps::WallStep;
use crate::tick::collide::walker::Walker;
use crate::tick::derived::{Change, Derived};

/// Chunks that a thread takes at a time.
const GRAIN: usize = 4;

/// Moves walls, and keeps agents on their sides of them.
///
/// A moving wall that would press an agent against something that holds stays where it is in this tick. The motion of
/// all agents is then computed again, with that wall at rest, which frees the agent.
pub(crate) fn collide<const D: usize>(state: &mut State<D>, derived: &mut Derived<D>, events: &mut Vec<Event>) {
    if state.environment.walls().is_empty() {
        return;
    }
    let seconds = state.tick as f64 * f64::from(state.settings.tick_seconds);
    let mut buffers = std::mem::take(&mut derived.collide);
    let motions = state.environment.wall_motions();
    let walls = state.environment.walls().iter().zip(motions);
    buffers.steps.clear();
    buffers.steps.extend(walls.map(|(wall, motion)| WallStep::new(wall, motion, &state.settings, seconds)));
    buffers.threads.prepare();
    buffers.blocked.clear();
    loop {
        for number in 0..state.agents.len() {
            if !state.species[number].moved_by_host {
                find(state, derived, &mut buffers, number);
            }
        }
        let known = buffers.blocked.len();
        let CollideBuffers { species, steps, blocked, .. } = &mut buffers;
        for outcome in species.iter_mut().flat_map(|species| &mut species.chunks) {
            for (wall, event) in outcome.blocked.drain(..) {
                blocked.push((wall, event));
                steps[wall as usize].block();
            }
        }
        if buffers.blocked.len() == known {
            break;
        }
    }
    for number in 0..state.agents.len() {
        if !state.species[number].moved_by_host {
            apply(state, derived, &mut buffers.species[number], number, events);
        }
    }
    events.extend(buffers.blocked.iter().map(|(_, event)| *event));
    for ((wall, motion), step) in state.environment.walls_mut().zip(&buffers.steps) {
        step.finish(wall, motion);
    }
    derived.collide = buffers;
}

/// Finds what walls change in the motion of a species.
fn find<const D: usize>(state: &State<D>, derived: &Derived<D>, buffers: &mut CollideBuffers<D>, number: usize) {
    let (agents, index) = (&state.agents[number], &derived.environment.walls);
    let CollideBuffers { steps, species, threads, .. } = buffers;
    let mut largest_step = [0.0; D];
    for step in steps.iter() {
        for axis in 0..D {
            let step = step.step[axis].abs();
            largest_step[axis] = if step > largest_step[axis] { step } else { largest_step[axis] };
        }
    }
    let walls = Walls { settings: &state.settings, index, steps, tick: state.tick, largest_step };
    let SpeciesBuffers { before, chunks, .. } = &mut species[number];
    chunks.resize_with(agents.chunks(), ChunkOutcome::default);
    let threads = &*threads;
    for_each_chunk(agents.chunks(), GRAIN, ChunkedColumn(chunks, 1), &|chunk, outcome| {
        let outcome = &mut outcome.0[0];
        outcome.stopped.clear();
        outcome.events.clear();
        threads.with(|thread| find_in_chunk(&walls, agents, before, chunk, thread, outcome));
    });
}

fn find_in_chunk<const D: usize>(
    walls: &Walls<'_, D>,
    agents: &Agents<D>,
    before: &[Vec<f32>; D],
    chunk: usize,
    thread: &mut ThreadBuffers<D>,
    outcome: &mut ChunkOutcome<D>,
) {
    let rows = chunk * CHUNK..((chunk + 1) * CHUNK).clamp(0, agents.len());
    let mut boxes = [Aabb { centre: Vector::ZERO, half: Vector::ZERO }; CHUNK / CLUSTER];
    let clusters = rows.len().div_ceil(CLUSTER);
    for (cluster, bounds) in boxes[..clusters].iter_mut().enumerate() {
        let first = rows.start + cluster * CLUSTER;
        *bounds = swept_box(walls, agents, before, first..(first + CLUSTER).clamp(0, rows.end));
    }
    let whole = Aabb::around(boxes[..clusters].iter().copied(), walls.settings);
    let ThreadBuffers { chunk: found, cluster: near, own, agent: buffers } = thread;
    walls.index.find(&enlarged(whole), found);
    if found.is_empty() {
        return;
    }
    let period = walls.settings.period();
    for (cluster, bounds) in boxes[..clusters].iter().enumerate() {
        near.clear();
        let of_cluster = |&&number: &&u32| are_near(&walls.index.pieces[number as usize].around, bounds, &period);
        near.extend(found.iter().filter(of_cluster));
        if near.is_empty() {
            continue;
        }
        let first = rows.start + cluster * CLUSTER;
        for row in first..(first + CLUSTER).clamp(0, rows.end) {
            let bounds = swept_box(walls, agents, before, row..row + 1);
            own.clear();
            let of_agent = |&&number: &&u32| are_near(&walls.index.pieces[number as usize].around, &bounds, &period);
            own.extend(near.iter().filter(of_agent));
            if own.is_empty() {
                continue;
            }
            let walker = Walker {
                agent: agents.id[row],
                species: agents.species,
                from: Vector::from_fn(|axis| before[axis][row]),
                to: agents.position(row),
                velocity: agents.velocity(row),
                radius: agents.radius(row),
            };
            if let Some(stopped) = walker.resolve(walls, own, buffers) {
                outcome.stopped.push((row as u32, stopped));
            }
            outcome.events.append(&mut buffers.events);
            outcome.blocked.append(&mut buffers.blocked);
        }
    }
}

/// The box around the paths of some agents, with room for their bodies and for the motion of walls.
fn swept_box<const D: usize>(
    walls: &Walls<'_, D>,
    agents: &Agents<D>,
    before: &[Vec<f32>; D],
    rows: std::ops::Range<usize>,
) -> Aabb<D> {
    let mut radius = 0.0;
    for row in rows.clone() {
        let of_row = agents.radius(row);
        radius = if of_row > radius { of_row } else { radius };
    }
    let period = walls.settings.period();
    let (mut bounds, mut farthest) = (Aabb { centre: Vector::ZERO, half: Vector::ZERO }, 0.0);
    for axis in 0..D {
        let (from, to) = (&before[axis][rows.clone()], &agents.position[axis][rows.clone()]);
        let origin = from[0];
        let (mut low, mut high, mut longest) = (0.0f32, 0.0f32, 0.0f32);
        for (&from, &to) in from.iter().zip(to) {
            let start = nearest_image(from - origin, period[axis]);
            let path = to - from;
            longest = if path.abs() > longest { path.abs() } else { longest };
            let end = start + path;
            low = if start < low { start } else { low };
            low = if end < low { end } else { low };
            high = if start > high { start } else { high };
            high = if end > high { end } else { high };
        }
        bounds.centre[axis] = origin + 0.5 * (low + high);
        bounds.half[axis] = 0.5 * (high - low) + Walker::<D>::reach(radius) + walls.largest_step[axis] as f32;
        // A long path perceives walls all along its axis.
        if longest > 0.4 * period[axis] {
            bounds.half[axis] += period[axis];
        }
        let far = origin.abs() + (high - low);
        farthest = if far > farthest { far } else { farthest };
    }
    bounds.half += Vector::splat(64.0 * f32::EPSILON * farthest);
    bounds
}

/// The box with room for rounding.
fn enlarged<const D: usize>(bounds: Aabb<D>) -> Aabb<D> {
    let slack = |axis: usize| 4.0 * SLACK * (bounds.centre[axis].abs() + bounds.half[axis]);
    Aabb { half: Vector::from_fn(|axis| bounds.half[axis] + slack(axis)), ..bounds }
}

/// Applies to a species what walls change. An agent that was pushed farther than its species can move becomes a stray.
fn apply<const D: usize>(
    state: &mut State<D>,
    derived: &mut Derived<D>,
    buffers: &mut SpeciesBuffers<D>,
    number: usize,
    events: &mut Vec<Event>,
) {
    let farthest = f64::from(buffers.fastest) * f64::from(state.settings.tick_seconds) * (1.0 + 1e-5);
    for outcome in &mut buffers.chunks {
        for (row, stopped) in outcome.stopped.drain(..) {
            let row = row as usize;
            let from = Vector::<D>::from_fn(|axis| buffers.before[axis][row]);
            let agents = &mut state.agents[number];
            if stopped.position != agents.position(row) {
                agents.set_position(row, stopped.position);
            }
            if stopped.velocity != agents.velocity(row) {
                agents.set_velocity(row, stopped.velocity);
            }
            if length(sub(widened(stopped.position.0), widened(from.0))) > farthest {
                let place = agents.mix_row(row);
                state.orders[number].stray(row);
                derived.note(Change::Row { species: number, row });
                place.into_iter().for_each(|place| state.mix.order.stray(place));
                derived.note_mix_row(place);
            }
        }
        events.append(&mut outcome.events);
    }
}
