//! Recordings of worlds whose number of dimensions is chosen at run time.

use std::io::{Read, Write};

use crate::species::registry::Registry;
use crate::state::snapshot::SnapshotError;
use crate::with_world;
use crate::world::any_world::{AnyWorld, has_space};
use crate::world::compiled::Compiled;
use crate::world::recording::{Recording, RecordingError, file};

/// A recording of a world in two or in three dimensions.
#[derive(Clone, Debug)]
pub enum AnyRecording {
    /// A recording in two dimensions.
    Flat(Recording<2>),
    /// A recording in three.
    Space(Recording<3>),
}

impl AnyRecording {
    /// Reads a recording of the number of dimensions in the file: see [`Recording::read_with`].
    ///
    /// # Errors
    ///
    /// [`RecordingError`].
    pub fn read_with(mut from: impl Read, registry: &Registry) -> Result<Self, RecordingError> {
        file::read_header(&mut from)?;
        let (is_in_space, mut whole) = has_space(from);
        if is_in_space {
            (Compiled::functions().read_recording)(&mut whole, registry).map(Self::Space)
        } else {
            (Compiled::functions().read_recording)(&mut whole, registry).map(Self::Flat)
        }
    }

    /// Writes the recording: see [`Recording::write`].
    ///
    /// # Errors
    ///
    /// [`SnapshotError`].
    pub fn write(&self, to: &mut impl Write) -> Result<(), SnapshotError> {
        match self {
            Self::Flat(recording) => recording.write(to),
            Self::Space(recording) => recording.write(to),
        }
    }
}

/// Recordings.
impl AnyWorld {
    /// Records every edit from now on: see [`World::record`](crate::World::record).
    ///
    /// # Panics
    ///
    /// If several ranks have divided the world.
    pub fn record(&mut self, hash_every: u64) {
        with_world!(self, world => world.record(hash_every));
    }

    /// Continues a recording whose end is this world: see
    /// [`World::continue_recording`](crate::World::continue_recording).
    ///
    /// # Errors
    ///
    /// [`RecordingError::OtherWorld`].
    ///
    /// # Panics
    ///
    /// As for [`record`](Self::record).
    pub fn continue_recording(&mut self, recording: &AnyRecording) -> Result<(), RecordingError> {
        match (self, recording) {
            (Self::Flat(world), AnyRecording::Flat(recording)) => world.continue_recording(recording),
            (Self::Space(world), AnyRecording::Space(recording)) => world.continue_recording(recording),
            _ => Err(RecordingError::OtherWorld),
        }
    }

    /// The recording up to the present state: see [`World::recording`](crate::World::recording).
    #[must_use]
    pub fn recording(&self) -> Option<AnyRecording> {
        match self {
            Self::Flat(world) => world.recording().map(AnyRecording::Flat),
            Self::Space(world) => world.recording().map(AnyRecording::Space),
        }
    }

    /// About the bytes of memory that the recorded edits take: see
    /// [`World::recording_bytes`](crate::World::recording_bytes).
    #[must_use]
    pub fn recording_bytes(&self) -> usize {
        with_world!(self, world => world.recording_bytes())
    }

    /// Ends the recording.
    pub fn stop_recording(&mut self) {
        with_world!(self, world => world.stop_recording());
    }
}
