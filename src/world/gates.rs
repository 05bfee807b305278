//! The gates to the state of a world that several ranks may share: one for its editors, one for its readers.

use crate::derived::Derived;
use crate::state::State;
use crate::world::World;

impl<const D: usize> World<D> {
    /// The state and the data derived from it, for an edit of the host: the only way to change them. Every edit checks
    /// its values, calls this, and then changes the state.
    ///
    /// # Panics
    ///
    /// If several ranks have divided the world, and each has only its own agents.
    pub(super) fn edit(&mut self) -> (&mut State<D>, &mut Derived<D>) {
        self.part.admit_editor();
        self.next = None;
        (&mut self.state, &mut self.derived)
    }

    /// The state with the rows of all agents.
    ///
    /// # Panics
    ///
    /// If several ranks have divided the world, and this one lacks rows.
    pub(super) fn whole(&self) -> &State<D> {
        self.part.admit_reader();
        &self.state
    }
}
