#![doc = include_str!("../README.md")]

mod bodies;
mod build;
mod build_on;
mod check;
mod definition;
mod document;
mod draw;
mod environment;
mod fields;
mod finer;
#[cfg(feature = "fit")]
pub mod fit;
mod floor_plan;
mod gathering;
mod items;
pub mod keys;
mod kinds;
mod lattice;
mod lifts;
mod load;
mod memory;
mod mesh;
mod motions;
mod navigation;
mod output;
mod overrides;
mod path_fault;
mod people;
mod place;
mod places;
mod placing;
mod problem;
mod reach;
mod read_ground;
mod read_lifts;
mod read_people;
mod read_stairs;
mod read_storeys;
mod read_tracks;
mod reason;
mod recorded;
#[cfg(feature = "trajectories")]
mod recorded_rows;
#[cfg(feature = "trajectories")]
mod recorded_tracks;
mod recording;
mod ribbon;
mod room;
mod rules;
mod scaling;
mod stair;
mod start;
mod start_columns;
mod states;
mod storeys;
mod substances;
mod sweep;
mod tracks;
#[cfg(feature = "trajectories")]
pub mod trajectories;
mod unfold;
mod walls;
mod warnings;
mod wide;

pub use build::{BuildError, MOST_RULES, MOST_SPECIES};
pub use definition::Scenario;
#[cfg(feature = "floor_plans")]
pub use floor_plan::{NamedArea, add_floor_plan};
pub use keys::{LARGEST_FILE, MOST_VALUES};
pub use output::{Colour, Output};
pub use people::ExpectedArrivals;
pub use problem::{Location, Problem, Problems, is_printable, printable, shown};
pub use reason::{Cause, Reason};
pub use storeys::{PlaceInBuilding, Storeys};
pub use sweep::{Sweep, SweepFault, SweepRun, Varied};
