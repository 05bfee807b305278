//! Interpose: Buckland, "Programming Game AI by Example" (2004).

use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Behaviour, Forces, Inputs, Rows, Sight, SpeciesFilter};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::steering;
use crate::rules::target::{Target, TargetState};

rule! {
    /// The agent arrives midway between the predicted positions of two targets. The prediction covers the time to
    /// reach the midpoint, or the time to cross `slowing_radius` if that is longer. The agent then moves with the
    /// midpoint without lag. Unless both targets exist, the force is zero. The rule ignores a goal that the host set
    /// for the agent.
    "interpose": "Moves to the midpoint of two targets."
    pub struct Interpose<D> {
        /// One target.
        pub first: Target<D> = Target::Nearest(SpeciesFilter::All), "m", Kind::Target;
        /// The other target.
        pub second: Target<D> = Target::default(), "m", Kind::Target;
        /// Distance from the midpoint within which the agent slows down.
        pub slowing_radius: f32 = 10.0, "m", Kind::Number(Range::LENGTH);
        /// Whether `walls` and closed doors hide the nearest agent as a target; with `through` if the species says so, with
        /// `always` never.
        pub sight: Sight = Sight::Through, "", Sight::KIND, added;
    }
}

impl<const D: usize> Interpose<D> {
    fn desired(&self, me: &AgentRef<'_, D>, first: TargetState<D>, second: TargetState<D>) -> Vector<D> {
        let TargetState { offset: first, velocity, .. } = first;
        // The shortest offset between the targets may cross a seam far from the agent.
        let between = me.world().settings().offset(first, second.offset);
        let middle = me.world().settings().offset(Vector::ZERO, first + between * 0.5);
        let velocity = (velocity + second.velocity) * 0.5;
        steering::meet(middle, velocity, me.max_speed(), self.slowing_radius)
    }
}

impl<const D: usize> Behaviour<D> for Interpose<D> {
    fn inputs(&self) -> Inputs {
        Inputs::default().target("first", &self.first).target("second", &self.second).target_sight(self.sight)
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        // The second target is evaluated only if there is a first.
        me.towards(me.target_past_goal(0).and_then(|first| Some(self.desired(me, first, me.target_past_goal(1)?))))
    }

    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        let first = rows.targets_past_goal(0);
        // A kept target is chosen only if there is a first target.
        let second = (!rows.is_kept(1)).then(|| rows.targets_past_goal(1));
        for me in rows.iter() {
            let second = || second.as_ref().map_or_else(|| me.target_past_goal(1), |second| second.get(me.in_chunk));
            let wanted = first.get(me.in_chunk).and_then(|first| Some(self.desired(&me, first, second()?)));
            forces.set(&me, me.towards(wanted));
        }
    }

    reflect!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::behaviours::testing::{
        add, add_inert, alone, assert_near, desired, force, motion, open, periodic,
    };

    fn between<const D: usize>(first: &str, second: &str) -> Interpose<D> {
        let nearest = |name| Target::Nearest(SpeciesFilter::named(name));
        Interpose { first: nearest(first), second: nearest(second), ..Interpose::default() }
    }

    #[test]
    fn the_middle_is_reached_and_kept() {
        let mut world = open::<3>();
        let (_, ball) = add_inert(&mut world, "ball", [50.0, 10.0, 0.0], [0.0, 6.0, 0.0]);
        let (_, goal) = add_inert(&mut world, "goal", [0.0, 10.0, 8.0], [0.0, 0.0, 2.0]);
        let keeper = add(&mut world, between("ball", "goal"), [0.0; 3], [0.0; 3]);
        for _ in 0..64 * 40 {
            world.step();
        }
        let at = |agent| motion(&world, agent).0;
        assert_near(at(keeper), (at(ball) + at(goal)) * 0.5);
        assert_near(motion(&world, keeper).1, [0.0, 3.0, 1.0]);
    }

    #[test]
    fn the_middle_is_that_of_the_shortest_offset() {
        let mut world = periodic::<2>();
        add_inert(&mut world, "one", [30.0, 50.0], [0.0, 0.0]);
        add_inert(&mut world, "two", [90.0, 50.0], [0.0, 0.0]);
        // Over the seam they are 40 m apart, with the middle at 10; the agent sees one on each side.
        let agent = add(&mut world, between("one", "two"), [55.0, 50.0], [0.0, 0.0]);
        assert_near(desired(&mut world, agent), [-10.0, 0.0]);
    }

    #[test]
    fn an_agent_brakes_between_resting_targets_and_flies_on_without_targets() {
        let ends = |first, second| Interpose { first, second, ..Interpose::default() };
        let points = ends(Target::Point(Vector([0.0, 0.0])), Target::Point(Vector([10.0, 0.0])));
        let (mut world, agent) = alone(points, [5.0, 0.0], [1.0, 0.0]);
        assert_eq!(desired(&mut world, agent), Vector::ZERO);
        let (mut world, agent) = alone(between("absent", "absent"), [5.0, 0.0], [1.0, 0.0]);
        assert_eq!(force(&mut world, agent), Vector::ZERO);
    }
}
