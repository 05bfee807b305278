//! Distributions of a number over the agents of a species.

use std::fmt;

use crate::base::population::Population;
use crate::maths::{Noise, exponential, log_gamma_ends, logarithm};

/// A number of each agent: the same for all, or drawn for each when it is spawned.
///
/// ```
/// use throng::{Distribution, Population, Species};
///
/// let walker = Species::<2>::new("walker")
///     .with_radius(Distribution::Uniform(0.2, 0.3))
///     .with_max_speed(Distribution::Normal { mean: 1.34, sd: 0.26, low: 0.5, high: 2.2 })
///     .with_pre_movement(Distribution::LogNormal { median: 30.0, log_sd: 0.5, low: 0.0, high: 300.0 });
/// let visitor = Species::<2>::new("visitor").with_max_speed(Population::Rimea);
/// assert!(walker.check().is_ok() && visitor.check().is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Distribution {
    /// The same value for all agents.
    Same(f32),
    /// Drawn uniformly from [low, high).
    Uniform(f32, f32),
    /// Drawn from a normal distribution, cut to [`low`, `high`].
    Normal {
        /// The mean of the distribution before it is cut, in [`low`, `high`].
        mean: f32,
        /// Its standard deviation before it is cut, above zero.
        sd: f32,
        /// The smallest value.
        low: f32,
        /// The largest value.
        high: f32,
    },
    /// Drawn from a lognormal distribution, cut to [`low`, `high`]: the logarithm of the number is normal.
    LogNormal {
        /// The median of the distribution before it is cut, above zero and in [`low`, `high`].
        median: f32,
        /// The standard deviation of the natural logarithm, above zero.
        log_sd: f32,
        /// The smallest value.
        low: f32,
        /// The largest value.
        high: f32,
    },
    /// Drawn from a gamma distribution, cut to [`low`, `high`].
    Gamma {
        /// The shape, above zero. The mean before the distribution is cut, shape times scale, is in [`low`, `high`].
        shape: f32,
        /// The scale, above zero, in the unit of the quantity.
        scale: f32,
        /// The smallest value.
        low: f32,
        /// The largest value.
        high: f32,
    },
    /// Drawn from a Weibull distribution, cut to [`low`, `high`].
    Weibull {
        /// The shape, above zero.
        shape: f32,
        /// The scale, above zero and in [`low`, `high`]: 63 % of all numbers are below it before the distribution is cut.
        scale: f32,
        /// The smallest value.
        low: f32,
        /// The largest value.
        high: f32,
    },
    /// The walking speeds of a population. Only [`max_speed`](crate::Species::max_speed) can have this distribution.
    Population(Population),
}

/// Zero for all agents.
impl Default for Distribution {
    fn default() -> Self {
        Self::Same(0.0)
    }
}

impl From<f32> for Distribution {
    fn from(value: f32) -> Self {
        Self::Same(value)
    }
}

impl From<Population> for Distribution {
    fn from(population: Population) -> Self {
        Self::Population(population)
    }
}

/// As in a scenario file; a population by its name.
impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Same(value) => write!(f, "{value}"),
            Self::Uniform(low, high) => write!(f, "[{low}, {high}]"),
            Self::Normal { mean, sd, low, high } => {
                write!(f, "{{ mean = {mean}, sd = {sd}, low = {low}, high = {high} }}")
            }
            Self::LogNormal { median, log_sd, low, high } => {
                write!(f, "{{ median = {median}, log_sd = {log_sd}, low = {low}, high = {high} }}")
            }
            Self::Gamma { shape, scale, low, high } => {
                write!(f, "{{ gamma = {shape}, scale = {scale}, low = {low}, high = {high} }}")
            }
            Self::Weibull { shape, scale, low, high } => {
                write!(f, "{{ weibull = {shape}, scale = {scale}, low = {low}, high = {high} }}")
            }
            Self::Population(population) => f.write_str(population.name()),
        }
    }
}

impl Distribution {
    /// The value for one agent, from a stream that is started if it is needed.
    #[inline]
    pub(crate) fn draw_from(self, start: impl FnOnce() -> Noise) -> f32 {
        if let Self::Same(value) = self { same(value) } else { self.draw(&mut start()) }
    }

    /// The value for one agent, from its random numbers.
    #[must_use]
    pub fn draw(self, noise: &mut Noise) -> f32 {
        let wide = f64::from;
        match self {
            Self::Same(value) => same(value),
            Self::Uniform(low, high) => noise.between(low, high) + 0.0,
            Self::Normal { mean, sd, low, high } => {
                let (middle, sd) = (wide(mean), wide(sd));
                let normal = noise.normal_between((wide(low) - middle) / sd, (wide(high) - middle) / sd);
                // Rounding may leave the interval.
                ((middle + sd * normal) as f32).clamp(low, high) + 0.0
            }
            Self::LogNormal { median, log_sd, low, high } => {
                let (middle, sd) = (logarithm(wide(median)), wide(log_sd));
                let normal = noise.normal_between((log(low) - middle) / sd, (log(high) - middle) / sd);
                (exponential(middle + sd * normal) as f32).clamp(low, high) + 0.0
            }
            Self::Gamma { shape, scale, low, high } => {
                let [from, to] = [low, high].map(|end| log(end) - logarithm(wide(scale)));
                let number = exponential(noise.log_gamma_between(wide(shape), from, to));
                ((wide(scale) * number) as f32).clamp(low, high) + 0.0
            }
            // The power of a Weibull number is exponential: a gamma number of shape one.
            Self::Weibull { shape, scale, low, high } => {
                let [from, to] = [low, high].map(|end| wide(shape) * (log(end) - logarithm(wide(scale))));
                let number = exponential(noise.log_gamma_between(1.0, from, to) / wide(shape));
                ((wide(scale) * number) as f32).clamp(low, high) + 0.0
            }
            Self::Population(population) => population.draw(noise, None, None),
        }
    }

    /// The largest value that can be drawn, in the unit of the quantity.
    #[must_use]
    pub fn largest(self) -> f32 {
        let least = |one: f32, other: f64| if f64::from(one) < other { one } else { other as f32 };
        match self {
            Self::Same(value) | Self::Uniform(_, value) => value,
            // The draws of normal numbers end at nine standard deviations.
            Self::Normal { mean, sd, high, .. } => least(high, f64::from(mean) + 9.0 * f64::from(sd)),
            Self::LogNormal { median, log_sd, high, .. } => {
                least(high, exponential(logarithm(f64::from(median)) + 9.0 * f64::from(log_sd)))
            }
            Self::Gamma { shape, scale, high, .. } => {
                least(high, f64::from(scale) * exponential(log_gamma_ends(f64::from(shape))[1]))
            }
            Self::Weibull { shape, scale, high, .. } => {
                least(high, f64::from(scale) * exponential(log_gamma_ends(1.0)[1] / f64::from(shape)))
            }
            Self::Population(population) => population.fastest(),
        }
    }
}

/// Adding 0.0 turns -0.0 into 0.0, because a limit of -0.0 would reverse a velocity.
#[inline]
fn same(value: f32) -> f32 {
    value + 0.0
}

/// The natural logarithm of a number that is not negative; minus infinity for subnormal numbers too.
fn log(number: f32) -> f64 {
    if number < f32::MIN_POSITIVE { f64::NEG_INFINITY } else { logarithm(f64::from(number)) }
}
