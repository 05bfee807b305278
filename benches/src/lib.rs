//! The flock that throng is measured with, and the designs that throng is measured against: one flock, moved by throng,
//! by a tree of agents and by a grid of cells.

#[cfg(feature = "designs")]
mod any_flock;
#[cfg(feature = "designs")]
pub mod cliffs;
mod crowd;
pub mod design;
mod execution;
pub mod flock;
#[cfg(feature = "designs")]
mod grid;
#[cfg(feature = "designs")]
mod kind;
#[cfg(feature = "designs")]
mod literal;
mod processor;
#[cfg(feature = "designs")]
mod rival;
#[cfg(feature = "designs")]
pub mod roofline;
mod throng_design;

#[cfg(feature = "designs")]
pub use any_flock::AnyFlock;
pub use crowd::{Crowd, Walk};
pub use design::{Counts, Design, Rounds};
pub use execution::execution;
pub use flock::Flock;
#[cfg(feature = "designs")]
pub use grid::Grid;
#[cfg(feature = "designs")]
pub use kind::DesignKind;
#[cfg(feature = "designs")]
pub use literal::{PerAgentTree, PointIndex};
pub use processor::processor_seconds;
pub use throng_design::ThrongDesign;
