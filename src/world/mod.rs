//! The world: a host creates it, adds species and agents, steps it, reads it and queries it.

mod agent_start;
pub(crate) mod any_world;
mod check;
mod compiled;
#[cfg(test)]
mod collide_oracle;
mod drawn;
mod edits;
mod explain;
mod explanation;
mod faults;
mod formation;
mod free_space;
mod gates;
mod pace;
pub(crate) mod profile;
mod pairs;
mod query;
mod ranks;
mod read;
pub(crate) mod recording;
mod save;
mod start_own;
mod starts;
mod step;
mod trace;
mod wall_audit;
pub(crate) mod warnings;

pub use agent_start::AgentStart;
pub use explanation::{Chosen, Contribution, Explanation};
pub use faults::Faults;
pub use formation::{Formation, FormationShape};
pub use free_space::FreeSpace;
pub use pairs::Pairs;
pub use query::Query;
pub use recording::{AnyRecording, Recording, RecordingError, Replay, ReplayError};
pub use start_own::OwnStart;
pub use trace::TraceEntry;
pub use wall_audit::WallAudit;

use std::fmt;

use fearless_simd::Level;

use crate::agents::Agents;
use crate::agents::events::Event;
use crate::base::error::Error;
use crate::base::settings::{Execution, Settings};
use crate::derived::{Change, Derived};
use crate::kernels::simd::InstructionSet;
use crate::maths::check_arithmetic;
use crate::ranks::Part;
use crate::rules::world_view::WorldView;
use crate::state::State;
use crate::state::undo::Undo;
use crate::tick::{Buffers, arrange, collide, confine, decide, edit, index, integrate, quarantine, steer};
use crate::world::pace::Pace;
use crate::world::profile::{Clock, Profile};
use crate::world::recording::recorder::Recorder;

/// A function that sees the world after each stage of a tick.
type Watch<'a, const D: usize> = &'a mut dyn FnMut(&'static str, &World<D>);

/// A world in `D` dimensions (2 or 3): agents, space and rules.
///
/// A step runs in the rayon pool of the caller, or only on the caller's thread if that is faster. The result does not
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
pub struct World<const D: usize> {
    /// Everything that the next tick depends on.
    state: State<D>,
    /// Caches that are computed from the state and can be discarded at any time.
    derived: Derived<D>,
    /// Data that the stages keep for the next tick, discarded with it.
    buffers: Buffers<D>,
    /// The state at the start of the tick.
    undo: Undo<D>,
    /// The part of the world that this process advances.
    part: Part,
    /// How it runs.
    execution: Execution,
    instruction_set: InstructionSet,
    level: Level,
    events: Vec<Event>,
    /// The events of the tick before, which a step that fails puts back.
    events_before: Vec<Event>,
    /// For explanations, a copy with the rows of the next tick, until the world changes.
    next: Option<Box<Self>>,
    profile: Profile,
    faults: Faults,
    pace: Pace,
    /// Whether agents keep their positions before the last tick.
    keeps_previous: bool,
    /// The recording of edits, if there is one.
    recorder: Option<Box<Recorder<D>>>,
}

/// Short: agents and items of the environment are counted.
impl<const D: usize> fmt::Debug for World<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut world = f.debug_struct("World");
        world.field("tick", &self.tick()).field("size", &self.settings().size.0);
        world.field("species", &self.state.agents.len()).field("agents", &self.population()).finish_non_exhaustive()
    }
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
            buffers: Buffers::default(),
            undo: Undo::default(),
            part: Part::default(),
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
            recorder: None,
        })
    }

    /// A world of one process with the state, the events and the execution settings of this one.
    fn copy(&self) -> Self {
        let (events, profile, faults) = (self.events.clone(), self.profile, self.faults.clone());
        Self { events, profile, faults, recorder: self.recorder.clone(), ..self.with_state(self.state.clone()) }
    }

    /// A world with the given state and the execution settings of this one.
    fn with_state(&self, state: State<D>) -> Self {
        let part = Part::default();
        let (derived, buffers, undo) = (part.derive(&state), Buffers::default(), Undo::default());
        let (events, events_before) = (Vec::new(), Vec::new());
        let (profile, faults) = (Profile::default(), Faults::default());
        let (next, recorder) = (None, None);
        Self { state, derived, buffers, undo, part, events, events_before, next, profile, faults, recorder, ..*self }
    }

    /// Sets how the world runs. This changes the cost of a tick, never its result.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchInstructionSet`] if this machine lacks the instruction set. The world is then unchanged.
    ///
    /// # Panics
    ///
    /// If several ranks have divided the world, the instruction set changes, and the world was not
    /// [gathered](crate::ranks::Ranks::gather) since the last step.
    pub fn set_execution(&mut self, execution: Execution) -> Result<(), Error> {
        let instruction_set = execution.instruction_set.unwrap_or_else(InstructionSet::widest);
        let missing = || Error::NoSuchInstructionSet(instruction_set.name().to_owned());
        let level = instruction_set.level().ok_or_else(missing)?;
        // Without plans there are no lists of another instruction set.
        if instruction_set != self.instruction_set && self.derived.plans.are_made() {
            self.edit_beside().1.note(Change::InstructionSet);
        }
        (self.level, self.instruction_set, self.execution) = (level, instruction_set, execution);
        Ok(())
    }

    /// Frees the memory of everything that is derived from the state, such as indices, lists and plans: for worlds that
    /// rest. The next step or query computes it again, which costs time and changes no bit.
    pub fn release_memory(&mut self) {
        self.next = None;
        (self.derived, self.buffers) = (self.part.derive(&self.state), Buffers::default());
    }

    /// The stages of a tick.
    fn advance(&mut self, mut watch: Option<Watch<'_, D>>) {
        let mut clock = Clock::start();
        let mut profile = Profile::default();
        let lists = self.execution.neighbour_lists;
        let level = self.level;

        let Self { state, derived, undo, part, events, .. } = self;
        edit::edit(&mut undo.of(state), derived, part, level, events);
        profile.edit = clock.lap();
        Self::show(self, &mut watch, "edit");

        let Self { state, derived, undo, part, buffers, .. } = self;
        arrange::arrange(&mut undo.of(state), derived, part, (&mut buffers.sort, &mut buffers.search), level);
        profile.arrange = clock.lap();
        Self::show(self, &mut watch, "arrange");

        let Self { state, derived: Derived { plans, indices, .. }, undo, part, .. } = self;
        index::index(&mut undo.of(state), plans, indices, part, level, lists);
        profile.index = clock.lap();
        Self::show(self, &mut watch, "index");

        let Self { state, derived: Derived { plans, indices, .. }, undo, part, buffers, events, .. } = self;
        decide::decide(&mut undo.of(state), plans, indices, part, &mut buffers.decide, events);
        profile.decide = clock.lap();
        Self::show(self, &mut watch, "decide");

        let Self { state, derived: Derived { plans, indices, outputs }, part, buffers, events, .. } = self;
        let room = (&mut buffers.search, &mut buffers.steer);
        let counts = steer::steer(state, (plans, indices), outputs, part, room, level, events);
        profile.steer = clock.lap();
        Self::show(self, &mut watch, "steer");

        let Self { state, derived, events, .. } = self;
        quarantine::quarantine(state, &mut derived.outputs, events);
        profile.quarantine = clock.lap();
        Self::show(self, &mut watch, "quarantine");

        if self.keeps_previous {
            self.state.agents.iter_mut().for_each(Agents::remember_positions);
        }
        let Self { state, derived: Derived { plans, indices, outputs }, part, buffers, .. } = self;
        integrate::integrate(state, plans, outputs, indices, part, &mut buffers.integrate, level);
        profile.integrate = clock.lap();
        Self::show(self, &mut watch, "integrate");

        let Self { state, derived, part, buffers: Buffers { integrate, collide: buffers, .. }, events, .. } = self;
        collide::collide(state, &mut derived.indices, &integrate.before, part, buffers, level, events);
        profile.collide = clock.lap();
        Self::show(self, &mut watch, "collide");

        let Self { state, derived, part, buffers: Buffers { integrate, confine: buffers, .. }, events, .. } = self;
        confine::confine(state, derived, &integrate.before, part, buffers, level, events);
        profile.confine = clock.lap();
        Self::show(self, &mut watch, "confine");

        self.faults.count(&self.state, &self.derived.indices, &counts, &self.events);
        profile.count(counts, self.state.population());
        self.profile = profile;
    }

    /// The world as rules see it.
    fn view(&self) -> WorldView<'_, D> {
        self.derived.indices.view(&self.state)
    }
}
