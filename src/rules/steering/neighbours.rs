//! Collision avoidance between agents, and queuing.

use crate::formulas::bodies::Meeting;
use crate::formulas::targets;
use crate::maths::Vector;
use crate::rules::steering::Body;

/// Steers an agent with this `radius`, in metres, clear of the neighbour that comes too close first (Reynolds 1999).
///
/// A neighbour is too close when the gap between the bodies is below `avoid_buffer` metres within `horizon` seconds, if
/// both keep their velocities. With `urgency = 1 - time / horizon`, the desired velocity is `velocity` plus
/// `urgency * max_speed` in the direction from the neighbour's position at that time to the agent's own. If their
/// centres would meet, both turn to their right. From overlapping bodies the agent parts at full speed, away from the
/// one that it overlaps most. Returns `None` if no neighbour comes too close.
///
/// `apart` returns the direction away from a coincident neighbour, which it receives as an index into the iterator. The
/// two agents of a pair should get opposite directions.
///
/// ```
/// use throng::Vector;
/// use throng::steering::{Body, avoid_neighbours};
///
/// // In one second they pass at a distance of half a metre.
/// let other = Body::new(Vector([15.0, 0.5]), Vector([-5.0, 0.0]), 0.5);
/// let desired = avoid_neighbours([other], Vector([10.0, 0.0]), 0.5, 10.0, 4.0, 0.0, |_| [0.0, 1.0].into());
/// assert_eq!(desired, Some(Vector([10.0, -10.0 * (1.0 - 1.0 / 4.0)])));
/// ```
#[must_use]
pub fn avoid_neighbours<const D: usize>(
    neighbours: impl IntoIterator<Item = Body<D>>,
    velocity: impl Into<Vector<D>>,
    radius: f32,
    max_speed: f32,
    horizon: f32,
    avoid_buffer: f32,
    apart: impl FnOnce(usize) -> Vector<D>,
) -> Option<Vector<D>> {
    let velocity = velocity.into();
    let mut first: Option<(f32, usize, Body<D>)> = None;
    for (place, neighbour) in neighbours.into_iter().enumerate() {
        let Some(time) = time_of_threat(&neighbour, velocity, radius, horizon, avoid_buffer) else { continue };
        if first.is_none_or(|(first, ..)| time < first) {
            first = Some((time, place, neighbour));
        }
    }
    let (time, place, threat) = first?;
    if time < 0.0 {
        let away = -threat.offset.direction();
        let away = if away == Vector::ZERO { apart(place) } else { away };
        return Some(away * max_speed);
    }
    let closest = closest_offset(&threat, velocity, time);
    // A shorter offset is rounding error, and its direction is arbitrary.
    let in_the_middle = closest.length_squared() <= 1e-10 * threat.offset.length_squared();
    let away = if in_the_middle { right_of(velocity - threat.velocity) } else { -closest.direction() };
    let urgency = 1.0 - time / horizon;
    Some(velocity + away * (max_speed * urgency))
}

/// The time until a neighbour comes too close, in seconds; negative if bodies overlap, and lower for deeper overlaps.
fn time_of_threat<const D: usize>(
    neighbour: &Body<D>,
    velocity: Vector<D>,
    radius: f32,
    horizon: f32,
    avoid_buffer: f32,
) -> Option<f32> {
    let relative = neighbour.velocity - velocity;
    let meeting = Meeting::new(neighbour.offset.0, relative.0, radius + neighbour.radius, horizon);
    let (threatens, time) = meeting.threat(avoid_buffer);
    threatens.then_some(time)
}

/// The offset to a neighbour after `time` seconds.
fn closest_offset<const D: usize>(neighbour: &Body<D>, velocity: Vector<D>, time: f32) -> Vector<D> {
    Vector(targets::ahead(neighbour.offset.0, (neighbour.velocity - velocity).0, time))
}

/// The direction to the right of a velocity in the plane of the first two axes; opposite for the opposite velocity.
fn right_of<const D: usize>(velocity: Vector<D>) -> Vector<D> {
    let mut right = Vector::ZERO;
    (right[0], right[1]) = (velocity[1], -velocity[0]);
    if right == Vector::ZERO {
        // A vertical velocity has no right side: any fixed direction in the plane serves.
        right[0] = velocity[D - 1];
    }
    right.direction()
}

/// Brakes an agent with this `radius`, in metres, behind slower neighbours ahead (Reynolds 1999).
///
/// The agent keeps the direction of its `velocity`. For each neighbour ahead, its speed is limited to the neighbour's
/// speed in that direction plus the gap between their bodies divided by `horizon`, in seconds. An oncoming neighbour
/// counts as standing, and a negative gap as zero. Returns `None` at rest, and if the agent is slow enough.
///
/// ```
/// use throng::Vector;
/// use throng::steering::{Body, queue};
///
/// // A gap of two metres, and a neighbour at five metres per second.
/// let ahead = Body::new(Vector([3.0, 0.0]), Vector([5.0, 3.0]), 0.5);
/// assert_eq!(queue([ahead], Vector([10.0, 0.0]), 0.5, 1.0), Some(Vector([7.0, 0.0])));
/// ```
#[must_use]
pub fn queue<const D: usize>(
    neighbours: impl IntoIterator<Item = Body<D>>,
    velocity: impl Into<Vector<D>>,
    radius: f32,
    horizon: f32,
) -> Option<Vector<D>> {
    let velocity = velocity.into();
    let (heading, speed) = (velocity.direction(), velocity.length());
    let mut slowest = speed;
    for neighbour in neighbours {
        if neighbour.offset.dot(heading) <= 0.0 {
            continue;
        }
        let gap = neighbour.offset.length() - radius - neighbour.radius;
        let along = neighbour.velocity.dot(heading);
        // An oncoming neighbour counts as standing: the agent cannot brake below zero.
        let theirs = if along > 0.0 { along } else { 0.0 };
        let fastest = theirs + if gap > 0.0 { gap / horizon } else { 0.0 };
        if fastest < slowest {
            slowest = fastest;
        }
    }
    (slowest < speed).then(|| heading * slowest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn avoid<const D: usize>(neighbours: &[Body<D>], velocity: impl Into<Vector<D>>) -> Option<Vector<D>> {
        let up = |place| Vector::from_fn(|axis| if axis == 1 { place as f32 } else { 0.0 });
        avoid_neighbours(neighbours.iter().copied(), velocity, 0.5, 8.0, 4.0, 0.5, up)
    }

    #[test]
    fn only_the_first_neighbour_to_come_too_close_counts() {
        let (first, second) =
            (Body::new([0.0, 1.25, 10.0], [0.0, 0.0, -10.0], 0.5), Body::new([1.0, 20.0, 0.0], [0.0, -10.0, 0.0], 0.5));
        assert_eq!(avoid(&[second, first], Vector::<3>::ZERO), Some(Vector([0.0, -6.0, 0.0])));
        assert_eq!(avoid(&[second], Vector::<3>::ZERO), Some(Vector([-4.0, 0.0, 0.0])));
        // Passes out of reach, comes too close after the horizon, and moves away.
        for (offset, velocity) in [([0.0, 1.5, 10.0], -10.0), ([0.0, 1.0, 40.0], -10.0), ([0.0, 1.0, 10.0], 10.0)] {
            assert_eq!(avoid(&[Body::new(offset, [0.0, 0.0, velocity], 0.5)], Vector::<3>::ZERO), None, "{offset:?}");
        }
    }

    #[test]
    fn agents_on_a_head_on_course_turn_right() {
        let other = |offset: Vector<2>, velocity: Vector<2>| [Body::new(offset, velocity, 0.5)];
        let (east, west) = (Vector([5.0, 0.0]), Vector([-5.0, 0.0]));
        assert_eq!(avoid(&other(Vector([20.0, 0.0]), west), east), Some(Vector([5.0, -4.0])));
        assert_eq!(avoid(&other(Vector([-20.0, 0.0]), east), west), Some(Vector([-5.0, 4.0])));
        let falling = Body::new(Vector([0.0, 0.0, 10.0]), Vector([0.0, 0.0, -5.0]), 0.5);
        assert_eq!(avoid(&[falling], Vector::<3>::ZERO), Some(Vector([4.0, 0.0, 0.0])));
    }

    #[test]
    fn overlapping_bodies_part_from_the_deepest_overlap() {
        let (less, more) = (Body::new([0.0, 0.75], [0.0; 2], 0.5), Body::new([0.5, 0.0], [9.0, 0.0], 0.5));
        assert_eq!(avoid(&[less, more], Vector([3.0, 0.0])), Some(Vector([-8.0, 0.0])));
        // For coincident bodies the caller chooses the direction.
        let same = Body::new(Vector::<2>::ZERO, Vector::<2>::ZERO, 0.5);
        assert_eq!(avoid(&[less, same], Vector::<2>::ZERO), Some(Vector([0.0, 8.0])));
        assert_eq!(avoid::<2>(&[], Vector::<2>::ZERO), None);
    }

    #[test]
    fn a_queue_brakes_for_the_slowest_ahead() {
        let at = |x: f32, speed: f32| Body::new(Vector([x, 0.0]), Vector([speed, 0.0]), 0.5);
        for (neighbour, left) in [
            (at(3.0, 0.0), Some(1.0)),
            (at(3.0, -5.0), Some(1.0)),
            (at(0.5, 4.0), Some(4.0)),
            (at(3.0, 9.0), None),
            (at(-3.0, 0.0), None),
        ] {
            let wanted = left.map(|speed| Vector([speed, 0.0]));
            assert_eq!(queue([neighbour, at(21.0, 0.0)], Vector([10.0, 0.0]), 0.5, 2.0), wanted, "{neighbour:?}");
        }
        assert_eq!(queue([at(0.5, 0.0)], Vector::<2>::ZERO, 0.5, 2.0), None);
        assert_eq!(queue::<3>([], Vector([0.0, 0.0, 1.0]), 0.5, 2.0), None);
    }
}
