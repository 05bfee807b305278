//! Arrive: Reynolds, "Steering Behaviors For Autonomous Characters" (1999).

use crate::kernels::steer_to_target::TargetSteering;
use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Behaviour, Forces, Inputs, Rows};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::steering;
use crate::rules::target::Target;

rule! {
    /// The desired velocity points to the target. Within `slowing_radius` its speed falls linearly with the distance:
    /// `max_speed * distance / slowing_radius`. At the target it is zero, so the agent stops there. It does not
    /// overshoot if `slowing_radius` is at least four times `max_speed * response` and the largest force suffices to
    /// brake. Without a target the force is zero. The agent has arrived when its body touches the target; it stops
    /// later.
    "arrive": "Moves to a target and stops there."
    pub struct Arrive<D> {
        /// The target at which the agent stops.
        pub target: Target<D> = Target::default(), "m", Kind::Target;
        /// Distance from the target within which the agent slows down.
        pub slowing_radius: f32 = 10.0, "m", Kind::Number(Range::LENGTH);
    }
}

impl<const D: usize> Behaviour<D> for Arrive<D> {
    fn inputs(&self) -> Inputs {
        Inputs::default().target("target", &self.target).arrival()
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let target = me.target_or_arrive(0);
        me.towards(target.map(|target| steering::arrive(target.offset, me.max_speed(), self.slowing_radius)))
    }

    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        let targets = rows.targets(0);
        rows.arrive_where_touching(&targets);
        rows.head_for(0, &targets);
        rows.steer_to_target(&targets, TargetSteering::Arrive(self.slowing_radius), forces);
    }

    reflect!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::behaviours::testing::{RESPONSE, TICK, alone, desired, force, motion};

    fn at_fifty(slowing_radius: f32) -> Arrive<2> {
        Arrive { target: Target::Point(Vector([50.0, 0.0])), slowing_radius }
    }

    #[test]
    fn the_speed_falls_with_the_distance() {
        for (x, speed) in [(0.0, 10.0), (30.0, 10.0), (40.0, 5.0), (45.0, 2.5), (60.0, -5.0), (50.0, 0.0)] {
            let (mut world, agent) = alone(at_fifty(20.0), [x, 0.0], [0.0, 0.0]);
            assert_eq!(desired(&mut world, agent), Vector([speed, 0.0]), "from {x}");
        }
    }

    #[test]
    fn an_agent_on_the_target_brakes() {
        for radius in [0.0, 20.0] {
            let (mut world, agent) = alone(at_fifty(radius), [50.0, 0.0], [3.0, -4.0]);
            assert_eq!(force(&mut world, agent), Vector([-3.0 / RESPONSE, 4.0 / RESPONSE]));
        }
    }

    #[test]
    fn the_distance_decays_exponentially() {
        // x'' = (-x S / slowing_radius - x') / response: the slow root of response r² + r + S / slowing_radius = 0.
        let (mut world, agent) = alone(at_fifty(40.0), [10.0, 0.0], [0.0, 0.0]);
        let left = |world: &_| f64::from(50.0 - motion(world, agent).0[0]);
        for _ in 0..640 {
            world.step();
        }
        let early = left(&world);
        for _ in 0..64 {
            world.step();
        }
        let (response, rate) = (f64::from(RESPONSE), 10.0 / 40.0);
        let root = ((1.0 - 4.0 * response * rate).sqrt() - 1.0) / (2.0 * response);
        // The tolerance allows for the finite tick: its share of a response time.
        assert!((left(&world) / early / root.exp() - 1.0).abs() < f64::from(TICK / RESPONSE) * 0.1, "{root}");
    }

    #[test]
    fn a_gentle_slowing_radius_stops_without_overshooting() {
        for factor in [4.0, 6.0] {
            let (mut world, agent) = alone(at_fifty(factor * 10.0 * RESPONSE), [0.0, 3.0], [0.0, 0.0]);
            for _ in 0..2000 {
                world.step();
                assert!(motion(&world, agent).0[0] <= 50.0 + 1e-4, "{:?}", motion(&world, agent));
            }
            let (position, velocity) = motion(&world, agent);
            assert!((position - Vector([50.0, 0.0])).length() < 1e-3 && velocity.length() < 1e-3, "{position:?}");
        }
    }

    #[test]
    fn sharper_braking_overshoots_by_less_than_the_slowing_radius() {
        let (mut world, agent) = alone(at_fifty(1.0), [0.0, 0.0], [0.0, 0.0]);
        let mut furthest = 0.0;
        for _ in 0..2000 {
            world.step();
            let x = motion(&world, agent).0[0];
            furthest = if x > furthest { x } else { furthest };
        }
        assert!(furthest > 50.0 && furthest < 51.0, "{furthest}");
        assert!((motion(&world, agent).0[0] - 50.0).abs() < 1e-3);
    }
}
