//! Statistics of repetitions: quartiles, growth, and the interval of a change.

use throng::Noise;

/// The samples of a bootstrap.
const RESAMPLES: usize = 10_000;

/// The seed of the bootstrap: the same measurements give the same interval.
const SEED: u64 = 1;

/// The lower quartile, the median and the upper quartile, interpolated; NaN without values.
pub(crate) fn quartiles(values: &[f64]) -> [f64; 3] {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    [0.25, 0.5, 0.75].map(|share| quantile(&sorted, share))
}

pub(crate) fn median(values: &[f64]) -> f64 {
    quartiles(values)[1]
}

/// The value below which this share of the sorted values lies.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = share * last as f64;
    let low = place.floor() as usize;
    let high = if low < last { low + 1 } else { last };
    sorted[low] + (sorted[high] - sorted[low]) * place.fract()
}

/// The slope of the line through the points on logarithmic axes, by least squares: the exponent of growth.
pub(crate) fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let logs: Vec<_> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let mean = |sum: f64| sum / logs.len() as f64;
    let (x, y) = (mean(logs.iter().map(|p| p.0).sum()), mean(logs.iter().map(|p| p.1).sum()));
    let spread: f64 = logs.iter().map(|p| (p.0 - x) * (p.0 - x)).sum();
    let slope = logs.iter().map(|p| (p.0 - x) * (p.1 - y)).sum::<f64>() / spread;
    (spread > 0.0 && slope.is_finite()).then_some(slope)
}

/// The ratio of two medians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Change {
    pub(crate) ratio: f64,
    /// The ends of the interval that holds 95 of 100 ratios.
    pub(crate) interval: [f64; 2],
}

impl Change {
    /// The change from old to new values, with a percentile bootstrap over both.
    pub(crate) fn between(old: &[f64], new: &[f64]) -> Self {
        let mut noise = Noise::new(SEED, 0, 0, Noise::USER);
        let mut drawn = |values: &[f64]| {
            let draw = |_| values[((noise.unit() * values.len() as f32) as usize).clamp(0, values.len() - 1)];
            median(&(0..values.len()).map(draw).collect::<Vec<_>>())
        };
        let mut ratios: Vec<f64> = (0..RESAMPLES).map(|_| drawn(new) / drawn(old)).collect();
        ratios.sort_unstable_by(f64::total_cmp);
        let interval = [0.025, 0.975].map(|share| quantile(&ratios, share));
        Self { ratio: median(new) / median(old), interval }
    }

    /// Whether the new values are larger, beyond the interval.
    pub(crate) fn is_slower(self) -> bool {
        self.interval[0] > 1.0
    }

    pub(crate) fn is_faster(self) -> bool {
        self.interval[1] < 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_are_interpolated() {
        assert_eq!(quartiles(&[4.0, 1.0, 3.0, 2.0, 5.0]), [2.0, 3.0, 4.0]);
        assert_eq!(quartiles(&[1.0, 2.0]), [1.25, 1.5, 1.75]);
        assert_eq!(quartiles(&[7.0]), [7.0; 3]);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn slopes_of_lines() {
        assert!((slope(&[(1e3, 0.1), (1e4, 1.0), (1e5, 10.0)]).unwrap() - 1.0).abs() < 1e-9);
        assert!((slope(&[(2.0, 4.0), (3.0, 9.0)]).unwrap() - 2.0).abs() < 1e-9);
        assert_eq!(slope(&[(1.0, 1.0)]), None);
    }

    #[test]
    fn a_change_beyond_the_spread_is_found_and_one_within_it_is_not() {
        let old = [10.0, 10.4, 9.8, 10.1, 10.2, 9.9, 10.0];
        let slower = Change::between(&old, &old.map(|value| 1.2 * value));
        assert!((slower.ratio - 1.2).abs() < 1e-9 && slower.is_slower() && !slower.is_faster(), "{slower:?}");
        let faster = Change::between(&old, &old.map(|value| 0.8 * value));
        assert!(faster.is_faster() && !faster.is_slower(), "{faster:?}");
        let same = Change::between(&old, &old.map(|value| 1.002 * value));
        assert!(!same.is_slower() && !same.is_faster(), "{same:?}");
        assert_eq!(same, Change::between(&old, &old.map(|value| 1.002 * value)), "the seed is fixed");
        // Values without a spread have an interval without a width.
        assert!(Change::between(&[2.0; 5], &[2.1; 5]).is_slower());
    }
}
