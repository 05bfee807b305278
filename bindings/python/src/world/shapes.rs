//! Shapes of regions and walls, from and to Python.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use throng::{Shape, WallShape};

use crate::points::{Point, vectors};

/// The ball or the box of the arguments of a call.
pub(super) fn shape<const D: usize>(centre: &Point, radius: Option<f32>, size: Option<&Point>) -> PyResult<Shape<D>> {
    let centre = centre.vector()?;
    match (radius, size) {
        (Some(radius), None) => Ok(Shape::Ball { centre, radius }),
        (None, Some(size)) => Ok(Shape::Box { centre, half: size.vector()? * 0.5 }),
        _ => Err(PyTypeError::new_err("a shape has either a radius or a size")),
    }
}

/// The wall of the arguments of a call: a path through points, or a solid.
pub(super) fn wall<const D: usize>(
    points: Option<Vec<Point>>,
    closed: bool,
    centre: Option<&Point>,
    radius: Option<f32>,
    size: Option<&Point>,
    normal: Option<&Point>,
) -> PyResult<WallShape<D>> {
    match (points, centre, normal) {
        (Some(points), None, None) if radius.is_none() && size.is_none() => {
            Ok(WallShape::Path { points: vectors(&points)?, closed })
        }
        (None, Some(point), Some(normal)) if radius.is_none() && size.is_none() => {
            Ok(WallShape::Plane { point: point.vector()?, normal: normal.vector()? })
        }
        (None, Some(centre), None) => Ok(match shape(centre, radius, size)? {
            Shape::Box { centre, half } => WallShape::Box { centre, half },
            Shape::Ball { centre, radius } => WallShape::Ball { centre, radius },
            _ => return Err(PyTypeError::new_err("a wall cannot have this shape")),
        }),
        _ => Err(PyTypeError::new_err("a wall has either points, or a centre with a radius, a size or a normal")),
    }
}

/// Writes a shape into a dictionary.
pub(super) fn describe<const D: usize>(described: &Bound<'_, PyDict>, shape: &Shape<D>) -> PyResult<()> {
    match *shape {
        Shape::Ball { centre, radius } => {
            described.set_item("centre", centre.0.to_vec())?;
            described.set_item("radius", radius)
        }
        Shape::Box { centre, half } => {
            described.set_item("centre", centre.0.to_vec())?;
            described.set_item("size", (half * 2.0).0.to_vec())
        }
        _ => Ok(()),
    }
}

/// Writes the shape of a wall into a dictionary.
pub(super) fn describe_wall<const D: usize>(described: &Bound<'_, PyDict>, shape: &WallShape<D>) -> PyResult<()> {
    match shape {
        WallShape::Path { points, closed } => {
            described.set_item("points", points.iter().map(|point| point.0.to_vec()).collect::<Vec<_>>())?;
            described.set_item("closed", *closed)
        }
        WallShape::Box { centre, half } => describe(described, &Shape::Box { centre: *centre, half: *half }),
        WallShape::Ball { centre, radius } => describe(described, &Shape::Ball { centre: *centre, radius: *radius }),
        WallShape::Plane { point, normal } => {
            described.set_item("centre", point.0.to_vec())?;
            described.set_item("normal", normal.0.to_vec())
        }
        other => described.set_item("shape", format!("{other:?}")),
    }
}
