//! One world on several ranks.

use std::sync::Arc;

use crate::agents::Agents;
use crate::base::error::Error;
use crate::ranks::{Transport, agree};
use crate::state::State;
use crate::state::snapshot::PHYSICS;
use crate::tick::derived::Derived;
use crate::tick::division::Division;
use crate::world::World;
use crate::world::compiled::Compiled;

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
        let version = env!("CARGO_PKG_VERSION");
        let own = format!("throng {version}, physics {PHYSICS}, state {:016x}", self.state_hash());
        agree(&*transport, &own)?;
        self.derived.division = Division::among(transport);
        self.forget_derived();
        Ok(())
    }

    /// Brings all agents to every rank of a divided world, which its hosts then may read, save, query and edit. Every
    /// rank makes this call. Between a step and this call a rank has only its own agents and those near them. An
    /// edit panics there, before it changes anything. A call costs a copy of all agents, and the next step searches for
    /// neighbours anew.
    pub fn gather(&mut self) {
        self.next = None;
        (Compiled::functions().gather_rows)(&mut self.derived, &mut self.state, None);
    }

    /// Brings all agents to one rank of a divided world, which may then read, save and query it, but not edit it. Every
    /// rank makes this call. The others need no memory for it.
    ///
    /// # Panics
    ///
    /// If no rank has this number.
    pub fn gather_at(&mut self, rank: usize) {
        let ranks = self.derived.division.ranks();
        assert!(rank < ranks, "rank {rank} of {ranks}");
        self.next = None;
        (Compiled::functions().gather_rows)(&mut self.derived, &mut self.state, Some(rank));
    }

    /// Reads all agents of a divided world at one rank, without gathering them: calls `each` there with the agents of
    /// all ranks, species by species, in the order of rows. Where the rank lacks rows, these come in blocks. Every rank
    /// makes this call.
    ///
    /// # Panics
    ///
    /// If no rank has this number, or another rank cannot be reached: see [`Transport`].
    pub fn read_at(&self, rank: usize, each: &mut dyn FnMut(&Agents<D>)) {
        let ranks = self.derived.division.ranks();
        assert!(rank < ranks, "rank {rank} of {ranks}");
        (Compiled::functions().read_at)(&self.derived, &self.state, rank, each);
    }

    /// The state and what is derived from it, for an edit of the host: the only way to change them. Every edit checks its
    /// values, calls this, and then changes the state.
    ///
    /// # Panics
    ///
    /// If the ranks of the world have their own agents alone: an edit would reach those of one rank.
    pub(super) fn edit(&mut self) -> (&mut State<D>, &mut Derived<D>) {
        assert!(!self.derived.division.is_partial, "a world on several ranks is edited after `World::gather`");
        self.next = None;
        (&mut self.state, &mut self.derived)
    }

    /// Panics unless this rank has all agents.
    pub(super) fn assert_whole(&self) {
        assert!(!self.derived.division.lacks_rows(), "a world on several ranks is read after `World::gather`");
    }
}
