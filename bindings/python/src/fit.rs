//! Fits of scenarios to recorded tracks.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use throng::Registry;
use throng::measures::Pattern;
use throng_scenario::Scenario;
use throng_scenario::fit::{FitDesign, FitFault, PersonFit, Sought};

use crate::errors::OrRaise;
use crate::pool;

/// A key with the ends of its range, and whether its values are whole numbers.
type Range = (String, f64, f64, bool);

/// The values and the distance of each point, the best first.
type Points = Vec<(Vec<f64>, f64)>;

/// For each pattern its name and unit, the means of the tracks and of the runs of the best point, and the three distances.
type Compared = Vec<(&'static str, &'static str, [f64; 5])>;

/// For each run with one simulated person the id, the seed, the time and the numbers.
type Persons = Vec<(u64, u64, f64, [f64; 6])>;

/// The interval of each key.
type Intervals = Vec<Option<(f64, f64)>>;

/// A fit, whose design was checked as in `throng fit`.
#[pyclass(module = "throng", frozen)]
#[derive(Debug)]
pub(crate) struct Fit {
    fit: throng_scenario::fit::Fit,
    stopped: AtomicBool,
    done: AtomicU64,
}

#[pymethods]
impl Fit {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "one for each part of the design")]
    fn new(
        py: Python<'_>,
        file: &str,
        set: Vec<String>,
        tracks: Vec<PathBuf>,
        ranges: Vec<Range>,
        patterns: Vec<String>,
        species: Option<String>,
        start: u64,
        every: Option<u64>,
        frames: Option<u64>,
        seeds: u64,
        points: u64,
        persons: Option<u64>,
        interval: bool,
    ) -> PyResult<Self> {
        let sought = |(key, low, high, whole): Range| match low < high && low.is_finite() && high.is_finite() {
            true => Ok(Sought { key, low, high, whole }),
            false => Err(PyValueError::new_err(format!("{key}: a range must have finite ends, the lower first"))),
        };
        let sought = ranges.into_iter().map(sought).collect::<PyResult<Vec<_>>>()?;
        let known = |name: &String| {
            let known = Pattern::ALL.into_iter().find(|known| known.name() == name);
            known.ok_or_else(|| {
                let all = Pattern::ALL.map(Pattern::name).join(", ");
                PyValueError::new_err(format!("the pattern `{name}` must be one of {all}"))
            })
        };
        let patterns = patterns.iter().map(known).collect::<PyResult<Vec<_>>>()?;
        if persons == Some(0) {
            return Err(PyValueError::new_err("persons = 0: must be at least 1"));
        }
        if every == Some(0) {
            return Err(PyValueError::new_err("every = 0: must be at least 1"));
        }
        let pool = pool::pool()?;
        let fit = py.detach(|| {
            let text = Scenario::read(file).or_raise()?;
            let (registry, file) = (Registry::new(), file.to_owned());
            let design = FitDesign {
                registry,
                text,
                file,
                set,
                tracks,
                species,
                sought,
                patterns,
                from: start,
                every,
                frames,
                seeds,
                points,
                persons,
                interval,
            };
            pool.install(|| throng_scenario::fit::Fit::new(design)).map_err(raised)
        })?;
        Ok(Self { fit, stopped: AtomicBool::new(false), done: AtomicU64::new(0) })
    }

    /// Parts of the tracks that are not read or are guesses, in words.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.fit.tracks().notes.clone()
    }

    /// The ticks of all runs, at most.
    #[getter]
    fn ticks(&self) -> u64 {
        self.fit.ticks()
    }

    /// The ticks so far.
    #[getter]
    fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Ends the search, which runs in another thread.
    fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// The names and the units of the numbers of a person.
    #[staticmethod]
    fn numbers() -> Vec<(&'static str, &'static str)> {
        PersonFit::NUMBERS.to_vec()
    }

    /// Seeks the best point, and compares it.
    fn run(&self, py: Python<'_>) -> PyResult<(Points, Compared, Persons, Intervals)> {
        let pool = pool::pool()?;
        let watch = |ticks: u64| {
            self.done.fetch_add(ticks, Ordering::Relaxed);
            !self.stopped.load(Ordering::Relaxed)
        };
        let found = py.detach(|| {
            pool.install(|| {
                let points = self.fit.run(&watch)?;
                let best = points.first().map_or(&[][..], |best| &best.values);
                let intervals = self.fit.intervals(best, &watch)?;
                let watch = |_| !self.stopped.load(Ordering::Relaxed);
                let (compared, persons) = (self.fit.compare(best, &watch)?, self.fit.persons(best, &watch)?);
                Ok((points, compared, persons, intervals))
            })
        });
        let (points, compared, persons, intervals) = found.map_err(raised)?;
        let points = points.into_iter().map(|point| (point.values, point.distance)).collect();
        let compared = compared.into_iter().map(|of| {
            let numbers = [of.recorded, of.run, of.wasserstein, of.relative, of.kolmogorov_smirnov];
            (of.pattern.name(), of.pattern.unit(), numbers)
        });
        let persons = persons.into_iter().map(|person| (person.id, person.seed, person.seconds, person.numbers()));
        let intervals = intervals.into_iter().map(|ends| ends.map(Into::into)).collect();
        Ok((points, compared.collect(), persons.collect(), intervals))
    }
}

fn raised(fault: FitFault) -> PyErr {
    match fault {
        FitFault::Scenario(problems) => Err::<(), _>(problems).or_raise().unwrap_err(),
        FitFault::Build(error) => Err::<(), _>(error).or_raise().unwrap_err(),
        FitFault::Step(error) => Err::<(), _>(error).or_raise().unwrap_err(),
        FitFault::Stopped => PyKeyboardInterrupt::new_err(fault.to_string()),
        fault => PyValueError::new_err(fault.to_string()),
    }
}
