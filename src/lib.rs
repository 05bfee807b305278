//! A data-oriented parallel crowd engine.

#[cfg(feature = "glam")]
pub use glam;

// Layers: a module uses only those above it.

// Data.
pub mod maths;
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
pub mod columns;
pub mod agents;
pub mod events;
mod order;
mod bounds;
mod index;
mod strays;
mod search;
pub mod scene;
// Rules of motion.
pub mod steering;
pub mod parameters;
pub mod behaviour;
pub mod target;
pub mod motion;
pub mod behaviours;
pub mod states;
pub mod species;
pub mod registry;
// The tick.
mod state;
mod derived;
mod asked;
pub mod snapshot;
mod tick;
pub mod profile;
pub mod world;
// Over the public API alone.
pub mod metrics;
pub mod any_world;
#[cfg(feature = "scenario")]
pub mod scenario;
// For measurements, which see what no host sees.
#[cfg(feature = "bench")]
pub mod bench_kernels;

pub use agents::Agents;
pub use any_world::AnyWorld;
pub use behaviour::{Addend, Behaviour, Forces, Me, NamedRule, Needs, Neighbour, Neighbours, Perception, Rows, Whom};
pub use columns::ColumnValue;
pub use error::Error;
pub use events::Event;
pub use flow_field::FlowField;
pub use ids::{AgentId, SpeciesId};
pub use kernels::simd::{InstructionSet, UnknownInstructionSet};
pub use maths::{Noise, Vector};
pub use motion::{Kinematic, Motion};
pub use profile::Profile;
pub use region::{Region, Shape};
pub use registry::Registry;
#[cfg(feature = "scenario")]
pub use scenario::Scenario;
pub use scene::Scene;
pub use scenery::{FieldId, Mark, MarkId, Obstacle, ObstacleId, RegionId, Scenery};
pub use settings::{Candidates, Edge, Execution, LIMIT, Settings};
pub use snapshot::SnapshotError;
pub use species::{Combine, Rule, Species, Spread};
pub use states::{Catch, Condition, Place, State, Transition, Variable};
pub use target::{Aim, Target};
pub use world::{Contribution, Explanation, SceneryMut, World};

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
