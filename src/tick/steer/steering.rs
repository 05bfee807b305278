//! One species that is steered, and what its rules read.

use std::ops::Range;

use crate::agents::parallel::PerThread;
use crate::neighbour_lists::mix_sums::MixSums;
use crate::neighbour_lists::search::NeighbourSearch;
use crate::rules::interface::ResolvedNames;
use crate::species::Species;
use crate::tick::steer::buffers::SteerBuffers;

/// One species being steered.
#[derive(Debug)]
pub(crate) struct Steering<'a, const D: usize> {
    pub(crate) search: NeighbourSearch<'a, D>,
    /// The chunks of this rank.
    pub(crate) own: Range<usize>,
    pub(crate) species: &'a Species<D>,
    /// The names that each rule, and the motion, refers to.
    pub(crate) names: &'a [ResolvedNames<D>],
    /// The sums over neighbours in the mix.
    pub(crate) mix_sums: &'a MixSums<D>,
    pub(crate) buffers: &'a PerThread<SteerBuffers<D>>,
}
