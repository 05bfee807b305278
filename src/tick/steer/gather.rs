//! The exchange of steering among ranks: every rank gets the forces, flags and memory of all agents.

use crate::kernels::CHUNK;
use crate::neighbour_lists::mix_sums::MixSums;
use crate::neighbour_lists::sums::Counts;
use crate::state::State;
use crate::tick::derived::Derived;
use crate::tick::division::{Division, Shared};
use crate::tick::steer::output::SteeringOutput;

/// Gathers the results of steering, and adds up what all ranks counted. Ranks that move their own agents need the
/// results and the ids of the others only to report what the quarantine drops.
pub(super) fn gather<const D: usize>(
    state: &mut State<D>,
    derived: &mut Derived<D>,
    outputs: &mut [SteeringOutput<D>],
    arrived: &mut [bool],
    counts: &mut Counts,
) {
    let Derived { division, plans, .. } = derived;
    let chunks = outputs.iter().flat_map(|output| &output.too_large);
    let mut too_large = chunks.filter(|too_large| **too_large).count() as u64;
    let Counts { candidates, neighbours, capped, .. } = counts;
    division.add_up([candidates, neighbours, capped, &mut too_large]);
    if division.is_partial && too_large == 0 {
        return;
    }
    let is_partial = division.is_partial;
    let mut columns = Vec::new();
    let mut arrived = arrived;
    let species = state.agents.iter_mut().zip(plans.iter().flatten()).zip(outputs);
    for (number, ((agents, plan), output)) in species.enumerate() {
        let own;
        (own, arrived) = arrived.split_at_mut(agents.chunks());
        let SteeringOutput { force, preferred, displacement, too_large, flags, .. } = output;
        columns.push(Shared::of(number, 1, own));
        columns.push(Shared::of(number, 1, too_large));
        columns.extend(
            force.iter_mut().chain(preferred).chain(displacement).map(|column| Shared::of(number, CHUNK, column)),
        );
        columns.push(Shared::of(number, CHUNK, flags));
        if is_partial {
            columns.push(Shared::of(number, CHUNK, &mut agents.id[..]));
        }
        let memory = |(place, _): &(usize, _)| plan.memory.contains(place);
        columns.extend(
            agents.columns.0.iter_mut().enumerate().filter(memory).map(|(_, column)| Shared::typed(number, column)),
        );
    }
    division.gather(&mut columns);
}

/// Gathers the sums over the mix.
pub(super) fn gather_mix<const D: usize>(division: &mut Division, sums: &mut MixSums<D>) {
    let (numbers, per_chunk) = sums.sums();
    if per_chunk > 0 {
        division.gather(&mut [Shared { species: None, per_chunk, numbers }]);
    }
}
