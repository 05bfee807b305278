//! Wandering: steering towards a point that walks at random on a circle ahead of the agent.

use std::f32::consts::PI;

use crate::formulas;
use crate::maths::{Noise, Vector, sin_cos};

/// The distance of a circle whose tangents are 60 degrees off the heading, in radii.
const NEAREST: f32 = 1.154_700_5;

/// Full speed towards the point on the wanderer's circle (a sphere in three dimensions). A circle nearer than 1.1547
/// radii is moved to that distance: the point is then at most 60 degrees off the heading, and an agent with at
/// least half of `max_speed` keeps at least that speed. Returns `None` if radius and distance are zero.
#[must_use]
pub fn wander<const D: usize>(
    wanderer: &Wanderer<D>,
    circle_radius: f32,
    circle_distance: f32,
    max_speed: f32,
) -> Option<Vector<D>> {
    let distance = self::circle_distance(circle_radius, circle_distance);
    super::seek(wanderer.point(circle_radius, distance), max_speed)
}

/// The distance of the circle after the lower bound of 1.1547 radii.
pub(crate) fn circle_distance(circle_radius: f32, circle_distance: f32) -> f32 {
    let nearest = circle_radius * NEAREST;
    if circle_distance < nearest { nearest } else { circle_distance }
}

/// The largest angle by which a displacement turns in a step of `dt` seconds, in radians.
pub(crate) fn largest_turn(angle_change: f32, dt: f32) -> f32 {
    0.5 * angle_change * (PI / 180.0) * dt.sqrt()
}

/// The velocity plus the offset to the point on the circle: the formula of the tutorials. At a response of one second
/// the offset itself is the force. Advance the wanderer [in the world](Wanderer::advance_in_world).
#[must_use]
pub fn wander_in_world<const D: usize>(
    wanderer: &Wanderer<D>,
    velocity: impl Into<Vector<D>>,
    circle_radius: f32,
    circle_distance: f32,
) -> Vector<D> {
    velocity.into() + wanderer.point(circle_radius, circle_distance)
}

/// The state of a wandering agent: its point on the circle ahead. The default has no point; the first step draws one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wanderer<const D: usize> {
    /// The direction from the circle's centre to the point on it.
    pub displacement: Vector<D>,
    /// The direction from the agent to the circle's centre.
    pub heading: Vector<D>,
}

impl<const D: usize> Wanderer<D> {
    /// Turns the displacement with the heading, and then by at most half of `angle_change * sqrt(dt)`, in degrees,
    /// either way. For steps of one second that is half of `angle_change`; shorter steps give the walk the same width
    /// after one second.
    ///
    /// At rest the last heading holds; if there was none, one is drawn.
    pub fn advance(&mut self, velocity: impl Into<Vector<D>>, angle_change: f32, dt: f32, noise: &mut Noise) {
        let before = self.face(velocity.into(), noise);
        let displacement = self.displacement.direction();
        let turned = formulas::wander::turned(displacement.0, before.0, self.heading.0);
        self.walk(Vector(turned), angle_change, dt, noise);
    }

    /// Advances like [`advance`](Self::advance), but keeps the displacement's direction in the world when the heading
    /// turns.
    pub fn advance_in_world(&mut self, velocity: impl Into<Vector<D>>, angle_change: f32, dt: f32, noise: &mut Noise) {
        self.face(velocity.into(), noise);
        self.walk(self.displacement.direction(), angle_change, dt, noise);
    }

    /// Sets the heading to the direction of a velocity; returns the previous heading.
    fn face(&mut self, velocity: Vector<D>, noise: &mut Noise) -> Vector<D> {
        let before = self.heading.direction();
        self.heading = Vector(formulas::wander::faced(velocity.0, before.0));
        if self.heading == Vector::ZERO {
            self.heading = noise.direction();
        }
        before
    }

    /// Moves the point from a displacement, or from a drawn one if it is zero.
    fn walk(&mut self, displacement: Vector<D>, angle_change: f32, dt: f32, noise: &mut Noise) {
        let displacement = if displacement == Vector::ZERO { noise.direction() } else { displacement };
        let aside = noise.across(displacement);
        let (sine, cosine) = sin_cos(noise.unit() * largest_turn(angle_change, dt));
        self.displacement = Vector(formulas::wander::walked(displacement.0, aside.0, (sine, cosine)));
    }

    /// The offset to the point on a circle with this radius and distance.
    fn point(&self, radius: f32, distance: f32) -> Vector<D> {
        Vector(formulas::wander::on_circle(self.heading.0, self.displacement.0, (radius, distance)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean cosine of the angle by which the displacement turns in a second while the agent flies straight.
    fn mean_turn<const D: usize>(angle_change: f32, ticks: u64) -> f64 {
        let velocity = Vector::from_fn(|axis| if axis == 0 { 1.0 } else { 0.0 });
        let many = 4000;
        let sum: f64 = (0..many)
            .map(|agent| {
                let mut wanderer = Wanderer::<D>::default();
                wanderer.advance(velocity, 0.0, 1.0, &mut Noise::new(1, agent, 0, 1));
                let start = wanderer.displacement;
                for tick in 1..=ticks {
                    let dt = 1.0 / ticks as f32;
                    wanderer.advance(velocity, angle_change, dt, &mut Noise::new(1, agent, tick, 1));
                }
                f64::from(start.dot(wanderer.displacement))
            })
            .sum();
        sum / many as f64
    }

    #[test]
    fn the_width_of_the_walk_does_not_depend_on_the_tick() {
        // In any dimension, each step multiplies the mean cosine by sin(most) / most; for short steps that gives
        // exp(-angle_change² / 24) after a second. The tolerance is five standard errors.
        let angle_change = 150.0f32;
        let limit = (-f64::from(angle_change).to_radians().powi(2) / 24.0).exp();
        for ticks in [4, 10, 50] {
            let most = 0.5 * f64::from(angle_change).to_radians() / (ticks as f64).sqrt();
            let expected = (most.sin() / most).powi(ticks);
            assert!((expected - limit).abs() < 0.02);
            for mean in [mean_turn::<2>(angle_change, ticks as u64), mean_turn::<3>(angle_change, ticks as u64)] {
                assert!((mean - expected).abs() < 5.0 * 0.4 / 4000f64.sqrt(), "{ticks}: {mean}, not {expected}");
            }
        }
    }

    #[test]
    fn one_step_turns_by_half_the_angle_change_at_most() {
        let velocity = Vector([0.0, 2.0]);
        let mut wanderer = Wanderer::default();
        wanderer.advance(velocity, 0.0, 1.0, &mut Noise::new(0, 0, 0, 0));
        let mut widest = 1.0f32;
        for tick in 1..1000 {
            let before = wanderer.displacement;
            wanderer.advance(velocity, 60.0, 1.0, &mut Noise::new(0, 0, tick, 0));
            let cosine = before.dot(wanderer.displacement);
            widest = if cosine < widest { cosine } else { widest };
        }
        let cosine_of_30 = 0.75f32.sqrt();
        assert!(widest > cosine_of_30 - 1e-5 && widest < cosine_of_30 + 1e-2, "{widest}");
    }

    #[test]
    fn the_displacement_turns_with_the_heading() {
        let headings = [[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [-0.36, 0.48, 0.8]];
        let mut noise = Noise::new(5, 0, 0, 0);
        let mut wanderer = Wanderer::<3>::default();
        wanderer.advance(headings[0], 0.0, 1.0, &mut noise);
        let along = wanderer.displacement.dot(wanderer.heading);
        for heading in headings {
            wanderer.advance(heading, 0.0, 1.0, &mut noise);
            assert_eq!(wanderer.heading, Vector(heading).direction());
            assert!((wanderer.displacement.dot(wanderer.heading) - along).abs() < 1e-5);
            assert!((wanderer.displacement.length() - 1.0).abs() < 1e-5);
        }
    }

    #[test]
    fn at_rest_the_last_heading_holds() {
        let mut noise = Noise::new(5, 0, 0, 0);
        let mut wanderer = Wanderer::<2>::default();
        wanderer.advance([0.0, 0.0], 90.0, 1.0, &mut noise);
        let drawn = wanderer.heading;
        assert!((drawn.length() - 1.0).abs() < 1e-6);
        wanderer.advance([0.0, 0.0], 90.0, 1.0, &mut noise);
        assert!((wanderer.heading - drawn).length() < 1e-6);
        assert!(wander(&wanderer, 1.0, 2.0, 10.0).is_some());
    }

    #[test]
    fn in_the_world_the_displacement_does_not_turn() {
        let mut noise = Noise::new(5, 0, 0, 0);
        let mut wanderer = Wanderer::<3>::default();
        wanderer.advance_in_world([1.0, 0.0, 0.0], 0.0, 1.0, &mut noise);
        let drawn = wanderer.displacement;
        for velocity in [[0.0, 3.0, 0.0], [0.0, 0.0, -1.0], [-2.0, 0.0, 0.0]] {
            wanderer.advance_in_world(velocity, 0.0, 1.0, &mut noise);
            assert!((wanderer.displacement - drawn).length() < 1e-6);
            assert_eq!(wanderer.heading, Vector(velocity).direction());
            let desired = wander_in_world(&wanderer, velocity, 3.0, 2.0);
            assert_eq!(desired, Vector(velocity) + (wanderer.heading * 2.0 + wanderer.displacement * 3.0));
        }
    }

    #[test]
    fn the_point_is_at_most_sixty_degrees_off_the_heading() {
        let (heading, mut widest) = (Vector([0.0, 1.0]), 1.0);
        for step in 0..3600 {
            let (sine, cosine) = sin_cos(step as f32 * (PI / 1800.0));
            let wanderer = Wanderer { displacement: Vector([cosine, sine]), heading };
            let desired = wander(&wanderer, 8.0, 6.0, 1.0).unwrap();
            widest = if desired.dot(heading) < widest { desired.dot(heading) } else { widest };
            // A circle far enough ahead stays where it is.
            let far = wander(&wanderer, 2.0, 4.0, 1.0).unwrap();
            assert_eq!(far, (heading * 4.0 + wanderer.displacement * 2.0).direction());
        }
        assert!((widest - 0.5).abs() < 1e-5, "{widest}");
    }

    #[test]
    fn a_circle_without_extent_desires_nothing() {
        let wanderer = Wanderer { displacement: Vector([-1.0, 0.0]), heading: Vector([1.0, 0.0]) };
        assert_eq!(wander(&wanderer, 0.0, 0.0, 10.0), None);
    }
}
