//! Sweeps: the runs of a scenario, advanced and measured without Python.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use throng::measures::{Measure, Moments, Recorder, Recording};
use throng::{AnyWorld, Registry, with_world};
use throng_scenario::{Scenario, SweepFault, Varied};

use crate::curves;
use crate::errors::OrRaise;
use crate::pool;

/// The names, units and help of the measures that are one number per tick.
#[pyfunction]
pub(crate) fn measures() -> Vec<(&'static str, &'static str, &'static str, bool)> {
    let all = throng::measures::measures().iter();
    all.map(|measure| (measure.name, measure.unit, measure.help, measure.needs_radius)).collect()
}

/// A run: the mean and the deviation of each measure, the hash of the last state, the numbers of inexact, quarantined
/// and left agents, and the kinds and texts of warnings.
type Run = (Vec<[f64; 2]>, u64, [u64; 3], Vec<(String, String)>);

/// The largest number of runs.
const MOST_RUNS: u64 = 100_000_000;

/// A sweep, whose design was checked as in `throng sweep`.
#[pyclass(module = "throng", frozen)]
#[derive(Debug)]
pub(crate) struct Sweep {
    sweep: throng_scenario::Sweep,
    ticks: u64,
    start: u64,
    measures: Vec<&'static Measure>,
    radius: Option<f32>,
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
        start: u64,
        first_seed: Option<u64>,
        seeds: u64,
        names: Vec<String>,
        radius: Option<f32>,
    ) -> PyResult<Self> {
        if start >= ticks {
            return Err(PyValueError::new_err(format!("start = {start}: must be less than the {ticks} ticks")));
        }
        let measures = names.iter().map(|name| curves::known(name, radius)).collect::<PyResult<Vec<_>>>()?;
        if let Some(twice) = (1..names.len()).find(|&number| names[..number].contains(&names[number])) {
            return Err(PyValueError::new_err(format!("the measure `{}` is there twice", names[twice])));
        }
        let varied = varied.into_iter().map(|(key, values)| Varied { key, values }).collect();
        let sweep = py.detach(|| {
            let text = Scenario::read(file).or_raise()?;
            let seeds = (first_seed, seeds);
            let sweep = throng_scenario::Sweep::new(&Registry::new(), &text, file, &set, varied, seeds, MOST_RUNS);
            sweep.map_err(refused)
        })?;
        Ok(Self { sweep, ticks, start, measures, radius })
    }

    /// The number of runs.
    #[getter]
    fn runs(&self) -> u64 {
        self.sweep.runs()
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
            PyResult::Ok((scenario.build_any().or_raise()?, scenario.warnings()))
        };
        let (mut world, mut warnings) = py.detach(|| pool.install(build))?;
        let mut series = Series::new(self.measures.clone(), self.radius);
        series.observe(&world);
        while world.tick() < self.ticks {
            py.detach(|| {
                pool.install(|| {
                    let until = Instant::now() + Duration::from_millis(100);
                    while world.tick() < self.ticks && Instant::now() < until {
                        world.try_step().or_raise()?;
                        series.observe(&world);
                        if world.tick() > self.start {
                            series.measure(&world);
                        }
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
        let warnings =
            warnings.iter().map(|warning| (format!("{:?} {}", warning.kind, warning.key), warning.to_string()));
        let counts = [faults.inexact, faults.quarantined, faults.left];
        Ok(Some((series.results(), world.state_hash(), counts, warnings.collect())))
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

/// The measures of a run in progress.
struct Series {
    measures: Vec<&'static Measure>,
    radius: Option<f32>,
    /// The measures that follow agents from the first tick on.
    followers: Recorder,
    moments: Vec<Moments>,
}

impl Series {
    fn new(measures: Vec<&'static Measure>, radius: Option<f32>) -> Self {
        let following = measures.iter().copied().filter(|measure| measure.follows_agents()).collect();
        let followers = Recorder::new(Recording { every: 1, measures: following, radius, ..Recording::default() });
        let moments = vec![Moments::default(); measures.len()];
        Self { measures, radius, followers, moments }
    }

    fn observe(&mut self, world: &AnyWorld) {
        if self.measures.iter().any(|measure| measure.follows_agents()) {
            with_world!(world, world => self.followers.observe(world));
        }
    }

    fn measure(&mut self, world: &AnyWorld) {
        for (measure, moments) in self.measures.iter().zip(&mut self.moments) {
            let followed = self.followers.columns().find(|column| column.name == measure.name);
            moments.add(match followed {
                Some(column) => column.value(),
                None => with_world!(world, world => measure.compute(world, self.radius)),
            });
        }
    }

    fn results(&self) -> Vec<[f64; 2]> {
        self.moments.iter().map(|moments| [moments.mean(), moments.deviation()]).collect()
    }
}
