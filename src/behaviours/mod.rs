//! The rules of motion: one file per rule.

mod alignment;
mod cohesion;
mod seek;
mod separation;

pub use alignment::Alignment;
pub use cohesion::Cohesion;
pub use seek::Seek;
pub use separation::Separation;

use crate::behaviour::Behaviour;

/// A behaviour with a parameter table, that a scenario file can ask for.
pub trait NamedRule<const D: usize>: Behaviour<D> + crate::parameters::Tunable {}

impl<const D: usize, T: Behaviour<D> + crate::parameters::Tunable> NamedRule<D> for T {}

/// Every rule with its default parameters, in the order of the documentation: the one list of them.
#[must_use]
pub fn all<const D: usize>() -> Vec<Box<dyn NamedRule<D>>> {
    vec![
        Box::new(Seek::default()),
        Box::new(Separation::default()),
        Box::new(Alignment::default()),
        Box::new(Cohesion::default()),
    ]
}
