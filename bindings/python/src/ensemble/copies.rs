//! Copies of worlds, and worlds that become copies of others.

use pyo3::prelude::*;
use rayon::prelude::*;
use throng::{AnyWorld, with_world};

use crate::pool;
use crate::world::World;

/// Computes the ways of navigations of worlds at their start, so that their copies have them. A world with
/// a live view is left to its first step.
#[pyfunction]
pub(crate) fn prepare(py: Python<'_>, worlds: Vec<Py<World>>) -> PyResult<()> {
    let pool = pool::pool()?;
    py.detach(|| {
        pool.install(|| {
            worlds.par_iter().with_max_len(1).for_each(|world| {
                if let Ok(mut world) = world.get().shared.exclusive() {
                    with_world!(&mut *world, world => world.prepare());
                }
            });
        });
    });
    Ok(())
}

/// Copies of the worlds with these numbers, which continue with the same bits.
#[pyfunction]
pub(crate) fn copies(py: Python<'_>, worlds: Vec<Py<World>>, numbers: Vec<usize>) -> PyResult<Vec<World>> {
    let pool = pool::pool()?;
    let copied: Vec<AnyWorld> = py.detach(|| {
        let copied = |&number: &usize| PyResult::Ok(worlds[number].get().shared.read()?.clone());
        pool.install(|| numbers.par_iter().with_max_len(1).map(copied).collect::<PyResult<_>>())
    })?;
    Ok(numbers.into_iter().zip(copied).map(|(number, copy)| worlds[number].get().with_functions(py, copy)).collect())
}

/// Makes the worlds with these numbers, each at most once, copies of the starts with the same numbers.
#[pyfunction]
pub(crate) fn restore(
    py: Python<'_>,
    worlds: Vec<Py<World>>,
    starts: Vec<Py<World>>,
    numbers: Vec<usize>,
) -> PyResult<()> {
    let pool = pool::pool()?;
    let done: Vec<PyResult<()>> = py.detach(|| {
        let restored = |&number: &usize| {
            let start = starts[number].get().shared.read()?.clone();
            *worlds[number].get().shared.write()? = start;
            Ok(())
        };
        pool.install(|| numbers.par_iter().with_max_len(1).map(restored).collect())
    });
    for (number, done) in numbers.into_iter().zip(done) {
        done?;
        worlds[number].get().take_functions(py, starts[number].get());
    }
    Ok(())
}
