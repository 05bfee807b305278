//! Budget: whether a tick would have to look at more pairs than the settings allow.
//!
//! It is decided when rows have been arranged, from the state alone: first by the boxes of clusters, which counts too
//! many, and only where that is too much by the candidates themselves. Counting ends as soon as the answer is known.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::parallel::FEW_CHUNKS;
use crate::tick::steer::Steering;

/// Whether the species together have to look at more than `budget` pairs.
pub(crate) fn is_exceeded<const D: usize>(species: &[Steering<'_, D>], budget: u64) -> bool {
    exceeds(species, budget, false) && exceeds(species, budget, true)
}

fn exceeds<const D: usize>(species: &[Steering<'_, D>], budget: u64, exact: bool) -> bool {
    let counted = AtomicU64::new(0);
    // The sum only grows: whether it comes to be too large does not depend on who adds what when.
    let add = |pairs: u64| counted.fetch_add(pairs, Relaxed) + pairs > budget;
    for steering in species {
        (0..steering.agents.chunks()).into_par_iter().with_min_len(FEW_CHUNKS).for_each(|chunk| {
            if counted.load(Relaxed) <= budget {
                steering.count_pairs(chunk, exact, &add);
            }
        });
    }
    counted.load(Relaxed) > budget
}
