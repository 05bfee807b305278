//! Scenario files in TOML: reading, checking, and building of their worlds.
//!
//! A file is checked in full before anything is built. [`Scenario::load`] returns a valid scenario, or every problem of
//! the file with its line and column. [`keys`] lists the keys of a file.
//!
//! ```
//! use throng::Scenario;
//!
//! let scenario = Scenario::parse(
//!     r#"
//!     format = 1
//!     [world]
//!     dimensions = 2
//!     size = [200.0, 100.0]
//!     [species.starling]
//!     count = 100
//!     behaviours = [{ rule = "alignment", radius = 8.0 }]
//!     "#,
//!     "small.toml",
//! )?;
//! let mut world = scenario.build::<2>()?;
//! world.step();
//! assert_eq!(world.population(), 100);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bodies;
mod build;
mod build_on;
mod check;
mod definition;
mod document;
mod draw;
mod environment;
mod fields;
mod floor_plan;
mod gathering;
pub mod keys;
mod lattice;
mod load;
mod memory;
mod motions;
mod navigation;
mod output;
mod overrides;
mod people;
mod place;
mod places;
mod placing;
mod problem;
mod reach;
mod read_people;
mod reason;
mod recorded;
mod recording;
mod rules;
mod scaling;
mod start;
mod states;
mod sweep;
mod walls;
mod warnings;

pub use build::{BuildError, MOST_RULES, MOST_SPECIES};
pub use definition::Scenario;
pub use keys::{LARGEST_FILE, MOST_VALUES};
pub use output::{Colour, Output};
pub use people::ExpectedArrivals;
pub use problem::{Location, Problem, Problems, printable};
pub use reason::{Cause, Reason};
pub use sweep::{Sweep, SweepFault, SweepRun, Varied};
