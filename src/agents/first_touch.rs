//! Memory that the threads which use it write first.
//!
//! A system gives a page of a large allocation to the socket of the thread that first writes to it. Columns grow on the
//! thread that adds agents, so all of them would lie on one socket, and all threads would share its bandwidth. Columns
//! that are larger than ever therefore get new memory in the next sort, whose threads write to it chunk by chunk.

use rayon::prelude::*;

/// Returns `length` zeros, and capacity for `room`. If they are many, no thread has written to their memory yet: zeros
/// come from the system.
pub(crate) fn zeros<T: Copy + Default>(length: usize, room: usize) -> Vec<T> {
    let mut zeros = vec![T::default(); if room > length { room } else { length }];
    zeros.truncate(length);
    zeros
}

/// Sets the length of entries that will be written again before they are read.
pub(crate) fn resize<T: Copy + Default>(entries: &mut Vec<T>, length: usize) {
    if length > entries.capacity() {
        let is_growing = entries.capacity() > 0;
        *entries = zeros(length, if is_growing { length + length / 8 } else { length });
    }
    entries.resize(length, T::default());
}

/// Grows a vector to `length`; threads write new memory in parallel, `grain` entries at least. Entries that are there
/// stay if they need no new memory.
pub(crate) fn grow<T: Default + Send>(entries: &mut Vec<T>, length: usize, grain: usize) {
    if length > entries.capacity() && length > grain {
        *entries = Vec::new();
        (0..length).into_par_iter().with_min_len(grain).map(|_| T::default()).collect_into_vec(entries);
    } else {
        entries.resize_with(length, T::default);
    }
}
