//! Snapshots of a world, and the hash of its state.

use std::io::{self, Read, Write};

use crate::base::settings::Settings;
use crate::ranks::in_process;
use crate::species::registry::Registry;
use crate::state::snapshot::{SnapshotError, WriteAt};
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
    ///
    /// # Panics
    ///
    /// If the world is one of several ranks, and [`gather`](Self::gather) was not called since the last step.
    pub fn save(&self, to: &mut impl Write) -> Result<(), SnapshotError> {
        self.assert_whole();
        (Compiled::functions().save)(&self.state, to)
    }

    /// Writes this rank's part of the bytes that [`save`](Self::save) writes: the rows that it advances, and on the first
    /// rank also everything else. Every rank of a divided world makes this call, whether or not it has all agents; they
    /// can all write one file at the same time. `write` gets the place of each part, as a number of bytes from the start
    /// of the snapshot. A world that is not divided has one rank.
    ///
    /// # Errors
    ///
    /// [`SnapshotError::UnknownRule`], on all ranks, if a species has a rule or a motion without a table of parameters;
    /// [`SnapshotError::Io`] on a rank where `write` fails: the others know nothing of it.
    ///
    /// # Panics
    ///
    /// If another rank cannot be reached: see [`Transport`](crate::ranks::Transport).
    pub fn save_part(&self, write: &mut dyn FnMut(u64, &[u8]) -> io::Result<()>) -> Result<(), SnapshotError> {
        self.with_ranks(Some(write)).map(|_| ())
    }

    /// The hash that [`state_hash`](Self::state_hash) returns, without gathering agents. Every rank of a divided world
    /// makes this call, whether or not it has all agents, and gets the hash.
    ///
    /// # Panics
    ///
    /// If another rank cannot be reached: see [`Transport`](crate::ranks::Transport).
    #[must_use]
    pub fn shared_hash(&self) -> u64 {
        let hashed = self.with_ranks(None);
        debug_assert!(hashed.is_ok(), "hashing does not refuse rules");
        hashed.unwrap_or_default()
    }

    /// Hashes the state with all ranks, and writes this one's part if there is a function for it.
    fn with_ranks(&self, write: Option<WriteAt<'_>>) -> Result<u64, SnapshotError> {
        let division = &self.derived.division;
        let rows = self.state.agents.iter();
        let rows = rows.map(|agents| division.rows_of(division.rank(), agents.species.number(), agents.len()));
        let alone;
        let transport = match division.transport() {
            Some(transport) => transport,
            None => {
                alone = in_process(1);
                &alone[0]
            }
        };
        // The function may live longer than the transport of one rank.
        let write = write.map(|write| write as WriteAt<'_>);
        (Compiled::functions().save_part)(&self.state, transport, rows.collect(), write)
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
    ///
    /// # Panics
    ///
    /// If the world is one of several ranks, and [`gather`](Self::gather) was not called since the last step:
    /// [`shared_hash`](Self::shared_hash) needs no gathering.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        self.assert_whole();
        (Compiled::functions().state_hash)(&self.state)
    }
}
