//! Floor plans and trajectories in the formats of other programs, as plain data.
//!
//! The crate depends on no engine. Files of any content are read safely: sizes, numbers of points and nesting have
//! limits, and an error has its place.
//!
//! # Floor plans
//!
//! The feature `plans`, on by default. [`FloorPlan::load`] reads
//!
//! - WKT, as JuPedSim and PedPy write it: the outline and the holes of a polygon are walls around a walkable area, and
//!   lines are walls;
//! - GeoJSON: as WKT, with names, floors, rooms and doors; degrees, Web Mercator and feet become metres;
//! - SVG: strokes are walls, and filled shapes with a name and without a stroke are areas; transforms and curves become
//!   straight segments;
//! - DXF (feature `dxf`): lines, polylines, arcs and blocks of wall layers are walls, and closed shapes of other layers
//!   are areas;
//! - TOML: walls as polylines, and named zones.
//!
//! ```
//! # #[cfg(feature = "plans")] {
//! use throng_formats::{FloorPlan, Format, ReadOptions};
//!
//! let text = "POLYGON ((0 0, 10 0, 10 6, 0 6, 0 0), (4 2, 5 2, 5 3, 4 3, 4 2))";
//! let plan = FloorPlan::parse(text, Format::Wkt, &ReadOptions::default())?;
//! assert_eq!(plan.walls.len(), 2);
//! let bounds = plan.bounds().unwrap();
//! assert_eq!((bounds.low, bounds.high), ([0.0, 0.0], [10.0, 6.0]));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Trajectories
//!
//! [`trajectory`] writes and reads the positions of agents over time: Parquet (feature `parquet`), JuPedSim's SQLite
//! (feature `sqlite`), the text of the pedestrian data archive, VTK, USD, PLY and CSV. [`table`] writes tables of numbers and
//! texts as Parquet. A build without one of these features says so where a file of the format is named.

#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "plans")]
mod plans;
pub mod table;
mod text_table;
pub mod trajectory;

/// The message where a format was left out of the build.
const NO_PARQUET: &str =
    "Parquet is left out of this build; the feature `formats` of throng-cli, or `parquet` of throng-formats, adds it";
const NO_SQLITE: &str =
    "SQLite is left out of this build; the feature `formats` of throng-cli, or `sqlite` of throng-formats, adds it";

#[cfg(all(feature = "plans", not(feature = "dxf")))]
const NO_DXF: &str =
    "DXF is left out of this build; the feature `formats` of throng-cli, or `dxf` of throng-formats, adds it";

#[cfg(feature = "plans")]
pub use plans::error::{Fault, Place, PlanError};
#[cfg(feature = "plans")]
pub use plans::limits::{FARTHEST, LARGEST_FILE, MOST_POINTS};
#[cfg(feature = "plans")]
pub use plans::options::ReadOptions;
#[cfg(feature = "plans")]
pub use plans::plan::{Anchor, Area, AreaKind, Bounds, Cuts, FloorPlan, Path, Warning};
#[cfg(feature = "plans")]
pub use plans::read::Format;
#[cfg(feature = "plans")]
pub use plans::tables::DEEPEST_TABLE;
#[cfg(feature = "plans")]
pub use plans::units::Units;
#[cfg(feature = "plans")]
pub use plans::wkt::DEEPEST_COLLECTION;

/// Tests the example of the README.
#[cfg(all(doctest, feature = "plans"))]
#[doc = include_str!("../README.md")]
struct Readme;
