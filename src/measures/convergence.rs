//! Whether further runs with other seeds would change the mean egress curve.

/// The number of runs one after another that must change little.
const RUNS: usize = 10;

/// The changes that a run made to the results of all runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// Of the mean time of the last exit, as a share of it.
    pub mean: f64,
    /// Of the standard deviation of this time, as a share of it.
    pub deviation: f64,
    /// Of the mean curve: the Euclidean relative difference.
    pub distance: f64,
    /// Of the mean curve: how far the Euclidean projection coefficient is from one.
    pub projection: f64,
}

impl Change {
    fn is_below(&self, tolerance: f64) -> bool {
        [self.mean, self.deviation, self.distance, self.projection].into_iter().all(|change| change < tolerance)
    }
}

/// The convergence of the egress curves of runs with different seeds.
///
/// Runs are added until the mean time of the last exit, its standard deviation and the mean curve change by less than a
/// tolerance in ten runs one after another: Ronchi, Reneke and Peacock, *A method for the analysis of behavioural
/// uncertainty in evacuation modelling*, Fire Technology 50, 1545 (2014).
///
/// ```
/// use throng::measures::Convergence;
///
/// let mut convergence = Convergence::new(Some(0.01));
/// while !convergence.is_reached() {
///     // The times at which three agents left.
///     convergence.add(&[2.0, 3.0, 4.0], 3);
/// }
/// assert_eq!(convergence.runs(), 12);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Convergence {
    tolerance: Option<f64>,
    runs: u64,
    /// The sums of the exit times of the first, the second and each further agent, over all runs.
    sums: Vec<f64>,
    /// The times of the last exits.
    lasts: Vec<f64>,
    changes: Vec<Change>,
    is_incomplete: bool,
}

impl Convergence {
    /// A convergence without runs. Without a tolerance it is never reached.
    #[must_use]
    pub fn new(tolerance: Option<f64>) -> Self {
        Self { tolerance, ..Self::default() }
    }

    /// Adds a run: the times at which agents left in ascending order, and the number of its agents.
    pub fn add(&mut self, exits: &[f64], agents: usize) {
        self.is_incomplete |= exits.len() < agents;
        let runs = self.runs as f64;
        let length = if self.runs == 0 { exits.len() } else { usize::min(self.sums.len(), exits.len()) };
        self.runs += 1;
        self.sums.resize(length, 0.0);
        let before: Vec<f64> = self.sums.iter().map(|sum| sum / runs).collect();
        self.sums.iter_mut().zip(exits).for_each(|(sum, time)| *sum += time);
        let spread = |lasts: &[f64]| {
            let count = lasts.len() as f64;
            let mean = lasts.iter().fold(0.0, |sum, last| sum + last) / count;
            let squares = lasts.iter().fold(0.0, |sum, last| sum + (last - mean) * (last - mean));
            [mean, (squares / (count - 1.0)).sqrt()]
        };
        let earlier = spread(&self.lasts);
        self.lasts.extend(exits.last());
        if runs < 1.0 {
            return;
        }
        let now = spread(&self.lasts);
        let share =
            |place: usize| if now[place] > 0.0 { ((now[place] - earlier[place]) / now[place]).abs() } else { 0.0 };
        let after: Vec<f64> = self.sums.iter().map(|sum| sum / (runs + 1.0)).collect();
        let sum =
            |of: fn(f64, f64) -> f64| before.iter().zip(&after).fold(0.0, |sum, (one, other)| sum + of(*one, *other));
        let squares = sum(|_, after| after * after);
        // Two runs have no earlier deviation.
        let deviation = if runs < 2.0 { f64::INFINITY } else { share(1) };
        let safe = |value: f64| if squares > 0.0 { value } else { 0.0 };
        self.changes.push(Change {
            mean: share(0),
            deviation,
            distance: safe((sum(|before, after| (before - after) * (before - after)) / squares).sqrt()),
            projection: safe((sum(|before, after| before * after) / squares - 1.0).abs()),
        });
    }

    /// The number of runs.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// The changes of every run after the first.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Whether agents were left in a run.
    #[must_use]
    pub fn is_incomplete(&self) -> bool {
        self.is_incomplete
    }

    /// Whether the last ten runs changed the results by less than the tolerance each. Runs without exits never do.
    #[must_use]
    pub fn is_reached(&self) -> bool {
        let Some(tolerance) = self.tolerance.filter(|_| !self.sums.is_empty()) else { return false };
        let last = self.changes.len().checked_sub(RUNS).map(|first| &self.changes[first..]);
        last.is_some_and(|last| last.iter().all(|change| change.is_below(tolerance)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_runs_converge_and_others_do_not() {
        let curve: Vec<f64> = (1..50).map(|person| 0.5 * f64::from(person)).collect();
        let run = |factor: f64| curve.iter().map(|time| factor * time).collect::<Vec<f64>>();
        let mut equal = Convergence::new(Some(0.01));
        for number in 0..=RUNS + 1 {
            assert!(!equal.is_reached(), "{number}");
            equal.add(&run(1.0), curve.len());
        }
        assert!(equal.is_reached() && !equal.is_incomplete());
        let mut other = Convergence::new(Some(0.01));
        (0..15).for_each(|number| other.add(&run(if number % 2 == 0 { 1.0 } else { 2.0 }), curve.len() + 1));
        assert!(!other.is_reached() && other.is_incomplete());
    }

    /// Two runs of two persons, by hand: means of 2 and 4 become 3 and 5.
    #[test]
    fn changes_are_those_of_the_method() {
        let mut found = Convergence::new(None);
        found.add(&[2.0, 4.0], 2);
        found.add(&[4.0, 6.0], 2);
        let change = found.changes()[0];
        assert!((change.mean - 1.0 / 5.0).abs() < 1e-12, "{change:?}");
        assert!((change.distance - (2.0f64 / 34.0).sqrt()).abs() < 1e-12, "{change:?}");
        assert!((change.projection - (26.0f64 / 34.0 - 1.0).abs()).abs() < 1e-12, "{change:?}");
        assert_eq!(change.deviation, f64::INFINITY);
    }
}
