//! Tables of the values in definitions of species: units, ranges, defaults and help, for programs that read, write or
//! describe definitions, such as file formats and forms.

use crate::agents::BodyQuantity;
use crate::base::distribution::Distribution;
use crate::base::error::Error;
use crate::base::settings::LIMIT;
use crate::rules::parameters::{Kind, Parameter, Preset, Range};

const fn quantity(name: &'static str, unit: &'static str, range: Range, default: f32, help: &'static str) -> Parameter {
    Parameter::new(name, unit, Kind::Number(range), help).or(Preset::Number(default))
}

/// The table of the quantities of a species, with units, ranges and defaults. In the order of
/// [`Quantity::ALL`](crate::Quantity::ALL).
pub const QUANTITIES: [Parameter; 7] = [
    quantity("mass", "kg", Range::from(1e-6, LIMIT as f64), 1.0, "Mass; 80 kg by default with a motion of walkers."),
    quantity("radius", "m", Range::LENGTH, 0.5, "Radius of the body; 0.25 m by default with such a motion."),
    quantity("max_speed", "m/s", SPEED, 10.0, "Largest speed; 1.34 m/s by default with such a motion."),
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

/// The mass, the radius and the largest speed of a person, in the units of [`QUANTITIES`]: their defaults in a scenario
/// file for species whose motion is a model of people who [walk](crate::Motion::walks). The mass follows Helbing,
/// Farkas and Vicsek (2000), the speed the mean of Weidmann (1993), and the radius is the one with which the
/// models are measured, 5 cm less than the default clearance of navigations.
pub const PERSON: [(&str, f32); 3] = [("mass", 80.0), ("radius", 0.2), ("max_speed", 1.34)];

/// The name of the motion of people where nothing else is wanted: of a species of
/// [people](crate::Species::people), and in a scenario file with `people = true`.
pub const MODEL_OF_PEOPLE: &str = "pedvo";

const SPEED: Range = Range::from(0.0, LIMIT as f64);
const FORCE: Range = Range::from(0.0, 1e9);

/// The number of [`QUANTITIES`] that belong to the body.
pub(crate) const BODY_QUANTITIES: usize = 4;

const TIME: Range = Range::from(0.0, LIMIT as f64);

/// The positions of the mass, the radius and the largest speed in [`QUANTITIES`].
pub(crate) const MASS: usize = 0;
pub(crate) const RADIUS_OF_BODY: usize = 1;
pub(crate) const MAX_SPEED: usize = 2;

/// The name of the time for which an agent rests after it is spawned, and of the column with the rest of it.
pub const PRE_MOVEMENT: &str = "pre_movement";

/// The name of the time after which an agent is removed.
pub(crate) const LIFETIME: &str = "lifetime";

/// The table of the times of an agent that its species may have. Each is the name of a column with the time left.
pub const TIMES: [Parameter; 2] = [
    Parameter::optional(
        PRE_MOVEMENT,
        "s",
        Kind::Distribution(TIME),
        "Time for which an agent rests after it is spawned.",
    ),
    Parameter::optional(LIFETIME, "s", Kind::Distribution(TIME), "Time after which an agent is removed."),
];

/// The default of the quantity with this number in [`QUANTITIES`].
pub(super) fn default(number: usize) -> f32 {
    if let Preset::Number(default) = QUANTITIES[number].default { default } else { f32::NAN }
}

/// The perception radius of a behaviour.
pub(crate) const RADIUS: Parameter = quantity("perception radius", "m", Range::LENGTH, 0.0, "Perception radius.");

/// The field of view of a behaviour.
pub(crate) const FIELD_OF_VIEW: Parameter =
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

/// The quantity of a body with these values over the agents of a species, which are the values of all its kinds if it
/// `is_shared`.
pub(super) fn varying(distribution: Distribution, is_shared: bool) -> BodyQuantity {
    match distribution {
        Distribution::Same(value) if is_shared => BodyQuantity::Same(value + 0.0),
        _ => BodyQuantity::Each(Vec::new()),
    }
}
