//! The trait of transports.

use std::fmt;

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

    /// Sends `to[rank]` to each rank, and fills `from` with what each rank sent to this one, in the order of ranks.
    fn exchange(&self, to: &[Vec<u8>], from: &mut Vec<Vec<u8>>);

    /// Sends `own` to every rank, and fills `all` with what each rank sent, in the order of ranks.
    fn gather(&self, own: &[u8], all: &mut Vec<Vec<u8>>);
}
