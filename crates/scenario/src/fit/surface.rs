//! Surfaces of the second degree over a box, by least squares, and the least cost on them.

use super::fitted::Fitted;
use super::search::search;

/// The runs for each coefficient of a surface.
pub(super) const RUNS: u64 = 4;

/// The points of the search on surfaces, for each key.
const POINTS: u64 = 30;

/// The number of points that intervals of this number of keys take.
pub(super) fn points(keys: usize) -> u64 {
    RUNS * terms(&vec![0.0; keys]).len() as u64
}

/// One, the coordinates and their products: the terms of a surface of the second degree.
pub(super) fn terms(at: &[f64]) -> Vec<f64> {
    let products = at.iter().enumerate().flat_map(|(key, one)| at[key..].iter().map(move |other| one * other));
    std::iter::once(1.0).chain(at.iter().copied()).chain(products).collect()
}

/// The height of a surface.
pub(super) fn height(surface: &[f64], terms: &[f64]) -> f64 {
    surface.iter().zip(terms).map(|(one, term)| one * term).sum()
}

/// The coefficients of least squares for each answer: `None` if there are too few rows for them.
pub(super) fn surface(rows: &[Vec<f64>], answers: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let (count, answered) = (rows.first()?.len(), answers.first()?.len());
    let sum = |of: &dyn Fn(usize) -> f64| (0..rows.len()).map(of).sum::<f64>();
    // The normal equations, with a column for each answer behind them.
    let mut lines: Vec<Vec<f64>> = (0..count)
        .map(|line| {
            let left = (0..count).map(|column| sum(&|row| rows[row][line] * rows[row][column]));
            let right = (0..answered).map(|column| sum(&|row| rows[row][line] * answers[row][column]));
            left.chain(right).collect()
        })
        .collect();
    for pivot in 0..count {
        let divisor = lines[pivot][pivot];
        if divisor < 1e-9 * rows.len() as f64 {
            return None;
        }
        lines[pivot].iter_mut().for_each(|number| *number /= divisor);
        let own = lines[pivot].clone();
        for line in (0..count).filter(|line| *line != pivot) {
            let factor = lines[line][pivot];
            lines[line].iter_mut().zip(&own).for_each(|(number, own)| *number -= factor * own);
        }
    }
    Some((0..answered).map(|answer| lines.iter().map(|line| line[count + answer]).collect()).collect())
}

/// The point of the box from -1 to 1 with the least cost.
pub(super) fn minimum(keys: usize, cost: &dyn Fn(&[f64]) -> f64) -> Vec<f64> {
    let measure = |shares: &[f64], _: &[Fitted]| {
        let values: Vec<f64> = shares.iter().map(|share| (2.0 * share - 1.0).clamp(-1.0, 1.0)).collect();
        let distance = cost(&values);
        Ok((Fitted { values, distance }, true))
    };
    let points = search(keys, POINTS * keys as u64, measure).unwrap_or_default();
    let best = points.into_iter().min_by(|one, other| one.distance.total_cmp(&other.distance));
    best.map_or(vec![0.0; keys], |best| best.values)
}
