//! The replay of a recording: its edits at their ticks, from its start to its end.

use std::fmt;
use std::iter::Peekable;
use std::sync::Arc;
use std::vec;

use crate::base::error::Error;
use crate::base::settings::Settings;
use crate::world::World;
use crate::world::recording::log::{Chained, What};
use crate::world::recording::{Recording, ReplayError};

/// The replay of a [`Recording`], tick by tick.
///
/// The world may run in another way than the recorded one: [`World::set_execution`] changes no bit of it. Other edits of
/// it end the agreement with the recording.
pub struct Replay<const D: usize> {
    world: World<D>,
    rest: Peekable<vec::IntoIter<Arc<Chained<D>>>>,
    /// The last tick, and the hash of the state there.
    tick: u64,
    hash: u64,
    /// The last tick at which a hash agreed.
    equal: u64,
}

/// Short: the world, and the end of the recording.
impl<const D: usize> fmt::Debug for Replay<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut replay = f.debug_struct("Replay");
        replay.field("world", &self.world).field("end_tick", &self.tick).finish_non_exhaustive()
    }
}

impl<const D: usize> Replay<D> {
    pub(super) fn new(recording: &Recording<D>) -> Result<Self, Error> {
        let world = World::new(Settings::default())?.with_state((*recording.start).clone());
        let rest = recording.log.entries().into_iter().peekable();
        Ok(Self { equal: world.tick(), world, rest, tick: recording.tick, hash: recording.hash })
    }

    /// The world at the present tick, without the edits that were made at this tick.
    #[must_use]
    pub fn world(&self) -> &World<D> {
        &self.world
    }

    /// The same, to set how it runs, or to ask for explanations.
    pub fn world_mut(&mut self) -> &mut World<D> {
        &mut self.world
    }

    /// The world by itself. After the [`end`](Self::run) it has all edits of the recording.
    #[must_use]
    pub fn into_world(self) -> World<D> {
        self.world
    }

    /// Makes the edits of the present tick, and advances: see [`step`](Self::step).
    pub(crate) fn advanced(&mut self) -> Result<bool, ReplayError> {
        let tick = self.world.tick();
        while let Some(link) = self.rest.next_if(|link| link.entry.tick <= tick) {
            match &link.entry.what {
                What::Edit(edit) => self.world.apply(edit).map_err(|error| {
                    let edit = edit.to_string();
                    ReplayError::Refused { tick, edit, error }
                })?,
                What::Hash(hash) => self.compare(*hash)?,
            }
        }
        if tick >= self.tick {
            return self.compare(self.hash).map(|()| false);
        }
        self.world.try_step().map_err(|error| ReplayError::Step { tick, error })?;
        Ok(true)
    }

    /// Compares the hash of the state.
    fn compare(&mut self, hash: u64) -> Result<(), ReplayError> {
        let (tick, equal) = (self.world.tick(), self.equal);
        if self.world.state_hash() != hash {
            return Err(ReplayError::Differs { tick, equal });
        }
        self.equal = tick;
        Ok(())
    }
}
