//! Wall avoidance: the velocity that turns an agent along the wall ahead.

use crate::formulas::obstacles;
use crate::maths::{Noise, Vector};

/// The first contact of an agent with a wall, at its present velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallAhead<const D: usize> {
    /// The time until the contact, as a share of the time for which the agent looks ahead: from 0 to 1. Negative if
    /// they overlap now.
    pub share: f32,
    /// The unit vector from the wall to the agent at the contact.
    pub normal: Vector<D>,
}

/// Turns an agent along the wall that it would run into (Reynolds 1999).
///
/// With `closeness = 1 - share`, the desired velocity is the agent's own plus `closeness * max_speed` along the part of
/// the wall's normal at right angles to the velocity. If the agent moves towards the wall, its own velocity is reduced
/// by the share `braking * closeness`. An agent that overlaps a wall moves straight away from it at full speed. Returns
/// `None` without a wall ahead.
///
/// `noise` decides the side of an agent that moves straight towards the wall.
///
/// ```
/// use throng::{Noise, Vector};
/// use throng::steering::{WallAhead, avoid_walls};
///
/// // Halfway to a wall whose normal leans backwards, at 8 m/s.
/// let ahead = WallAhead { share: 0.5, normal: Vector([-0.8, 0.6]) };
/// let noise = || Noise::new(7, 42, 0, Noise::USER);
/// assert_eq!(avoid_walls(Some(ahead), Vector([8.0, 0.0]), 8.0, 0.5, noise), Some(Vector([6.0, 4.0])));
/// ```
#[must_use]
pub fn avoid_walls<const D: usize>(
    ahead: Option<WallAhead<D>>,
    velocity: impl Into<Vector<D>>,
    max_speed: f32,
    braking: f32,
    noise: impl FnOnce() -> Noise,
) -> Option<Vector<D>> {
    let (WallAhead { share, normal }, velocity) = (ahead?, velocity.into());
    if share < 0.0 {
        return Some(normal * max_speed);
    }
    let along = velocity.direction();
    let towards = normal.dot(along);
    let aside = normal - along * towards;
    // A shorter one is rounding error, and its direction is arbitrary.
    let head_on = aside.length_squared() <= 1e-10;
    let away = if head_on { noise().across(along) } else { aside.direction() };
    let closeness = 1.0 - share;
    Some(Vector(obstacles::turned(velocity.0, away.0, towards < 0.0, (max_speed, closeness, braking))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn avoid<const D: usize>(share: f32, normal: [f32; D], velocity: [f32; D]) -> Vector<D> {
        let ahead = WallAhead { share, normal: Vector(normal) };
        avoid_walls(Some(ahead), velocity, 10.0, 0.5, || Noise::new(1, 2, 0, Noise::USER)).unwrap()
    }

    #[test]
    fn an_agent_turns_along_the_wall_and_brakes_as_it_comes_close() {
        assert_eq!(avoid(1.0, [-0.6, 0.8], [5.0, 0.0]), Vector([5.0, 0.0]));
        assert_eq!(avoid(0.0, [-0.6, 0.8], [5.0, 0.0]), Vector([2.5, 10.0]));
        // A wall that catches up with it does not slow it down.
        assert_eq!(avoid(0.0, [0.6, 0.8], [5.0, 0.0]), Vector([5.0, 10.0]));
        assert_eq!(avoid(-0.1, [0.6, 0.8], [5.0, 0.0]), Vector([6.0, 8.0]));
    }

    #[test]
    fn noise_decides_the_side_of_an_agent_that_moves_straight_towards_a_wall() {
        let side = Noise::new(1, 2, 0, Noise::USER).across(Vector([0.0, 0.0, 1.0]));
        assert_eq!(avoid(0.5, [0.0, 0.0, -1.0], [0.0, 0.0, 4.0]), Vector([0.0, 0.0, 3.0]) + side * 5.0);
    }
}
