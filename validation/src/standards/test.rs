//! Tests of the standards: the measurements of each in a run, and how the numbers of all runs are judged.

use crate::run::Outcome;
use crate::standards::crowd::Run;

/// A test, or several of different standards with the same set-up.
pub(crate) struct Test {
    /// The name on the command line: the name of its first scene.
    pub(crate) name: &'static str,
    /// The tests of the standards, each with its number.
    pub(crate) of: &'static [&'static str],
    pub(crate) title: &'static str,
    /// The set-up, and the source of the bounds.
    pub(crate) text: &'static str,
    /// The figures that the authors of JuPedSim publish about it; empty if nothing was found.
    pub(crate) peers: &'static str,
    pub(crate) values: &'static [Value],
    /// The models that are known to fail. A failure of another model is an error of the program.
    pub(crate) fail: &'static [&'static str],
    /// Whether the short form runs it.
    pub(crate) short: bool,
    /// The numbers of one run, for each value.
    pub(crate) measure: fn(&Run) -> Outcome<Vec<Vec<f64>>>,
}

/// The numbers of one run with a single number for each value.
pub(crate) fn one_each(numbers: impl IntoIterator<Item = f64>) -> Vec<Vec<f64>> {
    numbers.into_iter().map(|number| vec![number]).collect()
}

/// A value that a test measures, and the bounds that it must keep.
pub(crate) struct Value {
    pub(crate) what: &'static str,
    pub(crate) unit: &'static str,
    /// Infinite without a bound. A value without bounds is reported only.
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) over: Over,
}

/// The values that have to keep the bounds.
#[derive(Clone, Copy)]
pub(crate) enum Over {
    /// Every number of every run.
    Each,
    /// The mean of all numbers.
    Mean,
    /// The standard deviation of all numbers.
    Deviation,
    /// The p-value of the test of Kolmogorov and Smirnov of all numbers against a distribution.
    Distribution(fn(f64) -> f64),
}

impl Value {
    /// A value whose every number must be between two bounds.
    pub(crate) const fn each(what: &'static str, unit: &'static str, low: f64, high: f64) -> Self {
        Self { what, unit, low, high, over: Over::Each }
    }

    /// A value whose mean must be between two bounds.
    pub(crate) const fn mean(what: &'static str, unit: &'static str, low: f64, high: f64) -> Self {
        Self { what, unit, low, high, over: Over::Mean }
    }

    /// A value without bounds.
    pub(crate) const fn reported(what: &'static str, unit: &'static str) -> Self {
        Self::mean(what, unit, f64::NEG_INFINITY, f64::INFINITY)
    }

    /// Whether it has a bound.
    pub(crate) fn judged(&self) -> bool {
        self.low.is_finite() || self.high.is_finite()
    }

    /// Judges the numbers of all runs.
    pub(crate) fn judge(&self, numbers: &[f64]) -> Verdict {
        let count = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / count;
        let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let deviation = (numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / count).sqrt();
        let within = |number: f64| {
            if number.is_finite() { (number - self.low).min(self.high - number) } else { f64::NEG_INFINITY }
        };
        let (shown, margin) = match self.over {
            Over::Each => (mean, numbers.iter().map(|number| within(*number)).fold(f64::INFINITY, f64::min)),
            Over::Mean => (mean, within(mean)),
            Over::Deviation => (deviation, within(deviation)),
            Over::Distribution(share_below) => {
                let p = kolmogorov_smirnov(numbers, share_below);
                (p, within(p))
            }
        };
        let kept = numbers.iter().filter(|number| within(**number) >= 0.0).count();
        Verdict { shown, least, most, margin, kept, numbers: numbers.len() }
    }
}

/// The judgement of a value.
pub(crate) struct Verdict {
    /// The mean, the standard deviation or the p-value.
    pub(crate) shown: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
    /// The distance to the nearer bound: negative outside.
    pub(crate) margin: f64,
    /// How many numbers keep the bounds.
    pub(crate) kept: usize,
    pub(crate) numbers: usize,
}

impl Verdict {
    /// Whether the bounds are kept.
    pub(crate) fn holds(&self) -> bool {
        self.margin >= 0.0
    }
}

/// The p-value of a sample against a distribution, from the asymptotic formula with Stephens' correction for samples of
/// finite size (Journal of the Royal Statistical Society B 32, 115, 1970).
fn kolmogorov_smirnov(sample: &[f64], share_below: fn(f64) -> f64) -> f64 {
    let mut sorted = sample.to_vec();
    sorted.sort_by(f64::total_cmp);
    let count = sorted.len() as f64;
    let distance = sorted.iter().enumerate().fold(0.0, |most: f64, (number, value)| {
        let share = share_below(*value);
        most.max(share - number as f64 / count).max((number + 1) as f64 / count - share)
    });
    let scaled = (count.sqrt() + 0.12 + 0.11 / count.sqrt()) * distance;
    let terms = (1..=100).map(|k| {
        let k = f64::from(k);
        (if k % 2.0 == 1.0 { 2.0 } else { -2.0 }) * (-2.0 * (k * scaled).powi(2)).exp()
    });
    if scaled < 0.3 { 1.0 } else { terms.sum::<f64>().clamp(0.0, 1.0) }
}

/// The share of a standard normal distribution below a number, by Simpson's rule.
pub(crate) fn normal_below(number: f64) -> f64 {
    if number <= -8.0 {
        return 0.0;
    }
    let steps = 400;
    let width = (number.min(8.0) + 8.0) / f64::from(steps);
    let density = |x: f64| (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let sum: f64 = (0..=steps)
        .map(|step| {
            let weight = if step == 0 || step == steps {
                1.0
            } else if step % 2 == 1 {
                4.0
            } else {
                2.0
            };
            weight * density(-8.0 + width * f64::from(step))
        })
        .sum();
    sum * width / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables of the normal distribution, and of Kolmogorov's: 1.358 is the 5 % point.
    #[test]
    fn statistics_agree_with_tables() {
        for (number, share) in [(-1.96, 0.025), (0.0, 0.5), (1.0, 0.841_345), (3.0, 0.998_650)] {
            assert!((normal_below(number) - share).abs() < 1e-5, "{number}");
        }
        let uniform = |shift: f64| (0..10_000).map(|k| (f64::from(k) + 0.5) / 1e4 + shift).collect::<Vec<_>>();
        let p = kolmogorov_smirnov(&uniform(0.01358), |x| x.clamp(0.0, 1.0));
        assert!((p - 0.05).abs() < 0.002, "{p}");
        assert!(kolmogorov_smirnov(&uniform(0.0), |x| x.clamp(0.0, 1.0)) > 0.99);
    }

    /// The margin of the worst number counts, and a run without an end keeps no bound.
    #[test]
    fn verdicts() {
        let value = Value::each("time", "s", 26.0, 34.0);
        let verdict = value.judge(&[30.0, 33.0]);
        assert!(verdict.holds() && verdict.margin == 1.0);
        assert!(!value.judge(&[30.0, 35.0]).holds());
        assert!(!Value::mean("time", "s", 0.0, f64::INFINITY).judge(&[1.0, f64::INFINITY]).holds());
    }
}
