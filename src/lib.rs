//! A data-oriented parallel crowd engine: flocks and crowds of millions, with the same bits on every machine.
//!
//! A [`World`] holds [`Species`] of agents. Agents live in columns, are found through an R-tree over patches of them,
//! are steered by rules in parallel chunks and are moved by a vectorised pass. [`World::step`] advances the world by one
//! tick; between ticks the host reads slices, edits and asks.
//!
//! ```
//! use throng::behaviours::{Alignment, Cohesion, Separation};
//! use throng::{Noise, Settings, Species, Vector, World};
//!
//! // A periodic world of 200 by 200 metres, ten ticks per second.
//! let size = Vector([200.0, 200.0]);
//! let mut world = World::<2>::new(Settings { size, tick_seconds: 0.1, ..Settings::default() })?;
//! let starling = world.add_species(
//!     Species::new("starling")
//!         .with(0.5, Separation { radius: 2.5, ..Separation::default() })
//!         .with(1.0, Alignment::default())
//!         .with(0.2, Cohesion::default()),
//! )?;
//! for number in 0..100 {
//!     let mut noise = Noise::new(7, number, 0, Noise::USER);
//!     let position = Vector::from_fn(|axis| noise.between(0.0, size[axis]));
//!     world.spawn(starling, position, noise.direction() * 5.0)?;
//! }
//! for _ in 0..10 {
//!     world.step();
//! }
//! let [x, y] = world.agents(starling)?.positions();
//! assert_eq!((x.len(), y.len()), (100, 100));
//! # Ok::<(), throng::Error>(())
//! ```
//!
//! # Where to find things
//!
//! | | |
//! |---|---|
//! | [`World`], [`Settings`], [`Execution`] | a world: what it is, how it is run, what a host may do with it |
//! | [`AnyWorld`], [`with_world!`] | a world whose number of dimensions is learnt when the program runs |
//! | [`Species`], [`Rule`], [`Spread`], [`Combine`] | bodies, limits and rules of one kind of agents |
//! | [`behaviours`], [`target`] | the rules of motion, and what they are directed at |
//! | [`Behaviour`], [`Needs`], [`Me`], [`Perception`] | rules of a user's own, and what they see |
//! | [`Motion`], [`Kinematic`] | other ways of moving than Reynolds' vehicle |
//! | [`rule!`], [`parameters`], [`Registry`] | tables of parameters; rules by name, for files, programs and snapshots |
//! | [`states`] | states with rules of their own, variables, transitions, catching |
//! | [`Agents`], [`columns`], [`AgentId`] | the agents of a species as slices; typed columns; names for life |
//! | [`Scenery`], [`Region`], [`FlowField`] | obstacles, marks, regions and flow fields |
//! | [`Event`], [`Profile`], [`metrics`] | what happened in the last tick, what it cost, how ordered a crowd is |
//! | [`World::save`], [`World::load`], [`SnapshotError`] | snapshots |
//! | [`steering`], [`maths`] | formulas, elementary functions and random numbers, usable without a world |
//! | [`scenario`] | worlds from TOML files |
//!
//! # Contract
//!
//! - Neighbours are exactly those of a search over all pairs, unless a tick exceeds its budget of pairs
//!   ([`Settings::pair_budget`]).
//! - The same settings, edits and version give the same bits: on any number of threads, with any instruction set, in any
//!   build, on any platform. [`World::state_hash`] compares two worlds.
//! - A step cannot fail. Values are checked where they enter a world, and a refused edit changes nothing.
//! - Units are metres, seconds, kilograms and newtons; angles are in degrees.
//! - A step runs in the rayon pool of the thread that calls it. throng starts no threads of its own.
//!
//! # Features
//!
//! - `glam` (default): conversions of [`Vector`] from and to glam's vectors, and glam itself as `throng::glam`.
//! - `rand` (default): [`Noise`] as a generator of the rand crate.
//! - `mint`: conversions of [`Vector`] from and to mint's vectors and points.
//! - `scenario`: worlds from TOML scenario files, the module [`scenario`].
//! - `bench`: the kernels by themselves, for measurements. It is not part of semantic versioning.
//!
//! # Further
//!
//! In the repository: `README.md` has an overview, `docs/embedding.md` what a host does beyond the quick start,
//! `docs/behaviours.md` every rule with its parameters and its paper, `ARCHITECTURE.md` how the engine works and why,
//! and `examples/` whole programs.

#[cfg(feature = "glam")]
pub use glam;

// Layers: a module uses only those above it.

// Data.
pub mod maths;
pub mod ids;
mod values;
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
mod places;
mod search;
pub mod scene;
// Rules of motion.
pub mod steering;
pub mod parameters;
pub mod behaviour;
pub mod target;
mod aims;
pub mod motion;
pub mod behaviours;
pub mod states;
pub mod species;
pub mod registry;
// The state.
mod state;
pub mod snapshot;
// The tick.
mod asked;
pub mod profile;
mod tick;
// The world.
pub mod world;
// Over the public API alone.
pub mod metrics;
pub mod any_world;
#[cfg(feature = "scenario")]
pub mod scenario;
// For measurements.
#[cfg(feature = "bench")]
pub mod bench_kernels;

pub use agents::Agents;
pub use any_world::AnyWorld;
pub use behaviour::{Addend, Behaviour, Forces, Me, NamedRule, Needs, Neighbour, Neighbours, Perception, Rows, Whom};
pub use columns::ColumnValue;
pub use error::{BadValue, Error};
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

/// So are those of the guide for hosts.
#[cfg(doctest)]
#[doc = include_str!("../docs/embedding.md")]
struct Embedding;
