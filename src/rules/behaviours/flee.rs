//! Flee: Reynolds, "Steering Behaviors For Autonomous Characters" (1999).

use crate::base::settings::LIMIT;
use crate::kernels::steer_to_target::TargetSteering;
use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Behaviour, Forces, Inputs, Rows, Sight};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::steering;
use crate::rules::target::Target;

rule! {
    /// The desired velocity is full speed away from the target within `panic_radius`: `max_speed * direction(position -
    /// target)`. Beyond that radius, exactly at the target, and without a target, the force is zero. The rule ignores a
    /// goal that the host set for the agent.
    "flee": "Moves away from a target at full speed."
    pub struct Flee<D> {
        /// The target that the agent flees.
        pub target: Target<D> = Target::default(), "m", Kind::Target;
        /// Distance within which the agent flees; by default any distance.
        pub panic_radius: f32 = LIMIT, "m", Kind::Number(Range::LENGTH);
        /// Whether `walls` and closed doors hide the nearest agent as a target; with `through` if the species says so, with
        /// `always` never.
        pub sight: Sight = Sight::Through, "", Sight::KIND, added;
    }
}

impl<const D: usize> Behaviour<D> for Flee<D> {
    fn inputs(&self) -> Inputs {
        Inputs::default().target("target", &self.target).target_sight(self.sight).nearby()
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let target = me.target_past_goal(0);
        me.towards(target.and_then(|target| steering::flee(target.offset, me.max_speed(), self.panic_radius)))
    }

    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        rows.steer_to_target(&rows.targets_past_goal(0), TargetSteering::Flee(self.panic_radius), forces);
    }

    reflect!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::behaviours::testing::{RESPONSE, add, alone, desired, force, periodic};

    fn from_point<const D: usize>(point: [f32; D], panic_radius: f32) -> Flee<D> {
        Flee { target: Target::Point(Vector(point)), panic_radius, ..Flee::default() }
    }

    #[test]
    fn the_velocity_counts_with_the_sign_of_the_paper() {
        let (mut world, agent) = alone(from_point([50.0, 20.0], 40.0), [20.0, 20.0], [3.0, 4.0]);
        assert_eq!(force(&mut world, agent), Vector([-13.0 / RESPONSE, -4.0 / RESPONSE]));
    }

    #[test]
    fn the_force_ends_at_the_panic_radius() {
        for (x, panic) in [(20.0, true), (19.0, false)] {
            let (mut world, agent) = alone(from_point([50.0, 20.0], 30.0), [x, 20.0], [1.0, 0.0]);
            assert_eq!(force(&mut world, agent) != Vector::ZERO, panic);
        }
    }

    #[test]
    fn the_nearest_image_is_fled_from() {
        let mut world = periodic::<3>();
        let agent = add(&mut world, from_point([95.0, 50.0, 50.0], LIMIT), [5.0, 50.0, 50.0], [0.0; 3]);
        assert_eq!(desired(&mut world, agent), Vector([10.0, 0.0, 0.0]));
    }

    #[test]
    fn on_the_target_there_is_no_force() {
        let (mut world, agent) = alone(from_point([50.0, 20.0], 30.0), [50.0, 20.0], [0.0, 0.0]);
        assert_eq!(force(&mut world, agent), Vector::ZERO);
    }

    #[test]
    fn a_goal_is_not_fled_from() {
        let (mut world, agent) = alone(from_point([50.0, 20.0], 30.0), [40.0, 20.0], [0.0, 0.0]);
        world.set_goal(agent, Some(Vector([0.0, 20.0]))).unwrap();
        assert_eq!(desired(&mut world, agent), Vector([-10.0, 0.0]));
    }
}
