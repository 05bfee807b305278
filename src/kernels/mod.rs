//! Arithmetic on slices: no engine types, no threads.
//!
//! Every kernel is written once, with sixteen agents in lanes, and runs with the instruction set that was chosen when
//! the world was made. Each lane does the same IEEE 754 operations in the same order whatever the register's width, so
//! the bits do not depend on the instruction set: no fused multiply-add, no approximate reciprocal, no sum across
//! lanes of anything but whole numbers.

pub(crate) mod avoid_neighbours;
pub(crate) mod avoid_obstacles;
pub(crate) mod boxes;
pub(crate) mod closest;
mod coincident;
pub(crate) mod combine;
pub(crate) mod confine;
pub(crate) mod cull;
pub(crate) mod discs;
pub(crate) mod follow_flow_field;
pub(crate) mod group;
pub(crate) mod hide;
pub(crate) mod integrate;
pub(crate) mod nearest;
pub(crate) mod nearest_segment;
pub(crate) mod pairs;
pub(crate) mod prune;
pub(crate) mod simd;
pub(crate) mod steer_to_target;
mod table;
pub(crate) mod vision;
pub(crate) mod visibility;
pub(crate) mod wander;

/// Rows in a cluster, one per lane of the kernels.
pub(crate) const CLUSTER: usize = 16;

/// Rows in a chunk, the unit that one thread takes: sixteen clusters, so that one register tests a chunk's boxes.
pub(crate) const CHUNK: usize = 256;

/// Clusters in a chunk.
pub(crate) const CLUSTERS: usize = CHUNK / CLUSTER;

/// The most groups in a chunk: agents that share a list of candidates, whole clusters or halves of them
/// ([`group`]).
pub(crate) const GROUPS: usize = 2 * CLUSTERS;

/// One column of `D` per axis.
pub(crate) type Axes<'a, const D: usize> = [&'a [f32]; D];

/// `D` columns, one per axis, to be written.
pub(crate) type AxesMut<'a, const D: usize> = [&'a mut [f32]; D];

/// Returns `rows` of each column.
#[inline]
pub(crate) fn rows<const D: usize>(columns: &[Vec<f32>; D], rows: std::ops::Range<usize>) -> Axes<'_, D> {
    std::array::from_fn(|axis| &columns[axis][rows.clone()])
}
