//! The sort of a species whose rows are divided among ranks.

use crate::agents::Agents;
use crate::agents::space_order::SortBuffers;
use crate::derived::output::SteeringOutput;
use crate::kernels::CLUSTER;
use crate::ranks::division::Division;
use crate::ranks::migrate::Migration;
use crate::ranks::shared_sort;

/// Sorts the rows of a species into space order, and divides them anew. Afterwards a rank lacks the rows of others, also
/// those near its own.
pub(super) fn sort<const D: usize>(
    division: &mut Division,
    agents: &mut Agents<D>,
    output: &mut SteeringOutput<D>,
    buffers: &mut SortBuffers,
) {
    if agents.len() <= CLUSTER {
        return;
    }
    let (rows, number) = (agents.len(), agents.species.number());
    let before = division.shares.rows(number, rows);
    division.balance(number);
    let after = division.shares.rows(number, rows);
    let ranges = [&before[..], &after[..]];
    let sorted = shared_sort::sort(agents, ranges, &mut division.messages, buffers);
    let migration = Migration::plan(&mut division.messages, &sorted, ranges);
    drop(sorted);
    agents.trim();
    let first = after[division.messages.rank()].start;
    migration.migrate(&mut division.messages, agents, first);
    // Messages are as large as columns, and sorts are rare.
    division.messages.shrink();
    division.give_back(agents, output);
}
