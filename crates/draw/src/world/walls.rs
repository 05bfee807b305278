//! The walls of a world as shapes, and the openings between them: doors that stand open, and gaps between the ends of
//! walls.

use throng::{Vector, WallShape, World};

use super::images::{images, in_space};
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
    shapes.extend(
        doors(world).into_iter().map(|[from, to]| EnvironmentShape::Door { from: in_space(from), to: in_space(to) }),
    );
    for (centre, radius) in balls {
        let centres = images(world, centre, Vector::splat(radius)).into_iter().map(in_space);
        shapes.extend(centres.map(|centre| EnvironmentShape::Obstacle { centre, radius }));
    }
    shapes
}

/// The widest gap between the ends of walls that is a door, in metres.
const WIDEST: f32 = 6.0;

/// The openings in the walls of a world in two dimensions.
fn doors<const D: usize>(world: &World<D>) -> Vec<[Vector<D>; 2]> {
    if D != 2 {
        return Vec::new();
    }
    let seconds = world.seconds();
    let (mut doors, mut edges, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    for wall in world.environment().walls.items() {
        edges.extend(wall.shape.edges());
        if wall.is_open(seconds) {
            doors.extend(wall.shape.edges());
        }
        if let WallShape::Path { points, closed: false } = &wall.shape {
            ends.extend(points.first().into_iter().chain(points.last()).copied());
        }
    }
    // An end that another wall or the edge of the world touches leaves no gap.
    let size = world.settings().size;
    let touches = |end: Vector<D>, [from, to]: [Vector<D>; 2]| {
        let (along, offset) = (to - from, end - from);
        let squared = along.length_squared();
        let share = if squared > 0.0 { (offset.dot(along) / squared).clamp(0.0, 1.0) } else { 0.0 };
        (offset - along * share).length_squared() < NEAR * NEAR
    };
    let is_free = |&end: &Vector<D>| {
        let inside = (0..D).all(|axis| end[axis] > NEAR && end[axis] < size[axis] - NEAR);
        // Its own wall touches it once.
        inside && edges.iter().filter(|&&edge| touches(end, edge)).count() == 1
    };
    let ends: Vec<Vector<D>> = ends.into_iter().filter(is_free).collect();
    for (number, &end) in ends.iter().enumerate() {
        let others = ends.iter().enumerate().filter(|(other, _)| *other != number);
        let nearest = others.map(|(other, &to)| ((to - end).length(), other)).min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((length, other)) = nearest
            && length <= WIDEST
        {
            doors.push([end, ends[other]]);
        }
    }
    doors
}

/// The distance in metres within which an end touches a wall.
const NEAR: f32 = 0.01;

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
