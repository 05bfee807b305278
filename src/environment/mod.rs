//! The environment of a world: obstacles, walls, marks, regions, flow fields, navigations, sources, sinks, zones,
//! lifts, links, tracks and substances, each with a handle, and their spatial index.

mod beyond_seams;
mod clearance;
pub(crate) mod collection;
#[cfg(feature = "serde")]
mod collection_form;
pub(crate) mod flow_field;
mod free_places;
pub(crate) mod ground;
pub(crate) mod horizon;
pub(crate) mod index;
mod items;
mod lattice;
pub(crate) mod lift;
pub(crate) mod link;
mod mark;
pub(crate) mod navigation;
pub(crate) mod near_wall;
mod nearby;
mod obstacle;
pub(crate) mod piece;
pub(crate) mod paths;
pub(crate) mod places;
mod ray;
pub(crate) mod region;
mod sight;
pub(crate) mod sink;
pub(crate) mod source;
pub(crate) mod spreading;
pub(crate) mod substance;
pub(crate) mod tracks;
pub(crate) mod wall;
pub(crate) mod wall_index;
mod wall_path;
pub(crate) mod zone;

pub use crate::base::handles::{
    FieldId, Handle, LiftId, LinkId, MarkId, NavigationId, ObstacleId, PlacesId, RegionId, SinkId, SourceId,
    SubstanceId, TracksId, WallId, ZoneId,
};
pub use collection::{Collection, Item};
pub use items::Environment;
pub use lift::Lift;
pub use link::Link;
pub use mark::Mark;
pub use navigation::{Goal, MOST_CELLS, Navigation, NavigationField};
pub use near_wall::NearWall;
pub use obstacle::Obstacle;
pub use places::Places;
pub use ray::RayHit;
pub use sink::Sink;
pub use source::{Arrivals, Source};
pub use substance::Substance;
pub use tracks::{Track, Tracks};
pub use wall::{Wall, WallShape};
pub use wall_path::PathFault;
pub use zone::{Against, Zone};
pub(crate) use zone::{FACTOR, Factors};
