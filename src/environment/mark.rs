//! Marks: named points.

use crate::base::definition::{Definition, definition};
use crate::base::error::Error;
use crate::base::handles::MarkId;
use crate::base::values::{Kind, Range};
use crate::environment::collection::{Data, Item};
use crate::maths::Vector;

definition! {
    /// A named point.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Mark<D> {
        /// Name by which targets refer to the mark.
        pub name: String, "", Kind::Name;
        /// Position.
        pub position: Vector<D>, "m", Kind::Point(Range::COORDINATE);
    }
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
        self.check_keys()
    }
}
