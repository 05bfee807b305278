//! The mix: one common space order for species that perceive each other, in addition to the row order of each.
//!
//! Agents of a sparse species are far apart, so clusters of only that species would be large. The mix forms clusters
//! across its species, and these are as small as the clusters of a single dense species. Each mixed agent has a
//! **place**, stored in a column of its species; the places number the agents of the mix from zero. An agent has a
//! place in the mix as it has a row in its species: it goes stray, and the order stale, by the same rules.

use crate::agents::row_order::RowOrder;

/// The common order of the agents of mixed species: which species are mixed, and how stale the order is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mix {
    /// The staleness of the order, and its strays.
    pub(crate) order: RowOrder,
    /// The largest radius of the shared perceptions, in metres.
    pub(crate) radius: f32,
    /// Whether the mixed species have been chosen since the last change of a definition.
    pub(crate) chosen: bool,
}
