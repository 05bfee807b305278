//! Errors of means of correlated series, and the relaxation of a series.

/// The error of the mean of a series whose values depend on each other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ErrorOfMean {
    /// The standard error of the mean: 1.96 of it are half the length of the interval that holds the true mean in 95 % of
    /// runs. NaN if the series has fewer than 50 independent values.
    pub error: f64,
    /// The number of values that are worth one independent value: twice the integrated autocorrelation time. NaN if
    /// blocks of every length depend on each other.
    pub inefficiency: f64,
}

/// The fewest blocks from which an inefficiency is estimated.
const FEWEST: usize = 8;

/// The fewest independent values from which an error is estimated.
const INDEPENDENT: f64 = 50.0;

/// A block for the error is this part of the series.
const PART: usize = 3;

/// The factor of the squared error. Three blocks are a small sample: with 1.74, the interval holds the mean of independent
/// values in 95 % of series, and the mean of slow ones less often. With 2.5 it is 97 %, and 94 % with 50 independent values.
const SMALL_SAMPLE: f64 = 2.5;

/// The standard error of the mean of a series, from the means of all its thirds.
///
/// Long blocks hold slow changes of a small part of the variance, which the order of a flock owes to its density. Methods
/// that choose the length of a block take one that is too short for them. All overlapping blocks of a third of the series
/// count: Meketon and Schmeiser, *Overlapping batch means: something for nothing?*, Proc. Winter
/// Simulation Conference, 226 (1984); the factor for so few blocks follows Kiefer and Vogelsang, *A new asymptotic theory
/// for heteroskedasticity-autocorrelation robust tests*, Econometric Theory 21, 1130 (2005). A change that is slower than
/// the series cannot be seen in it: the spread over seeds can.
///
/// The inefficiency is found by blocking: Flyvbjerg and Petersen, *Error estimates on averages of correlated data*, J. Chem.
/// Phys. 91, 461 (1989), with the length of Lee, Rosta, Huang and Needs, Phys. Rev. E 83, 066706 (2011): the least power of
/// two with B³ > 2 N (e(B) / e(1))⁴, where e are the errors from N values in blocks. Values that are NaN are left out.
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
    let values: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    let inefficiency = inefficiency(&values);
    let is_known = values.len() as f64 >= INDEPENDENT * inefficiency;
    let error = if is_known { (SMALL_SAMPLE * squared_error_of_thirds(&values)).sqrt() } else { f64::NAN };
    ErrorOfMean { error, inefficiency }
}

/// The number of values that are worth one independent value.
fn inefficiency(values: &[f64]) -> f64 {
    let (count, mut length) = (values.len() as f64, 1.0);
    let first = squared_error(values);
    if first == 0.0 {
        return 1.0;
    }
    let mut means = values.to_vec();
    while means.len() >= FEWEST {
        let inefficiency = squared_error(&means) / first;
        if length * length * length > 2.0 * count * inefficiency * inefficiency {
            return inefficiency;
        }
        means = means.chunks_exact(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
        length *= 2.0;
    }
    f64::NAN
}

/// The squared standard error of the mean from the means of all blocks of a third of the values.
fn squared_error_of_thirds(values: &[f64]) -> f64 {
    let (count, length) = (values.len(), values.len() / PART);
    // Around the first value, so that equal values have no error.
    let mean = values[0] + values.iter().fold(0.0, |sum, value| sum + (value - values[0])) / count as f64;
    let mut sum = values[..length].iter().fold(0.0, |sum, value| sum + (value - mean));
    let mut squares = sum * sum;
    for (first, next) in values.iter().zip(&values[length..]) {
        sum += next - first;
        squares += sum * sum;
    }
    let (rest, blocks) = ((count - length) as f64, (count - length + 1) as f64);
    squares / (length as f64 * rest * blocks)
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

/// How many times as far the means of runs with different seeds spread as their errors say; `None` if that may be chance,
/// and for fewer than three runs with an error. A run is its mean and its [error](error_of_mean).
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
    let count = known.len() as f64;
    let means: Vec<f64> = known.iter().map(|(mean, _)| *mean).collect();
    let spread = count * squared_error(&means);
    let claimed = known.iter().fold(0.0, |sum, (_, error)| sum + error * error) / count;
    // Both variances scatter: of the means, and of single runs from few blocks.
    let by_chance = 1.0 + 3.0 * (2.0 / (count - 1.0) + 1.0 / count).sqrt();
    (known.len() >= 3 && SMALL_SAMPLE * spread > by_chance * claimed).then(|| (spread * SMALL_SAMPLE / claimed).sqrt())
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

    /// The share of series around zero whose interval of 95 % holds zero, among those that have one.
    fn coverage(series: impl Fn(u64) -> Vec<f64>) -> f64 {
        let (mut known, mut held) = (0.0, 0.0);
        for seed in 0..400 {
            let values = series(seed);
            let error = error_of_mean(&values).error;
            if !error.is_nan() {
                let mean = values.iter().fold(0.0, |sum, value| sum + value) / values.len() as f64;
                known += 1.0;
                held += f64::from(u8::from(mean.abs() <= 1.96 * error));
            }
        }
        assert!(known >= 40.0, "{known} of 400 series have an error");
        held / known
    }

    #[test]
    fn an_interval_of_95_percent_holds_the_mean_of_as_many_series() {
        // Steady from the start: it has the variance of the series.
        let steady = |count: usize, memory: f64, seed| {
            let mut values = series(count + 4096, memory, 0.0, seed);
            values.drain(..4096);
            values
        };
        for (count, memory) in [(512, 0.0), (512, 0.8), (4096, 0.9), (4096, 0.95), (4096, 0.97)] {
            let found = coverage(|seed| steady(count, memory, seed));
            assert!((0.9..=0.99).contains(&found), "{count} values, memory {memory}: {found}");
        }
        // Two times: a twentieth of the variance is forgotten in 200 values, the rest in three.
        let slow = |seed| {
            let (fast, slow) = (steady(8192, 0.7, seed), steady(8192, 0.995, seed + 1000));
            let scale = (0.05 * (1.0 - 0.995f64.powi(2)) / (1.0 - 0.7f64.powi(2)) / 0.95).sqrt();
            fast.iter().zip(&slow).map(|(fast, slow)| fast + scale * slow).collect()
        };
        let found = coverage(slow);
        assert!((0.9..=0.99).contains(&found), "two times: {found}");
    }

    #[test]
    fn short_and_constant_series_are_told_apart() {
        assert!(error_of_mean(&series(400, 0.99, 0.0, 1)).error.is_nan());
        assert!(error_of_mean(&[]).error.is_nan() && error_of_mean(&[1.0]).error.is_nan());
        assert_eq!(error_of_mean(&[0.1; 50]).error, 0.0);
    }

    /// A drift moves the mean by half of its height, which the error holds.
    #[test]
    fn the_error_of_a_drift_holds_its_height() {
        let drift: Vec<f64> =
            series(4096, 0.5, 0.0, 3).iter().zip(0..).map(|(value, tick)| value + f64::from(tick) / 4096.0).collect();
        let found = error_of_mean(&drift).error;
        assert!(found.is_nan() || found > 0.25, "{found}");
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
