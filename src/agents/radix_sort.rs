//! The sort of rows by one coordinate: a radix sort of their keys, or an insertion sort of a few.
//!
//! Every sort is stable, so the result depends only on the state. Entries are atomic so that threads can write rows to
//! any place: exactly one thread writes each place.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::agents::parallel::{ChunkedColumn, for_each_chunk, joined};
use crate::kernels::CLUSTER;

/// The number of values of a digit. The radix sort handles 9 bits at a time, the lowest first.
pub(crate) const DIGITS: usize = 1 << DIGIT_BITS;
const DIGIT_BITS: u32 = 9;

/// The positions of a key's digits in an entry. Keys have two digits, or three if there are more than `MANY_ROWS` rows
/// or a few agents are far away.
const SHIFTS: [u32; 3] = [32, 32 + DIGIT_BITS, 32 + 2 * DIGIT_BITS];
const MANY_ROWS: usize = 1 << 20;

/// The number of agents sampled to detect far outliers.
pub(crate) const SAMPLES: usize = 64;

/// The number of rows in a block, which one thread counts.
pub(crate) const BLOCK: usize = 8192;

/// Parts with at most this number of rows use insertion sort, which is faster than counting digits.
const FEW_ROWS: usize = 64;

/// The conversion of coordinates to keys: steps of equal length over the extent of the agents. Two digits have 262 144
/// steps, three have 134 million. Floats as keys would have steps of metres far from the origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    low: f32,
    /// The number of steps per metre.
    steps: f32,
    /// The largest key.
    largest: u32,
    /// The positions of a key's digits.
    digits: &'static [u32],
}

impl Scale {
    pub(crate) fn of(position: &[f32]) -> Self {
        Self::new(position.len(), extent(position), sampled(position.len()).map(|row| position[row]))
    }

    /// The scale of `count` coordinates of this extent; `sample` has the keys of the [`sampled`] rows.
    pub(crate) fn new(count: usize, (low, high): (f32, f32), mut sample: [f32; SAMPLES]) -> Self {
        // If a few agents are far away, the steps of two digits would be wider than the clusters of the others.
        sample.sort_unstable_by(f32::total_cmp);
        let inner = sample[SAMPLES - SAMPLES / 8 - 1] - sample[SAMPLES / 8];
        let even = 16.0 * inner >= high - low;
        let digits = if even && count <= MANY_ROWS { &SHIFTS[..2] } else { &SHIFTS[..] };
        let largest = (1 << (DIGIT_BITS * digits.len() as u32)) - 1;
        Self { low, steps: largest as f32 / (high - low), largest, digits }
    }

    /// The number of bits of a key: a multiple of nine.
    pub(crate) fn bits(self) -> u32 {
        DIGIT_BITS * self.digits.len() as u32
    }

    /// Returns the entry of a row. The key is reversed if `back`.
    #[inline]
    pub(crate) fn entry(self, position: f32, row: u32, back: bool) -> u64 {
        // If all agents are at one point, zero times infinity is NaN, which becomes the key zero.
        let key = ((position - self.low) * self.steps) as u32;
        let key = if key < self.largest { key } else { self.largest };
        u64::from(if back { self.largest - key } else { key }) << 32 | u64::from(row)
    }
}

/// Returns the rows of `count` whose coordinates are the sample of a [`Scale`].
pub(crate) fn sampled(count: usize) -> [usize; SAMPLES] {
    std::array::from_fn(|number| number * count / SAMPLES)
}

/// Returns the lowest and the highest of some coordinates; infinity and its negative if there are none.
pub(crate) fn extent(position: &[f32]) -> (f32, f32) {
    const NONE: (f32, f32) = (f32::INFINITY, f32::NEG_INFINITY);
    // Sixteen separate extents avoid one long chain of dependent operations.
    let extent = |position: &[f32]| {
        let mut extents = [NONE; CLUSTER];
        for positions in position.chunks(CLUSTER) {
            for (extent, &at) in extents.iter_mut().zip(positions) {
                *extent = join(*extent, (at, at));
            }
        }
        extents.into_iter().fold(NONE, join)
    };
    // bits: the lowest and the highest are the same in whichever order they are joined
    joined(blocks(position), &|block| extent(&position[rows_of(block, position)]), &join).unwrap_or(NONE)
}

/// The number of blocks of rows.
pub(crate) fn blocks<T>(rows: &[T]) -> usize {
    rows.len().div_ceil(BLOCK)
}

/// The rows of a block.
pub(crate) fn rows_of<T>(block: usize, rows: &[T]) -> Range<usize> {
    block * BLOCK..((block + 1) * BLOCK).clamp(0, rows.len())
}

/// Returns the union of two extents. The result does not depend on their order.
pub(crate) fn join((low, high): (f32, f32), (other_low, other_high): (f32, f32)) -> (f32, f32) {
    (if other_low < low { other_low } else { low }, if other_high > high { other_high } else { high })
}

/// Returns the two buffers in the order in which the passes of a sort end in `last`.
fn buffers_ending_in<'a>(
    scale: Scale,
    last: &'a [AtomicU64],
    other: &'a [AtomicU64],
) -> (&'a [AtomicU64], &'a [AtomicU64]) {
    if scale.digits.len().is_multiple_of(2) { (last, other) } else { (other, last) }
}

#[inline]
fn digit(entry: u64, shift: u32) -> usize {
    (entry >> shift) as usize % DIGITS
}

/// Counts the rows with each digit.
fn count(rows: &[AtomicU64], shift: u32) -> [u32; DIGITS] {
    let mut counts = [0; DIGITS];
    for entry in rows {
        counts[digit(entry.load(Relaxed), shift)] += 1;
    }
    counts
}

/// Replaces the counts by the start of each block's rows of each digit. The order by digit and then by block makes the
/// sort stable.
fn add_up(counts: &mut [[u32; DIGITS]]) {
    let mut start = 0;
    for digit in 0..DIGITS {
        for block in &mut *counts {
            start += std::mem::replace(&mut block[digit], start);
        }
    }
}

/// Copies each row to the next place of its digit.
fn distribute(rows: &[AtomicU64], to: &[AtomicU64], shift: u32, next: &mut [u32; DIGITS]) {
    for entry in rows {
        let entry = entry.load(Relaxed);
        let index = &mut next[digit(entry, shift)];
        to[*index as usize].store(entry, Relaxed);
        *index += 1;
    }
}

/// Sorts the rows of a part by one coordinate, in descending order if `back`.
pub(crate) fn sort_part(position: &[f32], scale: Scale, rows: &[AtomicU64], buffer: &[AtomicU64], back: bool) {
    let entry = |entry: &AtomicU64| scale.entry(position[row(entry)], row(entry) as u32, back);
    if rows.len() > FEW_ROWS { sort_many(scale, rows, buffer, entry) } else { sort_few(rows, entry) }
}

fn sort_many(scale: Scale, rows: &[AtomicU64], buffer: &[AtomicU64], entry: impl Fn(&AtomicU64) -> u64) {
    let (mut from, mut to) = buffers_ending_in(scale, rows, buffer);
    for (new, row) in from.iter().zip(rows) {
        new.store(entry(row), Relaxed);
    }
    for &shift in scale.digits {
        let mut next = count(from, shift);
        add_up(std::slice::from_mut(&mut next));
        distribute(from, to, shift, &mut next);
        (from, to) = (to, from);
    }
}

/// Sorts a few rows by their keys, by insertion.
fn sort_few(rows: &[AtomicU64], entry: impl Fn(&AtomicU64) -> u64) {
    for (number, row) in rows.iter().enumerate() {
        let entry = entry(row);
        let mut index = number;
        while index > 0 && rows[index - 1].load(Relaxed) >> 32 > entry >> 32 {
            rows[index].store(rows[index - 1].load(Relaxed), Relaxed);
            index -= 1;
        }
        rows[index].store(entry, Relaxed);
    }
}

/// Returns the row of an entry, which is below its key.
#[inline]
pub(crate) fn row(entry: &AtomicU64) -> usize {
    entry.load(Relaxed) as u32 as usize
}

/// Returns the key of an entry.
pub(crate) fn key(entry: &AtomicU64) -> u32 {
    (entry.load(Relaxed) >> 32) as u32
}

/// Sorts all rows by one coordinate into `order`, in parallel, with the help of `buffer` of the same length.
pub(crate) fn sort_all(
    position: &[f32],
    scale: Scale,
    (order, buffer): (&[AtomicU64], &[AtomicU64]),
    counts: &mut Vec<[u32; DIGITS]>,
) {
    counts.resize(blocks(position), [0; DIGITS]);
    let (mut from, mut to) = buffers_ending_in(scale, order, buffer);
    for_each_chunk(counts.len(), 1, (), &|block, ()| {
        for row in rows_of(block, position) {
            from[row].store(scale.entry(position[row], row as u32, false), Relaxed);
        }
    });
    for &shift in scale.digits {
        for_each_chunk(counts.len(), 1, ChunkedColumn(counts, 1), &|block, counts| {
            counts.0[0] = count(&from[rows_of(block, from)], shift);
        });
        add_up(counts);
        for_each_chunk(counts.len(), 1, ChunkedColumn(counts, 1), &|block, next| {
            distribute(&from[rows_of(block, from)], to, shift, &mut next.0[0]);
        });
        (from, to) = (to, from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Noise;

    #[test]
    fn rows_are_sorted_by_coordinate_and_stable() {
        let mut noise = Noise::new(1, 0, 0, 0);
        // Few distinct values in more than one block give many equal keys.
        let position: Vec<f32> = (0..3 * BLOCK).map(|_| (noise.between(-50.0, 50.0) as i32) as f32 * 3.5).collect();
        let buffer = || position.iter().map(|_| AtomicU64::default()).collect::<Vec<_>>();
        let (order, buffer) = (buffer(), buffer());
        sort_all(&position, Scale::of(&position), (&order, &buffer), &mut Vec::new());
        let rows: Vec<usize> = order.iter().map(row).collect();
        for pair in rows.windows(2) {
            let (a, b) = (position[pair[0]], position[pair[1]]);
            assert!(a < b || (a == b && pair[0] < pair[1]), "{pair:?}: {a} {b}");
        }
        assert_eq!(rows.len(), position.len());
    }

    #[test]
    fn insertion_and_radix_sort_agree() {
        let mut noise = Noise::new(4, 0, 0, 0);
        let position: Vec<f32> = (0..FEW_ROWS).map(|_| noise.between(0.0, 20.0).floor()).collect();
        let scale = Scale::of(&position);
        for back in [false, true] {
            // A shuffled initial order, which equal keys must keep.
            let rows =
                || (0..FEW_ROWS as u64).map(|row| AtomicU64::new(row * 29 % FEW_ROWS as u64)).collect::<Vec<_>>();
            let (few, many, buffer) = (rows(), rows(), rows());
            sort_few(&few, |entry| scale.entry(position[row(entry)], row(entry) as u32, back));
            sort_many(scale, &many, &buffer, |entry| scale.entry(position[row(entry)], row(entry) as u32, back));
            assert_eq!(few.iter().map(row).collect::<Vec<_>>(), many.iter().map(row).collect::<Vec<_>>());
            let sorted = |pair: &[AtomicU64]| (position[row(&pair[0])] <= position[row(&pair[1])]) ^ back;
            let equal = |pair: &[AtomicU64]| position[row(&pair[0])] == position[row(&pair[1])];
            assert!(few.windows(2).all(|pair| sorted(pair) || equal(pair)), "back: {back}");
        }
    }
}
