//! The start of a world on several ranks, each of which has its own agents alone.

use crate::base::ids::{Ids, SpeciesId};
use crate::state::snapshot::Rows;
use crate::world::World;

impl<const D: usize> World<D> {
    /// Announces the number of agents of a species that has none yet, and whether they have goals. Returns the rows of
    /// this rank.
    pub(crate) fn expect(&mut self, species: SpeciesId, agents: u64, have_goals: bool) -> Rows {
        let (number, agents) = (species.number(), agents as usize);
        if have_goals {
            self.state.agents[number].goal.get_or_insert_with(|| std::array::from_fn(|_| Vec::new()));
        }
        Rows { all: agents, own: self.part.expect(number, agents) }
    }

    /// Starts with the agents that each rank has added. Returns `false` if each rank needs all agents, so that they have
    /// to be gathered.
    pub(crate) fn start_own(&mut self, rows: &[Rows]) -> bool {
        let agents: usize = rows.iter().map(|rows| rows.all).sum();
        self.state.ids = Ids::unplaced((0..agents).map(|_| 0), Vec::new());
        self.start_apart(rows)
    }
}
