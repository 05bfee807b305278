//! Arranging on ranks that move their own agents alone.
//!
//! Every rank gets the positions of all agents and sorts its share of the slabs. It brings into the new order what it
//! has of all agents: ids, bodies, columns of the host. The rest of an agent goes to the rank that has its row from now
//! on, if that is another.

use std::ops::Range;

use crate::agents::{Agents, space_order};
use crate::kernels::CHUNK;
use crate::ranks::numbers::Numbers;
use crate::state::State;
use crate::tick::derived::Derived;
use crate::tick::division::{Division, Shared};

/// The agents that change ranks, and those that do not.
#[derive(Debug, Default)]
pub(crate) struct Migration {
    /// For each rank, the present rows of the agents that go there, in the order of their new rows.
    leaving: Vec<Vec<u32>>,
    /// For each rank, the new rows of the agents that come from there, counted from the first of this rank.
    coming: Vec<Vec<u32>>,
    /// For each new row of this rank, the present row.
    rows: Vec<u32>,
    to: Vec<Vec<u8>>,
    from: Vec<Vec<u8>>,
}

/// Sorts the rows of a species into space order, and divides them anew. Afterwards a rank lacks the rows of others, also those near its own.
pub(crate) fn arrange<const D: usize>(state: &mut State<D>, derived: &mut Derived<D>, number: usize) {
    let Derived { division, sort_buffers, migration, .. } = derived;
    let agents = &mut state.agents[number];
    let positions = agents.position.iter_mut();
    division.gather(&mut positions.map(|column| Shared::of(number, CHUNK, column)).collect::<Vec<_>>());
    let (rank, ranks) = (division.rank(), division.ranks());
    let share = |rank: usize, slabs: usize| slabs * rank / ranks..slabs * (rank + 1) / ranks;
    let Some(slabs) = space_order::sort(agents, sort_buffers, |slabs| share(rank, slabs)) else { return };
    let rows_of = |rank: usize| slabs.rows_of(share(rank, slabs.count));
    let own: Vec<u32> = sort_buffers.rows(rows_of(rank)).collect();
    division.share(&own, |rank, rows: &[u32]| sort_buffers.set_rows(rows_of(rank), rows.iter().copied()));
    let (chunks, rows) = (agents.chunks(), agents.len());
    let ranges = |division: &Division| -> Vec<Range<usize>> {
        let ranges = (0..ranks).map(|rank| division.of(rank, Some(number), chunks));
        ranges.map(|range| (range.start * CHUNK).clamp(0, rows)..(range.end * CHUNK).clamp(0, rows)).collect()
    };
    let before = ranges(division);
    division.balance(number);
    let after = ranges(division);
    migration.plan(&before, &after, rank, |new| sort_buffers.rows(new));
    space_order::reorder_fixed(agents, sort_buffers);
    space_order::number(agents, &state.ids);
    migration.migrate(division, agents, after[rank].start);
}

impl Migration {
    /// Finds out who goes where. Ranks had and will have these ranges of rows, and `rows` returns the present rows of
    /// new ones.
    fn plan<I: Iterator<Item = u32>>(
        &mut self,
        before: &[Range<usize>],
        after: &[Range<usize>],
        rank: usize,
        rows: impl Fn(Range<usize>) -> I,
    ) {
        for lists in [&mut self.leaving, &mut self.coming] {
            lists.resize_with(after.len(), Vec::new);
            lists.iter_mut().for_each(Vec::clear);
        }
        let was_own = |row: u32| before[rank].contains(&(row as usize));
        for (to, leaving) in self.leaving.iter_mut().enumerate().filter(|(to, _)| *to != rank) {
            leaving.extend(rows(after[to].clone()).filter(|&row| was_own(row)));
        }
        self.rows.clear();
        self.rows.extend(rows(after[rank].clone()));
        for (new, &row) in self.rows.iter().enumerate().filter(|(_, row)| !was_own(**row)) {
            let from = before.partition_point(|range| range.end <= row as usize);
            self.coming[from].push(new as u32);
        }
    }

    /// Brings motion and the memory of rules into the new order, for the rows from `first` on.
    fn migrate<const D: usize>(&mut self, division: &Division, agents: &mut Agents<D>, first: usize) {
        let Some(transport) = division.transport() else { return };
        let mut columns = moving(agents);
        self.to.resize_with(self.leaving.len(), Vec::new);
        for (rows, to) in self.leaving.iter().zip(&mut self.to) {
            to.clear();
            columns.iter().for_each(|(column, width)| column.write_rows(rows, *width, to));
        }
        transport.exchange(&self.to, &mut self.from);
        let mut from: Vec<&[u8]> = self.from.iter().map(|bytes| &bytes[..]).collect();
        for (column, width) in &mut columns {
            column.permute(first, &self.rows, *width);
            for (rows, bytes) in self.coming.iter().zip(&mut from) {
                column.read_rows(first, rows, *width, bytes);
            }
        }
    }
}

/// The columns that a rank has of its own agents alone, and their numbers per row.
fn moving<const D: usize>(agents: &mut Agents<D>) -> Vec<(Box<dyn Numbers + '_>, usize)> {
    let Agents { position, velocity, position_residual, velocity_residual, columns, .. } = agents;
    let residuals = position_residual.iter_mut().chain(velocity_residual);
    let motion = position.iter_mut().chain(velocity).chain(residuals);
    let motion = motion.map(|column| (Box::new(&mut column[..]) as Box<dyn Numbers + '_>, 1));
    let memory = columns.0.iter_mut().filter(|column| column.owner.is_rule());
    motion.chain(memory.map(|column| (column.data.numbers(), column.width))).collect()
}
