//! Obstacle avoidance: Reynolds, "Steering Behaviors For Autonomous Characters" (1999).

use crate::boxes::aabb::Aabb;
use crate::environment::Obstacle;
use crate::environment::index::NearClumps;
use crate::kernels::avoid_obstacles::{Feelers, avoid_discs};
use crate::kernels::discs::NearDiscs;
use crate::kernels::{self, CHUNK, CLUSTER};
use crate::maths::{Noise, Vector, ones};
use crate::rules::interface::{AgentRef, Behaviour, Forces, Inputs, Rows};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::steering::{self, Body, Feeler};

rule! {
    /// A feeler lies ahead of the agent, along its velocity relative to the obstacle, so it avoids moving obstacles
    /// too. Each obstacle is enlarged by the agent's body and `avoid_buffer`. Only the first obstacle that the feeler
    /// meets counts. With `distance` the distance to that obstacle along the feeler and `closeness = 1 - distance /
    /// avoid_distance`, the agent adds `closeness * max_speed` to its velocity at right angles to the feeler, away from
    /// the obstacle's centre, and slows down by `braking * closeness`. If the feeler points at the centre, the side is
    /// drawn for each agent.
    ///
    /// An agent inside an obstacle moves straight out at full speed. An agent at rest has no feeler towards an obstacle
    /// at rest. Tutorials brake for every circle that the feeler meets, so the braking of several circles multiplies.
    /// They also measure the distance to the circle's centre, so large obstacles come too near. This rule brakes for
    /// one obstacle and measures to its edge.
    "avoid_obstacles": "Steers round obstacles ahead."
    pub struct AvoidObstacles {
        /// Length of the feeler.
        pub avoid_distance: f32 = 15.0, "m", Kind::Number(Range::above(0.0, 1e6));
        /// The least gap between the agent's body and an obstacle.
        pub avoid_buffer: f32 = 1.0, "m", Kind::Number(Range::LENGTH);
        /// The share of its speed that the agent loses at the closest distance.
        pub braking: f32 = 0.5, "", Kind::Number(Range::from(0.0, 1.0));
    }
}

impl AvoidObstacles {
    /// The largest distance to the edge of a relevant obstacle, for an agent of this radius.
    fn reach(&self, body: f32) -> f32 {
        self.avoid_distance + self.avoid_buffer + body
    }
}

impl<const D: usize> Behaviour<D> for AvoidObstacles {
    fn inputs(&self) -> Inputs {
        Inputs::default().nearby().searching()
    }

    fn only_avoids(&self) -> bool {
        true
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let (world, mut near) = (me.world(), Vec::new());
        let here = Aabb { centre: me.position(), half: Vector::ZERO };
        world.environment_index.obstacles_within(&here, self.reach(me.radius()), &mut near);
        let obstacles = near.into_iter().map(|number| {
            let Obstacle { centre, radius, velocity, .. } = world.environment().obstacles.items()[number as usize];
            Body::new(me.offset_to(centre), velocity, radius)
        });
        let Self { avoid_distance, avoid_buffer, braking } = *self;
        me.towards(steering::avoid_obstacles(
            obstacles,
            me.velocity(),
            me.radius(),
            me.max_speed(),
            Feeler { avoid_distance, avoid_buffer, braking },
            // The draw is the same in every tick, so that an agent keeps to its side.
            || Noise::new(world.settings().seed, me.id().to_bits(), 0, Noise::AVOID),
        ))
    }

    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        self.steer_in_place(rows, forces);
        rows.out_of_place().for_each(|me| forces.set(&me, self.steer(&me)));
    }

    reflect!();
}

impl AvoidObstacles {
    /// Sets the forces of the agents in place. May also set the results of other agents.
    fn steer_in_place<const D: usize>(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        let (world, agents) = (rows.world, rows.agents);
        let chunk = rows.chunk..(rows.chunk + CHUNK).clamp(0, agents.padded());
        let body = agents.body.radius.of(chunk.clone());
        let reach = self.reach(agents.body.radius.largest(rows.chunk..chunk.end.clamp(0, agents.len())));
        let mut near = NearClumps::default();
        let Some(bounds) = rows.chunk_bounds() else { return };
        world.environment_index.clumps_within(&bounds, reach, &mut near);
        let discs = world.environment_index.discs(&near);
        if discs.iter().all(|near| near.clumps.is_empty()) {
            return;
        }
        if discs.iter().any(NearDiscs::are_far_outside) {
            rows.iter().for_each(|me| forces.set(&me, self.steer(&me)));
            return;
        }
        let period = world.settings().period();
        let feelers = Feelers {
            position: kernels::rows(&agents.position, chunk),
            steered: rows.steered(),
            body,
            distance: self.avoid_distance,
            buffer: self.avoid_buffer,
            braking: self.braking,
            reach,
            period,
        };
        for first in (rows.first..rows.first + rows.len).step_by(CLUSTER) {
            let Some(Aabb { centre, half }) = rows.cluster_bounds(first) else { continue };
            let left_out =
                avoid_discs(rows.level, &feelers, first / CLUSTER, (&centre.0, &half.0), &discs, forces.forces);
            for me in ones(left_out).map(|lane| rows.at(first + lane)) {
                forces.set(&me, self.steer(&me));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::Edge;
    use crate::environment::flow_field::FlowField;
    use crate::rules::behaviours::testing::{RESPONSE, TICK, add_rule, assert_near, force, motion, ruled, spawn};
    use crate::rules::behaviours::{FollowFlowField, Seek};
    use crate::rules::target::Target;
    use crate::world::World;

    fn add<const D: usize>(world: &mut World<D>, centre: [f32; D], radius: f32, velocity: [f32; D]) {
        let obstacle = Obstacle { velocity: velocity.into(), ..Obstacle::new(centre, radius) };
        world.environment_mut().obstacles.add(obstacle).unwrap();
    }

    fn rule() -> AvoidObstacles {
        AvoidObstacles { avoid_distance: 20.0, avoid_buffer: 0.5, braking: 0.5 }
    }

    #[test]
    fn turning_and_braking_grow_with_closeness() {
        // The centre of the circle of 4 + 0.5 + 0.5 metres is one metre beside the feeler, which meets it at
        // 15 - sqrt(25 - 1).
        let closeness = 1.0 - (15.0 - 24.0_f32.sqrt()) / 20.0;
        for start in [45.0, 95.0] {
            let mut world = ruled::<2>(Edge::Wrap, rule());
            add(&mut world, [(start + 15.0) % 100.0, 49.0], 4.0, [0.0; 2]);
            let agent = spawn(&mut world, [start, 50.0], [8.0, 0.0]);
            assert_near(force(&mut world, agent), [-8.0 * 0.5 * closeness / RESPONSE, 10.0 * closeness / RESPONSE]);
        }
    }

    #[test]
    fn only_the_first_obstacle_on_the_feeler_counts() {
        let mut world = ruled::<3>(Edge::Open, rule());
        let agent = spawn(&mut world, [50.0; 3], [0.0, 0.0, 10.0]);
        assert_near(force(&mut world, agent), [0.0; 3]);
        add(&mut world, [55.5, 50.0, 60.0], 4.0, [0.0; 3]);
        add(&mut world, [50.0, 51.0, 45.0], 4.0, [0.0; 3]);
        add(&mut world, [50.0, 51.0, 76.0], 4.0, [0.0; 3]);
        world.set_position(agent, [50.0; 3]).unwrap();
        assert_near(force(&mut world, agent), [0.0; 3]);
        // The farther obstacle is larger and is met first.
        add(&mut world, [50.0, 49.0, 64.0], 2.0, [0.0; 3]);
        add(&mut world, [50.0, 52.0, 66.0], 9.0, [0.0; 3]);
        world.set_position(agent, [50.0; 3]).unwrap();
        let closeness = 1.0 - (16.0 - 96.0_f32.sqrt()) / 20.0;
        assert_near(force(&mut world, agent), [0.0, -10.0 / RESPONSE * closeness, -5.0 / RESPONSE * closeness]);
    }

    #[test]
    fn an_agent_inside_an_obstacle_flies_straight_out() {
        let mut world = ruled::<2>(Edge::Open, rule());
        add(&mut world, [50.0, 50.0], 4.0, [0.0; 2]);
        add(&mut world, [59.0, 50.0], 4.6, [0.0; 2]);
        let within = spawn(&mut world, [50.0, 52.0], [0.0; 2]);
        let in_the_middle = spawn(&mut world, [50.0, 50.0], [3.0, 0.0]);
        let beside = spawn(&mut world, [50.0, 54.6], [0.0; 2]);
        // The agent is inside both circles, deeper in the second.
        let between = spawn(&mut world, [54.4, 50.0], [0.0, 1.0]);
        assert_near(force(&mut world, within), [0.0, 10.0 / RESPONSE]);
        let drawn = motion(&world, in_the_middle).1;
        assert!(drawn.is_finite() && drawn != Vector::ZERO);
        assert_eq!(motion(&world, beside).1, Vector::ZERO);
        assert_near(
            motion(&world, between).1,
            Vector([0.0, 1.0]) + (Vector([-10.0, -1.0]) / RESPONSE).truncate(30.0) * TICK,
        );
    }

    /// Runs for ten seconds; returns the agent's least distance to the body of the first obstacle and its final
    /// position.
    fn fly<const D: usize>(world: &mut World<D>, agent: crate::AgentId) -> (f32, Vector<D>) {
        let mut least = f32::INFINITY;
        for _ in 0..64 * 10 {
            force(world, agent);
            let obstacle = world.environment().obstacles.items()[0];
            let gap = (motion(world, agent).0 - obstacle.centre).length() - obstacle.radius - 0.5;
            least = if gap < least { gap } else { least };
        }
        (least, motion(world, agent).0)
    }

    #[test]
    fn an_agent_that_flies_straight_at_an_obstacle_passes_it() {
        for radius in [0.5, 3.0, 8.0] {
            let mut flat = ruled::<2>(Edge::Open, AvoidObstacles::default());
            add(&mut flat, [50.0, 50.0], radius, [0.0; 2]);
            let agent = spawn(&mut flat, [20.0, 50.0], [10.0, 0.0]);
            let (gap, end) = fly(&mut flat, agent);
            assert!(gap > 0.0 && end[0] > 55.0, "{radius}: {gap} {end:?}");
            let mut deep = ruled::<3>(Edge::Open, AvoidObstacles::default());
            add(&mut deep, [50.0; 3], radius, [0.0; 3]);
            let agent = spawn(&mut deep, [50.0, 50.0, 80.0], [0.0, 0.0, -10.0]);
            let (gap, end) = fly(&mut deep, agent);
            assert!(gap > 0.0 && end[2] < 45.0, "{radius}: {gap} {end:?}");
        }
    }

    #[test]
    fn an_agent_reaches_a_target_behind_an_obstacle() {
        let mut world = ruled::<2>(Edge::Open, Seek { target: Target::Point(Vector([90.0, 50.0])) });
        add_rule(&mut world, 3.0, AvoidObstacles::default());
        add(&mut world, [50.0, 50.0], 8.0, [0.0; 2]);
        let agent = spawn(&mut world, [20.0, 50.0], [10.0, 0.0]);
        let (gap, end) = fly(&mut world, agent);
        assert!(gap > 0.0 && (end - Vector([90.0, 50.0])).length() < 5.0, "{gap} {end:?}");
    }

    #[test]
    fn an_agent_avoids_moving_obstacles() {
        let mut world = ruled::<2>(Edge::Open, AvoidObstacles::default());
        add(&mut world, [20.0, 50.0], 4.0, [6.0, 0.0]);
        let stands = spawn(&mut world, [60.0, 50.0], [0.0; 2]);
        let (gap, _) = fly(&mut world, stands);
        assert!(gap > 0.0, "{gap}");

        // The agent flies north, the obstacle comes from the west; they would meet in the centre.
        let mut world = ruled::<2>(Edge::Open, AvoidObstacles::default());
        add_rule(&mut world, 0.5, FollowFlowField::default());
        let north = FlowField::new("flow", [1, 1], vec![Vector([0.0, 1.0])]).unwrap();
        world.environment_mut().fields.put(north).unwrap();
        add(&mut world, [35.0, 50.0], 4.0, [5.0, 0.0]);
        let crosses = spawn(&mut world, [50.0, 20.0], [0.0, 10.0]);
        let (gap, end) = fly(&mut world, crosses);
        assert!(gap > 0.0 && end[1] > 90.0, "{gap} {end:?}");
    }

    #[test]
    fn the_side_is_drawn_for_each_agent() {
        let mut left = 0;
        let mut world = ruled::<2>(Edge::Open, rule());
        add(&mut world, [50.0, 50.0], 4.0, [0.0; 2]);
        let agents: Vec<_> = (0..100).map(|_| spawn(&mut world, [38.0, 50.0], [10.0, 0.0])).collect();
        world.step();
        for agent in agents {
            assert!(motion(&world, agent).1[1].abs() > 0.1);
            left += usize::from(motion(&world, agent).1[1] > 0.0);
        }
        assert!((30..70).contains(&left), "{left}");
    }
}
