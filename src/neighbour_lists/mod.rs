//! Verlet neighbour lists: which agents a species perceives, the candidates of each cluster, and how long lists last.

pub(crate) mod budget;
pub(crate) mod candidates;
mod candidate_limit;
pub(crate) mod list_lifetime;
pub(crate) mod mix_members;
pub(crate) mod mix;
pub(crate) mod neighbours;
pub(crate) mod patches;
pub(crate) mod plan;
mod validate;
