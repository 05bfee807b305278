//! Columns of numbers as bytes.

use std::ops::Range;

use rayon::prelude::*;

use crate::base::ids::AgentId;

/// A number that travels between ranks, as little-endian bytes.
pub(crate) trait Wire: Copy + Send + Sync {
    /// The number of bytes.
    const BYTES: usize;

    /// Fills `to` with the bytes.
    fn put(self, to: &mut [u8]);

    /// Returns the number with these bytes.
    fn get(from: &[u8]) -> Self;

    /// Appends the bytes.
    fn write(self, to: &mut Vec<u8>) {
        write(&[self], to);
    }

    /// Takes the number from the front of `from`.
    fn read(from: &mut &[u8]) -> Self {
        Self::get(take(from, Self::BYTES))
    }
}

macro_rules! wire {
    ($($number:ty)*) => {
        $(impl Wire for $number {
            const BYTES: usize = size_of::<Self>();

            #[inline(always)]
            fn put(self, to: &mut [u8]) {
                to.copy_from_slice(&self.to_le_bytes());
            }

            #[inline(always)]
            fn get(from: &[u8]) -> Self {
                let mut bytes = [0; size_of::<Self>()];
                bytes.copy_from_slice(from);
                Self::from_le_bytes(bytes)
            }
        })*
    };
}

wire!(f32 f64 u8 u32 u64 i32 i64);

impl Wire for AgentId {
    const BYTES: usize = u64::BYTES;

    #[inline(always)]
    fn put(self, to: &mut [u8]) {
        self.to_bits().put(to);
    }

    #[inline(always)]
    fn get(from: &[u8]) -> Self {
        Self::from_bits(u64::get(from))
    }
}

impl Wire for bool {
    const BYTES: usize = 1;

    fn put(self, to: &mut [u8]) {
        to[0] = u8::from(self);
    }

    fn get(from: &[u8]) -> Self {
        from[0] != 0
    }
}

/// Panics: the ranks have made different calls.
#[cold]
fn short() -> ! {
    panic!("a rank has sent fewer bytes than expected: the ranks have made different calls");
}

/// A column of numbers of any type.
pub(crate) trait Numbers {
    /// Returns the number of entries.
    fn entries(&self) -> usize;

    /// Returns the number of bytes of all entries.
    fn bytes(&self) -> usize;

    /// Appends these entries.
    fn write(&self, entries: Range<usize>, to: &mut Vec<u8>);

    /// Takes these entries from the front of `from`.
    fn read(&mut self, entries: Range<usize>, from: &mut &[u8]);

    /// Appends the entries of these rows of `width` entries.
    fn write_rows(&self, rows: &[u32], width: usize, to: &mut Vec<u8>);

    /// Takes the entries of rows, which count from `first`, from the front of `from`.
    fn read_rows(&mut self, first: usize, rows: &[u32], width: usize, from: &mut &[u8]);

    /// Replaces the rows from `first` on by those at `rows`, with the help of `spare`.
    fn permute(&mut self, first: usize, rows: &[u32], width: usize, spare: &mut Vec<u8>);
}

impl<T: Wire> Numbers for &mut [T] {
    fn entries(&self) -> usize {
        self.len()
    }

    fn bytes(&self) -> usize {
        self.len() * T::BYTES
    }

    fn write(&self, entries: Range<usize>, to: &mut Vec<u8>) {
        write(&self[entries], to);
    }

    fn read(&mut self, entries: Range<usize>, from: &mut &[u8]) {
        read(&mut self[entries], from);
    }

    fn write_rows(&self, rows: &[u32], width: usize, to: &mut Vec<u8>) {
        let start = to.len();
        to.resize(start + rows.len() * width * T::BYTES, 0);
        put_rows(self, rows, width, &mut to[start..]);
    }

    fn read_rows(&mut self, first: usize, rows: &[u32], width: usize, from: &mut &[u8]) {
        let bytes = take(from, rows.len() * width * T::BYTES);
        for (&row, bytes) in rows.iter().zip(bytes.chunks_exact(width * T::BYTES)) {
            get_each(&mut self[(first + row as usize) * width..][..width], bytes);
        }
    }

    fn permute(&mut self, first: usize, rows: &[u32], width: usize, spare: &mut Vec<u8>) {
        spare.resize(rows.len() * width * T::BYTES, 0);
        put_rows(self, rows, width, spare);
        read(&mut self[first * width..][..rows.len() * width], &mut &spare[..]);
    }
}

/// The number of rows that a thread takes at a time.
const FEW: usize = 4096;

/// Fills `to` with the bytes of rows of `width` numbers.
fn put_rows<T: Wire>(numbers: &[T], rows: &[u32], width: usize, to: &mut [u8]) {
    to.par_chunks_mut(FEW * width * T::BYTES).zip(rows.par_chunks(FEW)).for_each(|(bytes, rows)| {
        if width == 1 {
            put_each(rows.iter().map(|&row| numbers[row as usize]), bytes);
        } else {
            let bytes = bytes.chunks_exact_mut(width * T::BYTES);
            let row = |row: u32| numbers[row as usize * width..][..width].iter().copied();
            bytes.zip(rows).for_each(|(bytes, &number)| put_each(row(number), bytes));
        }
    });
}

/// Fills `to` with the bytes of numbers. The compiler turns the loop over a slice into copies of blocks.
fn put_each<T: Wire>(numbers: impl Iterator<Item = T>, to: &mut [u8]) {
    to.chunks_exact_mut(T::BYTES).zip(numbers).for_each(|(bytes, number)| number.put(bytes));
}

/// Sets numbers to the numbers that these bytes encode.
fn get_each<T: Wire>(numbers: &mut [T], from: &[u8]) {
    numbers.iter_mut().zip(from.chunks_exact(T::BYTES)).for_each(|(number, bytes)| *number = T::get(bytes));
}

/// Takes bytes from the front of `from`.
fn take<'a>(from: &mut &'a [u8], bytes: usize) -> &'a [u8] {
    let Some((taken, rest)) = from.split_at_checked(bytes) else { short() };
    *from = rest;
    taken
}

/// Appends numbers.
pub(crate) fn write<T: Wire>(numbers: &[T], to: &mut Vec<u8>) {
    let start = to.len();
    to.resize(start + numbers.len() * T::BYTES, 0);
    put_each(numbers.iter().copied(), &mut to[start..]);
}

/// Appends all numbers of `from`.
pub(crate) fn read_all<T: Wire + Default>(mut from: &[u8], numbers: &mut Vec<T>) {
    let start = numbers.len();
    numbers.resize(start + from.len() / T::BYTES, T::default());
    read(&mut numbers[start..], &mut from);
}

/// Takes numbers from the front of `from`.
pub(crate) fn read<T: Wire>(numbers: &mut [T], from: &mut &[u8]) {
    get_each(numbers, take(from, numbers.len() * T::BYTES));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_bits() {
        let numbers = [0.0f32, -0.0, f32::NAN, f32::MIN_POSITIVE / 2.0, 3.5];
        let mut bytes = Vec::new();
        write(&numbers[1..4], &mut bytes);
        assert_eq!(bytes.len(), 12);
        let mut copy = [7.0f32; 5];
        read(&mut copy[1..4], &mut &bytes[..]);
        let bits = |numbers: &[f32]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&copy[1..4]), bits(&numbers[1..4]));
        assert_eq!((copy[0], copy[4]), (7.0, 7.0));
    }
}
