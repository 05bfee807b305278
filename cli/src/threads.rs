//! How many threads share the work?

use std::num::NonZeroUsize;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::failure::Failure;

/// So many threads; as many as there can be at once if no number is given.
pub(crate) fn pool(threads: Option<NonZeroUsize>) -> Result<ThreadPool, Failure> {
    ThreadPoolBuilder::new().num_threads(threads.map_or(0, Into::into)).build().map_err(Failure::threads)
}
