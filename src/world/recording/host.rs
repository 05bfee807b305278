//! Recordings as hosts make, read, write and replay them.

use std::io::{Read, Write};
use std::sync::Arc;

use crate::agents::Agents;
use crate::base::error::Error;
use crate::species::registry::Registry;
use crate::state::snapshot::SnapshotError;
use crate::world::World;
use crate::world::compiled::Compiled;
use crate::world::recording::log::Log;
use crate::world::recording::recorder::Recorder;
use crate::world::recording::{Recording, RecordingError, Replay, ReplayError, file};

impl<const D: usize> Recording<D> {
    /// Reads a recording whose rules and motions are built in.
    ///
    /// # Errors
    ///
    /// [`RecordingError`], with the place of the error. Any input gives either a recording or an error, and memory grows
    /// with the bytes that are read. A replay takes the time and the memory that the ticks and the edits need.
    pub fn read(from: impl Read) -> Result<Self, RecordingError> {
        Self::read_with(from, &Registry::new())
    }

    /// Reads a recording whose rules and motions are in this registry.
    ///
    /// # Errors
    ///
    /// As for [`read`](Self::read).
    pub fn read_with(mut from: impl Read, registry: &Registry) -> Result<Self, RecordingError> {
        file::read_header(&mut from)?;
        (Compiled::functions().read_recording)(&mut from, registry)
    }

    /// Writes the recording.
    ///
    /// # Errors
    ///
    /// [`SnapshotError::UnknownRule`] if the start or an edit has a rule or a motion without a table of parameters;
    /// [`SnapshotError::Io`] if writing fails.
    pub fn write(&self, to: &mut impl Write) -> Result<(), SnapshotError> {
        (Compiled::functions().write_recording)(self, to)
    }

    /// Replays the recording from its start.
    ///
    /// # Errors
    ///
    /// [`Error::Arithmetic`] if the arithmetic of this thread is not the default of IEEE 754.
    pub fn replay(&self) -> Result<Replay<D>, Error> {
        Replay::new(self)
    }
}

impl<const D: usize> Replay<D> {
    /// Makes the edits of the present tick and compares its recorded hashes, then advances by one tick. Returns `false`
    /// at the end of the recording instead of advancing, when the last edits are made and the last hash agrees.
    ///
    /// # Errors
    ///
    /// [`ReplayError`].
    pub fn step(&mut self) -> Result<bool, ReplayError> {
        (Compiled::functions().replay_tick)(self)
    }

    /// Replays the rest of the recording. The state at its end then has the recorded hash.
    ///
    /// # Errors
    ///
    /// [`ReplayError`].
    pub fn run(&mut self) -> Result<(), ReplayError> {
        while self.step()? {}
        Ok(())
    }
}

/// Recordings of a world.
impl<const D: usize> World<D> {
    /// Records every edit from now on, with the present state as the start. The hash of the state is recorded at the
    /// ticks that `hash_every` divides, which lets a replay name the ticks between which it goes wrong; with zero only at
    /// the end. An earlier recording of this world ends.
    ///
    /// The start takes as much memory as the state. Clones of the world continue the recording for themselves.
    ///
    /// # Panics
    ///
    /// If several ranks have divided the world.
    pub fn record(&mut self, hash_every: u64) {
        assert!(self.part.is_only_process(), "a world on several ranks is not recorded");
        let mut start = self.state.clone();
        let columns = start.agents.iter_mut().map(|agents: &mut Agents<D>| &mut agents.columns.0);
        columns.for_each(|columns| columns.retain(|column| column.owner.is_state()));
        self.recorder = Some(Box::new(Recorder::new(Arc::new(start), Log::default(), hash_every)));
    }

    /// Records every edit from now on as a part of this recording, whose end is this world.
    ///
    /// # Errors
    ///
    /// [`RecordingError::OtherWorld`] if the tick or the state is another than at the end of the recording.
    ///
    /// # Panics
    ///
    /// As for [`record`](Self::record).
    pub fn continue_recording(&mut self, recording: &Recording<D>) -> Result<(), RecordingError> {
        assert!(self.part.is_only_process(), "a world on several ranks is not recorded");
        let Recording { start, log, tick, hash, hash_every } = recording;
        if (*tick, *hash) != (self.tick(), self.state_hash()) {
            return Err(RecordingError::OtherWorld);
        }
        self.recorder = Some(Box::new(Recorder::new(Arc::clone(start), log.clone(), *hash_every)));
        Ok(())
    }

    /// The recording up to the present state; `None` if the world is not recorded. It costs a hash of the state.
    #[must_use]
    pub fn recording(&self) -> Option<Recording<D>> {
        let mut recorder = self.recorder.as_deref()?.clone();
        recorder.settle(&self.state);
        let Recorder { start, log, hash_every, .. } = recorder;
        Some(Recording { start, log, tick: self.tick(), hash: self.state_hash(), hash_every })
    }

    /// About the bytes of memory that the recorded edits take, without the state at the start; zero if the world is not
    /// recorded. A host that edits without an end starts a new recording when they are too many.
    #[must_use]
    pub fn recording_bytes(&self) -> usize {
        self.recorder.as_ref().map_or(0, |recorder| recorder.log.bytes())
    }

    /// Ends the recording. [`recording`](Self::recording) returns it before.
    pub fn stop_recording(&mut self) {
        self.recorder = None;
    }

    /// Whether edits are recorded.
    pub(crate) fn is_recording(&self) -> bool {
        self.recorder.is_some()
    }
}
