//! Work on columns, divided among threads: chunk by chunk, by halves, in the pool of the caller.
//!
//! Rayon's own iterators cannot zip a number of columns that is a constant of the type; this can, without allocating.
//! Every piece is written by one call alone, so nothing depends on which thread makes it.

#![cfg_attr(not(feature = "bench"), allow(unreachable_pub, reason = "with the feature, it can be reached"))]

use crate::kernels::AxesMut;

/// Something that can be cut in two between chunks.
pub trait Cut: Send + Sized {
    /// The first `chunks` chunks, and the rest.
    fn cut(self, chunks: usize) -> (Self, Self);
}

/// `D` columns with `UNIT` entries per chunk; the last chunk may have fewer.
pub struct Columns<'a, const D: usize, const UNIT: usize>(pub AxesMut<'a, D>);

impl<'a, const D: usize, const UNIT: usize> Columns<'a, D, UNIT> {
    /// All of each column.
    pub fn new(columns: &'a mut [Vec<f32>; D]) -> Self {
        Self(columns.each_mut().map(Vec::as_mut_slice))
    }
}

impl<const D: usize, const UNIT: usize> Cut for Columns<'_, D, UNIT> {
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

/// A column of anything, and how many entries it has per chunk.
pub struct Column<'a, T>(pub &'a mut [T], pub usize);

impl<T: Send> Cut for Column<'_, T> {
    fn cut(self, chunks: usize) -> (Self, Self) {
        let middle = (chunks * self.1).clamp(0, self.0.len());
        let (first, second) = self.0.split_at_mut(middle);
        (Self(first, self.1), Self(second, self.1))
    }
}

impl<A: Cut, B: Cut> Cut for (A, B) {
    fn cut(self, chunks: usize) -> (Self, Self) {
        let ((a, c), (b, d)) = (self.0.cut(chunks), self.1.cut(chunks));
        ((a, b), (c, d))
    }
}

impl<A: Cut, B: Cut, C: Cut> Cut for (A, B, C) {
    fn cut(self, chunks: usize) -> (Self, Self) {
        let ((a, d), (b, e), (c, f)) = (self.0.cut(chunks), self.1.cut(chunks), self.2.cut(chunks));
        ((a, b, c), (d, e, f))
    }
}

/// Work on so few chunks is not divided: to wake a thread takes longer. (A host that sleeps between ticks finds the
/// threads of the pool asleep.)
pub(crate) const FEW_CHUNKS: usize = 4;

/// Calls `work` once for each of `chunks` chunks with its number and its part of `data`; threads take `grain`
/// consecutive chunks or more at a time.
pub fn for_each_chunk<T: Cut>(chunks: usize, grain: usize, data: T, work: &(impl Fn(usize, T) + Sync)) {
    divide(0, chunks, if chunks > FEW_CHUNKS { grain } else { chunks }, data, work);
}

fn divide<T: Cut>(first: usize, chunks: usize, grain: usize, data: T, work: &(impl Fn(usize, T) + Sync)) {
    if chunks > grain {
        let half = chunks / 2;
        let (left, right) = data.cut(half);
        rayon::join(
            || divide(first, half, grain, left, work),
            || divide(first + half, chunks - half, grain, right, work),
        );
        return;
    }
    let mut rest = data;
    for chunk in first..first + chunks {
        let (this, others) = rest.cut(1);
        work(chunk, this);
        rest = others;
    }
}
