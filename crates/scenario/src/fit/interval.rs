//! Intervals of fitted keys, by the bootstrap over blocks of frames, recordings or persons.
//!
//! A fit for each resample would take its own runs. Instead, runs around the best point give surfaces of the second degree
//! in the keys: of the quantiles of each pattern, or of the distance of each person. Resamples are fitted on these.

use std::cell::{Cell, RefCell};

use rayon::prelude::*;
use throng::measures::{Pattern, Patterns, confidence};

use super::fitted::{FitFault, Fitted, Watch};
use super::search::{filled, search};
use super::{Fit, Sought};

/// The half of the edge of the box around the best point in which runs are made, as a share of the ranges.
const REACH: f64 = 0.2;

/// The runs for each coefficient of a surface.
const RUNS: u64 = 4;

/// The quantiles by which a distribution is known.
const LEVELS: usize = 32;

/// The fewest blocks, recordings or persons from which an interval follows.
const FEWEST: usize = 5;

/// The points of the search on surfaces, for each key.
const POINTS: u64 = 30;

/// The number of points that intervals of this number of keys take.
pub(super) fn points(keys: usize) -> u64 {
    RUNS * terms(&vec![0.0; keys]).len() as u64
}

/// One, the coordinates and their products: the terms of a surface of the second degree.
fn terms(at: &[f64]) -> Vec<f64> {
    let products = at.iter().enumerate().flat_map(|(key, one)| at[key..].iter().map(move |other| one * other));
    std::iter::once(1.0).chain(at.iter().copied()).chain(products).collect()
}

/// Quantiles in the middle of equal shares of the values. They must be sorted, and not empty.
fn quantiles(sorted: &[f64], count: usize) -> impl Iterator<Item = f64> {
    (0..count).map(move |level| sorted[(2 * level + 1) * sorted.len() / (2 * count)])
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_unstable_by(f64::total_cmp);
    values
}

/// The recorded values of one block of a pattern, thinned.
type Thinned = Vec<Vec<Vec<f64>>>;

impl Fit {
    /// The interval of each key at the best point, with 95 % confidence; `None` for a key whose value the tracks do not
    /// bound within a fifth of its range, and without [`FitDesign::interval`](super::FitDesign::interval).
    ///
    /// # Errors
    ///
    /// As for [`run`](Self::run).
    pub fn intervals(&self, best: &[f64], watch: &Watch<'_>) -> Result<Vec<Option<[f64; 2]>>, FitFault> {
        let sought = &self.design.sought;
        let none = vec![None; sought.len()];
        let count = self.replay.as_ref().map_or(self.tracks.units.len(), |replay| replay.chosen.len());
        if !self.design.interval || sought.is_empty() || count < FEWEST {
            return Ok(none);
        }
        let sides: Vec<[f64; 2]> = sought.iter().zip(best).map(|(sought, value)| side(sought, *value)).collect();
        let runs = (0..points(sought.len())).into_par_iter().map(|number| {
            let values: Vec<f64> = filled(sought.len(), number)
                .iter()
                .zip(sought.iter().zip(&sides))
                .map(|(share, (sought, [low, high]))| {
                    sought.at((low + share * (high - low) - sought.low) / (sought.high - sought.low))
                })
                .collect();
            // A whole number is not where it was sought.
            let at = values.iter().zip(&sides).map(|(value, [low, high])| 2.0 * (value - low) / (high - low) - 1.0);
            let row = terms(&at.collect::<Vec<_>>());
            match self.answer(&values, watch) {
                Ok(answer) => Ok(answer.map(|answer| (row, answer))),
                Err(FitFault::Scenario(_) | FitFault::Build(_)) => Ok(None),
                Err(fault) => Err(fault),
            }
        });
        let runs = runs.collect::<Result<Vec<_>, _>>()?;
        let (rows, answers): (Vec<_>, Vec<_>) = runs.into_iter().flatten().unzip();
        let Some(surface) = surface(&rows, &answers) else { return Ok(none) };
        let recorded = self.thinned();
        let optimum = |drawn: &[f64]| {
            let target = self.replay.is_none().then(|| target(&recorded, drawn));
            let cost = |at: &[f64]| cost(&surface, &terms(at), target.as_deref(), drawn);
            minimum(sought.len(), &cost)
        };
        let all: Vec<f64> = (0..count).map(|unit| unit as f64).collect();
        let (middle, optima, call) = (optimum(&all), RefCell::new(Vec::<Vec<f64>>::new()), Cell::new(0));
        let widening = self.widening(count);
        let interval = |key: usize| {
            call.set(0);
            // The draws are the same for each key.
            let ends = confidence(&all, |drawn| {
                let number = call.replace(call.get() + 1);
                if optima.borrow().len() <= number {
                    let optimum = optimum(drawn);
                    optima.borrow_mut().push(optimum);
                }
                optima.borrow()[number][key]
            });
            let (Sought { low, high, .. }, side) = (&sought[key], sides[key]);
            let value = |at: f64| side[0] + (at + 1.0) / 2.0 * (side[1] - side[0]);
            let is_open = (ends[0] < -0.98 && side[0] > *low) || (ends[1] > 0.98 && side[1] < *high);
            let ends = ends.map(|end| value(middle[key] + widening * (end - middle[key])).clamp(*low, *high));
            // Where surfaces miss by more than chance, the best point shows it.
            let (low, high) = (ends[0].min(best[key]), ends[1].max(best[key]));
            (!is_open).then_some([low, high])
        };
        Ok((0..sought.len()).map(interval).collect())
    }

    /// The quantiles of all patterns in the runs of a point, or the distance of each person; `None` where there is none.
    fn answer(&self, values: &[f64], watch: &Watch<'_>) -> Result<Option<Vec<f64>>, FitFault> {
        let Some(replay) = &self.replay else {
            let patterns = self.patterns(values, watch)?;
            let all = |pattern: &Pattern| sorted(patterns.values(*pattern).to_vec());
            let all: Vec<Vec<f64>> = self.design.patterns.iter().map(all).collect();
            let known = all.iter().all(|values| !values.is_empty());
            return Ok(known.then(|| all.iter().flat_map(|values| quantiles(values, LEVELS)).collect()));
        };
        let (persons, count) = (self.persons(values, watch)?, replay.chosen.len());
        let place = |person: usize| persons.iter().skip(person).step_by(count).map(|fit| fit.place).sum::<f64>();
        Ok(Some((0..count).map(place).collect()))
    }

    /// The values of each pattern in each block. All blocks together have a few hundred of them.
    fn thinned(&self) -> Thinned {
        let units = &self.tracks.units;
        let thin = |pattern: Pattern| {
            let total: usize = units.iter().map(|unit| unit.values(pattern).len()).sum();
            let thin = |unit: &Patterns| {
                let values = sorted(unit.values(pattern).to_vec());
                let count = (LEVELS * units.len() * values.len()).div_ceil(total.max(1));
                quantiles(&values, count.min(values.len())).collect()
            };
            units.iter().map(thin).collect()
        };
        self.design.patterns.iter().map(|&pattern| thin(pattern)).collect()
    }

    /// The factor by which the spread of resamples is too narrow: Student's distribution for few blocks, and the chance in
    /// the runs, which is that in the tracks over the number of seeds.
    fn widening(&self, count: usize) -> f64 {
        let freedom = (count - 1) as f64;
        let student = 1.0 + (1.21 + 1.44 / freedom) / freedom;
        let runs = (self.frames * self.design.seeds) as f64;
        let chance = if self.replay.is_some() { 0.0 } else { self.tracks.frames as f64 / runs };
        student * (count as f64 / freedom * (1.0 + chance)).sqrt()
    }
}

/// The ends of a box around a value.
fn side(sought: &Sought, value: f64) -> [f64; 2] {
    let half = REACH * (sought.high - sought.low);
    [(value - half).max(sought.low), (value + half).min(sought.high)]
}

/// The quantiles of each pattern in these blocks, and the root of its mean square.
fn target(recorded: &Thinned, drawn: &[f64]) -> Vec<(Vec<f64>, f64)> {
    let of = |pattern: &Vec<Vec<f64>>| {
        let values = sorted(drawn.iter().flat_map(|&unit| pattern[unit as usize].iter().copied()).collect());
        let square = values.iter().map(|value| value * value).sum::<f64>() / values.len() as f64;
        match values.is_empty() {
            true => (Vec::new(), 1.0),
            false => (quantiles(&values, LEVELS).collect(), if square > 0.0 { square.sqrt() } else { 1.0 }),
        }
    };
    recorded.iter().map(of).collect()
}

/// The distance on a surface from these quantiles, or the sum of the distances of the drawn persons.
fn cost(surface: &[Vec<f64>], terms: &[f64], target: Option<&[(Vec<f64>, f64)]>, drawn: &[f64]) -> f64 {
    let height = |place: usize| -> f64 { surface[place].iter().zip(terms).map(|(one, term)| one * term).sum() };
    let Some(target) = target else { return drawn.iter().map(|&person| height(person as usize)).sum() };
    let of = |(pattern, (levels, scale)): (usize, &(Vec<f64>, f64))| {
        let apart = levels.iter().zip(pattern * LEVELS..).map(|(level, place)| (level - height(place)).abs());
        apart.sum::<f64>() / scale
    };
    target.iter().enumerate().map(of).sum()
}

/// The point of the box from -1 to 1 with the least cost.
fn minimum(keys: usize, cost: &dyn Fn(&[f64]) -> f64) -> Vec<f64> {
    let measure = |shares: &[f64], _: &[Fitted]| {
        let values: Vec<f64> = shares.iter().map(|share| (2.0 * share - 1.0).clamp(-1.0, 1.0)).collect();
        let distance = cost(&values);
        Ok((Fitted { values, distance }, true))
    };
    let points = search(keys, POINTS * keys as u64, measure).unwrap_or_default();
    let best = points.into_iter().min_by(|one, other| one.distance.total_cmp(&other.distance));
    best.map_or(vec![0.0; keys], |best| best.values)
}

/// The coefficients of least squares for each answer: `None` if there are too few rows for them.
fn surface(rows: &[Vec<f64>], answers: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
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
