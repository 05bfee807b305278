//! The numbers of a column, of one of three types.

use std::ops::Range;

use crate::agents::first_touch::zeros;
use crate::agents::parallel::{ChunkedColumn, for_each_chunk};
use crate::base::values::shortest;
use crate::transport::numbers::Numbers;

/// The number of rows that one thread reorders at a time.
const PIECE: usize = 4096;

/// The numbers of a column, row by row.
#[derive(Debug, PartialEq)]
pub(crate) enum Data {
    F32(Vec<f32>),
    U32(Vec<u32>),
    U64(Vec<u64>),
}

/// Runs `$body` with the vector of numbers that `$data` holds, whatever their type.
macro_rules! each_type {
    ($data:expr, $numbers:ident => $body:expr) => {
        match $data {
            Data::F32($numbers) => $body,
            Data::U32($numbers) => $body,
            Data::U64($numbers) => $body,
        }
    };
}

pub(crate) use each_type;

impl Clone for Data {
    fn clone(&self) -> Self {
        self.part(0..self.len())
    }

    fn clone_from(&mut self, other: &Self) {
        match (&mut *self, other) {
            (Self::F32(to), Self::F32(from)) => to.clone_from(from),
            (Self::U32(to), Self::U32(from)) => to.clone_from(from),
            (Self::U64(to), Self::U64(from)) => to.clone_from(from),
            (to, from) => *to = from.clone(),
        }
    }
}

impl Data {
    /// Data of the same type without rows.
    pub(crate) fn empty_like(&self) -> Self {
        match self {
            Self::F32(_) => Self::F32(Vec::new()),
            Self::U32(_) => Self::U32(Vec::new()),
            Self::U64(_) => Self::U64(Vec::new()),
        }
    }

    /// Returns the number of numbers in all rows.
    pub(crate) fn len(&self) -> usize {
        each_type!(self, numbers => numbers.len())
    }

    /// The type of the numbers, in one word.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Self::F32(_) => "f32",
            Self::U32(_) => "u32",
            Self::U64(_) => "u64",
        }
    }

    /// A copy of some numbers.
    pub(crate) fn part(&self, entries: Range<usize>) -> Self {
        match self {
            Self::F32(numbers) => Self::F32(numbers[entries].to_vec()),
            Self::U32(numbers) => Self::U32(numbers[entries].to_vec()),
            Self::U64(numbers) => Self::U64(numbers[entries].to_vec()),
        }
    }

    /// Resizes the data to `rows` rows. New rows have the value `start`.
    pub(crate) fn resize(&mut self, rows: usize, start: &Self) {
        match (self, start) {
            (Self::F32(numbers), Self::F32(start)) => resize(numbers, rows, start),
            (Self::U32(numbers), Self::U32(start)) => resize(numbers, rows, start),
            (Self::U64(numbers), Self::U64(start)) => resize(numbers, rows, start),
            _ => unreachable!("a column's start has the type of its values"),
        }
    }

    /// Removes a row of `width` numbers; the last row takes its place.
    pub(crate) fn swap_remove(&mut self, row: usize, width: usize) {
        each_type!(self, numbers => {
            let last = numbers.len() - width;
            numbers.copy_within(last.., row * width);
            numbers.truncate(last);
        });
    }

    /// Copies the only row of other data of the same type, of `width` numbers, to a row.
    pub(crate) fn copy_row(&mut self, row: usize, from: &Self, width: usize) {
        let entries = row * width..(row + 1) * width;
        match (self, from) {
            (Self::F32(to), Self::F32(from)) => to[entries].copy_from_slice(from),
            (Self::U32(to), Self::U32(from)) => to[entries].copy_from_slice(from),
            (Self::U64(to), Self::U64(from)) => to[entries].copy_from_slice(from),
            _ => unreachable!("columns of one type"),
        }
    }

    /// Replaces all rows by copies of these rows of other data of the same type, of `width` numbers.
    pub(crate) fn copy_rows(&mut self, from: &Self, width: usize, rows: &[u32]) {
        match (self, from) {
            (Self::F32(to), Self::F32(from)) => copy_rows(to, from, width, rows),
            (Self::U32(to), Self::U32(from)) => copy_rows(to, from, width, rows),
            (Self::U64(to), Self::U64(from)) => copy_rows(to, from, width, rows),
            _ => unreachable!("columns of one type"),
        }
    }

    /// Reorders rows of `width` numbers: the row `old(new)` moves to `new`.
    pub(crate) fn reorder(
        &mut self,
        width: usize,
        old: impl Fn(usize) -> usize + Sync,
        room: Option<usize>,
        spare: &mut Spare,
    ) {
        let room = room.map(|rows| rows * width);
        match self {
            Self::F32(numbers) => reorder(numbers, &mut spare.f32, width, old, room),
            Self::U32(numbers) => reorder(numbers, &mut spare.u32, width, old, room),
            Self::U64(numbers) => reorder(numbers, &mut spare.u64, width, old, room),
        }
    }

    /// The numbers, for their exchange between ranks.
    pub(crate) fn numbers(&mut self) -> Box<dyn Numbers + '_> {
        each_type!(self, numbers => Box::new(&mut numbers[..]))
    }

    /// Gives back the memory of all numbers but these.
    pub(crate) fn keep_entries(&mut self, entries: Range<usize>) {
        each_type!(self, numbers => keep_entries(numbers, entries));
    }

    /// Moves all numbers to `first`, among `length` numbers: see [`spread`].
    pub(crate) fn spread(&mut self, first: usize, length: usize) {
        each_type!(self, numbers => spread(numbers, first, length));
    }

    /// Returns the numbers of a range as `f64`.
    pub(crate) fn to_f64(&self, range: Range<usize>) -> Vec<f64> {
        match self {
            Self::F32(numbers) => numbers[range].iter().map(|&number| shortest(number)).collect(),
            Self::U32(numbers) => numbers[range].iter().map(|&number| f64::from(number)).collect(),
            Self::U64(numbers) => numbers[range].iter().map(|&number| number as f64).collect(),
        }
    }
}

fn copy_rows<T: Copy>(to: &mut Vec<T>, from: &[T], width: usize, rows: &[u32]) {
    to.clear();
    rows.iter().for_each(|&row| to.extend_from_slice(&from[row as usize * width..][..width]));
}

fn resize<T: Copy>(numbers: &mut Vec<T>, rows: usize, start: &[T]) {
    numbers.truncate(rows * start.len());
    while numbers.len() < rows * start.len() {
        numbers.extend_from_slice(start);
    }
}

/// Replaces all entries but these, some of which may be missing, by zeros. Pages of zeros are left untouched if they
/// are many: systems give memory to a large allocation of zeros page by page, when it is written.
pub(crate) fn keep_entries<T: Copy + Default>(entries: &mut Vec<T>, kept: Range<usize>) {
    let length = entries.len();
    let kept = kept.start.clamp(0, length)..kept.end.clamp(0, length);
    *entries = among_zeros(&entries[kept.clone()], kept.start, length);
}

/// Moves all entries to `first`, among `length` entries. The others are zeros, whose pages are left untouched if they
/// are many.
pub(crate) fn spread<T: Copy + Default>(entries: &mut Vec<T>, first: usize, length: usize) {
    *entries = among_zeros(entries, first, length);
}

/// Returns `length` entries: these from `first` on, and zeros.
fn among_zeros<T: Copy + Default>(entries: &[T], first: usize, length: usize) -> Vec<T> {
    let mut zeros = vec![T::default(); length];
    zeros[first..first + entries.len()].copy_from_slice(entries);
    zeros
}

/// Buffers for reordering columns, one for each type of numbers.
#[derive(Debug, Default)]
pub(crate) struct Spare {
    f32: Vec<f32>,
    u32: Vec<u32>,
    u64: Vec<u64>,
}

/// Permutes rows of `width` numbers, into new memory with room for `room` numbers if it is given.
fn reorder<T: Copy + Default + Send + Sync>(
    numbers: &mut Vec<T>,
    spare: &mut Vec<T>,
    width: usize,
    old: impl Fn(usize) -> usize + Sync,
    room: Option<usize>,
) {
    let new = room.map(|room| zeros(numbers.len(), room));
    let before = new.map(|new| std::mem::replace(numbers, new));
    let before = before.as_deref().unwrap_or_else(|| {
        spare.clear();
        spare.extend_from_slice(numbers);
        spare
    });
    let pieces = numbers.len().div_ceil(PIECE * width);
    for_each_chunk(pieces, 1, ChunkedColumn(numbers, PIECE * width), &|piece, numbers| {
        for (row, new) in numbers.0.chunks_exact_mut(width).enumerate() {
            let from = old(piece * PIECE + row) * width;
            new.copy_from_slice(&before[from..from + width]);
        }
    });
}

/// The type of `width` numbers, in Rust's notation.
pub(super) fn type_name(number: &str, width: usize) -> String {
    if width == 1 { number.to_owned() } else { format!("[{number}; {width}]") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_kept_in_their_places() {
        let mut entries = vec![1, 2, 3, 4, 5];
        keep_entries(&mut entries, 1..3);
        assert_eq!(entries, [0, 2, 3, 0, 0]);
        keep_entries(&mut entries, 2..9);
        assert_eq!(entries, [0, 0, 3, 0, 0]);
        keep_entries(&mut entries, 7..9);
        assert_eq!(entries, [0; 5]);
    }
}
