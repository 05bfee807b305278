//! The thread pool in which worlds step.

use std::num::NonZeroUsize;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The pool, and the process that started it. A child after `fork` has none of its threads.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// The largest number of threads.
const MOST_THREADS: usize = 4096;

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
    let pool = ThreadPoolBuilder::new().num_threads(threads.map_or(0, NonZeroUsize::get)).build();
    pool.map(Arc::new).map_err(|error| PyRuntimeError::new_err(format!("the threads cannot start: {error}")))
}

/// Sets the number of threads in which worlds step. The result of a step does not depend on it.
///
/// Parameters
/// ----------
/// number : int or None
///     The number, up to 4096; by default one for each processor.
#[pyfunction]
#[pyo3(signature = (number=None))]
pub(crate) fn set_threads(number: Option<NonZeroUsize>) -> PyResult<()> {
    if let Some(number) = number.filter(|number| number.get() > MOST_THREADS) {
        return Err(PyValueError::new_err(format!("number = {number}: must be from 1 to {MOST_THREADS}")));
    }
    pool()?;
    let started = start(number)?;
    *POOL.lock().unwrap_or_else(PoisonError::into_inner) = Some((process::id(), started));
    Ok(())
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
