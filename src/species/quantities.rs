//! The quantities of a species: their table, and their distributions over its agents.

use std::fmt;

use crate::agents::Quantity;
use crate::base::error::Error;
use crate::base::settings::LIMIT;
use crate::maths::Noise;
use crate::rules::parameters::{Allowed, Kind, Parameter, Preset, Range, Value};

/// A quantity of a body: the same for every agent, or drawn for each when it is spawned.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Distribution {
    /// The same value for all agents.
    Same(f32),
    /// Drawn uniformly from [low, high).
    Uniform(f32, f32),
}

impl From<f32> for Distribution {
    fn from(value: f32) -> Self {
        Self::Same(value)
    }
}

impl From<Distribution> for Value {
    fn from(distribution: Distribution) -> Self {
        match distribution {
            Distribution::Same(value) => value.into(),
            Distribution::Uniform(low, high) => [low, high].into(),
        }
    }
}

impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Same(value) => write!(f, "{value}"),
            Self::Uniform(low, high) => write!(f, "[{low}, {high}]"),
        }
    }
}

impl Distribution {
    pub(crate) fn check(self, quantity: &Parameter) -> Result<(), Error> {
        let Kind::Number(range) = quantity.kind else { return Ok(()) };
        let fits = |value: f32| range.contains(f64::from(value));
        let fits = match self {
            Self::Same(value) => fits(value),
            Self::Uniform(least, most) => fits(least) && fits(most) && least <= most,
        };
        if fits {
            return Ok(());
        }
        let kind = if let Self::Same(_) = self { quantity.kind } else { Kind::Distribution(range) };
        Err(Error::bad(quantity.name, self, Allowed::Kind { kind, unit: quantity.unit }))
    }

    /// The value for one agent.
    pub(crate) fn draw(self, noise: &mut Noise) -> f32 {
        match self {
            // Adding 0.0 turns -0.0 into 0.0, because a limit of -0.0 would reverse a velocity.
            Self::Same(value) => value + 0.0,
            Self::Uniform(low, high) => noise.between(low, high) + 0.0,
        }
    }

    /// The largest value that can be drawn.
    pub(crate) fn largest(self) -> f32 {
        match self {
            Self::Same(value) | Self::Uniform(_, value) => value,
        }
    }

    pub(super) fn varying(self) -> Quantity {
        match self {
            Self::Same(value) => Quantity::Same(value + 0.0),
            Self::Uniform(..) => Quantity::Each(Vec::new()),
        }
    }
}

const fn quantity(name: &'static str, unit: &'static str, range: Range, default: f32, help: &'static str) -> Parameter {
    Parameter { name, unit, kind: Kind::Number(range), help, default: Preset::Number(default) }
}

/// The table of the quantities of a species, with units, ranges and defaults. Those of the body come first.
pub const QUANTITIES: [Parameter; 7] = [
    quantity("mass", "kg", Range::from(1e-6, LIMIT as f64), 1.0, "Mass."),
    quantity("radius", "m", Range::LENGTH, 0.5, "Radius of the body."),
    quantity("max_speed", "m/s", SPEED, 10.0, "Largest speed."),
    quantity("max_force", "N", FORCE, 30.0, "Largest steering force."),
    quantity("min_speed", "m/s", SPEED, 0.0, "Smallest speed of a moving agent."),
    quantity("max_turn_rate", "degrees/s", Range::from(0.0, f64::INFINITY), f32::INFINITY, "Largest turn rate."),
    quantity(
        "response",
        "s",
        Range::from(1e-6, LIMIT as f64),
        0.2,
        "Time in which an agent reaches its desired velocity.",
    ),
];

const SPEED: Range = Range::from(0.0, LIMIT as f64);
const FORCE: Range = Range::from(0.0, 1e9);

/// The number of [`QUANTITIES`] that belong to the body and may therefore be drawn for each agent.
pub const BODY_QUANTITIES: usize = 4;

/// The defaults of [`QUANTITIES`].
pub(super) fn defaults() -> [f32; QUANTITIES.len()] {
    QUANTITIES.map(|quantity| if let Preset::Number(default) = quantity.default { default } else { f32::NAN })
}

/// The perception radius of a behaviour.
pub(super) const RADIUS: Parameter = quantity("perception radius", "m", Range::LENGTH, 0.0, "Perception radius.");

/// The field of view of a behaviour.
pub(super) const FIELD_OF_VIEW: Parameter =
    quantity("field of view", "degrees", Range::from(0.0, f64::INFINITY), 360.0, "Field of view.");

/// The threshold of [`Combine::Priority`](crate::Combine::Priority).
pub const THRESHOLD: Parameter =
    quantity("threshold", "N", FORCE, 0.0, "With `priority`: the first rule with a larger force decides alone.");

/// The factor of a behaviour's force.
pub const WEIGHT: Parameter =
    quantity("weight", "", Range::from(-LIMIT as f64, LIMIT as f64), 1.0, "Factor of the behaviour's force.");

/// Checks that the values of [`QUANTITIES`], in their order, are in their ranges.
pub(crate) fn check_quantities(values: [Distribution; 7]) -> Result<(), Error> {
    QUANTITIES.iter().zip(values).try_for_each(|(quantity, value)| value.check(quantity))
}
