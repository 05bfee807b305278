//! Seek: Reynolds, "Steering Behaviors For Autonomous Characters" (1999).

use crate::kernels::steer_to_target::TargetSteering;
use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Behaviour, Forces, Inputs, Rows};
use crate::rules::parameters::{Kind, reflect, rule};
use crate::rules::steering;
use crate::rules::target::Target;

rule! {
    /// The desired velocity is full speed towards the target: `max_speed * direction(target - position)`. (The paper
    /// prints the difference with the opposite sign, a known error.) Exactly at the target, and without a target, the
    /// force is zero. The agent has arrived when its body touches the target.
    "seek": "Moves towards a target at full speed."
    pub struct Seek<D> {
        /// The target.
        pub target: Target<D> = Target::default(), "m", Kind::Target;
    }
}

impl<const D: usize> Behaviour<D> for Seek<D> {
    fn inputs(&self) -> Inputs {
        Inputs::default().target("target", &self.target).arrival()
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        me.towards(me.target_or_arrive(0).and_then(|target| steering::seek(target.offset, me.max_speed())))
    }

    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        let targets = rows.targets(0);
        rows.arrive_where_touching(&targets);
        rows.head_for(0, &targets);
        rows.steer_to_target(&targets, TargetSteering::Seek, forces);
    }

    reflect!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::behaviours::testing::{RESPONSE, TICK, alone, force, motion};

    #[test]
    fn the_force_of_the_paper() {
        // The desired velocity is 10 m/s to the right, the present one 4 m/s upwards.
        let seek = Seek { target: Target::Point(Vector([50.0, 20.0])) };
        let (mut world, agent) = alone(seek, [20.0, 20.0], [0.0, 4.0]);
        assert_eq!(force(&mut world, agent), Vector([10.0 / RESPONSE, -4.0 / RESPONSE]));
    }

    #[test]
    fn from_rest_the_speed_approaches_the_largest_exponentially() {
        // v' = (S - v) / response, in ticks: the difference to full speed shrinks by a factor of 1 - dt / response.
        let seek = Seek { target: Target::Point(Vector([500.0, 0.0, 0.0])) };
        let (mut world, agent) = alone::<3>(seek, [100.0, 0.0, 0.0], [0.0; 3]);
        let mut missing = 10.0;
        for _ in 0..100 {
            world.step();
            missing *= 1.0 - TICK / RESPONSE;
            assert!((motion(&world, agent).1 - Vector([10.0 - missing, 0.0, 0.0])).length() < 1e-4);
        }
    }

    #[test]
    fn on_the_target_there_is_no_force() {
        let seek = Seek { target: Target::Point(Vector([50.0, 20.0])) };
        let (mut world, agent) = alone(seek, [50.0, 20.0], [1.0, 4.0]);
        assert_eq!(force(&mut world, agent), Vector::ZERO);
    }

    #[test]
    fn a_missing_target_exerts_no_force() {
        let seek = Seek { target: Target::Mark("pointer".to_owned()) };
        let (mut world, agent) = alone(seek, [50.0, 20.0], [1.0, 4.0]);
        assert_eq!(force(&mut world, agent), Vector::ZERO);
        world.environment_mut().marks.put(crate::Mark::new("pointer", [60.0, 20.0])).unwrap();
        assert_ne!(force(&mut world, agent), Vector::ZERO);
    }
}
