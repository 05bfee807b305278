//! The agents that go to other ranks when rows are sorted, because their new rows are there, and their columns.

use std::ops::Range;

use crate::agents::Agents;
use crate::ranks::columns::OwnColumns;
use crate::ranks::messages::Messages;
use crate::ranks::shared_sort::{Sorted, overlap};

/// The agents that change ranks, and those that do not.
#[derive(Debug)]
pub(super) struct Migration {
    /// For each rank, the present rows of the agents that go there, in the order of their new rows.
    leaving: Vec<Vec<u32>>,
    /// For each rank, the new rows of the agents that come from there, counted from the first of this rank.
    coming: Vec<Vec<u32>>,
    /// For each new row of this rank, the present row.
    rows: Vec<u32>,
}

impl Migration {
    /// Finds out which agents go where. Ranks had and will have the rows of these ranges.
    pub(super) fn plan(messages: &mut Messages, sorted: &Sorted, [before, after]: [&[Range<usize>]; 2]) -> Self {
        let (this, ranks) = (messages.rank(), messages.ranks());
        let sorted_for = |rank: usize| &sorted.present[overlap(&sorted.new, &after[rank])];
        let for_others = |rank: usize| if rank == this { Vec::new() } else { sorted_for(rank).to_vec() };
        let mut from = messages.exchange_lists(&(0..ranks).map(for_others).collect::<Vec<_>>());
        from[this].extend_from_slice(sorted_for(this));
        let rows = from.concat();
        let mut coming = vec![Vec::new(); ranks];
        for (new, &row) in rows.iter().enumerate().filter(|(_, row)| !before[this].contains(&(**row as usize))) {
            coming[before.partition_point(|range| range.end <= row as usize)].push(new as u32);
        }
        let present = |new: &Vec<u32>| new.iter().map(|&new| rows[new as usize]).collect();
        let leaving = messages.exchange_lists(&coming.iter().map(present).collect::<Vec<_>>());
        Self { leaving, coming, rows }
    }

    /// Brings all columns into the new order, for the rows from `first` on.
    pub(super) fn migrate<const D: usize>(&self, messages: &mut Messages, agents: &mut Agents<D>, first: usize) {
        let OwnColumns { changing, fixed } = OwnColumns::of(agents);
        let mut spare = Vec::new();
        // One column at a time: messages are as large as the data that they bring.
        for (mut column, width) in changing.into_iter().chain(fixed) {
            let from = messages.exchange(|rank, to| column.write_rows(&self.leaving[rank], width, to));
            column.permute(first, &self.rows, width, &mut spare);
            for (rows, bytes) in self.coming.iter().zip(from) {
                column.read_rows(first, rows, width, &mut &bytes[..]);
            }
        }
    }
}
