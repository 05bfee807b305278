//! Contacts: the bodies whose touch a species reports.

use crate::base::definition::definition;
use crate::base::values::{Kind, Range};
use crate::rules::interface::SpeciesFilter;

definition! {
    /// The contacts that the agents of a species report: an [`Event::Touched`](crate::Event::Touched) when bodies come near
    /// each other, and an [`Event::Parted`](crate::Event::Parted) when they are near each other no longer.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Contacts {
        /// Agents whose bodies count.
        pub whom: SpeciesFilter, "", Kind::SpeciesFilter;
        /// Largest distance between two bodies in contact. Zero means bodies that touch or overlap. Models that keep
        /// bodies apart need more.
        pub distance: f32, "m", Kind::Number(Range::LENGTH);
    }
}

impl Contacts {
    /// Contacts with the agents of a filter, within a distance between bodies in metres.
    #[must_use]
    pub fn new(whom: SpeciesFilter, distance: f32) -> Self {
        Self { whom, distance }
    }
}
