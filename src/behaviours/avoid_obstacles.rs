//! Obstacle avoidance: Reynolds, "Steering Behaviors For Autonomous Characters" (1999).

use crate::behaviour::{Behaviour, Me};
use crate::noise::Noise;
use crate::parameters::{Kind, Range, rule, tunable};
use crate::steering::{self, Body, Feeler};
use crate::vector::Vector;

rule! {
    /// A feeler lies ahead of the agent, along its velocity relative to the obstacle, so that moving obstacles are
    /// avoided too. Of the obstacles that it meets, each wider by the agent's body and `avoid_buffer`, the one that it
    /// meets first counts alone. With `closeness = 1 - distance / avoid_distance` to where it does, the agent wants to
    /// go `closeness * max_speed` faster at right angles to the feeler, away from the obstacle's centre, and
    /// `braking * closeness` slower. Where the feeler points at the very centre, the side is drawn for each agent.
    ///
    /// An agent that is inside an obstacle already flies straight out at full speed. At rest it has no feeler to what
    /// rests too. Tutorials brake for every circle that they meet, so that the brakes of several multiply, and measure
    /// to the circle's centre, which lets large ones come too near; here it is one obstacle, and its edge.
    "avoid_obstacles": "Steers round obstacles ahead."
    pub struct AvoidObstacles {
        #[doc = "How far ahead it looks."]
        pub avoid_distance: f32 = 15.0, "m", Kind::Number(Range::above(0.0, 1e6));
        #[doc = "How far it keeps from an obstacle."]
        pub avoid_buffer: f32 = 1.0, "m", Kind::Number(Range::LENGTH);
        #[doc = "The share of its speed that it gives up when it is closest."]
        pub braking: f32 = 0.5, "", Kind::Number(Range::from(0.0, 1.0));
    }
}

impl<const D: usize> Behaviour<D> for AvoidObstacles {
    fn steer(&self, me: &Me<'_, D>) -> Vector<D> {
        let Self { avoid_distance, avoid_buffer, braking } = *self;
        let obstacles = me.scene().scenery().obstacles().iter();
        me.towards(steering::avoid_obstacles(
            obstacles.map(|obstacle| Body::new(me.offset_to(obstacle.centre), obstacle.velocity, obstacle.radius)),
            me.velocity(),
            me.radius(),
            me.max_speed(),
            Feeler { avoid_distance, avoid_buffer, braking },
            // An agent keeps to its side: the draw is the same in every tick.
            || Noise::new(me.scene().settings().seed, me.id().to_bits(), 0, Noise::AVOID),
        ))
    }

    tunable!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behaviours::testing::assert_near;
    use crate::behaviours::trial::Trial;
    use crate::behaviours::{FollowFlowField, Seek};
    use crate::flow_field::FlowField;
    use crate::scenery::Obstacle;
    use crate::settings::Edge;
    use crate::target::Target;

    fn add<const D: usize>(trial: &mut Trial<D>, centre: [f32; D], radius: f32, velocity: [f32; D]) {
        let obstacle = Obstacle { centre: centre.into(), radius, velocity: velocity.into() };
        trial.world.scenery_mut().add_obstacle(obstacle).unwrap();
    }

    fn rule() -> AvoidObstacles {
        AvoidObstacles { avoid_distance: 20.0, avoid_buffer: 0.5, braking: 0.5 }
    }

    #[test]
    fn it_turns_away_and_brakes_by_how_close_the_edge_is() {
        // A circle of 4 + 0.5 + 0.5 metres, one metre beside the feeler: met at 15 - sqrt(25 - 1).
        let closeness = 1.0 - (15.0 - 24.0_f32.sqrt()) / 20.0;
        for start in [45.0, 95.0] {
            let mut trial = Trial::<2>::new(Edge::Wrap, rule());
            add(&mut trial, [(start + 15.0) % 100.0, 49.0], 4.0, [0.0; 2]);
            let agent = trial.spawn([start, 50.0], [8.0, 0.0]);
            assert_near(trial.force(agent), [-8.0 * 0.5 * closeness / 0.2, 10.0 * closeness / 0.2]);
        }
    }

    #[test]
    fn what_the_feeler_does_not_meet_does_not_matter_nor_does_what_it_meets_later() {
        let mut trial = Trial::<3>::new(Edge::Open, rule());
        let agent = trial.spawn([50.0; 3], [0.0, 0.0, 10.0]);
        assert_near(trial.force(agent), [0.0; 3]);
        add(&mut trial, [55.5, 50.0, 60.0], 4.0, [0.0; 3]);
        add(&mut trial, [50.0, 51.0, 45.0], 4.0, [0.0; 3]);
        add(&mut trial, [50.0, 51.0, 76.0], 4.0, [0.0; 3]);
        trial.world.set_position(agent, [50.0; 3]).unwrap();
        assert_near(trial.force(agent), [0.0; 3]);
        // The one further away is the larger one, and is met first.
        add(&mut trial, [50.0, 49.0, 64.0], 2.0, [0.0; 3]);
        add(&mut trial, [50.0, 52.0, 66.0], 9.0, [0.0; 3]);
        trial.world.set_position(agent, [50.0; 3]).unwrap();
        let closeness = 1.0 - (16.0 - 96.0_f32.sqrt()) / 20.0;
        assert_near(trial.force(agent), [0.0, -50.0 * closeness, -25.0 * closeness]);
    }

    #[test]
    fn inside_it_flies_straight_out_at_rest_too() {
        let mut trial = Trial::<2>::new(Edge::Open, rule());
        add(&mut trial, [50.0, 50.0], 4.0, [0.0; 2]);
        add(&mut trial, [59.0, 50.0], 4.6, [0.0; 2]);
        let within = trial.spawn([50.0, 52.0], [0.0; 2]);
        let in_the_middle = trial.spawn([50.0, 50.0], [3.0, 0.0]);
        let beside = trial.spawn([50.0, 54.6], [0.0; 2]);
        // In both circles, and deeper in the second.
        let between = trial.spawn([54.4, 50.0], [0.0, 1.0]);
        assert_near(trial.force(within), [0.0, 50.0]);
        let drawn = trial.velocity(in_the_middle);
        assert!(drawn.is_finite() && drawn != Vector::ZERO);
        assert_eq!(trial.velocity(beside), Vector::ZERO);
        assert_near(trial.velocity(between), Vector([0.0, 1.0]) + Vector([-50.0, -5.0]).truncate(30.0) / 60.0);
    }

    /// Flies an agent for ten seconds and tells how far it kept from the body of the first obstacle, and where it ended.
    fn fly<const D: usize>(trial: &mut Trial<D>, agent: crate::AgentId) -> (f32, Vector<D>) {
        let mut least = f32::INFINITY;
        for _ in 0..600 {
            trial.force(agent);
            let obstacle = trial.world.scenery().obstacles()[0];
            let gap = (trial.position(agent) - obstacle.centre).length() - obstacle.radius - 0.5;
            least = if gap < least { gap } else { least };
        }
        (least, trial.position(agent))
    }

    #[test]
    fn an_agent_that_flies_straight_at_an_obstacle_passes_it() {
        for radius in [0.5, 3.0, 8.0] {
            let mut flat = Trial::<2>::new(Edge::Open, AvoidObstacles::default());
            add(&mut flat, [50.0, 50.0], radius, [0.0; 2]);
            let agent = flat.spawn([20.0, 50.0], [10.0, 0.0]);
            let (gap, end) = fly(&mut flat, agent);
            assert!(gap > 0.0 && end[0] > 55.0, "{radius}: {gap} {end:?}");
            let mut deep = Trial::<3>::new(Edge::Open, AvoidObstacles::default());
            add(&mut deep, [50.0; 3], radius, [0.0; 3]);
            let agent = deep.spawn([50.0, 50.0, 80.0], [0.0, 0.0, -10.0]);
            let (gap, end) = fly(&mut deep, agent);
            assert!(gap > 0.0 && end[2] < 45.0, "{radius}: {gap} {end:?}");
        }
    }

    #[test]
    fn it_reaches_what_lies_behind_an_obstacle() {
        let mut trial = Trial::<2>::new(Edge::Open, Seek { target: Target::Point(Vector([90.0, 50.0])) });
        trial.add_rule(3.0, AvoidObstacles::default());
        add(&mut trial, [50.0, 50.0], 8.0, [0.0; 2]);
        let agent = trial.spawn([20.0, 50.0], [10.0, 0.0]);
        let (gap, end) = fly(&mut trial, agent);
        assert!(gap > 0.0 && (end - Vector([90.0, 50.0])).length() < 5.0, "{gap} {end:?}");
    }

    #[test]
    fn it_gets_out_of_the_way_of_what_moves_and_stays_clear_of_what_crosses() {
        let mut trial = Trial::<2>::new(Edge::Open, AvoidObstacles::default());
        add(&mut trial, [20.0, 50.0], 4.0, [6.0, 0.0]);
        let stands = trial.spawn([60.0, 50.0], [0.0; 2]);
        let (gap, _) = fly(&mut trial, stands);
        assert!(gap > 0.0, "{gap}");

        // It flies north; the obstacle comes from the west and they would meet in the middle.
        let mut trial = Trial::<2>::new(Edge::Open, AvoidObstacles::default());
        trial.add_rule(0.5, FollowFlowField::default());
        let north = FlowField::new([1, 1], vec![Vector([0.0, 1.0])]).unwrap();
        trial.world.scenery_mut().set_field("flow", north);
        add(&mut trial, [35.0, 50.0], 4.0, [5.0, 0.0]);
        let crosses = trial.spawn([50.0, 20.0], [0.0, 10.0]);
        let (gap, end) = fly(&mut trial, crosses);
        assert!(gap > 0.0 && end[1] > 90.0, "{gap} {end:?}");
    }

    #[test]
    fn the_side_is_drawn_for_each_agent() {
        let mut left = 0;
        let mut trial = Trial::<2>::new(Edge::Open, rule());
        add(&mut trial, [50.0, 50.0], 4.0, [0.0; 2]);
        let agents: Vec<_> = (0..100).map(|_| trial.spawn([38.0, 50.0], [10.0, 0.0])).collect();
        trial.world.step();
        for agent in agents {
            assert!(trial.velocity(agent)[1].abs() > 0.1);
            left += usize::from(trial.velocity(agent)[1] > 0.0);
        }
        assert!((30..70).contains(&left), "{left}");
    }
}
