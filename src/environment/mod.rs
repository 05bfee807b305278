//! The environment of a world: obstacles, marks, regions, flow fields, sources, sinks and zones, each with a handle, and their spatial index.

mod clumps;
pub(crate) mod flow_field;
pub(crate) mod handles;
pub(crate) mod index;
mod items;
mod mark;
mod nearby;
mod obstacle;
pub(crate) mod paths;
pub(crate) mod region;
pub(crate) mod sink;
pub(crate) mod source;
pub(crate) mod tree;
pub(crate) mod zone;

pub(crate) use flow_field::NamedField;
pub use handles::{FieldId, MarkId, ObstacleId, RegionId, SinkId, SourceId, ZoneId};
pub use items::Environment;
pub use mark::Mark;
pub use obstacle::Obstacle;
pub use sink::Sink;
pub use source::{Arrivals, Source};
pub use zone::{Against, Zone};
