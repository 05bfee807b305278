//! The distributions that a quantity can have.

use crate::base::distribution::Distribution;
use crate::base::error::Error;
use crate::base::values::{Allowed, Kind, Parameter, Value};

/// The largest shape and the largest scale of a gamma or a Weibull distribution.
const LARGEST_SHAPE: f32 = 1e6;

impl From<Distribution> for Value {
    fn from(distribution: Distribution) -> Self {
        match distribution {
            Distribution::Same(value) => value.into(),
            Distribution::Uniform(low, high) => [low, high].into(),
            drawn => Self::Distribution(drawn),
        }
    }
}

impl Distribution {
    /// Checks that a quantity can have this distribution, such as one of
    /// [`QUANTITIES`](crate::species::tables::QUANTITIES).
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a value is out of the range of the quantity, if `low`, the middle and `high` do not ascend,
    /// or if a spread, a shape or a scale is not above zero.
    pub fn check(self, quantity: &Parameter) -> Result<(), Error> {
        let (Kind::Number(range) | Kind::Distribution(range)) = quantity.kind else { return Ok(()) };
        let fits = |value: f32| range.contains(f64::from(value));
        let ordered = |low: f32, middle: f32, high: f32| fits(low) && fits(high) && low <= middle && middle <= high;
        let spread = |spread: f32| spread > 0.0 && spread.is_finite();
        let positive = |number: f32| (f32::MIN_POSITIVE..=LARGEST_SHAPE).contains(&number);
        let fits = match self {
            Self::Same(value) => fits(value),
            Self::Uniform(least, most) => fits(least) && fits(most) && least <= most,
            Self::Normal { mean, sd, low, high } => ordered(low, mean, high) && spread(sd),
            Self::LogNormal { median, log_sd, low, high } => {
                ordered(low, median, high) && spread(log_sd) && median >= f32::MIN_POSITIVE && low >= 0.0
            }
            Self::Gamma { shape, scale, low, high } => {
                ordered(low, shape * scale, high) && positive(shape) && positive(scale) && low >= 0.0
            }
            Self::Weibull { shape, scale, low, high } => {
                ordered(low, scale, high) && positive(shape) && positive(scale) && low >= 0.0
            }
            Self::Population(_) => quantity.name == "max_speed",
        };
        if fits {
            return Ok(());
        }
        let kind = if let Self::Same(_) = self { quantity.kind } else { Kind::Distribution(range) };
        Err(Error::bad(quantity.name, self, Allowed::Kind { kind, unit: quantity.unit }))
    }
}
