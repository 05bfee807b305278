//! The collision-free speed model: Tordeux, Chraibi and Seyfried, "Collision-free speed model for pedestrian dynamics"
//! (2016).

use crate::formulas::bodies::{is_in_the_way, repulsion};
use crate::maths::Vector;
use crate::rules::steering::Body;

/// The constants of the collision-free speed model. The defaults are the values of the paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollisionFreeSpeed {
    /// The strength `a` of the repulsion that turns an agent.
    pub strength: f32,
    /// The distance `D` over which the repulsion falls to the e-th part, in metres.
    pub range: f32,
    /// The time gap `T` that an agent keeps to the one ahead, in seconds.
    pub time_gap: f32,
}

impl Default for CollisionFreeSpeed {
    fn default() -> Self {
        Self { strength: 5.0, range: 0.1, time_gap: 1.0 }
    }
}

/// The repulsion of a body: the vector `a exp((l - s) / D)` away from it, where `s` is the distance and `l` the sum of
/// the radii.
#[must_use]
#[inline]
pub fn turn_away<const D: usize>(
    radius: f32,
    other: &Body<D>,
    model: &CollisionFreeSpeed,
    apart: impl FnOnce() -> Vector<D>,
) -> Vector<D> {
    let (distance, away) = other.away(apart);
    away * repulsion(radius + other.radius - distance, model.strength, model.range)
}

/// The gap to a body ahead, in metres; infinite if it is not in the way.
///
/// A body is in the way of a direction if it is ahead, and if its centre is at most the sum of the radii from the line.
#[must_use]
#[inline]
pub fn gap_ahead<const D: usize>(radius: f32, other: &Body<D>, direction: Vector<D>) -> f32 {
    let touching = radius + other.radius;
    if is_in_the_way(other.offset.0, direction.0, touching) { other.offset.length() - touching } else { f32::INFINITY }
}

/// The velocity of an agent that turns away from its neighbours and never walks into one.
///
/// The direction is the preferred velocity's direction plus the sum of [`turn_away`]; the speed is the smallest
/// [`gap_ahead`] over the time gap, at most the preferred speed. Neighbours at rest at the nearest points of walls,
/// with radius zero, turn an agent away from walls. `apart` returns the direction away from a coincident neighbour,
/// which it receives as an index.
///
/// ```
/// use throng::Vector;
/// use throng::steering::{Body, CollisionFreeSpeed, collision_free_speed};
///
/// // A gap of one metre, and a time gap of one second: the agent walks at 1 m/s instead of 1.2.
/// let ahead = Body::new([1.5, 0.0], [0.0, 0.0], 0.25);
/// let model = CollisionFreeSpeed::default();
/// let velocity = collision_free_speed([ahead], [1.2, 0.0], 0.25, &model, |_| Vector::ZERO);
/// assert!(velocity.distance(Vector([1.0, 0.0])) < 1e-6);
/// ```
#[must_use]
pub fn collision_free_speed<const D: usize>(
    neighbours: impl IntoIterator<Item = Body<D>, IntoIter: Clone>,
    preferred: impl Into<Vector<D>>,
    radius: f32,
    model: &CollisionFreeSpeed,
    mut apart: impl FnMut(usize) -> Vector<D>,
) -> Vector<D> {
    let (neighbours, preferred) = (neighbours.into_iter(), preferred.into());
    let mut turns = Vector::ZERO;
    for (place, other) in neighbours.clone().enumerate() {
        turns += turn_away(radius, &other, model, || apart(place));
    }
    let direction = (preferred.direction() + turns).direction();
    let mut gap = f32::INFINITY;
    for other in neighbours {
        let ahead = gap_ahead(radius, &other, direction);
        gap = if ahead < gap { ahead } else { gap };
    }
    let speed = if gap > 0.0 { gap / model.time_gap } else { 0.0 };
    let wanted = preferred.length();
    direction * if speed < wanted { speed } else { wanted }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: CollisionFreeSpeed = CollisionFreeSpeed { strength: 5.0, range: 0.1, time_gap: 0.5 };

    fn walk(neighbours: &[Body<2>]) -> Vector<2> {
        collision_free_speed(neighbours.iter().copied(), [2.0, 0.0], 0.2, &MODEL, |_| Vector([0.0, 1.0]))
    }

    #[test]
    fn the_speed_is_the_gap_over_the_time_gap() {
        assert_eq!(walk(&[]), Vector([2.0, 0.0]));
        let ahead = |x: f32, y: f32| Body::new([x, y], [0.0; 2], 0.3);
        // Far enough for the repulsion to vanish in rounding. Half a metre of gap.
        let velocity = walk(&[ahead(10.0, 0.0), ahead(11.0, 0.0)]);
        assert_eq!(velocity, Vector([2.0, 0.0]));
        assert!((walk(&[ahead(1.2, 0.0)])[0] - 1.4).abs() < 1e-5);
        // Beside the way, and behind.
        assert_eq!(gap_ahead(0.2, &ahead(3.0, 0.6), Vector([1.0, 0.0])), f32::INFINITY);
        assert_eq!(gap_ahead(0.2, &ahead(-0.6, 0.0), Vector([1.0, 0.0])), f32::INFINITY);
        assert_eq!(gap_ahead(0.2, &ahead(3.0, 0.0), Vector([1.0, 0.0])), 2.5);
        // Bodies in contact stop an agent that cannot turn.
        assert_eq!(walk(&[ahead(0.45, 0.0)]).dot(Vector([1.0, 0.0])), -2.0);
    }

    #[test]
    fn the_turn_falls_exponentially() {
        let turn = |gap: f32| turn_away(0.2, &Body::new([0.0, 0.5 + gap], [0.0; 2], 0.3), &MODEL, || Vector::ZERO);
        assert_eq!(turn(0.0), Vector([0.0, -5.0]));
        assert!((turn(0.1)[1] / turn(0.0)[1] - (-1.0f64).exp() as f32).abs() < 1e-6);
        assert_eq!(turn_away(0.2, &Body::new([0.0; 2], [0.0; 2], 0.3), &MODEL, || Vector([0.0, 1.0]))[0], 0.0);
        // A body to the left turns the agent to the right: by a third of the push, to the length of the wish.
        let body = Body::new([0.0, 0.5], [0.0; 2], 0.3);
        assert!((walk(&[body]) - Vector([1.0, -5.0]).direction() * 2.0).length() < 1e-5);
    }
}
