//! One agent without a world, which adds up steering forces and integrates its motion.

use crate::base::settings::LIMIT;
use crate::formulas::sums::compensated;
use crate::maths::Vector;
use crate::rules::steering::{Wanderer, arrive, evade, flee, force, pursue, seek, time_to_cover, wander};

/// An agent without a world, for a host that moves a few agents: the "steering manager" of the tutorials.
///
/// Each method adds the force of one rule; [`update`](Self::update) moves the agent by the same step as a
/// [`World`](crate::World) does. The host passes all positions; the agent has no world and therefore no edge.
///
/// ```
/// use throng::Vector;
/// use throng::steering::LoneAgent;
///
/// let mut agent = LoneAgent::<2>::default();
/// for _ in 0..600 {
///     agent.seek([20.0, 0.0], 5.0).flee([20.0, 30.0], 10.0);
///     agent.update(1.0 / 60.0);
/// }
/// assert!(agent.position.distance(Vector([20.0, 0.0])) < 0.01);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoneAgent<const D: usize> {
    /// Position in metres.
    pub position: Vector<D>,
    /// Velocity in metres per second.
    pub velocity: Vector<D>,
    /// Mass in kilograms.
    pub mass: f32,
    /// Largest speed in metres per second.
    pub max_speed: f32,
    /// Largest steering force in newtons.
    pub max_force: f32,
    /// Response time in seconds: the time constant with which the velocity approaches the desired one.
    pub response: f32,
    force: Vector<D>,
    /// Rounding residuals of the velocity and of the position.
    residuals: [Residual<D>; 2],
}

/// The rounding residual of a sum (compensated summation).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Residual<const D: usize> {
    sum: Vector<D>,
    residual: Vector<D>,
}

impl<const D: usize> Residual<D> {
    /// Adds a step to a sum and its residual, by the same operations as a world.
    fn add(&mut self, before: Vector<D>, step: Vector<D>) -> Vector<D> {
        for axis in 0..D {
            // A value that a limit or the host has set carries no residual.
            let carried = if before[axis] == self.sum[axis] { self.residual[axis] } else { 0.0 };
            (self.sum[axis], self.residual[axis]) = compensated(before[axis], carried, step[axis]);
        }
        self.sum
    }
}

/// At rest at the origin, with the body of a new [`Species`](crate::Species).
impl<const D: usize> Default for LoneAgent<D> {
    fn default() -> Self {
        Self {
            position: Vector::ZERO,
            velocity: Vector::ZERO,
            mass: 1.0,
            max_speed: 10.0,
            max_force: 30.0,
            response: 0.2,
            force: Vector::ZERO,
            residuals: [Residual::default(); 2],
        }
    }
}

impl<const D: usize> LoneAgent<D> {
    /// The sum of the forces since the last update, in newtons.
    #[must_use]
    pub fn force(&self) -> Vector<D> {
        self.force
    }

    /// Adds `weight` times the force towards a desired velocity, as returned by the functions of this module.
    pub fn add(&mut self, weight: f32, desired: impl Into<Option<Vector<D>>>) -> &mut Self {
        self.force += force(desired, self.velocity, self.response) * weight;
        self
    }

    /// Adds [`arrive`] at a point, or [`seek`] if `slowing_radius` is zero.
    pub fn seek(&mut self, target: impl Into<Vector<D>>, slowing_radius: f32) -> &mut Self {
        let offset = target.into() - self.position;
        if slowing_radius > 0.0 {
            return self.add(1.0, arrive(offset, self.max_speed, slowing_radius));
        }
        self.add(1.0, seek(offset, self.max_speed))
    }

    /// Adds [`flee`]: full speed away from a point within `panic_radius`.
    pub fn flee(&mut self, target: impl Into<Vector<D>>, panic_radius: f32) -> &mut Self {
        let desired = flee(target.into() - self.position, self.max_speed, panic_radius);
        self.add(1.0, desired)
    }

    /// Adds [`pursue`] of a target with this position and velocity, predicted for the time to reach it.
    pub fn pursue(&mut self, position: impl Into<Vector<D>>, velocity: impl Into<Vector<D>>) -> &mut Self {
        let offset = position.into() - self.position;
        let seconds = time_to_cover(offset.length(), self.max_speed, LIMIT);
        self.add(1.0, pursue(offset, velocity, self.max_speed, seconds))
    }

    /// Adds [`evade`] from a hunter with this position and velocity, predicted for the time to reach it.
    pub fn evade(&mut self, position: impl Into<Vector<D>>, velocity: impl Into<Vector<D>>) -> &mut Self {
        let offset = position.into() - self.position;
        let seconds = time_to_cover(offset.length(), self.max_speed, LIMIT);
        self.add(1.0, evade(offset, velocity, self.max_speed, seconds))
    }

    /// Adds [`wander`](super::wander()): full speed towards the point on a wanderer's circle. The host stores the
    /// wanderer and [`advance`](Wanderer::advance)s it once per update.
    pub fn wander(&mut self, wanderer: &Wanderer<D>, circle_radius: f32, circle_distance: f32) -> &mut Self {
        self.add(1.0, wander(wanderer, circle_radius, circle_distance, self.max_speed))
    }

    /// Moves the agent by `dt` seconds with the forces added since the last update, and clears them. A sum that is not
    /// finite has no effect.
    pub fn update(&mut self, dt: f32) {
        let force = if self.force.is_finite() { self.force } else { Vector::ZERO };
        let [of_velocity, of_position] = &mut self.residuals;
        let velocity = of_velocity.add(self.velocity, force.truncate(self.max_force) * (dt / self.mass));
        self.velocity = velocity.truncate(self.max_speed);
        self.position = of_position.add(self.position, self.velocity * dt);
        self.reset();
    }

    /// Clears the forces added since the last update.
    pub fn reset(&mut self) {
        self.force = Vector::ZERO;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::behaviours::{Arrive, Flee};
    use crate::{Edge, Noise, Settings, Species, Target, World};

    #[test]
    fn update_takes_the_same_steps_as_a_world() {
        let settings = Settings { edge: [Edge::Open; _], tick_seconds: 0.05, ..Settings::default() };
        let mut world = World::<2>::new(settings).unwrap();
        let (target, danger) = (Vector([30.0, 20.0]), Vector([18.0, 11.0]));
        let species = Species::new("lone")
            .with(1.0, Arrive { target: Target::Point(target), slowing_radius: 6.0 })
            .with(1.0, Flee { target: Target::Point(danger), panic_radius: 9.0, ..Flee::default() });
        let species = world.add_species(species).unwrap();
        let id = world.spawn(species, [1.0, 2.0], [0.0, 3.0]).unwrap();
        let mut agent =
            LoneAgent { position: Vector([1.0, 2.0]), velocity: Vector([0.0, 3.0]), ..LoneAgent::default() };
        for tick in 0..200 {
            if tick == 100 {
                // A position set by the host discards the residual.
                agent.position = Vector([4.0, 9.0]);
                agent.velocity = Vector([1.0, 1.0]);
                world.set_position(id, agent.position).unwrap();
                world.set_velocity(id, agent.velocity).unwrap();
            }
            world.step();
            agent.seek(target, 6.0).flee(danger, 9.0).update(0.05);
            let agents = world.agents(species).unwrap();
            assert_eq!((agents.position(0), agents.velocity(0)), (agent.position, agent.velocity));
        }
    }

    #[test]
    fn reset_clears_the_forces() {
        let mut agent = LoneAgent::<3> { velocity: Vector([1.0, 0.0, 0.0]), ..LoneAgent::default() };
        agent.seek([0.0, 5.0, 0.0], 0.0).pursue([1.0, 1.0, 1.0], [0.0, 0.0, 1.0]);
        assert_ne!(agent.force(), Vector::ZERO);
        agent.reset();
        agent.update(0.5);
        assert_eq!((agent.position, agent.velocity), (Vector([0.5, 0.0, 0.0]), Vector([1.0, 0.0, 0.0])));
    }

    #[test]
    fn one_frame_matches_the_step_of_the_document() {
        // With a step and a response of one second, the force is desired - velocity, truncated and divided by the mass.
        let mut agent = LoneAgent::<2> {
            velocity: Vector([0.0, 1.0]),
            mass: 2.0,
            max_speed: 3.0,
            max_force: 2.0,
            response: 1.0,
            ..LoneAgent::default()
        };
        agent.seek([4.0, 0.0], 0.0);
        assert_eq!(agent.force(), Vector([3.0, -1.0]));
        agent.update(1.0);
        let cut = 2.0 / 10f32.sqrt();
        assert_eq!(agent.velocity, Vector([3.0 * cut * 0.5, 1.0 - cut * 0.5]));
        assert_eq!(agent.position, agent.velocity);
    }

    #[test]
    fn wandering_stays_finite_and_at_speed() {
        let mut agent = LoneAgent::<3>::default();
        let mut wanderer = Wanderer::default();
        for tick in 0..1000 {
            wanderer.advance(agent.velocity, 180.0, 0.02, &mut Noise::new(1, 2, tick, Noise::USER));
            agent.wander(&wanderer, 1.0, 2.0).update(0.02);
        }
        assert!(agent.position.is_finite() && agent.velocity.length() > 5.0, "{agent:?}");
    }

    #[test]
    fn non_finite_forces_have_no_effect() {
        let mut agent = LoneAgent::<2>::default();
        agent.add(f32::INFINITY, Vector([1.0, 0.0])).add(1.0, None).evade([0.0, 0.0], [0.0, 0.0]);
        agent.update(1.0);
        assert_eq!(agent.position, Vector::ZERO);
    }
}
