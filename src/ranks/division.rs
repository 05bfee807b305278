//! The division of a world among ranks: the chunks of each, and the rows of others that this one has.

use std::ops::Range;

use crate::agents::Agents;
use crate::derived::output::SteeringOutput;
use crate::ranks::columns::Shared;
use crate::ranks::halo::Halo;
use crate::ranks::memory::Memory;
use crate::ranks::messages::Messages;
use crate::ranks::shares::Shares;

/// The division of a world. By default there is one rank.
#[derive(Debug, Default)]
pub(super) struct Division {
    pub(super) messages: Messages,
    pub(super) shares: Shares,
    pub(super) halo: Halo,
    pub(super) memory: Memory,
    /// For each species, the number of candidates of each chunk in the last tick, on its rank.
    work: Vec<Vec<u64>>,
}

impl Division {
    /// The division among ranks that exchange messages.
    pub(super) fn among(messages: Messages) -> Self {
        Self { shares: Shares::among(messages.ranks()), messages, ..Self::default() }
    }

    /// Returns the chunks of a species that this rank has.
    pub(super) fn own<const D: usize>(&self, agents: &Agents<D>) -> Range<usize> {
        self.shares.of(self.messages.rank(), Some(agents.species.number()), agents.chunks())
    }

    /// Fills each column with the data of all ranks for their own chunks, at one rank, or at all.
    pub(super) fn gather(&mut self, columns: &mut [Shared<'_>], at: Option<usize>) {
        self.messages.gather(&self.shares, columns, at);
    }

    /// Records the numbers of candidates of this rank's chunks of a species.
    pub(super) fn worked(&mut self, species: usize, candidates: impl Iterator<Item = u64>) {
        if self.work.len() <= species {
            self.work.resize_with(species + 1, Vec::new);
        }
        self.work[species].clear();
        self.work[species].extend(candidates);
    }

    /// Divides the chunks of a species by their work in the last tick. All rows are about to be sorted: a chunk then has
    /// other agents, but mostly from the same region.
    pub(super) fn balance(&mut self, species: usize) {
        let Self { messages, shares, work, .. } = self;
        if let Some(work) = work.get_mut(species).filter(|work| shares.chunks(species) == Some(work.len())) {
            messages.gather(shares, &mut [Shared::of(species, 1, work)], None);
            shares.balance(species, work);
        }
    }

    /// Releases the memory of rows that this rank does not advance, where it is much.
    pub(super) fn give_back<const D: usize>(&mut self, agents: &mut Agents<D>, output: &mut SteeringOutput<D>) {
        let own = self.own(agents);
        output.keep_lists(own.clone());
        if self.memory.gives_back(agents.species.number(), own.clone()) {
            agents.keep_chunks(own);
            output.keep_no_forces();
        }
    }
}
