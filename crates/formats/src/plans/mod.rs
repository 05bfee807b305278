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
pub(crate) mod limits;
mod names;
pub(crate) mod options;
mod overlap;
pub(crate) mod plan;
pub(crate) mod read;
mod self_crossing;
mod svg;
pub(crate) mod tables;
pub(crate) mod union;
pub(crate) mod units;
pub(crate) mod wkt;
