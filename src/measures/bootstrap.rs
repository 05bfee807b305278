//! Confidence intervals by the bootstrap.

use crate::maths::mix64;

/// The number of resamples.
const RESAMPLES: u64 = 2000;

/// The 95 % confidence interval of a statistic of independent values, such as the mean time of the last exit of runs with
/// different seeds; NaN for fewer than two values.
///
/// The values are drawn again and again, with replacement, and the interval has 95 % of the results: Efron and Tibshirani,
/// *An introduction to the bootstrap* (1993), and for evacuations Grandison, Fire Technology 56, 2137 (2020). The draws
/// are the same in every call with the same number of values.
///
/// ```
/// use throng::measures::confidence;
///
/// let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
/// let [low, high] = confidence(&[58.0, 61.0, 60.0, 65.0, 59.0, 57.0], mean);
/// assert!(57.0 < low && low < 60.0 && 60.0 < high && high < 65.0);
/// ```
#[must_use]
pub fn confidence(values: &[f64], statistic: impl Fn(&[f64]) -> f64) -> [f64; 2] {
    let count = values.len() as u64;
    if count < 2 {
        return [f64::NAN; 2];
    }
    let mut drawn = vec![0.0; values.len()];
    let mut results: Vec<f64> = (0..RESAMPLES)
        .map(|resample| {
            for (draw, value) in (0..count).zip(&mut drawn) {
                // The upper bits of a word, scaled to the number of values.
                let word = mix64((resample * count + draw + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 32;
                *value = values[((word * count) >> 32) as usize];
            }
            statistic(&drawn)
        })
        .collect();
    results.sort_unstable_by(f64::total_cmp);
    let tail = (RESAMPLES / 40) as usize;
    [results[tail], results[results.len() - 1 - tail]]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the means of 40 normal-like values, 95 % are within 1.96 standard errors; the bootstrap's interval is narrower
    /// by the root of 39 / 40.
    #[test]
    fn the_interval_of_a_mean_is_that_of_its_standard_error() {
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        // Sums of twelve uniform numbers.
        let uniform =
            |number: u64| (mix64(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 11) as f64 / (1u64 << 53) as f64;
        let values: Vec<f64> = (0..40).map(|value| (0..12).map(|part| uniform(12 * value + part + 1)).sum()).collect();
        let (middle, squares) = (mean(&values), |value: &f64| (value - mean(&values)) * (value - mean(&values)));
        let error = (values.iter().map(squares).sum::<f64>() / 39.0 / 40.0).sqrt();
        let [low, high] = confidence(&values, mean);
        for (found, expected) in [(low, middle - 1.96 * error), (high, middle + 1.96 * error)] {
            assert!((found - expected).abs() < 0.3 * error, "{found} {expected} {error}");
        }
        assert_eq!(confidence(&[3.0; 5], mean), [3.0; 2]);
        assert!(confidence(&[1.0], mean)[0].is_nan());
    }
}
