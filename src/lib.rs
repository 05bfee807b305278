//! A data-oriented parallel crowd engine.

pub use glam;

// Layers: a module uses only those above it.

// Data.
pub mod vector;
pub mod trig;
pub mod noise;
pub mod ids;
pub mod error;
// Arithmetic on slices.
mod kernels;
mod parallel;
// The world's contents.
pub mod settings;
pub mod region;
pub mod flow_field;
pub mod scenery;
mod index;
pub mod agents;
pub mod events;
mod search;
pub mod scene;
// Rules of motion.
pub mod steering;
pub mod parameters;
pub mod behaviour;
pub mod target;
pub mod behaviours;
pub mod states;
pub mod species;
// The tick.
mod tick;
pub mod profile;
pub mod world;
// Over the public API alone.
pub mod metrics;
#[cfg(feature = "scenario")]
pub mod scenario;
// For measurements, which see what no host sees.
#[cfg(feature = "bench")]
pub mod bench_kernels;

pub use agents::Agents;
pub use behaviour::{Addend, Behaviour, Forces, Me, Neighbour, Perception, Reads, Rows, Whom};
pub use error::Error;
pub use events::Event;
pub use flow_field::FlowField;
pub use ids::{AgentId, SpeciesId};
pub use kernels::simd::{InstructionSet, UnknownInstructionSet};
pub use noise::Noise;
pub use profile::Profile;
pub use region::{Region, Shape};
#[cfg(feature = "scenario")]
pub use scenario::Scenario;
pub use scene::Scene;
pub use scenery::{FieldId, Mark, MarkId, Obstacle, ObstacleId, RegionId, Scenery};
pub use settings::{Candidates, Edge, LIMIT, Settings};
pub use species::{Combine, Rule, Species, Spread};
pub use states::{Catch, Condition, State, Transition, Variable};
pub use target::{Aim, Target};
pub use vector::Vector;
pub use world::{Contribution, Explanation, World};

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
