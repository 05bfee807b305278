//! Tether: an agent on an elastic line, as in the descendants of OpenSteer (after Reynolds 1999).

use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Behaviour, Inputs};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::steering;
use crate::rules::target::Target;

rule! {
    /// Within `length` of the anchor the force is zero. Beyond, the agent adds a velocity towards the anchor to its
    /// own. The added speed grows linearly with the excess, up to `max_speed` where the line is stretched by `stretch`.
    /// A goal of the agent ([`World::set_goal`](crate::World::set_goal)) does not move the anchor.
    "tether": "Stays within reach of an anchor."
    pub struct Tether<D> {
        /// The anchor.
        pub anchor: Target<D> = Target::default(), "m", Kind::Target;
        /// Length of the line; within it the force is zero.
        pub length: f32 = 30.0, "m", Kind::Number(Range::LENGTH), Length;
        /// Stretch of the line at which the pull is strongest.
        pub stretch: f32 = 10.0, "m", Kind::Number(Range::LENGTH);
    }
}

impl<const D: usize> Behaviour<D> for Tether<D> {
    fn inputs(&self) -> Inputs {
        Inputs::default().target("anchor", &self.anchor).nearby()
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let anchor = me.target_past_goal(0);
        me.towards(anchor.and_then(|anchor| {
            steering::tether(anchor.offset, me.velocity(), me.max_speed(), self.length, self.stretch)
        }))
    }

    reflect!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::Edge;
    use crate::rules::behaviours::testing::{RESPONSE, add_rule, assert_near, desired, force, motion, ruled, spawn};
    use crate::world::World;

    fn tied<const D: usize>(edge: Edge) -> World<D> {
        ruled(edge, Tether { anchor: Target::Point(Vector::splat(50.0)), length: 20.0, stretch: 10.0 })
    }

    #[test]
    fn the_pull_grows_with_the_excess_up_to_full_speed() {
        // Distance, speed of the pull.
        for (distance, pull) in [(0.0, 0.0), (19.9, 0.0), (20.0, 0.0), (22.5, 2.5), (30.0, 10.0), (45.0, 10.0)] {
            let mut flat = tied::<2>(Edge::Open);
            let agent = spawn(&mut flat, [50.0 + distance, 50.0], [3.0, 4.0]);
            assert_near(force(&mut flat, agent), [-pull / RESPONSE, 0.0]);
            let mut deep = tied::<3>(Edge::Open);
            let agent = spawn(&mut deep, [50.0, 50.0, 50.0 - distance], [3.0, 4.0, 0.0]);
            assert_near(force(&mut deep, agent), [0.0, 0.0, pull / RESPONSE]);
        }
    }

    #[test]
    fn a_tether_crosses_the_seam_and_zero_stretch_is_stiff() {
        let mut world = tied::<2>(Edge::Wrap);
        add_rule(&mut world, 1.0, Tether { anchor: Target::Point(Vector([2.0, 50.0])), length: 5.0, stretch: 0.0 });
        // The second anchor is 6 metres away across the seam, the first 46 metres.
        let agent = spawn(&mut world, [96.0, 50.0], [0.0; 2]);
        assert_near(force(&mut world, agent), [0.0; 2]);
    }

    #[test]
    fn a_goal_does_not_move_the_anchor_and_without_an_anchor_there_is_no_force() {
        let mut world = tied::<2>(Edge::Open);
        let agent = spawn(&mut world, [90.0, 50.0], [0.0; 2]);
        world.set_goal(agent, Some(Vector([90.0, 50.0]))).unwrap();
        assert_near(desired(&mut world, agent), [-10.0, 0.0]);
        let mut world = ruled::<2>(Edge::Open, Tether { anchor: Target::Mark("post".into()), ..Tether::default() });
        let agent = spawn(&mut world, [90.0, 50.0], [1.0; 2]);
        assert_near(force(&mut world, agent), [0.0; 2]);
    }

    #[test]
    fn an_agent_that_flies_away_comes_back() {
        let mut world = tied::<3>(Edge::Open);
        let agent = spawn(&mut world, [50.0; 3], [6.0, 6.0, 5.0]);
        let mut furthest = 0.0;
        for _ in 0..64 * 20 {
            force(&mut world, agent);
            let distance = (motion(&world, agent).0 - Vector::splat(50.0)).length();
            furthest = if distance > furthest { distance } else { furthest };
        }
        // The kinetic energy of 9.8² / 2 joules is spent within 20 + sqrt(2 * 48.5 / 4) metres.
        assert!((20.0..25.0).contains(&furthest), "{furthest}");
    }
}
