//! The thread pool of a command.

use std::num::NonZeroUsize;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::failure::Failure;

/// Starts a pool of `threads` threads; by default of one thread per core.
pub(crate) fn pool(threads: Option<NonZeroUsize>) -> Result<ThreadPool, Failure> {
    ThreadPoolBuilder::new().num_threads(threads.map_or(0, Into::into)).build().map_err(Failure::threads)
}
