//! Unaligned collision avoidance: Reynolds, "Steering Behaviors For Autonomous Characters" (1999).

use crate::kernels::avoid_neighbours::{AvoidingAgents, Threats, avoid_threats, find_threats};
use crate::maths::{Noise, Vector, mix64, ones};
use crate::rules::interface::{AgentRef, Behaviour, Forces, Inputs, Neighbour, Perception, Rows, Sight, SpeciesFilter};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::steering;

rule! {
    /// A neighbour is a threat if, at present velocities, its body would come within `avoid_buffer` of the agent's body
    /// in less than `horizon`. Only the earliest threat counts. With `urgency = 1 - time / horizon`, the agent adds
    /// `urgency * max_speed` to its velocity, in the direction from the neighbour's predicted position to its own. The
    /// added velocity is sideways if two agents meet or one overtakes the other. If their paths cross, the first one to
    /// reach the crossing accelerates, and the other slows down and passes behind.
    ///
    /// Two agents on a head-on course both keep to the right (in three dimensions in the plane of the first two axes,
    /// as aircraft do), so they always evade to different sides. Bodies that overlap already part at full speed.
    /// Coincident agents part in a direction that is drawn for the pair.
    "avoid_neighbours": "Steers clear of neighbours on a collision course."
    pub struct AvoidNeighbours {
        /// Perception radius.
        pub radius: f32 = 20.0, "m", Kind::Number(Range::LENGTH);
        /// Field of view: the full angle.
        pub fov: f32 = 360.0, "degrees", Kind::Number(Range::from(0.0, 360.0));
        /// The time ahead for which collisions are predicted.
        pub horizon: f32 = 3.0, "s", Kind::Number(Range::above(0.0, 1e6));
        /// The least gap between the bodies.
        pub avoid_buffer: f32 = 0.5, "m", Kind::Number(Range::LENGTH);
        /// The species that the agent avoids.
        pub from: SpeciesFilter = SpeciesFilter::Own, "", Kind::SpeciesFilter;
        /// The largest number of neighbours, nearest first; 0 for no limit.
        pub nearest: u32 = 0, "", Perception::NEAREST;
        /// Whether `walls` and closed doors hide neighbours; with `through` if the species says so, with `always` never.
        pub sight: Sight = Sight::Through, "", Sight::KIND, added;
    }
}

/// A random direction for a pair of agents, opposite for the other agent.
fn drawn_for_pair<const D: usize>(me: &AgentRef<'_, D>, neighbour: &Neighbour<D>) -> Vector<D> {
    let world = me.world();
    let them = neighbour.id.to_bits();
    let me = me.id().to_bits();
    let (low, high) = if me < them { (me, them) } else { (them, me) };
    let drawn = Noise::new(world.settings().seed, mix64(low) ^ high, world.tick(), Noise::AVOID).direction();
    if me < them { drawn } else { -drawn }
}

impl<const D: usize> Behaviour<D> for AvoidNeighbours {
    fn inputs(&self) -> Inputs {
        let view = Perception::within(self.radius, &self.from)
            .with_field_of_view(self.fov)
            .with_nearest(self.nearest)
            .with_sight(self.sight);
        Inputs::default().neighbours(view).nearby()
    }

    fn only_avoids(&self) -> bool {
        true
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        me.towards(steering::avoid_neighbours(
            me.bodies(),
            me.velocity(),
            me.radius(),
            me.max_speed(),
            self.horizon,
            self.avoid_buffer,
            |place| me.neighbours(0).nth(place).map_or(Vector::ZERO, |neighbour| drawn_for_pair(me, &neighbour)),
        ))
    }

    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        let avoiding = AvoidingAgents {
            bodies: rows.cluster_bodies(self.radius),
            max_speed: rows.max_speeds(),
            response: rows.response,
            horizon: self.horizon,
            buffer: self.avoid_buffer,
        };
        let mut threats = Threats::new();
        for seen in rows.lists[0].sights().parts() {
            find_threats(rows.level, &avoiding, &rows.bodies(seen.species), &seen, &mut threats);
        }
        let chosen = avoid_threats(rows.level, &avoiding, &threats, rows.first, forces.forces);
        for me in ones(chosen).map(|lane| rows.at(rows.first + lane)) {
            forces.set(&me, self.steer(&me));
        }
    }

    reflect!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::AgentId;
    use crate::base::settings::Edge;
    use crate::rules::behaviours::testing::{RESPONSE, TICK, assert_near, force, motion, offset, ruled, spawn};
    use crate::world::World;

    fn pair<const D: usize>(edge: Edge, avoid_buffer: f32) -> World<D> {
        let rule = AvoidNeighbours { radius: 30.0, horizon: 4.0, avoid_buffer, ..AvoidNeighbours::default() };
        ruled(edge, rule)
    }

    /// Runs for four seconds and returns the least distance between the centres of two agents.
    fn closest<const D: usize>(world: &mut World<D>, one: AgentId, other: AgentId) -> f32 {
        let mut least = f32::INFINITY;
        for _ in 0..64 * 4 {
            force(world, one);
            let distance = offset(world, one, other).length();
            least = if distance < least { distance } else { least };
        }
        least
    }

    #[test]
    fn an_agent_flies_away_from_the_closest_approach() {
        // After one second they pass at a distance of half a metre, across the seam.
        let mut world = pair::<2>(Edge::Wrap, 0.0);
        let agent = spawn(&mut world, [95.0, 50.0], [10.0, 0.0]);
        let other = spawn(&mut world, [10.0, 50.5], [-5.0, 0.0]);
        let push = 10.0 * (1.0 - 1.0 / 4.0) / RESPONSE;
        assert_near(force(&mut world, agent), [0.0, -push]);
        assert_near(motion(&world, other).1, [-5.0, 30.0 * TICK]);
    }

    #[test]
    fn on_crossing_paths_the_first_accelerates_and_the_second_brakes() {
        // After one second, one is at (50, 50) and the other half a metre short of it.
        let mut world = pair::<2>(Edge::Wrap, 0.5);
        let first = spawn(&mut world, [45.0, 50.0], [5.0, 0.0]);
        let second = spawn(&mut world, [50.0, 44.5], [0.0, 5.0]);
        let forward = force(&mut world, first);
        assert!(forward[0] > 0.0 && forward[1] > 0.0, "{forward:?}");
        assert!(motion(&world, second).1[0] < 0.0 && motion(&world, second).1[1] < 5.0);
        assert!(closest(&mut world, first, second) > 1.0);
    }

    #[test]
    fn only_neighbours_that_come_too_close_in_time_count() {
        let (east, west, north) = ([10.0, 0.0], [-10.0, 0.0], [0.0, 10.0]);
        // The first neighbour passes at a distance of 3 m.
        for (at, velocity) in [
            ([58.5, 53.0], west),
            ([60.0, 50.0], [12.0, 0.0]),
            ([60.0, 50.0], east),
            ([45.0, 50.0], west),
            ([45.0, 50.0], [0.0, 0.0]),
            ([60.0, 60.0], north),
            ([50.0, 51.5], east),
        ] {
            let mut world = pair::<2>(Edge::Wrap, 0.0);
            let agent = spawn(&mut world, [50.0, 50.0], east);
            spawn(&mut world, at, velocity);
            assert_near(force(&mut world, agent), [0.0; 2]);
        }
        // Of two threats the earlier one counts; the agent stands in the way of both.
        let mut world = pair::<3>(Edge::Wrap, 0.5);
        let agent = spawn(&mut world, [50.0; 3], [0.0; 3]);
        spawn(&mut world, [50.5, 50.0, 60.0], [0.0, 0.0, -10.0]);
        spawn(&mut world, [50.0, 70.0, 50.5], [0.0, -10.0, 0.0]);
        assert_near(force(&mut world, agent), [-10.0 * 0.75 / RESPONSE, 0.0, 0.0]);
    }

    #[test]
    fn head_on_and_overtaking_agents_pass_each_other() {
        for (theirs, speed) in [(-10.0, 10.0), (-4.0, 10.0), (0.0, 10.0), (2.0, 8.0)] {
            let mut flat = pair::<2>(Edge::Open, 0.5);
            let one = spawn(&mut flat, [40.0, 50.0], [speed, 0.0]);
            let other = spawn(&mut flat, [60.0, 50.0], [theirs, 0.0]);
            force(&mut flat, one);
            // Head-on agents both turn to their right.
            assert!(motion(&flat, one).1[1] < 0.0 && motion(&flat, other).1[1] > 0.0);
            let least = closest(&mut flat, one, other);
            assert!(least > 1.0 && offset(&flat, one, other)[0] < 0.0, "{theirs}: {least}");
            for axis in 0..3 {
                let mut deep = pair::<3>(Edge::Open, 0.5);
                let along = |at: f32| std::array::from_fn(|other| if other == axis { at } else { 0.0 });
                let one = spawn(&mut deep, along(40.0), along(speed));
                let other = spawn(&mut deep, along(60.0), along(theirs));
                let least = closest(&mut deep, one, other);
                assert!(least > 1.0 && offset(&deep, one, other)[axis] < 0.0, "{axis} {theirs}: {least}");
            }
        }
    }

    #[test]
    fn agents_on_paths_that_cross_in_the_centre_do_not_meet() {
        let mut world = pair::<2>(Edge::Wrap, 0.5);
        let one = spawn(&mut world, [40.0, 50.0], [8.0, 0.0]);
        let other = spawn(&mut world, [50.0, 40.0], [0.0, 8.0]);
        let least = closest(&mut world, one, other);
        assert!(least > 1.0, "{least}");
    }

    #[test]
    fn overlapping_and_coincident_agents_part() {
        let mut world = pair::<2>(Edge::Wrap, 0.5);
        let agent = spawn(&mut world, [50.0, 50.0], [2.0, 0.0]);
        spawn(&mut world, [50.8, 50.0], [2.0, 0.0]);
        spawn(&mut world, [50.0, 50.6], [2.0, 0.0]);
        assert_near(force(&mut world, agent), [-2.0 / RESPONSE, -10.0 / RESPONSE]);
        for velocity in [[0.0; 3], [1.0, 2.0, 3.0]] {
            let mut world = pair::<3>(Edge::Wrap, 0.5);
            let one = spawn(&mut world, [50.0; 3], velocity);
            let other = spawn(&mut world, [50.0; 3], velocity);
            force(&mut world, one);
            assert!((motion(&world, one).1 - motion(&world, other).1).length() > 0.1);
            closest(&mut world, one, other);
            assert!(offset(&world, one, other).length() > 1.0);
        }
    }

    #[test]
    fn alone_or_at_rest_there_is_no_force() {
        let mut world = pair::<2>(Edge::Wrap, 0.5);
        let agent = spawn(&mut world, [50.0, 50.0], [0.0; 2]);
        assert_near(force(&mut world, agent), [0.0; 2]);
        spawn(&mut world, [51.2, 50.0], [0.0; 2]);
        assert_near(force(&mut world, agent), [0.0; 2]);
    }
}
