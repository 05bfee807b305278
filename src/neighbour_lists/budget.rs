//! Budget: whether a tick would have to look at more pairs than the settings allow. Passes that perceive all agents of the
//! world are outside of it.
//!
//! The decision follows the arrangement of rows and depends only on the state. The boxes of chunks give a lower and an
//! upper bound first; between these the boxes of clusters are counted, and then the candidates themselves. Counting
//! ends as soon as the answer is known.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::agents::parallel::{FEW_CHUNKS, PerThread, for_each_chunk_of};
use crate::kernels::cull::{clusters_within, gather};
use crate::kernels::{CHUNK, CLUSTER, CLUSTERS};
use crate::neighbour_lists::lists::CandidateFinder;
use crate::neighbour_lists::search::{NeighbourSearch, SearchBuffers};

/// The level of counting: the rows of chunks that lie near each other entirely, all rows of the chunks near a chunk,
/// all rows of the clusters near a cluster, or only the rows that are near themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    Certain,
    Chunks,
    Clusters,
    Rows,
}

/// Returns whether the species together have to look at more than `budget` pairs. Each comes with the chunks whose
/// pairs this rank counts; `add_up` adds the counts of the others.
pub(crate) fn is_exceeded<const D: usize>(
    species: &[(NeighbourSearch<'_, D>, Range<usize>)],
    buffers: &PerThread<SearchBuffers<D>>,
    budget: u64,
    mut add_up: impl FnMut(&mut u64),
) -> bool {
    let mut exceeds = |count| {
        let mut pairs = pairs(species, buffers, budget, count);
        add_up(&mut pairs);
        pairs > budget
    };
    // In most worlds the upper bound of the chunks is within the budget.
    exceeds(Count::Chunks) && (exceeds(Count::Certain) || (exceeds(Count::Clusters) && exceeds(Count::Rows)))
}

/// Returns the number of pairs, or any number above `budget` if it is exceeded.
fn pairs<const D: usize>(
    species: &[(NeighbourSearch<'_, D>, Range<usize>)],
    buffers: &PerThread<SearchBuffers<D>>,
    budget: u64,
    count: Count,
) -> u64 {
    let counted = AtomicU64::new(0);
    // The sum only grows, so whether it exceeds the budget does not depend on the order of the additions.
    let add = |pairs: u64| counted.fetch_add(pairs, Relaxed) + pairs > budget;
    for (search, own) in species {
        for_each_chunk_of(own.clone(), FEW_CHUNKS, (), &|chunk, ()| {
            if counted.load(Relaxed) <= budget {
                buffers.with(|buffers| search.count_pairs(chunk, count, &mut buffers.finder, &add));
            }
        });
    }
    counted.load(Relaxed)
}

impl<const D: usize> NeighbourSearch<'_, D> {
    /// Counts the pairs that the clusters of a chunk have to look at, at most, until `budget` is exceeded.
    fn count_pairs(&self, chunk: usize, count: Count, finder: &mut CandidateFinder<D>, budget: &dyn Fn(u64) -> bool) {
        let (period, Some(chunk_box)) = (self.world.settings.period(), self.own_index.placed.chunk_box(chunk)) else {
            return;
        };
        for pass in self.plan.passes.iter().filter(|pass| !self.world.settings.is_all(pass.radius)) {
            let index = &self.their_index(pass).placed;
            index.chunks_within(&chunk_box, pass.radius, &period, &mut finder.chunks);
            let pairs = match count {
                Count::Certain => index.certain_pairs(&self.own_index.placed, chunk, pass.radius, &finder.chunks),
                Count::Chunks => (finder.chunks.numbers.len() * CHUNK * CHUNK) as u64,
                Count::Clusters | Count::Rows => 0,
            };
            if budget(pairs) {
                return;
            }
            if matches!(count, Count::Certain | Count::Chunks) {
                continue;
            }
            for cluster in 0..self.clusters_of(chunk) {
                let number = chunk * CLUSTERS + cluster;
                let reach = self.reach(number, pass, 0.0, 0.0);
                clusters_within(self.level, &reach, &index.boxes, finder.chunks.all(), &mut finder.clusters);
                let clusters = finder.clusters.as_slice().len();
                let found = &mut finder.counted;
                found.truncate(0);
                let candidates = if self.is_wide(&reach, pass, clusters) {
                    self.find_one_by_one(number, pass, 0.0, &mut finder.extra, found);
                    found.len()
                } else if count == Count::Rows {
                    let clusters = finder.clusters.as_slice();
                    gather(self.level, &reach, &self.positions(pass), clusters, usize::MAX, found)
                } else {
                    clusters * CLUSTER
                };
                if budget((candidates * CLUSTER) as u64) {
                    return;
                }
            }
        }
        // No box gives a bound for the nearest: every count but the lower bound looks for them.
        if count == Count::Certain {
            return;
        }
        let numbers = || (0..self.plan.lists.len()).filter(|&number| self.plan.lists[number].nearest > 0);
        for cluster in 0..if numbers().next().is_some() { self.clusters_of(chunk) } else { 0 } {
            let mut pairs = |number: usize| {
                let lanes = self.listening(chunk, cluster, self.plan.lists[number].during);
                self.find_nearest((chunk, cluster, lanes), number, &mut finder.nearest).pairs
            };
            // Lists look at the same agents. The one that looks at most counts.
            if budget(numbers().fold(0, |most, number| most.max(pairs(number)))) {
                return;
            }
        }
    }
}
