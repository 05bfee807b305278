//! The positions of the agents of a species, with a stamp that changes whenever they may have changed.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::base::clone::clone_fields;

/// The identity of some contents, such as [`Positions`]: where stamps are equal, the contents are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp(u64);

impl Stamp {
    /// A stamp that no other contents have.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Relaxed))
    }
}

/// The positions of agents: one column per axis, padded to whole clusters.
///
/// Borrowing them to change them gives them a new [`Stamp`]. A copy of positions keeps the stamps that it was made with,
/// and by them it is known to be stale: see [`OrderedCopy`](crate::index::ordered_copy::OrderedCopy).
#[derive(Debug)]
pub(crate) struct Positions<const D: usize> {
    columns: [Vec<f32>; D],
    stamp: Stamp,
}

clone_fields!(Positions<const D: usize> { columns, stamp });

impl<const D: usize> Positions<D> {
    pub(crate) fn stamp(&self) -> Stamp {
        self.stamp
    }
}

impl<const D: usize> Default for Positions<D> {
    fn default() -> Self {
        std::array::from_fn(|_| Vec::new()).into()
    }
}

impl<const D: usize> From<[Vec<f32>; D]> for Positions<D> {
    fn from(columns: [Vec<f32>; D]) -> Self {
        Self { columns, stamp: Stamp::new() }
    }
}

impl<const D: usize> Deref for Positions<D> {
    type Target = [Vec<f32>; D];

    fn deref(&self) -> &Self::Target {
        &self.columns
    }
}

impl<const D: usize> DerefMut for Positions<D> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.stamp = Stamp::new();
        &mut self.columns
    }
}
