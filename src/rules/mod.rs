//! Rules of motion: their interface, the built-in rules, formulas, targets, motions and parameters.

pub mod behaviours;
pub(crate) mod expressions;
#[cfg(feature = "serde")]
mod forms;
pub(crate) mod gatherings;
pub(crate) mod interface;
pub(crate) mod motion;
pub(crate) mod stability;
pub mod motions;
pub mod parameters;
pub mod steering;
pub mod target;
pub(crate) mod world_view;
