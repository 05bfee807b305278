//! Snapshots that several ranks write together, each the rows that it advances. Their bytes are those of one process.
//!
//! All ranks encode the sections in the same order, so each knows where its rows are in the file, and all write at the
//! same time. The hash of a section is that of its bytes in order, so it goes from rank to rank, once for each column.

use std::io;
use std::ops::Range;

use crate::maths::mix64;
use crate::ranks::Transport;
use crate::state::State;
use crate::state::snapshot::bytes::{Part, Writer};
use crate::state::snapshot::digest::Digesting;
use crate::state::snapshot::error::SnapshotError;
use crate::state::snapshot::{header, last_section, sections};

/// What a rank has to write a snapshot with others.
pub(crate) struct Share<'a> {
    pub(crate) transport: &'a dyn Transport,
    /// Its own rows of each species.
    pub(crate) rows: Vec<Range<usize>>,
    /// Writes at a number of bytes from the start of the snapshot.
    pub(crate) write: &'a mut dyn FnMut(u64, &[u8]) -> io::Result<()>,
}

/// Writes this rank's part of a snapshot: its own rows, and on the first rank everything else.
pub(crate) fn save_part<const D: usize>(state: &State<D>, share: Share<'_>) -> Result<(), SnapshotError> {
    let Share { transport, rows, write } = share;
    let mut file = SharedFile { transport, position: 0, write, result: Ok(()) };
    file.write_common(&header::<D>());
    // Only the first rank has the right hashes. It writes them.
    let mut hashes = 0;
    sections::each(state, true, &mut Writer::of_rows(rows), &mut |tag, section| {
        let (bytes, parts) = section.take();
        if let Some(hash) = file.write_section(*tag, &bytes, &parts) {
            hashes = mix64(hashes ^ hash);
        }
        Ok(())
    })?;
    file.write_common(&last_section(hashes));
    Ok(file.result?)
}

/// A file that all ranks write.
struct SharedFile<'a> {
    transport: &'a dyn Transport,
    /// The number of bytes so far, of all ranks.
    position: u64,
    write: &'a mut dyn FnMut(u64, &[u8]) -> io::Result<()>,
    result: io::Result<()>,
}

impl SharedFile<'_> {
    /// Writes a section, and returns its hash if it is not empty.
    fn write_section(&mut self, tag: [u8; 4], bytes: &[u8], parts: &[Part]) -> Option<u64> {
        let elsewhere: u64 = parts.iter().map(|part| part.before + part.after).sum();
        let length = bytes.len() as u64 + elsewhere;
        self.write_common(&tag);
        self.write_common(&length.to_le_bytes());
        let (mut digesting, mut from) = (Digesting::default(), 0);
        for part in parts {
            let own = &bytes[part.at..part.at + part.own];
            self.write_common(&bytes[from..part.at]);
            digesting.take(&bytes[from..part.at]);
            digesting = self.pass_around(digesting, own);
            self.write_at(self.position + part.before, own);
            self.position += part.before + part.own as u64 + part.after;
            from = part.at + part.own;
        }
        self.write_common(&bytes[from..]);
        digesting.take(&bytes[from..]);
        let hash = digesting.end(tag);
        self.write_common(&hash.to_le_bytes());
        (length > 0).then_some(hash)
    }

    /// Hashes the parts that ranks have of a column, in the order of ranks, and returns the hash to the first.
    fn pass_around(&self, mut digesting: Digesting, own: &[u8]) -> Digesting {
        let (rank, ranks) = (self.transport.rank(), self.transport.ranks());
        let mut to = vec![Vec::new(); ranks];
        let mut from = Vec::new();
        for turn in 0..ranks {
            let next = (turn + 1) % ranks;
            if turn == rank {
                digesting.take(own);
                to[next] = digesting.to_bytes();
            }
            self.transport.exchange(&to, &mut from);
            to[next].clear();
            if next == rank {
                digesting = Digesting::from_bytes(&from[turn]);
            }
        }
        digesting
    }

    /// Writes bytes that all ranks have, at the end of the file so far.
    fn write_common(&mut self, bytes: &[u8]) {
        if self.transport.rank() == 0 {
            self.write_at(self.position, bytes);
        }
        self.position += bytes.len() as u64;
    }

    /// Writes unless an earlier write failed. The other ranks go on in any case, and this one with them.
    fn write_at(&mut self, at: u64, bytes: &[u8]) {
        if self.result.is_ok() && !bytes.is_empty() {
            self.result = (self.write)(at, bytes);
        }
    }
}
