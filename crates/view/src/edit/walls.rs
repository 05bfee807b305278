//! Walls in edits and in scenario files.

use throng::{Vector, Wall, WallShape};
use throng_formats::trajectory::shortest;

use super::parameters::written_numbers;
use super::points::resized;

/// The point of a shape that is moved to the pointer: its centre, its first corner or its point.
pub(crate) fn reference<const D: usize>(shape: &WallShape<D>) -> Vector<D> {
    match shape {
        WallShape::Path { points, .. } => points.first().copied().unwrap_or(Vector::ZERO),
        WallShape::Box { centre, .. } | WallShape::Ball { centre, .. } => *centre,
        WallShape::Plane { point, .. } => *point,
        _ => Vector::ZERO,
    }
}

/// The keys of a wall in a scenario file that say where it is.
pub(super) fn place<const D: usize>(shape: &WallShape<D>) -> Vec<(&'static str, toml_edit::Value)> {
    match shape {
        WallShape::Path { points, closed } => {
            let points = points.iter().map(|point| written_numbers(&point.0)).collect();
            vec![(if *closed { "polygon" } else { "line" }, points)]
        }
        WallShape::Box { centre, .. } | WallShape::Ball { centre, .. } => vec![("centre", written_numbers(&centre.0))],
        WallShape::Plane { point, .. } => vec![("point", written_numbers(&point.0))],
        _ => Vec::new(),
    }
}

/// All keys of a wall in a scenario file.
pub(super) fn entry<const D: usize>(wall: &Wall<D>) -> Vec<(&'static str, toml_edit::Value)> {
    let mut keys = place(&wall.shape);
    match &wall.shape {
        WallShape::Box { half, .. } => keys.push(("size", written_numbers(&(*half * 2.0).0))),
        WallShape::Ball { radius, .. } => keys.push(("radius", shortest(*radius).into())),
        WallShape::Plane { normal, .. } => keys.push(("normal", written_numbers(&normal.0))),
        _ => {}
    }
    if let Some(name) = &wall.name {
        keys.push(("name", name.into()));
    }
    if wall.velocity != Vector::ZERO {
        keys.push(("velocity", written_numbers(&wall.velocity.0)));
    }
    if !wall.open.is_empty() {
        keys.push(("open", wall.open.iter().map(|interval| written_numbers(interval)).collect()));
    }
    if let Some(solid) = wall.solid {
        keys.push(("solid", solid.into()));
    }
    if wall.carve {
        keys.push(("carve", true.into()));
    }
    keys
}

/// Converts a wall to another number of dimensions: further coordinates are zero.
pub(super) fn converted<const D: usize, const E: usize>(wall: &Wall<D>) -> Wall<E> {
    let vector = |from: &Vector<D>| resized::<D, E>(*from);
    let shape = match &wall.shape {
        WallShape::Path { points, closed } => {
            WallShape::Path { points: points.iter().map(vector).collect(), closed: *closed }
        }
        WallShape::Box { centre, half } => WallShape::Box { centre: vector(centre), half: vector(half) },
        WallShape::Ball { centre, radius } => WallShape::Ball { centre: vector(centre), radius: *radius },
        WallShape::Plane { point, normal } => WallShape::Plane { point: vector(point), normal: vector(normal) },
        _ => WallShape::Ball { centre: Vector::ZERO, radius: 0.0 },
    };
    Wall {
        name: wall.name.clone(),
        shape,
        velocity: vector(&wall.velocity),
        open: wall.open.clone(),
        solid: wall.solid,
        carve: wall.carve,
    }
}
