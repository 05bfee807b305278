//! When agents came, set off and left, and whether more runs are needed.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::PyArray1;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use throng::{AnyWorld, with_world};

use crate::recorder::missed;
use crate::world::World;

/// Records when each agent came, set off and left, by which exit, and the length of its way.
///
/// `World.step(n, observe=persons)` observes the world before the first tick and after each one.
#[pyclass(module = "throng", frozen)]
#[derive(Debug, Default)]
pub(crate) struct Persons(Mutex<Observed>);

#[derive(Debug, Default)]
struct Observed {
    persons: throng::measures::Persons,
    /// The names of species by their numbers.
    species: Vec<String>,
    /// The tick of the last observation.
    tick: Option<u64>,
}

#[pymethods]
impl Persons {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Observes the world.
    ///
    /// Parameters
    /// ----------
    /// world : World
    ///     The world.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the world has advanced by more than a tick since the last observation.
    fn observe(&self, world: &World) -> PyResult<()> {
        self.follow(&*world.shared.read()?)
    }

    /// The agents in the order in which they came.
    ///
    /// Returns
    /// -------
    /// dict of str to array
    ///     `id`, `species`, `start_s`, `departure_s` (when it was 0.1 m from its start), `exit_s`, `exit` (the name of the
    ///     sink, or the reason of the removal) and `way_m`. Times are simulated seconds, NaN for none.
    fn table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let observed = self.0.try_lock().map_err(|_| in_use())?;
        let all = observed.persons.all();
        let numpy = py.import("numpy")?;
        let texts = |texts: Vec<&str>| numpy.call_method1("array", (texts, "str"));
        let table = PyDict::new(py);
        table.set_item("id", PyArray1::from_iter(py, all.iter().map(|person| person.id.to_bits())))?;
        let species = |person: &throng::measures::Person| {
            observed.species.get(person.species.number()).map_or("", |name| &name[..])
        };
        table.set_item("species", texts(all.iter().map(species).collect())?)?;
        let times = |time: fn(&throng::measures::Person) -> Option<f64>| {
            PyArray1::from_iter(py, all.iter().map(|person| time(person).unwrap_or(f64::NAN)))
        };
        table.set_item("start_s", times(|person| Some(person.start)))?;
        table.set_item("departure_s", times(|person| person.departure))?;
        table.set_item("exit_s", times(|person| person.exit))?;
        let exit = |person| observed.persons.exit_of(person).unwrap_or("");
        table.set_item("exit", texts(all.iter().map(exit).collect())?)?;
        table.set_item("way_m", times(|person| Some(person.way)))?;
        Ok(table)
    }

    /// When agents left.
    ///
    /// Returns
    /// -------
    /// array of float64
    ///     Simulated seconds, ascending: the egress curve.
    fn exit_times<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_vec(py, self.0.try_lock().map_err(|_| in_use())?.persons.exit_times()))
    }

    /// The number of agents that were in the world at the last observation.
    #[getter]
    fn remaining(&self) -> PyResult<usize> {
        Ok(self.0.try_lock().map_err(|_| in_use())?.persons.remaining())
    }
}

impl Persons {
    /// Observes the world, unless its present tick was observed.
    pub(crate) fn follow_once(&self, world: &AnyWorld) -> PyResult<()> {
        let seen = self.0.try_lock().map_err(|_| in_use())?.tick;
        if seen == Some(world.tick()) { Ok(()) } else { self.follow(world) }
    }

    pub(crate) fn follow(&self, world: &AnyWorld) -> PyResult<()> {
        let mut observed = self.0.try_lock().map_err(|_| in_use())?;
        with_world!(world, world => {
            if observed.persons.misses(world) {
                return Err(missed());
            }
            observed.persons.observe(world);
        });
        // Persons of a species that was removed keep its name.
        for (id, name, _) in world.all_species() {
            let names = &mut observed.species;
            names.resize(names.len().max(id.number() + 1), String::new());
            if names[id.number()] != name {
                name.clone_into(&mut names[id.number()]);
            }
        }
        observed.tick = Some(world.tick());
        Ok(())
    }
}

/// The convergence of the egress curves of runs with different seeds: in ten runs one after another, the mean time of the
/// last exit, its standard deviation and the mean curve change by less than a tolerance (Ronchi, Reneke and Peacock 2014).
///
/// Parameters
/// ----------
/// tolerance : float
///     Above zero and below one; 0.01 is usual.
#[pyclass(module = "throng", frozen)]
#[derive(Debug)]
pub(crate) struct Convergence(Mutex<throng::measures::Convergence>);

#[pymethods]
impl Convergence {
    #[new]
    #[pyo3(signature = (tolerance=0.01))]
    fn new(tolerance: f64) -> PyResult<Self> {
        if !(tolerance > 0.0 && tolerance < 1.0) {
            return Err(PyValueError::new_err(format!("tolerance = {tolerance}: must be above 0 and below 1")));
        }
        Ok(Self(Mutex::new(throng::measures::Convergence::new(Some(tolerance)))))
    }

    /// Adds a run.
    ///
    /// Parameters
    /// ----------
    /// exits : sequence of float
    ///     The times at which agents left, in seconds.
    /// agents : int
    ///     The number of agents of the run.
    ///
    /// Returns
    /// -------
    /// bool
    ///     Whether the runs have converged.
    fn add(&self, mut exits: Vec<f64>, agents: usize) -> bool {
        exits.sort_unstable_by(f64::total_cmp);
        let mut convergence = self.locked();
        convergence.add(&exits, agents);
        convergence.is_reached()
    }

    /// The number of runs.
    #[getter]
    fn runs(&self) -> u64 {
        self.locked().runs()
    }

    /// Whether the runs have converged.
    #[getter]
    fn is_reached(&self) -> bool {
        self.locked().is_reached()
    }
}

impl Convergence {
    fn locked(&self) -> MutexGuard<'_, throng::measures::Convergence> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn in_use() -> PyErr {
    PyRuntimeError::new_err("the persons are in use by another thread")
}
