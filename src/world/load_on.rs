//! The start of a world on several ranks from a snapshot, of which each rank keeps its own agents alone.

use std::io::Read;
use std::sync::Arc;

use crate::agents::Agents;
use crate::base::settings::Settings;
use crate::kernels::CHUNK;
use crate::ranks::{Transport, all_succeed};
use crate::species::registry::Registry;
use crate::state::snapshot::{Own, PHYSICS, Rows, SnapshotError, complete};
use crate::tick::division::Division;
use crate::world::World;
use crate::world::compiled::Compiled;

impl<const D: usize> World<D> {
    /// Reads a world on the ranks of a transport, and divides it among them: see [`divide`](Self::divide). Every rank
    /// makes this call, and reads the same snapshot from its start to its end. It keeps its own agents alone where the
    /// rules of the world allow that; elsewhere every rank has all agents.
    ///
    /// # Errors
    ///
    /// [`SnapshotError`], on all ranks if one of them has it: on the others with its text in
    /// [`Error::RankDiffers`](crate::Error::RankDiffers). Ranks that read different snapshots are refused in this way too.
    ///
    /// # Panics
    ///
    /// If another rank cannot be reached: see [`Transport`].
    pub fn load_on(
        mut from: impl Read,
        registry: &Registry,
        transport: Arc<dyn Transport>,
    ) -> Result<Self, SnapshotError> {
        let mut division = Division::among(Arc::clone(&transport));
        let read = (Compiled::functions().load_own)(&mut from, registry, &mut |species, rows| {
            division.divide(species, rows.div_ceil(CHUNK));
            division.rows_of(division.rank(), species, rows)
        });
        let read = read.and_then(|own| Ok((own, Self::new(Settings::default())?)));
        let version = env!("CARGO_PKG_VERSION");
        let text = |(own, _): &(Own<D>, _)| format!("throng {version}, physics {PHYSICS}, state {:016x}", own.hash);
        let (Own { state, rows, .. }, empty) = all_succeed(&*transport, read, text)?;
        let mut world = empty.with_state(state);
        world.derived.division = division;
        // All ranks find the same from here on.
        if !world.start_apart(&rows) {
            world.gather();
            complete(&mut world.state)?;
            world.forget_derived();
        }
        Ok(world)
    }

    /// Starts with the agents that each rank has: moves them to their rows among all. Returns `false` if each rank needs
    /// all agents, so that they have to be gathered.
    pub(crate) fn start_apart(&mut self, rows: &[Rows]) -> bool {
        (Compiled::functions().start_apart)(self, rows)
    }

    pub(super) fn started_apart(&mut self, rows: &[Rows]) -> bool {
        for (agents, Rows { all, own }) in self.state.agents.iter_mut().zip(rows) {
            agents.spread(own.start, *all);
        }
        let is_mixed = self.state.agents.iter().any(Agents::is_mixed);
        self.derived.start_apart(&self.state) && !is_mixed
    }
}
