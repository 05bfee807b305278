//! The gates to the state of a world that several ranks may share: one for its editors, one for its readers.

use crate::derived::Derived;
use crate::state::State;
use crate::world::World;
use crate::world::compiled::Compiled;
use crate::world::recording::edit::Edit;

/// Every edit checks its values, passes one of these gates once, and then changes the state.
///
/// # Panics
///
/// All panic if several ranks have divided the world, and each has only its own agents.
impl<const D: usize> World<D> {
    /// The state and the data derived from it, for an edit of the host, which `record` describes. It is called only if
    /// edits are recorded.
    pub(super) fn edit(&mut self, record: impl FnOnce() -> Edit<D>) -> (&mut State<D>, &mut Derived<D>) {
        if let Some(recorder) = &mut self.recorder {
            (Compiled::functions().note)(recorder, &self.state, record());
        }
        self.edit_beside()
    }

    /// The same for an edit of the environment, which is found by comparison before the next edit or tick.
    pub(super) fn edit_environment(&mut self) -> (&mut State<D>, &mut Derived<D>) {
        if let Some(recorder) = &mut self.recorder {
            recorder.expect_environment(&mut self.state.environment);
        }
        self.edit_beside()
    }

    /// The same without a record: for data outside of the state, and for worlds on several ranks.
    pub(super) fn edit_beside(&mut self) -> (&mut State<D>, &mut Derived<D>) {
        self.part.admit_editor();
        self.next = None;
        (&mut self.state, &mut self.derived)
    }

    /// The state with the rows of all agents.
    pub(super) fn whole(&self) -> &State<D> {
        self.part.admit_reader();
        &self.state
    }
}
