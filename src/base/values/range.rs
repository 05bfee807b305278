//! Ranges of numbers.

use std::fmt;

use crate::base::values::LIMIT;

/// A range of numbers, up to and including `high`. Bounds count as they are rounded to `f32`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The smallest number, or a bound that numbers must be above.
    pub low: f64,
    /// The largest number.
    pub high: f64,
    /// Whether `low` itself is excluded.
    pub above: bool,
}

impl Range {
    /// Numbers from `low` to `high`, both included.
    #[must_use]
    pub const fn from(low: f64, high: f64) -> Self {
        Self { low, high, above: false }
    }

    /// Numbers above `low`, up to `high`.
    #[must_use]
    pub const fn above(low: f64, high: f64) -> Self {
        Self { low, high, above: true }
    }

    /// Lengths: from zero to the largest world.
    pub const LENGTH: Self = Self::from(0.0, LIMIT as f64);

    /// Extents on one axis: of worlds and of boxes.
    pub const EXTENT: Self = Self::from(1e-6, LIMIT as f64);

    /// Components of points and vectors: coordinates of the largest world.
    pub const COORDINATE: Self = Self::from(-LIMIT as f64, LIMIT as f64);

    /// All finite numbers.
    pub const FINITE: Self = Self::from(-f32::MAX as f64, f32::MAX as f64);

    /// Whether `number` is in the range; NaN never is.
    #[must_use]
    pub fn contains(&self, number: f64) -> bool {
        // Bounds are rounded like values, so that 0.1 is the same in both precisions.
        let (value, low, high) = (number as f32, self.low as f32, self.high as f32);
        value <= high && if self.above { value > low } else { value >= low }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::FINITE {
            return f.write_str("(-inf, inf)");
        }
        write!(f, "{}{}, {}]", if self.above { '(' } else { '[' }, short(self.low), short(self.high))
    }
}

/// Formats a number, in exponential form if it is large.
fn short(number: f64) -> String {
    if number.abs() >= 1e6 { format!("{number:e}") } else { number.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_the_bounds_that_it_names_in_either_precision() {
        let tenth = Range::from(0.1, 0.1);
        assert!(tenth.contains(0.1) && tenth.contains(f64::from(0.1_f32)));
        assert!(!tenth.contains(0.1001) && !tenth.contains(0.0999));
        let above = Range::above(0.0, 1e6);
        // Numbers that `f32` rounds to zero or to infinity.
        assert!(above.contains(1e-30) && !above.contains(1e-60) && !above.contains(-0.0) && !above.contains(1e39));
        assert!(!above.contains(f64::NAN) && !Range::from(0.0, f64::INFINITY).contains(f64::NAN));
        assert!(Range::from(0.0, f64::INFINITY).contains(f64::INFINITY));
    }
}
