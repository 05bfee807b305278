//! Positions between two ticks, for hosts that draw more often than they step.

use crate::base::error::Error;
use crate::base::ids::SpeciesId;
use crate::base::settings::wrap_into_world;
use crate::maths::Vector;
use crate::world::World;

impl<const D: usize> World<D> {
    /// Keeps the positions before each tick from now on, or stops. They cost one copy of the positions per tick, and are
    /// part of neither the [hash](Self::state_hash) nor snapshots: a loaded world does not keep them, a clone does.
    pub fn keep_previous(&mut self, keep: bool) {
        self.keeps_previous = keep;
        if !keep {
            self.edit_beside().0.agents.iter_mut().for_each(|agents| agents.previous = None);
        }
    }

    /// The positions at which to draw the agents of a species, row by row: `share` of the way from those before the last
    /// tick to the present ones, in metres. Across the seam of a periodic world they take the shortest way. An agent that
    /// was spawned since then, or [set elsewhere](crate::Came::WasSet), is where it is, as is every agent of a world that does not
    /// [keep](Self::keep_previous) previous positions.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`].
    pub fn drawn(
        &self,
        species: SpeciesId,
        share: f32,
    ) -> Result<impl ExactSizeIterator<Item = Vector<D>> + '_, Error> {
        let (agents, settings) = (self.agents(species)?, self.settings());
        let (previous, period) = (agents.previous_positions(), settings.period());
        Ok((0..agents.len()).map(move |row| {
            let now = agents.position(row);
            let Some(previous) = previous else { return now };
            let back = settings.offset(now, Vector::from_fn(|axis| previous[axis][row]));
            wrap_into_world(now + back * (1.0 - share), &period)
        }))
    }
}
