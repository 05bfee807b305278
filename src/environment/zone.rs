//! Zones: regions that change the largest speed of agents.

use crate::base::error::Error;
use crate::base::handles::ZoneId;
use crate::base::settings::within_limit;
use crate::base::values::{Allowed, Range};
use crate::environment::collection::{Data, Item};
use crate::maths::Vector;

/// Multiplies the largest speed of the agents in a region by a factor: stairs, escalators, rough ground. An agent that
/// leaves the region has its own largest speed again. Where zones overlap, their factors multiply.
///
/// The zones of a tick are those in which an agent was at the end of the last one. Where a zone has two factors, the
/// velocity that the rules of an agent want decides, also while it rests: its own velocity plus their force times the
/// [response](crate::Species::response), whatever the motion, and for vehicles too. Nothing that a motion adds, such as
/// the push of a crowd, moves it against the direction faster than this factor.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Zone<const D: usize> {
    /// The name of the region.
    pub region: String,
    /// The factor, in [0, 10].
    pub factor: f32,
    /// The factor of agents that want to move against a direction, in [0, 10], if it is another one.
    #[cfg_attr(feature = "serde", serde(default))]
    pub against: Option<Against<D>>,
}

/// The factor of agents that want to move against a direction: see [`Zone`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Against<const D: usize> {
    /// The direction.
    pub direction: Vector<D>,
    /// The factor of agents that want a velocity with a component against the direction.
    pub factor: f32,
}

impl<const D: usize> Zone<D> {
    /// The range of its factors.
    pub const FACTOR: Range = Range::from(0.0, 10.0);

    /// A zone with one factor.
    #[must_use]
    pub fn new(region: impl Into<String>, factor: f32) -> Self {
        Self { region: region.into(), factor, against: None }
    }

    /// Sets the factor of agents that want to move against a direction.
    #[must_use]
    pub fn with_against(mut self, direction: impl Into<Vector<D>>, factor: f32) -> Self {
        self.against = Some(Against { direction: direction.into(), factor });
        self
    }

    /// The factor of an agent that wants this velocity.
    pub(crate) fn factor_at(&self, velocity: Vector<D>) -> f32 {
        match self.against {
            Some(Against { direction, factor }) if velocity.dot(direction) < 0.0 => factor,
            _ => self.factor,
        }
    }

    /// The factor up to which an agent with this velocity may want to move. One that rests may want either direction.
    pub(crate) fn factor_of_wishes(&self, velocity: Vector<D>) -> f32 {
        match self.against {
            Some(Against { factor, .. }) if velocity == Vector::ZERO && factor > self.factor => factor,
            _ => self.factor_at(velocity),
        }
    }
}

impl<const D: usize> Item for Zone<D> {
    type Id = ZoneId;
}

impl<const D: usize> Data for Zone<D> {
    type Record = ();

    fn check(&self) -> Result<(), Error> {
        for factor in [Some(self.factor), self.against.map(|against| against.factor)].into_iter().flatten() {
            if !Self::FACTOR.contains(f64::from(factor)) {
                return Err(Error::bad("factor", factor, Allowed::number(Self::FACTOR, "")));
            }
        }
        self.against.map_or(Ok(()), |against| within_limit("direction", against.direction, "").map(|_| ()))
    }
}
