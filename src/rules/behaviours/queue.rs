//! Queuing: Reynolds, "Steering Behaviors For Autonomous Characters" (1999).

use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Behaviour, Inputs, Perception, Sight, SpeciesFilter};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::steering;

rule! {
    /// Behind a slower neighbour, the agent's speed is at most the neighbour's speed in its direction plus the
    /// gap between their bodies divided by `horizon`, so closing the gap takes at least that time. The rule only
    /// brakes, for the neighbour that requires the lowest speed; it never turns, accelerates or reverses. Together with
    /// separation and a target it forms queues.
    "queue": "Brakes behind slower neighbours."
    pub struct Queue {
        /// Perception radius.
        pub radius: f32 = 5.0, "m", Kind::Number(Range::LENGTH);
        /// Field of view: the full angle.
        pub fov: f32 = 60.0, "degrees", Kind::Number(Range::from(0.0, 360.0));
        /// The least time in which the agent closes the gap ahead.
        pub horizon: f32 = 1.0, "s", Kind::Number(Range::above(0.0, 1e6));
        /// The species that the agent queues behind.
        pub from: SpeciesFilter = SpeciesFilter::Own, "", Kind::SpeciesFilter;
        /// The largest number of neighbours, nearest first; 0 for no limit.
        pub nearest: u32 = 0, "", Perception::NEAREST;
        /// Whether `walls` and closed doors hide neighbours; with `through` if the species says so, with `always` never.
        pub sight: Sight = Sight::Through, "", Sight::KIND, added;
    }
}

impl<const D: usize> Behaviour<D> for Queue {
    fn inputs(&self) -> Inputs {
        let view = Perception::within(self.radius, &self.from)
            .with_field_of_view(self.fov)
            .with_nearest(self.nearest)
            .with_sight(self.sight);
        Inputs::default().neighbours(view).nearby()
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        me.towards(steering::queue(me.bodies(), me.velocity(), me.radius(), self.horizon))
    }

    reflect!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::Edge;
    use crate::rules::behaviours::testing::{RESPONSE, assert_near, force, motion, ruled, spawn};
    use crate::world::World;

    fn queue<const D: usize>() -> World<D> {
        ruled(Edge::Wrap, Queue { radius: 6.0, ..Queue::default() })
    }

    #[test]
    fn an_agent_brakes_to_the_speed_that_keeps_the_gap() {
        // The leader's distance and velocity, and the remaining speed of 10 m/s. The bodies take up one metre.
        for (distance, velocity, left) in [
            (3.0, [0.0, 0.0], 2.0),
            (3.0, [5.0, 3.0], 7.0),
            (3.0, [9.0, 0.0], 10.0),
            (3.0, [-5.0, 0.0], 2.0),
            (0.5, [0.0, 0.0], 0.0),
            (6.5, [0.0, 0.0], 10.0),
        ] {
            let mut world = queue::<2>();
            let follower = spawn(&mut world, [98.0, 50.0], [10.0, 0.0]);
            spawn(&mut world, [98.0 + distance, 50.0], velocity);
            assert_near(force(&mut world, follower), [(left - 10.0) / RESPONSE, 0.0]);
        }
    }

    #[test]
    fn only_the_slowest_agent_ahead_counts() {
        let mut world = queue::<3>();
        let agent = spawn(&mut world, [50.0; 3], [0.0, 0.0, 10.0]);
        spawn(&mut world, [50.0, 53.0, 51.0], [0.0; 3]);
        spawn(&mut world, [50.0, 50.0, 47.0], [0.0; 3]);
        spawn(&mut world, [50.0; 3], [0.0; 3]);
        assert_near(force(&mut world, agent), [0.0; 3]);
        world.set_position(agent, [50.0; 3]).unwrap();
        spawn(&mut world, [50.0, 50.0, 56.0], [0.0; 3]);
        spawn(&mut world, [50.0, 50.0, 54.0], [0.0; 3]);
        assert_near(force(&mut world, agent), [0.0, 0.0, (3.0 - 10.0) / RESPONSE]);
    }

    #[test]
    fn at_rest_and_alone_there_is_no_force() {
        let mut world = queue::<2>();
        let agent = spawn(&mut world, [50.0; 2], [0.0; 2]);
        assert_near(force(&mut world, agent), [0.0; 2]);
        spawn(&mut world, [51.5, 50.0], [0.0; 2]);
        assert_near(force(&mut world, agent), [0.0; 2]);
    }

    #[test]
    fn a_file_stops_behind_a_standing_agent_without_backing_off() {
        // Above four times the response time; below, a braking agent overshoots.
        let mut world = ruled::<2>(Edge::Wrap, Queue { horizon: 6.0 * RESPONSE, ..Queue::default() });
        spawn(&mut world, [90.0, 50.0], [0.0; 2]);
        let file: Vec<_> =
            (0..5).map(|place| spawn(&mut world, [70.0 - 10.0 * place as f32, 50.0], [8.0, 0.0])).collect();
        for _ in 0..64 * 20 {
            force(&mut world, file[0]);
            assert!(file.iter().all(|&agent| motion(&world, agent).1[0] >= 0.0));
        }
        let mut ahead = 90.0;
        for agent in file {
            let gap = ahead - motion(&world, agent).0[0] - 1.0;
            assert!((-1e-3..1.0).contains(&gap) && motion(&world, agent).1[0] < 0.1, "{gap}");
            ahead = motion(&world, agent).0[0];
        }
    }
}
