//! Containment: Reynolds, "Steering Behaviors For Autonomous Characters" (1999).

use crate::environment::region::Shape;
use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Behaviour, Inputs};
use crate::rules::parameters::{Kind, Range, choice, reflect, rule};
use crate::rules::steering;

choice! {
    /// The shape of the region that contains the agents.
    pub enum ContainmentArea {
        /// The whole world. In a periodic world the seams act as walls.
        World = "world",
        /// A box.
        Box = "box",
        /// A disc, or a ball in three dimensions.
        Disc = "disc",
    }
}

rule! {
    /// An agent moves inwards at full speed if it would be outside the region in `horizon` seconds at its present
    /// velocity, or if it is within `margin` of the boundary now. Inwards is at right angles to the boundary; the
    /// agent keeps the component of its velocity along the boundary. Otherwise the force is zero. The prediction only
    /// removes the speed towards the boundary; the margin sends agents back that come to rest there.
    "containment": "Stays inside a region."
    pub struct Containment<D> {
        /// The region: the world, a box or a disc.
        pub region: ContainmentArea = ContainmentArea::World, "", ContainmentArea::KIND;
        /// The centre of the box or the disc.
        pub centre: Vector<D> = Vector::splat(50.0), "m", Kind::Point(Range::COORDINATE);
        /// Half of the extent of the box, per axis.
        pub half: Vector<D> = Vector::splat(40.0), "m", Kind::Point(Range::COORDINATE);
        /// The radius of the disc.
        pub radius: f32 = 40.0, "m", Kind::Number(Range::LENGTH), Length;
        /// Distance from the boundary within which the agent turns back.
        pub margin: f32 = 5.0, "m", Kind::Number(Range::LENGTH);
        /// The time ahead for which the position is predicted.
        pub horizon: f32 = 1.0, "s", Kind::Number(Range::from(0.0, 1e6));
    }
}

impl<const D: usize> Containment<D> {
    /// The region, with its centre relative to the agent.
    fn shape(&self, me: &AgentRef<'_, D>) -> Shape<D> {
        let size = me.world().settings().size;
        match self.region {
            ContainmentArea::World => Shape::Box { centre: me.offset_to(size * 0.5), half: size * 0.5 },
            ContainmentArea::Box => Shape::Box { centre: me.offset_to(self.centre), half: self.half },
            ContainmentArea::Disc => Shape::Ball { centre: me.offset_to(self.centre), radius: self.radius },
        }
    }
}

impl<const D: usize> Behaviour<D> for Containment<D> {
    fn inputs(&self) -> Inputs {
        Inputs::default().nearby()
    }

    fn only_avoids(&self) -> bool {
        true
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        me.towards(steering::containment(self.shape(me), me.velocity(), me.max_speed(), self.margin, self.horizon))
    }

    reflect!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::Edge;
    use crate::rules::behaviours::testing::{assert_near, desired, force, motion, ruled, spawn};

    fn within(region: ContainmentArea) -> Containment<2> {
        Containment { region, half: Vector([30.0, 20.0]), radius: 30.0, ..Containment::default() }
    }

    #[test]
    fn agents_that_will_leave_turn_straight_in() {
        // Region, margin, position, velocity, desired velocity.
        let (world, a_box, disc) = (ContainmentArea::World, ContainmentArea::Box, ContainmentArea::Disc);
        for (region, margin, position, velocity, wanted) in [
            (world, 0.0, [95.0, 50.0], [4.0, 2.0], [4.0, 2.0]),
            (world, 0.0, [95.0, 50.0], [6.0, 2.0], [-10.0, 2.0]),
            (world, 2.0, [98.5, 50.0], [0.0, 2.0], [-10.0, 2.0]),
            (a_box, 0.0, [75.0, 30.5], [3.0, 0.0], [3.0, 0.0]),
            (a_box, 0.0, [50.0, 33.0], [5.0, -4.0], [5.0, 10.0]),
            (a_box, 5.0, [50.0, 36.0], [5.0, -4.0], [5.0, -4.0]),
            (a_box, 5.0, [50.0, 34.0], [5.0, 1.0], [5.0, 10.0]),
            (disc, 0.0, [79.0, 50.0], [0.0, 5.0], [0.0, 5.0]),
            (disc, 0.0, [75.0, 50.0], [6.0, 0.0], [-10.0, 0.0]),
            (disc, 0.0, [20.0, 10.0], [0.0, 0.0], [6.0, 8.0]),
        ] {
            let mut world = ruled(Edge::Open, Containment { margin, ..within(region) });
            let agent = spawn(&mut world, position, velocity);
            assert_near(desired(&mut world, agent), wanted);
        }
    }

    #[test]
    fn both_walls_of_a_corner_turn_an_agent_back() {
        let mut world =
            ruled(Edge::Open, Containment::<3> { region: ContainmentArea::Box, margin: 0.0, ..Containment::default() });
        let agent = spawn(&mut world, [93.0, 94.0, 50.0], [0.0; 3]);
        assert_near(desired(&mut world, agent), [-6.0, -8.0, 0.0]);
    }

    #[test]
    fn an_agent_stays_inside_and_keeps_moving() {
        for edge in [Edge::Open, Edge::Wrap] {
            for region in [ContainmentArea::World, ContainmentArea::Box, ContainmentArea::Disc] {
                let mut world = ruled(edge, within(region));
                let agent = spawn(&mut world, [50.0, 50.0], [9.0, 4.0]);
                for _ in 0..64 * 60 {
                    force(&mut world, agent);
                    let at = motion(&world, agent).0 - Vector::splat(50.0);
                    let inside = match region {
                        ContainmentArea::World => at[0].abs() < 50.0 && at[1].abs() < 50.0,
                        ContainmentArea::Box => at[0].abs() < 30.0 && at[1].abs() < 20.0,
                        ContainmentArea::Disc => at.length() < 30.0,
                    };
                    assert!(inside, "{edge} {region:?}: {at:?}");
                }
                assert!(motion(&world, agent).1.length() > 3.0);
            }
        }
    }

    #[test]
    fn a_region_without_extent_is_a_point() {
        let rule =
            Containment { region: ContainmentArea::Disc, radius: 0.0, margin: 5.0, ..Containment::<2>::default() };
        let mut world = ruled(Edge::Open, rule);
        let centred = spawn(&mut world, [50.0, 50.0], [0.0; 2]);
        let elsewhere = spawn(&mut world, [50.0, 40.0], [0.0; 2]);
        assert_near(desired(&mut world, elsewhere), [0.0, 10.0]);
        assert_near(force(&mut world, centred), [0.0; 2]);
    }
}
