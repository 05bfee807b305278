//! Sweeps: the runs of a scenario, advanced and measured without Python.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use throng::Registry;
use throng::measures::{LEVELS_OF_SERVICE, MeasureOf, Outcome, Outcomes, Series, Statistic, outcome_kinds};
use throng_scenario::{Scenario, SweepFault, Varied};

use crate::curves;
use crate::errors::{OrRaise, not_found};
use crate::pool;

/// The names, units and help of the measures that are one number per tick.
#[pyfunction]
pub(crate) fn measures() -> Vec<(&'static str, &'static str, &'static str, bool)> {
    let all = throng::measures::measures().iter();
    all.map(|measure| (&*measure.name, &*measure.unit, &*measure.help, measure.needs_radius)).collect()
}

/// The names, units, help and kinds of items of the numbers that a run of a crowd ends with.
#[pyfunction]
pub(crate) fn outcomes() -> Vec<(&'static str, &'static str, &'static str, &'static str)> {
    outcome_kinds().iter().map(|kind| (kind.name, kind.unit, kind.help, kind.item)).collect()
}

/// The level of service of walkways at this density.
#[pyfunction]
pub(crate) fn level_of_service(density: f64) -> &'static str {
    LEVELS_OF_SERVICE[throng::measures::level_of_service(density)].0
}

/// The standard error of the mean of values that depend on each other, and the values per independent one.
#[pyfunction]
pub(crate) fn error_of_mean(values: Vec<f64>) -> (f64, f64) {
    let found = throng::measures::error_of_mean(&values);
    (found.error, found.inefficiency)
}

/// How many times as far runs with different seeds spread as their errors say, if that cannot be chance.
#[pyfunction]
pub(crate) fn disagreement(runs: Vec<(f64, f64)>) -> Option<f64> {
    throng::measures::disagreement(&runs)
}

/// A run: the statistics of each measure or its outcome, the hash of the last state, the numbers of inexact, quarantined
/// and left agents, the kinds and texts of warnings, the numbers of ticks that were left out and run, and the times at
/// which agents left with the number of agents, if the sweep ends by them.
type Run = (Vec<Vec<f64>>, u64, [u64; 3], Vec<(String, String)>, [u64; 2], (Vec<f64>, usize));

/// Which of the results a name is of.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Named {
    Measure,
    Outcome,
}

/// The largest number of runs.
const MOST_RUNS: u64 = 100_000_000;

/// A sweep, whose design was checked as in `throng sweep`.
#[pyclass(module = "throng", frozen)]
#[derive(Debug)]
pub(crate) struct Sweep {
    sweep: throng_scenario::Sweep,
    ticks: u64,
    /// The tick after which measures count; `None` for after the run has relaxed.
    start: Option<u64>,
    names: Vec<Named>,
    measures: Vec<MeasureOf>,
    statistics: Vec<Statistic>,
    /// The numbers that each run ends with.
    outcomes: Vec<Outcome>,
    /// Whether the times at which agents leave are returned.
    exits: bool,
    /// The largest errors of means, by the numbers of measures: small enough, they end a run.
    precision: Vec<(usize, f64)>,
    radius: Option<f32>,
    /// The number of dimensions.
    dimensions: usize,
}

#[pymethods]
impl Sweep {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "one for each part of the design")]
    fn new(
        py: Python<'_>,
        file: &str,
        set: Vec<String>,
        varied: Vec<(String, Vec<Vec<String>>)>,
        ticks: u64,
        start: Option<u64>,
        first_seed: Option<u64>,
        seeds: u64,
        names: Vec<String>,
        statistics: Vec<String>,
        precision: Vec<(String, f64)>,
        radius: Option<f32>,
        exits: bool,
    ) -> PyResult<Self> {
        if let Some(start) = start.filter(|start| *start >= ticks) {
            return Err(PyValueError::new_err(format!("start = {start}: must be less than the {ticks} ticks")));
        }
        let known = |name: &String| {
            let known = Statistic::ALL.into_iter().find(|known| known.name() == name);
            known.ok_or_else(|| {
                let all = Statistic::ALL.map(Statistic::name).join(", ");
                PyValueError::new_err(format!("the statistic `{name}` must be one of {all}"))
            })
        };
        let statistics = statistics.iter().map(known).collect::<PyResult<Vec<_>>>()?;
        let of = |name: &String| Outcome::parse(name).map_or(Named::Measure, |_| Named::Outcome);
        let kinds: Vec<Named> = names.iter().map(of).collect();
        let outcomes = names.iter().filter_map(|name| Outcome::parse(name)).collect();
        let outcome_names = names.iter().filter(|name| of(name) == Named::Outcome).cloned();
        let measured: Vec<&String> = names.iter().filter(|name| of(name) == Named::Measure).collect();
        let varied = varied.into_iter().map(|(key, values)| Varied { key, values }).collect();
        let (sweep, measures, dimensions) = py.detach(|| {
            let text = Scenario::read(file).or_raise()?;
            let seeds = (first_seed, seeds);
            let sweep = throng_scenario::Sweep::new(&Registry::new(), &text, file, &set, varied, seeds, MOST_RUNS);
            let sweep = sweep.map_err(refused)?;
            let scenario = sweep.scenario(&sweep.run(0)).or_raise()?;
            let known = |name: &&String| {
                let of = curves::with_radius(scenario.measure(name).or_raise()?, radius)?;
                let mut species = scenario.species().map(|(name, _)| name);
                if let Some(name) = of.species.as_deref().filter(|name| !species.any(|known| known == *name)) {
                    return Err(not_found("species", name, scenario.species().map(|(name, _)| name)));
                }
                PyResult::Ok(of)
            };
            let measures = measured.iter().map(known).collect::<PyResult<Vec<_>>>()?;
            PyResult::Ok((sweep, measures, scenario.dimensions()))
        })?;
        curves::all_differ(measures.iter().map(ToString::to_string).chain(outcome_names))?;
        let target = |(name, error): (String, f64)| {
            let mut known = measured.iter().zip(&measures);
            match known.position(|(text, of)| **text == name || of.to_string() == name) {
                Some(measure) if error > 0.0 => Ok((measure, error)),
                Some(_) => Err(PyValueError::new_err(format!("precision of {name} = {error}: must be above zero"))),
                None => Err(PyValueError::new_err(format!("precision of {name}: it is not measured"))),
            }
        };
        let precision = precision.into_iter().map(target).collect::<PyResult<Vec<_>>>()?;
        Ok(Self {
            sweep,
            ticks,
            start,
            names: kinds,
            measures,
            statistics,
            outcomes,
            exits,
            precision,
            radius,
            dimensions,
        })
    }

    /// The number of runs.
    #[getter]
    fn runs(&self) -> u64 {
        self.sweep.runs()
    }

    /// The unit of each name; empty for none.
    fn units(&self) -> Vec<&str> {
        let (mut measures, mut outcomes) = (self.measures.iter(), self.outcomes.iter());
        let unit = |named: &Named| match named {
            Named::Measure => measures.next().map_or("", |of| of.measure.unit_in(self.dimensions)),
            Named::Outcome => outcomes.next().map_or("", |outcome| outcome.kind.unit),
        };
        self.names.iter().map(unit).collect()
    }

    /// Whether each name is an outcome's, which has one column.
    fn are_outcomes(&self) -> Vec<bool> {
        self.names.iter().map(|named| *named == Named::Outcome).collect()
    }

    /// The number of the value of each varied key in a run, and its seed.
    fn values(&self, run: u64) -> (Vec<usize>, u64) {
        let run = self.sweep.run(run);
        (run.values, run.seed)
    }

    /// A run, measured over the ticks after `start`; `None` if `cancelled()` returned true, which is asked ten times a
    /// second.
    fn run(&self, py: Python<'_>, run: u64, cancelled: &Bound<'_, PyAny>) -> PyResult<Option<Run>> {
        let pool = pool::start(Some(NonZeroUsize::MIN))?;
        let build = || {
            let scenario = self.sweep.scenario(&self.sweep.run(run)).or_raise()?;
            let world = scenario.build_any().or_raise()?;
            let outcomes = Outcomes::new(&self.outcomes, scenario.recording(), &world).or_raise()?;
            let outcomes = (self.exits || !self.outcomes.is_empty()).then_some(outcomes);
            PyResult::Ok((world, outcomes, scenario))
        };
        let (mut world, mut outcomes, scenario) = py.detach(|| pool.install(build))?;
        let mut warnings = scenario.warnings();
        let mut series = Series::new(&self.measures, self.radius);
        let (relaxed, mut is_done) = (self.start.is_none(), false);
        series.observe(&world);
        outcomes.iter_mut().for_each(|outcomes| outcomes.observe(&world));
        while world.tick() < self.ticks && !is_done {
            py.detach(|| {
                pool.install(|| {
                    let until = Instant::now() + Duration::from_millis(100);
                    while world.tick() < self.ticks && !is_done && Instant::now() < until {
                        world.try_step().or_raise()?;
                        series.observe(&world);
                        outcomes.iter_mut().for_each(|outcomes| outcomes.observe(&world));
                        if world.tick() > self.start.unwrap_or(0) {
                            series.measure(&world);
                        }
                        is_done = scenario.until_empty() && world.has_ended()
                            || !self.precision.is_empty() && series.is_precise(&self.precision, relaxed);
                    }
                    PyResult::Ok(())
                })
            })?;
            if cancelled.call0()?.is_truthy()? {
                return Ok(None);
            }
        }
        let faults = world.faults();
        warnings.extend(faults.warnings());
        warnings.extend(outcomes.iter().flat_map(Outcomes::warnings));
        let left_out = if relaxed { series.relaxation() } else { 0 };
        warnings.extend(series.warnings(&self.statistics, left_out));
        warnings.extend(series.imprecise(&self.precision, left_out));
        let warnings =
            warnings.iter().map(|warning| (format!("{:?} {}", warning.kind, warning.key), warning.to_string()));
        let counts = [faults.inexact, faults.quarantined, faults.left];
        let agents = world.population();
        let of = |values: &[f64]| self.statistics.iter().map(|own| own.of(&values[left_out..], agents)).collect();
        let mut of_measures = series.values().map(of);
        let mut of_outcomes = outcomes.iter().flat_map(Outcomes::values);
        let results = self.names.iter().map(|named| match named {
            Named::Measure => of_measures.next().unwrap_or_default(),
            Named::Outcome => of_outcomes.next().into_iter().collect(),
        });
        let results = results.collect();
        let persons = outcomes.as_ref().filter(|_| self.exits).map(Outcomes::persons);
        let exits = persons.map_or((Vec::new(), 0), |persons| (persons.exit_times(), persons.all().len()));
        let ticks = [self.start.unwrap_or(left_out as u64), world.tick()];
        Ok(Some((results, world.state_hash(), counts, warnings.collect(), ticks, exits)))
    }
}

fn refused(fault: SweepFault) -> PyErr {
    let refuse = |message: String| PyValueError::new_err(message);
    match fault {
        SweepFault::Scenario(problems) => Err::<(), _>(problems).or_raise().unwrap_err(),
        SweepFault::TooLarge(error) => Err::<(), _>(error).or_raise().unwrap_err(),
        SweepFault::SeedVaried(key) => refuse(format!("{key}: seeds are varied by seeds= and first_seed=")),
        SweepFault::Seeds { seeds, .. } => refuse(format!("seeds = {seeds}: {fault}")),
        fault => refuse(fault.to_string()),
    }
}
