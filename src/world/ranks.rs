//! The methods of a world on several ranks.

use std::io::{self, Read};
use std::sync::Arc;

use crate::agents::Agents;
use crate::base::error::Error;
use crate::base::settings::Settings;
use crate::ranks::{Part, Ranks, Transport, agree, all_succeed};
use crate::species::registry::Registry;
use crate::state::snapshot::{Own, PHYSICS, Rows, SnapshotError, WriteAt, complete};
use crate::transport::in_process;
use crate::world::World;
use crate::world::any_world::{AnyWorld, has_space};
use crate::world::compiled::Compiled;

/// Worlds of these ranks.
impl Ranks {
    /// Divides a world. Every rank has built the same world, makes this call, and from now on the same edits and steps.
    /// Each rank advances the agents in its own range of rows. A single process has nothing to divide.
    ///
    /// A clone of the world, and a loaded one, are not divided. A [recording](World::record) of the world ends.
    ///
    /// # Errors
    ///
    /// [`Error::RankDiffers`] if a rank has another world, or another version of throng. The world is then not divided.
    ///
    /// # Panics
    ///
    /// If other ranks have divided the world, or this rank lacks agents of it.
    pub fn divide<const D: usize>(&self, world: &mut World<D>) -> Result<(), Error> {
        self.own(world);
        self.transport().map_or(Ok(()), |transport| world.divide_alike(Arc::clone(transport), ""))
    }

    /// Reads a world, and divides it: see [`divide`](Self::divide). Every rank makes this call, and reads the same
    /// snapshot from its start to its end. It keeps only its own agents where the rules of the world allow that;
    /// elsewhere every rank has all agents.
    ///
    /// # Errors
    ///
    /// [`SnapshotError`], on all ranks if one of them has it: on the others with its text in
    /// [`Error::RankDiffers`]. Ranks that read different snapshots are refused in this way too.
    pub fn load<const D: usize>(&self, from: impl Read, registry: &Registry) -> Result<World<D>, SnapshotError> {
        match self.transport() {
            Some(transport) => World::load_on(from, registry, transport),
            None => World::load_with(from, registry),
        }
    }

    /// Reads a world of the number of dimensions in the snapshot: see [`load`](Self::load).
    ///
    /// # Errors
    ///
    /// [`SnapshotError`].
    pub fn load_any(&self, from: impl Read, registry: &Registry) -> Result<AnyWorld, SnapshotError> {
        // A rank that cannot read the header lets the others know.
        let (is_in_space, whole) = has_space(from);
        if is_in_space {
            self.load(whole, registry).map(AnyWorld::Space)
        } else {
            self.load(whole, registry).map(AnyWorld::Flat)
        }
    }

    /// Brings all agents to every rank, which its host then may read, save, query and edit. Between a step and this call
    /// a rank has only its own agents and those near them: an edit and a query panic there, before they
    /// change anything. A call costs
    /// a copy of all agents, and the next step searches for neighbours anew.
    ///
    /// # Panics
    ///
    /// If other ranks have divided the world.
    pub fn gather<const D: usize>(&self, world: &mut World<D>) {
        self.own(world);
        world.gather_rows(None);
    }

    /// Brings all agents to one rank, which may then read, save and query the world, but not edit it. The others need no
    /// memory for it.
    ///
    /// # Panics
    ///
    /// If no rank has this number, or other ranks have divided the world.
    pub fn gather_at<const D: usize>(&self, world: &mut World<D>, rank: usize) {
        self.check(rank);
        self.own(world);
        world.gather_rows(Some(rank));
    }

    /// Reads all agents at one rank, without gathering them: calls `each` there with the agents of all ranks, species by
    /// species, in the order of rows. Where the rank lacks rows, these come in blocks.
    ///
    /// # Panics
    ///
    /// If no rank has this number, or other ranks have divided the world.
    pub fn read_at<const D: usize>(&self, world: &World<D>, rank: usize, each: &mut dyn FnMut(&Agents<D>)) {
        self.check(rank);
        (Compiled::functions().read_at)(&self.own(world).part, &world.state, rank, each);
    }

    /// Writes this rank's part of the bytes that [`World::save`] writes: the rows that it advances, and on the first
    /// rank also everything else. Every rank makes this call, whether or not it has all agents; they can all write one
    /// file at the same time. `write` gets the place of each part, as a number of bytes from the start of the snapshot.
    ///
    /// # Errors
    ///
    /// [`SnapshotError::UnknownRule`], on all ranks, if a species has a rule or a motion without a table of parameters;
    /// [`SnapshotError::Io`] on a rank where `write` fails: the others know nothing of it.
    ///
    /// # Panics
    ///
    /// If other ranks have divided the world.
    pub fn save_part<const D: usize>(
        &self,
        world: &World<D>,
        write: &mut dyn FnMut(u64, &[u8]) -> io::Result<()>,
    ) -> Result<(), SnapshotError> {
        self.own(world).save_on_ranks(Some(write)).map(|_| ())
    }

    /// The hash that [`World::state_hash`] returns, without gathering agents. Every rank makes this call, whether or not
    /// it has all agents, and gets the hash.
    ///
    /// # Panics
    ///
    /// If other ranks have divided the world.
    #[must_use]
    pub fn state_hash<const D: usize>(&self, world: &World<D>) -> u64 {
        if self.own(world).part.is_only_process() {
            return world.state_hash();
        }
        let hashed = world.save_on_ranks(None);
        debug_assert!(hashed.is_ok(), "hashing does not refuse rules");
        hashed.unwrap_or_default()
    }

    fn check(&self, rank: usize) {
        assert!(rank < self.count(), "rank {rank} of {}", self.count());
    }

    /// Returns the world.
    ///
    /// # Panics
    ///
    /// If other ranks have divided it.
    pub(super) fn own<'w, const D: usize>(&self, world: &'w World<D>) -> &'w World<D> {
        let is_own = |of: &Arc<dyn Transport>| self.transport().is_some_and(|own| Arc::ptr_eq(own, of));
        assert!(world.part.transport().is_none_or(is_own), "other ranks have divided this world");
        world
    }
}

impl<const D: usize> World<D> {
    /// Divides the world if this text is the same on all ranks, and their worlds are.
    pub(crate) fn divide_alike(&mut self, transport: Arc<dyn Transport>, text: &str) -> Result<(), Error> {
        let version = env!("CARGO_PKG_VERSION");
        let own = format!("throng {version}, physics {PHYSICS}, state {:016x}{text}", self.state_hash());
        agree(&*transport, &own)?;
        self.part = Part::among(transport);
        self.recorder = None;
        self.release_memory();
        Ok(())
    }

    fn gather_rows(&mut self, at: Option<usize>) {
        self.next = None;
        (Compiled::functions().gather_rows)(&mut self.part, &mut self.state, &mut self.derived, at);
    }

    /// Hashes the state with all ranks, and writes this one's part if there is a function for it.
    fn save_on_ranks(&self, write: Option<WriteAt<'_>>) -> Result<u64, SnapshotError> {
        let alone;
        let transport = match self.part.transport() {
            Some(transport) => &**transport,
            None => {
                alone = in_process(1);
                &alone[0]
            }
        };
        // The function may live longer than the transport of one rank.
        let write = write.map(|write| write as WriteAt<'_>);
        (Compiled::functions().save_part)(&self.state, transport, self.part.saved(&self.state), write)
    }

    fn load_on(
        mut from: impl Read,
        registry: &Registry,
        transport: &Arc<dyn Transport>,
    ) -> Result<Self, SnapshotError> {
        let mut part = Part::among(Arc::clone(transport));
        let read =
            (Compiled::functions().load_own)(&mut from, registry, &mut |species, rows| part.expect(species, rows));
        let read = read.and_then(|own| Ok((own, Self::new(Settings::default())?)));
        let version = env!("CARGO_PKG_VERSION");
        let text = |(own, _): &(Own<D>, _)| format!("throng {version}, physics {PHYSICS}, state {:016x}", own.hash);
        let (Own { state, rows, .. }, empty) = all_succeed(&**transport, read, text)?;
        let mut world = empty.with_state(state);
        world.part = part;
        // All ranks find the same from here on.
        if !world.start_apart(&rows) {
            world.gather_rows(None);
            complete(&mut world.state)?;
            world.release_memory();
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
        let starts;
        (self.derived, starts) = self.part.start(&self.state);
        starts
    }
}
