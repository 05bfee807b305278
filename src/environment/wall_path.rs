//! The check of a wall's path: it has segments, none of them of length zero, and does not cross itself.

use robust::{Coord, orient2d};

use crate::maths::Vector;

/// The fault of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathFault {
    /// A path is a wall of two dimensions.
    Dimensions,
    /// It has fewer points than this.
    Few(usize),
    /// The point of this number is equal to the next one, the first one being next to the last one of a polygon.
    Equal(usize),
    /// The segments of these numbers cross or overlap. Segment 0 leads from point 0 to point 1.
    Crosses(usize, usize),
}

impl std::fmt::Display for PathFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Dimensions => write!(f, "lines and polygons are walls of two dimensions"),
            Self::Few(least) => write!(f, "must have at least {least} points"),
            Self::Equal(number) => write!(f, "point {number} is equal to the next one, counted from 0"),
            Self::Crosses(one, other) => write!(f, "segment {one} crosses segment {other}, counted from 0"),
        }
    }
}

type Point = [f64; 2];

impl PathFault {
    /// The fault of the path of a wall, if it has one. A closed one leads from its last point back to the first.
    ///
    /// ```
    /// use throng::{PathFault, Vector};
    ///
    /// let bow = [[0.0, 0.0], [4.0, 3.0], [4.0, 0.0], [0.0, 3.0]].map(Vector);
    /// assert_eq!(PathFault::of(&bow, true), Some(PathFault::Crosses(0, 2)));
    /// assert_eq!(PathFault::of(&bow[..3], true), None);
    /// ```
    #[must_use]
    pub fn of<const D: usize>(points: &[Vector<D>], closed: bool) -> Option<Self> {
        if D != 2 {
            return Some(Self::Dimensions);
        }
        let least = if closed { 3 } else { 2 };
        if points.len() < least {
            return Some(Self::Few(least));
        }
        let points: Vec<Point> = points.iter().map(|point| [f64::from(point[0]), f64::from(point[1])]).collect();
        let count = points.len() - usize::from(!closed);
        let segment = |number: usize| [points[number], points[(number + 1) % points.len()]];
        if let Some(number) = (0..count).find(|&number| segment(number)[0] == segment(number)[1]) {
            return Some(Self::Equal(number));
        }
        // Segments whose ranges on the first axis overlap are compared.
        let range = |number: usize| {
            let [[a, _], [b, _]] = segment(number);
            if a < b { (a, b) } else { (b, a) }
        };
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|&a, &b| range(a).0.total_cmp(&range(b).0).then(a.cmp(&b)));
        let mut first: Option<(usize, usize)> = None;
        for (place, &one) in order.iter().enumerate() {
            let near = order[place + 1..].iter().take_while(|&&other| range(other).0 <= range(one).1);
            for &other in near.filter(|&&other| crosses(segment(one), segment(other))) {
                let pair = if one < other { (one, other) } else { (other, one) };
                first = if first.is_none_or(|first| pair < first) { Some(pair) } else { first };
            }
        }
        first.map(|(one, other)| Self::Crosses(one, other))
    }
}

/// Returns whether two segments cross, or share more than one point. Segments may touch.
fn crosses([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    let side = |p: Point, q: Point, r: Point| {
        let coord = |[x, y]: Point| Coord { x, y };
        orient2d(coord(p), coord(q), coord(r))
    };
    let (of_c, of_d, of_a, of_b) = (side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b));
    if of_c == 0.0 && of_d == 0.0 {
        // On one line: they overlap if their ranges share more than a point on the axis of the larger extent.
        let axis = usize::from((b[1] - a[1]).abs() > (b[0] - a[0]).abs());
        let sorted = |p: f64, q: f64| if p < q { (p, q) } else { (q, p) };
        let ((low, high), (start, end)) = (sorted(a[axis], b[axis]), sorted(c[axis], d[axis]));
        return low < end && start < high;
    }
    of_c * of_d < 0.0 && of_a * of_b < 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(points: &[[f32; 2]], closed: bool) -> Option<PathFault> {
        let points: Vec<Vector<2>> = points.iter().copied().map(Vector).collect();
        PathFault::of(&points, closed)
    }

    #[test]
    fn a_path_has_segments_that_neither_cross_nor_overlap() {
        assert_eq!(check(&[[0.0, 0.0]], false), Some(PathFault::Few(2)));
        assert_eq!(check(&[[0.0, 0.0], [1.0, 0.0]], true), Some(PathFault::Few(3)));
        assert_eq!(check(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.0]], false), Some(PathFault::Equal(1)));
        assert_eq!(check(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]], true), Some(PathFault::Equal(3)));
        let bow = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]];
        assert_eq!(check(&bow, false), Some(PathFault::Crosses(0, 2)));
        // Back along itself.
        assert_eq!(check(&[[0.0, 0.0], [2.0, 0.0], [1.0, 0.0]], false), Some(PathFault::Crosses(0, 1)));
        assert_eq!(check(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.5, 0.0]], false), None);
        assert_eq!(check(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0]], true), None);
        assert_eq!(PathFault::of(&[Vector([0.0; 3]), Vector([1.0; 3])], false), Some(PathFault::Dimensions));
    }
}
