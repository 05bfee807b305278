//! Edits of a world's environment by its host.

use crate::derived::Change;
use crate::environment::Environment;
use crate::world::World;

impl<const D: usize> World<D> {
    /// The environment of the world, for edits of its walls, obstacles, regions and other items.
    pub fn environment_mut(&mut self) -> &mut Environment<D> {
        // A change by the caller is noted before it happens: the index compares itself with the environment, and the
        // next tick brings the regions columns in line.
        let (state, derived) = self.edit_environment();
        derived.note(Change::Environment);
        &mut state.environment
    }
}
