//! Scratch: the buffers in which a thread steers a chunk.

use std::cell::Cell;
use std::sync::Mutex;

use crate::kernels::CHUNK;
use crate::kernels::combine::Force;
use crate::kernels::pairs::Sum;
use crate::neighbour_lists::candidates::{CandidateFinder, ChunkLists};
use crate::neighbour_lists::neighbours::ListedNeighbours;
use crate::neighbour_lists::plan::Plan;

/// Buffers of one thread.
#[derive(Debug, Default)]
pub(crate) struct Scratch<const D: usize> {
    pub(crate) sums: Vec<Sum<D>>,
    pub(super) forces: Vec<Force<D>>,
    pub(crate) finder: CandidateFinder<D>,
    pub(crate) lists: ChunkLists,
    pub(super) neighbours: ListedNeighbours<D>,
    /// For each rule limited to some states, the agents of the chunk for which it is active.
    pub(super) active: Vec<[bool; CHUNK]>,
    pub(super) there: Vec<Cell<bool>>,
}

impl<const D: usize> Scratch<D> {
    /// Sets everything to zero that a chunk adds to or need not set.
    pub(super) fn prepare(&mut self, plan: &Plan) {
        if self.sums.len() < plan.slots {
            self.sums.resize(plan.slots, Sum::ZERO);
        }
        for sum in &mut self.sums[..plan.slots] {
            *sum = Sum::ZERO;
        }
        // A rule need not set the force of every agent.
        self.forces.clear();
        self.forces.resize(plan.rules.len(), [[0.0; CHUNK]; D]);
        self.there.clear();
        self.there.resize(if plan.arrives() { CHUNK } else { 0 }, Cell::new(false));
    }
}

/// The buffers of all threads of a pool. A thread that needs a second set while its own is in use (a rule may use the
/// pool as well) gets a temporary one.
#[derive(Debug, Default)]
pub(crate) struct Scratches<const D: usize>(Vec<Mutex<Scratch<D>>>);

impl<const D: usize> Scratches<D> {
    /// Ensures that every thread of the pool has a set.
    pub(crate) fn prepare(&mut self) {
        let threads = rayon::current_num_threads();
        if self.0.len() < threads {
            self.0.resize_with(threads, Mutex::default);
        }
    }

    /// Calls `work` with the buffers of this thread.
    pub(super) fn with<R>(&self, work: impl FnOnce(&mut Scratch<D>) -> R) -> R {
        let own = rayon::current_thread_index().and_then(|thread| self.0.get(thread)?.try_lock().ok());
        match own {
            Some(mut scratch) => work(&mut scratch),
            None => work(&mut Scratch::default()),
        }
    }
}
