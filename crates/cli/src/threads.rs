//! The thread pool of a command.

use std::num::NonZeroUsize;

use rayon::{ThreadPool, ThreadPoolBuilder};
use throng::check_default_threads;

use crate::failure::Failure;

/// Starts a pool of `threads` threads; by default of one thread per core, or of `RAYON_NUM_THREADS`.
pub(crate) fn pool(threads: Option<NonZeroUsize>) -> Result<ThreadPool, Failure> {
    if threads.is_none() {
        check_default_threads(|name| std::env::var(name).ok()).map_err(|error| Failure::Input(error.to_string()))?;
    }
    ThreadPoolBuilder::new().num_threads(threads.map_or(0, Into::into)).build().map_err(Failure::threads)
}
