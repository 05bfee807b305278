//! Views of the columns of a species without a copy, for the length of a `with` block.

use std::sync::{Arc, Mutex, PoisonError};

use numpy::ndarray::{ArrayView1, ArrayView2};
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use throng::columns::{ColumnSlice, ColumnView};
use throng::{AnyWorld, SpeciesId};

use crate::arrow::{self, Source};
use crate::columns;
use crate::errors::OrRaise;
use crate::shared::{Lease, Shared};

/// The columns of a species, read-only and without a copy, while its `with` block lasts. **Rows move** in each step of
/// the world: `id`, which is a copy, has the agent of each row.
#[pyclass(module = "throng", frozen)]
#[derive(Debug)]
pub(crate) struct View {
    shared: Arc<Shared>,
    species: SpeciesId,
    /// The lease of the open block.
    lease: Mutex<Option<Lease>>,
}

/// The owner of an array's memory: the array keeps it alive, and it keeps the columns in place.
#[pyclass(frozen)]
struct Owner {
    _lease: Lease,
}

impl View {
    pub(crate) fn new(shared: &Arc<Shared>, species: SpeciesId) -> Self {
        Self { shared: Arc::clone(shared), species, lease: Mutex::new(None) }
    }

    /// Opens the view.
    pub(crate) fn open(&self) -> PyResult<()> {
        let lease = Lease::new(&self.shared, &*self.shared.read()?);
        *self.lease.lock().unwrap_or_else(PoisonError::into_inner) = Some(lease);
        Ok(())
    }

    /// Closes the view. Arrays that were taken from it keep their own leases.
    pub(crate) fn close(&self) {
        *self.lease.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn with<R>(&self, read: impl FnOnce(&AnyWorld) -> PyResult<R>) -> PyResult<R> {
        let open = self.lease.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        if !open {
            return Err(PyValueError::new_err("the view is closed: it is open inside its `with` block"));
        }
        read(&*self.shared.read()?)
    }

    fn array<'py>(&self, py: Python<'py>, world: &AnyWorld, column: &ColumnView<'_>) -> PyResult<Bound<'py, PyAny>> {
        let owner = Bound::new(py, Owner { _lease: Lease::new(&self.shared, world) })?.into_any();
        match column.numbers {
            ColumnSlice::F32(numbers) => leased(numbers, column.width, owner),
            ColumnSlice::U32(numbers) => leased(numbers, column.width, owner),
            ColumnSlice::U64(numbers) => leased(numbers, column.width, owner),
            _ => Err(PyValueError::new_err(format!("column `{}` has an unknown type", column.name))),
        }
    }

    fn axes<'py>(&self, py: Python<'py>, names: [&str; 3]) -> PyResult<Bound<'py, PyTuple>> {
        self.with(|world| {
            let axes = &names[..world.dimensions()];
            let arrays = axes.iter().map(|name| self.array(py, world, &columns::named(world, self.species, name)?));
            PyTuple::new(py, arrays.collect::<PyResult<Vec<_>>>()?)
        })
    }

    /// The ids, and all columns without a copy.
    fn sources(&self, world: &AnyWorld) -> PyResult<Vec<Source>> {
        let ids = columns::ids(world, self.species).or_raise()?;
        let all = columns::all(world, self.species).or_raise()?;
        let columns = all.iter().map(|column| Source::leased(column, Lease::new(&self.shared, world)));
        Ok([Source::owned(columns::ID, 1, arrow::Numbers::U64(ids))].into_iter().chain(columns).collect())
    }
}

/// An array on the memory of a column, which cannot be written to.
fn leased<'py, T: Element>(numbers: &[T], width: usize, owner: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if width == 1 {
        // SAFETY: the memory lives, at its place and without a change, as long as the lease of `owner`, which the array
        // keeps alive. Nothing writes through the array: it becomes read-only here, and NumPy makes only arrays with a
        // writable owner writable again.
        let array = unsafe { PyArray1::borrow_from_array(&ArrayView1::from(numbers), owner) };
        array.try_readwrite()?.make_nonwriteable();
        return Ok(array.into_any());
    }
    let shape = (numbers.len() / width, width);
    let view = ArrayView2::from_shape(shape, numbers).map_err(|error| PyValueError::new_err(error.to_string()))?;
    // SAFETY: as above.
    let array = unsafe { PyArray2::borrow_from_array(&view, owner) };
    array.try_readwrite()?.make_nonwriteable();
    Ok(array.into_any())
}

#[pymethods]
impl View {
    fn __enter__(slf: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        slf.get().open()?;
        Ok(slf)
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
        self.close();
    }

    /// The names of the columns.
    ///
    /// Returns
    /// -------
    /// list of str
    ///     `id` and the axes first.
    fn keys(&self) -> PyResult<Vec<String>> {
        self.with(|world| columns::names(world, self.species).or_raise())
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.with(|world| {
            if name == columns::ID {
                let ids = PyArray1::from_vec(py, columns::ids(world, self.species).or_raise()?);
                ids.try_readwrite()?.make_nonwriteable();
                return Ok(ids.into_any());
            }
            self.array(py, world, &columns::named(world, self.species, name)?)
        })
    }

    fn __contains__(&self, name: &str) -> PyResult<bool> {
        self.with(|world| {
            Ok(name == columns::ID || columns::all(world, self.species).or_raise()?.iter().any(|own| own.name == name))
        })
    }

    /// The number of agents.
    fn __len__(&self) -> PyResult<usize> {
        self.with(|world| Ok(world.ids(self.species).or_raise()?.len()))
    }

    /// The positions in metres: one array per axis.
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.axes(py, ["x", "y", "z"])
    }

    /// The velocities in metres per second: one array per axis.
    #[getter]
    fn velocity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.axes(py, ["vx", "vy", "vz"])
    }

    /// The columns as an Arrow stream without a copy. Its reader keeps the columns in place.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        self.with(|world| arrow::stream(py, self.sources(world)?))
    }

    /// The columns as one Arrow batch without a copy: its type and its memory. Its reader keeps the columns in place.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        self.with(|world| arrow::batch(py, self.sources(world)?))
    }
}
