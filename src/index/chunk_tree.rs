//! The R-tree over the boxes of chunks.
//!
//! Consecutive chunks are near each other. Each group of them has a tree of its own, and one tree holds the groups: the
//! trees of groups are built side by side, and only the tree of the groups is built by one thread.

use std::ops::ControlFlow;

use rstar::{AABB, RStarInsertionStrategy, RTree, RTreeObject, RTreeParams};

use crate::agents::parallel::{ChunkedColumn, for_each_chunk};
use crate::transport::numbers::Wire;

/// The number of consecutive chunks in a group.
const GROUP: usize = 64;

/// A chunk in the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf<const D: usize> {
    pub(crate) envelope: AABB<[f32; D]>,
    pub(crate) chunk: u32,
}

impl<const D: usize> Leaf<D> {
    /// Whether the chunk has a box. One that consists of strays has none.
    pub(crate) fn has_box(&self) -> bool {
        self.envelope.lower()[0] <= self.envelope.upper()[0]
    }
}

impl<const D: usize> RTreeObject for Leaf<D> {
    type Envelope = AABB<[f32; D]>;

    #[inline(always)]
    fn envelope(&self) -> Self::Envelope {
        self.envelope
    }
}

impl<const D: usize> Wire for Leaf<D> {
    const BYTES: usize = (2 * D + 1) * f32::BYTES;

    fn put(self, to: &mut [u8]) {
        let corners = self.envelope.lower().into_iter().chain(self.envelope.upper());
        let (of_corners, of_chunk) = to.split_at_mut(2 * D * f32::BYTES);
        corners.zip(of_corners.chunks_exact_mut(f32::BYTES)).for_each(|(number, bytes)| number.put(bytes));
        self.chunk.put(of_chunk);
    }

    fn get(mut from: &[u8]) -> Self {
        let [lower, upper] = [(); 2].map(|()| std::array::from_fn(|_| f32::read(&mut from)));
        Self { envelope: AABB::from_corners(lower, upper), chunk: u32::get(from) }
    }
}

/// The node sizes of the trees.
#[derive(Clone, Copy, Debug)]
struct Nodes;

impl RTreeParams for Nodes {
    const MIN_SIZE: usize = 3;
    const MAX_SIZE: usize = 8;
    const REINSERTION_COUNT: usize = 1;
    type DefaultInsertionStrategy = RStarInsertionStrategy;
}

/// The chunks of a group.
#[derive(Clone, Debug)]
struct Group<const D: usize>(RTree<Leaf<D>, Nodes>);

impl<const D: usize> Group<D> {
    /// The group of these chunks; `None` if none of them has a box.
    fn of(leaves: &[Leaf<D>]) -> Option<Self> {
        let boxed: Vec<_> = leaves.iter().copied().filter(Leaf::has_box).collect();
        (!boxed.is_empty()).then(|| Self(RTree::bulk_load_with_params(boxed)))
    }
}

impl<const D: usize> RTreeObject for Group<D> {
    type Envelope = AABB<[f32; D]>;

    fn envelope(&self) -> Self::Envelope {
        self.0.root().envelope()
    }
}

/// A tree over the boxes of chunks.
#[derive(Clone, Debug)]
pub(crate) struct ChunkTree<const D: usize>(RTree<Group<D>, Nodes>);

impl<const D: usize> Default for ChunkTree<D> {
    fn default() -> Self {
        Self(RTree::new_with_params())
    }
}

impl<const D: usize> ChunkTree<D> {
    /// Builds the tree over all boxes.
    pub(crate) fn of(leaves: &[Leaf<D>]) -> Self {
        let mut groups = vec![None; leaves.len().div_ceil(GROUP)];
        for_each_chunk(groups.len(), 1, ChunkedColumn(&mut groups, 1), &|number, group| {
            group.0[0] = Group::of(&leaves[number * GROUP..((number + 1) * GROUP).clamp(0, leaves.len())]);
        });
        Self(RTree::bulk_load_with_params(groups.into_iter().flatten().collect()))
    }

    /// The box around all boxes; `None` if there is none.
    pub(crate) fn envelope(&self) -> Option<AABB<[f32; D]>> {
        (self.0.size() > 0).then(|| self.0.root().envelope())
    }

    /// Calls `visit` with each chunk whose box meets this one, in any order.
    pub(crate) fn visit(&self, envelope: AABB<[f32; D]>, visit: &mut impl FnMut(u32)) {
        let _: ControlFlow<()> = self.0.locate_in_envelope_intersecting_int(envelope, |group| {
            group.0.locate_in_envelope_intersecting_int(envelope, |leaf| {
                visit(leaf.chunk);
                ControlFlow::Continue(())
            })
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Noise;

    /// Boxes along a line, some of them without members, and queries of all sizes against every box.
    #[test]
    fn a_query_finds_the_boxes_that_it_meets() {
        let mut noise = Noise::new(5, 0, 0, 0);
        for count in [0, 1, GROUP - 1, GROUP, GROUP + 1, 5 * GROUP + 7] {
            let leaf = |chunk: usize| {
                let low = [chunk as f32 + noise.between(0.0, 3.0), noise.between(0.0, 9.0)];
                let high = low.map(|low| low + noise.between(0.0, 4.0));
                let envelope = if chunk % 9 == 4 || (GROUP..2 * GROUP).contains(&chunk) && chunk.is_multiple_of(2) {
                    AABB::from_corners([f32::NAN; 2], [f32::NAN; 2])
                } else {
                    AABB::from_corners(low, high)
                };
                Leaf { envelope, chunk: chunk as u32 }
            };
            let leaves: Vec<Leaf<2>> = (0..count).map(leaf).collect();
            let tree = ChunkTree::of(&leaves);
            assert_eq!(tree.envelope().is_some(), leaves.iter().any(Leaf::has_box));
            for _ in 0..50 {
                let low = [noise.between(-5.0, count as f32), noise.between(-5.0, 12.0)];
                let high = low.map(|low| low + noise.between(0.0, 0.3 * count as f32));
                let mut found = Vec::new();
                tree.visit(AABB::from_corners(low, high), &mut |chunk| found.push(chunk));
                found.sort_unstable();
                let meets = |leaf: &&Leaf<2>| {
                    let (lower, upper) = (leaf.envelope.lower(), leaf.envelope.upper());
                    leaf.has_box() && (0..2).all(|axis| lower[axis] <= high[axis] && upper[axis] >= low[axis])
                };
                let expected: Vec<u32> = leaves.iter().filter(meets).map(|leaf| leaf.chunk).collect();
                assert_eq!(found, expected, "of {count}");
            }
        }
    }
}
