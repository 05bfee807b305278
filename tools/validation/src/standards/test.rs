//! Tests of the standards: the measurements of each in a run, and how the numbers of all runs are judged.

use crate::run::Outcome;
use crate::standards::crowd::Run;

/// A test, or several of different standards with the same set-up.
pub(crate) struct Test {
    /// The name on the command line: the name of its first scene.
    pub(crate) name: &'static str,
    /// The tests of the standards, each with its number; none for one against experiments alone.
    pub(crate) of: &'static [&'static str],
    pub(crate) title: &'static str,
    /// The set-up, and the source of the bounds.
    pub(crate) text: &'static str,
    /// The figures that the authors of JuPedSim publish about it; empty if nothing was found.
    pub(crate) peers: &'static str,
    pub(crate) values: &'static [Value],
    /// The known failures. One that is not known is an error of the program.
    pub(crate) fail: &'static [Failure],
    /// Whether the short form runs it.
    pub(crate) short: bool,
    /// The numbers of one run, for each value.
    pub(crate) measure: fn(&Run) -> Outcome<Vec<Vec<f64>>>,
}

/// A failure that is known: of a model in a test.
pub(crate) struct Failure {
    pub(crate) model: &'static str,
    pub(crate) grade: Grade,
    /// The failure in words, and its cause.
    pub(crate) words: &'static str,
}

impl Failure {
    pub(crate) const fn disqualifying(model: &'static str, words: &'static str) -> Self {
        Self { model, grade: Grade::Disqualifying, words }
    }

    pub(crate) const fn serious(model: &'static str, words: &'static str) -> Self {
        Self { model, grade: Grade::Serious, words }
    }

    pub(crate) const fn minor(model: &'static str, words: &'static str) -> Self {
        Self { model, grade: Grade::Minor, words }
    }
}

/// How much a failure weighs for one that plans a building.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Grade {
    /// People stay inside for ever, or are out so early that a report would be unsafe.
    Disqualifying,
    /// A result is wrong that a report may quote.
    Serious,
    /// Near the bound, or wrong only in the detail.
    Minor,
}

impl Grade {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Disqualifying => "disqualifying",
            Self::Serious => "serious",
            Self::Minor => "minor",
        }
    }
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
    /// The p-value of Student's test that the mean of all numbers is not negative.
    NotNegative,
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

    /// Sums up the numbers of all runs.
    pub(crate) fn sum_up(&self, numbers: &[f64]) -> Summary {
        let count = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / count;
        let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let deviation = (numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / count).sqrt();
        let shown = match self.over {
            Over::Each | Over::Mean => mean,
            Over::Deviation => deviation,
            Over::Distribution(share_below) => kolmogorov_smirnov(numbers, share_below),
            Over::NotNegative => student(mean, deviation, count),
        };
        let kept = numbers.iter().filter(|number| self.within(**number) >= 0.0).count();
        Summary { shown, least, most, kept, numbers: numbers.len() }
    }

    /// How far a number is from the nearer bound: negative outside.
    fn within(&self, number: f64) -> f64 {
        if number.is_finite() { (number - self.low).min(self.high - number) } else { f64::NEG_INFINITY }
    }

    /// How far the worst of the numbers that count is from the nearer bound: negative outside.
    pub(crate) fn margin(&self, summary: &Summary) -> f64 {
        match self.over {
            Over::Each => self.within(summary.least).min(self.within(summary.most)),
            Over::Mean | Over::Deviation | Over::Distribution(_) | Over::NotNegative => self.within(summary.shown),
        }
    }

    /// Whether the bounds are kept; a value without bounds always keeps them.
    pub(crate) fn holds(&self, summary: &Summary) -> bool {
        !self.judged() || self.margin(summary) >= 0.0
    }
}

/// The numbers of all runs for a value, summed up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Summary {
    /// The mean, the standard deviation or the p-value.
    pub(crate) shown: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
    /// How many numbers keep the bounds.
    pub(crate) kept: usize,
    pub(crate) numbers: usize,
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

/// The p-value of Student's test that a mean is not negative: how likely a mean as low or lower is, if the true one is
/// zero. The deviation is the one of the sample itself.
fn student(mean: f64, deviation: f64, count: f64) -> f64 {
    if deviation == 0.0 || count < 2.0 {
        return if mean < 0.0 { 0.0 } else { 1.0 };
    }
    // With the tangent of an angle for t / sqrt(freedom), the density is a power of its cosine.
    let freedom = count - 1.0;
    let angle = (mean / deviation).atan();
    let density = |angle: f64| angle.cos().powf(freedom - 1.0);
    let quarter = 0.5 * std::f64::consts::PI;
    simpson(density, -quarter, angle) / simpson(density, -quarter, quarter)
}

/// The share of a standard normal distribution below a number.
pub(crate) fn normal_below(number: f64) -> f64 {
    if number <= -8.0 {
        return 0.0;
    }
    simpson(|x| (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt(), -8.0, number.min(8.0))
}

/// An integral by Simpson's rule.
fn simpson(of: impl Fn(f64) -> f64, from: f64, to: f64) -> f64 {
    let steps = 400;
    let width = (to - from) / f64::from(steps);
    let sum: f64 = (0..=steps)
        .map(|step| {
            let weight = if step == 0 || step == steps {
                1.0
            } else if step % 2 == 1 {
                4.0
            } else {
                2.0
            };
            weight * of(from + width * f64::from(step))
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
        // The 1 % and 0.1 % points of Student's t with 29 degrees of freedom are 2.462 and 3.396.
        for (t, share) in [(-3.396, 0.001), (-2.462, 0.01), (0.0, 0.5), (2.462, 0.99)] {
            let p = student(t, 29f64.sqrt(), 30.0);
            assert!((p - share).abs() < 2e-5, "{t} {p}");
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
        let holds = |value: &Value, numbers: &[f64]| value.holds(&value.sum_up(numbers));
        assert!(holds(&value, &[30.0, 33.0]) && value.margin(&value.sum_up(&[30.0, 33.0])) == 1.0);
        assert!(!holds(&value, &[30.0, 35.0]));
        assert!(!holds(&Value::mean("time", "s", 0.0, f64::INFINITY), &[1.0, f64::INFINITY]));
    }
}
