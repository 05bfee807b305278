//! A world of two or three dimensions on several ranks.

use std::io;
use std::sync::Arc;

use crate::base::error::Error;
use crate::ranks::Transport;
use crate::state::snapshot::SnapshotError;
use crate::with_world;
use crate::world::any_world::AnyWorld;

/// Ranks.
impl AnyWorld {
    /// A hash of the state of a divided world: see [`World::shared_hash`].
    #[must_use]
    pub fn shared_hash(&self) -> u64 {
        with_world!(self, world => world.shared_hash())
    }

    /// Divides the world among ranks: see [`World::divide`].
    ///
    /// # Errors
    ///
    /// [`Error::RankDiffers`].
    pub fn divide(&mut self, transport: Arc<dyn Transport>) -> Result<(), Error> {
        with_world!(self, world => world.divide(transport))
    }

    /// Brings all agents to every rank: see [`World::gather`].
    pub fn gather(&mut self) {
        with_world!(self, world => world.gather());
    }

    /// Brings all agents to one rank: see [`World::gather_at`].
    pub fn gather_at(&mut self, rank: usize) {
        with_world!(self, world => world.gather_at(rank));
    }

    /// Writes this rank's part of a snapshot: see [`World::save_part`].
    ///
    /// # Errors
    ///
    /// [`SnapshotError`].
    pub fn save_part(&self, write: &mut dyn FnMut(u64, &[u8]) -> io::Result<()>) -> Result<(), SnapshotError> {
        with_world!(self, world => world.save_part(write))
    }
}
