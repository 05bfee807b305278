//! Floor plans from files, as plain data: walls and areas with their names, bounds and units.
//!
//! [`FloorPlan::load`] reads
//!
//! - WKT, as JuPedSim and PedPy write it: the outline and the holes of a polygon are walls around a walkable area, and
//!   lines are walls;
//! - SVG: strokes are walls, and filled shapes with an id and without a stroke are areas; transforms and curves become
//!   straight segments;
//! - TOML: walls as polylines, and named zones.
//!
//! The crate depends on no engine. Files of any content are read safely: size, number of points and nesting have limits,
//! and an error has its line and column.
//!
//! ```
//! use throng_formats::{FloorPlan, Format, ReadOptions};
//!
//! let text = "POLYGON ((0 0, 10 0, 10 6, 0 6, 0 0), (4 2, 5 2, 5 3, 4 3, 4 2))";
//! let plan = FloorPlan::parse(text, Format::Wkt, &ReadOptions::default())?;
//! assert_eq!(plan.walls.len(), 2);
//! let bounds = plan.bounds().unwrap();
//! assert_eq!((bounds.low, bounds.high), ([0.0, 0.0], [10.0, 6.0]));
//! # Ok::<(), throng_formats::PlanError>(())
//! ```

mod builder;
mod error;
mod flatten;
mod overlap;
mod plan;
mod read;
mod svg;
mod tables;
mod wkt;

pub use builder::{FARTHEST, MOST_POINTS};
pub use error::{Fault, Place, PlanError};
pub use plan::{Area, AreaKind, Bounds, FloorPlan, Path, Units, Warning};
pub use read::{Format, LARGEST_FILE, ReadOptions};
pub use tables::DEEPEST_TABLE;
pub use wkt::DEEPEST_COLLECTION;

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
