//! What most programs need: `use throng::prelude::*;`.
//!
//! It has worlds, their settings, contents and answers, and everything of [`behaviours`](crate::behaviours) and
//! [`target`](crate::target). Rules of your own, motions, measures, snapshots and formulas have modules of their own. No
//! two names here collide, and none is a name of the standard prelude.
//!
//! ```
//! use throng::prelude::*;
//!
//! let mut world = World::<2>::new(Settings::default())?;
//! let flock = Species::new("starling").with(1.0, Separation::default()).with(1.0, Alignment::default());
//! let starling = world.add_species(flock)?;
//! world.spawn(starling, [50.0, 50.0], [5.0, 0.0])?;
//! world.environment_mut().walls.add(Wall::segment([60.0, 40.0], [60.0, 60.0]))?;
//! world.step();
//! # Ok::<(), Error>(())
//! ```

pub use crate::agents::Agents;
pub use crate::agents::events::{Event, Removal};
pub use crate::base::distribution::Distribution;
pub use crate::base::error::Error;
pub use crate::base::ids::{AgentId, SpeciesId};
pub use crate::base::settings::{Edge, Execution, Settings};
pub use crate::environment::flow_field::FlowField;
pub use crate::environment::region::{Region, Shape};
pub use crate::environment::{
    Arrivals, Environment, FieldId, Goal, Lift, LiftId, Link, LinkId, Mark, MarkId, Navigation, NavigationId, Obstacle,
    ObstacleId, Places, PlacesId, RegionId, Sink, SinkId, Source, SourceId, Substance, SubstanceId, Track, Tracks,
    TracksId, Wall, WallId, WallShape, Zone, ZoneId,
};
pub use crate::maths::{Noise, Vector};
pub use crate::rules::behaviours::*;
pub use crate::rules::interface::{Neighbour, SpeciesFilter};
pub use crate::rules::target::*;
pub use crate::species::states::{Catch, Condition, State, Transition, Variable};
pub use crate::species::{Combine, Quantity, Rule, Species};
pub use crate::world::any_world::AnyWorld;
pub use crate::world::{AgentStart, Query, World};
