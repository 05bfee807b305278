//! Marks: named points.

use crate::base::error::Error;
use crate::base::settings::within_limit;
use crate::environment::handles::Item;
use crate::maths::Vector;

/// A named point.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark<const D: usize> {
    /// The name by which targets refer to it.
    pub name: String,
    /// Position in metres.
    pub position: Vector<D>,
}

impl<const D: usize> Item for Mark<D> {
    type Record = ();

    fn check(&self) -> Result<(), Error> {
        within_limit("position", self.position, "m").map(|_| ())
    }

    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }
}
