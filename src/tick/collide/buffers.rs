//! The buffers of the stage collide.

use crate::agents::events::Event;
use crate::agents::parallel::PerThread;
use crate::environment::wall_index::WallIndex;
use crate::maths::wide::{length, sub, widened};
use crate::tick::collide::cached::{CachedPieces, FindBuffers};
use crate::tick::collide::steps::WallStep;
use crate::tick::collide::walker::{AgentBuffers, Motion, Stopped};

/// Buffers of the stage.
#[derive(Debug, Default)]
pub(crate) struct CollideBuffers<const D: usize> {
    /// The motion of each wall in the tick. The motions of still walls are cached.
    pub(super) steps: Vec<WallStep<D>>,
    /// For each species, the changes by walls in each chunk.
    pub(super) species: Vec<Vec<ChunkOutcome<D>>>,
    pub(super) threads: PerThread<ThreadBuffers<D>>,
    /// For each species, the rows of the agents that follow tracks, ascending: walls do not move them.
    pub(super) tracked: Vec<Vec<u32>>,
    /// The walls that are held up in this tick, and the events that report it.
    pub(super) blocked: Vec<(u32, Event)>,
    /// The ones that were found in the last round, ascending.
    pub(super) held: Vec<u32>,
}

/// The changes by walls in a chunk.
#[derive(Debug, Default)]
pub(super) struct ChunkOutcome<const D: usize> {
    pub(super) near: CachedPieces<D>,
    pub(super) stopped: Vec<(u32, Stopped<D>)>,
    /// The agents of these that were pushed farther than their species can move.
    pub(super) pushed: Vec<u32>,
    pub(super) events: Vec<Event>,
    pub(super) blocked: Vec<(u32, Event)>,
    /// Whether centres were inside solids: their ways out may lead to any wall.
    pub(super) has_left_solids: bool,
}

impl<const D: usize> ChunkOutcome<D> {
    /// Whether these walls, ascending, may have taken part in it.
    pub(super) fn depends_on(&self, index: &WallIndex<D>, walls: &[u32]) -> bool {
        #[cfg(test)]
        if index.is_exhaustive {
            return true;
        }
        self.has_left_solids
            || self.near.all().any(|piece| walls.binary_search(&index.pieces[piece.number as usize].wall).is_ok())
    }

    /// Forgets the changes by walls.
    pub(super) fn clear(&mut self) {
        self.stopped.clear();
        self.pushed.clear();
        self.events.clear();
        self.has_left_solids = false;
    }

    /// Records that walls stopped the agent at an index in the chunk, which by itself can move this far.
    pub(super) fn stop(&mut self, in_chunk: usize, motion: &Motion<D>, stopped: Stopped<D>, farthest: f64) {
        let gone = length(sub(widened(stopped.position.0), widened(motion.from.0)));
        if gone > farthest {
            self.pushed.push(in_chunk as u32);
        }
        self.stopped.push((in_chunk as u32, stopped));
    }
}

/// Buffers of a thread: the buffers of searches, the indices of agents in their chunk, and the pieces near one of them.
#[derive(Debug, Default)]
pub(super) struct ThreadBuffers<const D: usize> {
    pub(super) find: FindBuffers<D>,
    pub(super) left: Vec<usize>,
    pub(super) own: Vec<u32>,
    pub(super) agent: AgentBuffers<D>,
}
