//! Floor plans.

pub(crate) mod builder;
pub(crate) mod error;
mod flatten;
mod overlap;
pub(crate) mod plan;
pub(crate) mod read;
mod svg;
pub(crate) mod tables;
pub(crate) mod wkt;
