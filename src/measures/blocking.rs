//! Errors of means of correlated series.

use crate::base::warning::{Warning, WarningKind};

/// The error of the mean of a series whose values depend on each other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ErrorOfMean {
    /// The standard error of the mean: 1.96 of it are half the length of the interval that holds the true mean in 95 % of
    /// runs. NaN if it is unknown: see [`warning`](Self::warning).
    pub error: f64,
    /// The number of values that are worth one independent value: twice the integrated autocorrelation time, known to
    /// 20 %. NaN if the series has fewer than 48 values.
    pub inefficiency: f64,
    /// How many times the squared error grows from blocks of a forty-eighth of the series to blocks of a twelfth; at
    /// least 1, the value for long blocks.
    pub growth: f64,
}

impl ErrorOfMean {
    /// The reason for an unknown error of this measure.
    #[must_use]
    pub fn warning(&self, measure: &str) -> Option<Warning> {
        let (kind, reason) = match self.growth > MOST_GROWTH {
            true => (WarningKind::Growing, "the error still grows with the block"),
            false => (WarningKind::FewValues, "it has fewer than 50 independent values"),
        };
        let message = format!("the error is unknown, as the run is not long enough: {reason}");
        self.error.is_nan().then(|| Warning::new(kind, measure, message))
    }
}

/// The fewest independent values from which an error is estimated.
const INDEPENDENT: f64 = 50.0;

/// The number of long blocks, from which the error follows.
const THIRDS: usize = 3;

/// The number of parts of a block: thirds have twelfths, and these forty-eighths.
const PARTS: usize = 4;

/// The number of the shortest blocks.
const BLOCKS: usize = THIRDS * PARTS * PARTS;

/// The growth above which an error is unknown. Independent values have less in 97 % of series.
const MOST_GROWTH: f64 = 2.5;

/// The squared quantile of Student's t for three blocks, in units of the one of the normal distribution: (4.303 / 1.96)².
const STUDENT: f64 = 4.818;

/// The standard error of the mean of a series, from the means of its three thirds.
///
/// Slow changes of a small part of the variance, which the order of a flock owes to its density, show in long blocks only.
/// Methods that choose the block by its noise take one that is too short for them. Three blocks are few, and the error has
/// the factor of Student's t for them, 4.3 / 1.96: Ibragimov and Müller, *t-statistic based correlation and heterogeneity
/// robust inference*, J. Bus. Econ. Stat. 28, 453 (2010). It scatters, and is about twice the deviation of the mean over
/// seeds.
///
/// The blocks within the thirds show whether these are long enough, without a choice by the thirds themselves. Squared
/// errors from the twelfths and from the forty-eighths of the series agree at the plateau of Flyvbjerg and Petersen, *Error
/// estimates on averages of correlated data*, J. Chem. Phys. 91, 461 (1989). If the one from twelfths is larger, the squared
/// error is taken to grow by this factor once more; above a factor of 2.5 it is unknown. A change that is slower than
/// the series cannot be seen in it: the spread over seeds can. Values that are NaN are left out.
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
    let known: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    let last = &known[known.len() % BLOCKS..];
    let Some(first) = last.first() else {
        return ErrorOfMean { error: f64::NAN, inefficiency: f64::NAN, growth: 1.0 };
    };
    // Differences from the first value, which are zero for equal values.
    let values: Vec<f64> = last.iter().map(|value| value - first).collect();
    let blocks = means(&values, values.len() / BLOCKS);
    let twelfths = means(&blocks, PARTS);
    let thirds = means(&twelfths, PARTS);
    let (short, long) = (squared_error(&blocks, PARTS), squared_error(&twelfths, PARTS));
    let growth = if long > short { long / short } else { 1.0 };
    let single = squared_error(&values, values.len());
    let inefficiency = if single == 0.0 { 1.0 } else { squared_error(&blocks, BLOCKS) / single };
    let is_known = growth <= MOST_GROWTH && known.len() as f64 >= INDEPENDENT * inefficiency;
    let error = if is_known { (STUDENT * growth * squared_error(&thirds, THIRDS)).sqrt() } else { f64::NAN };
    ErrorOfMean { error, inefficiency, growth }
}

/// The means of groups of this size.
fn means(values: &[f64], size: usize) -> Vec<f64> {
    values.chunks_exact(size).map(|group| group.iter().fold(0.0, |sum, value| sum + value) / size as f64).collect()
}

/// The squared standard error of the mean of independent values, by their differences within groups of this size.
fn squared_error(values: &[f64], size: usize) -> f64 {
    let squares = values
        .chunks_exact(size)
        .zip(means(values, size))
        .fold(0.0, |sum, (group, mean)| group.iter().fold(sum, |sum, value| sum + (value - mean) * (value - mean)));
    let count = values.len() as f64;
    squares / (count * (count - count / size as f64))
}

/// How many times as far the means of runs with different seeds spread as their errors say; `None` if that may be chance,
/// and for fewer than two runs with an error. A run is its mean and its [error](error_of_mean).
///
/// Runs differ by more than each of them shows if they forget their start more slowly than they last, or never. The
/// spread over seeds is then the error.
///
/// ```
/// use throng::measures::disagreement;
///
/// assert_eq!(disagreement(&[(0.50, 0.02), (0.51, 0.02), (0.49, 0.02)]), None);
/// assert!(disagreement(&[(0.3, 0.02), (0.5, 0.02), (0.7, 0.02)]).is_some_and(|times| times > 5.0));
/// ```
#[must_use]
pub fn disagreement(runs: &[(f64, f64)]) -> Option<f64> {
    let known: Vec<(f64, f64)> = runs.iter().copied().filter(|(mean, error)| !(mean + error).is_nan()).collect();
    if known.len() < 2 {
        return None;
    }
    let count = known.len() as f64;
    let means: Vec<f64> = known.iter().map(|(mean, _)| *mean).collect();
    let spread = STUDENT * count * squared_error(&means, means.len());
    let claimed = known.iter().fold(0.0, |sum, (_, error)| sum + error * error) / count;
    // Both variances scatter: of the means, and of single runs from three blocks.
    let by_chance = 1.0 + 3.0 * (2.0 / (count - 1.0) + 1.0 / count).sqrt();
    (spread > by_chance * claimed).then(|| (spread / claimed).sqrt())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::Noise;

    /// A first-order autoregressive series, which forgets by this factor in each step, around zero from a start.
    pub(in crate::measures) fn series(count: usize, memory: f64, start: f64, seed: u64) -> Vec<f64> {
        let mut noise = Noise::new(seed, 0, 0, Noise::USER);
        let mut value = start;
        let mut next = || {
            value = memory * value + f64::from(noise.unit()) - 0.5;
            value
        };
        (0..count).map(|_| next()).collect()
    }

    /// The closed form: the inefficiency is (1 + a) / (1 - a).
    #[test]
    fn inefficiencies_of_autoregressive_series_are_those_of_the_closed_form() {
        for memory in [0.0, 0.5, 0.9, 0.97] {
            let of = |seed| error_of_mean(&series(1 << 16, memory, 0.0, seed)).inefficiency;
            let found = (0..8).fold(0.0, |sum, seed| sum + of(seed) / 8.0);
            let exact = (1.0 + memory) / (1.0 - memory);
            assert!((found / exact - 1.0).abs() < 0.25, "memory {memory}: {found} {exact}");
        }
    }

    /// The share of series around zero whose interval of 95 % holds zero, and the share that has an interval.
    fn coverage(series: impl Fn(u64) -> Vec<f64>) -> [f64; 2] {
        let (mut known, mut held) = (0.0, 0.0);
        for seed in 0..SERIES {
            let values = series(seed);
            let error = error_of_mean(&values).error;
            if !error.is_nan() {
                let mean = values.iter().fold(0.0, |sum, value| sum + value) / values.len() as f64;
                known += 1.0;
                held += f64::from(u8::from(mean.abs() <= 1.96 * error));
            }
        }
        [held / known, known / SERIES as f64]
    }

    const SERIES: u64 = 400;

    /// Steady from the start: it has the variance of the series.
    fn steady(count: usize, memory: f64, seed: u64) -> Vec<f64> {
        series(count + 4096, memory, 0.0, seed).split_off(4096)
    }

    /// A sum of two series: of the second, which forgets more slowly, this share of the variance.
    fn two_times(count: usize, memories: [f64; 2], share: f64, seed: u64) -> Vec<f64> {
        let [fast, slow] = [seed, seed + SERIES].map(|own| steady(count, memories[usize::from(own != seed)], own));
        let scale = |memory: f64, share: f64| (share * (1.0 - memory * memory)).sqrt();
        let [one, other] = [scale(memories[0], 1.0 - share), scale(memories[1], share)];
        fast.iter().zip(&slow).map(|(fast, slow)| one * fast + other * slow).collect()
    }

    /// The least share is of the series that have an error.
    #[test]
    fn an_interval_of_95_percent_holds_the_mean_of_90_to_98_percent_of_series() {
        for (count, memory, least) in
            [(512, 0.0, 0.95), (512, 0.8, 0.5), (4096, 0.9, 0.85), (4096, 0.95, 0.8), (4096, 0.97, 0.6)]
        {
            let [held, known] = coverage(|seed| steady(count, memory, seed));
            assert!((0.9..=0.98).contains(&held) && known >= least, "{count}, memory {memory}: {held} of {known}");
        }
        // A part of the variance is forgotten in 1250, 1000, 200 and 100 values, and the rest in three.
        for (memory, share, least) in [(0.9992, 0.05, 0.4), (0.999, 0.01, 0.5), (0.995, 0.05, 0.4), (0.99, 0.2, 0.3)] {
            let [held, known] = coverage(|seed| two_times(8192, [0.7, memory], share, seed));
            assert!((0.9..=0.98).contains(&held) && known >= least, "memory {memory}: {held} of {known}");
        }
    }

    #[test]
    fn an_error_is_unknown_for_a_reason() {
        let kind = |values: &[f64]| error_of_mean(values).warning("order").map(|warning| warning.kind);
        // Ten correlation times: it grows with the block, or has too few independent values.
        let [_, known] = coverage(|seed| steady(1000, 0.99, seed));
        assert!(known < 0.1, "{known}");
        // A fifth of the variance is forgotten in a tenth of the series.
        let [_, known] = coverage(|seed| two_times(4096, [0.5, 0.9975], 0.2, seed));
        assert!(known < 0.3, "{known}");
        let drift = |seed| {
            series(4096, 0.5, 0.0, seed).into_iter().zip(0..).map(|(value, tick)| value + f64::from(tick) / 4096.0)
        };
        assert!((0..40).all(|seed| kind(&drift(seed).collect::<Vec<_>>()) == Some(WarningKind::Growing)));
        assert_eq!([kind(&[0.5; 10]), kind(&[0.5; 49])], [Some(WarningKind::FewValues); 2]);
        assert_eq!(kind(&[f64::NAN; 100]), Some(WarningKind::FewValues));
        assert!(kind(&[]).is_some() && kind(&[f64::INFINITY; 100]).is_some() && kind(&[0.1; 50]).is_none());
        let constant = error_of_mean(&[0.1; 50]);
        assert_eq!((constant.error, constant.inefficiency, constant.growth), (0.0, 1.0, 1.0));
    }

    /// Runs that differ by a constant of their own, of the size of their noise, and runs that do not.
    #[test]
    fn seeds_that_differ_by_more_than_chance_are_noticed() {
        let run = |seed: u64, own: f64| {
            let values = series(4096, 0.8, 0.0, seed);
            let mean = values.iter().fold(0.0, |sum, value| sum + value) / 4096.0;
            (mean + own, error_of_mean(&values).error)
        };
        let groups = |own: f64| {
            let group =
                |first: u64| (first..first + 8).map(|seed| run(seed, if seed % 2 == 0 { own } else { 0.0 })).collect();
            let found = (0..25).filter(|first| disagreement(&Vec::from_iter::<Vec<_>>(group(8 * first))).is_some());
            found.count()
        };
        assert!(groups(0.0) <= 1 && groups(0.3) == 25, "{} {}", groups(0.0), groups(0.3));
    }
}
