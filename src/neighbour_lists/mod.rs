//! Verlet neighbour lists: which agents a species perceives, the candidates of each cluster, and how long lists last.

mod across;
pub(crate) mod budget;
mod candidates;
pub(crate) mod candidate_limit;
pub(crate) mod list_lifetime;
pub(crate) mod lists;
pub(crate) mod mix_members;
pub(crate) mod mix_sums;
pub(crate) mod mix;
pub(crate) mod nearest;
pub(crate) mod neighbours;
pub(crate) mod patches;
pub(crate) mod pass;
pub(crate) mod plan;
pub(crate) mod search;
pub(crate) mod sums;
pub(crate) mod vision_table;
mod validate;
