//! The chunks that a stage may write.

use std::ops::Range;

use crate::agents::parallel::{Split, for_each_chunk_of};

/// The chunks of a species that this process steers or moves. Only a [`Part`](crate::ranks::Part) makes them, so a stage
/// that loops over chunks has asked it.
#[derive(Clone, Debug)]
pub(crate) struct Chunks(pub(super) Range<usize>);

impl Chunks {
    /// Calls `work` once for each of the chunks with its number and its part of `data`, which is the column of all
    /// chunks of the species. A thread takes up to `grain` consecutive chunks at a time.
    pub(crate) fn for_each<T: Split>(&self, grain: usize, data: T, work: &(impl Fn(usize, T) + Sync)) {
        for_each_chunk_of(self.0.clone(), grain, data, work);
    }

    /// The numbers of the chunks.
    pub(crate) fn range(&self) -> Range<usize> {
        self.0.clone()
    }
}
