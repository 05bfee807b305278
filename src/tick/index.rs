//! Index: motion packed for the pair kernel, the boxes of clusters and the R-tree over chunks.

use fearless_simd::Level;

use crate::agents::Agents;
use crate::kernels::pack::{pack, width};
use crate::kernels::{CHUNK, rows};
use crate::parallel::{Column, for_each_chunk};

/// Chunks that a thread takes at a time.
const GRAIN: usize = 16;

/// Packs the motion of every agent.
pub(crate) fn pack_motion<const D: usize>(level: Level, agents: &mut [Agents<D>]) {
    for agents in agents {
        agents.packed.resize(agents.padded() * width(D), 0.0);
        let mut packed = std::mem::take(&mut agents.packed);
        let column = Column(packed.as_mut_slice(), CHUNK * width(D));
        for_each_chunk(agents.chunks(), GRAIN, column, &|chunk, packed| {
            let range = agents.chunk_rows(chunk);
            pack(level, &rows(&agents.position, range.clone()), &rows(&agents.velocity, range), packed.0);
        });
        agents.packed = packed;
    }
}

/// Indexes the agents of every species.
pub(crate) fn index<const D: usize>(level: Level, period: &[f32; D], agents: &mut [Agents<D>]) {
    for agents in agents {
        let count = agents.len();
        agents.index.rebuild(level, &agents.position, count, period);
    }
}
