//! Little-endian encoding of numbers, texts and lists.

use std::io::Write;
use std::ops::Range;

use crate::base::ids::SpeciesId;
use crate::state::snapshot::digest::Digesting;
use crate::state::snapshot::error::SnapshotError;
use crate::state::snapshot::shared::{ColumnLayout, Shared};
use crate::state::snapshot::stream::{Head, Stream};
use crate::transport::numbers::{self, Wire};

/// The approximate number of bytes that are encoded at a time.
const PIECE: usize = 1 << 15;

/// Encodes sections in pieces: to count, to hash or to write their bytes, on one rank or together with other ranks.
#[derive(Debug)]
pub(crate) struct Writer<'a> {
    /// The bytes that are not yet passed on.
    bytes: Vec<u8>,
    to: To<'a>,
    /// The first rule in the section that cannot be read back.
    refused: Option<String>,
}

/// Where the bytes go: into a buffer, a hash or a count.
#[derive(Debug)]
enum To<'a> {
    /// They are counted.
    Count(u64),
    /// They are hashed.
    Hash(Digesting),
    /// They are hashed and written.
    Stream(Stream<'a>),
    /// Each rank hashes and writes the rows of its own agents.
    Shared(Shared<'a>),
}

/// A function that is called at the end of each section.
pub(super) type End<'a> = &'a mut dyn FnMut(&'static [u8; 4], &mut Writer<'_>) -> Result<(), SnapshotError>;

impl<'a> Writer<'a> {
    fn new(to: To<'a>) -> Self {
        Self { bytes: Vec::new(), to, refused: None }
    }

    /// A writer that counts bytes.
    pub(crate) fn count() -> Self {
        Self::new(To::Count(0))
    }

    /// A writer that hashes bytes.
    pub(crate) fn hash() -> Self {
        Self::new(To::Hash(Digesting::default()))
    }

    /// A writer of sections with these heads.
    pub(crate) fn stream(to: &'a mut dyn Write, heads: Vec<Head>) -> Self {
        Self::new(To::Stream(Stream::new(to, heads)))
    }

    /// A writer that encodes sections with other ranks.
    pub(crate) fn shared(shared: Shared<'a>) -> Self {
        Self::new(To::Shared(shared))
    }

    /// Ends a section. Returns its hash; its length if bytes are counted.
    ///
    /// # Errors
    ///
    /// Fails if it could not be written, or holds a rule that was refused.
    pub(crate) fn end(&mut self, tag: [u8; 4]) -> Result<u64, SnapshotError> {
        if let Some(name) = self.refused.take() {
            return Err(SnapshotError::UnknownRule(name));
        }
        self.pass_on();
        Ok(match &mut self.to {
            To::Count(count) => std::mem::take(count),
            To::Hash(digesting) => std::mem::take(digesting).end(tag),
            To::Stream(stream) => stream.end(tag)?,
            To::Shared(shared) => shared.end(tag),
        })
    }

    /// Ends the last section of several ranks.
    pub(crate) fn into_shared(self) -> Option<Shared<'a>> {
        if let To::Shared(shared) = self.to { Some(shared) } else { None }
    }

    /// Refuses a rule that could not be read back, unless its bytes are only hashed.
    pub(crate) fn refuse_rule(&mut self, name: &str) {
        let is_hashed = match &self.to {
            To::Hash(_) => true,
            To::Shared(shared) => shared.is_hashed(),
            To::Count(_) | To::Stream(_) => false,
        };
        if !is_hashed {
            self.refused.get_or_insert_with(|| name.to_owned());
        }
    }

    /// Returns whether the section has no bytes yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
            && match &self.to {
                To::Count(count) => *count == 0,
                To::Hash(digesting) => digesting.is_empty(),
                To::Stream(stream) => stream.is_empty(),
                To::Shared(shared) => shared.is_empty(),
            }
    }

    /// Passes pending bytes on if enough are pending.
    fn flush(&mut self) {
        if self.bytes.len() >= PIECE {
            self.pass_on();
        }
    }

    /// Passes all pending bytes on.
    fn pass_on(&mut self) {
        match &mut self.to {
            To::Count(count) => *count += self.bytes.len() as u64,
            To::Hash(digesting) => digesting.take(&self.bytes),
            To::Stream(stream) if !self.bytes.is_empty() => stream.add(&self.bytes),
            To::Stream(_) => {}
            To::Shared(shared) => shared.common(&self.bytes),
        }
        self.bytes.clear();
    }

    pub(crate) fn number<T: Wire>(&mut self, number: T) {
        number.write(&mut self.bytes);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.number(text.len() as u32);
        self.bytes.extend(text.as_bytes());
    }

    /// Writes the count of a list, then each entry.
    pub(crate) fn list<T>(&mut self, entries: impl ExactSizeIterator<Item = T>, write: impl FnMut(&mut Self, T)) {
        self.number(entries.len() as u32);
        self.entries(entries, write);
    }

    /// Writes entries without their count.
    pub(crate) fn entries<T>(&mut self, entries: impl Iterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        for entry in entries {
            write(self, entry);
            self.flush();
        }
    }

    /// Writes the numbers of all agents of a species in a column, `width` of each.
    pub(crate) fn rows<T: Wire>(&mut self, species: SpeciesId, width: usize, column: &[T]) {
        let layout = ColumnLayout { species, width, size: T::BYTES, count: column.len() };
        self.encoded(layout, |range, to| numbers::write(&column[range], to));
    }

    /// Writes a column of all agents of a species. `encode` appends the bytes of a range of its numbers, of whole rows.
    pub(crate) fn encoded(&mut self, layout: ColumnLayout, encode: impl Fn(Range<usize>, &mut Vec<u8>)) {
        if matches!(self.to, To::Shared(_)) {
            self.pass_on();
        }
        match &mut self.to {
            To::Shared(shared) => shared.column(layout, encode),
            To::Count(count) => *count += (layout.size * layout.count) as u64,
            _ => {
                for range in layout.pieces(0..layout.count, PIECE) {
                    encode(range, &mut self.bytes);
                    self.flush();
                }
            }
        }
    }

    /// Writes the numbers of a column, without their count.
    pub(crate) fn column<T: Wire>(&mut self, column: &[T]) {
        if let To::Count(count) = &mut self.to {
            *count += (T::BYTES * column.len()) as u64;
            return;
        }
        for part in column.chunks(PIECE / T::BYTES) {
            numbers::write(part, &mut self.bytes);
            self.flush();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_is_not_held() {
        let numbers: Vec<u32> = (0..10 * PIECE as u32).collect();
        let write = |to: &mut Writer<'_>| {
            assert!(to.is_empty());
            to.number(7_u32);
            to.column(&numbers);
            to.list(numbers.iter(), |to, number| to.number(*number));
            assert!(to.bytes.len() < PIECE && !to.is_empty(), "{}", to.bytes.len());
        };
        let (mut count, mut hash) = (Writer::count(), Writer::hash());
        write(&mut count);
        write(&mut hash);
        let (length, hash) = (count.end(*b"COLS").unwrap(), hash.end(*b"COLS").unwrap());
        assert_eq!(length, 8 + 80 * PIECE as u64);
        let mut bytes = Vec::new();
        let mut stream = Writer::stream(&mut bytes, vec![(*b"COLS", length)]);
        write(&mut stream);
        assert_eq!(stream.end(*b"COLS").unwrap(), hash);
        drop(stream);
        assert_eq!(bytes.len() as u64, 4 + 8 + length + 8);
        assert_eq!((&bytes[..4], &bytes[bytes.len() - 8..]), (&b"COLS"[..], &hash.to_le_bytes()[..]));
    }

    #[test]
    fn a_section_of_another_length_than_announced_is_a_failure() {
        let mut bytes = Vec::new();
        let mut stream = Writer::stream(&mut bytes, vec![(*b"COLS", 5)]);
        stream.number(7_u32);
        assert!(matches!(stream.end(*b"COLS"), Err(SnapshotError::Io(_))));
    }
}
