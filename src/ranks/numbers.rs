//! Columns of numbers as bytes.

use std::ops::Range;

/// A number that travels between ranks, as little-endian bytes.
pub(crate) trait Wire: Copy + Send {
    /// Appends the bytes.
    fn write(self, to: &mut Vec<u8>);

    /// Takes the number from the front of `from`.
    fn read(from: &mut &[u8]) -> Self;
}

macro_rules! wire {
    ($($number:ty)*) => {
        $(impl Wire for $number {
            #[inline(always)]
            fn write(self, to: &mut Vec<u8>) {
                to.extend_from_slice(&self.to_le_bytes());
            }

            #[inline(always)]
            fn read(from: &mut &[u8]) -> Self {
                let Some((bytes, rest)) = from.split_first_chunk() else { short() };
                *from = rest;
                Self::from_le_bytes(*bytes)
            }
        })*
    };
}

wire!(f32 u8 u32 u64);

impl Wire for bool {
    fn write(self, to: &mut Vec<u8>) {
        to.push(u8::from(self));
    }

    fn read(from: &mut &[u8]) -> Self {
        u8::read(from) != 0
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

    /// Appends these entries.
    fn write(&self, entries: Range<usize>, to: &mut Vec<u8>);

    /// Takes these entries from the front of `from`.
    fn read(&mut self, entries: Range<usize>, from: &mut &[u8]);
}

impl<T: Wire> Numbers for &mut [T] {
    fn entries(&self) -> usize {
        self.len()
    }

    fn write(&self, entries: Range<usize>, to: &mut Vec<u8>) {
        write(&self[entries], to);
    }

    fn read(&mut self, entries: Range<usize>, from: &mut &[u8]) {
        read(&mut self[entries], from);
    }
}

/// Appends numbers.
pub(crate) fn write<T: Wire>(numbers: &[T], to: &mut Vec<u8>) {
    to.reserve(size_of_val(numbers));
    numbers.iter().for_each(|number| number.write(to));
}

/// Takes numbers from the front of `from`.
pub(crate) fn read<T: Wire>(numbers: &mut [T], from: &mut &[u8]) {
    numbers.iter_mut().for_each(|number| *number = T::read(from));
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
