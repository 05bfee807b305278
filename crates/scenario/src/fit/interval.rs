//! Intervals of fitted keys, by the bootstrap over recordings, persons or runs.
//!
//! A fit for each resample would take its own runs. Instead, runs around the best point give surfaces of the second degree
//! in the keys: of the quantiles of each pattern, or of the distance of each person. Resamples are fitted on these. One
//! recording has no copies of itself to draw from: runs differ from their surface by the chance that is in it.

use std::cell::{Cell, RefCell};

use rayon::prelude::*;
use throng::measures::{Pattern, Patterns, confidence};

use super::fitted::{FitFault, Watch};
use super::search::filled;
use super::surface::{RUNS, height, minimum, points, surface, terms};
use super::{Fit, Sought};

/// The half of the edge of the box around the best point in which runs are made, as a share of the ranges.
const REACH: f64 = 0.2;

/// The quantiles by which a distribution is known.
const LEVELS: usize = 32;

/// The fewest recordings or persons from which an interval follows by themselves.
const FEWEST: usize = 5;

/// Quantiles in the middle of equal shares of sorted values; none of none.
fn quantiles(sorted: &[f64]) -> impl Iterator<Item = f64> {
    (0..LEVELS).filter_map(move |level| sorted.get((2 * level + 1) * sorted.len() / (2 * LEVELS)).copied())
}

/// The quantiles of all patterns in the tracks, and the scale of each pattern.
struct Recorded {
    levels: Vec<f64>,
    scales: Vec<f64>,
    /// The differences of each unit from the mean, by which resamples differ from `levels`.
    residuals: Vec<Vec<f64>>,
    /// The number of recordings.
    recordings: usize,
}

impl Fit {
    /// The interval of each key at the best point, with 95 % confidence; `None` for a key whose value the tracks do not
    /// bound within a fifth of its range or inside of it, and without [`FitDesign::interval`](super::FitDesign::interval).
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
        let recorded = self.replay.is_none().then(|| self.recorded(&surface, &rows, &answers));
        // The units, the degrees of freedom of their spread, and the variance of the surface over their mean's.
        let (count, freedom, chance) = match (&recorded, &self.replay) {
            (Some(Recorded { residuals, recordings, .. }), _) => {
                let taken = if *recordings >= FEWEST { 1 } else { rows[0].len() };
                (residuals.len(), residuals.len().saturating_sub(taken), *recordings as f64 / (RUNS * seeds) as f64)
            }
            (None, replay) => replay.as_ref().map_or((0, 0, 0.0), |of| (of.chosen.len(), of.chosen.len() - 1, 0.0)),
        };
        if freedom == 0 || count < FEWEST || recorded.as_ref().is_some_and(|recorded| recorded.recordings == 0) {
            return Ok(none);
        }
        let all: Vec<f64> = (0..count).map(|unit| unit as f64).collect();
        let optimum = |drawn: &[f64]| {
            let target = recorded.as_ref().map(|recorded| (recorded.drawn(drawn), &recorded.scales[..]));
            let cost = |at: &[f64]| cost(&surface, &terms(at), target.as_ref(), drawn);
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
            // Beyond the end of a range nothing was tried.
            let value = |at: f64| side[0] + (at + 1.0) / 2.0 * (side[1] - side[0]);
            let is_open = ends[0] < -0.98 || ends[1] > 0.98;
            let ends = ends.map(|end| value(middle[key] + widening * (end - middle[key])).clamp(*low, *high));
            // Where surfaces miss by more than chance, the best point shows it.
            let (low, high) = (ends[0].min(best[key]), ends[1].max(best[key]));
            (!is_open).then_some([low, high])
        };
        Ok((0..sought.len()).map(interval).collect())
    }

    /// The mean quantiles of all patterns in the runs of a point, or the distance of each person; `None` where there is none.
    fn answer(&self, values: &[f64], first: u64, watch: &Watch<'_>) -> Result<Option<Vec<f64>>, FitFault> {
        let Some(replay) = &self.replay else {
            let runs = (0..self.design.seeds).map(|seed| self.of_run(values, first + seed, watch));
            let levels: Vec<Vec<f64>> =
                runs.map(|run| run.map(|patterns| self.levels(&patterns))).collect::<Result<_, _>>()?;
            let known = levels.iter().all(|levels| levels.len() == LEVELS * self.design.patterns.len());
            return Ok(known.then(|| mean(&levels)));
        };
        let (persons, count) = (self.persons(values, watch)?, replay.chosen.len());
        let place = |person: usize| persons.iter().skip(person).step_by(count).map(|fit| fit.place).sum::<f64>();
        Ok(Some((0..count).map(place).collect()))
    }

    /// The quantiles of all patterns.
    fn levels(&self, patterns: &Patterns) -> Vec<f64> {
        let sorted = |pattern: &Pattern| {
            let mut values = patterns.values(*pattern).to_vec();
            values.sort_unstable_by(f64::total_cmp);
            values
        };
        self.design.patterns.iter().flat_map(|pattern| quantiles(&sorted(pattern)).collect::<Vec<_>>()).collect()
    }

    /// The recordings, with the chance in their mean: by how five or more differ, or else by how runs do.
    fn recorded(&self, surface: &[Vec<f64>], rows: &[Vec<f64>], answers: &[Vec<f64>]) -> Recorded {
        let mut recordings: Vec<Vec<f64>> = self.tracks.recordings.iter().map(|of| self.levels(of)).collect();
        recordings.retain(|levels| levels.len() == LEVELS * self.design.patterns.len());
        let (levels, count) = (mean(&recordings), recordings.len() as f64);
        let scaled = |own: &[f64], from: Vec<f64>, scale: f64| -> Vec<f64> {
            own.iter().zip(from).map(|(own, from)| scale * (own - from)).collect()
        };
        let residuals = match recordings.len() >= FEWEST {
            true => recordings.iter().map(|own| scaled(own, levels.clone(), 1.0 / count)).collect(),
            false => {
                let scale = (self.design.seeds as f64 / count / rows.len() as f64).sqrt();
                let heights = |row: &Vec<f64>| surface.iter().map(|surface| height(surface, row)).collect();
                rows.iter().zip(answers).map(|(row, answer)| scaled(answer, heights(row), scale)).collect()
            }
        };
        let square = |levels: &[f64]| levels.iter().map(|level| level * level).sum::<f64>() / LEVELS as f64;
        let scale = |levels: &[f64]| if square(levels) > 0.0 { square(levels).sqrt() } else { 1.0 };
        Recorded { scales: levels.chunks(LEVELS).map(scale).collect(), levels, residuals, recordings: recordings.len() }
    }
}

impl Recorded {
    /// The quantiles in a resample.
    fn drawn(&self, drawn: &[f64]) -> Vec<f64> {
        // How often each unit is drawn, less one, has a mean of zero and a variance of one.
        let mut weights = vec![-1.0; self.residuals.len()];
        drawn.iter().for_each(|&unit| weights[unit as usize] += 1.0);
        let mut levels = self.levels.clone();
        for (residual, weight) in self.residuals.iter().zip(weights) {
            levels.iter_mut().zip(residual).for_each(|(level, residual)| *level += weight * residual);
        }
        levels
    }
}

/// The mean of each place.
fn mean(all: &[Vec<f64>]) -> Vec<f64> {
    let places = all.iter().map(Vec::len).min().unwrap_or(0);
    (0..places).map(|place| all.iter().map(|own| own[place]).sum::<f64>() / all.len() as f64).collect()
}

/// The ends of a box around a value.
fn side(sought: &Sought, value: f64) -> [f64; 2] {
    let half = REACH * (sought.high - sought.low);
    [(value - half).max(sought.low), (value + half).min(sought.high)]
}

/// The distance on a surface from quantiles with these scales, or the sum of the distances of the drawn persons.
fn cost(surface: &[Vec<f64>], terms: &[f64], target: Option<&(Vec<f64>, &[f64])>, drawn: &[f64]) -> f64 {
    let height = |place: usize| height(&surface[place], terms);
    let Some((levels, scales)) = target else { return drawn.iter().map(|&person| height(person as usize)).sum() };
    levels.iter().enumerate().map(|(place, level)| (level - height(place)).abs() / scales[place / LEVELS]).sum()
}
