//! Little-endian encoding of numbers, texts and lists.

use crate::base::ids::SpeciesId;
use crate::maths::Vector;
use crate::state::snapshot::digest::{Digesting, digest};
use crate::state::snapshot::shared::Shared;

/// The approximate number of bytes that are encoded at a time.
const PIECE: usize = 4096;

/// Encodes a section: to write it, only for its hash, or together with other ranks.
#[derive(Debug)]
pub(crate) struct Writer<'a> {
    /// The payload if it is kept. Otherwise the bytes that are not yet in the hash.
    bytes: Vec<u8>,
    to: To<'a>,
}

/// What becomes of the bytes.
#[derive(Debug)]
enum To<'a> {
    /// They are held until the section ends.
    Payload,
    /// They are hashed in pieces.
    Hash(Digesting),
    /// Each rank hashes and writes the rows of its own agents.
    Shared(Shared<'a>),
}

impl<'a> Writer<'a> {
    /// A writer. With `keep`, it holds the payload until its section ends; otherwise it hashes the payload in pieces.
    pub(crate) fn new(keep: bool) -> Self {
        Self { bytes: Vec::new(), to: if keep { To::Payload } else { To::Hash(Digesting::default()) } }
    }

    /// A writer that encodes sections with other ranks.
    pub(crate) fn shared(shared: Shared<'a>) -> Self {
        Self { bytes: Vec::new(), to: To::Shared(shared) }
    }

    /// Ends a section. Calls `each` with its hash, and with its payload if it was kept.
    pub(crate) fn end<R>(&mut self, tag: [u8; 4], each: impl FnOnce(u64, &[u8]) -> R) -> R {
        if !matches!(self.to, To::Payload) {
            self.pass_on();
        }
        let hash = match &mut self.to {
            To::Payload => digest(tag, &self.bytes),
            To::Hash(digesting) => std::mem::take(digesting).end(tag),
            To::Shared(shared) => shared.end(tag),
        };
        let result = each(hash, &self.bytes);
        self.bytes.clear();
        result
    }

    /// Ends the last section of several ranks.
    pub(crate) fn into_shared(self) -> Option<Shared<'a>> {
        if let To::Shared(shared) = self.to { Some(shared) } else { None }
    }

    /// Returns whether the section has no bytes yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
            && match &self.to {
                To::Payload => true,
                To::Hash(digesting) => digesting.is_empty(),
                To::Shared(shared) => shared.is_empty(),
            }
    }

    /// Passes pending bytes on, if the payload is not kept and enough bytes are pending.
    fn flush(&mut self) {
        if self.bytes.len() >= PIECE && !matches!(self.to, To::Payload) {
            self.pass_on();
        }
    }

    /// Hashes and discards all pending bytes, and writes those that ranks write together.
    fn pass_on(&mut self) {
        match &mut self.to {
            To::Payload => return,
            To::Hash(digesting) => digesting.take(&self.bytes),
            To::Shared(shared) => shared.common(&self.bytes),
        }
        self.bytes.clear();
    }

    pub(crate) fn u8(&mut self, number: u8) {
        self.bytes.push(number);
    }

    pub(crate) fn u32(&mut self, number: u32) {
        self.bytes.extend(number.to_le_bytes());
    }

    pub(crate) fn u64(&mut self, number: u64) {
        self.bytes.extend(number.to_le_bytes());
    }

    pub(crate) fn f32(&mut self, number: f32) {
        self.u32(number.to_bits());
    }

    pub(crate) fn f64(&mut self, number: f64) {
        self.u64(number.to_bits());
    }

    pub(crate) fn flag(&mut self, flag: bool) {
        self.u8(u8::from(flag));
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.u32(text.len() as u32);
        self.bytes.extend(text.as_bytes());
    }

    /// Writes the count of a list, then each entry.
    pub(crate) fn list<T>(&mut self, entries: impl ExactSizeIterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        self.u32(entries.len() as u32);
        for entry in entries {
            write(self, entry);
            self.flush();
        }
    }

    pub(crate) fn vector<const D: usize>(&mut self, vector: Vector<D>) {
        vector.0.iter().for_each(|&number| self.f32(number));
    }

    /// Writes the numbers of all agents of a species in a column, `width` of each.
    pub(crate) fn rows<T, const N: usize>(
        &mut self,
        species: SpeciesId,
        width: usize,
        numbers: &[T],
        bytes: impl Fn(&T) -> [u8; N],
    ) {
        if matches!(self.to, To::Shared(_)) {
            self.pass_on();
        }
        match &mut self.to {
            To::Shared(shared) => shared.column(species, width, numbers, bytes),
            _ => self.column(numbers, bytes),
        }
    }

    /// Writes the numbers of a column, without their count.
    pub(crate) fn f32_column(&mut self, numbers: &[f32]) {
        self.column(numbers, |number| number.to_bits().to_le_bytes());
    }

    pub(crate) fn u32_column(&mut self, numbers: &[u32]) {
        self.column(numbers, |number| number.to_le_bytes());
    }

    pub(crate) fn u64_column(&mut self, numbers: &[u64]) {
        self.column(numbers, |number| number.to_le_bytes());
    }

    pub(crate) fn column<T, const N: usize>(&mut self, numbers: &[T], bytes: impl Fn(&T) -> [u8; N]) {
        for numbers in numbers.chunks(PIECE / N) {
            self.bytes.extend(numbers.iter().flat_map(&bytes));
            self.flush();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_that_is_only_hashed_is_not_held() {
        let numbers: Vec<u32> = (0..10 * PIECE as u32).collect();
        let ends = |keep| {
            let mut to = Writer::new(keep);
            assert!(to.is_empty());
            to.u32_column(&numbers);
            assert!(!to.is_empty(), "all bytes are hashed, and none is pending");
            (to.bytes.len(), to.end(*b"COLS", |hash, _| hash))
        };
        let ((held, hash), (pending, hash_of_pieces)) = (ends(true), ends(false));
        assert_eq!((held, pending), (40 * PIECE, 0));
        assert_eq!(hash, hash_of_pieces);

        let mut to = Writer::new(false);
        to.list(numbers.iter(), |to, number| to.u32(*number));
        assert!(to.bytes.len() < PIECE, "{}", to.bytes.len());
    }
}
