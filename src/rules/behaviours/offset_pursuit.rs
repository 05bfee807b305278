//! Offset pursuit: Reynolds, "Steering Behaviors For Autonomous Characters" (1999), as refined by Buckland (2004).

use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Behaviour, Forces, Inputs, Rows, Sight, SpeciesFilter};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::steering;
use crate::rules::target::{Target, TargetState};

rule! {
    /// The agent arrives at a position that moves with a leader, and keeps it. The position is predicted for `T`
    /// seconds at the leader's velocity, where `T` is the time to reach it, or the time to cross `slowing_radius` if
    /// that is longer. The agent then has the leader's velocity without lag. The `offset` turns with the heading of the
    /// leader, which at rest keeps its last one ([`Agents::heading`](crate::Agents::heading)). Without a leader the force
    /// is zero. An agent is never its own leader.
    ///
    /// A host gives each agent an offset of its own, and so forms a formation of one species, by a column of one `f32` per
    /// dimension with the name `column` ([`World::add_column`](crate::World::add_column)). Where a component is not
    /// finite, and without such a column, `offset` holds.
    "offset_pursuit": "Keeps a position relative to a leader."
    pub struct OffsetPursuit<D> {
        /// The leader.
        pub target: Target<D> = Target::Nearest(SpeciesFilter::All), "m", Kind::Target;
        /// The position relative to the leader: ahead, to the left and, in three dimensions, up.
        pub offset: Vector<D> = Vector::ZERO, "m", Kind::Point(Range::COORDINATE), Fixed;
        /// The name of the host's column of offsets, one for each agent.
        pub column: String = "offset".to_owned(), "", Kind::Text;
        /// Distance from the position within which the agent slows down to the leader's velocity.
        pub slowing_radius: f32 = 10.0, "m", Kind::Number(Range::LENGTH);
        /// Whether `walls` and closed doors hide the nearest agent as a target; with `through` if the species says so, with
        /// `always` never.
        pub sight: Sight = Sight::Through, "", Sight::KIND, added;
    }
}

impl<const D: usize> Behaviour<D> for OffsetPursuit<D> {
    fn inputs(&self) -> Inputs {
        Inputs::default()
            .target("target", &self.target)
            .target_sight(self.sight)
            .column(&self.column)
            .headings_of_targets()
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        self.follow(me, me.target_past_goal(0))
    }

    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        let targets = rows.targets_past_goal(0);
        rows.iter().for_each(|me| forces.set(&me, self.follow(&me, targets.get(me.in_chunk))));
    }

    reflect!();
}

impl<const D: usize> OffsetPursuit<D> {
    fn follow(&self, me: &AgentRef<'_, D>, leader: Option<TargetState<D>>) -> Vector<D> {
        let own = me.column::<[f32; D]>(0, me.species()).map(|column| Vector(column[me.row()]));
        let offset = own.filter(|offset| offset.is_finite()).unwrap_or(self.offset);
        me.towards(leader.map(|leader| {
            let place = leader.offset + steering::relative_to(me.heading_of_target(0), offset);
            // The place may be across the seam from its leader.
            let place = me.world().settings().offset(Vector::ZERO, place);
            steering::meet(place, leader.velocity, me.max_speed(), self.slowing_radius)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::behaviours::testing::{
        add, add_inert, alone, assert_near, desired, force, motion, open, periodic,
    };

    fn behind_left<const D: usize>() -> OffsetPursuit<D> {
        let offset = Vector::from_fn(|axis| [-4.0, 3.0, 1.0][axis]);
        OffsetPursuit { offset, ..OffsetPursuit::default() }
    }

    #[test]
    fn an_agent_reaches_and_keeps_its_place() {
        let mut world = open::<3>();
        let (_, leader) = add_inert(&mut world, "leader", [50.0, 10.0, 0.0], [0.0, 6.0, 0.0]);
        let follower = add(&mut world, behind_left(), [0.0; 3], [0.0; 3]);
        for _ in 0..64 * 40 {
            world.step();
        }
        // The leader flies along y, so behind is -y and left is -x.
        assert_near(motion(&world, follower).0 - motion(&world, leader).0, [-3.0, -4.0, 1.0]);
        assert_near(motion(&world, follower).1, [0.0, 6.0, 0.0]);
    }

    #[test]
    fn a_leader_at_rest_keeps_its_heading() {
        let mut world = open::<2>();
        let (_, leader) = add_inert(&mut world, "leader", [50.0, 10.0], [0.0, 0.0]);
        let follower = add(&mut world, behind_left(), [41.0, 13.0], [1.0, 0.0]);
        for (velocity, ahead) in [([5.0, 0.0], [1.0, 0.0]), ([0.0, 0.0], [1.0, 0.0]), ([0.0, 1e-9], [1.0, 0.0])] {
            world.set_velocity(leader, velocity).unwrap();
            assert_near(world.heading(leader).unwrap(), ahead);
        }
        // The place at (46, 13) is 5 m away, half of the slowing radius of 10.
        assert_near(desired(&mut world, follower), [5.0, 0.0]);
    }

    #[test]
    fn across_the_seam() {
        let mut world = periodic::<2>();
        let (_, leader) = add_inert(&mut world, "leader", [2.0, 50.0], [0.0, 0.0]);
        let follower = add(&mut world, behind_left(), [93.0, 53.0], [0.0, 0.0]);
        world.set_heading(leader, [1.0, 0.0]).unwrap();
        assert_near(desired(&mut world, follower), [5.0, 0.0]);
    }

    #[test]
    fn without_another_leader_there_is_no_force() {
        let (mut world, agent) = alone::<2>(behind_left(), [1.0, 1.0], [1.0, 0.0]);
        assert_eq!(force(&mut world, agent), Vector::ZERO);
        let (species, _) = world.find(agent).unwrap();
        world.edit_rule::<OffsetPursuit<2>>(species, 0, |rule| rule.target = Target::Agent(agent)).unwrap();
        assert_eq!(force(&mut world, agent), Vector::ZERO);
    }
}
