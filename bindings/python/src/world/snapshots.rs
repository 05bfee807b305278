//! Snapshots, pickling and copies.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple, PyType};
use throng::{AnyWorld, Registry, SpeciesId};

use crate::errors::OrRaise;
use crate::functions::Function;
use crate::world::World;

#[pymethods]
impl World {
    /// The state as bytes: everything that the next tick depends on.
    ///
    /// Returns
    /// -------
    /// bytes
    ///     A snapshot.
    ///
    /// Raises
    /// ------
    /// SnapshotError
    ///     If a rule cannot be stored.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| saved(&*self.shared.read()?))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The world that `to_bytes` wrote. It continues with the same bits.
    ///
    /// Parameters
    /// ----------
    /// snapshot : bytes
    ///     A snapshot.
    ///
    /// Returns
    /// -------
    /// World
    ///     The world, with the number of dimensions of the snapshot.
    ///
    /// Raises
    /// ------
    /// SnapshotError
    ///     If the bytes are damaged or of another version.
    #[classmethod]
    fn from_bytes(_class: &Bound<'_, PyType>, py: Python<'_>, snapshot: &[u8]) -> PyResult<Self> {
        let registry = Registry::new();
        Ok(Self::new(py.detach(|| AnyWorld::load_with(snapshot, &registry)).or_raise()?))
    }

    /// Writes a snapshot. An existing file is replaced when the snapshot is complete; a device or a pipe is written to.
    ///
    /// Parameters
    /// ----------
    /// path : str or path
    ///     The file.
    ///
    /// Raises
    /// ------
    /// OSError
    ///     If the file cannot be written. An earlier one remains then.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| {
            let bytes = saved(&*self.shared.read()?)?;
            Ok(replace(&path, &bytes)?)
        })
    }

    /// Reads a snapshot.
    ///
    /// Parameters
    /// ----------
    /// path : str or path
    ///     The file.
    ///
    /// Returns
    /// -------
    /// World
    ///     It continues with the same bits.
    ///
    /// Raises
    /// ------
    /// SnapshotError
    ///     If the file is damaged or of another version.
    /// OSError
    ///     If it cannot be read.
    #[classmethod]
    fn load(_class: &Bound<'_, PyType>, py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let registry = Registry::new();
        let world = py.detach(|| AnyWorld::load_with(BufReader::new(File::open(path)?), &registry).or_raise());
        Ok(Self::new(world?))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, world) = (slf.py(), slf.get());
        let functions: Vec<(usize, String, Py<PyAny>)> = {
            let functions = world.functions();
            let parts = functions
                .iter()
                .map(|function| (function.species.number(), function.column.clone(), function.function.clone_ref(py)));
            parts.collect()
        };
        let arguments = (world.to_bytes(py)?, functions).into_pyobject(py)?;
        Ok((slf.get_type().getattr("_restored")?, arguments))
    }

    /// The world from a pickle: its snapshot and the functions among its rules.
    #[classmethod]
    fn _restored(
        class: &Bound<'_, PyType>,
        py: Python<'_>,
        snapshot: &[u8],
        functions: Vec<(usize, String, Py<PyAny>)>,
    ) -> PyResult<Self> {
        let world = Self::from_bytes(class, py, snapshot)?;
        let species: Vec<SpeciesId> = world.shared.read()?.all_species().map(|(id, ..)| id).collect();
        world.functions().extend(functions.into_iter().filter_map(|(number, column, function)| {
            let species = *species.iter().find(|id| id.number() == number)?;
            Some(Function { species, column, function })
        }));
        Ok(world)
    }

    /// A copy that continues with the same bits.
    ///
    /// Returns
    /// -------
    /// World
    ///     With the same functions as rules.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let copy = py.detach(|| PyResult::Ok(self.shared.read()?.clone()))?;
        Ok(self.with_functions(py, copy))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyDict>) -> PyResult<Self> {
        self.copy(py)
    }
}

/// Writes a file, which appears when it is complete; writes to a device or a pipe.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    let mut part = OsString::from(path);
    part.push(".part");
    let part = PathBuf::from(part);
    let written = File::create(&part)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&part, path));
    written.inspect_err(|_| {
        // The file may not exist.
        let _ = fs::remove_file(&part);
    })
}

fn saved(world: &AnyWorld) -> PyResult<Vec<u8>> {
    let mut bytes = Vec::new();
    world.save(&mut bytes).or_raise()?;
    Ok(bytes)
}
