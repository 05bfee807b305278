//! The hash of a section, computed incrementally from its bytes.

use crate::maths::mix64;

/// The number of independent hash lanes, whose work the processor can overlap.
const LANES: usize = 4;

/// The number of bytes in a block.
const BLOCK: usize = 8 * LANES;

/// An incremental hash of a sequence of bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Digest {
    lanes: [u64; LANES],
    length: u64,
}

impl Digest {
    /// Hashes whole blocks, and returns the remaining bytes.
    fn take<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let (blocks, rest) = bytes.as_chunks::<BLOCK>();
        for block in blocks {
            for (lane, word) in self.lanes.iter_mut().zip(block.as_chunks::<8>().0) {
                *lane = mix64(*lane ^ u64::from_le_bytes(*word)).wrapping_add(1);
            }
        }
        self.length += (bytes.len() - rest.len()) as u64;
        rest
    }

    /// The hash of the bytes so far, followed by `last`, and of the tag of their section.
    fn end(mut self, tag: [u8; 4], last: &[u8]) -> u64 {
        let rest = self.take(last);
        let mut block = [0; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        let length = self.length + rest.len() as u64;
        self.take(&block);
        let hash = mix64(u64::from(u32::from_le_bytes(tag)) ^ mix64(length));
        self.lanes.iter().fold(hash, |hash, lane| mix64(hash ^ lane))
    }
}

/// A hash of bytes that come in any portions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Digesting {
    digest: Digest,
    /// The bytes that are not yet in it, less than a block.
    pending: Vec<u8>,
}

impl Digesting {
    /// Returns whether no byte has been added.
    pub(crate) fn is_empty(&self) -> bool {
        self.digest.length == 0 && self.pending.is_empty()
    }

    /// Adds bytes.
    pub(crate) fn take(&mut self, mut bytes: &[u8]) {
        if !self.pending.is_empty() {
            let missing = (BLOCK - self.pending.len()).clamp(0, bytes.len());
            self.pending.extend(&bytes[..missing]);
            bytes = &bytes[missing..];
            if self.pending.len() < BLOCK {
                return;
            }
            self.digest.take(&self.pending);
            self.pending.clear();
        }
        self.pending.extend(self.digest.take(bytes));
    }

    /// The hash of all bytes, and of the tag of their section.
    pub(crate) fn end(&self, tag: [u8; 4]) -> u64 {
        self.digest.end(tag, &self.pending)
    }

    /// Its present state, for [`from_bytes`](Self::from_bytes).
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let words = self.digest.lanes.iter().chain([&self.digest.length]);
        words.flat_map(|word| word.to_le_bytes()).chain(self.pending.iter().copied()).collect()
    }

    /// The state of another one.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
        let (words, pending) = bytes.split_at(8 * (LANES + 1));
        let words = words.as_chunks().0;
        let lanes = std::array::from_fn(|lane| u64::from_le_bytes(words[lane]));
        let digest = Digest { lanes, length: u64::from_le_bytes(words[LANES]) };
        Self { digest, pending: pending.to_vec() }
    }
}

/// The hash of a complete section.
pub(crate) fn digest(tag: [u8; 4], payload: &[u8]) -> u64 {
    Digest::default().end(tag, payload)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_does_not_depend_on_how_the_bytes_are_split() {
        let bytes: Vec<u8> = (0..300_u32).map(|number| (number * 7 % 251) as u8).collect();
        let whole = digest(*b"COLS", &bytes);
        for first in 0..bytes.len() {
            let mut digest = Digest::default();
            let mut rest = digest.take(&bytes[..first]).to_vec();
            rest.extend(&bytes[first..]);
            assert_eq!(digest.end(*b"COLS", &rest), whole, "{first}");
        }
    }

    #[test]
    fn a_hash_depends_on_every_bit_the_length_and_the_tag() {
        let bytes = [0_u8; 70];
        let mut seen = std::collections::BTreeSet::new();
        assert!(seen.insert(digest(*b"COLS", &bytes)) && seen.insert(digest(*b"COLT", &bytes)));
        for length in 0..bytes.len() {
            assert!(seen.insert(digest(*b"COLS", &bytes[..length])), "{length}");
        }
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(seen.insert(digest(*b"COLS", &flipped)), "{bit}");
        }
        // Words in another order.
        let (mut first, mut second) = ([0_u8; 64], [0_u8; 64]);
        (first[0], second[8]) = (1, 1);
        assert_ne!(digest(*b"COLS", &first), digest(*b"COLS", &second));
        (first, second) = ([0; 64], [0; 64]);
        (first[0], second[32]) = (1, 1);
        assert_ne!(digest(*b"COLS", &first), digest(*b"COLS", &second));
    }

    #[test]
    fn a_hash_of_portions_goes_on_from_its_bytes() {
        let bytes: Vec<u8> = (0..300_u32).map(|number| (number * 7 % 251) as u8).collect();
        let whole = digest(*b"COLS", &bytes);
        for width in 1..100 {
            let mut digesting = Digesting::default();
            for portion in bytes.chunks(width) {
                digesting.take(portion);
                digesting = Digesting::from_bytes(&digesting.to_bytes());
            }
            assert_eq!(digesting.end(*b"COLS"), whole, "{width}");
        }
    }
}
