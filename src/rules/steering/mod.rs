//! The formulas of the rules of motion as plain functions, usable without a world.
//!
//! Reynolds, "Steering Behaviors For Autonomous Characters" (1999); Buckland, "Programming Game AI by Example" (2004)
//! for the functions that name him.
//!
//! Every function takes the *offset* to its target, `target - position`; in a periodic world the caller passes the
//! offset to the nearest image. A function returns the desired velocity, or `None` if the rule has none. [`force`]
//! turns it into a steering force; [`LoneAgent`] adds up the forces of several rules and moves. Units are metres and
//! seconds; `max_speed` is the largest speed of the agent.
//!
//! The remaining rules combine these functions: interposing [`meet`]s the midpoint of two targets, offset pursuit meets
//! a point [`relative_to`] a leader, and hiding [`arrive`]s at the [`shortest`] offset to a [`hiding_place`].
//!
//! ```
//! use throng::Vector;
//! use throng::steering;
//!
//! let (position, velocity) = (Vector([0.0, 0.0]), Vector([0.0, 1.0]));
//! let desired = steering::seek(Vector([3.0, 4.0]) - position, 10.0);
//! let force = steering::force(desired, velocity, 0.5);
//! assert_eq!(force, Vector([12.0, 14.0]));
//! ```

mod agent;
mod collision_free_speed;
mod flock;
mod flow;
mod group;
mod neighbours;
mod obstacles;
mod path;
mod social_force;
mod stay;
mod walls;
mod wander;

pub use agent::LoneAgent;
pub use collision_free_speed::{CollisionFreeSpeed, collision_free_speed, gap_ahead, turn_away};
pub use flock::{alignment, cohesion, separation};
pub use flow::follow_flow_field;
pub use group::{GroupForces, stay_in_group};
pub use neighbours::{avoid_neighbours, queue};
pub use obstacles::{Feeler, avoid_obstacles};
pub use path::{nearest_on_segment, reaches, segments, shortest, stay_on_path, waypoint};
pub(crate) use path::{nearest_on_way, share_since};
pub use social_force::{EllipticalForce, SocialForce, elliptical_force, social_force};
pub use stay::{containment, tether};
pub use walls::{WallAhead, avoid_walls};
pub use wander::{Wanderer, wander, wander_in_world};
pub(crate) use wander::{circle_distance, largest_turn};

use crate::base::settings::LIMIT;
pub use crate::formulas::bodies::{Body, Walker};
pub use crate::formulas::orca::{avoid_agent, avoid_wall, keep_to_cell};
pub use crate::formulas::programme::{HalfSpace, MOST_HALF_SPACES, nearest_velocity};
use crate::formulas::targets;
use crate::maths::Vector;

/// The force towards a desired velocity, `(desired - velocity) / response`; zero if it is `None`.
#[inline]
#[must_use]
pub fn force<const D: usize>(
    desired: impl Into<Option<Vector<D>>>,
    velocity: impl Into<Vector<D>>,
    response: f32,
) -> Vector<D> {
    let velocity = velocity.into();
    desired.into().map_or(Vector::ZERO, |desired| Vector(targets::force(desired.0, velocity.0, response)))
}

/// A desired velocity of a formula, if there is one.
pub(crate) fn wanted<const D: usize>((desired, wants): targets::Desired<f32, D>) -> Option<Vector<D>> {
    wants.then_some(Vector(desired))
}

/// Full speed towards the target; `None` on the target.
#[must_use]
pub fn seek<const D: usize>(offset: impl Into<Vector<D>>, max_speed: f32) -> Option<Vector<D>> {
    wanted(targets::seek(offset.into().0, max_speed))
}

/// Full speed away from the target within `panic_radius`; `None` beyond it and on the target.
#[must_use]
pub fn flee<const D: usize>(offset: impl Into<Vector<D>>, max_speed: f32, panic_radius: f32) -> Option<Vector<D>> {
    wanted(targets::flee(offset.into().0, max_speed, panic_radius))
}

/// Full speed towards the target; inside `slowing_radius` the speed falls linearly with the distance, to zero.
#[must_use]
pub fn arrive<const D: usize>(offset: impl Into<Vector<D>>, max_speed: f32, slowing_radius: f32) -> Vector<D> {
    Vector(targets::arrive(offset.into().0, max_speed, slowing_radius))
}

/// The time to cover a distance at full speed, at most `longest` seconds.
#[must_use]
pub fn time_to_cover(distance: f32, max_speed: f32, longest: f32) -> f32 {
    targets::time_to_cover(distance, max_speed, longest)
}

/// The offset to the predicted position of a moving target after some seconds.
///
/// The prediction of an approaching target stops at half of its distance along the line of sight. Beyond that, the
/// target could be predicted behind the agent, which would then flee its quarry or run into its hunter. The formula of
/// the sources, without this bound, is `offset + velocity * seconds`.
#[must_use]
pub fn predict<const D: usize>(
    offset: impl Into<Vector<D>>,
    velocity: impl Into<Vector<D>>,
    seconds: f32,
) -> Vector<D> {
    Vector(targets::predict(offset.into().0, velocity.into().0, seconds))
}

/// Full speed towards the predicted position of a moving target after some seconds: [`seek`] of [`predict`].
#[must_use]
pub fn pursue<const D: usize>(
    offset: impl Into<Vector<D>>,
    velocity: impl Into<Vector<D>>,
    max_speed: f32,
    seconds: f32,
) -> Option<Vector<D>> {
    seek(predict(offset, velocity, seconds), max_speed)
}

/// Full speed away from the predicted position of a moving target after some seconds, as by [`predict`].
#[must_use]
pub fn evade<const D: usize>(
    offset: impl Into<Vector<D>>,
    velocity: impl Into<Vector<D>>,
    max_speed: f32,
    seconds: f32,
) -> Option<Vector<D>> {
    seek(-predict(offset, velocity, seconds), max_speed)
}

/// The velocity that [`arrive`]s at a moving point, predicted for the time to reach it.
///
/// The prediction covers at least the time to cross `slowing_radius`. Inside it, the velocity is then the point's
/// velocity plus `offset / slowing_radius * max_speed`, so that the agent does not lag behind.
#[must_use]
pub fn meet<const D: usize>(
    offset: impl Into<Vector<D>>,
    velocity: impl Into<Vector<D>>,
    max_speed: f32,
    slowing_radius: f32,
) -> Vector<D> {
    let offset = offset.into();
    let distance = offset.length();
    let distance = if distance > slowing_radius { distance } else { slowing_radius };
    let seconds = time_to_cover(distance, max_speed, LIMIT);
    arrive(offset + velocity.into() * seconds, max_speed, slowing_radius)
}

/// Converts a vector from the frame of a heading (of length one) to the world: the components are ahead, to the left
/// and, in three dimensions, up. Without a heading, the frame is the frame of the world.
#[must_use]
pub fn relative_to<const D: usize>(heading: impl Into<Vector<D>>, vector: impl Into<Vector<D>>) -> Vector<D> {
    let (ahead, vector) = (heading.into(), vector.into());
    if ahead == Vector::ZERO {
        return vector;
    }
    let mut left = Vector::ZERO;
    (left[0], left[1]) = (-ahead[1], ahead[0]);
    if D == 2 {
        return ahead * vector[0] + left * vector[1];
    }
    left = left.direction();
    if left == Vector::ZERO {
        // The heading is vertical.
        left[1] = 1.0;
    }
    let mut up = Vector::ZERO;
    (up[0], up[1]) = (-ahead[2] * left[1], ahead[2] * left[0]);
    up[2] = ahead[0] * left[1] - ahead[1] * left[0];
    ahead * vector[0] + left * vector[1] + up * vector[2]
}

/// The offset to the point behind an obstacle, `distance` from its surface, which is hidden from a hunter (Buckland).
/// `None` if the hunter is inside the obstacle.
#[must_use]
pub fn hiding_place<const D: usize>(
    centre: impl Into<Vector<D>>,
    radius: f32,
    hunter: impl Into<Vector<D>>,
    distance: f32,
) -> Option<Vector<D>> {
    let centre = centre.into();
    let away = centre - hunter.into();
    (away.length() > radius).then(|| centre + away.direction() * (radius + distance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seek_and_flee_are_opposite() {
        assert_eq!(seek([3.0, 4.0], 10.0), Some(Vector([6.0, 8.0])));
        assert_eq!(flee([3.0, 4.0], 10.0, 5.0), Some(Vector([-6.0, -8.0])));
        assert_eq!(flee([3.0, 4.0], 10.0, 4.99), None);
        assert_eq!(seek(Vector::<3>::ZERO, 10.0), None);
        assert_eq!(flee(Vector::<3>::ZERO, 10.0, 1.0), None);
    }

    #[test]
    fn arrive_slows_down_linearly() {
        assert_eq!(arrive([20.0, 0.0], 10.0, 8.0), Vector([10.0, 0.0]));
        assert_eq!(arrive([4.0, 0.0], 10.0, 8.0), Vector([5.0, 0.0]));
        assert_eq!(arrive([0.0, 0.0], 10.0, 8.0), Vector::ZERO);
        assert_eq!(arrive([0.0, 0.0], 10.0, 0.0), Vector::ZERO);
        assert_eq!(arrive([4.0, 0.0], 10.0, 0.0), Vector([10.0, 0.0]));
    }

    #[test]
    fn a_target_is_never_predicted_behind_the_agent() {
        // Motion across the line of sight, or away, is predicted in full.
        assert_eq!(predict([10.0, 0.0], [0.0, 5.0], 4.0), Vector([10.0, 20.0]));
        assert_eq!(predict([10.0, 0.0], [5.0, 0.0], 4.0), Vector([30.0, 0.0]));
        // An approaching target, which would reach the agent after two seconds, is predicted to half of its distance.
        assert_eq!(predict([10.0, 0.0], [-5.0, 0.0], 0.5), Vector([7.5, 0.0]));
        assert_eq!(predict([10.0, 0.0], [-5.0, 0.0], 4.0), Vector([5.0, 0.0]));
        assert_eq!(predict([10.0, 0.0], [-5.0, 1.0], 4.0), Vector([5.0, 1.0]));
        // A target on the agent has no line of sight.
        assert_eq!(predict([0.0, 0.0], [-5.0, 1.0], 2.0), Vector([-10.0, 2.0]));
    }

    #[test]
    fn time_is_bounded() {
        assert_eq!(time_to_cover(20.0, 10.0, 5.0), 2.0);
        assert_eq!(time_to_cover(200.0, 10.0, 5.0), 5.0);
        assert_eq!(time_to_cover(20.0, 0.0, 5.0), 5.0);
        assert_eq!(time_to_cover(0.0, 0.0, 5.0), 5.0);
    }

    #[test]
    fn a_moving_point_is_met_without_lag() {
        // On the point, its own velocity; half a slowing radius behind it, faster by half of the top speed.
        assert_eq!(meet([0.0, 0.0], [3.0, 0.0], 10.0, 5.0), Vector([3.0, 0.0]));
        assert_eq!(meet([2.0, 0.0], [3.0, 0.0], 10.0, 5.0), Vector([7.0, 0.0]));
        assert!(meet([2.0, 0.0], [3.0, 0.0], 0.0, 5.0).is_finite());
        assert!(meet([2.0, 0.0], [3.0, 0.0], 1e-30, 5.0).is_finite());
    }

    #[test]
    fn frames_are_right_handed() {
        assert_eq!(relative_to([0.0, 1.0], [2.0, 3.0]), Vector([-3.0, 2.0]));
        assert_eq!(relative_to([0.0, 0.0], [2.0, 3.0]), Vector([2.0, 3.0]));
        assert_eq!(relative_to([0.0, 1.0, 0.0], [2.0, 3.0, 4.0]), Vector([-3.0, 2.0, 4.0]));
        assert_eq!(relative_to([0.0, 0.0, 1.0], [2.0, 3.0, 4.0]), Vector([-4.0, 3.0, 2.0]));
    }

    #[test]
    fn the_hiding_place_is_behind_the_obstacle() {
        assert_eq!(hiding_place([10.0, 0.0], 2.0, [20.0, 0.0], 1.0), Some(Vector([7.0, 0.0])));
        assert_eq!(hiding_place([10.0, 0.0], 2.0, [11.0, 0.0], 1.0), None);
        assert_eq!(hiding_place([10.0, 0.0], 0.0, [10.0, 0.0], 1.0), None);
    }
}
