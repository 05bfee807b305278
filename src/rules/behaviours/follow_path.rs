//! Follow path: Buckland, "Programming Game AI by Example" (2004), after the path following of Reynolds (1999).

use crate::kernels::steer_to_target::TargetSteering;
use crate::kernels::{CLUSTER, CLUSTERS};
use crate::maths::{Vector, ones};
use crate::rules::interface::{AgentRef, Behaviour, Forces, Inputs, Rows, key_of_point};
use crate::rules::parameters::{Kind, Range, reflect, rule};
use crate::rules::steering;
use crate::rules::target::TargetState;
use crate::rules::target::of_chunk::ChunkTargets;

rule! {
    /// The agent moves from waypoint to waypoint at full speed. It heads for the next waypoint as soon as it has been
    /// within `threshold` of the present one, anywhere on its way. A waypoint also counts once it is passed where the
    /// agent cannot turn towards it: it went away from the waypoint, inside the circle on which it turns or within its
    /// step. So no agent circles round a waypoint, whatever the threshold. On a closed path the first waypoint follows
    /// the last. On an open path the agent arrives at the last waypoint and waits there until waypoints are added.
    /// Without waypoints the force is zero. The agent has arrived when its body has touched or passed the last waypoint
    /// of an open path in this sense, and all others are behind it.
    "follow_path": "Follows a path, waypoint by waypoint."
    pub struct FollowPath<D> {
        /// The waypoints.
        pub points: Vec<Vector<D>> = Vec::new(), "m", Kind::Points(Range::COORDINATE);
        /// Distance within which a waypoint counts as reached; with 0, only those count that are passed.
        pub threshold: f32 = 5.0, "m", Kind::Number(Range::LENGTH);
        /// Whether the first waypoint follows the last.
        pub closed: bool = false, "", Kind::Flag;
        /// Distance from the last waypoint of an open path within which the agent slows down.
        pub slowing_radius: f32 = 10.0, "m", Kind::Number(Range::LENGTH);
    }
}

impl<const D: usize> FollowPath<D> {
    /// The index of the agent's waypoint in this tick.
    fn waypoint(&self, me: &AgentRef<'_, D>) -> Option<usize> {
        let (at, way, circle) = (me.recall::<u32>(0) as usize, me.moved(), me.turning_circle());
        let reached = |point| steering::reaches(me.offset_to(point), way, self.threshold, circle);
        steering::waypoint(&self.points, at, self.closed, reached)
    }

    /// A distance beyond which an agent, given by its index in the chunk, has not reached a waypoint.
    fn reach(&self, rows: &Rows<'_, D>, place: usize) -> f32 {
        if place < rows.first || place >= rows.first + rows.len {
            return 0.0;
        }
        let me = rows.at(place);
        let (circle, step) = (me.turning_circle(), me.moved().length());
        let within = if circle > self.threshold { circle } else { self.threshold };
        // At the end of a step the agent is at most this far from where it passed the waypoint.
        1.001 * ((if step > within { step } else { within }) + step)
    }

    /// Whether the agent, whose last waypoint is at this offset, has arrived.
    fn is_there(me: &AgentRef<'_, D>, offset: Vector<D>) -> bool {
        steering::reaches(offset, me.moved(), me.radius(), me.turning_circle())
    }
}

impl<const D: usize> Behaviour<D> for FollowPath<D> {
    fn inputs(&self) -> Inputs {
        let inputs = Inputs::default().memory("waypoint", 0u32).way();
        if self.closed { inputs } else { inputs.arrival() }
    }

    fn desires_velocity(&self) -> bool {
        true
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let Some(at) = self.waypoint(me) else { return Vector::ZERO };
        me.remember(0, at as u32);
        let offset = me.offset_to(self.points[at]);
        if at + 1 < self.points.len() || self.closed {
            return me.towards(steering::seek(offset, me.max_speed()));
        }
        me.heads_for(key_of_point(self.points[at]), (offset.length(), offset), true);
        if Self::is_there(me, offset) {
            me.arrive_at(offset);
        }
        me.towards(steering::arrive(offset, me.max_speed(), self.slowing_radius))
    }

    fn steer_rows(&self, rows: &Rows<'_, D>, forces: &mut Forces<'_, D>) {
        let Some(last) = self.points.len().checked_sub(1) else { return };
        let waypoints = rows.memory[rows.kept].numbers();
        let mut targets = rows
            .point_targets(rows.active_bits(), |place| self.points[(waypoints[place].get() as usize).clamp(0, last)]);
        let mut at_end = ChunkTargets::new([0; CLUSTERS]);
        for cluster in 0..CLUSTERS {
            let (mut near, mut ends) = (0, 0);
            for lane in 0..CLUSTER {
                let place = cluster * CLUSTER + lane;
                let offset = Vector::<D>::from_fn(|axis| targets.offset[axis][place]);
                near |= u16::from(offset.length() <= self.reach(rows, place)) << lane;
                ends |= u16::from(waypoints.get(place).is_none_or(|at| at.get() as usize >= last)) << lane;
            }
            // Only agents at a waypoint or on the last leg need more than the common steering below.
            for lane in ones(targets.active[cluster] & (near | ends)) {
                let me = rows.at(cluster * CLUSTER + lane);
                let at = self.waypoint(&me).unwrap_or(last);
                me.remember(0, at as u32);
                let offset = me.offset_to(self.points[at]);
                let target = Some(TargetState { offset, velocity: Vector::ZERO, radius: 0.0 });
                let ends = at == last && !self.closed;
                if ends {
                    me.heads_for(key_of_point(self.points[at]), (offset.length(), offset), true);
                }
                if ends && Self::is_there(&me, offset) {
                    me.arrive_at(offset);
                }
                targets.set(me.in_chunk, target.filter(|_| !ends));
                at_end.set(me.in_chunk, target.filter(|_| ends));
            }
        }
        rows.steer_to_target(&targets, TargetSteering::Seek, forces);
        rows.steer_to_target(&at_end, TargetSteering::Arrive(self.slowing_radius), forces);
    }

    reflect!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::behaviours::testing::{add, alone, assert_near, desired, force, motion, periodic};
    use crate::{AgentId, World};

    fn square(closed: bool) -> FollowPath<2> {
        let points = [[10.0, 0.0], [40.0, 0.0], [40.0, 30.0], [10.0, 30.0]].map(Vector).to_vec();
        FollowPath { points, threshold: 2.0, closed, ..FollowPath::default() }
    }

    /// The order in which an agent visits the corners of the square.
    fn visited(world: &mut World<2>, agent: AgentId, seconds: usize) -> Vec<usize> {
        let corners = square(true).points;
        let mut order = Vec::new();
        for _ in 0..64 * seconds {
            world.step();
            let position = motion(world, agent).0;
            let near = corners.iter().position(|corner| (*corner - position).length() < 2.0);
            if near.is_some() && near != order.last().copied() {
                order.extend(near);
            }
        }
        order
    }

    #[test]
    fn an_open_path_ends_at_its_last_waypoint() {
        let (mut world, agent) = alone(square(false), [0.0, 0.0], [0.0, 0.0]);
        assert_eq!(visited(&mut world, agent, 30), [0, 1, 2, 3]);
        assert_near(motion(&world, agent).0, [10.0, 30.0]);
        assert!(motion(&world, agent).1.length() < 1e-3);
    }

    #[test]
    fn a_closed_path_goes_on() {
        let (mut world, agent) = alone(square(true), [0.0, 0.0], [0.0, 0.0]);
        assert_eq!(visited(&mut world, agent, 26)[..8], [0, 1, 2, 3, 0, 1, 2, 3]);
    }

    #[test]
    fn waypoints_may_be_added_while_following() {
        let first = FollowPath { points: square(false).points[..2].to_vec(), ..square(false) };
        let (mut world, agent) = alone(first, [0.0, 0.0], [0.0, 0.0]);
        assert_eq!(visited(&mut world, agent, 15), [0, 1]);
        let (species, _) = world.find(agent).unwrap();
        let points = [[10.0, 0.0], [40.0, 0.0], [40.0, 30.0]].map(Vector).to_vec();
        world.edit_rule::<FollowPath<2>>(species, 0, |rule| rule.points = points).unwrap();
        assert_eq!(visited(&mut world, agent, 15), [1, 2]);
    }

    #[test]
    fn the_shorter_way_across_the_seam_is_taken() {
        let mut world = periodic::<2>();
        let path = FollowPath { points: vec![Vector([95.0, 50.0])], ..FollowPath::default() };
        let agent = add(&mut world, path, [10.0, 50.0], [0.0, 0.0]);
        assert_eq!(desired(&mut world, agent), Vector([-10.0, 0.0]));
    }

    #[test]
    fn degenerate_paths() {
        let (mut world, agent) = alone(FollowPath::<3>::default(), [0.0; 3], [1.0, 0.0, 0.0]);
        assert_eq!(force(&mut world, agent), Vector::ZERO);
        // A closed path of one point exerts no force there, and a force towards it from elsewhere.
        for (x, speed) in [(0.0, 10.0), (5.0, 0.0)] {
            let path = FollowPath { points: vec![Vector([5.0, 0.0]); 3], closed: true, ..FollowPath::default() };
            let (mut world, agent) = alone(path, [x, 0.0], [0.0, 0.0]);
            assert_eq!(desired(&mut world, agent), Vector([speed, 0.0]));
        }
    }
}
