//! The world: a host creates it, adds species and agents, steps it, reads it and queries it.

mod any_ranks;
pub(crate) mod any_world;
mod ask;
mod check;
mod compiled;
#[cfg(test)]
mod collide_oracle;
mod divide;
mod drawn;
mod edits;
mod explain;
mod explanation;
mod faults;
mod free_space;
mod load_on;
mod pace;
pub(crate) mod profile;
mod read;
mod save;
mod start_own;
mod starts;
mod step;
mod trace;
mod wall_audit;
pub(crate) mod warnings;

pub use explanation::{Chosen, Contribution, Explanation};
pub use faults::Faults;
pub use free_space::FreeSpace;
pub use start_own::OwnStart;
pub use starts::AgentStart;
pub use trace::TraceEntry;
pub use wall_audit::WallAudit;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use fearless_simd::Level;

use crate::agents::Agents;
use crate::agents::events::Event;
use crate::base::error::Error;
use crate::base::settings::{Execution, Settings};
use crate::kernels::simd::InstructionSet;
use crate::maths::check_arithmetic;
use crate::rules::world_view::WorldView;
use crate::state::State;
use crate::tick::derived::{Change, Derived};
use crate::tick::{arrange, collide, confine, decide, edit, index, integrate, quarantine, steer};
use crate::world::pace::Pace;
use crate::world::profile::{Clock, Profile};

/// A function that sees the world after each stage of a tick.
type Watch<'a, const D: usize> = &'a mut dyn FnMut(&'static str, &World<D>);

/// A world in `D` dimensions (2 or 3): agents, space and rules.
///
/// A step runs in the rayon pool of the caller, or on the caller's thread alone if that is faster. The result does not
/// depend on the threads, on the instruction set or on the build.
///
/// ```
/// use throng::behaviours::{Alignment, Cohesion, Separation};
/// use throng::{Settings, Species, World};
///
/// let mut world = World::<2>::new(Settings { size: [200.0, 200.0].into(), ..Settings::default() })?;
/// let flock = Species::new("starling")
///     .with(1.5, Separation::default())
///     .with(1.0, Alignment::default())
///     .with(1.0, Cohesion::default());
/// let starling = world.add_species(flock)?;
/// for i in 0..100 {
///     world.spawn(starling, [i as f32, 50.0], [1.0, i as f32])?;
/// }
/// world.step();
/// let [x, y] = world.agents(starling)?.positions();
/// assert_eq!((x.len(), y.len()), (100, 100));
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Debug)]
pub struct World<const D: usize> {
    /// Everything that the next tick depends on.
    state: State<D>,
    /// Caches that are computed from the state and can be discarded at any time.
    derived: Derived<D>,
    /// How it runs.
    execution: Execution,
    instruction_set: InstructionSet,
    level: Level,
    events: Vec<Event>,
    /// Those of the tick before, which a step that fails puts back.
    events_before: Vec<Event>,
    /// For explanations, a copy with the rows of the next tick, until the world changes.
    next: Option<Box<Self>>,
    profile: Profile,
    faults: Faults,
    pace: Pace,
    /// Whether agents keep their positions before the last tick.
    keeps_previous: bool,
}

impl<const D: usize> World<D> {
    /// An empty world.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a setting is out of its range; [`Error::Arithmetic`] if this thread rounds or treats small
    /// numbers in another way than IEEE 754 has by default.
    pub fn new(settings: Settings<D>) -> Result<Self, Error> {
        const { assert!(D == 2 || D == 3, "a world has two or three dimensions") };
        check_arithmetic()?;
        settings.check()?;
        let instruction_set = InstructionSet::widest();
        let missing = || Error::NoSuchInstructionSet(instruction_set.name().to_owned());
        let level = instruction_set.level().ok_or_else(missing)?;
        Ok(Self {
            state: State::new(settings),
            derived: Derived::default(),
            execution: Execution::default(),
            instruction_set,
            level,
            events: Vec::new(),
            events_before: Vec::new(),
            next: None,
            profile: Profile::default(),
            faults: Faults::default(),
            pace: Pace::default(),
            keeps_previous: false,
        })
    }

    /// What [`clone`](Clone::clone) returns.
    fn copy(&self) -> Self {
        let (events, profile, faults) = (self.events.clone(), self.profile, self.faults);
        Self { events, profile, faults, ..self.with_state(self.state.clone()) }
    }

    /// A world with the given state and the execution settings of this one.
    fn with_state(&self, state: State<D>) -> Self {
        let mut derived = Derived::default();
        derived.start(&state);
        let (events, events_before) = (Vec::new(), Vec::new());
        let (profile, faults) = (Profile::default(), Faults::default());
        Self { state, derived, events, events_before, next: None, profile, faults, ..*self }
    }

    /// Sets how the world runs. This changes the cost of a tick, never its result.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchInstructionSet`] if this machine lacks the instruction set. The world is then unchanged.
    pub fn set_execution(&mut self, execution: Execution) -> Result<(), Error> {
        let instruction_set = execution.instruction_set.unwrap_or_else(InstructionSet::widest);
        let missing = || Error::NoSuchInstructionSet(instruction_set.name().to_owned());
        let level = instruction_set.level().ok_or_else(missing)?;
        // Without plans there are no lists of another instruction set.
        if instruction_set != self.instruction_set && self.derived.plans.is_some() {
            self.edit().1.note(Change::InstructionSet);
        }
        (self.level, self.instruction_set, self.execution) = (level, instruction_set, execution);
        Ok(())
    }

    /// Discards everything derived from the state. The world rebuilds it on demand, which costs time and changes no
    /// bit.
    pub fn forget_derived(&mut self) {
        self.next = None;
        self.derived.forget(&self.state);
    }

    /// Advances by one tick. A panic of a rule or of `watch` propagates, and leaves the world as it was.
    fn advance_or_undo(&mut self, watch: Option<Watch<'_, D>>) {
        assert_arithmetic();
        self.next = None;
        std::mem::swap(&mut self.events, &mut self.events_before);
        let advanced = catch_unwind(AssertUnwindSafe(|| self.advance(watch)));
        if let Err(panic) = advanced {
            std::mem::swap(&mut self.events, &mut self.events_before);
            self.derived.undo(&mut self.state);
            resume_unwind(panic);
        }
    }

    /// The stages of a tick.
    fn advance(&mut self, mut watch: Option<Watch<'_, D>>) {
        let mut clock = Clock::start();
        let mut profile = Profile::default();
        self.events.clear();
        self.derived.begin(&self.state, watch.is_some());
        edit::edit(&mut self.state, &mut self.derived, self.level, &mut self.events);
        profile.edit = clock.lap();
        show(self, &mut watch, "edit");
        arrange::arrange(&mut self.state, &mut self.derived, self.level);
        profile.arrange = clock.lap();
        show(self, &mut watch, "arrange");
        index::index(&mut self.derived, self.level, &mut self.state, self.execution.neighbour_lists);
        profile.index = clock.lap();
        show(self, &mut watch, "index");
        decide::decide(&mut self.state, &mut self.derived, &mut self.events);
        profile.decide = clock.lap();
        show(self, &mut watch, "decide");
        let counts = steer::steer(&mut self.state, &mut self.derived, self.level, &mut self.events);
        profile.steer = clock.lap();
        show(self, &mut watch, "steer");
        quarantine::quarantine(&self.state, &mut self.derived, &mut self.events);
        profile.quarantine = clock.lap();
        show(self, &mut watch, "quarantine");
        if self.keeps_previous {
            self.state.agents.iter_mut().for_each(Agents::remember_positions);
        }
        integrate::integrate(&mut self.state, &mut self.derived, self.level);
        profile.integrate = clock.lap();
        show(self, &mut watch, "integrate");
        collide::collide(&mut self.state, &mut self.derived, self.level, &mut self.events);
        profile.collide = clock.lap();
        show(self, &mut watch, "collide");
        confine::confine(&mut self.state, &mut self.derived, self.level, &mut self.events);
        profile.confine = clock.lap();
        show(self, &mut watch, "confine");
        self.faults.count(&self.state, &self.derived, &counts, &self.events);
        profile.count(counts, self.state.population());
        self.derived.end();
        self.state.tick += 1;
        self.profile = profile;
        // A rank that lacks rows of others cannot check them.
        if !self.derived.division.is_partial {
            debug_assert_eq!(self.check(), Ok(()));
        }
    }

    /// The world as rules see it.
    fn view(&self) -> WorldView<'_, D> {
        self.derived.view(&self.state)
    }

    /// The agents of every species.
    pub(crate) fn all_agents(&self) -> &[Agents<D>] {
        &self.state.agents
    }
}

/// Calls the function that watches the tick, if there is one, at the end of a stage.
fn show<const D: usize>(world: &mut World<D>, watch: &mut Option<Watch<'_, D>>, stage: &'static str) {
    if let Some(watch) = watch {
        world.derived.show_rows();
        watch(stage, world);
        world.derived.hide_rows();
    }
}

/// Panics if the arithmetic of this thread is not the default of IEEE 754.
fn assert_arithmetic() {
    check_arithmetic().unwrap_or_else(|fault| panic!("{}", Error::from(fault)));
}
