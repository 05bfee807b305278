//! Steps of a world, as hosts ask for them, and its clones.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::agents::Agents;
use crate::agents::parallel::alone;
use crate::base::error::Error;
use crate::base::panicked::Panicked;
use crate::maths::check_arithmetic;
use crate::world::compiled::Compiled;
use crate::world::profile::Clock;
use crate::world::{World, assert_arithmetic};

/// The clone continues with the same bits. It copies the state, and rebuilds what is derived from it. The clone of a
/// world on several ranks runs on one.
impl<const D: usize> Clone for World<D> {
    fn clone(&self) -> Self {
        self.assert_whole();
        (Compiled::functions().clone)(self)
    }
}

impl<const D: usize> World<D> {
    /// Advances the world by one tick, and returns as an error what [`step`](Self::step) panics with.
    ///
    /// No agent has moved then. The world can be read, saved, edited and stepped again.
    ///
    /// # Errors
    ///
    /// [`Error::Panicked`]: a rule panicked, in this tick and with this seed. [`Error::Arithmetic`]: the arithmetic of
    /// this thread is not the default of IEEE 754.
    pub fn try_step(&mut self) -> Result<(), Error> {
        check_arithmetic()?;
        let (tick, seed) = (self.state.tick, self.state.settings.seed);
        let stepped = catch_unwind(AssertUnwindSafe(|| self.step()));
        stepped.map_err(|payload| Error::Panicked(Panicked::new(tick, seed, &*payload)))
    }

    /// Advances the world by one tick.
    ///
    /// A panic in a rule propagates to the caller; [`try_step`](Self::try_step) returns it. No agent has moved then,
    /// and the world remains usable.
    ///
    /// # Panics
    ///
    /// If the arithmetic of this thread, or of the pool's thread that takes the step, is not the default of IEEE 754: see
    /// [`check_arithmetic`]. The world has not changed then.
    pub fn step(&mut self) {
        assert_arithmetic();
        // A host's transport may be bound to its thread.
        if self.derived.division.is_divided() {
            return self.step_watched(|_, _| {});
        }
        let chunks = self.state.agents.iter().map(Agents::chunks).sum();
        let mut clock = Clock::start();
        if self.pace.is_alone(chunks) {
            alone(|| self.step_watched(|_, _| {}));
        } else {
            // From outside of the pool, each division of work would wait for a thread of the pool to take it.
            rayon::scope(|_| self.step_watched(|_, _| {}));
        }
        self.pace.record(chunks, clock.lap());
    }

    /// Advances the world by one tick as [`step`](Self::step) does, and calls `watch` with the name of each stage at
    /// its end. The world can be read there, in the middle of a tick: [`trace`](Self::trace) lists its columns.
    pub fn step_watched(&mut self, mut watch: impl FnMut(&'static str, &Self)) {
        (Compiled::functions().advance)(self, &mut watch);
    }
}
