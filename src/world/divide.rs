//! One world on several ranks.

use std::ops::Range;
use std::sync::Arc;

use crate::base::error::Error;
use crate::base::ids::{Ids, SpeciesId};
use crate::kernels::CHUNK;
use crate::ranks::{Transport, agree};
use crate::state::snapshot::PHYSICS;
use crate::tick::division::Division;
use crate::world::World;

impl<const D: usize> World<D> {
    /// Divides the world among the ranks of a transport. Every rank has built the same world, makes this call, and from
    /// now on the same edits and steps. Each rank advances the agents in its own range of rows.
    ///
    /// A clone of the world, and a loaded one, are not divided.
    ///
    /// # Errors
    ///
    /// [`Error::RankDiffers`] if a rank has another world, or another version of throng. The world is then not divided.
    ///
    /// # Panics
    ///
    /// If another rank cannot be reached: see [`Transport`]. The same holds for every later step. The world is then of
    /// no further use.
    pub fn divide(&mut self, transport: Arc<dyn Transport>) -> Result<(), Error> {
        self.divide_alike(transport, "")
    }

    /// The same if this text is the same on all ranks.
    pub(crate) fn divide_alike(&mut self, transport: Arc<dyn Transport>, text: &str) -> Result<(), Error> {
        let version = env!("CARGO_PKG_VERSION");
        let own = format!("throng {version}, physics {PHYSICS}, state {:016x}{text}", self.state_hash());
        agree(&*transport, &own)?;
        self.derived.division = Division::among(transport);
        self.forget_derived();
        Ok(())
    }

    /// Announces the number of agents of a species that has none yet, and whether they have goals. Returns the rows of
    /// this rank.
    pub(crate) fn expect(&mut self, species: SpeciesId, agents: u64, have_goals: bool) -> Range<u64> {
        let (division, number, agents) = (&mut self.derived.division, species.number(), agents as usize);
        if have_goals {
            self.state.agents[number].goal.get_or_insert_with(|| std::array::from_fn(|_| Vec::new()));
        }
        let chunks = agents.div_ceil(CHUNK);
        division.divide(number, chunks);
        let own = division.own(number, chunks);
        let row = |chunk: usize| (chunk * CHUNK).clamp(0, agents) as u64;
        row(own.start)..row(own.end)
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

    /// Brings all agents to every rank of a divided world, which its hosts then may read, save, query and edit. Every
    /// rank makes this call. Between a step and this call a rank has only its own agents and those near them. It costs a
    /// copy of all agents, and the next step searches for neighbours anew.
    pub fn gather(&mut self) {
        self.derived.gather_rows(&mut self.state, None);
    }

    /// Brings all agents to one rank of a divided world, which may then read, save and query it, but not edit it. Every
    /// rank makes this call. The others need no memory for it.
    ///
    /// # Panics
    ///
    /// If there is no rank with this number.
    pub fn gather_at(&mut self, rank: usize) {
        let ranks = self.derived.division.ranks();
        assert!(rank < ranks, "rank {rank} of {ranks}");
        self.derived.gather_rows(&mut self.state, Some(rank));
    }

    /// Panics unless this rank has all agents.
    pub(super) fn assert_whole(&self) {
        assert!(!self.derived.division.lacks_rows(), "a world on several ranks is read after `World::gather`");
    }
}
