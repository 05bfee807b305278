//! Floor plans.

pub(crate) mod builder;
pub(crate) mod error;
mod flatten;
mod overlap;
pub(crate) mod plan;
pub(crate) mod read;
mod self_crossing;
mod svg;
pub(crate) mod tables;
mod union;
pub(crate) mod wkt;
