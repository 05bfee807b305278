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
        let Some((bytes, rest)) = from.split_at_checked(Self::BYTES) else { short() };
        *from = rest;
        Self::get(bytes)
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

wire!(f32 u8 u32 u64);

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

    /// Replaces the rows from `first` on by those at `rows`.
    fn permute(&mut self, first: usize, rows: &[u32], width: usize);
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
        to.reserve(rows.len() * width * T::BYTES);
        rows.iter().for_each(|&row| write(&self[row as usize * width..][..width], to));
    }

    fn read_rows(&mut self, first: usize, rows: &[u32], width: usize, from: &mut &[u8]) {
        rows.iter().for_each(|&row| read(&mut self[(first + row as usize) * width..][..width], from));
    }

    fn permute(&mut self, first: usize, rows: &[u32], width: usize) {
        let entries = first * width..(first + rows.len()) * width;
        let mut permuted = self[entries.clone()].to_vec();
        permuted.par_chunks_mut(width).with_min_len(FEW).zip(rows).for_each(|(new, &row)| {
            new.copy_from_slice(&self[row as usize * width..][..width]);
        });
        self[entries].copy_from_slice(&permuted);
    }
}

/// The number of rows that a thread takes at a time.
const FEW: usize = 4096;

/// Appends numbers. The compiler turns the loop into copies of blocks.
pub(crate) fn write<T: Wire>(numbers: &[T], to: &mut Vec<u8>) {
    write_each(numbers.iter().copied(), to);
}

/// Appends numbers.
pub(crate) fn write_each<T: Wire>(numbers: impl ExactSizeIterator<Item = T>, to: &mut Vec<u8>) {
    let start = to.len();
    to.resize(start + numbers.len() * T::BYTES, 0);
    to[start..].chunks_exact_mut(T::BYTES).zip(numbers).for_each(|(bytes, number)| number.put(bytes));
}

/// Appends all numbers of `from`.
pub(crate) fn read_all<T: Wire + Default>(mut from: &[u8], numbers: &mut Vec<T>) {
    let start = numbers.len();
    numbers.resize(start + from.len() / T::BYTES, T::default());
    read(&mut numbers[start..], &mut from);
}

/// Takes numbers from the front of `from`.
pub(crate) fn read<T: Wire>(numbers: &mut [T], from: &mut &[u8]) {
    let Some((bytes, rest)) = from.split_at_checked(numbers.len() * T::BYTES) else { short() };
    numbers.iter_mut().zip(bytes.chunks_exact(T::BYTES)).for_each(|(number, bytes)| *number = T::get(bytes));
    *from = rest;
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
