//! The first rank of a run on several ranks: it leads the others through the ticks.

use std::sync::Arc;

use throng::ranks::Transport;
use throng::{AnyWorld, SnapshotError};

use crate::checkpoint::CheckpointFile;
use crate::failure::Failure;
use crate::origin::Origin;
use crate::shared_save;

/// What all ranks do next with their world.
pub(crate) const STEP: u8 = 1;
pub(crate) const GATHER: u8 = 2;
pub(crate) const SAVE: u8 = 3;
const END: u8 = 4;

/// The first rank of a run, which leads the others. A run of one process leads none.
#[derive(Debug, Default)]
pub(crate) struct Lead(Option<(Arc<dyn Transport>, String)>);

impl Lead {
    /// The lead of the ranks of a transport, which run `program`.
    pub(crate) fn of(transport: Arc<dyn Transport>, program: &str) -> Self {
        Self(Some((transport, program.to_owned())))
    }

    /// Checks that all ranks have started the same run, and divides the world.
    pub(crate) fn begin(&self, world: &mut AnyWorld, origin: &Origin) -> Result<(), Failure> {
        let Some((transport, program)) = &self.0 else { return Ok(()) };
        agree(&**transport, Ok(&origin.request(program)))?;
        divide(transport, world)
    }

    /// Lets the other ranks advance by one tick with this one.
    pub(crate) fn step(&self) {
        self.order(STEP);
    }

    /// Brings all agents of the world to this rank.
    pub(crate) fn gather(&self, world: &mut AnyWorld) {
        if self.0.is_some() {
            self.order(GATHER);
            world.gather_at(0);
        }
    }

    /// Writes a snapshot, together with the other ranks if they see the file.
    pub(crate) fn save(&self, world: &mut AnyWorld, to: &mut CheckpointFile) -> Result<(), SnapshotError> {
        if let Some((transport, _)) = &self.0 {
            self.order(SAVE);
            if shared_save::lead(&**transport, world, to)? {
                return Ok(());
            }
            self.gather(world);
        }
        world.save(to)
    }

    /// Ends the other ranks.
    pub(crate) fn end(&self) {
        self.order(END);
    }

    fn order(&self, order: u8) {
        if let Some((transport, _)) = &self.0 {
            transport.gather(&[order], &mut Vec::new());
        }
    }
}

/// Compares what all ranks are to run, or says that this one cannot start.
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

/// Divides the world among the ranks.
pub(crate) fn divide(transport: &Arc<dyn Transport>, world: &mut AnyWorld) -> Result<(), Failure> {
    world.divide(Arc::clone(transport)).map_err(|error| Failure::Input(error.to_string()))
}
