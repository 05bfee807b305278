//! The definition of a navigation.

use std::sync::Arc;

use crate::base::error::Error;
use crate::base::handles::NavigationId;
use crate::base::settings::{LIMIT, within_limit};
use crate::base::values::{Allowed, Kind, Range};
use crate::environment::collection::{Data, Item};
use crate::environment::navigation::lazy_field::LazyField;
use crate::environment::navigation::timed::LazyTimed;
use crate::maths::Vector;

/// The ways to a goal for bodies of one radius, in a world of two dimensions: the definition of a
/// [`NavigationField`](crate::NavigationField).
///
/// The world computes the field in its next tick. After a change of goals, walls or obstacles at rest it computes the
/// field again in the background, and takes the new field after a number of ticks that follows from the number of
/// cells. Walls and obstacles that move do not obstruct ways.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Navigation<const D: usize> {
    /// Its name, which rules use like the name of a flow field.
    pub name: String,
    /// The goals. Ways lead to the nearest.
    pub goals: Vec<Goal<D>>,
    /// The least distance of ways from walls, in metres: the radius of the bodies.
    #[cfg_attr(feature = "serde", serde(default = "presets::clearance"))]
    pub clearance: f32,
    /// The length of a cell in metres. `None` divides the longer side of the world into 512 cells. A length that gives
    /// more than [`MOST_CELLS`](crate::MOST_CELLS) cells is increased to that number.
    #[cfg_attr(feature = "serde", serde(default))]
    pub cell: Option<f32>,
    /// The number of agents per second that can leave at the goals together, for estimates of queues. The narrowest
    /// passage on the way lets through [`FLOW`](Self::FLOW) for each metre of its width, which is the only limit if this
    /// is `None`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub capacity: Option<f32>,
}

impl<const D: usize> Navigation<D> {
    /// The range of the length of a cell, in metres.
    pub const CELL: Range = Range::above(0.0, LIMIT as f64);

    /// The default clearance, in metres.
    pub const CLEARANCE: f32 = 0.25;

    /// The range of the capacity, in agents per second.
    pub const CAPACITY: Range = Range::above(0.0, 1e6);

    /// The agents per second that pass a metre of the width of a passage, in estimates of queues: the flow at capacity
    /// of Weidmann (1993).
    pub const FLOW: f32 = 1.3;

    /// The ways to goals, with a clearance of 0.25 m, a cell from the world, and the capacity of the passages.
    #[must_use]
    pub fn new(name: impl Into<String>, goals: Vec<Goal<D>>) -> Self {
        Self { name: name.into(), goals, clearance: Self::CLEARANCE, cell: None, capacity: None }
    }
}

/// The values of keys that a text lacks.
#[cfg(feature = "serde")]
mod presets {
    use super::Navigation;

    pub(super) fn clearance() -> f32 {
        Navigation::<2>::CLEARANCE
    }
}

/// A goal of a [`Navigation`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Goal<const D: usize> {
    /// A point.
    Point(Vector<D>),
    /// The mark with this name.
    Mark(String),
    /// The region with this name.
    Region(String),
}

/// The fields of a navigation.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Fields {
    /// The field in use; `None` before the first tick.
    pub(crate) current: Option<Arc<LazyField>>,
    /// The field that replaces it, and the tick from which on it is in use.
    pub(crate) pending: Option<(u64, Arc<LazyField>)>,
    pub(crate) timed: TimedFields,
}

/// The quickest ways on the fields of a navigation, which follow from these and the zones.
#[derive(Clone, Debug, Default)]
pub(crate) struct TimedFields {
    pub(crate) current: Option<Arc<LazyTimed>>,
    /// Those on the field that replaces the one in use, if a thread computes them.
    pub(super) pending: Option<Arc<LazyTimed>>,
}

impl PartialEq for TimedFields {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<const D: usize> Item for Navigation<D> {
    type Id = NavigationId;

    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }
}

impl<const D: usize> Data for Navigation<D> {
    type Record = Fields;

    fn check(&self) -> Result<(), Error> {
        if D != 2 {
            let allowed = Allowed::Kind { kind: Kind::Whole(2, 2), unit: "" };
            return Err(Error::bad("dimensions of a navigation", D, allowed));
        }
        if !Range::LENGTH.contains(self.clearance.into()) {
            return Err(Error::bad("clearance", self.clearance, Allowed::number(Range::LENGTH, "m")));
        }
        if let Some(cell) = self.cell.filter(|&cell| !Self::CELL.contains(cell.into())) {
            return Err(Error::bad("cell", cell, Allowed::number(Self::CELL, "m")));
        }
        if let Some(capacity) = self.capacity.filter(|&capacity| !Self::CAPACITY.contains(capacity.into())) {
            return Err(Error::bad("capacity", capacity, Allowed::number(Self::CAPACITY, "1/s")));
        }
        self.goals.iter().try_for_each(|goal| match goal {
            Goal::Point(point) => within_limit("goal", *point, "m").map(drop),
            Goal::Mark(_) | Goal::Region(_) => Ok(()),
        })
    }
}
