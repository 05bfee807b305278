//! The exchange of steering among ranks: every rank gets the sums, forces, flags and memory of all agents.

use crate::agents::Agents;
use crate::derived::output::SteeringOutput;
use crate::derived::plans::Plans;
use crate::kernels::CHUNK;
use crate::neighbour_lists::mix_sums::MixSums;
use crate::neighbour_lists::sums::Counts;
use crate::ranks::columns::Shared;
use crate::ranks::division::Division;

/// Gathers the results of steering, and adds up the counts of all ranks. Ranks that move their own agents (`is_apart`)
/// need the results and the ids of the others only to report the forces that the quarantine drops.
pub(super) fn complete_steering<const D: usize>(
    division: &mut Division,
    is_apart: bool,
    agents: &mut [Agents<D>],
    plans: &Plans<D>,
    (outputs, mut arrived): (&mut [SteeringOutput<D>], &mut [bool]),
    counts: &mut Counts,
) {
    let chunks = outputs.iter().flat_map(|output| &output.too_large);
    let mut too_large = chunks.filter(|too_large| **too_large).count() as u64;
    let Counts { candidates, neighbours, capped, tally, .. } = counts;
    division.messages.add_up([candidates, neighbours, capped, &mut tally.cut, &mut too_large]);
    if is_apart && too_large == 0 {
        return;
    }
    let mut columns = Vec::new();
    for ((agents, plan), output) in agents.iter_mut().zip(plans.of()).zip(outputs) {
        let number = agents.species.number();
        let own;
        (own, arrived) = arrived.split_at_mut(agents.chunks());
        let SteeringOutput { force, preferred, displacement, too_large, flags, .. } = output;
        columns.push(Shared::of(number, 1, own));
        columns.push(Shared::of(number, 1, too_large));
        columns.extend(
            force.iter_mut().chain(preferred).chain(displacement).map(|column| Shared::of(number, CHUNK, column)),
        );
        columns.push(Shared::of(number, CHUNK, flags));
        if is_apart {
            columns.push(Shared::of(number, CHUNK, &mut agents.id[..]));
        }
        let memory = |(place, _): &(usize, _)| plan.memory.contains(place);
        columns.extend(
            agents.columns.0.iter_mut().enumerate().filter(memory).map(|(_, column)| Shared::typed(number, column)),
        );
    }
    division.gather(&mut columns, None);
}

/// Gathers the sums over the mix.
pub(super) fn complete_mix_sums<const D: usize>(division: &mut Division, sums: &mut MixSums<D>) {
    let (numbers, per_chunk) = sums.sums();
    if per_chunk > 0 {
        division.gather(&mut [Shared { species: None, per_chunk, numbers }], None);
    }
}
