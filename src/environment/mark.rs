//! Marks: named points.

use crate::base::error::Error;
use crate::base::handles::MarkId;
use crate::base::settings::within_limit;
use crate::environment::collection::{Data, Item};
use crate::maths::Vector;

/// A named point.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Mark<const D: usize> {
    /// The name by which targets refer to it.
    pub name: String,
    /// Position in metres.
    pub position: Vector<D>,
}

impl<const D: usize> Mark<D> {
    /// A mark at a position in metres.
    #[must_use]
    pub fn new(name: impl Into<String>, position: impl Into<Vector<D>>) -> Self {
        Self { name: name.into(), position: position.into() }
    }
}

impl<const D: usize> Item for Mark<D> {
    type Id = MarkId;

    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }
}

impl<const D: usize> Data for Mark<D> {
    type Record = ();

    fn check(&self) -> Result<(), Error> {
        within_limit("position", self.position, "m").map(|_| ())
    }
}
