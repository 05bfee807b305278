//! A data-oriented parallel crowd engine.

pub use glam;

// Layers: a module uses only those above it.

// Data.
pub mod error;
pub mod ids;
pub mod noise;
pub mod trig;
pub mod vector;
// Arithmetic on slices.
pub mod agents;
pub mod events;
pub mod flow_field;
mod index;
mod kernels;
mod parallel;
pub mod scenery;
mod search;
pub mod settings;
// Rules of motion.
pub mod behaviour;
pub mod behaviours;
pub mod parameters;
pub mod scene;
pub mod species;
pub mod steering;
pub mod target;
// The tick.
pub mod profile;
mod tick;
pub mod world;
// Over the public API alone.
mod ask;
pub mod metrics;
#[cfg(feature = "scenario")]
pub mod scenario;

pub use agents::Agents;
pub use behaviour::{Addend, Behaviour, Forces, Me, Neighbour, Perception, Reads, Rows, Whom};
pub use error::Error;
pub use events::Event;
pub use flow_field::FlowField;
pub use ids::{AgentId, SpeciesId};
pub use kernels::simd::{InstructionSet, UnknownInstructionSet};
pub use noise::Noise;
pub use profile::Profile;
#[cfg(feature = "scenario")]
pub use scenario::Scenario;
pub use scene::Scene;
pub use scenery::{Mark, Obstacle, Scenery};
pub use settings::{Edge, LIMIT, Settings};
pub use species::{Combine, Rule, Species, Spread};
pub use target::{Aim, Target};
pub use vector::Vector;
pub use world::World;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
