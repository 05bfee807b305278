//! Sections that several ranks hash, and may write, together: each the rows of its own agents.
//!
//! All ranks encode the sections in the same order, so each knows where its rows are in the file, and all write at the
//! same time. The hash of a section is the hash of its bytes in order, so it goes from rank to rank, once for each
//! column.

use std::fmt;
use std::io;
use std::ops::Range;

use crate::base::ids::SpeciesId;
use crate::state::snapshot::digest::Digesting;
use crate::transport::Transport;

/// The number of bytes of a column that are encoded at a time.
const PIECE: usize = 1 << 20;

/// The number of bytes before the payload of a section: its tag and its length.
const HEAD: u64 = 12;

/// Writes at a number of bytes from the start of the snapshot.
pub(crate) type WriteAt<'a> = &'a mut dyn FnMut(u64, &[u8]) -> io::Result<()>;

/// A column of all agents of a species: `width` numbers for each, `count` in all, of `size` bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnLayout {
    pub(crate) species: SpeciesId,
    pub(crate) width: usize,
    pub(crate) size: usize,
    pub(crate) count: usize,
}

impl ColumnLayout {
    /// Divides a range of numbers into pieces of whole rows, of about this number of bytes.
    pub(crate) fn pieces(self, range: Range<usize>, bytes: usize) -> impl Iterator<Item = Range<usize>> {
        let rows = (bytes / (self.size * self.width)).max(1);
        let end = range.end;
        range.step_by(rows * self.width).map(move |start| start..end.min(start + rows * self.width))
    }
}

/// The data of a rank in the sections of all ranks.
pub(crate) struct Shared<'a> {
    transport: &'a dyn Transport,
    /// Its own rows of each species.
    rows: Vec<Range<usize>>,
    /// Writes them; nothing if they are only hashed.
    write: Option<WriteAt<'a>>,
    written: io::Result<()>,
    /// The number of bytes before the present section, and before its next byte, of all ranks.
    section: u64,
    position: u64,
    /// The hash of the present section. Only the first rank has it.
    digesting: Digesting,
}

impl fmt::Debug for Shared<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Shared({:?} at {})", self.transport, self.position)
    }
}

impl<'a> Shared<'a> {
    /// The sections after a header. Every rank has its own rows of each species.
    pub(crate) fn start(
        transport: &'a dyn Transport,
        rows: Vec<Range<usize>>,
        write: Option<WriteAt<'a>>,
        header: &[u8],
    ) -> Self {
        let digesting = Digesting::default();
        let mut shared = Self { transport, rows, write, written: Ok(()), section: 0, position: 0, digesting };
        shared.write_common(header);
        shared.start_section();
        shared
    }

    /// Writes bytes after the last section, and returns the error of the first write that failed.
    pub(crate) fn finish(mut self, last: &[u8]) -> io::Result<()> {
        self.position = self.section;
        self.write_common(last);
        self.written
    }

    fn start_section(&mut self) {
        self.section = self.position;
        self.position += HEAD;
    }

    /// Returns whether the present section has no bytes yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.position == self.section + HEAD
    }

    /// Returns whether the sections are hashed and not written.
    pub(crate) fn is_hashed(&self) -> bool {
        self.write.is_none()
    }

    /// Adds bytes that all ranks have.
    pub(crate) fn common(&mut self, bytes: &[u8]) {
        self.write_common(bytes);
        self.digesting.take(bytes);
    }

    /// Adds a column. `encode` appends the bytes of a range of its numbers, of whole rows.
    pub(crate) fn column(&mut self, layout: ColumnLayout, encode: impl Fn(Range<usize>, &mut Vec<u8>)) {
        let ColumnLayout { species, width, size, count } = layout;
        let rows = &self.rows[species.number()];
        let own = rows.start * width..rows.end * width;
        let start = self.position;
        self.position += (size * count) as u64;
        let mut piece = Vec::new();
        let mut pieces = |each: &mut dyn FnMut(u64, &[u8])| {
            for range in layout.pieces(own.clone(), PIECE) {
                let at = start + (size * range.start) as u64;
                piece.clear();
                encode(range, &mut piece);
                each(at, &piece);
            }
        };
        if self.write.is_some() {
            pieces(&mut |at, bytes| self.write_at(at, bytes));
        }
        self.pass_around(|digesting| pieces(&mut |_, bytes| digesting.take(bytes)));
    }

    /// Ends a section, and returns its hash, which only the first rank has.
    pub(crate) fn end(&mut self, tag: [u8; 4]) -> u64 {
        let hash = std::mem::take(&mut self.digesting).end(tag);
        if self.transport.rank() == 0 {
            let length = self.position - self.section - HEAD;
            let head: Vec<u8> = tag.into_iter().chain(length.to_le_bytes()).collect();
            self.write_at(self.section, &head);
        }
        self.write_common(&hash.to_le_bytes());
        self.start_section();
        hash
    }

    /// Lets the ranks add to the hash one after another, and returns it to the first.
    fn pass_around(&mut self, add: impl FnOnce(&mut Digesting)) {
        let (rank, ranks) = (self.transport.rank(), self.transport.ranks());
        let mut add = Some(add);
        let mut to = vec![Vec::new(); ranks];
        let mut from = Vec::new();
        for turn in 0..ranks {
            let next = (turn + 1) % ranks;
            if let Some(add) = add.take_if(|_| turn == rank) {
                add(&mut self.digesting);
                to[next] = self.digesting.to_bytes();
            }
            self.transport.exchange(&to, &mut from);
            to[next].clear();
            if next == rank {
                self.digesting = Digesting::from_bytes(&from[turn]);
            }
        }
    }

    /// Writes bytes that all ranks have, after those so far.
    fn write_common(&mut self, bytes: &[u8]) {
        if self.transport.rank() == 0 {
            self.write_at(self.position, bytes);
        }
        self.position += bytes.len() as u64;
    }

    /// Writes unless an earlier write failed. The other ranks continue in any case, and this one with them.
    fn write_at(&mut self, at: u64, bytes: &[u8]) {
        if let Some(write) = self.write.as_mut().filter(|_| self.written.is_ok() && !bytes.is_empty()) {
            self.written = write(at, bytes);
        }
    }
}
