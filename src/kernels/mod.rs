//! Arithmetic on slices, without engine types and threads.
//!
//! Every kernel is written once, with the agents of a cluster in 16 lanes. It runs with the instruction set that was
//! chosen for the world. Each lane executes the same IEEE 754 operations in the same order for every register width, so
//! the bits do not depend on the instruction set. There is no fused multiply-add, no approximate reciprocal, and no sum
//! across lanes except of integers.

pub(crate) mod avoid_neighbours;
pub(crate) mod avoid_obstacles;
pub(crate) mod bodies;
pub(crate) mod boxes;
pub(crate) mod closest;
mod coincident;
pub(crate) mod combine;
pub(crate) mod confine;
pub(crate) mod cull;
pub(crate) mod discs;
pub(crate) mod expression;
pub(crate) mod flocks;
pub(crate) mod follow_flow_field;
pub(crate) mod group;
pub(crate) mod hide;
pub(crate) mod hulls;
pub(crate) mod integrate;
pub(crate) mod lean;
pub(crate) mod met;
pub(crate) mod nearest;
pub(crate) mod nearest_agents;
pub(crate) mod nearest_segment;
pub(crate) mod nearest_walk;
pub(crate) mod orca;
pub(crate) mod pairs;
pub(crate) mod places;
pub(crate) mod prune;
pub(crate) mod segments;
pub(crate) mod simd;
pub(crate) mod steer_to_target;
mod table;
pub(crate) mod vicsek;
pub(crate) mod vision;
pub(crate) mod visibility;
pub(crate) mod walkers;
pub(crate) mod wander;
pub(crate) mod within;

/// The number of rows in a cluster, one per lane of the kernels.
pub(crate) const CLUSTER: usize = 16;

/// The number of rows in a chunk, the unit of a thread's work: 16 clusters, so that one register tests the boxes of a
/// chunk.
pub(crate) const CHUNK: usize = 256;

/// The number of clusters in a chunk.
pub(crate) const CLUSTERS: usize = CHUNK / CLUSTER;

/// The largest number of groups in a chunk: whole or half clusters that share a neighbour list ([`group`]).
pub(crate) const GROUPS: usize = 2 * CLUSTERS;

/// `D` columns, one per axis.
pub(crate) type Axes<'a, const D: usize> = [&'a [f32]; D];

/// `D` mutable columns, one per axis.
pub(crate) type AxesMut<'a, const D: usize> = [&'a mut [f32]; D];

/// Returns `rows` of each column.
#[inline]
pub(crate) fn rows<const D: usize>(columns: &[Vec<f32>; D], rows: std::ops::Range<usize>) -> Axes<'_, D> {
    std::array::from_fn(|axis| &columns[axis][rows.clone()])
}
