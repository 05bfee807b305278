//! The recorder of a world: it gets each edit at the gate to the state.

use std::sync::Arc;

use crate::environment::Environment;
use crate::state::State;
use crate::state::snapshot::state_hash;
use crate::world::recording::edit::Edit;
use crate::world::recording::items::{Items, Stamps, stamps};
use crate::world::recording::log::{Log, What};

/// The edits of a world since a start.
#[derive(Clone, Debug)]
pub(crate) struct Recorder<const D: usize> {
    pub(super) start: Arc<State<D>>,
    pub(super) log: Log<D>,
    /// A hash of the state is recorded at the ticks that this number divides; never, if it is zero.
    pub(super) hash_every: u64,
    /// The stamps of the items of the environment before the host got access to them, until the edit is recorded.
    expected: Option<Box<Stamps>>,
}

impl<const D: usize> Recorder<D> {
    /// A recorder that continues a log from a start.
    pub(super) fn new(start: Arc<State<D>>, log: Log<D>, hash_every: u64) -> Self {
        Self { start, log, hash_every, expected: None }
    }

    /// Records an edit before it happens.
    pub(crate) fn note(&mut self, state: &State<D>, edit: Edit<D>) {
        self.settle(state);
        self.log.push(state.tick, What::Edit(edit));
    }

    /// Expects an edit of the environment.
    pub(crate) fn expect_environment(&mut self, environment: &mut Environment<D>) {
        self.expected.get_or_insert_with(|| Box::new(stamps(environment)));
    }

    /// Records the edit of the environment that was expected, if there was one.
    pub(crate) fn settle(&mut self, state: &State<D>) {
        let Some(before) = self.expected.take() else { return };
        for items in Items::changed(&state.environment, &before) {
            self.log.push(state.tick, What::Edit(Edit::SetItems(items)));
        }
    }

    /// Records that the world has advanced by a tick.
    pub(crate) fn ticked(&mut self, state: &State<D>) {
        if self.hash_every != 0 && state.tick.is_multiple_of(self.hash_every) {
            self.log.push(state.tick, What::Hash(state_hash(state)));
        }
    }
}
