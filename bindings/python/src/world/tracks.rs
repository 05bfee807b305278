//! Tracks: recorded paths that agents follow.

use std::path::PathBuf;

use numpy::{AllowTypeChange, PyArrayLike1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use throng::{Settings, Tracks, TracksId, Vector, WarningKind, with_world};
use throng_scenario::trajectories::{RecordedTracks, TrackOptions};

use crate::errors::OrRaise;
use crate::world::World;
use crate::world::items::put;

#[pymethods]
impl World {
    /// Adds recorded tracks, which agents of a species follow: each comes where its track starts and leaves where it
    /// ends. Others see them; nothing else moves them. Returns a handle.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    /// tracks : path or table
    ///     A trajectory (.csv, .txt, .sqlite or .parquet), or a table with the columns `id`, `frame`, `x` and `y`, and
    ///     `z` in three dimensions: a data frame or a dictionary of arrays.
    /// name : str
    ///     The name; by default the name of the species.
    /// start : int
    ///     The tick or frame at the start of the world; by default the first.
    /// frame_seconds : float
    ///     The time between frames; by default as in the file. A table needs it.
    /// replaces : int
    ///     The handle of tracks that these take the place of.
    ///
    /// Returns
    /// -------
    /// int
    ///     A handle.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the tracks cannot be read.
    #[pyo3(signature = (species, tracks, *, name=None, start=None, frame_seconds=None, replaces=None))]
    #[expect(clippy::too_many_arguments, reason = "one for each part of tracks")]
    fn add_tracks(
        &self,
        py: Python<'_>,
        species: &str,
        tracks: &Bound<'_, PyAny>,
        name: Option<String>,
        start: Option<u64>,
        frame_seconds: Option<f32>,
        replaces: Option<u64>,
    ) -> PyResult<u64> {
        let name = name.unwrap_or_else(|| species.to_owned());
        let options = TrackOptions { species: Some(species), from: start, frame_seconds };
        let (handle, notes) = {
            let mut world = self.shared.write()?;
            with_world!(&mut *world, world => {
                let RecordedTracks { frame_seconds, tracks, notes, .. } = read(tracks, world.settings(), options)?;
                let tracks = Tracks::new(name, species, frame_seconds, tracks);
                let handle = put(&mut world.environment_mut().tracks, replaces, tracks)?;
                PyResult::Ok((handle, notes))
            })?
        };
        let warning = |note| throng::Warning::new(WarningKind::Reading, "tracks".to_owned(), note);
        self.warn(py, notes.into_iter().map(warning).collect())?;
        Ok(handle)
    }

    /// The tracks, in the order in which they were added.
    ///
    /// Returns
    /// -------
    /// list of dict
    ///     `handle`, `name`, `species`, `frame_seconds`, the number of `tracks`, and `agents`: the number of the track of
    ///     each agent that follows one, by its id.
    fn tracks<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let world = self.shared.read()?;
        with_world!(&*world, world => {
            let tracks = world.environment().tracks.iter().map(|(id, tracks)| {
                let described = PyDict::new(py);
                described.set_item("handle", id.to_bits())?;
                described.set_item("name", &tracks.name)?;
                described.set_item("species", &tracks.species)?;
                described.set_item("frame_seconds", tracks.frame_seconds)?;
                described.set_item("tracks", tracks.tracks.len())?;
                let agents = PyDict::new(py);
                for (agent, track) in world.environment().followers(id).unwrap_or_default() {
                    agents.set_item(agent.to_bits(), track)?;
                }
                described.set_item("agents", agents)?;
                Ok(described)
            });
            tracks.collect()
        })
    }

    /// Removes tracks. Agents that follow one then move by their rules.
    ///
    /// Parameters
    /// ----------
    /// tracks : int
    ///     Their handle.
    fn remove_tracks(&self, tracks: u64) -> PyResult<()> {
        let mut world = self.shared.write()?;
        let id = TracksId::from_bits(tracks);
        with_world!(&mut *world, world => world.environment_mut().tracks.remove(id).or_raise().map(drop))
    }
}

/// Reads the tracks of a file or of a table.
fn read<const D: usize>(
    given: &Bound<'_, PyAny>,
    settings: &Settings<D>,
    options: TrackOptions<'_>,
) -> PyResult<RecordedTracks<D>> {
    if let Ok(path) = given.extract::<PathBuf>() {
        return RecordedTracks::read(&path, settings, options).map_err(PyValueError::new_err);
    }
    let whole = |name: &str| -> PyResult<Vec<u64>> {
        let column: PyArrayLike1<'_, u64, AllowTypeChange> = given.get_item(name)?.extract()?;
        Ok(column.as_array().to_vec())
    };
    let (ids, frames) = (whole("id")?, whole("frame")?);
    let mut axes = Vec::new();
    for &name in &["x", "y", "z"][..D] {
        let column: PyArrayLike1<'_, f32, AllowTypeChange> = given.get_item(name)?.extract()?;
        axes.push(column.as_array().to_vec());
    }
    if frames.len() != ids.len() || axes.iter().any(|axis| axis.len() != ids.len()) {
        return Err(PyValueError::new_err("tracks: the columns must have equal lengths"));
    }
    let rows = ids.iter().zip(&frames).enumerate();
    let rows = rows.map(|(row, (&id, &frame))| (id, frame, Vector::from_fn(|axis| axes[axis][row])));
    RecordedTracks::of_rows(rows.collect(), settings, options, None)
        .map_err(|reason| PyValueError::new_err(format!("tracks: {reason}")))
}
