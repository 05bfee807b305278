//! Voronoi cells of agents, bounded by the world and by a reach.

use crate::measures::sample::Sample;

/// A point in double precision, in metres.
pub(super) type Point = [f64; 2];

/// The cosine of 30 degrees.
const COSINE: f64 = 0.866_025_403_784_438_6;

/// The directions to the corners of a dodecagon.
const DODECAGON: [Point; 12] = [
    [1.0, 0.0],
    [COSINE, 0.5],
    [0.5, COSINE],
    [0.0, 1.0],
    [-0.5, COSINE],
    [-COSINE, 0.5],
    [-1.0, 0.0],
    [-COSINE, -0.5],
    [-0.5, -COSINE],
    [0.0, -1.0],
    [0.5, -COSINE],
    [COSINE, -0.5],
];

/// The cell of an agent as a polygon around it, relative to its position: the points nearer to it than to any other
/// agent, inside the world, and in a dodecagon of radius `reach`. Coincident agents do not divide their cell.
pub(super) fn cell(sample: &Sample<2>, agent: usize, reach: f32) -> Vec<Point> {
    let radius = f64::from(reach);
    let mut cell: Vec<Point> = DODECAGON.iter().map(|corner| corner.map(|at| at * radius)).collect();
    let (at, size) = (sample.position(agent), sample.settings().size);
    for axis in (0..2).filter(|&axis| sample.is_bounded(axis)) {
        let mut normal = [0.0, 0.0];
        normal[axis] = 1.0;
        cell = clip(cell, normal, f64::from(size[axis]) - f64::from(at[axis]));
        normal[axis] = -1.0;
        cell = clip(cell, normal, f64::from(at[axis]));
    }
    let mut others = Vec::new();
    sample.within(agent, 2.0 * reach, |other, squared| others.push((squared.to_bits(), other)));
    others.sort_unstable();
    for (bits, other) in others {
        let squared = f64::from(f32::from_bits(bits));
        // An agent farther than twice the farthest corner cuts nothing, and neither do those after it.
        let farthest = cell.iter().map(|[x, y]| x * x + y * y).fold(0.0, |far, at| if at > far { at } else { far });
        if squared > 4.0 * farthest * (1.0 + 1e-6) {
            break;
        }
        let offset = sample.offset(agent, other);
        let offset = [f64::from(offset[0]), f64::from(offset[1])];
        let square = offset[0] * offset[0] + offset[1] * offset[1];
        if square > 0.0 {
            cell = clip(cell, offset, 0.5 * square);
        }
    }
    cell
}

/// The part of a convex polygon inside another, whose corners run anticlockwise.
pub(super) fn intersection(mut polygon: Vec<Point>, with: &[Point]) -> Vec<Point> {
    for (number, from) in with.iter().enumerate() {
        let to = with[(number + 1) % with.len()];
        let normal = [to[1] - from[1], from[0] - to[0]];
        polygon = clip(polygon, normal, normal[0] * from[0] + normal[1] * from[1]);
    }
    polygon
}

/// The part of a convex polygon in which the product with a normal is at most `most` (Sutherland and Hodgman 1974).
fn clip(polygon: Vec<Point>, normal: Point, most: f64) -> Vec<Point> {
    let beyond = |[x, y]: Point| x * normal[0] + y * normal[1] - most;
    if polygon.iter().all(|&corner| beyond(corner) <= 0.0) {
        return polygon;
    }
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (number, &from) in polygon.iter().enumerate() {
        let to = polygon[(number + 1) % polygon.len()];
        let (a, b) = (beyond(from), beyond(to));
        if a <= 0.0 {
            kept.push(from);
        }
        if (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0) {
            let share = a / (a - b);
            kept.push([from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]);
        }
    }
    kept
}

/// The area of a polygon whose corners run anticlockwise, in m².
pub(super) fn area(polygon: &[Point]) -> f64 {
    let Some(first) = polygon.first() else { return 0.0 };
    let from_first = |at: Point| [at[0] - first[0], at[1] - first[1]];
    let triangles = polygon.windows(2).map(|ends| {
        let (a, b) = (from_first(ends[0]), from_first(ends[1]));
        a[0] * b[1] - a[1] * b[0]
    });
    0.5 * triangles.sum::<f64>()
}
