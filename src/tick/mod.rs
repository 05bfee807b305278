//! The stages of a tick, one file or folder each. A stage names in its signature the data that it reads and the data
//! that it writes.

pub(crate) mod arrange;
pub(crate) mod collide;
pub(crate) mod confine;
pub(crate) mod decide;
pub(crate) mod edit;
pub(crate) mod index;
pub(crate) mod integrate;
pub(crate) mod quarantine;
pub(crate) mod steer;

use crate::agents::parallel::PerThread;
use crate::agents::space_order::SortBuffers;
use crate::neighbour_lists::search::SearchBuffers;

/// The buffers that each stage keeps for the next tick. They may be dropped at any time.
#[derive(Debug, Default)]
pub(crate) struct Buffers<const D: usize> {
    pub(crate) sort: SortBuffers,
    pub(crate) search: PerThread<SearchBuffers<D>>,
    pub(crate) decide: decide::DecideBuffers<D>,
    pub(crate) steer: steer::buffers::SteerBuffers<D>,
    pub(crate) integrate: integrate::IntegrateBuffers<D>,
    pub(crate) collide: collide::buffers::CollideBuffers<D>,
    pub(crate) confine: confine::ConfineBuffers,
}
