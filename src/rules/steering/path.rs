//! Path following: the next waypoint, when one is reached, and the return to a path.

use crate::formulas::obstacles;
use crate::maths::Vector;

/// The index of the next waypoint: the first from `at` on that is not `reached`. On a path that is not `closed` it is at
/// most the last one. Returns `None` for an empty path.
///
/// ```
/// use throng::Vector;
/// use throng::steering::{reaches, waypoint};
///
/// let path = [Vector([0.0, 0.0]), Vector([10.0, 0.0])];
/// let (position, way) = (Vector([1.0, 0.0]), Vector([0.0, 0.0]));
/// assert_eq!(waypoint(&path, 0, false, |point| reaches(point - position, way, 2.0, 0.0)), Some(1));
/// ```
pub fn waypoint<const D: usize>(
    points: &[Vector<D>],
    at: usize,
    closed: bool,
    reached: impl Fn(Vector<D>) -> bool,
) -> Option<usize> {
    let last = points.len().checked_sub(1)?;
    let mut at = at.clamp(0, last);
    // At most one round: every waypoint may be reached.
    for _ in 0..points.len() {
        if !reached(points[at]) || (at == last && !closed) {
            break;
        }
        at = if at == last { 0 } else { at + 1 };
    }
    Some(at)
}

/// Returns whether an agent reached a point, which is now at this offset from it, on the straight way that it went in a
/// tick: it came within `threshold` metres of the point, or it passed the point where it cannot turn towards it. It has
/// passed the point when it neared it and then went away from it in the tick. It cannot turn towards the point nearer
/// than the diameter of its `turning_circle`, or nearer than its step.
#[must_use]
pub fn reaches<const D: usize>(
    offset: impl Into<Vector<D>>,
    way: impl Into<Vector<D>>,
    threshold: f32,
    turning_circle: f32,
) -> bool {
    let (offset, way) = (offset.into(), way.into());
    if offset.length() <= threshold {
        return true;
    }
    let (nearest, step) = (nearest_on_way(offset, way).length(), way.length());
    let passed = offset.dot(way) <= 0.0 && (offset + way).dot(way) > 0.0;
    nearest <= threshold || passed && (nearest <= turning_circle || nearest <= step)
}

/// The offset of a point from an agent where the agent was nearest to it on the straight way that it went in a tick,
/// from the offset now.
#[must_use]
pub(crate) fn nearest_on_way<const D: usize>(offset: Vector<D>, way: Vector<D>) -> Vector<D> {
    offset + way * share_since(offset, way)
}

/// The share of a straight way that an agent has gone since it was nearest to a point, which is now at this offset.
#[must_use]
pub(crate) fn share_since<const D: usize>(offset: Vector<D>, way: Vector<D>) -> f32 {
    let squared = way.length_squared();
    if squared > 0.0 { (-offset.dot(way) / squared).clamp(0.0, 1.0) } else { 0.0 }
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
    Vector(obstacles::nearest_on_segment(start.into().0, end.into().0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: [Vector<2>; 3] = [Vector([0.0, 0.0]), Vector([10.0, 0.0]), Vector([10.0, 10.0])];

    fn next(at: usize, position: [f32; 2], closed: bool) -> Option<usize> {
        waypoint(&PATH, at, closed, |point| reaches(point - Vector(position), Vector::ZERO, 1.0, 0.0))
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
    fn a_point_is_reached_on_the_way_and_where_it_cannot_be_turned_to() {
        let reaches = |at: [f32; 2], way: [f32; 2], circle| reaches(at, way, 1.0, circle);
        // Over the point by ten metres, beside it, and short of it.
        assert!(reaches([-5.0, 0.9], [10.0, 0.0], 0.0) && reaches([-5.0, 4.0], [10.0, 0.0], 0.0));
        assert!(!reaches([-5.0, 11.0], [10.0, 0.0], 0.0) && !reaches([1.1, 0.0], [10.0, 0.0], 0.0));
        // On a circle around the point the agent nears it and goes away from it in every tick.
        assert!(reaches([-0.1, 6.0], [0.2, 0.0], 12.0) && !reaches([-0.1, 6.0], [0.2, 0.0], 5.0));
        // One that only goes away from it has not passed it.
        assert!(!reaches([-4.0, 0.0], [2.0, 0.0], 12.0) && !reaches([2.0, 0.0], [0.0, 0.0], 12.0));
    }

    #[test]
    fn degenerate_paths() {
        assert_eq!(waypoint::<2>(&[], 0, true, |_| true), None);
        // Coincident waypoints: the search ends.
        assert_eq!(waypoint(&[Vector([0.0, 0.0]); 4], 1, true, |_| true), Some(1));
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
