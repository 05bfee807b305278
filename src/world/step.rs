//! Steps of a world, as hosts ask for them, and its clones.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::agents::Agents;
use crate::agents::parallel::serially;
use crate::agents::strand::{self, Strand};
use crate::base::error::Error;
use crate::base::panicked::Panicked;
use crate::maths::check_arithmetic;
use crate::world::compiled::Compiled;
use crate::world::profile::Clock;
use crate::world::{Watch, World};

/// The clone continues with the same bits. It copies the state, and rebuilds the data derived from it. The clone of a
/// world on several ranks runs on one.
impl<const D: usize> Clone for World<D> {
    fn clone(&self) -> Self {
        self.whole();
        (Compiled::functions().clone)(self)
    }
}

impl<const D: usize> World<D> {
    /// Advances the world by one tick like [`step`](Self::step), but returns a rule's panic as an error.
    ///
    /// The world is then as it was before: its state and hash, its agents and their rows, and the events of the last
    /// tick that succeeded. It can be read, saved, edited and stepped again, with the bits of a world in which nothing
    /// failed. Only [steering forces](Self::steering) are zero until then. On several ranks the world is of no further
    /// use, as if a rank could not be reached ([`Transport`](crate::ranks::Transport)).
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
    /// A panic in a rule propagates to the caller; [`try_step`](Self::try_step) returns it. The world is then as it was
    /// before. To be able to put it back, a world with a rule or a motion that is not built in keeps a copy of its
    /// agents in ticks that change them before rules run: ticks that sort rows, spawn or remove agents, or update states
    /// and variables.
    ///
    /// # Panics
    ///
    /// If the arithmetic of this thread, or of the pool's thread that takes the step, is not the default of IEEE 754: see
    /// [`check_arithmetic`]. The world has not changed then.
    pub fn step(&mut self) {
        assert_arithmetic();
        // A host's transport may be bound to its thread.
        if !self.part.is_only_process() {
            return self.advance_by_stages(None);
        }
        let chunks = self.state.agents.iter().map(Agents::chunks).sum();
        let mut clock = Clock::start();
        if self.pace.is_serial(chunks) {
            serially(|| self.advance_by_stages(None));
        } else {
            // From outside of the pool, each division of work would wait for a thread of the pool to take it.
            rayon::scope(|_| self.advance_by_stages(None));
        }
        self.pace.record(chunks, clock.lap());
    }

    /// Advances the world by one tick as [`step`](Self::step) does, and calls `watch` with the name of each stage at
    /// its end. The world can be read there, in the middle of a tick: [`trace`](Self::trace) lists its columns. Queries
    /// answer from the positions of that moment. They test every agent, because no index holds in all stages; they
    /// change neither a bit nor a later answer. A step that is watched starts with a copy of the state: a panic in
    /// `watch` leaves the world as one in a rule does.
    ///
    /// # Panics
    ///
    /// As for [`step`](Self::step).
    pub fn step_watched(&mut self, mut watch: impl FnMut(&'static str, &Self)) {
        self.advance_by_stages(Some(&mut watch));
    }

    /// Advances the world by one tick on this thread only, and returns the name and the times of each stage, with the
    /// times of every piece of work that threads could share: see [`strand`].
    ///
    /// # Panics
    ///
    /// As for [`step`](Self::step), and if the pool of this thread has others, or on WebAssembly, which has no clock.
    pub fn step_recorded(&mut self) -> Vec<(&'static str, Strand)> {
        assert_eq!(rayon::current_num_threads(), 1, "a tick is recorded in a pool of one thread");
        let stages = strand::record(|| self.advance_by_stages(None));
        self.profile.stages().into_iter().map(|(name, _)| name).zip(stages).collect()
    }

    /// Advances by one tick. A panic of a rule or of `watch` propagates, and leaves the world as it was.
    pub(super) fn advance_or_undo(&mut self, watch: Option<Watch<'_, D>>) {
        assert_arithmetic();
        self.next = None;
        std::mem::swap(&mut self.events, &mut self.events_before);
        let advanced = catch_unwind(AssertUnwindSafe(|| {
            self.begin(watch.is_some());
            self.advance(watch);
            self.end();
        }));
        if let Err(panic) = advanced {
            std::mem::swap(&mut self.events, &mut self.events_before);
            std::mem::take(&mut self.undo).restore(&mut self.state);
            self.release_memory();
            resume_unwind(panic);
        }
    }

    /// Starts a tick. It can be undone, except on several ranks.
    fn begin(&mut self, is_watched: bool) {
        if let Some(recorder) = &mut self.recorder {
            recorder.settle(&self.state);
        }
        self.events.clear();
        self.derived.indices.queries.forget();
        if self.part.is_only_process() {
            let is_hosted = self.derived.plans.is_hosted(&self.state.species);
            self.undo.begin(&self.state, is_watched, is_hosted);
        }
    }

    /// Ends a tick. The indices of its searches have the earlier positions of agents.
    fn end(&mut self) {
        self.undo.end();
        self.derived.indices.forget_searches();
        self.state.tick += 1;
        if let Some(recorder) = &mut self.recorder {
            recorder.ticked(&self.state);
        }
        debug_assert_eq!(self.part.check(|| self.check()), Ok(()));
    }

    /// Calls the function that watches the tick, if there is one, at the end of a stage.
    pub(super) fn show(&mut self, watch: &mut Option<Watch<'_, D>>, stage: &'static str) {
        if let Some(watch) = watch {
            self.derived.indices.show_rows();
            watch(stage, self);
            self.derived.indices.hide_rows();
        }
    }

    fn advance_by_stages(&mut self, watch: Option<Watch<'_, D>>) {
        (Compiled::functions().advance)(self, watch);
    }
}

/// Panics if the arithmetic of this thread is not the default of IEEE 754.
fn assert_arithmetic() {
    check_arithmetic().unwrap_or_else(|fault| panic!("{}", Error::from(fault)));
}
