//! Floor plans.

pub(crate) mod builder;
pub(crate) mod error;
#[cfg(feature = "dxf")]
mod dxf;
mod crs;
mod flatten;
mod geojson;
mod holes;
mod indoor;
mod names;
mod overlap;
pub(crate) mod plan;
pub(crate) mod read;
mod self_crossing;
mod svg;
pub(crate) mod tables;
pub(crate) mod union;
pub(crate) mod wkt;
