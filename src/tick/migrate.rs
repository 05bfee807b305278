//! The agents that go to other ranks when rows are sorted, because their new rows are there, and their columns.

use std::ops::Range;

use crate::agents::Agents;
use crate::agents::columns::Column;
use crate::ranks::numbers::Numbers;
use crate::tick::division::Division;
use crate::tick::shared_sort::{Sorted, overlap};

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
    pub(super) fn plan(division: &mut Division, sorted: &Sorted, [before, after]: [&[Range<usize>]; 2]) -> Self {
        let (this, ranks) = (division.rank(), division.ranks());
        let sorted_for = |rank: usize| &sorted.present[overlap(&sorted.new, &after[rank])];
        let for_others = |rank: usize| if rank == this { Vec::new() } else { sorted_for(rank).to_vec() };
        let mut from = division.exchange_lists(&(0..ranks).map(for_others).collect::<Vec<_>>());
        from[this].extend_from_slice(sorted_for(this));
        let rows = from.concat();
        let mut coming = vec![Vec::new(); ranks];
        for (new, &row) in rows.iter().enumerate().filter(|(_, row)| !before[this].contains(&(**row as usize))) {
            coming[before.partition_point(|range| range.end <= row as usize)].push(new as u32);
        }
        let present = |new: &Vec<u32>| new.iter().map(|&new| rows[new as usize]).collect();
        let leaving = division.exchange_lists(&coming.iter().map(present).collect::<Vec<_>>());
        Self { leaving, coming, rows }
    }

    /// Brings all columns into the new order, for the rows from `first` on.
    pub(super) fn migrate<const D: usize>(&self, division: &mut Division, agents: &mut Agents<D>, first: usize) {
        let OwnColumns { changing, fixed } = OwnColumns::of(agents);
        let mut spare = Vec::new();
        // One column at a time: messages are as large as what they bring.
        for (mut column, width) in changing.into_iter().chain(fixed) {
            let from = division.exchange(|rank, to| column.write_rows(&self.leaving[rank], width, to));
            column.permute(first, &self.rows, width, &mut spare);
            for (rows, bytes) in self.coming.iter().zip(from) {
                column.read_rows(first, rows, width, &mut &bytes[..]);
            }
        }
    }
}

/// A column, and its entries per row.
pub(super) type Wide<'a> = (Box<dyn Numbers + 'a>, usize);

/// The columns of agents, of which a rank has the rows of its own agents and some of those near them.
pub(super) struct OwnColumns<'a> {
    /// Motion and the memory of rules.
    pub(super) changing: Vec<Wide<'a>>,
    /// Ids, and what only hosts change.
    pub(super) fixed: Vec<Wide<'a>>,
}

impl<'a> OwnColumns<'a> {
    pub(super) fn of<const D: usize>(agents: &'a mut Agents<D>) -> Self {
        let Agents { position, velocity, position_residual, velocity_residual, heading, previous, .. } = agents;
        let residuals = position_residual.iter_mut().chain(velocity_residual);
        let motion = position.iter_mut().chain(velocity).chain(residuals);
        let motion = motion.chain(heading.iter_mut().flatten()).chain(previous.iter_mut().flatten());
        let Agents { body, goal, id, columns, .. } = agents;
        let (memory, host): (Vec<_>, Vec<_>) = columns.0.iter_mut().partition(|column| column.owner.is_rule());
        let fixed = body.columns_mut().chain(goal.iter_mut().flatten());
        let ids: Wide<'a> = (Box::new(&mut id[..]), 1);
        Self {
            changing: motion.map(|column| single(column)).chain(memory.into_iter().map(typed)).collect(),
            fixed: fixed.map(|column| single(column)).chain(host.into_iter().map(typed)).chain([ids]).collect(),
        }
    }
}

/// A column with one entry per row.
pub(super) fn single(column: &mut [f32]) -> Wide<'_> {
    (Box::new(column), 1)
}

fn typed(column: &mut Column) -> Wide<'_> {
    (column.data.numbers(), column.width)
}
