//! Snapshots: the state of a world as bytes, and its hash.
//!
//! A snapshot contains exactly the data that the next tick depends on. All numbers are little-endian.
//!
//! ```text
//! header    "THRONG\r\n", u32 version of the format, u32 version of the physics, u32 dimensions
//! section   4 bytes tag, u64 length, payload, u64 hash of tag and payload
//! sections  SETT settings, tick, budget   SPEC definitions of species   IDS_ slots and free list
//!           then for each species AGNT ids, bodies, row order
//!           COLS positions, velocities, residuals, goals, headings   NAMD named columns
//!           then SCEN marks, obstacles, regions, flow fields   PEOP sources, sinks, zones, removals by reason
//!           WALL walls   WAYS navigations   PLAC queues and waiting areas, substances   MIX_ the order of mixed species
//!           LEAV agents to be removed
//!           CONT contacts that are reported, agents in contact, removals by the host since the last tick
//!           TIME when the length of a tick last changed
//!           END_ the hash of all hashes
//! hashes    four lanes take the u64 words of a payload in turn, padded with zeros; one hash combines the lanes of a
//!           section, and one the hashes of all sections that are not empty
//! texts     u32 length, UTF-8            lists   u32 or u64 count, then the entries
//! ```
//!
//! Reading refuses files of another version, truncated files and files with a changed bit. Values are checked like the
//! values of a host, so even a forged file with correct hashes cannot produce a broken world.

mod agents;
mod columns;
mod contacts;
mod definitions;
mod digest;
mod environment;
mod error;
mod forms;
mod people;
mod reader;
mod roll;
mod saved;
mod sections;
mod shared;
mod stream;
mod version;
mod walls;
mod writer;

use std::io::{Read, Write};
use std::ops::Range;

use crate::agents::Agents;
use crate::maths::mix64;
use crate::species::registry::Registry;
use crate::transport::Transport;
use digest::digest;
use reader::read_exact;
use shared::Shared;
use version::FORMAT;

pub(crate) use reader::{Keep, Reader, Rows};
pub(crate) use saved::{Saved, saved};
pub(crate) use shared::WriteAt;
pub(crate) use writer::Writer;

use crate::state::State;
pub use crate::state::fault::SnapshotFault;
pub use error::SnapshotError;
pub use version::PHYSICS;

const MAGIC: [u8; 8] = *b"THRONG\r\n";

/// The length of the header in bytes; the number of dimensions is its last word.
pub(crate) const HEADER: usize = 20;

/// Writes the state of a world. A first pass counts the bytes of each section, so that no section is held.
pub(crate) fn save<const D: usize>(state: &State<D>, to: &mut dyn Write) -> Result<(), SnapshotError> {
    let mut heads = Vec::new();
    sections::each(state, &mut Writer::count(), &mut |tag, section| {
        heads.push((*tag, section.end(*tag)?));
        Ok(())
    })?;
    to.write_all(&header::<D>())?;
    let hashes = each_hash(state, &mut Writer::stream(&mut *to, heads), |_, _| {})?;
    Ok(to.write_all(&last_section(hashes))?)
}

/// Hashes the state of a world together with other ranks, and writes this one's part of the snapshot if there is a
/// function that writes: its own rows of each species, and on the first rank everything else. The hash is the same on
/// all ranks, and equals the hash of one process. Rules that cannot be written are refused then, and enter the hash by
/// name otherwise.
pub(crate) fn save_part<'a, const D: usize>(
    state: &State<D>,
    transport: &'a dyn Transport,
    rows: Vec<Range<usize>>,
    write: Option<WriteAt<'a>>,
) -> Result<u64, SnapshotError> {
    let mut to = Writer::shared(Shared::start(transport, rows, write, &header::<D>()));
    let hashes = each_hash(state, &mut to, |_, _| {})?;
    // Only the first rank has the right hashes.
    let mut all = Vec::new();
    transport.gather(&hashes.to_le_bytes(), &mut all);
    let hashes = all[0].first_chunk().map_or(hashes, |bytes| u64::from_le_bytes(*bytes));
    if let Some(shared) = to.into_shared() {
        shared.finish(&last_section(hashes))?;
    }
    Ok(hashes)
}

/// The header of a world with `D` dimensions.
fn header<const D: usize>() -> Vec<u8> {
    let numbers = [FORMAT, PHYSICS, D as u32];
    MAGIC.into_iter().chain(numbers.into_iter().flat_map(u32::to_le_bytes)).collect()
}

/// The section with the hash of all hashes.
fn last_section(hashes: u64) -> Vec<u8> {
    let hash = digest(*b"END_", &hashes.to_le_bytes());
    let numbers = [8, hashes, hash];
    b"END_".iter().copied().chain(numbers.into_iter().flat_map(u64::to_le_bytes)).collect()
}

/// The tag and the hash of each section that is not empty. `COLS` and `NAMD`, the columns of agents, are left out.
pub(crate) fn section_hashes<const D: usize>(state: &State<D>) -> Vec<(&'static str, u64)> {
    let mut hashes = Vec::new();
    let hashed = each_hash(state, &mut Writer::hash(), |tag, hash| {
        if !matches!(tag, b"COLS" | b"NAMD") {
            hashes.push((std::str::from_utf8(tag).unwrap_or("section"), hash));
        }
    });
    debug_assert!(hashed.is_ok(), "hashing does not refuse rules");
    hashes
}

/// A hash over exactly the contents of a snapshot. Rules that cannot be written enter it by name.
pub(crate) fn state_hash<const D: usize>(state: &State<D>) -> u64 {
    let hashed = each_hash(state, &mut Writer::hash(), |_, _| {});
    debug_assert!(hashed.is_ok(), "hashing does not refuse rules");
    hashed.unwrap_or_default()
}

/// Calls `each` with the tag and the hash of each section that is not empty, and returns the hash of all hashes.
fn each_hash<const D: usize>(
    state: &State<D>,
    to: &mut Writer<'_>,
    mut each: impl FnMut(&'static [u8; 4], u64),
) -> Result<u64, SnapshotError> {
    let mut hashes = 0;
    sections::each(state, to, &mut |tag, section| {
        let (is_empty, hash) = (section.is_empty(), section.end(*tag)?);
        if !is_empty {
            hashes = mix64(hashes ^ hash);
            each(tag, hash);
        }
        Ok(())
    })?;
    Ok(hashes)
}

/// Reads the state of a world.
pub(crate) fn load<const D: usize>(from: &mut dyn Read, registry: &Registry) -> Result<State<D>, SnapshotError> {
    let Own { mut state, .. } = load_own(from, registry, &mut |_, rows| 0..rows)?;
    complete(&mut state)?;
    Ok(state)
}

/// The part of a snapshot that a rank has read.
#[derive(Debug)]
pub(crate) struct Own<const D: usize> {
    /// The state, with only the rows in `rows`, without the places of ids and without the agents of the mix.
    pub(crate) state: State<D>,
    pub(crate) rows: Vec<Rows>,
    /// The hash of the state.
    pub(crate) hash: u64,
}

/// Reads the state of a world with some of its rows: those that `keep` returns.
pub(crate) fn load_own<const D: usize>(
    from: &mut dyn Read,
    registry: &Registry,
    keep: Keep<'_>,
) -> Result<Own<D>, SnapshotError> {
    let mut header = [0; HEADER];
    read_exact(from, &mut header, "header")?;
    if header[..8] != MAGIC {
        return Err(SnapshotError::NotASnapshot);
    }
    let word = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    match (word(8), word(12), word(16)) {
        (FORMAT, PHYSICS, dimensions) if dimensions == D as u32 => {}
        (FORMAT, PHYSICS, dimensions) => return Err(SnapshotError::Dimensions(dimensions)),
        (FORMAT, physics, _) => return Err(SnapshotError::Physics(physics)),
        (format, ..) => return Err(SnapshotError::Format(format)),
    }
    let mut hashes = 0;
    let mut next = |tag: &'static [u8; 4], reading: &mut dyn FnMut(&mut Reader<'_>) -> Result<(), SnapshotError>| {
        let mut reader = Reader::start(tag, from, Some(registry))?;
        if tag == b"END_" {
            let agrees = matches!(reader.number::<u64>(), Ok(stored) if stored == hashes && reader.is_empty());
            reader.end(*tag, Ok(()))?;
            return if agrees { Ok(()) } else { Err(SnapshotError::Damaged("END_")) };
        }
        let is_empty = reader.is_empty();
        let read = reading(&mut reader);
        let found = reader.end(*tag, read)?;
        if !is_empty {
            hashes = mix64(hashes ^ found);
        }
        Ok(())
    };
    let (state, rows) = sections::read(&mut next, keep)?;
    Ok(Own { state, rows, hash: hashes })
}

/// Finds the agents of the mix, and the places of all agents, in a state that has all rows.
pub(crate) fn complete<const D: usize>(state: &mut State<D>) -> Result<(), SnapshotError> {
    let invalid = |fault| SnapshotError::Invalid { section: "MIX_", fault };
    state.mix_ids = state.ids_in_mix().map_err(invalid)?;
    state.ids.find_rows(state.agents.iter().map(Agents::ids));
    Ok(())
}

/// Writes one section on its own. `write` is called twice: to count bytes, and to write them.
pub(crate) fn save_section(
    tag: &[u8; 4],
    to: &mut dyn Write,
    write: impl Fn(&mut Writer<'_>),
) -> Result<(), SnapshotError> {
    let mut count = Writer::count();
    write(&mut count);
    let mut section = Writer::stream(to, vec![(*tag, count.end(*tag)?)]);
    write(&mut section);
    section.end(*tag).map(drop)
}

/// Reads one section that stands on its own, to its end. It can name the rules of `registry`.
pub(crate) fn load_section(
    tag: &'static [u8; 4],
    from: &mut dyn Read,
    registry: Option<&Registry>,
    read: impl FnOnce(&mut Reader<'_>) -> Result<(), SnapshotError>,
) -> Result<(), SnapshotError> {
    let mut reader = Reader::start(tag, from, registry)?;
    let read = read(&mut reader);
    reader.end(*tag, read).map(|_| ())
}
