//! The folder of checkpoints beside the results of a run, and the names in it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::atomic_file;

/// The folder of checkpoints in the folder of results.
const FOLDER: &str = "checkpoints";
/// The extension of checkpoints.
const EXTENSION: &str = "ckpt";

/// The folder of checkpoints beside these results.
pub(crate) fn of(results: &Path) -> PathBuf {
    results.join(FOLDER)
}

/// The name of the checkpoint of a tick.
pub(super) fn name(tick: u64) -> String {
    format!("{tick:012}.{EXTENSION}")
}

/// The ticks and paths of the checkpoints beside these results, newest first.
pub(crate) fn list(results: &Path) -> Vec<(u64, PathBuf)> {
    let entries = fs::read_dir(of(results)).into_iter().flatten().flatten();
    let mut found: Vec<(u64, PathBuf)> =
        entries.filter_map(|entry| Some((tick(&entry.path())?, entry.path()))).collect();
    found.sort();
    found.reverse();
    found
}

/// Whether there are checkpoints beside these results.
pub(crate) fn any_checkpoint(results: &Path) -> bool {
    !list(results).is_empty()
}

/// Removes the checkpoints beside these results.
pub(crate) fn remove(results: &Path) {
    for (_, path) in list(results) {
        let _ = fs::remove_file(&path);
    }
    let _ = fs::remove_dir(of(results));
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

/// Removes the files that a killed run left beside the checkpoints.
pub(crate) fn clear(results: &Path) {
    let entries = fs::read_dir(of(results)).into_iter().flatten().flatten();
    for name in entries.filter_map(|entry| entry.file_name().into_string().ok()) {
        let complete = name.strip_prefix('.').and_then(|name| name.strip_suffix(".part"));
        if let Some(path) = complete.map(|name| of(results).join(name)).filter(|path| tick(path).is_some()) {
            atomic_file::clear(&path);
        }
    }
}
