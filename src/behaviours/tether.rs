//! Tether: an agent on a line, as in OpenSteer's descendants (after Reynolds 1999).

use crate::behaviour::{Behaviour, Me};
use crate::parameters::{Kind, Range, rule, tunable};
use crate::steering;
use crate::target::Target;
use crate::vector::Vector;

rule! {
    /// Within `length` of the anchor the agent is free. Beyond, it wants to fly faster towards the anchor than it does,
    /// by a speed that grows with the excess: linearly, up to `max_speed` where the line has stretched by `stretch`.
    /// A goal of the agent's own ([`World::set_goal`](crate::World::set_goal)) does not move the anchor.
    "tether": "Stays within reach of an anchor."
    pub struct Tether<D> {
        #[doc = "What it is tied to."]
        pub anchor: Target<D> = Target::default(), "m", Kind::Target;
        #[doc = "How far away it is free."]
        pub length: f32 = 30.0, "m", Kind::Number(Range::LENGTH);
        #[doc = "How much further the pull is strongest."]
        pub stretch: f32 = 10.0, "m", Kind::Number(Range::LENGTH);
    }
}

impl<const D: usize> Behaviour<D> for Tether<D> {
    fn steer(&self, me: &Me<'_, D>) -> Vector<D> {
        let anchor = me.aim_past_goal(&self.anchor);
        me.towards(anchor.and_then(|anchor| {
            steering::tether(anchor.offset, me.velocity(), me.max_speed(), self.length, self.stretch)
        }))
    }

    tunable!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behaviours::testing::assert_near;
    use crate::behaviours::trial::Trial;
    use crate::settings::Edge;

    fn tied<const D: usize>(edge: Edge) -> Trial<D> {
        Trial::new(edge, Tether { anchor: Target::Point(Vector::splat(50.0)), length: 20.0, stretch: 10.0 })
    }

    #[test]
    fn the_pull_grows_with_the_excess_up_to_full_speed() {
        // (distance, speed of the pull)
        for (distance, pull) in [(0.0, 0.0), (19.9, 0.0), (20.0, 0.0), (22.5, 2.5), (30.0, 10.0), (45.0, 10.0)] {
            let mut flat = tied::<2>(Edge::Open);
            let agent = flat.spawn([50.0 + distance, 50.0], [3.0, 4.0]);
            assert_near(flat.force(agent), [-pull / 0.2, 0.0]);
            let mut deep = tied::<3>(Edge::Open);
            let agent = deep.spawn([50.0, 50.0, 50.0 - distance], [3.0, 4.0, 0.0]);
            assert_near(deep.force(agent), [0.0, 0.0, pull / 0.2]);
        }
    }

    #[test]
    fn it_holds_across_the_seam_and_lets_a_line_without_stretch_be_stiff() {
        let mut trial = tied::<2>(Edge::Wrap);
        trial.add_rule(1.0, Tether { anchor: Target::Point(Vector([2.0, 50.0])), length: 5.0, stretch: 0.0 });
        // 6 metres from the second anchor through the seam, and 46 from the first.
        let agent = trial.spawn([96.0, 50.0], [0.0; 2]);
        assert_near(trial.force(agent), [-50.0 + 50.0, 0.0]);
    }

    #[test]
    fn a_goal_does_not_move_the_anchor_and_without_an_anchor_there_is_no_force() {
        let mut trial = tied::<2>(Edge::Open);
        let agent = trial.spawn([90.0, 50.0], [0.0; 2]);
        trial.world.set_goal(agent, Some(Vector([90.0, 50.0]))).unwrap();
        assert_near(trial.force(agent), [-50.0, 0.0]);
        let mut trial =
            Trial::<2>::new(Edge::Open, Tether { anchor: Target::Mark("post".into()), ..Tether::default() });
        let agent = trial.spawn([90.0, 50.0], [1.0; 2]);
        assert_near(trial.force(agent), [0.0; 2]);
    }

    #[test]
    fn an_agent_that_flies_away_comes_back() {
        let mut trial = tied::<3>(Edge::Open);
        let agent = trial.spawn([50.0; 3], [6.0, 6.0, 5.0]);
        let mut furthest = 0.0;
        for _ in 0..1200 {
            trial.force(agent);
            let distance = (trial.position(agent) - Vector::splat(50.0)).length();
            furthest = if distance > furthest { distance } else { furthest };
        }
        // Work against the pull: 9.8² / 2 joules are spent within 20 + sqrt(2 * 48.5 / 5) metres.
        assert!((20.0..24.5).contains(&furthest), "{furthest}");
    }
}
