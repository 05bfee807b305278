//! Navigation: ways to goals around walls, as distances and directions on a grid.

mod background;
mod branches;
mod crowd;
mod cuts;
mod definition;
mod extent;
mod field;
mod front;
mod geometry;
mod grid;
mod ground;
mod lazy_field;
mod leg;
mod pace;
mod passages;
mod queues;
mod raster;
mod ring;
mod roads;
mod routes;
mod settle;
mod solve;
mod timed;

#[cfg(test)]
mod queues_tests;
#[cfg(test)]
mod routes_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod timed_tests;

pub(crate) use crowd::Crowd;
pub(crate) use definition::Fields;
pub use definition::{Goal, Navigation};
pub use field::NavigationField;
pub(crate) use geometry::Capsule;
pub use ground::MOST_CELLS;
pub(crate) use ground::{Ground, Shaft};
pub(crate) use lazy_field::LazyField;
pub(crate) use passages::Passage;
pub(crate) use queues::{GOALS, Question, Queued, Queues};
pub(crate) use settle::{due, flat, last_due, settle};
pub(crate) use timed::LazyTimed;
