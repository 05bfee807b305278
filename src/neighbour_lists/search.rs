//! The search of one species for its neighbours: its inputs, and the geometry that the files beside share.

use fearless_simd::Level;

use crate::agents::Agents;
use crate::base::settings::nearest_image;
use crate::index::species_index::SpeciesIndex;
use crate::kernels::boxes::SLACK;
use crate::kernels::cull::Reach;
use crate::kernels::group::group;
use crate::kernels::pairs::{Observers, Sum};
use crate::kernels::simd::dot;
use crate::kernels::vision::{Vision, ahead};
use crate::kernels::{self, Axes, CHUNK, CLUSTER, CLUSTERS};
use crate::maths::Vector;
use crate::neighbour_lists::lists::{CandidateFinder, ChunkLists};
use crate::neighbour_lists::pass::Pass;
use crate::neighbour_lists::plan::Plan;
use crate::rules::world_view::WorldView;

/// One species, or the mix, that looks for its neighbours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NeighbourSearch<'a, const D: usize> {
    pub(crate) world: WorldView<'a, D>,
    pub(crate) level: Level,
    pub(crate) agents: &'a Agents<D>,
    /// The index of these agents.
    pub(crate) own_index: &'a SpeciesIndex<D>,
    pub(crate) plan: &'a Plan,
    /// The limit on the candidates of crowded clusters, if there is one.
    pub(crate) limit: Option<usize>,
}

/// Buffers of one thread.
#[derive(Debug, Default)]
pub(crate) struct SearchBuffers<const D: usize> {
    pub(crate) sums: Vec<Sum<D>>,
    pub(crate) finder: CandidateFinder<D>,
    pub(crate) lists: ChunkLists,
}

impl<const D: usize> SearchBuffers<D> {
    /// Sets the first `slots` sums to zero.
    pub(crate) fn prepare(&mut self, slots: usize) {
        if self.sums.len() < slots {
            self.sums.resize(slots, Sum::ZERO);
        }
        self.sums[..slots].fill(Sum::ZERO);
    }
}

impl<const D: usize> NeighbourSearch<'_, D> {
    /// Returns whether a pass looks at the observers' own species.
    pub(crate) fn looks_at_own(&self, pass: &Pass) -> bool {
        pass.species == self.agents.species.number()
    }

    /// Returns the agents that a pass looks at.
    pub(crate) fn others(&self, pass: &Pass) -> &Agents<D> {
        if self.looks_at_own(pass) { self.agents } else { &self.world.agents[pass.species] }
    }

    /// Returns the places of the agents that a pass looks at.
    pub(crate) fn their_index(&self, pass: &Pass) -> &SpeciesIndex<D> {
        if self.looks_at_own(pass) { self.own_index } else { &self.world.indices[pass.species] }
    }

    /// Returns the limit on the candidates of a crowded cluster in a pass. Rules that perceive all agents of the world
    /// ask for all of them: their passes have no limit.
    pub(crate) fn limit_of(&self, pass: &Pass) -> Option<usize> {
        self.limit.filter(|_| !self.world.settings.is_all(pass.radius))
    }

    /// Returns the positions of the agents that a pass looks at.
    pub(crate) fn positions(&self, pass: &Pass) -> Axes<'_, D> {
        let others = self.others(pass);
        kernels::rows(&others.position, 0..others.position[0].len())
    }

    /// Returns the agents of a chunk as observers. `seams` has one bit for each cluster: whether its neighbours may lie
    /// across a seam.
    pub(crate) fn observers(&self, chunk: usize, pass: &Pass, seams: u16) -> Observers<'_, D> {
        let own = self.agents.chunk_rows(chunk);
        Observers {
            position: kernels::rows(&self.agents.position, own.clone()),
            velocity: kernels::rows(&self.agents.velocity, own.clone()),
            heading: kernels::rows(self.agents.looks(), own),
            period: self.world.settings.period(),
            seams,
            each_other: self.looks_at_own(pass),
            views: None,
        }
    }

    /// Returns the agents of a chunk as observers, with the seams of one cluster that looks as far as `radius`.
    pub(crate) fn cluster_observers(&self, chunk: usize, cluster: usize, pass: &Pass, radius: f32) -> Observers<'_, D> {
        let (number, period) = (chunk * CLUSTERS + cluster, self.world.settings.period());
        let at_seam = self.own_index.placed.any_at_seam(number, radius, &period, &self.agents.position);
        self.observers(chunk, pass, u16::from(at_seam) << cluster)
    }

    /// Returns the rows of a cluster's agents.
    pub(crate) fn own_rows(&self, chunk: usize, cluster: usize) -> std::ops::Range<usize> {
        let first = chunk * CHUNK + cluster * CLUSTER;
        first..(first + CLUSTER).clamp(0, self.agents.len())
    }

    /// Returns the offset from the agent at `row` to another one, by the operations of the pair kernel.
    pub(crate) fn offset(&self, row: usize, others: &Agents<D>, their_row: usize) -> Vector<D> {
        let period = self.world.settings.period();
        Vector::from_fn(|axis| {
            nearest_image(others.position[axis][their_row] - self.agents.position[axis][row], period[axis])
        })
    }

    /// Returns whether an offset of this squared length is in the field of view of the agent at `row`.
    pub(crate) fn is_in_view(&self, row: usize, offset: &Vector<D>, squared: f32, view: Vision) -> bool {
        if view.cosine_squared <= Vision::ALL_ROUND {
            return true;
        }
        let heading = self.agents.looks().each_ref().map(|axis| axis[row]);
        ahead(&heading, &offset.0) >= view.cosine_squared * dot(&heading, &heading) * squared
    }

    /// Returns the number of groups in a cluster.
    pub(crate) fn groups(&self) -> usize {
        CLUSTER / group(self.level)
    }

    /// The agents of its cluster that are in a group, one bit each.
    pub(crate) fn lanes_of(&self, group: usize) -> u16 {
        let lanes = CLUSTER / self.groups();
        u16::MAX >> (CLUSTER - lanes) << (group * lanes % CLUSTER)
    }

    /// Returns the number of clusters of a chunk that have agents.
    pub(crate) fn clusters_of(&self, chunk: usize) -> usize {
        self.agents.chunk_rows(chunk).len() / CLUSTER
    }

    /// How far a cluster's box reaches: agents within `radius` and `skin`, found in boxes that were measured `moved`
    /// metres ago.
    pub(crate) fn reach(&self, cluster: usize, pass: &Pass, moved: f32, skin: f32) -> Reach<D> {
        let (radius, period) = (pass.radius + skin + moved, self.world.settings.period());
        self.own_index.placed.reach(cluster, radius, radius, self.looks_at_own(pass), &period)
    }

    /// Returns how far an agent and a neighbour together may have moved since their boxes were measured, in metres.
    pub(crate) fn moved(&self, pass: &Pass) -> f32 {
        self.own_index.placed.moved + self.their_index(pass).placed.moved
    }

    /// Returns how far rounding may shift the nearest image of an agent, in metres.
    pub(crate) fn slack(&self) -> f32 {
        let period = self.world.settings.period();
        period.iter().filter(|&&period| period < f32::INFINITY).map(|period| SLACK * period).sum()
    }
}
