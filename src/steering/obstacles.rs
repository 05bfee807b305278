//! Obstacle avoidance: the bodies in the way of an agent, and the velocity that avoids them.

use crate::maths::{Noise, Vector};

/// What an agent may run into, as the agent sees it: an obstacle or a neighbour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body<const D: usize> {
    /// From the agent to the body's centre, in metres.
    pub offset: Vector<D>,
    /// How the body moves, in metres per second.
    pub velocity: Vector<D>,
    /// The body's radius, in metres.
    pub radius: f32,
}

impl<const D: usize> Body<D> {
    /// A body at an offset, in metres, with a velocity, in metres per second, and a radius, in metres.
    #[must_use]
    pub fn new(offset: impl Into<Vector<D>>, velocity: impl Into<Vector<D>>, radius: f32) -> Self {
        Self { offset: offset.into(), velocity: velocity.into(), radius }
    }
}

/// With what an agent feels for obstacles ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feeler {
    /// How far ahead it reaches, in metres.
    pub avoid_distance: f32,
    /// How far the agent keeps from an obstacle, in metres.
    pub avoid_buffer: f32,
    /// The share of its speed that the agent gives up when it is closest: none at 0, all at 1.
    pub braking: f32,
}

/// An obstacle that the feeler meets.
struct Threat<const D: usize> {
    /// How far along the feeler; negative where bodies overlap, and by how much.
    distance: f32,
    /// The offset to the obstacle's centre.
    offset: Vector<D>,
    /// The direction of the feeler.
    along: Vector<D>,
}

impl Feeler {
    fn threat<const D: usize>(&self, obstacle: &Body<D>, velocity: Vector<D>, radius: f32) -> Option<Threat<D>> {
        let offset = obstacle.offset;
        let touching = obstacle.radius + radius;
        let along = (velocity - obstacle.velocity).direction();
        let from_centre = offset.length();
        if from_centre < touching {
            return Some(Threat { distance: from_centre - touching, offset, along });
        }
        let reach = touching + self.avoid_buffer;
        let ahead = offset.dot(along);
        let aside_squared = (offset - along * ahead).length_squared();
        if ahead <= 0.0 || aside_squared >= reach * reach {
            return None;
        }
        let entry = ahead - (reach * reach - aside_squared).sqrt();
        let distance = if entry > 0.0 { entry } else { 0.0 };
        (distance < self.avoid_distance).then_some(Threat { distance, offset, along })
    }
}

/// Steers an agent of some `radius`, in metres, round the obstacle that its feeler meets first (Reynolds 1999).
///
/// The feeler lies along the agent's `velocity` relative to the obstacle, which is wider by the agent's body and
/// `avoid_buffer`. With `closeness = 1 - distance / avoid_distance` to where the feeler meets it, the agent wants to go
/// `closeness * max_speed` faster at right angles to the feeler, away from the centre, and `braking * closeness` slower
/// where the obstacle is ahead. Inside an obstacle it wants straight out at full speed. Nothing is desired where the
/// feeler meets nothing; there is none to what the agent is at rest to.
///
/// `noise` is asked for where there is no side to choose: the feeler points at the very centre, or the agent is on it.
/// Who is given the same noise every time keeps to its side.
///
/// ```
/// use throng::{Noise, Vector};
/// use throng::steering::{Body, Feeler, avoid_obstacles};
///
/// // A rock of four metres, met by an agent of one metre after five of ten metres: half as close as can be.
/// let rock = Body::new(Vector([8.0, -4.0]), Vector([0.0, 0.0]), 4.0);
/// let feeler = Feeler { avoid_distance: 10.0, avoid_buffer: 0.0, braking: 0.5 };
/// let noise = || Noise::new(7, 42, 0, Noise::USER);
/// let desired = avoid_obstacles([rock], Vector([6.0, 0.0]), 1.0, 8.0, feeler, noise);
/// assert_eq!(desired, Some(Vector([6.0 * 0.75, 8.0 * 0.5])));
/// ```
#[must_use]
pub fn avoid_obstacles<const D: usize>(
    obstacles: impl IntoIterator<Item = Body<D>>,
    velocity: impl Into<Vector<D>>,
    radius: f32,
    max_speed: f32,
    feeler: Feeler,
    noise: impl FnOnce() -> Noise,
) -> Option<Vector<D>> {
    let velocity = velocity.into();
    let mut nearest: Option<Threat<D>> = None;
    for obstacle in obstacles {
        let Some(threat) = feeler.threat(&obstacle, velocity, radius) else { continue };
        if nearest.as_ref().is_none_or(|nearest| threat.distance < nearest.distance) {
            nearest = Some(threat);
        }
    }
    let Threat { distance, offset, along } = nearest?;
    if distance < 0.0 {
        let out = -offset.direction();
        let out = if out == Vector::ZERO { noise().direction() } else { out };
        return Some(out * max_speed);
    }
    let aside = offset - along * offset.dot(along);
    // Less than this is rounding, and points anywhere.
    let head_on = aside.length_squared() <= 1e-10 * offset.length_squared();
    let away = if head_on { noise().across(along) } else { -aside.direction() };
    let closeness = 1.0 - distance / feeler.avoid_distance;
    // Who is overtaken by an obstacle gains nothing from being slow.
    let braking = if offset.dot(velocity) > 0.0 { feeler.braking * closeness } else { 0.0 };
    Some(velocity * (1.0 - braking) + away * (max_speed * closeness))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn avoid<const D: usize>(obstacles: &[Body<D>], velocity: impl Into<Vector<D>>) -> Option<Vector<D>> {
        let feeler = Feeler { avoid_distance: 10.0, avoid_buffer: 0.0, braking: 0.5 };
        let noise = || Noise::new(1, 2, 0, Noise::USER);
        avoid_obstacles(obstacles.iter().copied(), velocity, 1.0, 8.0, feeler, noise)
    }

    #[test]
    fn the_obstacle_that_is_met_first_counts_alone() {
        let (near, far) = (Body::new([8.0, -4.0], [0.0; 2], 4.0), Body::new([9.0, 4.0], [0.0; 2], 4.0));
        let desired = avoid(&[near], Vector([6.0, 0.0]));
        assert_eq!(desired, Some(Vector([4.5, 4.0])));
        assert_eq!(avoid(&[far, near], Vector([6.0, 0.0])), desired);
        // The same as seen from an agent that it comes up to from behind: there is nothing to brake for.
        let chaser = Body::new(Vector([-8.0, -4.0]), Vector([12.0, 0.0]), 4.0);
        assert_eq!(avoid(&[chaser], Vector([6.0, 0.0])), Some(Vector([6.0, 4.0])));
    }

    #[test]
    fn what_is_not_in_the_way_does_not_matter() {
        let at = |x: f32, y: f32| Body::new([x, y], [0.0; 2], 4.0);
        for (obstacle, velocity) in [
            (at(8.0, 5.0), Vector([6.0, 0.0])),
            (at(-8.0, 0.0), Vector([6.0, 0.0])),
            (at(15.0, 0.0), Vector([6.0, 0.0])),
        ] {
            assert_eq!(avoid(&[obstacle], velocity), None, "{obstacle:?}");
        }
        assert_eq!(avoid(&[at(8.0, 0.0)], Vector::<2>::ZERO), None);
        assert_eq!(avoid::<2>(&[], Vector([6.0, 0.0])), None);
    }

    #[test]
    fn inside_it_wants_straight_out_and_from_the_centre_anywhere() {
        let within = Body::new(Vector([0.0, 3.0, -4.0]), Vector::<3>::ZERO, 5.0);
        assert!((avoid(&[within], Vector::<3>::ZERO).unwrap() - Vector([0.0, -4.8, 6.4])).length() < 1e-5);
        let centred = Body { offset: Vector::ZERO, ..within };
        assert!((avoid(&[centred], Vector::<3>::ZERO).unwrap().length() - 8.0).abs() < 1e-5);
    }

    #[test]
    fn head_on_the_side_is_that_of_the_noise() {
        let ahead = Body::new(Vector([0.0, 0.0, 10.0]), Vector::<3>::ZERO, 4.0);
        let desired = avoid(&[ahead], Vector([0.0, 0.0, 6.0])).unwrap();
        let side = Noise::new(1, 2, 0, Noise::USER).across(Vector([0.0, 0.0, 1.0]));
        assert_eq!(desired, Vector([0.0, 0.0, 4.5]) + side * 4.0);
    }
}
