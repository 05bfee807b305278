//! The thread pool in which worlds step.

use std::num::NonZeroUsize;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use throng::check_default_threads;

use crate::errors::OrRaise as _;

/// The pool, and the process that started it. A child after `fork` has none of its threads.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// The pool of this process.
pub(crate) fn pool() -> PyResult<Arc<ThreadPool>> {
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    match &*pool {
        Some((owner, pool)) if *owner == process::id() => Ok(Arc::clone(pool)),
        _ => {
            let started = start(None)?;
            // Dropping the pool of the parent process would wait for its threads.
            std::mem::forget(pool.replace((process::id(), Arc::clone(&started))));
            Ok(started)
        }
    }
}

/// Starts a pool; by default of one thread per core, or of `RAYON_NUM_THREADS`.
pub(crate) fn start(threads: Option<NonZeroUsize>) -> PyResult<Arc<ThreadPool>> {
    match threads {
        Some(threads) => throng::check_threads("number", threads.get()),
        None => check_default_threads(|name| std::env::var(name).ok()),
    }
    .or_raise()?;
    let pool = ThreadPoolBuilder::new().num_threads(threads.map_or(0, NonZeroUsize::get)).build();
    pool.map(Arc::new).map_err(|error| PyRuntimeError::new_err(format!("the threads cannot start: {error}")))
}

/// Sets the number of threads in which worlds step. The result of a step does not depend on it.
///
/// Parameters
/// ----------
/// number : int or None
///     The number, up to 64 or four for each processor; by default one for each processor.
///
/// Raises
/// ------
/// BadValueError
///     If the number is too large.
#[pyfunction]
#[pyo3(signature = (number=None))]
pub(crate) fn set_threads(number: Option<NonZeroUsize>) -> PyResult<()> {
    let started = start(number)?;
    let before = POOL.lock().unwrap_or_else(PoisonError::into_inner).replace((process::id(), started));
    // Dropping the pool of the parent process would wait for its threads.
    std::mem::forget(before.filter(|(owner, _)| *owner != process::id()));
    Ok(())
}

/// Refuses a number of threads that `set_threads` would refuse.
#[pyfunction]
pub(crate) fn check_threads(number: usize) -> PyResult<()> {
    throng::check_threads("threads", number).or_raise()
}

/// The number of threads in which worlds step.
///
/// Returns
/// -------
/// int
///     At least one.
#[pyfunction]
pub(crate) fn threads() -> PyResult<usize> {
    Ok(pool()?.current_num_threads())
}
