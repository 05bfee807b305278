//! Social forces: Helbing and Molnár, "Social force model for pedestrian dynamics" (1995); Helbing, Farkas and Vicsek,
//! "Simulating dynamical features of escape panic" (2000).

use crate::formulas::bodies::{Pair, Push, Pushes};
use crate::maths::{Vector, exp};
use crate::rules::steering::{Body, Walker};

/// The constants of the social force model of 2000. The defaults are the values of the paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SocialForce {
    /// The strength `A` of the repulsion between bodies that just touch, in newtons.
    pub strength: f32,
    /// The distance `B` over which the repulsion falls to the e-th part, in metres.
    pub range: f32,
    /// The stiffness `k` of bodies in contact, in kg/s².
    pub stiffness: f32,
    /// The friction `kappa` of bodies in contact, in kg/(m s).
    pub friction: f32,
}

impl Default for SocialForce {
    fn default() -> Self {
        Self { strength: 2000.0, range: 0.08, stiffness: 1.2e5, friction: 2.4e5 }
    }
}

/// The force of a body on an agent, in newtons (Helbing, Farkas and Vicsek 2000, equation 2).
///
/// With the overlap `o` of the bodies (negative between bodies apart), the direction `n` away from the other body, and
/// the velocity `t` of the other body relative to the agent across `n`, the force is
/// `(A exp(o / B) + k max(o, 0)) n + kappa max(o, 0) t`. The function serves for walls too, with the nearest point of
/// the wall as a body at rest with radius zero (equation 3).
///
/// `apart` returns the direction away from a coincident body. The two agents of a pair should get opposite directions.
///
/// ```
/// use throng::Vector;
/// use throng::steering::{Body, SocialForce, Walker, social_force};
///
/// // Bodies that just touch repel each other with the force A.
/// let me = Walker { velocity: Vector([0.0, 0.0]), radius: 0.25 };
/// let other = Body::new([0.5, 0.0], [0.0, 1.0], 0.25);
/// let force = social_force(&me, &other, &SocialForce::default(), || Vector::ZERO);
/// assert_eq!(force, Vector([-2000.0, 0.0]));
/// ```
#[must_use]
#[inline]
pub fn social_force<const D: usize>(
    me: &Walker<D>,
    other: &Body<D>,
    model: &SocialForce,
    apart: impl FnOnce() -> Vector<D>,
) -> Vector<D> {
    let (distance, away) = other.away(apart);
    Vector(model.push(me, other, (distance, away), 0.0).force)
}

impl SocialForce {
    /// The force of a body at a distance on an agent, with the push that it has after `seconds` if both keep their
    /// velocities.
    pub(crate) fn push<const D: usize>(
        &self,
        me: &Walker<D>,
        other: &Body<D>,
        (distance, away): (f32, Vector<D>),
        seconds: f32,
    ) -> Push<f32, D> {
        let (overlap, model) = (me.radius + other.radius - distance, self.pushes(seconds));
        let pair = Pair::new(away.0, (other.velocity - me.velocity).0, overlap, &model);
        if overlap > 0.0 { pair.in_contact(&model) } else { pair.apart(&model) }
    }

    /// The constants of a tick of this length.
    pub(crate) fn pushes(&self, seconds: f32) -> Pushes {
        let &Self { strength, range, stiffness, friction } = self;
        Pushes { strength, range, stiffness, friction, seconds }
    }
}

/// The constants of the social force model of 1995. The defaults are the values of the paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EllipticalForce {
    /// The repulsive potential `V0` of an agent, in m²/s².
    pub potential: f32,
    /// The distance `sigma` over which the potential falls to the e-th part, in metres.
    pub range: f32,
    /// The time `dt` of the other agent's next step, in seconds.
    pub step: f32,
    /// The full angle of sight `2 phi`, in degrees.
    pub field_of_view: f32,
    /// The weight `c` of agents out of sight.
    pub unseen: f32,
}

impl Default for EllipticalForce {
    fn default() -> Self {
        Self { potential: 2.1, range: 0.3, step: 2.0, field_of_view: 200.0, unseen: 0.5 }
    }
}

/// The acceleration of an agent by a neighbour, in m/s² (Helbing and Molnár 1995, equations 3, 4 and 8).
///
/// The potential `V0 exp(-b / sigma)` falls along ellipses around the neighbour and its next step `s`: with the offset
/// `r` from the neighbour to the agent, `2 b = sqrt((|r| + |r - s|)² - |s|²)`. Its negative gradient counts in full if
/// the neighbour is in sight of the `desired` direction, else `c` times. Returns zero on the neighbour's own ellipse of
/// no extent, where the gradient has no direction.
#[must_use]
pub fn elliptical_force<const D: usize>(
    offset: impl Into<Vector<D>>,
    velocity: impl Into<Vector<D>>,
    desired: impl Into<Vector<D>>,
    model: &EllipticalForce,
) -> Vector<D> {
    let (from_them, step) = (-offset.into(), velocity.into() * model.step);
    let from_next = from_them - step;
    let (distance, next_distance) = (from_them.length(), from_next.length());
    let sum = distance + next_distance;
    let squared = sum * sum - step.length_squared();
    if !(squared > 0.0 && distance > 0.0 && next_distance > 0.0) {
        return Vector::ZERO;
    }
    let minor = 0.5 * squared.sqrt();
    let gradient = (from_them / distance + from_next / next_distance) * (sum / (4.0 * minor));
    let force = gradient * (model.potential / model.range * exp(-minor / model.range));
    // The neighbour is in sight if the force against its direction points far enough along the desired direction.
    let seen = desired.into().direction().dot(-force)
        >= force.length() * crate::maths::sin_cos(model.field_of_view * (std::f32::consts::PI / 360.0)).1;
    if seen { force } else { force * model.unseen }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forces_are_those_of_the_formula() {
        let me = Walker { velocity: Vector([1.0, 0.5]), radius: 0.3 };
        let model = SocialForce::default();
        // Apart by 0.1 m: A exp(-0.1 / 0.08).
        let force = social_force(&me, &Body::new([0.0, 0.7], [0.0, 0.0], 0.3), &model, || Vector::ZERO);
        assert!((force - Vector([0.0, -2000.0 * (-1.25f64).exp() as f32])).length() < 1e-2, "{force:?}");
        // An overlap of 0.1 m, and a neighbour that slides by at 2 m/s relative to the agent.
        let force = social_force(&me, &Body::new([0.0, 0.5], [3.0, 0.9], 0.3), &model, || Vector::ZERO);
        let push = 2000.0 * 1.25f64.exp() + 1.2e5 * 0.1;
        assert!((force - Vector([2.4e5 * 0.1 * 2.0, -push as f32])).length() < 0.1, "{force:?}");
        // Coincident bodies part as drawn, with the largest push.
        let force = social_force(&me, &Body::new([0.0; 2], [1.0, 0.5], 0.3), &model, || Vector([0.0, 1.0]));
        assert!((force[1] / (2000.0 * 7.5f64.exp() + 1.2e5 * 0.6) as f32 - 1.0).abs() < 1e-5 && force[0] == 0.0);
    }

    #[test]
    fn the_forces_of_a_pair_are_opposite() {
        let (one, other) = (Walker { velocity: Vector([0.5, 1.0, -0.2]), radius: 0.3 }, Vector([0.1, -0.4, 0.3]));
        let offset = Vector([0.2, 0.3, -0.1]);
        let force = social_force(&one, &Body::new(offset, other, 0.25), &SocialForce::default(), || offset);
        let them = Walker { velocity: other, radius: 0.25 };
        let back = social_force(&them, &Body::new(-offset, one.velocity, 0.3), &SocialForce::default(), || offset);
        assert!((force + back).length() < 1e-2 * force.length() * 1e-3, "{force:?} {back:?}");
    }

    #[test]
    fn the_elliptical_force_is_the_gradient_of_the_potential() {
        let model = EllipticalForce::default();
        let (velocity, at) = ([1.2f64, -0.3], [0.7f64, 0.4]);
        // `at` is the offset from the neighbour to the agent.
        let potential = |at: [f64; 2]| {
            let step = velocity.map(|component| 2.0 * component);
            let (near, far) = (at[0].hypot(at[1]), (at[0] - step[0]).hypot(at[1] - step[1])); // bits: a test
            let b = 0.5 * ((near + far) * (near + far) - step[0] * step[0] - step[1] * step[1]).sqrt();
            2.1 * (-b / 0.3).exp()
        };
        let slope = |axis: usize| {
            let moved = |by: f64| std::array::from_fn(|other| at[other] + if other == axis { by } else { 0.0 });
            (potential(moved(-1e-6)) - potential(moved(1e-6))) / 2e-6
        };
        let force = [slope(0), slope(1)].map(|component| component as f32);
        let (offset, velocity) =
            (Vector(at.map(|component| -component as f32)), velocity.map(|component| component as f32));
        let seen = elliptical_force(offset, velocity, offset, &model);
        assert!((seen - Vector(force)).length() < 1e-3, "{seen:?} {force:?}");
        // Behind the agent, half of it.
        let unseen = elliptical_force(offset, velocity, Vector(force), &model);
        assert_eq!(unseen, seen * 0.5);
        assert_eq!(elliptical_force([0.0; 2], velocity, offset, &model), Vector::ZERO);
    }
}
