//! Reading the agents of all ranks at one of them, a block of rows after another.

use crate::agents::Agents;
use crate::kernels::CHUNK;
use crate::ranks::columns::OwnColumns;
use crate::ranks::part::{Part, Present};
use crate::state::State;
use crate::transport::numbers::Numbers;

/// The number of rows of a block.
const BLOCK: usize = 256 * CHUNK;

/// Calls `each` at one rank with the agents of all ranks, in the order of species and rows. The others send theirs.
pub(crate) fn read_at<const D: usize>(part: &Part, state: &State<D>, at: usize, each: &mut dyn FnMut(&Agents<D>)) {
    let (is_reader, mut from) = (part.rank() == at, Vec::new());
    let mut to = vec![Vec::new(); part.ranks()];
    let is_here = part.present == Present::All || part.present == Present::AllAt(at);
    let apart = part.transport().filter(|_| !is_here);
    for agents in state.agents.iter().filter(|agents| !agents.is_empty()) {
        let Some(transport) = apart else {
            if is_reader {
                each(agents);
            }
            continue;
        };
        let (number, count) = (agents.species.number(), agents.len());
        for start in (0..count).step_by(BLOCK) {
            let block = start..(start + BLOCK).clamp(0, count);
            let of = |rank: usize| {
                let rows = part.division.shares.rows_of(rank, number, count);
                rows.start.clamp(block.start, block.end)..rows.end.clamp(block.start, block.end)
            };
            to[at].clear();
            if !is_reader {
                let own = of(part.rank());
                let (rows, to) = (own.len(), &mut to[at]);
                each_column(&mut agents.part(own), |column, width| column.write(0..rows * width, to));
            }
            transport.exchange(&to, &mut from);
            if is_reader {
                let mut all = agents.part(block.clone());
                for (rank, bytes) in from.iter().enumerate().filter(|(rank, _)| *rank != at) {
                    let (rows, mut bytes) = (of(rank), &bytes[..]);
                    let rows = rows.start - block.start..rows.end - block.start;
                    each_column(&mut all, |column, width| {
                        column.read(rows.start * width..rows.end * width, &mut bytes);
                    });
                }
                each(&all);
            }
        }
    }
}

/// Calls `each` with all columns of agents, and their entries per row.
fn each_column<const D: usize>(agents: &mut Agents<D>, mut each: impl FnMut(&mut dyn Numbers, usize)) {
    let OwnColumns { changing, fixed } = OwnColumns::of(agents);
    changing.into_iter().chain(fixed).for_each(|(mut column, width)| each(&mut *column, width));
}
