//! Wander: Reynolds, "Steering Behaviors For Autonomous Characters" (1999).

use crate::kernels::wander::{WanderingAgents, wander};
use crate::kernels::{CHUNK, CLUSTER};
use crate::maths::{Noise, Vector};
use crate::rules::interface::{AgentRef, Behaviour, Forces, Inputs, Rows};
use crate::rules::parameters::{Kind, Range, choice, reflect, rule};
use crate::rules::steering::{self, Wanderer, circle_distance, largest_turn};

choice! {
    /// How the circle's point moves and steers.
    pub enum WanderStyle {
        /// The point turns with the agent's heading, and the agent seeks it at full speed.
        Heading = "heading",
        /// The formula of the tutorials: the point keeps its direction in the world, and its offset is the force.
        Tutorial = "tutorial",
    }
}

rule! {
    /// A point performs a random walk on a circle (a sphere in three dimensions) whose centre is ahead of the agent.
    ///
    /// In the style `heading` the point turns with the agent's heading, and the desired velocity is full speed towards
    /// it. Only the ratio of radius to distance matters: a larger ratio gives sharper turns. A circle nearer than
    /// 1.1547 radii is moved to that distance. The point is then at most 60 degrees off the heading, and the
    /// agent keeps half of its speed.
    ///
    /// In the style `tutorial` the point keeps its direction from the centre when the heading turns, and the force is
    /// the offset of the point, `heading * circle_distance + displacement`, divided by the response. Such a force
    /// always accelerates the agent, so agents keep their course for longer.
    ///
    /// `angle_change` refers to one second. In a tick of `dt` seconds the point turns by at most half of `angle_change
    /// * sqrt(dt)` either way, so the width of the walk after one second does not depend on the tick. With a tick of
    /// one second each step is at most half of `angle_change`.
    ///
    /// An agent at rest keeps its last heading. If it never had one, its heading is drawn.
    "wander": "Moves about with small random turns."
    pub struct Wander {
        /// Radius of the circle on which the point walks.
        pub circle_radius: f32 = 2.0, "m", Kind::Number(Range::LENGTH);
        /// Distance of the circle's centre ahead of the agent.
        pub circle_distance: f32 = 4.0, "m", Kind::Number(Range::LENGTH);
        /// Twice the largest turn of the point in one second.
        pub angle_change: f32 = 180.0, "degrees", Kind::Number(Range::from(0.0, 36e3));
        /// With `heading`, the point turns with the agent's heading; with `tutorial`, it keeps its direction.
        pub style: WanderStyle = WanderStyle::Heading, "", WanderStyle::KIND;
    }
}

impl Wander {
    /// The agent's wanderer, advanced to this tick.
    fn wanderer<const D: usize>(&self, me: &AgentRef<'_, D>) -> Wanderer<D> {
        let mut wanderer = Wanderer { displacement: Vector(me.recall(0)), heading: Vector(me.recall(1)) };
        let dt = me.world().settings().tick_seconds;
        let advance = match self.style {
            WanderStyle::Heading => Wanderer::advance,
            WanderStyle::Tutorial => Wanderer::advance_in_world,
        };
        let moves = !me.rows.agents.is_at_rest(me.row());
        let velocity = if moves { me.velocity() } else { Vector::ZERO };
        advance(&mut wanderer, velocity, self.angle_change, dt, &mut me.noise(Noise::WANDER));
        wanderer
    }
}

impl<const D: usize> Behaviour<D> for Wander {
    fn inputs(&self) -> Inputs {
        Inputs::default().memory("displacement", [0.0; D]).memory("heading", [0.0; D]).nearby()
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let wanderer = self.wanderer(me);
        me.remember(0, wanderer.displacement.0);
        me.remember(1, wanderer.heading.0);
        let (radius, distance) = (self.circle_radius, self.circle_distance);
        match self.style {
            WanderStyle::Heading => me.towards(steering::wander(&wanderer, radius, distance, me.max_speed())),
            WanderStyle::Tutorial => me.towards(steering::wander_in_world(&wanderer, me.velocity(), radius, distance)),
        }
    }

    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        let mut active = rows.active_bits();
        let [mut displacement, mut heading] = [[[0.0; CHUNK]; D]; 2];
        let mut noise = [const { Noise::NOTHING }; CHUNK];
        let [displacements, headings] = [0, 1].map(|number| rows.memory[rows.kept + number].arrays::<D>());
        for place in rows.first..rows.first + rows.len {
            for axis in 0..D {
                displacement[axis][place] = displacements[place][axis].get();
                heading[axis][place] = headings[place][axis].get();
            }
            noise[place] = rows.at(place).noise(Noise::WANDER);
        }
        let turns = self.style == WanderStyle::Heading;
        let radius = self.circle_radius;
        let distance = if turns { circle_distance(radius, self.circle_distance) } else { self.circle_distance };
        let mut wanderers = WanderingAgents {
            displacement: &mut displacement,
            heading: &mut heading,
            noise: &mut noise,
            max_turn: largest_turn(self.angle_change, rows.world.settings().tick_seconds),
            circle: (radius, distance),
            turns,
        };
        wander(rows.level, &rows.steered(), &mut wanderers, &mut active, forces.forces);
        // The kernel leaves the memory of the remaining agents unchanged.
        for place in rows.first..rows.first + rows.len {
            for axis in 0..D {
                displacements[place][axis].set(displacement[axis][place]);
                headings[place][axis].set(heading[axis][place]);
            }
        }
        for me in rows.iter().filter(|me| active[me.in_chunk / CLUSTER] >> (me.in_chunk % CLUSTER) & 1 == 1) {
            forces.set(&me, self.steer(&me));
        }
    }

    reflect!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::behaviours::testing::{alone, desired, motion, open, species};

    #[test]
    fn the_angle_to_the_heading_is_bounded_by_the_circle() {
        // The tangents to a circle of radius 2 at distance 4 are 30 degrees off; the desired speed is full speed.
        let (mut world, agent) = alone(Wander::default(), [0.0, 0.0], [3.0, 4.0]);
        for _ in 0..500 {
            let heading = motion(&world, agent).1.direction();
            let wanted = desired(&mut world, agent);
            assert!((wanted.length() - 10.0).abs() < 1e-3);
            assert!(wanted.dot(heading) / 10.0 > 0.75f32.sqrt() - 1e-4, "{wanted:?} {heading:?}");
        }
    }

    #[test]
    fn without_change_of_angle_it_flies_in_a_circle() {
        // The desired velocity has a constant angle to the heading, so the heading turns at a constant rate and the
        // agent returns to its start.
        let wander = Wander { angle_change: 0.0, circle_distance: 0.5, ..Wander::default() };
        let (mut world, agent) = alone(wander, [0.0, 0.0], [0.0, 10.0]);
        for _ in 0..500 {
            world.step();
        }
        let turn = |world: &mut crate::World<2>| {
            let before = motion(world, agent).1;
            world.step();
            let after = motion(world, agent).1;
            before[0] * after[1] - before[1] * after[0]
        };
        let first = turn(&mut world);
        for _ in 0..100 {
            assert!((turn(&mut world) - first).abs() < 1e-2 * first.abs(), "{first}");
        }
    }

    #[test]
    fn agents_at_rest_leave_in_all_directions() {
        let mut world = open::<3>();
        let kind = world.add_species(species("wanderer", Wander::default())).unwrap();
        for _ in 0..500 {
            world.spawn(kind, [0.0; 3], [0.0; 3]).unwrap();
        }
        for _ in 0..128 {
            world.step();
        }
        let agents = world.agents(kind).unwrap();
        let mut mean = Vector::<3>::ZERO;
        for row in 0..agents.len() {
            assert!(agents.velocity(row).length() > 5.0);
            mean += agents.velocity(row).direction() / 500.0;
        }
        assert!(mean.length() < 5.0 / 500f32.sqrt(), "{mean:?}");
    }

    #[test]
    fn a_circle_without_extent_exerts_no_force() {
        let wander = Wander { circle_radius: 0.0, circle_distance: 0.0, ..Wander::default() };
        let (mut world, agent) = alone(wander, [0.0, 0.0], [3.0, 4.0]);
        world.step();
        assert_eq!(motion(&world, agent).1, Vector([3.0, 4.0]));
    }
}
