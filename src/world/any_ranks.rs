//! A world of two or three dimensions on several ranks.

use std::io::{self, Read};
use std::sync::Arc;

use crate::base::error::Error;
use crate::ranks::Transport;
use crate::species::registry::Registry;
use crate::state::snapshot::SnapshotError;
use crate::with_world;
use crate::world::World;
use crate::world::any_world::{AnyWorld, has_space};

/// Ranks.
impl AnyWorld {
    /// Reads a world of the number of dimensions in the snapshot on the ranks of a transport: see [`World::load_on`].
    ///
    /// # Errors
    ///
    /// [`SnapshotError`].
    pub fn load_on(from: impl Read, registry: &Registry, transport: Arc<dyn Transport>) -> Result<Self, SnapshotError> {
        // A rank that cannot read the header lets the others know.
        let (is_in_space, whole) = has_space(from);
        if is_in_space {
            World::load_on(whole, registry, transport).map(Self::Space)
        } else {
            World::load_on(whole, registry, transport).map(Self::Flat)
        }
    }

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
