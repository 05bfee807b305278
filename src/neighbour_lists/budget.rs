//! Budget: whether a tick would have to look at more pairs than the settings allow.
//!
//! The decision follows the arrangement of rows and depends on the state alone. The boxes of chunks give a lower and an
//! upper bound first; between these the boxes of clusters are counted, and then the candidates themselves. Counting
//! ends as soon as the answer is known.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::agents::parallel::FEW_CHUNKS;
use crate::tick::steer::Steering;

/// What is counted: the rows of chunks that lie near each other entirely, all rows of the chunks near a chunk, all rows
/// of the clusters near a cluster, or only the rows that are near themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    Certain,
    Chunks,
    Clusters,
    Rows,
}

/// Returns whether the species together have to look at more than `budget` pairs.
pub(crate) fn is_exceeded<const D: usize>(species: &[Steering<'_, D>], budget: u64) -> bool {
    let exceeds = |count| exceeds(species, budget, count);
    exceeds(Count::Certain) || [Count::Chunks, Count::Clusters, Count::Rows].into_iter().all(exceeds)
}

fn exceeds<const D: usize>(species: &[Steering<'_, D>], budget: u64, count: Count) -> bool {
    let counted = AtomicU64::new(0);
    // The sum only grows, so whether it exceeds the budget does not depend on the order of the additions.
    let add = |pairs: u64| counted.fetch_add(pairs, Relaxed) + pairs > budget;
    for steering in species {
        (0..steering.agents.chunks()).into_par_iter().with_min_len(FEW_CHUNKS).for_each(|chunk| {
            if counted.load(Relaxed) <= budget {
                steering.count_pairs(chunk, count, &add);
            }
        });
    }
    counted.load(Relaxed) > budget
}
