//! Pictures of worlds.

use std::path::PathBuf;

use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use throng::Vector;
use throng_draw::{Error, Options, View};
use throng_scenario::Colour;

use crate::points::Point;

/// A picture, which notebooks show.
#[pyclass(module = "throng", frozen)]
#[derive(Debug)]
pub(crate) struct Picture(pub(crate) throng_draw::Picture);

/// An error of drawing as an exception.
pub(crate) fn raised(error: Error) -> PyErr {
    match error {
        Error::Io(error) => error.into(),
        error => PyValueError::new_err(error.to_string()),
    }
}

/// The options of a picture from the arguments of a call.
#[expect(clippy::too_many_arguments, reason = "one for each option")]
pub(crate) fn options(
    width: Option<u32>,
    height: Option<u32>,
    colour: Option<&str>,
    light: bool,
    density: bool,
    centre: Option<Point>,
    zoom: f32,
    azimuth: f32,
    elevation: f32,
) -> PyResult<Options> {
    let colour = colour.map(|name| Colour::named(name).into());
    let centre = centre.map(|Point(components)| match components[..] {
        [x, y] => Ok(Vector([x, y, 0.0])),
        [x, y, z] => Ok(Vector([x, y, z])),
        _ => Err(PyValueError::new_err("centre: must be a point of the world")),
    });
    let view = View { centre: centre.transpose()?, zoom, azimuth, elevation };
    Ok(Options { width, height, colour, light, density, view, ..Options::default() })
}

#[pymethods]
impl Picture {
    /// The width in pixels.
    #[getter]
    fn width(&self) -> usize {
        self.0.width()
    }

    /// The height in pixels.
    #[getter]
    fn height(&self) -> usize {
        self.0.height()
    }

    /// Red, green and blue of each pixel: an array of shape (height, width, 3).
    #[getter]
    fn pixels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        PyArray1::from_slice(py, self.0.pixels()).reshape([self.0.height(), self.0.width(), 3])
    }

    /// Writes a PNG file.
    ///
    /// Parameters
    /// ----------
    /// path : str or path
    ///     The file, whose name ends in `.png`.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the name has another ending.
    /// OSError
    ///     If the file cannot be written.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png")) {
            return Err(PyValueError::new_err(format!("{}: must end in .png", path.to_string_lossy())));
        }
        py.detach(|| self.0.save_png(path)).map_err(raised)
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut bytes = Vec::new();
        py.detach(|| self.0.write_png(&mut bytes)).map_err(raised)?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn __repr__(&self) -> String {
        format!("<throng.Picture of {} x {} pixels>", self.0.width(), self.0.height())
    }
}
