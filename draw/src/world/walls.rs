//! The walls of a world as shapes. Doors are drawn while they are closed.

use throng::{Vector, WallShape, World};

use super::environment::images;
use super::in_space;
use crate::bounds::edges;
use crate::drawable::EnvironmentShape;

/// Returns the present walls of a world.
pub(super) fn shapes<const D: usize>(world: &World<D>) -> Vec<EnvironmentShape> {
    let mut shapes = Vec::new();
    let mut stroke = |from: Vector<D>, to: Vector<D>| {
        let (middle, reach) = ((from + to) * 0.5, (to - from) * 0.5);
        for centre in images(world, middle, Vector::from_fn(|axis| reach[axis].abs())) {
            shapes.push(EnvironmentShape::Wall { from: in_space(centre - reach), to: in_space(centre + reach) });
        }
    };
    let mut balls = Vec::new();
    for (_, shape) in world.standing_walls() {
        shape.edges().into_iter().for_each(|[from, to]| stroke(from, to));
        match shape {
            WallShape::Ball { centre, radius } => balls.push((centre, radius)),
            WallShape::Plane { point, normal } => cut(world, point, normal).for_each(|(from, to)| stroke(from, to)),
            _ => {}
        }
    }
    for (centre, radius) in balls {
        let centres = images(world, centre, Vector::splat(radius)).into_iter().map(in_space);
        shapes.extend(centres.map(|centre| EnvironmentShape::Obstacle { centre, radius }));
    }
    shapes
}

/// The lines in which a plane cuts the faces of the world's box; in two dimensions, the part of a line inside it.
fn cut<const D: usize>(
    world: &World<D>,
    point: Vector<D>,
    normal: Vector<D>,
) -> impl Iterator<Item = (Vector<D>, Vector<D>)> {
    let size = world.settings().size;
    let mut corners: Vec<Vector<D>> = Vec::new();
    for (from, to) in edges(Vector::ZERO, size) {
        let (before, after) = ((from - point).dot(normal), (to - point).dot(normal));
        if before * after <= 0.0 && before != after {
            corners.push(from.lerp(to, before / (before - after)));
        }
    }
    let on_one_face = move |a: &Vector<D>, b: &Vector<D>| {
        D == 2 || (0..D).any(|axis| a[axis] == b[axis] && (a[axis] == 0.0 || a[axis] == size[axis]))
    };
    let mut lines = Vec::new();
    for (place, a) in corners.iter().enumerate() {
        lines.extend(corners[place + 1..].iter().filter(|b| on_one_face(a, b)).map(|b| (*a, *b)));
    }
    lines.into_iter()
}
