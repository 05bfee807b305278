//! The start of a series that still remembers its start.

/// The number of values whose mean is one point of [`relaxation`].
const BATCH: usize = 5;

/// The fewest points from which an error is estimated.
const FEWEST: f64 = 8.0;

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
        if count >= FEWEST && squares / (count * count) <= best.0 {
            best = (squares / (count * count), number);
        }
    }
    (2 * best.1 <= batches.len() && best.0 < f64::INFINITY).then_some(BATCH * best.1)
}

#[cfg(test)]
mod tests {
    use super::relaxation;
    use crate::measures::blocking::tests::series;

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
