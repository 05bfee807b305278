//! Checkpoints of a run: when they are written, where they are, and which of them are kept.

mod file;
mod interval;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::atomic_file::{self, sync_folder};
use crate::failure::Failure;

pub(crate) use file::{Contents, Header, Resumable, read, write};
pub(crate) use interval::Interval;

/// The folder of checkpoints in the folder of results.
const FOLDER: &str = "checkpoints";
/// The extension of checkpoints.
const EXTENSION: &str = "ckpt";
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
    /// The checkpoints of a run with these results. Removes those of an earlier run.
    pub(crate) fn start(results: &Path, every: Interval) -> Result<Self, Failure> {
        remove(results);
        let folder = results.join(FOLDER);
        fs::create_dir_all(&folder).map_err(|error| Failure::write(&folder, &error))?;
        Ok(Self { folder, every, last: None })
    }

    /// The checkpoints of a run that goes on from its checkpoint of this tick. Removes later ones.
    pub(crate) fn resume(results: &Path, every: Interval, tick: u64) -> Self {
        let later = list(results).into_iter().filter(|(number, _)| *number > tick);
        later.for_each(|(_, path)| _ = fs::remove_file(path));
        Self { folder: results.join(FOLDER), every, last: Some((tick, Instant::now())) }
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
    pub(crate) fn write(&mut self, contents: &Contents<'_>) -> Result<(), Failure> {
        let tick = contents.header.tick;
        if self.last.is_none() {
            // The outputs have been created beside the folder.
            sync_folder(&self.folder)?;
        }
        write(self.folder.join(format!("{tick:012}.{EXTENSION}")), contents)?;
        self.last = Some((tick, Instant::now()));
        if let Some(results) = self.folder.parent() {
            list(results).into_iter().skip(KEPT).for_each(|(_, path)| _ = fs::remove_file(path));
        }
        Ok(())
    }
}

/// The ticks and paths of the checkpoints beside these results, newest first.
pub(crate) fn list(results: &Path) -> Vec<(u64, PathBuf)> {
    let entries = fs::read_dir(results.join(FOLDER)).into_iter().flatten().flatten();
    let mut found: Vec<(u64, PathBuf)> =
        entries.filter_map(|entry| Some((tick(&entry.path())?, entry.path()))).collect();
    found.sort();
    found.reverse();
    found
}

/// Whether there are checkpoints beside these results.
pub(crate) fn any(results: &Path) -> bool {
    !list(results).is_empty()
}

/// Removes the checkpoints beside these results.
pub(crate) fn remove(results: &Path) {
    for (_, path) in list(results) {
        let _ = fs::remove_file(&path);
    }
    let _ = fs::remove_dir(results.join(FOLDER));
}

/// The results to which a checkpoint belongs.
pub(crate) fn results_of(checkpoint: &Path) -> Option<&Path> {
    checkpoint.parent()?.parent().map(|results| if results.as_os_str().is_empty() { Path::new(".") } else { results })
}

/// The tick of a checkpoint, from its name.
fn tick(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?.strip_suffix(EXTENSION)?.strip_suffix('.')?;
    name.bytes().all(|byte| byte.is_ascii_digit()).then(|| name.parse().ok())?
}

/// Removes what a run that was killed left beside the checkpoints.
pub(crate) fn clear(results: &Path) {
    let entries = fs::read_dir(results.join(FOLDER)).into_iter().flatten().flatten();
    for name in entries.filter_map(|entry| entry.file_name().into_string().ok()) {
        let complete = name.strip_prefix('.').and_then(|name| name.strip_suffix(".part"));
        if let Some(path) = complete.map(|name| results.join(FOLDER).join(name)).filter(|path| tick(path).is_some()) {
            atomic_file::clear(&path);
        }
    }
}
