//! The displacements of agents since a first observation.

use std::sync::Mutex;

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use throng::measures::Displacement;
use throng::{AnyWorld, with_world};

use crate::recorder::missed;
use crate::world::{World, species_named};

/// Follows agents since the first observation, across the seams of a periodic world.
///
/// `World.step(n, observe=displacements)` observes the world before the first tick and after each one. The results are
/// in ascending order of ids, so that each row keeps its agent while none comes or goes.
#[pyclass(module = "throng", frozen)]
#[derive(Debug, Default)]
pub(crate) struct Displacements(Mutex<Moved>);

#[derive(Debug, Default)]
struct Moved {
    displacement: Displacement,
    /// The tick of the last observation.
    tick: Option<u64>,
}

#[pymethods]
impl Displacements {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Observes the world. The first observation has the positions from which agents are followed.
    ///
    /// Parameters
    /// ----------
    /// world : World
    ///     The world.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a periodic world has advanced by more than a tick since the last observation: the ways of agents across its
    ///     seams are then unknown.
    fn observe(&self, world: &World) -> PyResult<()> {
        self.follow(&*world.shared.read()?)
    }

    /// The ids of the agents that were present from the first to the last observation, in ascending order.
    ///
    /// Parameters
    /// ----------
    /// world : World
    ///     The observed world.
    /// species : str
    ///     The name of the species.
    ///
    /// Returns
    /// -------
    /// array of uint64
    ///     The rows of `vectors`.
    fn ids<'py>(&self, py: Python<'py>, world: &World, species: &str) -> PyResult<Bound<'py, PyArray1<u64>>> {
        Ok(PyArray1::from_iter(py, self.sorted(world, species)?.into_iter().map(|(id, _)| id)))
    }

    /// The displacement of each of these agents since the first observation, as if the world had no seam.
    ///
    /// Parameters
    /// ----------
    /// world : World
    ///     The observed world.
    /// species : str
    ///     The name of the species.
    ///
    /// Returns
    /// -------
    /// array of float64, shape (agents, dimensions)
    ///     In metres, in ascending order of ids.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the world was not observed at its present tick.
    fn vectors<'py>(&self, py: Python<'py>, world: &World, species: &str) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let all = self.sorted(world, species)?;
        let dimensions = world.shared.read()?.dimensions();
        let numbers = all.iter().flat_map(|(_, vector)| &vector[..dimensions]).copied();
        PyArray1::from_iter(py, numbers).reshape([all.len(), dimensions])
    }
}

impl Displacements {
    /// Observes the world, unless its present tick was observed.
    pub(crate) fn follow_once(&self, world: &AnyWorld) -> PyResult<()> {
        let seen = self.0.try_lock().map_err(|_| in_use())?.tick;
        if seen == Some(world.tick()) { Ok(()) } else { self.follow(world) }
    }

    pub(crate) fn follow(&self, world: &AnyWorld) -> PyResult<()> {
        let mut moved = self.0.try_lock().map_err(|_| in_use())?;
        with_world!(world, world => {
            if moved.displacement.misses(world) {
                return Err(missed());
            }
            moved.displacement.observe(world);
        });
        moved.tick = Some(world.tick());
        Ok(())
    }

    /// The agents of a species with their displacements, in ascending order of ids.
    fn sorted(&self, world: &World, species: &str) -> PyResult<Vec<(u64, [f64; 3])>> {
        let (world, moved) = (world.shared.read()?, self.0.try_lock().map_err(|_| in_use())?);
        let species = species_named(&world, species)?;
        if moved.tick != Some(world.tick()) {
            let seen = moved.tick.map_or("never".to_owned(), |tick| format!("last at tick {tick}"));
            return Err(PyValueError::new_err(format!(
                "the world is at tick {}, and was observed {seen}: step with world.step(n, observe=displacements)",
                world.tick()
            )));
        }
        let mut all: Vec<(u64, [f64; 3])> = with_world!(&*world, world => {
            let vectors = moved.displacement.vectors(world, Some(species));
            let in_space = |vector: &[f64]| std::array::from_fn(|axis| vector.get(axis).copied().unwrap_or(0.0));
            vectors.map(|(id, vector)| (id.to_bits(), in_space(&vector))).collect()
        });
        all.sort_unstable_by_key(|(id, _)| *id);
        Ok(all)
    }
}

fn in_use() -> PyErr {
    PyRuntimeError::new_err("the displacements are in use by another thread")
}
