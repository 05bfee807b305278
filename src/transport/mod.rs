//! The transport of bytes between processes, and numbers as bytes.

mod in_process;
pub(crate) mod numbers;

pub use in_process::{InProcess, in_process};

use std::fmt;
use std::fmt::Display;

use crate::base::error::Error;

/// Exchanges bytes among the ranks of a world. All ranks make the same calls in the same order, and each call waits for
/// the others.
///
/// A call that cannot reach another rank does not return: it panics, or ends the process. The bits of a world do not
/// depend on the transport.
pub trait Transport: fmt::Debug + Send + Sync {
    /// The number of this rank, from zero.
    fn rank(&self) -> usize;

    /// The number of ranks, at least one.
    fn ranks(&self) -> usize;

    /// Sends `to[rank]` to each rank, and fills `from` with the data that each rank sent to this one, in the order of
    /// ranks.
    fn exchange(&self, to: &[Vec<u8>], from: &mut Vec<Vec<u8>>);

    /// Sends `own` to every rank, and fills `all` with the data that each rank sent, in the order of ranks.
    fn gather(&self, own: &[u8], all: &mut Vec<Vec<u8>>);
}

/// Returns the result if all ranks have one and the same text describes theirs, or else this rank's error, or the text
/// of another rank as [`Error::RankDiffers`]. Every rank makes this call: no rank continues on its own with data that
/// another could not build or read.
///
/// # Errors
///
/// The error of the result, or [`Error::RankDiffers`].
///
/// # Panics
///
/// If another rank cannot be reached: see [`Transport`].
pub fn all_succeed<T, E: Display + From<Error>>(
    transport: &dyn Transport,
    result: Result<T, E>,
    text: impl FnOnce(&T) -> String,
) -> Result<T, E> {
    let text = result.as_ref().map_or_else(|error| format!("an error: {error}"), text);
    let agreed = agree(transport, &text);
    let result = result?;
    agreed?;
    Ok(result)
}

/// Compares the data of the ranks.
///
/// # Errors
///
/// [`Error::RankDiffers`] on all ranks, unless all have the same.
pub(crate) fn agree(transport: &dyn Transport, own: &str) -> Result<(), Error> {
    let mut all = Vec::new();
    transport.gather(own.as_bytes(), &mut all);
    let Some(rank) = all.iter().position(|other| *other != all[0]) else { return Ok(()) };
    let text = |rank: usize| String::from_utf8_lossy(&all[rank]).into_owned();
    Err(Error::RankDiffers { rank, has: text(rank), first: text(0) })
}
