//! Index: the boxes of clusters and the R-tree over chunks.

use fearless_simd::Level;

use crate::agents::Agents;

/// Indexes the agents of every species.
pub(crate) fn index<const D: usize>(level: Level, period: &[f32; D], agents: &mut [Agents<D>]) {
    for agents in agents {
        let count = agents.len();
        agents.index.rebuild(level, &agents.position, count, period);
    }
}
