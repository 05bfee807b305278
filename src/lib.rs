//! A deterministic, multithreaded crowd engine: flocks of millions and tens of thousands of pedestrians, with the same
//! result bit for bit on every platform compared and for any number of threads.
//!
//! A [`World`] holds [`Species`] of agents. Rules say how an agent moves, from what it perceives of its neighbours.
//! [`World::step`] advances the world by one tick; between ticks a program reads agents as slices, edits and queries.
//!
//! ```toml
//! [dependencies]
//! throng = { path = "../throng" }       # your copy of the repository
//!
//! [profile.dev.package.throng]          # debug builds are 2000 times slower without this
//! opt-level = 3
//! debug-assertions = false
//! ```
//!
//! ```
//! use throng::prelude::*;
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
//! # Worlds
//!
//! A world has two or three dimensions: `World<2>` and `World<3>` have one interface, and [`AnyWorld`] is for
//! programs that choose the number at run time. [`Settings`] hold the size, the [`Edge`] of each axis, the length
//! of a tick and the seed. The world extends from zero to its size. An axis with [`Edge::Wrap`] is periodic, and agents
//! perceive each other across its seam.
//!
//! Units are metres, seconds, kilograms and newtons; angles are in degrees. Points and vectors enter as [`Vector`],
//! as arrays, or as the vectors of glam and mint with the features of these names.
//!
//! ```
//! use throng::{Edge, Settings, World};
//!
//! let settings = Settings { size: [300.0, 200.0, 50.0].into(), edge: [Edge::Bounce; 3], ..Settings::default() };
//! let mut world = World::<3>::new(settings)?;
//! world.step();
//! assert_eq!(world.tick(), 1);
//!
//! // Values are checked where they enter a world; the error has the value and the allowed range.
//! let error = World::<2>::new(Settings { tick_seconds: 0.0, ..Settings::default() }).unwrap_err();
//! println!("{error}");
//! # Ok::<(), throng::Error>(())
//! ```
//!
//! # Species
//!
//! A species is the definition of one kind of agents: the body, its limits, and the rules that steer it. Each species
//! has its own columns. Quantities of the body are equal for all agents or drawn for each ([`Distribution`]). An
//! [`AgentId`] identifies an agent for life, a row only until the next step.
//!
//! A species may have [`states`] with rules of their own, variables such as stamina, and transitions between them. Its
//! agents may [catch](states::Catch) others.
//!
//! # Rules
//!
//! A rule returns a force for each agent. The built-in rules are in [`behaviours`]. Forces are multiplied by their
//! weights and combined as [`Combine`] specifies. A host's own rule is a type with one method. The rule declares its
//! [`Inputs`], and the engine forms the sums of all rules in one pass over the neighbours:
//!
//! ```
//! use throng::{AgentRef, Behaviour, Inputs, NeighbourSum, Perception, Settings, Species, SpeciesFilter, Vector, World};
//!
//! /// Keeps the speed of its neighbours, whatever their heading.
//! #[derive(Clone, Debug)]
//! struct KeepPace;
//!
//! impl<const D: usize> Behaviour<D> for KeepPace {
//!     fn inputs(&self) -> Inputs {
//!         Inputs::default().sum(NeighbourSum::Velocity, Perception::within(10.0, &SpeciesFilter::Own))
//!     }
//!
//!     fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
//!         match me.count(0) {
//!             0 => Vector::ZERO,
//!             count => me.towards(me.velocity().direction() * (me.sum(0) / count as f32).length()),
//!         }
//!     }
//! }
//!
//! let mut world = World::<2>::new(Settings { tick_seconds: 0.1, ..Settings::default() })?;
//! let horse = world.add_species(Species::new("horse").with(1.0, KeepPace))?;
//! let slow = world.spawn(horse, [50.0, 50.0], [2.0, 0.0])?;
//! world.spawn(horse, [50.0, 55.0], [6.0, 0.0])?;
//! (0..20).for_each(|_| world.step());
//! assert!(world.velocity(slow)?.length() > 3.0);
//! # Ok::<(), throng::Error>(())
//! ```
//!
//! Rules need no registration. With a table of parameters ([`rule!`]), a host sets a rule's parameters by path
//! ([`World::set_parameter`]), and snapshots store the rule. A [`Registry`] makes it known by name to scenario files and
//! programs.
//!
//! # Motions
//!
//! By default an agent moves as Reynolds' vehicle: the force is truncated, divided by the mass and added to the
//! velocity, which is truncated in turn. [`Kinematic`] agents take on the desired velocity at once, and a [`Motion`] defines any other
//! movement. Agents of a species with `moved_by_host` are steered by throng and moved by the host, for example by a
//! physics engine.
//!
//! # The tick
//!
//! All agents move at once: a rule sees all agents as they were at the start of the tick. A step runs in the rayon pool
//! of the thread that calls it; throng starts no threads of its own. A step cannot fail. [`World::profile`] has the
//! milliseconds of each stage of the last tick.
//!
//! Neighbours are exactly the same as in a search over all pairs, unless a tick exceeds its budget of pairs
//! ([`Settings::pair_budget`]).
//!
//! # Hosts
//!
//! Between ticks the host owns the world. It reads [`Agents`] as slices, spawns and removes agents, edits species and
//! rules, adds its own [columns](World::add_column), queries the agents near a point, and reads the [`Event`]s of the
//! last tick. An edit takes effect at once, and a refused one changes nothing.
//!
//! ```
//! use throng::behaviours::{Seek, Separation};
//! use throng::{Settings, Species, World};
//!
//! let mut world = World::<2>::new(Settings::default())?;
//! let ant = world.add_species(
//!     Species::new("ant").with(1.0, Seek { target: [80.0, 80.0].into() }).with(1.0, Separation::default()),
//! )?;
//! let ids = world.spawn_many(ant, &[[10.0, 10.0], [12.0, 10.0], [60.0, 60.0]], &[[0.0, 0.0]; 3])?;
//! world.set_parameter(ant, "separation.radius", 2.0)?;
//! world.add_column(ant, "load", 0.0f32)?;
//! world.step();
//!
//! let mut near = Vec::new();
//! world.query().within([11.0, 10.0], 5.0, &mut near)?;
//! for ant in &near {
//!     world.set_column_value(ant.id, "load", 1.5f32)?;
//! }
//! world.despawn(ids[2])?;
//! assert_eq!(world.agents(ant)?.column::<f32>("load")?, [1.5, 1.5]);
//! # Ok::<(), throng::Error>(())
//! ```
//!
//! # Determinism
//!
//! The same settings, edits and version give the same bits: on any number of threads, with any instruction set, in
//! debug and release builds. Every commit compares them on x86-64 Linux, and under emulators on 64-bit ARM and
//! WebAssembly. Worlds with equal states have equal hashes ([`World::state_hash`]).
//! [`World::save`] writes the state, and a loaded world continues with the same bits.
//!
//! ```
//! use throng::behaviours::Wander;
//! use throng::{Settings, Species, World};
//!
//! let mut world = World::<2>::new(Settings { seed: 3, ..Settings::default() })?;
//! let beetle = world.add_species(Species::new("beetle").with(1.0, Wander::default()))?;
//! world.spawn(beetle, [50.0, 50.0], [1.0, 0.0])?;
//! let mut file = Vec::new();
//! world.save(&mut file)?;
//! let mut again = World::<2>::load(&file[..])?;
//! for world in [&mut world, &mut again] {
//!     (0..100).for_each(|_| world.step());
//! }
//! assert_eq!(again.state_hash(), world.state_hash());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A host's own rule or motion preserves this if it depends only on its arguments, draws its random numbers from
//! [`AgentRef::noise`], and uses the elementary functions of [`maths`].
//!
//! # Where to find things
//!
//! | | |
//! |---|---|
//! | [`prelude`] | the names for most programs, with `use throng::prelude::*` |
//! | [`World`], [`Settings`], [`Execution`] | a world, its settings, and how it runs |
//! | [`AnyWorld`], [`with_world!`] | a world whose number of dimensions is chosen at run time |
//! | [`Species`], [`Rule`], [`Distribution`], [`PersonKind`], [`Combine`] | bodies, limits and rules of one kind of agents |
//! | [`behaviours`], [`target`] | the rules of motion, and their targets |
//! | [`Behaviour`], [`Inputs`], [`AgentRef`], [`WorldView`] | your own rules, and their view of the world |
//! | [`motions`], [`Motion`] | models of the literature, and your own motions in place of Reynolds' vehicle |
//! | [`rule!`], [`parameters`], [`Registry`] | tables of parameters; rules by name, for files, programs and snapshots |
//! | [`states`] | states with rules of their own, variables, transitions, catching |
//! | [`Seen`], [`Came`] | how agents came to where they are: they moved, or they were set |
//! | [`Agents`], [`columns`], [`AgentId`] | the agents of a species as slices; typed columns; ids that last for life |
//! | [`Environment`], [`Wall`], [`Region`], [`FlowField`] | obstacles, walls, marks, regions and flow fields |
//! | [`WallAudit`] | a count of the agents that crossed walls, by brute force |
//! | [`Substance`] | fields that agents write and sense, such as pheromones |
//! | [`Source`], [`Sink`], [`Zone`] | regions in which agents come, go, and move slower or faster |
//! | [`Lift`] | cars that carry agents between the landings of a building |
//! | [`Link`] | jumps, ladders and doors that take time |
//! | [`Tracks`], [`Track`] | recorded paths that agents follow |
//! | [`Event`], [`Profile`] | the events and the cost of the last tick |
//! | [`strand`] | work and span: how much more threads can speed up a tick |
//! | [`Warning`], [`Faults`] | values that are probably not meant, and faults in ticks |
//! | [`measures`] | measures of flocks and crowds |
//! | [`ranks`] | one world on several processes |
//! | [`World::save`], [`World::load`], [`SnapshotError`] | snapshots |
//! | [`World::record`], [`Recording`], [`Replay`] | a run's edits in a file, replayed to the same hash |
//! | [`steering`], [`maths`] | formulas, elementary functions and random numbers, for use without a world |
//! | [`Query`] | agents and walls near a point, filters, and lines of sight |
//! | [`Pairs`] | the neighbours of every agent of a species |
//! | [`FreeSpace`], [`AgentStart`] | where bodies have room, and how agents start |
//!
//! # Features
//!
//! - `glam` (default): conversions between [`Vector`] and glam's vectors, and glam itself as `throng::glam`.
//! - `rand` (default): [`Noise`] as a generator of the rand crate.
//! - `mint`: conversions between [`Vector`] and mint's vectors and points.
//! - `serde`: settings, species, environments and events in the formats of serde, for your own files and messages.
//! - `bench`: the kernels by themselves, for measurements. It is not part of semantic versioning.
//!
//! # Further
//!
//! The crate `throng-scenario` builds worlds from TOML scenario files, `throng-draw` draws them, and `throng-formats`
//! reads and writes floor plans and trajectories.
//!
//! The repository has a book (`docs/SUMMARY.md`): the words and ideas (`docs/concepts.md`), a tutorial, the guide for
//! programs that embed worlds (`docs/embedding.md`), recipes (`docs/cookbook.md`), every rule with its paper, models of
//! people, and the guarantees. Whole programs are in `examples/`; `examples/hello.rs` is a flock in thirty lines.
//! `ARCHITECTURE.md` has the design of the engine.

#[cfg(feature = "glam")]
pub use glam;

// Layers: a module uses only those above it.

// Foundations.
pub mod maths;
mod formulas;
mod kernels;
mod base;
mod transport;
// The contents of a world.
mod agents;
mod boxes;
mod environment;
mod index;
// Rules of motion.
mod rules;
pub mod species;
// The state and its tick.
mod state;
mod neighbour_lists;
mod derived;
pub mod ranks;
mod tick;
// The world.
mod world;
pub mod prelude;
// Measures.
pub mod measures;
// For measurements.
#[cfg(feature = "bench")]
pub mod bench_kernels;

pub use agents::columns::{self, ColumnValue};
pub use agents::events::{Event, Removal};
pub use agents::seen::{Came, Seen};
pub use agents::strand;
pub use agents::{Agent, Agents};
pub use base::error::{BadValue, Error};
pub use base::ids::{AgentId, SpeciesId};
pub use base::panicked::Panicked;
pub use base::settings::{self, Edge, Execution, LIMIT, NeighbourLists, Seam, Settings};
pub use base::threads::{check_default_threads, check_threads, most_threads};
pub use base::warning::{Warning, WarningKind};
pub use environment::flow_field::FlowField;
pub use environment::region::{Region, Shape};
pub use environment::{
    Against, Arrivals, Collection, Environment, FieldId, Goal, Handle, Item, Lift, LiftId, Link, LinkId, MOST_CELLS,
    Mark, MarkId, Navigation, NavigationField, NavigationId, NearWall, Obstacle, ObstacleId, PathFault, Places,
    PlacesId, RayHit, RegionId, Sink, SinkId, Source, SourceId, Substance, SubstanceId, Track, Tracks, TracksId, Wall,
    WallId, WallShape, Zone, ZoneId,
};
pub use kernels::simd::{InstructionSet, UnknownInstructionSet};
pub use maths::{ArithmeticFault, Noise, Vector, check_arithmetic};
pub use rules::expressions::Statements;
pub use rules::interface::{
    AgentRef, Behaviour, Forces, Inputs, NamedRule, Neighbour, NeighbourSum, Neighbours, Perception, Rows, Sight,
    SpeciesFilter,
};
pub use rules::motion::{Motion, NamedMotion};
pub use rules::motions::Kinematic;
pub use rules::stability::{Stability, TickOfSpecies};
pub use rules::target::{Target, TargetState};
pub use rules::world_view::WorldView;
pub use rules::{behaviours, motions, parameters, steering, target};
#[cfg(feature = "serde")]
pub use species::SpeciesSeed;
pub use species::registry::Registry;
pub use species::states::{Catch, Condition, Place, State, Transition, Variable};
pub use species::{
    Combine, Contacts, Distribution, Familiar, PersonKind, Population, Quantity, Rule, Sex, Species, states,
};
pub use state::snapshot::{PHYSICS, SnapshotError, SnapshotFault};
pub use world::any_world::AnyWorld;
pub use world::profile::Profile;
pub use world::{
    AgentStart, AnyRecording, Chosen, Contribution, Explanation, Faults, Formation, FormationShape, FreeSpace,
    OwnStart, Pairs, Query, Recording, RecordingError, Replay, ReplayError, TraceEntry, WallAudit, World,
};

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The examples of the guide for hosts are tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/embedding.md")]
struct Embedding;

/// The example of the measures is a test.
#[cfg(doctest)]
#[doc = include_str!("../docs/measures.md")]
struct Measures;
