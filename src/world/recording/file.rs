//! Recordings in files. All numbers are little-endian.
//!
//! ```text
//! header    "THRONGR\n", u32 version of the format
//! start     a snapshot: see `state/snapshot/mod.rs`, also for sections
//! EDIT      the number of entries, then each: its tick, and an edit or a hash
//! STOP      the last tick, the hash of the state, the number of ticks between recorded hashes
//! ```
//!
//! Memory grows with the bytes that are read, and the replay checks every edit as an edit of a host.

use std::io::{ErrorKind, Read, Write};
use std::sync::Arc;

use crate::species::registry::Registry;
use crate::state::snapshot::{self, Saved, SnapshotError};
use crate::world::recording::log::Log;
use crate::world::recording::{Recording, RecordingError};

const MAGIC: [u8; 8] = *b"THRONGR\n";

/// The version of the format.
pub(super) const FORMAT: u32 = 1;

pub(crate) fn write<const D: usize>(recording: &Recording<D>, to: &mut dyn Write) -> Result<(), SnapshotError> {
    to.write_all(&MAGIC)?;
    to.write_all(&FORMAT.to_le_bytes())?;
    snapshot::save(&recording.start, to)?;
    snapshot::save_section(b"EDIT", to, |to| recording.log.save(to))?;
    let end = [recording.tick, recording.hash, recording.hash_every];
    snapshot::save_section(b"STOP", to, |to| end.save(to))
}

/// Reads the header, which does not depend on the number of dimensions.
pub(super) fn read_header(from: &mut dyn Read) -> Result<(), RecordingError> {
    let mut header = [0; 12];
    from.read_exact(&mut header).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => RecordingError::NotARecording,
        _ => RecordingError::Start(error.into()),
    })?;
    let (magic, format) = header.split_at(MAGIC.len());
    if magic != MAGIC {
        return Err(RecordingError::NotARecording);
    }
    match format.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes)) {
        FORMAT => Ok(()),
        other => Err(RecordingError::Format(other)),
    }
}

/// Reads all after the header.
pub(crate) fn read<const D: usize>(from: &mut dyn Read, registry: &Registry) -> Result<Recording<D>, RecordingError> {
    let start = snapshot::load(from, registry).map_err(RecordingError::Start)?;
    let (mut log, mut number) = (Log::default(), 0);
    let read = snapshot::load_section(b"EDIT", from, Some(registry), |from| {
        log = Log::load(from, &mut number)?;
        Ok(())
    });
    read.map_err(|error| match error {
        error @ (SnapshotError::Damaged(_) | SnapshotError::Io(_)) => RecordingError::Edits(error),
        error => RecordingError::Entry { number, error },
    })?;
    let mut end = [0; 3];
    let [first, last] = log.ticks().unwrap_or([start.tick; 2]);
    let read = snapshot::load_section(b"STOP", from, None, |from| {
        end = Saved::load(from)?;
        let fits = start.tick <= first && last <= end[0] && end[0] <= u64::MAX / 2;
        if fits { Ok(()) } else { Err(from.unknown("the last tick", end[0])) }
    });
    read.map_err(RecordingError::Edits)?;
    let [tick, hash, hash_every] = end;
    Ok(Recording { start: Arc::new(start), log, tick, hash, hash_every })
}
