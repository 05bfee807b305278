//! Match velocity: Millington, "Artificial Intelligence for Games" (2006); the alignment of Reynolds with one target.

use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Behaviour, Forces, Inputs, Rows, Sight, SpeciesFilter};
use crate::rules::parameters::{Kind, reflect, rule};
use crate::rules::target::Target;

rule! {
    /// The desired velocity is the velocity of the target, which is zero for a point. Without a target the force is
    /// zero. The rule ignores a goal that the host set for the agent.
    "match_velocity": "Matches the velocity of a target."
    pub struct MatchVelocity<D> {
        /// The target with the velocity to match.
        pub target: Target<D> = Target::Nearest(SpeciesFilter::All), "m", Kind::Target;
        /// Whether `walls` and closed doors hide the nearest agent as a target; with `through` if the species says so, with
        /// `always` never.
        pub sight: Sight = Sight::Through, "", Sight::KIND, added;
    }
}

impl<const D: usize> Behaviour<D> for MatchVelocity<D> {
    fn inputs(&self) -> Inputs {
        Inputs::default().target("target", &self.target).target_sight(self.sight)
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        me.towards(me.target_past_goal(0).map(|target| target.velocity))
    }

    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        let targets = rows.targets_past_goal(0);
        rows.iter().for_each(|me| forces.set(&me, me.towards(targets.get(me.in_chunk).map(|target| target.velocity))));
    }

    reflect!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::behaviours::testing::{RESPONSE, TICK, add, add_inert, alone, force, motion, open};

    #[test]
    fn the_difference_decays_exponentially() {
        let mut world = open::<3>();
        let (_, leader) = add_inert(&mut world, "leader", [50.0, 10.0, 0.0], [1.0, 5.0, -3.0]);
        let follower = add(&mut world, MatchVelocity::default(), [0.0; 3], [-7.0, 0.0, 0.0]);
        let start = motion(&world, leader).1 - motion(&world, follower).1;
        let mut part = 1.0;
        for _ in 0..64 {
            world.step();
            part *= 1.0 - TICK / RESPONSE;
            let left = motion(&world, leader).1 - motion(&world, follower).1;
            assert!((left - start * part).length() < 1e-4);
        }
    }

    #[test]
    fn a_point_is_at_rest_and_a_missing_target_exerts_no_force() {
        let point = MatchVelocity { target: Target::Point(Vector::ZERO), ..MatchVelocity::default() };
        let (mut world, agent) = alone(point, [3.0, 3.0], [2.0, 1.0]);
        assert_eq!(force(&mut world, agent), Vector([-2.0 / RESPONSE, -1.0 / RESPONSE]));
        let (mut world, agent) = alone(MatchVelocity::default(), [3.0, 3.0], [2.0, 1.0]);
        assert_eq!(force(&mut world, agent), Vector::ZERO);
    }
}
