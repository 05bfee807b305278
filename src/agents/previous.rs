//! The positions before the last tick, for hosts that draw agents between two ticks. The state does not include them.

use crate::agents::Agents;
use crate::kernels;

impl<const D: usize> Agents<D> {
    /// The positions before the last tick in metres, one slice per axis, row by row: agents that were spawned since,
    /// or [set elsewhere](crate::Came::WasSet), have their present positions here. `None` unless the world keeps them: see
    /// [`World::keep_previous`](crate::World::keep_previous).
    #[must_use]
    pub fn previous_positions(&self) -> Option<[&[f32]; D]> {
        self.previous.as_ref().map(|previous| kernels::rows(previous, 0..self.len()))
    }

    /// Keeps the positions as those before a tick.
    pub(crate) fn remember_positions(&mut self) {
        match &mut self.previous {
            Some(previous) => previous.clone_from(&self.position),
            None => self.previous = Some((*self.position).clone()),
        }
    }

    /// Forgets where the agent at a row came from.
    pub(super) fn forget_previous(&mut self, row: usize) {
        if let Some(previous) = &mut self.previous {
            for (previous, position) in previous.iter_mut().zip(self.position.iter()) {
                previous[row] = position[row];
            }
        }
    }
}
