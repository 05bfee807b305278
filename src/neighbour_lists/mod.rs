//! Verlet neighbour lists: which agents a species perceives, the candidates of each cluster, and how long lists last.

pub(crate) mod budget;
pub(crate) mod candidates;
mod crowd;
pub(crate) mod keep;
pub(crate) mod members;
pub(crate) mod mix;
pub(crate) mod neighbours;
pub(crate) mod patches;
pub(crate) mod plan;
mod validate;
