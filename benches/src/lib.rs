//! The designs that throng is measured against: one flock, moved by throng, by a tree of agents and by a grid of cells.

mod any_flock;
pub mod cliffs;
pub mod design;
mod execution;
pub mod flock;
mod grid;
mod kind;
mod literal;
mod throng_design;
pub mod roofline;

pub use any_flock::AnyFlock;
pub use design::{Counts, Design, Rounds};
pub use execution::execution;
pub use flock::Flock;
pub use grid::Grid;
pub use kind::DesignKind;
pub use literal::{PerAgentTree, PointIndex};
pub use throng_design::ThrongDesign;
