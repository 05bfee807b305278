//! Walkers: their preferred velocity, and the columns of a cluster for the kernels.

use crate::kernels::walkers::{Bodies, WalkingAgents};
use crate::kernels::{self, CLUSTER};
use crate::maths::Vector;
use crate::rules::interface::{AgentRef, Rows};

/// The velocity that the rules of an agent want, up to its largest speed: its own plus their force times the response.
#[inline]
pub(super) fn preferred<const D: usize>(me: &AgentRef<'_, D>, wanted: Vector<D>) -> Vector<D> {
    (me.velocity() + wanted * me.response()).truncate(me.max_speed())
}

/// The agents of the cluster of `rows` for the kernels. Seams matter within `radius` metres.
pub(super) fn walking<'a, const D: usize>(rows: &Rows<'a, D>, radius: f32) -> WalkingAgents<'a, D> {
    let (agents, cluster) = (rows.agents, rows.chunk + rows.first..rows.chunk + rows.first + CLUSTER);
    WalkingAgents {
        position: kernels::rows(&agents.position, cluster.clone()),
        velocity: kernels::rows(&agents.velocity, cluster.clone()),
        radius: agents.body.radius.of(cluster),
        seam: rows.at_seam(radius),
        period: rows.world.settings().period(),
    }
}

/// The agents of the species with this number as bodies.
pub(super) fn bodies<'a, const D: usize>(rows: &Rows<'a, D>, species: u32) -> Bodies<'a, D> {
    let them = &rows.world.species()[species as usize];
    let all = 0..them.padded();
    Bodies {
        position: kernels::rows(&them.position, all.clone()),
        velocity: kernels::rows(&them.velocity, all.clone()),
        radius: them.body.radius.of(all),
    }
}
