//! The environment of a world: obstacles, marks, regions and flow fields, each with a handle, and their spatial index.

mod clumps;
pub(crate) mod flow_field;
pub(crate) mod handles;
pub(crate) mod index;
mod items;
mod mark;
pub(crate) mod navigation;
mod nearby;
mod obstacle;
pub(crate) mod paths;
pub(crate) mod region;
pub(crate) mod tree;

pub(crate) use flow_field::NamedField;
pub use handles::{FieldId, MarkId, NavigationId, ObstacleId, RegionId};
pub use items::Environment;
pub use mark::Mark;
pub use navigation::{Goal, MOST_CELLS, Navigation, NavigationField};
pub use obstacle::Obstacle;
