//! The buffers in which a thread steers a chunk.

use std::cell::Cell;

use crate::kernels::CHUNK;
use crate::kernels::combine::Force;
use crate::neighbour_lists::neighbours::ListedNeighbours;
use crate::neighbour_lists::plan::Plan;
use crate::neighbour_lists::search::SearchBuffers;

/// Buffers of one thread.
#[derive(Debug, Default)]
pub(crate) struct SteerBuffers<const D: usize> {
    pub(super) search: SearchBuffers<D>,
    pub(super) forces: Vec<Force<D>>,
    pub(super) neighbours: ListedNeighbours<D>,
    /// For each rule limited to some states, the agents of the chunk for which it is active.
    pub(super) active: Vec<[bool; CHUNK]>,
    pub(super) there: Vec<Cell<bool>>,
    /// The distance that each agent of the chunk has left to the nearest target of its rules, for its motion.
    pub(super) left: Vec<Cell<f32>>,
}

impl<const D: usize> SteerBuffers<D> {
    /// Sets everything to zero that a chunk adds to or need not set.
    pub(super) fn prepare(&mut self, plan: &Plan) {
        self.search.prepare(plan.slots);
        // A rule need not set the force of every agent.
        self.forces.clear();
        self.forces.resize(plan.rules.len(), [[0.0; CHUNK]; D]);
        self.there.clear();
        self.there.resize(if plan.arrives() { CHUNK } else { 0 }, Cell::new(false));
        self.left.clear();
        self.left.resize(if plan.gives_way { CHUNK } else { 0 }, Cell::new(f32::INFINITY));
    }
}
