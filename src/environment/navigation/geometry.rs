//! Distances of points, segments and capsules in the plane, in double precision.

use crate::maths::Vector;

/// A point of the plane, in metres.
pub(crate) type Point = [f64; 2];

/// All points within `radius` of a segment: a wall, or a disc if both ends are equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Capsule {
    pub(crate) ends: [Point; 2],
    pub(crate) radius: f64,
}

impl Capsule {
    pub(super) fn moved(&self, by: Point) -> Self {
        Self { ends: self.ends.map(|end| [end[0] + by[0], end[1] + by[1]]), ..*self }
    }

    /// Whether the segment from `from` to `to` comes nearer to the capsule than `clearance`.
    pub(super) fn obstructs(&self, from: Point, to: Point, clearance: f64) -> bool {
        let reach = self.radius + clearance;
        squared_between([from, to], self.ends) <= reach * reach
    }
}

/// The way from one point to another.
pub(super) fn offset(from: Point, to: Point) -> Vector<2> {
    Vector([(to[0] - from[0]) as f32, (to[1] - from[1]) as f32])
}

pub(super) fn least(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

pub(super) fn greatest(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

pub(super) fn squared_distance(a: Point, b: Point) -> f64 {
    let (x, y) = (b[0] - a[0], b[1] - a[1]);
    x * x + y * y
}

/// The squared distance from a point to a segment.
pub(super) fn squared_to_segment(point: Point, [a, b]: [Point; 2]) -> f64 {
    let along = [b[0] - a[0], b[1] - a[1]];
    let squared = along[0] * along[0] + along[1] * along[1];
    let dot = (point[0] - a[0]) * along[0] + (point[1] - a[1]) * along[1];
    if dot <= 0.0 {
        squared_distance(point, a)
    } else if dot >= squared {
        squared_distance(point, b)
    } else {
        let share = dot / squared;
        squared_distance(point, [a[0] + along[0] * share, a[1] + along[1] * share])
    }
}

/// The squared distance between two segments; zero if they cross.
pub(super) fn squared_between([a, b]: [Point; 2], [c, d]: [Point; 2]) -> f64 {
    let side = |from: Point, to: Point, point: Point| {
        (to[0] - from[0]) * (point[1] - from[1]) - (to[1] - from[1]) * (point[0] - from[0])
    };
    let apart = |left: f64, right: f64| (left < 0.0 && right > 0.0) || (left > 0.0 && right < 0.0);
    if apart(side(a, b, c), side(a, b, d)) && apart(side(c, d, a), side(c, d, b)) {
        return 0.0;
    }
    let from_ends = least(squared_to_segment(a, [c, d]), squared_to_segment(b, [c, d]));
    least(from_ends, least(squared_to_segment(c, [a, b]), squared_to_segment(d, [a, b])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_that_cross_have_no_distance() {
        let across = [[0.0, 0.0], [2.0, 2.0]];
        assert_eq!(squared_between(across, [[0.0, 2.0], [2.0, 0.0]]), 0.0);
        assert_eq!(squared_between(across, [[2.0, 2.0], [3.0, 0.0]]), 0.0);
        assert_eq!(squared_between(across, [[3.0, 2.0], [3.0, 0.0]]), 1.0);
        assert_eq!(squared_between(across, [[4.0, 4.0], [5.0, 5.0]]), 8.0);
    }

    #[test]
    fn a_disc_is_a_capsule_of_length_zero() {
        let disc = Capsule { ends: [[5.0, 5.0]; 2], radius: 1.0 };
        assert!(!disc.obstructs([0.0, 3.0], [10.0, 3.0], 0.9));
        assert!(disc.obstructs([0.0, 3.0], [10.0, 3.0], 1.1));
        assert!(disc.moved([0.0, -1.5]).obstructs([0.0, 3.0], [10.0, 3.0], 0.0));
    }
}
