//! Trajectories: positions over time, in the formats of other programs.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::PathBuf;
use std::sync::Mutex;

use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use throng::AnyWorld;
use throng_formats::trajectory::{Database, Encoder, TrajectoryFormat};
use throng_scenario::trajectories::{frame, heading};

use crate::world::World;

/// Writes the trajectories of a run: a file that PedPy, JuPedSim, ParaView or a table library opens.
///
/// `World.step(n, observe=writer)` writes the world before the first tick and after each one that is due. The writer is a
/// context manager; `close` completes the file.
///
/// Parameters
/// ----------
/// path : str or path
///     Its ending is the format: ``.sqlite`` (JuPedSim, PedPy), ``.txt`` (the pedestrian data archive, PedPy),
///     ``.parquet``, ``.csv`` or ``.vtp``. A file of this name is replaced.
/// every : int
///     The number of ticks between frames.
/// name : str
///     The title of the run.
#[pyclass(module = "throng", frozen)]
#[derive(Debug)]
pub(crate) struct TrajectoryWriter(Mutex<Writer>);

#[derive(Debug)]
struct Writer {
    path: PathBuf,
    every: u64,
    name: String,
    format: TrajectoryFormat,
    /// The tick of the last observation.
    seen: Option<u64>,
    file: State,
}

#[derive(Debug)]
enum State {
    /// No frame has been written.
    New,
    Stream(Box<dyn Encoder>, BufWriter<File>),
    Tables(Box<Database>),
    Closed,
}

#[pymethods]
impl TrajectoryWriter {
    #[new]
    #[pyo3(signature = (path, *, every=1, name="throng".to_owned()))]
    fn new(path: PathBuf, every: u64, name: String) -> PyResult<Self> {
        let known = |format: &TrajectoryFormat| !format.is_drawn();
        let Some(format) = TrajectoryFormat::of(&path).filter(known) else {
            let endings = TrajectoryFormat::ALL.into_iter().filter(known).map(|format| format!(".{}", format.ending()));
            let endings = endings.collect::<Vec<_>>().join(", ");
            return Err(PyValueError::new_err(format!("{}: must end in one of {endings}", path.to_string_lossy())));
        };
        if every == 0 {
            return Err(PyValueError::new_err("every = 0: must be at least 1"));
        }
        Ok(Self(Mutex::new(Writer { path, every, name, format, seen: None, file: State::New })))
    }

    /// Writes the world if its tick is a multiple of `every`.
    ///
    /// Parameters
    /// ----------
    /// world : World
    ///     The world.
    ///
    /// Raises
    /// ------
    /// OSError
    ///     If the file cannot be written.
    /// ValueError
    ///     If the format cannot hold the world, or the writer is closed.
    fn observe(&self, py: Python<'_>, world: &World) -> PyResult<()> {
        py.detach(|| self.write(&*world.shared.read()?))
    }

    /// Completes the file.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| {
            let mut writer = self.0.try_lock().map_err(|_| in_use())?;
            writer.close().map_err(|error| failed(&writer, &error))
        })
    }

    fn __enter__(own: PyRef<'_, Self>) -> PyRef<'_, Self> {
        own
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<()> {
        self.close(py)
    }
}

impl TrajectoryWriter {
    /// Writes the world, unless its present tick was observed.
    pub(crate) fn write_once(&self, world: &AnyWorld) -> PyResult<()> {
        let seen = self.0.try_lock().map_err(|_| in_use())?.seen;
        if seen == Some(world.tick()) { Ok(()) } else { self.write(world) }
    }

    pub(crate) fn write(&self, world: &AnyWorld) -> PyResult<()> {
        let mut writer = self.0.try_lock().map_err(|_| in_use())?;
        writer.seen = Some(world.tick());
        if !world.tick().is_multiple_of(writer.every) {
            return Ok(());
        }
        writer.write(world).map_err(|error| failed(&writer, &error))
    }
}

impl Writer {
    fn write(&mut self, world: &AnyWorld) -> io::Result<()> {
        if matches!(self.file, State::New) {
            self.file = self.start(world)?;
        }
        let frame = frame(world);
        match &mut self.file {
            State::Stream(encoder, file) => encoder.write(&frame, file),
            State::Tables(database) => database.write(&frame),
            State::New | State::Closed => Err(io::Error::new(io::ErrorKind::InvalidInput, "the trajectory is closed")),
        }
    }

    fn start(&self, world: &AnyWorld) -> io::Result<State> {
        let heading = heading(&self.name, world, self.every, &[]);
        let path = self.format.file(&self.path);
        match self.format.encoder(&self.path, &heading)? {
            Some(mut encoder) => {
                let mut file = BufWriter::new(File::create(path)?);
                encoder.start(&mut file)?;
                Ok(State::Stream(encoder, file))
            }
            None => {
                // Tables are created in an empty file.
                drop(File::create(&path)?);
                let database = Database::create(&path, &heading);
                if database.is_err() {
                    fs::remove_file(&path)?;
                }
                database.map(|database| State::Tables(Box::new(database)))
            }
        }
    }

    fn close(&mut self) -> io::Result<()> {
        match std::mem::replace(&mut self.file, State::Closed) {
            State::Stream(mut encoder, mut file) => {
                encoder.finish(&mut file)?;
                file.flush()
            }
            State::Tables(mut database) => database.finish(),
            State::New | State::Closed => Ok(()),
        }
    }
}

/// A writer that is dropped completes its file too, as far as it can.
impl Drop for Writer {
    fn drop(&mut self) {
        let _ = self.close();
    }
}

fn failed(writer: &Writer, error: &io::Error) -> PyErr {
    let message = format!("{}: {error}", writer.path.to_string_lossy());
    match error.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported => PyValueError::new_err(message),
        _ => PyOSError::new_err(message),
    }
}

fn in_use() -> PyErr {
    PyRuntimeError::new_err("the trajectory is in use by another thread")
}
