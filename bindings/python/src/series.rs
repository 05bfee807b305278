//! The run of a sweep: a scenario, advanced and measured without Python.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use throng::measures::{Measure, Moments, Recorder, Recording};
use throng::{AnyWorld, Registry, Scenario, with_world};

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

/// The run of a scenario, measured over the ticks after `start`; `None` if `cancelled()` returned true, which is asked
/// ten times a second.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one for each part of the design")]
pub(crate) fn measure_run(
    py: Python<'_>,
    text: &str,
    file: &str,
    overrides: Vec<String>,
    ticks: u64,
    start: u64,
    names: Vec<String>,
    radius: Option<f32>,
    cancelled: &Bound<'_, PyAny>,
) -> PyResult<Option<Run>> {
    if start >= ticks {
        return Err(PyValueError::new_err(format!("start = {start}: must be less than the {ticks} ticks")));
    }
    let measures = names.iter().map(|name| curves::known(name, radius)).collect::<PyResult<Vec<_>>>()?;
    let registry = Registry::new();
    let pool = pool::start(Some(NonZeroUsize::MIN))?;
    let build = || {
        let scenario = Scenario::parse_in(&registry, text, file, &overrides).or_raise()?;
        PyResult::Ok((scenario.build_any().or_raise()?, scenario.warnings()))
    };
    let (mut world, mut warnings) = py.detach(|| pool.install(build))?;
    let mut series = Series::new(measures, radius);
    series.observe(&world);
    while world.tick() < ticks {
        py.detach(|| {
            pool.install(|| {
                let until = Instant::now() + Duration::from_millis(100);
                while world.tick() < ticks && Instant::now() < until {
                    world.try_step().or_raise()?;
                    series.observe(&world);
                    if world.tick() > start {
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
    let warnings = warnings.iter().map(|warning| (format!("{:?} {}", warning.kind, warning.key), warning.to_string()));
    let counts = [faults.inexact, faults.quarantined, faults.left];
    Ok(Some((series.results(), world.state_hash(), counts, warnings.collect())))
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
