//! Decoding of numbers, texts and lists from a section, as it comes from a file: it is never held whole.

use std::io::Read;
use std::ops::Range;

use crate::base::ids::AgentId;
use crate::species::registry::Registry;
use crate::state::fault::SnapshotFault;
use crate::state::snapshot::digest::Digesting;
use crate::state::snapshot::error::SnapshotError;
use crate::transport::numbers::Wire;

/// The number of bytes that are read at a time.
const PIECE: usize = 1 << 16;

/// The largest length of a section, in bytes.
const LONGEST: u64 = 1 << 40;

/// Decodes and hashes the payload of a section.
pub(crate) struct Reader<'a> {
    section: &'static str,
    /// The rules and the motions that the section can name.
    pub(super) registry: Option<&'a Registry>,
    from: &'a mut dyn Read,
    /// The number of bytes of the payload that have not been read.
    unread: u64,
    /// Bytes that have been read; the ones before `at` were taken.
    piece: Vec<u8>,
    at: usize,
    digesting: Digesting,
}

impl<'a> Reader<'a> {
    /// Starts to read the section with this tag.
    pub(crate) fn start(
        tag: &'static [u8; 4],
        from: &'a mut dyn Read,
        registry: Option<&'a Registry>,
    ) -> Result<Self, SnapshotError> {
        let section = std::str::from_utf8(tag).unwrap_or("section");
        let mut head = [0; 12];
        read_exact(from, &mut head, section)?;
        let unread = u64::from_le_bytes([head[4], head[5], head[6], head[7], head[8], head[9], head[10], head[11]]);
        if head[..4] != *tag || unread > LONGEST {
            return Err(SnapshotError::Damaged(section));
        }
        Ok(Self { section, registry, from, unread, piece: Vec::new(), at: 0, digesting: Digesting::default() })
    }

    /// Ends the section, and returns its hash. The rest of it is skipped. Returns the error of reading its contents only
    /// if its hash is right.
    pub(crate) fn end(mut self, tag: [u8; 4], read: Result<(), SnapshotError>) -> Result<u64, SnapshotError> {
        let read = read.and_then(|()| if self.is_empty() { Ok(()) } else { Err(self.invalid(SnapshotFault::TooLong)) });
        self.skip(self.left())?;
        let mut stored = [0; 8];
        read_exact(self.from, &mut stored, self.section)?;
        let found = self.digesting.end(tag);
        if u64::from_le_bytes(stored) != found {
            return Err(SnapshotError::Damaged(self.section));
        }
        read.map(|()| found)
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

    /// The number of bytes that have not been taken.
    fn left(&self) -> u64 {
        (self.piece.len() - self.at) as u64 + self.unread
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.left() == 0
    }

    /// Takes the next bytes, which are at most a piece long.
    fn take(&mut self, count: usize) -> Result<&[u8], SnapshotError> {
        if self.piece.len() - self.at < count {
            if count as u64 > self.left() {
                return Err(self.too_short());
            }
            self.piece.drain(..self.at);
            self.at = 0;
            let (before, room) = (self.piece.len(), (PIECE - self.piece.len()) as u64);
            let more = if self.unread < room { self.unread } else { room };
            (&mut *self.from).take(more).read_to_end(&mut self.piece)?;
            if self.piece.len() - before < more as usize {
                return Err(SnapshotError::Damaged(self.section));
            }
            self.unread -= more;
            self.digesting.take(&self.piece[before..]);
        }
        self.at += count;
        Ok(&self.piece[self.at - count..self.at])
    }

    /// Takes this many bytes piece by piece, of numbers of `unit` bytes.
    fn pieces(&mut self, mut count: u64, unit: usize, mut each: impl FnMut(&[u8])) -> Result<(), SnapshotError> {
        if count > self.left() {
            return Err(self.too_short());
        }
        let most = PIECE / unit * unit;
        while count > 0 {
            let some = if count < most as u64 { count as usize } else { most };
            each(self.take(some)?);
            count -= some as u64;
        }
        Ok(())
    }

    fn skip(&mut self, count: u64) -> Result<(), SnapshotError> {
        self.pieces(count, 1, |_| {})
    }

    pub(crate) fn number<T: Wire>(&mut self) -> Result<T, SnapshotError> {
        Ok(T::get(self.take(T::BYTES)?))
    }

    /// The next number, which stays to be read.
    pub(crate) fn peek<T: Wire>(&mut self) -> Result<T, SnapshotError> {
        let number = self.number()?;
        self.at -= T::BYTES;
        Ok(number)
    }

    pub(crate) fn text(&mut self) -> Result<String, SnapshotError> {
        let length = self.number::<u32>()?;
        let mut bytes = Vec::new();
        self.pieces(length.into(), 1, |piece| bytes.extend_from_slice(piece))?;
        String::from_utf8(bytes).map_err(|_| self.invalid(SnapshotFault::NotUtf8))
    }

    /// Reads the entries of a list. The capacity is limited by the number of bytes read.
    pub(crate) fn list<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Result<T, SnapshotError>,
    ) -> Result<Vec<T>, SnapshotError> {
        let count = self.number::<u32>()?;
        if u64::from(count) > self.left() {
            return Err(self.too_short());
        }
        (0..count).map(|_| read(self)).collect()
    }

    /// Reads the number of rows whose numbers follow.
    pub(crate) fn count<T: Wire>(&mut self) -> Result<usize, SnapshotError> {
        let count = self.number::<u64>()?;
        if count > self.left() / T::BYTES as u64 { Err(self.too_short()) } else { Ok(count as usize) }
    }

    /// Reads `count` numbers of a column. Memory grows with the bytes read, so a forged count allocates nothing.
    pub(crate) fn column<T: Wire>(&mut self, count: usize) -> Result<Vec<T>, SnapshotError> {
        let mut numbers = Vec::new();
        self.each(count, |number| numbers.push(number))?;
        numbers.shrink_to_fit();
        Ok(numbers)
    }

    /// Reads the ids of all rows, and returns the ids of some of the rows.
    pub(crate) fn ids(&mut self, rows: &Rows, mut each: impl FnMut(AgentId)) -> Result<Vec<AgentId>, SnapshotError> {
        let (mut ids, mut row) = (Vec::new(), 0);
        self.each(rows.all, |id| {
            each(id);
            if rows.own.contains(&row) {
                ids.push(id);
            }
            row += 1;
        })?;
        ids.shrink_to_fit();
        Ok(ids)
    }

    /// Calls `each` with `count` numbers of a column.
    pub(crate) fn each<T: Wire>(&mut self, count: usize, mut each: impl FnMut(T)) -> Result<(), SnapshotError> {
        let bytes = count.checked_mul(T::BYTES).ok_or_else(|| self.too_short())?;
        self.pieces(bytes as u64, T::BYTES, |piece| piece.chunks_exact(T::BYTES).for_each(|bytes| each(T::get(bytes))))
    }

    /// Reads the numbers of some rows of a column, which has `width` numbers for each of its rows.
    pub(crate) fn rows<T: Wire>(&mut self, rows: &Rows, width: usize) -> Result<Vec<T>, SnapshotError> {
        let Rows { all, own } = rows;
        let bytes = |rows: usize| (rows as u64).saturating_mul(width as u64).saturating_mul(T::BYTES as u64);
        // A saturated product exceeds the length of any section, so it is refused.
        if bytes(*all) > self.left() {
            return Err(self.too_short());
        }
        self.skip(bytes(own.start))?;
        let numbers = self.column(own.len().checked_mul(width).ok_or_else(|| self.too_short())?)?;
        self.skip(bytes(all - own.end))?;
        Ok(numbers)
    }
}

/// Fills `bytes`. The section is damaged if there are fewer.
pub(super) fn read_exact(from: &mut dyn Read, bytes: &mut [u8], section: &'static str) -> Result<(), SnapshotError> {
    from.read_exact(bytes).map_err(|error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof => SnapshotError::Damaged(section),
        _ => SnapshotError::Io(error),
    })
}

/// Returns the rows of a species that are kept, by its number and the number of its rows.
pub(crate) type Keep<'a> = &'a mut dyn FnMut(usize, usize) -> Range<usize>;

/// The number of rows of a species, and those that are kept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rows {
    pub(crate) all: usize,
    pub(crate) own: Range<usize>,
}

/// Reads the section with this tag.
pub(crate) type Next<'a> = &'a mut dyn FnMut(
    &'static [u8; 4],
    &mut dyn FnMut(&mut Reader<'_>) -> Result<(), SnapshotError>,
) -> Result<(), SnapshotError>;
