//! Where on a path is an agent, and where does it go next?

use crate::vector::Vector;

/// The waypoint to go to: the one at `at`, or the first after it that is not within `threshold`. On a path that is not
/// `closed` the last one stays; `None` if there is none at all.
///
/// `offset` gives the offset from the agent to a point: `|point| point - position` where the world is not periodic.
///
/// ```
/// use throng::Vector;
/// use throng::steering::waypoint;
///
/// let path = [Vector([0.0, 0.0]), Vector([10.0, 0.0])];
/// let position = Vector([1.0, 0.0]);
/// assert_eq!(waypoint(&path, 0, 2.0, false, |point| point - position), Some(1));
/// ```
pub fn waypoint<const D: usize>(
    points: &[Vector<D>],
    at: usize,
    threshold: f32,
    closed: bool,
    offset: impl Fn(Vector<D>) -> Vector<D>,
) -> Option<usize> {
    let last = points.len().checked_sub(1)?;
    let mut at = at.clamp(0, last);
    // Once round at most: all of them may be near.
    for _ in 0..points.len() {
        if offset(points[at]).length() > threshold || (at == last && !closed) {
            break;
        }
        at = if at == last { 0 } else { at + 1 };
    }
    Some(at)
}

/// The segments of a path, start and end: of a single point, one without length.
pub fn segments<const D: usize>(
    points: &[Vector<D>],
    closed: bool,
) -> impl Iterator<Item = (Vector<D>, Vector<D>)> + '_ {
    let open = points.windows(2).map(|pair| (pair[0], pair[1]));
    let closing = match points {
        [point] => Some((*point, *point)),
        [first, .., last] if closed => Some((*last, *first)),
        _ => None,
    };
    open.chain(closing)
}

/// The offset to the nearest point of a segment, given the offsets to its two ends.
#[must_use]
pub fn nearest_on_segment<const D: usize>(start: impl Into<Vector<D>>, end: impl Into<Vector<D>>) -> Vector<D> {
    let (start, end) = (start.into(), end.into());
    let along = end - start;
    let part = -start.dot(along) / along.length_squared();
    // No number where the segment has no length: its start then.
    if part >= 1.0 {
        end
    } else if part > 0.0 {
        start + along * part
    } else {
        start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: [Vector<2>; 3] = [Vector([0.0, 0.0]), Vector([10.0, 0.0]), Vector([10.0, 10.0])];

    fn next(at: usize, position: [f32; 2], closed: bool) -> Option<usize> {
        waypoint(&PATH, at, 1.0, closed, |point| point - Vector(position))
    }

    #[test]
    fn waypoints_follow_each_other() {
        assert_eq!(next(0, [5.0, 0.0], false), Some(0));
        assert_eq!(next(0, [1.0, 0.0], false), Some(1));
        assert_eq!(next(2, [10.0, 10.0], false), Some(2));
        assert_eq!(next(2, [10.0, 10.0], true), Some(0));
        assert_eq!(next(7, [5.0, 5.0], false), Some(2));
    }

    #[test]
    fn paths_of_nothing() {
        assert_eq!(waypoint::<2>(&[], 0, 1.0, true, |point| point), None);
        // All waypoints on one point: one of them, and no end of looking for it.
        assert_eq!(waypoint(&[Vector([0.0, 0.0]); 4], 1, 1.0, true, |point| point), Some(1));
        assert_eq!(segments::<2>(&[], true).count(), 0);
        assert_eq!(segments(&PATH[..1], true).count(), 1);
        assert_eq!(segments(&PATH, false).count(), 2);
        assert_eq!(segments(&PATH, true).count(), 3);
    }

    #[test]
    fn the_nearest_point_of_a_segment() {
        assert_eq!(nearest_on_segment([-3.0, 4.0], [5.0, 4.0]), Vector([0.0, 4.0]));
        assert_eq!(nearest_on_segment([2.0, 4.0], [5.0, 4.0]), Vector([2.0, 4.0]));
        assert_eq!(nearest_on_segment([-5.0, 4.0], [-2.0, 4.0]), Vector([-2.0, 4.0]));
        assert_eq!(nearest_on_segment([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]), Vector([1.0, 2.0, 3.0]));
    }
}
