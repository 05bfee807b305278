//! Recordings of a world's edits, and their replay.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use throng::{AnyRecording, AnyWorld, Registry};

use crate::errors::OrRaise;
use crate::world::World;
use crate::world::snapshots::replace;

#[pymethods]
impl World {
    /// Records every edit from now on, with the present state as the start.
    ///
    /// Functions among the rules need not be recorded: a recording has the forces that they returned.
    ///
    /// Parameters
    /// ----------
    /// hash_every : int, optional
    ///     Record the hash of the state at the ticks that this number divides, which lets a replay name the ticks
    ///     between which it goes wrong. By default only at the end.
    #[pyo3(signature = (hash_every=0))]
    fn record(&self, py: Python<'_>, hash_every: u64) -> PyResult<()> {
        py.detach(|| {
            self.shared.write()?.record(hash_every);
            Ok(())
        })
    }

    /// Writes the recording up to the present state: a report of a fault that `throng.replay` and the program
    /// `throng replay` repeat. The recording continues.
    ///
    /// Parameters
    /// ----------
    /// path : str or path
    ///     The file. An existing one is replaced when the recording is complete.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the world is not recorded.
    /// SnapshotError
    ///     If a rule cannot be stored.
    /// OSError
    ///     If the file cannot be written. An earlier one remains then.
    fn save_recording(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| {
            let recording = self.shared.read()?.recording();
            let recording = recording.ok_or_else(|| PyValueError::new_err("the world is not recorded: call record"))?;
            let mut bytes = Vec::new();
            recording.write(&mut bytes).or_raise()?;
            Ok(replace(&path, &bytes)?)
        })
    }
}

/// Replays a recording to its end, and compares the recorded hashes.
///
/// Parameters
/// ----------
/// path : str or path
///     The file of `World.save_recording`, of `throng run --record`, or from the page of `throng view`. Rules of
///     the page, such as its falcon, are known to `throng replay` alone.
///
/// Returns
/// -------
/// World
///     The world at the end, with the recorded hash.
///
/// Raises
/// ------
/// SnapshotError
///     If the file is damaged or of another version.
/// ReplayError
///     If a hash differs, or the world refuses an edit. The message has the tick.
/// OSError
///     If the file cannot be read.
#[pyfunction]
pub(crate) fn replay(py: Python<'_>, path: PathBuf) -> PyResult<World> {
    let recording =
        py.detach(|| AnyRecording::read_with(BufReader::new(File::open(path)?), &Registry::new()).or_raise())?;
    Ok(World::new(match recording {
        AnyRecording::Flat(recording) => AnyWorld::from(replayed(py, &recording)?),
        AnyRecording::Space(recording) => AnyWorld::from(replayed(py, &recording)?),
    }))
}

/// Replays a recording to its end, unless a signal arrives.
fn replayed<const D: usize>(py: Python<'_>, recording: &throng::Recording<D>) -> PyResult<throng::World<D>> {
    let mut replay = recording.replay().or_raise()?;
    while py.detach(|| replay.step()).or_raise()? {
        py.check_signals()?;
    }
    Ok(replay.into_world())
}
