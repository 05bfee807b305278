//! Typed, named columns: per-agent data other than position, velocity, body and goal.
//!
//! One mechanism serves the engine (states, flags, regions), the variables of states, the memory of rules and the
//! columns that a host adds. A column has one value per row: a number or an array of numbers. Columns move with their
//! rows, and are part of the state, of its hash and of snapshots.

mod cells;
mod column;
mod data;
mod named;
mod value;
mod view;

pub(crate) use cells::{Cells, write_back};
pub(crate) use column::{Column, Owner};
pub(crate) use data::{Data, Spare, each_type, keep_entries, spread};
pub(crate) use named::Columns;
pub use value::ColumnValue;
pub(crate) use value::Stored;
pub use view::{ColumnSlice, ColumnView};
