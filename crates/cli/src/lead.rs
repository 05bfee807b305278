//! The first rank of a run on several ranks: it leads the others through the ticks.

use std::sync::Arc;

use throng::ranks::{Ranks, Transport};
use throng::{Agents, AnyWorld, Registry, SnapshotError, World, with_world};
use throng_scenario::Scenario;

use crate::checkpoint::{CheckpointFile, SavedWorld};
use crate::execution;
use crate::failure::Failure;
use crate::origin::Origin;
use crate::shared_save;

/// The next action of all ranks on their world.
pub(crate) const STEP: u8 = 1;
pub(crate) const GATHER: u8 = 2;
pub(crate) const SAVE: u8 = 3;
pub(crate) const HASH: u8 = 4;
pub(crate) const READ: u8 = 5;
const END: u8 = 6;

/// The first rank of a run, which leads the others until it is dropped. A run of one process leads none.
#[derive(Debug, Default)]
pub(crate) struct Lead {
    ranks: Ranks,
    program: String,
    /// Whether the others wait for an order.
    leads: bool,
}

impl Lead {
    /// The lead of the ranks of a transport, which run `program`.
    pub(crate) fn of(transport: Arc<dyn Transport>, program: &str) -> Self {
        Self { ranks: Ranks::from(transport), program: program.to_owned(), leads: false }
    }

    /// The ranks.
    pub(crate) fn ranks(&self) -> &Ranks {
        &self.ranks
    }

    /// Checks that all ranks start the same run, builds its world, and leads them from now on.
    pub(crate) fn build(&mut self, scenario: &Scenario, origin: &Origin) -> Result<AnyWorld, Failure> {
        let Some(transport) = self.agree(origin)? else { return Ok(execution::build(scenario)?) };
        let world = execution::build_on(scenario, transport)?;
        self.leads = true;
        Ok(world)
    }

    /// Checks that all ranks continue the same run, reads its world, and leads them from now on. `unusable` describes a
    /// checkpoint that cannot be used.
    pub(crate) fn load(
        &mut self,
        saved: SavedWorld,
        origin: &Origin,
        registry: &Registry,
        unusable: impl FnOnce(String) -> Failure,
    ) -> Result<AnyWorld, Failure> {
        let world = match self.agree(origin)? {
            None => return execution::load(saved, registry).map_err(unusable),
            Some(transport) => load(saved, registry, transport, unusable)?,
        };
        self.leads = true;
        Ok(world)
    }

    /// Checks that all ranks were asked for the same run, if there are others. Returns their transport.
    fn agree(&self, origin: &Origin) -> Result<Option<&Arc<dyn Transport>>, Failure> {
        let Some(transport) = self.ranks.transport() else { return Ok(None) };
        agree(&**transport, Ok(&origin.request(&self.program)))?;
        Ok(Some(transport))
    }

    /// Lets the other ranks advance by one tick with this one.
    pub(crate) fn step(&self) {
        self.order(STEP);
    }

    /// Brings all agents of the world to this rank.
    pub(crate) fn gather(&self, world: &mut AnyWorld) {
        if self.order(GATHER).is_some() {
            with_world!(world, world => self.ranks.gather_at(world, 0));
        }
    }

    /// Writes a snapshot, together with the other ranks if they see the file.
    pub(crate) fn save(&self, world: &mut AnyWorld, to: &mut CheckpointFile) -> Result<(), SnapshotError> {
        if self.order(SAVE).is_some() {
            if shared_save::lead(&self.ranks, world, to)? {
                return Ok(());
            }
            self.gather(world);
        }
        world.save(to)
    }

    /// A hash of the state of the world.
    pub(crate) fn state_hash(&self, world: &AnyWorld) -> u64 {
        self.order(HASH);
        with_world!(world, world => self.ranks.state_hash(world))
    }

    /// Calls `each` with the agents of all ranks: see [`Ranks::read_at`].
    pub(crate) fn read<const D: usize>(&self, world: &World<D>, each: &mut dyn FnMut(&Agents<D>)) {
        self.announce_reading();
        self.ranks.read_at(world, 0, each);
    }

    /// Lets the other ranks send their agents, which this one is about to read.
    pub(crate) fn announce_reading(&self) {
        self.order(READ);
    }

    /// Ends the other ranks.
    pub(crate) fn end(&mut self) {
        self.order(END);
        self.leads = false;
    }

    /// Gives the other ranks an order, if there are others.
    fn order(&self, order: u8) -> Option<&dyn Transport> {
        let transport = self.ranks.transport().filter(|_| self.leads)?;
        transport.gather(&[order], &mut Vec::new());
        Some(&**transport)
    }
}

/// A run that fails ends the other ranks too.
impl Drop for Lead {
    fn drop(&mut self) {
        // A panic may come from a rank that is lost.
        if !std::thread::panicking() {
            self.end();
        }
    }
}

/// Compares the runs that all ranks were asked for, or says that this one cannot start.
pub(crate) fn agree(transport: &dyn Transport, request: Result<&str, &Failure>) -> Result<(), Failure> {
    let mut all = Vec::new();
    transport.gather(request.unwrap_or_default().as_bytes(), &mut all);
    if request.is_err() {
        return Ok(());
    }
    let other = |rank: usize| Failure::Rank(format!("rank {rank} has not started"));
    if let Some(rank) = all.iter().position(Vec::is_empty) {
        return Err(other(rank));
    }
    match all.iter().position(|request| *request != all[0]) {
        None => Ok(()),
        Some(rank) => {
            let program = |rank: usize| all[rank].split(|&byte| byte == b'\n').next();
            let what = if program(rank) == program(0) { "scenario" } else { "program" };
            Err(Failure::Input(format!("rank {rank} has another {what} than rank 0")))
        }
    }
}

/// Reads the world of a checkpoint together with the other ranks. Fails on all of them if one fails.
pub(crate) fn load(
    saved: SavedWorld,
    registry: &Registry,
    transport: &Arc<dyn Transport>,
    unusable: impl FnOnce(String) -> Failure,
) -> Result<AnyWorld, Failure> {
    // Other ranks end this one when they fail, so its reason is complete before they know.
    let loaded = execution::load_on(saved, registry, transport).map_err(unusable);
    let mut all = Vec::new();
    transport.gather(&[u8::from(loaded.is_ok())], &mut all);
    let world = loaded?;
    match all.iter().position(|has_loaded| has_loaded != &[1]) {
        None => Ok(world),
        Some(rank) => Err(Failure::Checkpoint(format!("rank {rank} cannot use the checkpoint"))),
    }
}
