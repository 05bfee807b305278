//! The series of measures of a running world.

use std::sync::Mutex;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use throng::measures::{Area, Measure, RecorderSettings};
use throng::{AnyWorld, Vector, with_world};

use crate::arrow::Numbers;
use crate::curves;
use crate::errors::OrRaise;
use crate::table::Table;
use crate::world::World;

/// Records measures of a world: `World.step(n, observe=recorder)` observes it before the first tick and after each one.
///
/// Measures that follow agents from tick to tick need each tick: `mean_squared_displacement` in a periodic world, `stuck`
/// and the flow through lines.
///
/// Parameters
/// ----------
/// measures : sequence of str
///     Names of `throng.measures.names`.
/// every : int
///     The interval between records, in ticks.
/// radius : float
///     The radius in metres of measures that need one.
/// lines : dict of str to (from, to)
///     Lines through which flow is measured, in two dimensions.
/// areas : dict of str to (centre, size)
///     Areas in which density and speed are measured, in two dimensions.
/// window : float
///     The time in seconds over which velocities are measured, as a displacement over its length; by default they are
///     momentary. PedPy measures over a window too.
#[pyclass(module = "throng", frozen)]
#[derive(Debug)]
pub(crate) struct Recorder(Mutex<Series>);

#[derive(Debug)]
struct Series {
    recorder: throng::measures::Recorder,
    measures: Vec<Measure>,
    ticks: Vec<u64>,
    /// The tick of the last observation.
    seen: Option<u64>,
    /// The values of each column.
    values: Vec<(String, Vec<f64>)>,
}

#[pymethods]
impl Recorder {
    #[new]
    #[pyo3(signature = (measures, *, every=1, radius=None, lines=None, areas=None, window=None))]
    fn new(
        measures: Vec<String>,
        every: u64,
        radius: Option<f32>,
        lines: Option<Bound<'_, PyDict>>,
        areas: Option<Bound<'_, PyDict>>,
        window: Option<f32>,
    ) -> PyResult<Self> {
        if every == 0 {
            return Err(PyValueError::new_err("every = 0: must be at least 1"));
        }
        if let Some(window) = window.filter(|window| !(*window > 0.0 && window.is_finite())) {
            return Err(PyValueError::new_err(format!("window = {window}: must be a positive number")));
        }
        let measures = measures.iter().map(|name| curves::known_of_all(name, radius)).collect::<PyResult<Vec<_>>>()?;
        curves::all_differ(measures.iter().map(|measure| measure.name.to_string()))?;
        let mut recording =
            RecorderSettings { every, measures: measures.clone(), radius, window, ..RecorderSettings::default() };
        for (name, ends) in lines.iter().flatten() {
            let [from, to]: [[f32; 2]; 2] = ends.extract()?;
            recording.lines.push((name.extract()?, [Vector(from), Vector(to)]));
        }
        for (name, area) in areas.iter().flatten() {
            let [centre, size]: [[f32; 2]; 2] = area.extract()?;
            recording.areas.push((name.extract()?, Area::new(centre, size).or_raise()?, REACH));
        }
        let recorder = throng::measures::Recorder::new(recording);
        Ok(Self(Mutex::new(Series { recorder, measures, ticks: Vec::new(), seen: None, values: Vec::new() })))
    }

    /// Observes the world, and returns whether the tick was recorded.
    ///
    /// Parameters
    /// ----------
    /// world : World
    ///     The world.
    ///
    /// Returns
    /// -------
    /// bool
    ///     Whether the tick is a multiple of `every`.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a measure follows agents from tick to tick, and the world has advanced by more than a tick since the last
    ///     observation.
    fn observe(&self, py: Python<'_>, world: &World) -> PyResult<bool> {
        let pool = crate::pool::pool()?;
        py.detach(|| {
            let world = world.shared.read()?;
            pool.install(|| self.record(&world))
        })
    }

    /// The records so far: the tick and one column for each measure.
    ///
    /// Returns
    /// -------
    /// Table
    ///     polars, pyarrow and duckdb read it as it is.
    fn table(&self) -> PyResult<Table> {
        let series = self.0.try_lock().map_err(|_| in_use())?;
        let mut columns = vec![("tick".to_owned(), 1, Numbers::U64(series.ticks.clone()))];
        columns.extend(series.values.iter().map(|(name, values)| (name.clone(), 1, Numbers::F64(values.clone()))));
        Ok(Table { columns })
    }
}

impl Recorder {
    /// Observes the world, unless its present tick was observed.
    pub(crate) fn record_once(&self, world: &AnyWorld) -> PyResult<()> {
        let seen = self.0.try_lock().map_err(|_| in_use())?.seen;
        if seen == Some(world.tick()) { Ok(()) } else { self.record(world).map(|_| ()) }
    }

    /// Observes the world, and returns whether the tick was recorded.
    pub(crate) fn record(&self, world: &AnyWorld) -> PyResult<bool> {
        let mut series = self.0.try_lock().map_err(|_| in_use())?;
        let Series { recorder, measures, ticks, seen, values } = &mut *series;
        if seen.is_none() {
            measures.iter().try_for_each(|measure| curves::check(measure, world))?;
        }
        if with_world!(world, world => recorder.misses(world)) {
            return Err(missed());
        }
        let recorded = with_world!(world, world => recorder.observe(world));
        *seen = Some(world.tick());
        if recorded {
            if values.is_empty() {
                values.extend(recorder.columns().map(|column| (column.name.clone(), Vec::new())));
            }
            ticks.push(world.tick());
            for ((_, values), column) in values.iter_mut().zip(recorder.columns()) {
                values.push(column.value());
            }
        }
        Ok(recorded)
    }
}

/// The exception for an observation that leaves out ticks.
pub(crate) fn missed() -> PyErr {
    PyValueError::new_err(
        "agents are followed from tick to tick, and ticks have passed since the last observation: step with \
         world.step(n, observe=...), which observes each of them",
    )
}

/// The reach of the Voronoi cells of an area in metres: the default of scenario files.
const REACH: f32 = 2.0;

fn in_use() -> PyErr {
    PyRuntimeError::new_err("the recorder is in use by another thread")
}
