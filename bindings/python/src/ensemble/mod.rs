//! Many worlds that advance together: one call for all of them.

pub(crate) mod copies;
mod few;
pub(crate) mod nearest;
pub(crate) mod rays;
pub(crate) mod read;
pub(crate) mod write;

use std::time::{Duration, Instant};

use numpy::{Element, PyReadwriteArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyBufferError, PyValueError};
use pyo3::prelude::*;
use rayon::prelude::*;
use throng::measures::{MeasureOf, Series};
use throng::{Error, check_arithmetic};

use crate::curves;
use crate::errors::OrRaise;
use crate::pool;
use crate::shared::Stepping;
use crate::world::{World, species_named};

/// The time for which worlds advance without Python, so that it hears signals.
const DETACHED: Duration = Duration::from_millis(50);

/// Does the same work for each world, with its part of an array, in all threads and without Python. All worlds are done
/// when it returns; it returns the error of the first world that failed.
fn for_each<Parts>(
    py: Python<'_>,
    worlds: &[Py<World>],
    parts: Parts,
    work: impl Fn(usize, &World, Parts::Item) -> PyResult<()> + Send + Sync,
) -> PyResult<()>
where
    Parts: IndexedParallelIterator,
{
    let pool = pool::pool()?;
    let done: Vec<PyResult<()>> = py.detach(|| {
        pool.install(|| {
            let all = worlds.par_iter().zip(parts).enumerate().with_max_len(1);
            all.map(|(number, (world, part))| work(number, world.get(), part)).collect()
        })
    });
    done.into_iter().collect()
}

/// The number of agents of a species, which all worlds must share.
fn agents_of(worlds: &[Py<World>], species: &str) -> PyResult<usize> {
    let mut first = None;
    for (number, world) in worlds.iter().enumerate() {
        let world = world.get().shared.read()?;
        let agents = world.ids(species_named(&world, species)?).or_raise()?.len();
        check_agents(number, agents, *first.get_or_insert(agents))?;
    }
    Ok(first.unwrap_or_default())
}

/// Fails if a world has another number of agents than the first one.
fn check_agents(number: usize, agents: usize, first: usize) -> PyResult<()> {
    if agents == first {
        return Ok(());
    }
    Err(PyValueError::new_err(format!(
        "world {number} has {agents} agents, and world 0 has {first}: arrays of all worlds need equal numbers"
    )))
}

/// The memory of an array to be filled.
fn memory<'a, T: Element>(name: &str, array: &'a mut PyReadwriteArrayDyn<'_, T>) -> PyResult<&'a mut [T]> {
    let refused = || PyValueError::new_err(format!("{name}: must be contiguous, in the order of C"));
    // Slices of arrays in the order of Fortran are contiguous too.
    if !array.is_c_contiguous() {
        return Err(refused());
    }
    array.as_slice_mut().map_err(|_| refused())
}

/// A world in an ensemble.
struct Member {
    stepping: Stepping,
    series: Series,
    ticks: u64,
}

/// The units of measures in a world of this number of dimensions; empty for none.
#[pyfunction]
pub(crate) fn units(names: Vec<String>, dimensions: usize) -> PyResult<Vec<String>> {
    let unit = |name: &String| Ok(MeasureOf::parse(name).or_raise()?.measure.unit_in(dimensions).to_owned());
    names.iter().map(unit).collect()
}

/// Advances worlds by a number of ticks, and measures them every few. Returns the records of each measure of each world.
#[pyfunction]
#[pyo3(signature = (worlds, ticks, every, names, radius=None))]
pub(crate) fn advance(
    py: Python<'_>,
    worlds: Vec<Py<World>>,
    ticks: u64,
    every: u64,
    names: Vec<String>,
    radius: Option<f32>,
) -> PyResult<Vec<Vec<Vec<f64>>>> {
    let measures = names.iter().map(|name| curves::known(name, radius)).collect::<PyResult<Vec<_>>>()?;
    curves::all_differ(measures.iter().map(ToString::to_string))?;
    if worlds.iter().any(|world| world.get().has_functions()) {
        let reason = "a world of an ensemble has rules that are functions of Python, which step one world at a time";
        return Err(PyValueError::new_err(reason));
    }
    let pool = pool::pool()?;
    let member = |world: &Py<World>| {
        let measured = world.get().shared.read()?;
        measures.iter().try_for_each(|of| curves::check(&of.measure, &measured))?;
        drop(measured);
        let stepping = world.get().shared.begin_step()?;
        Ok(Member { stepping, series: Series::new(&measures, radius), ticks: 0 })
    };
    let mut members = worlds.iter().map(member).collect::<PyResult<Vec<_>>>()?;
    let mut first = true;
    while first || members.iter().any(|member| member.ticks < ticks) {
        py.detach(|| {
            let until = Instant::now() + DETACHED;
            pool.install(|| {
                check_arithmetic().map_err(Error::Arithmetic).or_raise()?;
                members.par_iter_mut().with_max_len(1).try_for_each(|member| member.advance(ticks, every, until))
            })
        })?;
        first = false;
        py.check_signals()?;
    }
    let values = members.iter().map(|member| member.series.values().map(<[f64]>::to_vec).collect()).collect();
    drop(members);
    worlds.iter().try_for_each(|world| world.get().warn_after_step(py))?;
    Ok(values)
}

impl Member {
    /// Advances the world to this number of ticks, or for a while.
    fn advance(&mut self, ticks: u64, every: u64, until: Instant) -> PyResult<()> {
        let closed =
            || PyBufferError::new_err("another thread opened a view of a world between two ticks of this step");
        let mut world = self.stepping.world().ok_or_else(closed)?;
        if self.ticks == 0 {
            self.series.observe(&world);
        }
        while self.ticks < ticks {
            world.try_step().or_raise()?;
            self.ticks += 1;
            self.series.observe(&world);
            if self.ticks.is_multiple_of(every) {
                self.series.measure(&world);
            }
            if Instant::now() >= until {
                break;
            }
        }
        Ok(())
    }
}
