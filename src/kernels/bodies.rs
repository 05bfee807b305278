//! Bodies: the agents of a cluster, and the agents of a species that they see.

use crate::kernels::Axes;
use crate::kernels::combine::QuantitySlice;

/// The agents of one cluster.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClusterBodies<'a, const D: usize> {
    pub(crate) position: Axes<'a, D>,
    pub(crate) velocity: Axes<'a, D>,
    pub(crate) radius: QuantitySlice<'a>,
    /// Whether a seam may lie between them and others.
    pub(crate) seam: bool,
    pub(crate) period: [f32; D],
}

/// The agents of one species.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bodies<'a, const D: usize> {
    pub(crate) position: Axes<'a, D>,
    pub(crate) velocity: Axes<'a, D>,
    pub(crate) radius: QuantitySlice<'a>,
}
