//! Snapshots of a world, and the hash of its state.

use std::io::{Read, Write};

use crate::base::settings::Settings;
use crate::species::registry::Registry;
use crate::state::snapshot::SnapshotError;
use crate::world::World;
use crate::world::compiled::Compiled;

impl<const D: usize> World<D> {
    /// Writes the state of the world: everything that the next tick depends on. Rules and motions are stored by
    /// name and parameters.
    ///
    /// # Errors
    ///
    /// [`SnapshotError::UnknownRule`] if a species has a rule or a motion without a table of parameters;
    /// [`SnapshotError::Io`] if writing fails.
    pub fn save(&self, to: &mut impl Write) -> Result<(), SnapshotError> {
        (Compiled::functions().save)(&self.state, to)
    }

    /// Reads a world, which continues with the same bits as the saved one. A snapshot does not contain the events and
    /// the profile of the last tick.
    ///
    /// # Errors
    ///
    /// [`SnapshotError`]. Any input gives either a world that can be stepped or an error.
    pub fn load(from: impl Read) -> Result<Self, SnapshotError> {
        Self::load_with(from, &Registry::new())
    }

    /// Reads a world whose rules and motions are in this registry.
    ///
    /// # Errors
    ///
    /// [`SnapshotError`], as for [`load`](Self::load).
    pub fn load_with(mut from: impl Read, registry: &Registry) -> Result<Self, SnapshotError> {
        let state = (Compiled::functions().load)(&mut from, registry)?;
        let world = Self::new(Settings::default()).map_err(SnapshotError::from)?;
        Ok(world.with_state(state))
    }

    /// A hash of the world's state, over exactly the contents of a snapshot. Worlds with equal hashes continue with the
    /// same bits. The hash does not depend on how a world runs.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        (Compiled::functions().state_hash)(&self.state)
    }
}
