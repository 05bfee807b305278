//! The spatial index: boxes of clusters and chunks, an R-tree over the boxes of chunks, and searches in them.

pub(crate) mod agent_index;
pub(crate) mod bounds;
pub(crate) mod places;
pub(crate) mod query_index;
pub(crate) mod search;
pub(crate) mod strays;
