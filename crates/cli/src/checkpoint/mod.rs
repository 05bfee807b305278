//! Checkpoints of a run: when they are written, and which of them are kept.

mod file;
mod folder;
mod interval;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;
use throng::SnapshotError;

use crate::atomic_file::sync_folder;
use crate::failure::Failure;

pub(crate) use file::{CheckpointFile, Contents, Header, Opened, Resumable, SavedWorld, open};
pub(crate) use folder::{any_checkpoint, clear, list, of as folder_of, remove, results_of};
pub(crate) use interval::Interval;

/// The number of checkpoints that are kept.
const KEPT: usize = 2;

/// The checkpoints of a run in progress.
#[derive(Debug)]
pub(crate) struct Checkpoints {
    folder: PathBuf,
    pub(crate) every: Interval,
    /// The tick of the last checkpoint, and when it was written.
    last: Option<(u64, Instant)>,
}

impl Checkpoints {
    /// The checkpoints of a run with these results. Removes the checkpoints of an earlier run.
    pub(crate) fn start(results: &Path, every: Interval) -> Result<Self, Failure> {
        remove(results);
        let folder = folder::of(results);
        fs::create_dir_all(&folder).map_err(|error| Failure::write(&folder, &error))?;
        Ok(Self { folder, every, last: None })
    }

    /// The checkpoints of a run that continues from its checkpoint of this tick. Removes later ones.
    pub(crate) fn resume(results: &Path, every: Interval, tick: u64) -> Self {
        let later = list(results).into_iter().filter(|(number, _)| *number > tick);
        later.for_each(|(_, path)| _ = fs::remove_file(path));
        Self { folder: folder::of(results), every, last: Some((tick, Instant::now())) }
    }

    /// Whether a checkpoint of this tick is due.
    pub(crate) fn is_due(&self, tick: u64) -> bool {
        match (self.last, self.every) {
            (None, _) => true,
            (_, Interval::Ticks(ticks)) => tick.is_multiple_of(ticks.get()) && !self.has(tick),
            (Some((_, written)), Interval::Seconds(seconds)) => written.elapsed().as_secs_f64() >= seconds,
        }
    }

    /// Whether the last checkpoint is of this tick.
    pub(crate) fn has(&self, tick: u64) -> bool {
        self.last.is_some_and(|(last, _)| last == tick)
    }

    /// Writes a checkpoint, and removes all but the last ones.
    pub(crate) fn write(
        &mut self,
        contents: &Contents<impl Serialize>,
        save: impl FnOnce(&mut CheckpointFile) -> Result<(), SnapshotError>,
    ) -> Result<(), Failure> {
        let tick = contents.header.tick;
        if self.last.is_none() {
            // The outputs have been created beside the folder.
            sync_folder(&self.folder)?;
        }
        file::write(self.folder.join(folder::name(tick)), contents, save)?;
        self.last = Some((tick, Instant::now()));
        if let Some(results) = self.folder.parent() {
            list(results).into_iter().skip(KEPT).for_each(|(_, path)| _ = fs::remove_file(path));
        }
        Ok(())
    }
}
