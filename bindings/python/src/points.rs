//! Points and arrays of points from and to Python.

use numpy::ndarray::ArrayView2;
use numpy::{AllowTypeChange, PyArray1, PyArray2, PyArrayLike2, PyArrayMethods};
use pyo3::Borrowed;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use throng::Vector;

/// The components of one point or vector: a sequence of numbers, one per dimension of the world.
#[derive(Clone, Debug)]
pub(crate) struct Point(pub(crate) Vec<f32>);

impl<'a, 'py> FromPyObject<'a, 'py> for Point {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let wrong = || {
            let shown = given.repr().map_or_else(|_| given.get_type().to_string(), |text| text.to_string());
            PyTypeError::new_err(format!("{shown}: must be one number per dimension, such as (200.0, 100.0)"))
        };
        given.extract::<Vec<f32>>().map(Self).map_err(|_| wrong())
    }
}

impl Point {
    /// The vector in a world of `D` dimensions.
    pub(crate) fn vector<const D: usize>(&self) -> PyResult<Vector<D>> {
        let components = <[f32; D]>::try_from(&self.0[..]).map_err(|_| wrong_dimensions(self.0.len(), D))?;
        Ok(Vector(components))
    }
}

/// Several points in the dimensions of a world.
pub(crate) fn vectors<const D: usize>(points: &[Point]) -> PyResult<Vec<Vector<D>>> {
    points.iter().map(Point::vector).collect()
}

fn wrong_dimensions(given: usize, dimensions: usize) -> PyErr {
    PyValueError::new_err(format!("{given} numbers per point in a world of {dimensions} dimensions"))
}

/// The points in anything that NumPy converts to an array of shape `(n, dimensions)`.
pub(crate) fn points<const D: usize>(given: &Bound<'_, PyAny>) -> PyResult<Vec<[f32; D]>> {
    let refuse = |error: PyErr| {
        let message = format!("not an array of numbers of shape (n, {D}): {}", error.value(given.py()));
        if error.is_instance_of::<PyTypeError>(given.py()) {
            PyTypeError::new_err(message)
        } else {
            PyValueError::new_err(message)
        }
    };
    let array: PyArrayLike2<'_, f32, AllowTypeChange> = given.extract().map_err(refuse)?;
    rows(&array.as_array())
}

/// The rows of an array as points.
pub(crate) fn rows<const D: usize>(array: &ArrayView2<'_, f32>) -> PyResult<Vec<[f32; D]>> {
    if array.shape()[1] != D {
        return Err(wrong_dimensions(array.shape()[1], D));
    }
    Ok(array.rows().into_iter().map(|row| std::array::from_fn(|axis| row[axis])).collect())
}

/// An array of shape `(n, dimensions)` from one slice per axis.
pub(crate) fn array<'py>(py: Python<'py>, axes: &[&[f32]]) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let (agents, dimensions) = (axes.first().map_or(0, |axis| axis.len()), axes.len());
    let mut numbers = vec![0.0; agents * dimensions];
    for (axis, values) in axes.iter().enumerate() {
        for (to, &from) in numbers.iter_mut().skip(axis).step_by(dimensions).zip(*values) {
            *to = from;
        }
    }
    PyArray1::from_vec(py, numbers).reshape([agents, dimensions])
}
