//! The changes that walls make to the motions of a species.

use std::ops::Range;

use fearless_simd::Level;

use crate::agents::Agents;
use crate::agents::parallel::ChunkedColumn;
use crate::environment::near_wall::periods;
use crate::environment::wall::FARTHEST;
use crate::environment::wall_index::WallIndex;
use crate::kernels::hulls::Paths;
use crate::kernels::{self, CHUNK, CLUSTER, CLUSTERS};
use crate::maths::wide::Wide;
use crate::maths::{Vector, ones};
use crate::ranks::Chunks;
use crate::state::State;
use crate::tick::collide::buffers::{ChunkOutcome, CollideBuffers, ThreadBuffers};
use crate::tick::collide::lean::Batch;
use crate::tick::collide::near::Walls;
use crate::tick::collide::steps::WallStep;
use crate::tick::collide::walker::{Motion, Moved, Walker};
use crate::tick::integrate::Before;

/// Chunks that a thread takes at a time.
pub(super) const GRAIN: usize = 4;

/// Clusters with one bit in a word for each of their agents.
const PART: usize = 64 / CLUSTER;

/// Finds the changes that walls make to the motion of a species: of all its agents, or of the chunks near walls that
/// are held.
pub(super) fn find<const D: usize>(
    state: &State<D>,
    (index, are_changed): (&WallIndex<D>, bool),
    (number, chunks): (usize, Chunks),
    before: &Before<D>,
    buffers: &mut CollideBuffers<D>,
    largest_step: Wide<D>,
    level: Level,
) {
    let agents = &state.agents[number];
    let CollideBuffers { steps, species, threads, tracked, held, .. } = buffers;
    let is_still = if are_changed { &[] } else { &index.is_still[..] };
    let (settings, still) = (&state.settings, WallStep::still());
    let (period, size, tick) = (settings.period(), periods(settings), state.tick);
    let (outcomes, farthest) =
        (&mut species[number], f64::from(before.fastest) * f64::from(settings.tick_seconds) * (1.0 + 1e-5));
    let rounding = rounding(size);
    let ids = state.environment.walls.ids();
    let walls =
        Walls { settings, period, size, index, ids, steps, is_still, still, tick, largest_step, rounding, farthest };
    outcomes.resize_with(agents.chunks(), ChunkOutcome::default);
    let (threads, before, held, tracked) = (&*threads, &before.position, &held[..], &tracked[number][..]);
    chunks.for_each(GRAIN, ChunkedColumn(outcomes, 1), &|chunk, outcome| {
        let outcome = &mut outcome.0[0];
        if !held.is_empty() && !outcome.depends_on(index, held) {
            return;
        }
        outcome.clear();
        threads.with(|thread| find_in_chunk(&walls, level, (agents, before, tracked), chunk, thread, outcome));
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
    (agents, before, tracked): (&Agents<D>, &[Vec<f32>; D], &[u32]),
    chunk: usize,
    thread: &mut ThreadBuffers<D>,
    outcome: &mut ChunkOutcome<D>,
) {
    let rows = chunk * CHUNK..((chunk + 1) * CHUNK).clamp(0, agents.len());
    let motion = |in_chunk: usize| motion((agents, before), rows.start + in_chunk);
    let collides =
        |in_chunk: &usize| tracked.is_empty() || tracked.binary_search(&((rows.start + in_chunk) as u32)).is_err();
    let ThreadBuffers { find, left, own, agent: buffers } = thread;
    let mut close = [0; CLUSTERS];
    let paths = |cluster| paths(agents, before, &rows, cluster);
    outcome.near.follow(walls, level, rows.len(), &paths, &mut close, find);
    let mut batch = Batch::new(walls, level, left);
    for (part, close) in close.chunks_exact(PART).enumerate() {
        let close = close.iter().rev().fold(0, |bits, &close| bits << CLUSTER | u64::from(close));
        for in_chunk in ones(close).map(|lane| part * PART * CLUSTER + lane).filter(collides) {
            batch.add(in_chunk, motion(in_chunk), outcome);
        }
    }
    batch.run(outcome);
    #[cfg(test)]
    if walls.index.is_exhaustive {
        outcome.clear();
        *left = (0..rows.len()).filter(collides).collect();
    }
    left.sort_unstable();
    for &in_chunk in left.iter() {
        own.clear();
        own.extend(outcome.near.of_agent(in_chunk).map(|piece| piece.number));
        #[cfg(test)]
        if walls.index.is_exhaustive {
            *own = (0..walls.index.pieces.len() as u32).collect();
        }
        let motion = motion(in_chunk);
        let walker = Walker { agent: agents.id[rows.start + in_chunk], species: agents.species, motion };
        match walker.resolve(walls, own, &motion.margins(walls), buffers) {
            Moved::Clear(gap) => {
                // A wall that moves, or another image of a long one, may come nearer.
                let is_plain = outcome.near.of_agent(in_chunk).all(|piece| piece.is_plain);
                if is_plain && !walls.is_still.is_empty() {
                    outcome.near.renew(in_chunk, &motion, gap, &walls.period);
                }
            }
            Moved::Stopped(stopped) => outcome.stop(in_chunk, &motion, stopped, walls.farthest),
            Moved::Unchanged => {}
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
