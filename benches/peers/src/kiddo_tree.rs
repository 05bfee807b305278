//! The rules of `rstar_per_agent` with kiddo's k-d tree.

use kiddo::{ImmutableKdTree, SquaredEuclidean};
use throng_bench::flock::RADIUS;
use throng_bench::{Flock, PerAgentTree, PointIndex};

pub(crate) const NOTES: &str = "kiddo 6.3.0 with its feature simd, ImmutableKdTree built in every tick, one unsorted query per agent and image; rules as rstar_per_agent";

/// A k-d tree of points, and the points themselves, which the tree does not expose.
pub(crate) struct Tree<const D: usize>(ImmutableKdTree<f32, D>, Vec<[f32; D]>);

impl<const D: usize> PointIndex<D> for Tree<D> {
    fn new(points: Vec<[f32; D]>) -> Self {
        let tree = ImmutableKdTree::new_from_slice(&points).expect("coordinates are finite");
        Self(tree, points)
    }

    fn within(&self, from: [f32; D], mut show: impl FnMut(usize, [f32; D])) {
        let found = self.0.query(&from).within::<SquaredEuclidean<f32>>(RADIUS * RADIUS).unsorted().execute();
        for near in found {
            let number = near.item as usize;
            show(number, self.1[number]);
        }
    }
}

/// The flock, before its first tick.
pub(crate) fn new<const D: usize>(flock: &Flock<D>) -> PerAgentTree<D, Tree<D>> {
    PerAgentTree::new(flock)
}
