//! Contacts: the bodies whose touch a species reports.

use crate::base::error::Error;
use crate::base::settings::LIMIT;
use crate::base::values::{Allowed, Range};
use crate::rules::interface::SpeciesFilter;

/// The contacts that the agents of a species report: an [`Event::Touched`](crate::Event::Touched) when bodies come near
/// each other, and an [`Event::Parted`](crate::Event::Parted) when they are near each other no longer.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Contacts {
    /// The agents whose bodies count.
    pub filter: SpeciesFilter,
    /// The largest distance between two bodies in contact, in metres, in [0, 1e6]. Zero means bodies that touch or
    /// overlap. Models that keep bodies apart need more.
    pub distance: f32,
}

impl Contacts {
    /// Checks the distance.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if (0.0..=LIMIT).contains(&self.distance) {
            return Ok(());
        }
        Err(Error::bad("distance", self.distance, Allowed::number(Range::from(0.0, LIMIT.into()), "m")))
    }
}
