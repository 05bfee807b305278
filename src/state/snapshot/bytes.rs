//! Little-endian encoding and decoding of numbers, texts and lists.

use std::ops::Range;

use crate::base::ids::SpeciesId;
use crate::maths::Vector;
use crate::state::fault::SnapshotFault;
use crate::state::snapshot::digest::Digest;
use crate::state::snapshot::error::SnapshotError;

/// The approximate number of bytes that are hashed at a time.
const PIECE: usize = 4096;

/// Encodes a section, for writing or only for its hash.
#[derive(Debug)]
pub(crate) struct Writer {
    /// The payload. If the section is only hashed: the bytes that are not yet in the hash.
    bytes: Vec<u8>,
    digest: Digest,
    keep: bool,
    /// The rows of each species whose numbers are encoded, if others are left out.
    rows: Option<Vec<Range<usize>>>,
    /// The columns of the section, of which rows are left out.
    parts: Vec<Part>,
}

impl Writer {
    /// A writer. With `keep`, it holds the payload until its section ends; otherwise it hashes the payload in pieces.
    pub(crate) fn new(keep: bool) -> Self {
        Self { bytes: Vec::new(), digest: Digest::default(), keep, rows: None, parts: Vec::new() }
    }

    /// A writer that leaves out all rows of each species but these, and holds the rest until its section ends.
    pub(crate) fn of_rows(rows: Vec<Range<usize>>) -> Self {
        Self { rows: Some(rows), ..Self::new(true) }
    }

    /// Ends a section of which rows are left out. Returns the rest of its payload, and where the columns are.
    pub(crate) fn take(&mut self) -> (Vec<u8>, Vec<Part>) {
        (std::mem::take(&mut self.bytes), std::mem::take(&mut self.parts))
    }

    /// Ends a section. Calls `each` with its hash, and with its payload if it was kept.
    pub(crate) fn end<R>(&mut self, tag: [u8; 4], each: impl FnOnce(u64, &[u8]) -> R) -> R {
        let result = each(self.digest.end(tag, &self.bytes), &self.bytes);
        self.bytes.clear();
        self.digest = Digest::default();
        result
    }

    /// Returns whether the section has no bytes yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty() && self.digest.is_empty()
    }

    /// Hashes and discards pending bytes, if the payload is not kept and enough bytes are pending.
    fn flush(&mut self) {
        if !self.keep && self.bytes.len() >= PIECE {
            let taken = self.bytes.len() - self.digest.take(&self.bytes).len();
            self.bytes.copy_within(taken.., 0);
            self.bytes.truncate(self.bytes.len() - taken);
        }
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
        let Some(own) = self.rows.as_ref().map(|rows| &rows[species.number()]) else {
            return self.column(numbers, bytes);
        };
        let own = own.start * width..own.end * width;
        let (before, after) = (N * own.start, N * (numbers.len() - own.end));
        let (at, length) = (self.bytes.len(), N * own.len());
        self.parts.push(Part { at, before: before as u64, own: length, after: after as u64 });
        self.column(&numbers[own], bytes);
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

/// The place of one column in the bytes of a section: a rank has the entries of its own rows alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// The number of bytes of the section that this rank has before it.
    pub(crate) at: usize,
    /// The numbers of bytes of the rows before its own, of its own, and of those after them.
    pub(crate) before: u64,
    pub(crate) own: usize,
    pub(crate) after: u64,
}

/// Decodes the payload of a section.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    section: &'static str,
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(section: &'static str, payload: &'a [u8]) -> Self {
        Self { section, rest: payload }
    }

    /// The error for a contradiction in this section.
    pub(crate) fn invalid(&self, fault: SnapshotFault) -> SnapshotError {
        SnapshotError::Invalid { section: self.section, fault }
    }

    /// The error for an unknown code or name.
    pub(crate) fn unknown(&self, what: &'static str, found: impl ToString) -> SnapshotError {
        self.invalid(SnapshotFault::unknown(what, found))
    }

    fn too_short(&self) -> SnapshotError {
        self.invalid(SnapshotFault::TooShort)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], SnapshotError> {
        let (bytes, rest) = self.rest.split_at_checked(count).ok_or_else(|| self.too_short())?;
        self.rest = rest;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], SnapshotError> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or_else(|| self.too_short())?;
        self.rest = rest;
        Ok(*bytes)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, SnapshotError> {
        self.array().map(u8::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, SnapshotError> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, SnapshotError> {
        self.array().map(u64::from_le_bytes)
    }

    pub(crate) fn f32(&mut self) -> Result<f32, SnapshotError> {
        self.u32().map(f32::from_bits)
    }

    pub(crate) fn f64(&mut self) -> Result<f64, SnapshotError> {
        self.u64().map(f64::from_bits)
    }

    pub(crate) fn flag(&mut self) -> Result<bool, SnapshotError> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(self.unknown("yes or no", other)),
        }
    }

    pub(crate) fn text(&mut self) -> Result<String, SnapshotError> {
        let length = self.u32()? as usize;
        let bytes = self.take(length)?;
        String::from_utf8(bytes.to_vec()).map_err(|_| self.invalid(SnapshotFault::NotUtf8))
    }

    /// Reads the entries of a list. The capacity is limited by the number of bytes left.
    pub(crate) fn list<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Result<T, SnapshotError>,
    ) -> Result<Vec<T>, SnapshotError> {
        let count = self.u32()? as usize;
        if count > self.rest.len() {
            return Err(self.too_short());
        }
        (0..count).map(|_| read(self)).collect()
    }

    pub(crate) fn vector<const D: usize>(&mut self) -> Result<Vector<D>, SnapshotError> {
        let mut vector = Vector::ZERO;
        for axis in 0..D {
            vector[axis] = self.f32()?;
        }
        Ok(vector)
    }

    /// Reads `count` numbers of a column.
    pub(crate) fn f32_column(&mut self, count: usize) -> Result<Vec<f32>, SnapshotError> {
        Ok(self.words::<4>(count)?.iter().map(|bytes| f32::from_bits(u32::from_le_bytes(*bytes))).collect())
    }

    pub(crate) fn u32_column(&mut self, count: usize) -> Result<Vec<u32>, SnapshotError> {
        Ok(self.words::<4>(count)?.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect())
    }

    pub(crate) fn u64_column(&mut self, count: usize) -> Result<Vec<u64>, SnapshotError> {
        Ok(self.words::<8>(count)?.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect())
    }

    fn words<const N: usize>(&mut self, count: usize) -> Result<&'a [[u8; N]], SnapshotError> {
        let bytes = self.take(count.checked_mul(N).ok_or_else(|| self.too_short())?)?;
        Ok(bytes.as_chunks().0)
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
