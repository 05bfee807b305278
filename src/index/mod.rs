//! The spatial index: boxes of clusters and chunks, an R-tree over the boxes of chunks, and searches in them.

pub(crate) mod agent_index;
pub(crate) mod chunk_tree;
pub(crate) mod groups;
pub(crate) mod images;
pub(crate) mod joint_index;
pub(crate) mod ordered_copy;
pub(crate) mod query_index;
pub(crate) mod search;
pub(crate) mod species_index;
