//! Wander to targets: the first form of wandering in Reynolds, "Steering Behaviors For Autonomous Characters" (1999).

use crate::base::settings::LIMIT;
use crate::kernels::steer_to_target::TargetSteering;
use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Behaviour, Forces, Inputs, Rows};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::steering;
use crate::rules::target::Target;

rule! {
    /// The desired velocity is full speed towards a random point of the world. Each agent draws its own point, and
    /// draws another one every `interval` seconds. Exactly at the point the force is zero. The agent has arrived when
    /// its body touches the point.
    "wander_to_targets": "Moves to random points of the world."
    pub struct WanderToTargets {
        /// The time after which another point is drawn.
        pub interval: f32 = 5.0, "s", Kind::Number(Range::above(0.0, LIMIT as f64));
    }
}

impl<const D: usize> Behaviour<D> for WanderToTargets {
    fn inputs(&self) -> Inputs {
        Inputs::default().target("point", &Target::<D>::Random(self.interval)).arrival()
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let target = me.target_or_arrive(0);
        me.towards(target.and_then(|target| steering::seek(target.offset, me.max_speed())))
    }

    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        let targets = rows.targets(0);
        rows.arrive_where_touching(&targets);
        rows.steer_to_target(&targets, TargetSteering::Seek, forces);
    }

    reflect!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::behaviours::testing::{RESPONSE, TICK, alone, desired, motion};

    #[test]
    fn one_point_for_the_interval_and_then_another() {
        // From far away, all desired velocities point to one point.
        let rule = WanderToTargets { interval: 32.0 * TICK };
        let (mut world, agent) = alone(rule, [-5e4, 0.0], [0.0, 0.0]);
        let mut wanted = Vec::new();
        for _ in 0..96 {
            wanted.push(desired(&mut world, agent).direction()[1]);
        }
        for interval in wanted.chunks(32) {
            assert!(interval.iter().all(|y| (y - interval[0]).abs() < 1e-6));
        }
        assert!((wanted[31] - wanted[32]).abs() > 1e-5 && (wanted[63] - wanted[64]).abs() > 1e-5);
    }

    #[test]
    fn agents_stay_near_the_world() {
        let (mut world, agent) = alone::<3>(WanderToTargets { interval: 3.0 }, [50.0; 3], [0.0; 3]);
        for _ in 0..4000 {
            world.step();
            let position = motion(&world, agent).0;
            // Agents leave the world by at most their turning distance.
            let margin = 10.0 * RESPONSE * 2.0;
            assert!(position.0.iter().all(|x| (-margin..100.0 + margin).contains(x)), "{position:?}");
        }
    }
}
