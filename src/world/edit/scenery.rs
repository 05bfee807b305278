//! Edits of a world's scenery by its host.

use crate::environment::Scenery;
use crate::tick::derived::Change;
use crate::world::World;

impl<const D: usize> World<D> {
    /// Mutable access to the marks, obstacles, regions and flow fields between ticks.
    pub fn scenery_mut(&mut self) -> &mut Scenery<D> {
        // What the caller may change is noted before it does: the index compares itself with the scenery, and the next
        // tick brings the regions columns in line.
        self.derived.note(Change::Scenery);
        &mut self.state.scenery
    }
}
