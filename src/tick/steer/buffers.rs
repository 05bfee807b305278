//! The buffers of the stage, and those in which a thread steers a chunk.

use std::cell::Cell;

use crate::agents::parallel::PerThread;
use crate::kernels::CHUNK;
use crate::kernels::combine::Force;
use crate::neighbour_lists::mix_sums::MixSums;
use crate::neighbour_lists::neighbours::ListedNeighbours;
use crate::neighbour_lists::plan::Plan;
use crate::neighbour_lists::search::SearchBuffers;
use crate::rules::interface::Aim;

/// The buffers of the stage.
#[derive(Debug, Default)]
pub(crate) struct SteerBuffers<const D: usize> {
    /// The sums over neighbours in the mix, and its lists.
    pub(crate) mix_sums: MixSums<D>,
    /// Whether an agent of each chunk arrived at a target.
    pub(super) arrivals: Vec<bool>,
    pub(crate) threads: PerThread<ThreadBuffers<D>>,
}

/// Buffers of one thread.
#[derive(Debug, Default)]
pub(crate) struct ThreadBuffers<const D: usize> {
    pub(super) search: SearchBuffers<D>,
    pub(super) forces: Vec<Force<D>>,
    pub(super) neighbours: ListedNeighbours<D>,
    /// For each rule limited to some states, the agents of the chunk for which it is active.
    pub(super) active: Vec<[bool; CHUNK]>,
    pub(super) there: Vec<Cell<bool>>,
    /// The aims of agents, if the species has a motion.
    pub(super) aims: Vec<Cell<Aim<D>>>,
}

impl<const D: usize> ThreadBuffers<D> {
    /// Sets everything to zero that a chunk adds to or need not set.
    pub(super) fn prepare(&mut self, plan: &Plan, has_motion: bool) {
        self.search.prepare(plan.slots);
        // A rule need not set the force of every agent.
        self.forces.clear();
        self.forces.resize(plan.rules.len(), [[0.0; CHUNK]; D]);
        self.there.clear();
        self.there.resize(if plan.arrives() { CHUNK } else { 0 }, Cell::new(false));
        self.aims.clear();
        self.aims.resize(if has_motion { CHUNK } else { 0 }, Cell::new(Aim::NONE));
    }
}
