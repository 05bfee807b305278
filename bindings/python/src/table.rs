//! A table of columns of its own, for dataframe libraries.

use numpy::PyArray1;
use numpy::PyArrayMethods;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyIterator, PyList};

use crate::arrow::{self, Numbers, Source};
use crate::errors::not_found;

/// Named columns of equal length. polars, pyarrow, duckdb and others read it as it is.
#[pyclass(module = "throng", frozen)]
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// Name, numbers per row and numbers of each column.
    pub(crate) columns: Vec<(String, usize, Numbers)>,
}

impl Numbers {
    fn array<'py>(&self, py: Python<'py>, width: usize) -> PyResult<Bound<'py, PyAny>> {
        fn shaped<'py, T: numpy::Element>(
            array: Bound<'py, PyArray1<T>>,
            rows: usize,
            width: usize,
        ) -> PyResult<Bound<'py, PyAny>> {
            if width == 1 { Ok(array.into_any()) } else { Ok(array.reshape([rows / width, width])?.into_any()) }
        }
        match self {
            Self::F64(numbers) => shaped(PyArray1::from_slice(py, numbers), numbers.len(), width),
            Self::F32(numbers) => shaped(PyArray1::from_slice(py, numbers), numbers.len(), width),
            Self::U32(numbers) => shaped(PyArray1::from_slice(py, numbers), numbers.len(), width),
            Self::U64(numbers) => shaped(PyArray1::from_slice(py, numbers), numbers.len(), width),
        }
    }

    /// The numbers of these rows, in their order.
    pub(crate) fn picked(&self, width: usize, rows: &[usize]) -> Self {
        fn of<T: Copy>(numbers: &[T], width: usize, rows: &[usize]) -> Vec<T> {
            rows.iter().flat_map(|&row| &numbers[row * width..][..width]).copied().collect()
        }
        match self {
            Self::F64(numbers) => Self::F64(of(numbers, width, rows)),
            Self::F32(numbers) => Self::F32(of(numbers, width, rows)),
            Self::U32(numbers) => Self::U32(of(numbers, width, rows)),
            Self::U64(numbers) => Self::U64(of(numbers, width, rows)),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::F64(numbers) => numbers.len(),
            Self::F32(numbers) => numbers.len(),
            Self::U32(numbers) => numbers.len(),
            Self::U64(numbers) => numbers.len(),
        }
    }
}

#[pymethods]
impl Table {
    /// The names of the columns.
    ///
    /// Returns
    /// -------
    /// list of str
    ///     In the order of the columns.
    fn keys(&self) -> Vec<&str> {
        self.columns.iter().map(|(name, ..)| &name[..]).collect()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let found = self.columns.iter().find(|(known, ..)| known == name);
        let (_, width, numbers) = found.ok_or_else(|| not_found("column", name, self.keys()))?;
        numbers.array(py, *width)
    }

    fn __contains__(&self, name: &str) -> bool {
        self.columns.iter().any(|(known, ..)| known == name)
    }

    /// The rows as dictionaries: pandas makes a frame of them.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let columns = self
            .columns
            .iter()
            .map(|(name, width, numbers)| PyResult::Ok((name, numbers.array(py, *width)?.call_method0("tolist")?)));
        let columns = columns.collect::<PyResult<Vec<_>>>()?;
        let rows = PyList::empty(py);
        for row in 0..self.__len__() {
            let own = PyDict::new(py);
            columns.iter().try_for_each(|(name, values)| own.set_item(name, values.get_item(row)?))?;
            rows.append(own)?;
        }
        rows.try_iter()
    }

    /// The number of rows.
    fn __len__(&self) -> usize {
        self.columns.first().map_or(0, |(_, width, numbers)| numbers.len() / width)
    }

    fn __repr__(&self) -> String {
        format!("<throng.Table of {} rows: {}>", self.__len__(), self.keys().join(", "))
    }

    /// The columns as NumPy arrays, for example for pandas.
    ///
    /// Returns
    /// -------
    /// dict of str to array
    ///     A copy of each column by its name.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dictionary = PyDict::new(py);
        for (name, width, numbers) in &self.columns {
            dictionary.set_item(name, numbers.array(py, *width)?)?;
        }
        Ok(dictionary)
    }

    /// The table as an Arrow stream.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        arrow::stream(py, self.sources())
    }

    /// The table as one Arrow batch: its type and its memory.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        arrow::batch(py, self.sources())
    }
}

impl Table {
    fn sources(&self) -> Vec<Source> {
        let columns = self.columns.iter();
        columns.map(|(name, width, numbers)| Source::owned(name, *width, numbers.clone())).collect()
    }
}
