//! Parallel loops over chunks of columns, and one value per thread.
//!
//! Rayon's iterators cannot zip `D` columns, a constant of the type. These loops can, without allocations. Exactly one
//! call writes each piece, so the result does not depend on the threads.

#![cfg_attr(not(feature = "bench"), allow(unreachable_pub, reason = "with the feature, it can be reached"))]

use std::cell::Cell;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use crate::agents::strand::{self, Piece};
use crate::kernels::{AxesMut, CHUNK};

/// Data that can be split between two chunks.
pub trait Split: Send + Sized {
    /// Returns the first `chunks` chunks, and the rest.
    fn cut(self, chunks: usize) -> (Self, Self);
}

/// `D` columns with `UNIT` entries per chunk; the last chunk may have fewer.
pub struct ChunkedAxes<'a, const D: usize, const UNIT: usize>(pub AxesMut<'a, D>);

impl<'a, const D: usize, const UNIT: usize> ChunkedAxes<'a, D, UNIT> {
    /// Takes all of each column.
    pub fn new(columns: &'a mut [Vec<f32>; D]) -> Self {
        Self(columns.each_mut().map(Vec::as_mut_slice))
    }
}

impl<const D: usize, const UNIT: usize> Split for ChunkedAxes<'_, D, UNIT> {
    fn cut(self, chunks: usize) -> (Self, Self) {
        let mut rest: AxesMut<'_, D> = std::array::from_fn(|_| Default::default());
        let mut axis = 0;
        let first = self.0.map(|column| {
            let (first, second) = column.split_at_mut((chunks * UNIT).clamp(0, column.len()));
            rest[axis] = second;
            axis += 1;
            first
        });
        (Self(first), Self(rest))
    }
}

/// Columns of sums, and the columns of their residuals.
pub(crate) type ChunkedSums<'a, const D: usize> = (ChunkedAxes<'a, D, CHUNK>, ChunkedAxes<'a, D, CHUNK>);

/// Takes all of these columns.
pub(crate) fn chunked_sums<'a, const D: usize>(
    sums: &'a mut [Vec<f32>; D],
    residuals: &'a mut [Vec<f32>; D],
) -> ChunkedSums<'a, D> {
    (ChunkedAxes::new(sums), ChunkedAxes::new(residuals))
}

/// A column of any type, and the number of entries per chunk.
pub struct ChunkedColumn<'a, T>(pub &'a mut [T], pub usize);

impl<T: Send> Split for ChunkedColumn<'_, T> {
    fn cut(self, chunks: usize) -> (Self, Self) {
        let middle = (chunks * self.1).clamp(0, self.0.len());
        let (first, second) = self.0.split_at_mut(middle);
        (Self(first, self.1), Self(second, self.1))
    }
}

/// Nothing: the work needs only the number of its chunk.
impl Split for () {
    fn cut(self, _: usize) -> (Self, Self) {
        ((), ())
    }
}

impl<A: Split, B: Split> Split for (A, B) {
    fn cut(self, chunks: usize) -> (Self, Self) {
        let ((a, c), (b, d)) = (self.0.cut(chunks), self.1.cut(chunks));
        ((a, b), (c, d))
    }
}

impl<A: Split, B: Split, C: Split> Split for (A, B, C) {
    fn cut(self, chunks: usize) -> (Self, Self) {
        let ((a, d), (b, e), (c, f)) = (self.0.cut(chunks), self.1.cut(chunks), self.2.cut(chunks));
        ((a, b, c), (d, e, f))
    }
}

/// The number of chunks that a thread takes at a time where the work for each is as little as in a sort.
pub(crate) const FEW_CHUNKS: usize = 4;

thread_local! {
    /// Whether this thread divides no work.
    static IS_SERIAL: Cell<bool> = const { Cell::new(false) };
}

/// Does `work` on this thread only.
pub(crate) fn serially(work: impl FnOnce()) {
    /// Ends it also after a panic.
    struct End(bool);
    impl Drop for End {
        fn drop(&mut self) {
            IS_SERIAL.set(self.0);
        }
    }
    let _end = End(IS_SERIAL.replace(true));
    work();
}

/// Calls `work` once for each of `chunks` chunks with its number and its part of `data`. A thread takes up to `grain`
/// consecutive chunks at a time.
pub fn for_each_chunk<T: Split>(chunks: usize, grain: usize, data: T, work: &(impl Fn(usize, T) + Sync)) {
    for_each_chunk_of(0..chunks, grain, data, work);
}

/// Calls `work` once for each of these items with its number.
pub(crate) fn for_each_item<T: Send>(items: &mut [T], work: &(impl Fn(usize, &mut T) + Sync)) {
    for_each_chunk(items.len(), 1, ChunkedColumn(items, 1), &|number, item| work(number, &mut item.0[0]));
}

/// Calls `work` as [`for_each_chunk`] does, for the chunks of a range. `data` is the column of all chunks.
pub(crate) fn for_each_chunk_of<T: Split>(
    chunks: Range<usize>,
    grain: usize,
    data: T,
    work: &(impl Fn(usize, T) + Sync),
) {
    let data = data.cut(chunks.start).1;
    divide(chunks, grain, data, &|chunks, mut rest: T| {
        for chunk in chunks {
            let (this, others) = rest.cut(1);
            work(chunk, this);
            rest = others;
        }
    });
}

/// Returns the results of `of_chunk` for all chunks, joined in any order by `join`; `None` without chunks.
pub(crate) fn joined<R: Send>(
    chunks: usize,
    of_chunk: &(impl Fn(usize) -> R + Sync),
    join: &(impl Fn(R, R) -> R + Sync),
) -> Option<R> {
    let all = Mutex::new(None);
    for_each_chunk(chunks, 1, (), &|chunk, ()| {
        let found = of_chunk(chunk);
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        *all = Some(match all.take() {
            Some(others) => join(others, found),
            None => found,
        });
    });
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `work` with ranges of the chunks and their parts of `data`. All work of a tick that threads share comes here.
fn divide<T: Split>(chunks: Range<usize>, grain: usize, data: T, work: &(impl Fn(Range<usize>, T) + Sync)) {
    let grain = if IS_SERIAL.get() { usize::MAX } else { grain };
    if strand::is_recording() {
        strand::part(|| halve(chunks, grain, data, true, work));
    } else {
        halve(chunks, grain, data, false, work);
    }
}

fn halve<T: Split>(
    chunks: Range<usize>,
    grain: usize,
    data: T,
    is_recorded: bool,
    work: &(impl Fn(Range<usize>, T) + Sync),
) {
    if chunks.len() > grain {
        let half = chunks.len() / 2;
        let middle = chunks.start + half;
        let (left, right) = data.cut(half);
        rayon::join(
            || halve(chunks.start..middle, grain, left, is_recorded, work),
            || halve(middle..chunks.end, grain, right, is_recorded, work),
        );
        return;
    }
    let piece = is_recorded.then(Piece::begin);
    work(chunks, data);
    if let Some(piece) = piece {
        piece.end();
    }
}

/// One value for each thread of a pool. A thread gets a temporary second one while its own is in use, for example if a
/// rule uses the pool.
#[derive(Debug, Default)]
pub(crate) struct PerThread<T>(Vec<Mutex<T>>);

impl<T: Default> PerThread<T> {
    /// Ensures that every thread of the pool has a value.
    pub(crate) fn prepare(&mut self) {
        let threads = rayon::current_num_threads();
        if self.0.len() < threads {
            self.0.resize_with(threads, Mutex::default);
        }
    }

    /// Calls `work` with the value of this thread.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        // A host's thread outside of the pool takes the first one.
        let thread = rayon::current_thread_index().unwrap_or(0);
        let own = self.0.get(thread).and_then(|value| value.try_lock().ok());
        match own {
            Some(mut value) => work(&mut value),
            None => work(&mut T::default()),
        }
    }
}
