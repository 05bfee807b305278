//! The definition of a navigation.

use std::sync::Arc;

use crate::base::definition::{Definition, definition};
use crate::base::error::Error;
use crate::base::handles::NavigationId;
use crate::base::settings::{LIMIT, within_limit};
use crate::base::values::{Allowed, Field, Kind, Parameter, Range, Value};
use crate::environment::collection::{Data, Item};
use crate::environment::navigation::crowd::Crowd;
use crate::environment::navigation::lazy_field::LazyField;
use crate::environment::navigation::timed::LazyTimed;
use crate::maths::Vector;

definition! {
    /// The ways to a goal for bodies of one radius, in a world of two dimensions: the definition of a
    /// [`NavigationField`](crate::NavigationField).
    ///
    /// The world computes the field in its first tick. For one that is added later, and after a change of goals, walls or
    /// obstacles at rest, it computes a field in the background, and takes it one tick later and one more for each 20 000
    /// cells; several fields follow one after the other. Without a field, a navigation leads nowhere. Ways lead
    /// round walls and obstacles that move only if they [`carve`](crate::Wall::carve): then the field is computed again
    /// whenever they have moved by a cell, and by half of the clearance. A length of a cell that gives more than
    /// [`MOST_CELLS`](crate::MOST_CELLS) cells is increased to that number.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Navigation<D> {
        /// Name of the navigation, which rules use like the name of a flow field.
        pub name: String, "", Kind::Name;
        /// Goals: `"region:NAME"`, `"mark:NAME"` or points; ways lead to the nearest.
        pub goals: Vec<Goal<D>>, "m", Kind::Goals;
        /// Least distance of ways from walls: the radius of the bodies.
        pub clearance: f32 = 0.25, "m", Kind::Number(Range::LENGTH);
        /// Length of a cell; a passage must be wider by more than a cell than twice the clearance.
        pub cell: Option<f32> = None or "the longer side of the world / 512",
            "m", Kind::Number(Range::above(0.0, LIMIT as f64));
        /// Agents that can leave at the goals per second, for estimates of queues.
        pub capacity: Option<f32> = None or "`flow` for each metre of the narrowest passage on the way",
            "1/s", Kind::Number(Range::above(0.0, 1e6)), [Rate];
        /// Agents per second that pass a metre of the width of a passage, for estimates of queues; 1.3 is the flow at
        /// capacity of Weidmann (1993).
        pub flow: f32 = 1.3, "1/(m s)", Kind::Number(Range::above(0.0, 1e3)), [added];
    }
}

impl<const D: usize> Navigation<D> {
    /// The ways to goals, with a clearance of 0.25 m, a cell from the world, and the capacity of the passages.
    #[must_use]
    pub fn new(name: impl Into<String>, goals: Vec<Goal<D>>) -> Self {
        Self { name: name.into(), goals, ..Self::blank() }
    }
}

/// A goal of a [`Navigation`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Goal<const D: usize> {
    /// A point.
    Point(Vector<D>),
    /// The mark with this name.
    Mark(String),
    /// The region with this name.
    Region(String),
}

/// In words, and as points if all are.
impl<const D: usize> Field for Vec<Goal<D>> {
    fn value(&self) -> Value {
        let point = |goal: &Goal<D>| match goal {
            Goal::Point(point) => Some(point.0.map(f64::from).to_vec()),
            Goal::Mark(_) | Goal::Region(_) => None,
        };
        if let Some(points) = self.iter().map(point).collect::<Option<Vec<_>>>().filter(|points| !points.is_empty()) {
            return Value::Points(points);
        }
        let word = |goal: &Goal<D>| match goal {
            Goal::Point(point) => format!("point:{}", point.0.map(|at| at.to_string()).join(",")),
            Goal::Mark(name) => format!("mark:{name}"),
            Goal::Region(name) => format!("region:{name}"),
        };
        Value::Words(self.iter().map(word).collect())
    }

    fn read(value: &Value, key: &Parameter) -> Result<Self, Error> {
        let Value::Words(words) = value else {
            return Vec::<Vector<D>>::read(value, &Parameter { kind: Kind::Points(Range::COORDINATE), ..*key })
                .map_err(|_| key.refuse(value))
                .map(|points| points.into_iter().map(Goal::Point).collect());
        };
        let goal = |word: &String| match word.split_once(':')? {
            ("mark", name) => Some(Goal::Mark(name.to_owned())),
            ("region", name) => Some(Goal::Region(name.to_owned())),
            ("point", text) => {
                let numbers: Vec<f32> = text.split(',').map(|at| at.trim().parse().ok()).collect::<Option<_>>()?;
                Some(Goal::Point(Vector(numbers.try_into().ok()?)))
            }
            _ => None,
        };
        words.iter().map(goal).collect::<Option<_>>().ok_or_else(|| key.refuse(value))
    }
}

/// The fields of a navigation.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Fields {
    /// The field in use; `None` before the first tick.
    pub(crate) current: Option<Arc<LazyField>>,
    /// The field that replaces it, and the tick from which on it is in use.
    pub(crate) pending: Option<(u64, Arc<LazyField>)>,
    /// The crowd on the quickest ways, and the one that replaces it, with the tick from which on it does.
    pub(crate) crowd: Option<Arc<Crowd>>,
    pub(crate) next_crowd: Option<(u64, Arc<Crowd>)>,
    pub(crate) timed: TimedFields,
}

/// The quickest ways on the fields of a navigation, which follow from these, the zones and the crowd.
#[derive(Clone, Debug, Default)]
pub(crate) struct TimedFields {
    /// Those without a crowd.
    pub(crate) current: Option<Arc<LazyTimed>>,
    pub(crate) in_crowd: Option<Arc<LazyTimed>>,
    /// Those that a thread computes: on the field that replaces the one in use, without the crowd and in it; and in the
    /// crowd that replaces the one in use.
    pub(super) pending: [Option<Arc<LazyTimed>>; 2],
    pub(super) next: Option<Arc<LazyTimed>>,
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
        self.check_keys()?;
        self.goals.iter().try_for_each(|goal| match goal {
            Goal::Point(point) => within_limit("goal", *point, "m").map(drop),
            Goal::Mark(_) | Goal::Region(_) => Ok(()),
        })
    }
}
