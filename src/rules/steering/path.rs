//! Path following: the next waypoint, and the return to a path.

use crate::maths::Vector;

/// The index of the next waypoint: the first from `at` on that is not within `threshold`. On a path that is not
/// `closed` it is at most the last one. Returns `None` for an empty path.
///
/// `offset` returns the offset from the agent to a point: `|point| point - position` in a world that is not periodic.
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
    // At most one round: every waypoint may be within the threshold.
    for _ in 0..points.len() {
        if offset(points[at]).length() > threshold || (at == last && !closed) {
            break;
        }
        at = if at == last { 0 } else { at + 1 };
    }
    Some(at)
}

/// The segments of a path as start and end; a single point gives one segment of length zero.
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

/// Full speed back to the path if the agent will be farther than `radius` metres from it in `horizon` seconds at its
/// present `velocity` (Reynolds 1999). The target is the point of the path nearest to the predicted position. Returns
/// `None` otherwise, without a path, and on the target.
///
/// `back` takes a point as an offset from the agent, and returns the offset from there to the nearest point of the
/// path; `None` without a path.
///
/// ```
/// use throng::Vector;
/// use throng::steering::{nearest_on_segment, segments, shortest, stay_on_path};
///
/// let path = [Vector([0.0, 0.0]), Vector([40.0, 0.0]), Vector([40.0, 40.0])];
/// let position = Vector([10.0, 3.0]);
/// let back = |ahead| {
///     let from = position + ahead;
///     shortest(segments(&path, false).map(|(start, end)| nearest_on_segment(start - from, end - from)))
/// };
/// // In a second the agent is at (14, 7), nearest to (14, 0).
/// assert_eq!(stay_on_path(Vector([4.0, 4.0]), 10.0, 5.0, 1.0, back), Some(Vector([8.0, -6.0])));
/// ```
#[must_use]
pub fn stay_on_path<const D: usize>(
    velocity: impl Into<Vector<D>>,
    max_speed: f32,
    radius: f32,
    horizon: f32,
    back: impl FnOnce(Vector<D>) -> Option<Vector<D>>,
) -> Option<Vector<D>> {
    let ahead = velocity.into() * horizon;
    let back = back(ahead)?;
    if back.length() > radius { super::seek(ahead + back, max_speed) } else { None }
}

/// The shortest of several offsets, the first of equally short ones; `None` if the iterator is empty.
#[must_use]
pub fn shortest<const D: usize>(offsets: impl IntoIterator<Item = Vector<D>>) -> Option<Vector<D>> {
    offsets.into_iter().min_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))
}

/// The offset to the nearest point of a segment, given the offsets to its two ends.
#[must_use]
pub fn nearest_on_segment<const D: usize>(start: impl Into<Vector<D>>, end: impl Into<Vector<D>>) -> Vector<D> {
    let (start, end) = (start.into(), end.into());
    let along = end - start;
    let part = -start.dot(along) / along.length_squared();
    // NaN for a segment of length zero: its start is returned.
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
    fn degenerate_paths() {
        assert_eq!(waypoint::<2>(&[], 0, 1.0, true, |point| point), None);
        // Coincident waypoints: the search ends.
        assert_eq!(waypoint(&[Vector([0.0, 0.0]); 4], 1, 1.0, true, |point| point), Some(1));
        assert_eq!(segments::<2>(&[], true).count(), 0);
        assert_eq!(segments(&PATH[..1], true).count(), 1);
        assert_eq!(segments(&PATH, false).count(), 2);
        assert_eq!(segments(&PATH, true).count(), 3);
    }

    #[test]
    fn inside_the_tube_nothing_is_desired() {
        let wall = |ahead: Vector<3>| Some(Vector([0.0, 8.0 - ahead[1], 0.0]));
        let stay = |speed: f32| stay_on_path(Vector([1.0, speed, 0.0]), 10.0, 5.0, 2.0, wall);
        assert_eq!(stay(1.5), None);
        assert_eq!(stay(1.0), Some(Vector([2.0, 8.0, 0.0]).direction() * 10.0));
        assert_eq!(stay_on_path(Vector([1.0, 1.0]), 10.0, 0.0, 1.0, |_| None), None);
        assert_eq!(stay_on_path(Vector([1.0, 1.0]), 10.0, 0.0, 1.0, |ahead| Some(-ahead)), None);
    }

    #[test]
    fn the_first_of_equally_short_offsets_is_returned() {
        assert_eq!(shortest([[3.0, 0.0], [0.0, -2.0], [2.0, 0.0]].map(Vector)), Some(Vector([0.0, -2.0])));
        assert_eq!(shortest::<3>([]), None);
    }

    #[test]
    fn nearest_on_segment_returns_the_nearest_point() {
        assert_eq!(nearest_on_segment([-3.0, 4.0], [5.0, 4.0]), Vector([0.0, 4.0]));
        assert_eq!(nearest_on_segment([2.0, 4.0], [5.0, 4.0]), Vector([2.0, 4.0]));
        assert_eq!(nearest_on_segment([-5.0, 4.0], [-2.0, 4.0]), Vector([-2.0, 4.0]));
        assert_eq!(nearest_on_segment([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]), Vector([1.0, 2.0, 3.0]));
    }
}
