//! The formulas of motion that both one agent and the lanes of the kernels compute, each written once.
//!
//! A formula is generic over [`Number`](crate::maths::number::Number). It loads and stores nothing and branches on no
//! lane: where agents differ, it computes both cases and chooses.

pub(crate) mod bodies;
pub(crate) mod cells;
pub(crate) mod edges;
pub(crate) mod flocks;
pub(crate) mod headway;
pub(crate) mod obstacles;
pub(crate) mod orca;
pub(crate) mod passing;
pub(crate) mod personal_space;
pub(crate) mod programme;
pub(crate) mod sums;
pub(crate) mod targets;
pub(crate) mod wander;
