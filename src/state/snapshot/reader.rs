//! Decoding of numbers, texts and lists.

use crate::maths::Vector;
use crate::state::fault::SnapshotFault;
use crate::state::snapshot::error::SnapshotError;

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
