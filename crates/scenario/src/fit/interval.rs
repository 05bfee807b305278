//! Intervals of fitted keys, by the bootstrap over recordings, persons or runs.
//!
//! A fit for each resample would take its own runs. Instead, runs around the best point give surfaces of the second degree
//! in the keys: of the quantiles of each pattern, or of the distance of each person. Resamples are fitted on these. One
//! recording has no copies of itself to draw from: runs differ from their surface by the chance that is in it.

use std::cell::{Cell, RefCell};

use rayon::prelude::*;
use throng::measures::{Pattern, confidence};

use super::fitted::{FitFault, Watch};
use super::search::filled;
use super::surface::{height, minimum, surface, terms};
use super::{Fit, Sought};

/// The half of the edge of the box around the best point in which runs are made, as a share of the ranges.
const REACH: f64 = 0.2;

/// The runs for each coefficient of a surface.
const RUNS: u64 = 4;

/// The quantiles by which a distribution is known.
const LEVELS: usize = 32;

/// The fewest recordings or persons from which an interval follows by themselves.
const FEWEST: usize = 5;

/// The number of points that intervals of this number of keys take.
pub(super) fn points(keys: usize) -> u64 {
    RUNS * terms(&vec![0.0; keys]).len() as u64
}

/// Quantiles in the middle of equal shares of sorted values; none of none.
fn quantiles(sorted: &[f64]) -> impl Iterator<Item = f64> {
    (0..LEVELS).filter_map(move |level| sorted.get((2 * level + 1) * sorted.len() / (2 * LEVELS)).copied())
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_unstable_by(f64::total_cmp);
    values
}

/// The parts of the tracks or the runs of which each resample has some.
enum Units {
    /// The sorted values of each pattern in each recording.
    Recordings(Vec<Vec<Vec<f64>>>),
    /// The quantiles of the recording, with the scale of each pattern, and the residuals of each run.
    Runs(Vec<(Vec<f64>, f64)>, Vec<Vec<f64>>),
    Persons,
}

impl Fit {
    /// The interval of each key at the best point, with 95 % confidence; `None` for a key whose value the tracks do not
    /// bound within a fifth of its range, and without [`FitDesign::interval`](super::FitDesign::interval).
    ///
    /// # Errors
    ///
    /// As for [`run`](Self::run).
    pub fn intervals(&self, best: &[f64], watch: &Watch<'_>) -> Result<Vec<Option<[f64; 2]>>, FitFault> {
        let (sought, seeds) = (&self.design.sought, self.design.seeds);
        let none = vec![None; sought.len()];
        if !self.design.interval || sought.is_empty() {
            return Ok(none);
        }
        let sides: Vec<[f64; 2]> = sought.iter().zip(best).map(|(sought, value)| side(sought, *value)).collect();
        let runs = (0..points(sought.len())).into_par_iter().map(|number| {
            let shares = filled(sought.len(), number).into_iter().zip(sought.iter().zip(&sides));
            let values = shares.map(|(share, (sought, [low, high]))| {
                sought.at((low + share * (high - low) - sought.low) / (sought.high - sought.low))
            });
            let values: Vec<f64> = values.collect();
            // A whole number is not where it was sought.
            let at = values.iter().zip(&sides).map(|(value, [low, high])| 2.0 * (value - low) / (high - low) - 1.0);
            let row = terms(&at.collect::<Vec<_>>());
            // No two runs share a seed, nor with the fit.
            match self.answer(&values, self.first_seed + seeds * (number + 1), watch) {
                Ok(answer) => Ok(answer.map(|answer| (row, answer))),
                Err(FitFault::Scenario(_) | FitFault::Build(_)) => Ok(None),
                Err(fault) => Err(fault),
            }
        });
        let runs = runs.collect::<Result<Vec<_>, _>>()?;
        let (rows, answers): (Vec<_>, Vec<_>) = runs.into_iter().flatten().unzip();
        let Some(surface) = surface(&rows, &answers) else { return Ok(none) };
        let (units, count, freedom, chance) = self.units(&surface, &rows, &answers);
        if freedom == 0 || count < FEWEST {
            return Ok(none);
        }
        let all: Vec<f64> = (0..count).map(|unit| unit as f64).collect();
        let optimum = |drawn: &[f64]| {
            let target = target(&units, drawn);
            let cost = |at: &[f64]| cost(&surface, &terms(at), target.as_deref(), drawn);
            minimum(sought.len(), &cost)
        };
        let (middle, optima, call) = (optimum(&all), RefCell::new(Vec::<Vec<f64>>::new()), Cell::new(0));
        // Student's distribution, and the chance in the surface.
        let student = 1.0 + (1.21 + 1.44 / freedom as f64) / freedom as f64;
        let widening = student * (count as f64 / freedom as f64 * (1.0 + chance)).sqrt();
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
    fn answer(&self, values: &[f64], first: u64, watch: &Watch<'_>) -> Result<Option<Vec<f64>>, FitFault> {
        let Some(replay) = &self.replay else {
            let patterns = self.patterns(values, first, watch)?;
            let all = |pattern: &Pattern| sorted(patterns.values(*pattern).to_vec());
            let all: Vec<Vec<f64>> = self.design.patterns.iter().map(all).collect();
            let known = all.iter().all(|values| !values.is_empty());
            return Ok(known.then(|| all.iter().flat_map(|values| quantiles(values)).collect()));
        };
        let (persons, count) = (self.persons(values, watch)?, replay.chosen.len());
        let place = |person: usize| persons.iter().skip(person).step_by(count).map(|fit| fit.place).sum::<f64>();
        Ok(Some((0..count).map(place).collect()))
    }

    /// The units, their number, the degrees of freedom of their spread, and the variance of the surface over theirs.
    fn units(&self, surface: &[Vec<f64>], rows: &[Vec<f64>], answers: &[Vec<f64>]) -> (Units, usize, usize, f64) {
        if let Some(replay) = &self.replay {
            let count = replay.chosen.len();
            return (Units::Persons, count, count.saturating_sub(1), 0.0);
        }
        let recordings = &self.tracks.recordings;
        let values = |pattern: &Pattern| -> Vec<Vec<f64>> {
            recordings.iter().map(|patterns| sorted(patterns.values(*pattern).to_vec())).collect()
        };
        let of_recordings = Units::Recordings(self.design.patterns.iter().map(values).collect());
        let count = recordings.len();
        let of_surface = 1.0 / (RUNS * self.design.seeds) as f64;
        if count >= FEWEST {
            return (of_recordings, count, count - 1, of_surface * count as f64);
        }
        let all: Vec<f64> = (0..count).map(|recording| recording as f64).collect();
        let scale = (self.design.seeds as f64 / count as f64).sqrt();
        let residual = |(row, answer): (&Vec<f64>, &Vec<f64>)| -> Vec<f64> {
            answer.iter().zip(surface).map(|(answer, own)| scale * (answer - height(own, row))).collect()
        };
        let residuals = rows.iter().zip(answers).map(residual).collect();
        let units = Units::Runs(target(&of_recordings, &all).unwrap_or_default(), residuals);
        (units, rows.len(), rows.len().saturating_sub(rows[0].len()), of_surface * count as f64)
    }
}

/// The ends of a box around a value.
fn side(sought: &Sought, value: f64) -> [f64; 2] {
    let half = REACH * (sought.high - sought.low);
    [(value - half).max(sought.low), (value + half).min(sought.high)]
}

/// The quantiles of each pattern in a resample, and the root of its mean square; `None` for persons.
fn target(units: &Units, drawn: &[f64]) -> Option<Vec<(Vec<f64>, f64)>> {
    match units {
        Units::Persons => None,
        Units::Recordings(recorded) => {
            let of = |pattern: &Vec<Vec<f64>>| {
                let values = sorted(drawn.iter().flat_map(|&unit| pattern[unit as usize].iter().copied()).collect());
                let square = values.iter().map(|value| value * value).sum::<f64>() / values.len() as f64;
                (quantiles(&values).collect(), if square > 0.0 { square.sqrt() } else { 1.0 })
            };
            Some(recorded.iter().map(of).collect())
        }
        Units::Runs(recorded, residuals) => {
            // How often each run is drawn, less one, has a mean of zero and a variance of one.
            let mut weights = vec![-1.0; residuals.len()];
            drawn.iter().for_each(|&run| weights[run as usize] += 1.0);
            let share = 1.0 / (residuals.len() as f64).sqrt();
            let chance = |place: usize| -> f64 {
                residuals.iter().zip(&weights).map(|(residual, weight)| weight * residual[place] * share).sum()
            };
            let of = |(pattern, (levels, scale)): (usize, &(Vec<f64>, f64))| {
                let levels = levels.iter().zip(pattern * LEVELS..).map(|(level, place)| level + chance(place));
                (levels.collect(), *scale)
            };
            Some(recorded.iter().enumerate().map(of).collect())
        }
    }
}

/// The distance on a surface from these quantiles, or the sum of the distances of the drawn persons.
fn cost(surface: &[Vec<f64>], terms: &[f64], target: Option<&[(Vec<f64>, f64)]>, drawn: &[f64]) -> f64 {
    let height = |place: usize| height(&surface[place], terms);
    let Some(target) = target else { return drawn.iter().map(|&person| height(person as usize)).sum() };
    let of = |(pattern, (levels, scale)): (usize, &(Vec<f64>, f64))| {
        let apart = levels.iter().zip(pattern * LEVELS..).map(|(level, place)| (level - height(place)).abs());
        apart.sum::<f64>() / scale
    };
    target.iter().enumerate().map(of).sum()
}
