//! Files of recordings.

use std::path::Path;

use throng::{AnyWorld, SnapshotError};
use throng_scenario::shown;

use crate::atomic_file::AtomicFile;
use crate::failure::Failure;

/// Checks that a file can be written, before the run that it records.
pub(crate) fn check(file: &Path, force: bool) -> Result<(), Failure> {
    if file.exists() && !force {
        return Err(Failure::Input(format!("{}: already exists; --force replaces it", shown(&file))));
    }
    AtomicFile::start(file.to_owned()).map(drop)
}

/// Checks that a file can hold the recording of this world.
///
/// # Errors
///
/// Fails if a rule has no table of parameters.
pub(crate) fn check_rules(world: &AnyWorld) -> Result<(), Failure> {
    let Some(recording) = world.recording() else { return Ok(()) };
    recording.write(&mut std::io::sink()).map_err(|error| Failure::Input(format!("--record: {error}")))
}

/// Writes the recording of a world, if there is one.
pub(crate) fn write(world: &AnyWorld, file: &Path) -> Result<(), Failure> {
    let Some(recording) = world.recording() else { return Ok(()) };
    let mut output = AtomicFile::start(file.to_owned())?;
    match recording.write(&mut output) {
        Ok(()) => output.keep(),
        Err(SnapshotError::Io(error)) => Err(Failure::write(file, &error)),
        Err(other) => Err(Failure::Input(format!("--record: {other}"))),
    }
}
