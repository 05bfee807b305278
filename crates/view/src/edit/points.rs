//! Points and lengths of edits, with their ranges, and the texts of errors.

use throng::{LIMIT, Vector};

/// Converts a point of `D` coordinates.
pub(super) fn vector<const D: usize>(point: &[f64]) -> Result<Vector<D>, String> {
    if point.len() != D || !point.iter().all(|at| at.abs() <= f64::from(LIMIT)) {
        return Err(format!("a point must have {D} coordinates, each from -1e6 to 1e6"));
    }
    Ok(Vector::from_fn(|axis| point[axis] as f32))
}

/// Converts a vector to another number of dimensions: further coordinates are zero.
pub(super) fn resized<const D: usize, const E: usize>(from: Vector<D>) -> Vector<E> {
    Vector::from_fn(|axis| if axis < D { from[axis] } else { 0.0 })
}

pub(super) fn length(radius: f64) -> Result<f32, String> {
    if (0.0..=f64::from(LIMIT)).contains(&radius) {
        Ok(radius as f32)
    } else {
        Err("a radius must be a number from 0 to 1e6".to_owned())
    }
}

pub(super) fn text(error: throng::Error) -> String {
    error.to_string()
}
