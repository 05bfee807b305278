//! The start of a world on several ranks, each of which has its own agents alone.

use std::ops::Range;

use crate::base::ids::{Ids, SpeciesId};
use crate::kernels::CHUNK;
use crate::world::World;

impl<const D: usize> World<D> {
    /// Announces the number of agents of a species that has none yet, and whether they have goals. Returns the rows of
    /// this rank.
    pub(crate) fn expect(&mut self, species: SpeciesId, agents: u64, have_goals: bool) -> Range<u64> {
        let (division, number, agents) = (&mut self.derived.division, species.number(), agents as usize);
        if have_goals {
            self.state.agents[number].goal.get_or_insert_with(|| std::array::from_fn(|_| Vec::new()));
        }
        division.divide(number, agents.div_ceil(CHUNK));
        let own = division.rows_of(division.rank(), number, agents);
        own.start as u64..own.end as u64
    }

    /// Starts with the agents that each rank has added: the first row of this rank, and the number of all rows, of each
    /// species. Returns `false` if each rank needs all agents, so that they have to be gathered.
    pub(crate) fn start_apart(&mut self, rows: &[(u64, u64)]) -> bool {
        for (agents, (first, all)) in self.state.agents.iter_mut().zip(rows) {
            agents.spread(*first as usize, *all as usize);
        }
        self.state.ids = Ids::unplaced(rows.iter().map(|(_, all)| *all as usize).sum());
        self.derived.start_apart(&self.state)
    }
}
