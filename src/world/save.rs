//! Snapshots of a world, and the hash of its state.

use std::io::{Read, Write};

use super::World;
use crate::registry::Registry;
use crate::settings::Settings;
use crate::snapshot::{self, SnapshotError};

impl<const D: usize> World<D> {
    /// Writes the state of the world: all that the next tick depends on. Rules travel by their names and parameters.
    ///
    /// # Errors
    ///
    /// [`SnapshotError::UnknownRule`] if a species has a rule without a table of parameters or a motion of its own;
    /// [`SnapshotError::Io`].
    pub fn save(&self, to: &mut impl Write) -> Result<(), SnapshotError> {
        snapshot::save(&self.state, to)
    }

    /// Reads the state of a world, which goes on with the same bits as the one that was saved. Events and the profile of
    /// the last tick are not in it.
    ///
    /// # Errors
    ///
    /// [`SnapshotError`]: whatever is read, a world comes of it that can be stepped, or an error.
    pub fn load(from: impl Read) -> Result<Self, SnapshotError> {
        Self::load_with(from, &Registry::new())
    }

    /// The same for a world with rules that are in this registry.
    ///
    /// # Errors
    ///
    /// [`SnapshotError`], as for [`load`](Self::load).
    pub fn load_with(from: impl Read, registry: &Registry) -> Result<Self, SnapshotError> {
        let state = snapshot::load(from, &|name| registry.find(name))?;
        let world = Self::new(Settings::default()).map_err(SnapshotError::from)?;
        Ok(world.with_state(state))
    }

    /// A hash of the world's state: of exactly what a snapshot holds. Worlds whose hashes are equal go on with the same
    /// bits; how they are run does not matter.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        snapshot::state_hash(&self.state)
    }
}
