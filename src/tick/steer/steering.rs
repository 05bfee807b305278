//! One species that is steered, and the inputs of its rules.

use crate::agents::parallel::PerThread;
use crate::derived::resolved_regions::ByRegion;
use crate::environment::Zone;
use crate::neighbour_lists::list_lifetime::ListMode;
use crate::neighbour_lists::mix_sums::MixSums;
use crate::neighbour_lists::search::NeighbourSearch;
use crate::rules::interface::ResolvedNames;
use crate::species::Species;
use crate::tick::steer::buffers::ThreadBuffers;

/// One species being steered.
#[derive(Debug)]
pub(super) struct Steering<'a, const D: usize> {
    pub(super) search: NeighbourSearch<'a, D>,
    /// For each pass, how this tick finds candidates.
    pub(super) modes: &'a [ListMode],
    pub(super) species: &'a Species<D>,
    /// The names that each rule, and the motion, refers to.
    pub(super) names: &'a [ResolvedNames<D>],
    /// The zones, also by region, if a factor of one depends on a direction, or one carries its agents.
    pub(super) zones: Option<(&'a [Zone<D>], &'a ByRegion)>,
    /// The places of lifts and the ends of links, by region, if there are any.
    pub(super) held: Option<[&'a ByRegion; 2]>,
    /// The sums over neighbours in the mix.
    pub(super) mix_sums: &'a MixSums<D>,
    pub(super) buffers: &'a PerThread<ThreadBuffers<D>>,
}
