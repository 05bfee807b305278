//! Obstacle avoidance: the bodies in the way of an agent, and the velocity that avoids them.

use crate::formulas::obstacles;
use crate::maths::{Noise, Vector};
use crate::rules::steering::Body;

/// The feeler with which an agent detects obstacles ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feeler {
    /// Length of the feeler, in metres.
    pub avoid_distance: f32,
    /// The distance that the agent keeps from an obstacle, in metres.
    pub avoid_buffer: f32,
    /// The share of its speed that the agent loses at the closest distance: none at 0, all at 1.
    pub braking: f32,
}

/// An obstacle that the feeler meets.
struct Threat<const D: usize> {
    /// The distance along the feeler; negative if bodies overlap, by the depth of the overlap.
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
        let lengths = [self.avoid_distance, self.avoid_buffer];
        let (hits, distance) = obstacles::feel(offset.0, along.0, touching, lengths);
        hits.then_some(Threat { distance, offset, along })
    }
}

/// Steers an agent with this `radius`, in metres, round the obstacle that its feeler meets first (Reynolds 1999).
///
/// The feeler lies along the agent's `velocity` relative to the obstacle, whose radius is enlarged by the agent's own
/// and by `avoid_buffer`. With `distance` the distance along the feeler to the obstacle and
/// `closeness = 1 - distance / avoid_distance`, the desired velocity is the agent's own plus `closeness * max_speed` at
/// right angles to the feeler, away from the centre; if the obstacle is ahead, the own velocity is reduced by the share
/// `braking * closeness`. Inside an obstacle the agent moves straight out at full speed. Returns `None` if the feeler
/// meets nothing. An agent at rest relative to an obstacle has no feeler towards it.
///
/// `noise` decides the side if the feeler points at the centre, or if the agent is at the centre. An agent with the
/// same noise in every tick keeps to its side.
///
/// ```
/// use throng::{Noise, Vector};
/// use throng::steering::{Body, Feeler, avoid_obstacles};
///
/// // The feeler of ten metres meets the rock after five: the closeness is one half.
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
    let (aside, is_head_on) = obstacles::aside(offset.0, along.0);
    let away = if is_head_on { noise().across(along) } else { -Vector(aside) };
    let closeness = 1.0 - distance / feeler.avoid_distance;
    let is_ahead = offset.dot(velocity) > 0.0;
    Some(Vector(obstacles::turned(velocity.0, away.0, is_ahead, (max_speed, closeness, feeler.braking))))
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
    fn only_the_first_obstacle_on_the_feeler_counts() {
        let (near, far) = (Body::new([8.0, -4.0], [0.0; 2], 4.0), Body::new([9.0, 4.0], [0.0; 2], 4.0));
        let desired = avoid(&[near], Vector([6.0, 0.0]));
        assert_eq!(desired, Some(Vector([4.5, 4.0])));
        assert_eq!(avoid(&[far, near], Vector([6.0, 0.0])), desired);
        // The same relative motion with the obstacle approaching from behind: the agent does not brake.
        let chaser = Body::new(Vector([-8.0, -4.0]), Vector([12.0, 0.0]), 4.0);
        assert_eq!(avoid(&[chaser], Vector([6.0, 0.0])), Some(Vector([6.0, 4.0])));
    }

    #[test]
    fn obstacles_off_the_feeler_have_no_effect() {
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
    fn inside_an_obstacle_an_agent_moves_straight_out() {
        let within = Body::new(Vector([0.0, 3.0, -4.0]), Vector::<3>::ZERO, 5.0);
        assert!((avoid(&[within], Vector::<3>::ZERO).unwrap() - Vector([0.0, -4.8, 6.4])).length() < 1e-5);
        let centred = Body { offset: Vector::ZERO, ..within };
        assert!((avoid(&[centred], Vector::<3>::ZERO).unwrap().length() - 8.0).abs() < 1e-5);
    }

    #[test]
    fn noise_decides_the_side_of_a_head_on_obstacle() {
        let ahead = Body::new(Vector([0.0, 0.0, 10.0]), Vector::<3>::ZERO, 4.0);
        let desired = avoid(&[ahead], Vector([0.0, 0.0, 6.0])).unwrap();
        let side = Noise::new(1, 2, 0, Noise::USER).across(Vector([0.0, 0.0, 1.0]));
        assert_eq!(desired, Vector([0.0, 0.0, 4.5]) + side * 4.0);
    }
}
