//! Faults of the paths of walls.

use throng::parameters::{Value, rounded};
use throng::{PathFault, Vector};

/// The first fault of the path of a wall.
pub(crate) fn fault(path: &Value, closed: bool, dimensions: usize) -> Option<PathFault> {
    let Value::Points(points) = path else { return None };
    match dimensions {
        3 => PathFault::of(&vectors::<3>(points), closed),
        _ => PathFault::of(&vectors::<2>(points), closed),
    }
}

fn vectors<const D: usize>(points: &[Vec<f64>]) -> Vec<Vector<D>> {
    points.iter().map(|point| Vector::from_fn(|axis| rounded(point[axis]))).collect()
}
