//! Errors of means of correlated series, and the relaxation of a series.

/// The error of the mean of a series whose values depend on each other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ErrorOfMean {
    /// The standard error of the mean; NaN if the series is too short to know it.
    pub error: f64,
    /// The number of values that are worth one independent value: twice the integrated autocorrelation time. NaN like the
    /// error.
    pub inefficiency: f64,
}

/// The fewest blocks from which an error is estimated.
const FEWEST: usize = 8;

/// The standard error of the mean of a series, by blocking: means of ever longer blocks, until blocks are independent.
///
/// Flyvbjerg and Petersen, *Error estimates on averages of correlated data*, J. Chem. Phys. 91, 461 (1989). The length B of
/// blocks is the least power of two with B³ > 2 N (e(B) / e(1))⁴, where e are the errors from N values: Lee, Rosta, Huang
/// and Needs, *Linear-scaling evaluation of the local energy in quantum Monte Carlo*, Phys. Rev. E 83, 066706 (2011).
/// Values that are NaN are left out.
///
/// ```
/// use throng::measures::error_of_mean;
///
/// // Every random value four times: four values are worth one.
/// let mut noise = throng::Noise::new(1, 0, 0, throng::Noise::USER);
/// let draws: Vec<f64> = (0..4096).map(|_| f64::from(noise.unit())).collect();
/// let values: Vec<f64> = draws.iter().flat_map(|draw| [*draw; 4]).collect();
/// let found = error_of_mean(&values);
/// assert!((found.inefficiency - 4.0).abs() < 1.0, "{found:?}");
/// ```
#[must_use]
pub fn error_of_mean(values: &[f64]) -> ErrorOfMean {
    let mut means: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    let (count, mut length) = (means.len() as f64, 1.0);
    let first = squared_error(&means);
    if means.len() >= FEWEST && first == 0.0 {
        return ErrorOfMean { error: 0.0, inefficiency: 1.0 };
    }
    while means.len() >= FEWEST {
        let squared = squared_error(&means);
        let inefficiency = squared / first;
        if length * length * length > 2.0 * count * inefficiency * inefficiency {
            return ErrorOfMean { error: squared.sqrt(), inefficiency };
        }
        means = means.chunks_exact(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
        length *= 2.0;
    }
    ErrorOfMean { error: f64::NAN, inefficiency: f64::NAN }
}

/// The squared standard error of the mean of independent values.
fn squared_error(values: &[f64]) -> f64 {
    let (mut count, mut mean, mut squares) = (0.0, 0.0, 0.0);
    for value in values {
        count += 1.0;
        let before = value - mean;
        mean += before / count;
        squares += before * (value - mean);
    }
    squares / (count * (count - 1.0))
}

/// The number of values whose mean is one point of [`relaxation`].
const BATCH: usize = 5;

/// The number of values at the start of a series that still remember its start: without them, the standard error of the
/// mean is the least (the rule MSER-5). `None` if it is least with less than half of the series: it has not relaxed.
///
/// White, *An effective truncation heuristic for bias reduction in simulation output*, Simulation 69, 323 (1997). Values
/// that are NaN count as the value before.
#[must_use]
pub fn relaxation(values: &[f64]) -> Option<usize> {
    let mut last = values.iter().copied().find(|value| !value.is_nan())?;
    let mut known = |value: &f64| {
        last = if value.is_nan() { last } else { *value };
        last
    };
    let values: Vec<f64> = values.iter().map(&mut known).collect();
    let batches: Vec<f64> =
        values.chunks_exact(BATCH).map(|batch| batch.iter().fold(0.0, |sum, value| sum + value)).collect();
    let (mut count, mut mean, mut squares) = (0.0, 0.0, 0.0);
    let mut best = (f64::INFINITY, batches.len());
    for (number, value) in batches.iter().enumerate().rev() {
        count += 1.0;
        let before = value - mean;
        mean += before / count;
        squares += before * (value - mean);
        // The last batches are too few.
        if count >= FEWEST as f64 && squares / (count * count) <= best.0 {
            best = (squares / (count * count), number);
        }
    }
    (2 * best.1 <= batches.len() && best.0 < f64::INFINITY).then_some(BATCH * best.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Noise;

    /// A first-order autoregressive series, which forgets by this factor in each step, around zero from a start.
    fn series(count: usize, memory: f64, start: f64, seed: u64) -> Vec<f64> {
        let mut noise = Noise::new(seed, 0, 0, Noise::USER);
        let mut value = start;
        let mut next = || {
            value = memory * value + f64::from(noise.unit()) - 0.5;
            value
        };
        (0..count).map(|_| next()).collect()
    }

    /// The closed form: the inefficiency is (1 + a) / (1 - a), and the variance of the series 1/12 / (1 - a²).
    #[test]
    fn errors_of_autoregressive_series_are_those_of_the_closed_form() {
        for memory in [0.0, 0.5, 0.9, 0.97] {
            let count = 1 << 16;
            let inefficiency = (1.0 + memory) / (1.0 - memory);
            let error = (inefficiency / (12.0 * (1.0 - memory * memory)) / f64::from(1 << 16)).sqrt();
            let (mut found, mut means) = (0.0, 0.0);
            for seed in 0..8 {
                let values = series(count, memory, 0.0, seed);
                found += error_of_mean(&values).error / 8.0;
                let mean = values.iter().fold(0.0, |sum, value| sum + value) / count as f64;
                means += mean * mean / 8.0;
            }
            assert!((found / error - 1.0).abs() < 0.15, "memory {memory}: {found} {error}");
            // The means of eight seeds scatter by the error.
            assert!((0.3..3.0).contains(&(means.sqrt() / error)), "memory {memory}: {} {error}", means.sqrt());
        }
    }

    #[test]
    fn short_and_constant_series_are_told_apart() {
        assert!(error_of_mean(&series(40, 0.99, 0.0, 1)).error.is_nan());
        assert!(error_of_mean(&[]).error.is_nan() && error_of_mean(&[1.0]).error.is_nan());
        assert_eq!(error_of_mean(&[2.0; 50]).error, 0.0);
    }

    #[test]
    fn a_start_far_away_is_cut_off_and_a_drift_has_not_relaxed() {
        // After 150 steps the start of 40 is below the noise.
        let found = relaxation(&series(4000, 0.95, 40.0, 3)).unwrap();
        assert!((60..300).contains(&found), "{found}");
        assert!(relaxation(&series(4000, 0.5, 0.0, 3)).unwrap() < 400);
        let drift: Vec<f64> = (0..1000).map(f64::from).collect();
        assert_eq!(relaxation(&drift), None);
        assert_eq!(relaxation(&[f64::NAN; 100]), None);
    }
}
