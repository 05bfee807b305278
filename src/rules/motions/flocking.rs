//! The motions of flocks: sums over neighbours by a kernel, with the agents of a cluster in the lanes, and the same for one
//! agent.

use crate::formulas::flocks::{FlockSums, Pair};
use crate::kernels::CLUSTER;
use crate::kernels::flocks::{ClusterSums, FlockModel, FlockingAgents, add_flockmates};
use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Forces, Rows};

/// A motion whose velocity follows from sums over the neighbours on its first list.
pub(super) trait Flocking<const D: usize> {
    /// The interaction with a neighbour.
    fn model(&self) -> FlockModel;

    /// The perception radius, in metres.
    fn reach(&self) -> f32;

    /// The direction of an agent.
    fn heading(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        me.heading()
    }

    /// The sums of an agent without neighbours. `wanted` is the combined force of its rules.
    fn start(&self, _me: &AgentRef<'_, D>, _wanted: Vector<D>) -> FlockSums<f32, D> {
        FlockSums::ZERO
    }

    /// The velocity that follows from the sums.
    fn conclude(&self, me: &AgentRef<'_, D>, wanted: Vector<D>, sums: &FlockSums<f32, D>) -> Vector<D>;
}

/// The velocity of one agent.
pub(super) fn velocity_of<const D: usize>(
    motion: &impl Flocking<D>,
    me: &AgentRef<'_, D>,
    wanted: Vector<D>,
) -> Vector<D> {
    let (model, mut sums) = (motion.model(), motion.start(me, wanted));
    let (own, heading) = (me.velocity().0, motion.heading(me).0);
    for neighbour in me.neighbours(0) {
        let (offset, squared) = (neighbour.offset.0, neighbour.distance_squared);
        model.add(&Pair { offset, squared, own, heading, theirs: neighbour.velocity.0 }, &mut sums);
    }
    motion.conclude(me, wanted, &sums)
}

/// The velocities of the agents of a cluster.
pub(super) fn velocities_of<const D: usize>(
    motion: &impl Flocking<D>,
    rows: &Rows<'_, D>,
    velocities: &mut Forces<'_, D>,
) {
    let (mut sums, mut heading) = (ClusterSums::ZERO, [[0.0; CLUSTER]; D]);
    for me in rows.iter() {
        let (lane, towards) = (me.in_chunk - rows.first, motion.heading(&me));
        sums.set(lane, &motion.start(&me, velocities.get(&me)));
        for axis in 0..D {
            heading[axis][lane] = towards[axis];
        }
    }
    let bodies = rows.cluster_bodies(motion.reach());
    let flocking = FlockingAgents { bodies, heading: heading.each_ref().map(|axis| &axis[..]) };
    for seen in rows.lists[0].sights().parts() {
        let mates = rows.bodies(seen.species);
        add_flockmates(rows.level, &flocking, &mates, &seen, &motion.model(), &mut sums);
    }
    for me in rows.iter() {
        let wanted = velocities.get(&me);
        velocities.set(&me, motion.conclude(&me, wanted, &sums.of(me.in_chunk - rows.first)));
    }
}
