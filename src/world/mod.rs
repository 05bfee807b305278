//! The world: a host creates it, adds species and agents, steps it, reads it and queries it.

pub(crate) mod any_world;
mod ask;
mod check;
mod edit;
mod explain;
pub(crate) mod profile;
mod read;
mod save;

pub use explain::{Contribution, Explanation};

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use fearless_simd::Level;

use crate::agents::Agents;
use crate::agents::events::Event;
use crate::agents::row_order::LONGEST;
use crate::base::error::Error;
use crate::base::settings::{Edge, Execution, Settings};
use crate::kernels::simd::InstructionSet;
use crate::neighbour_lists::mix::Mixed;
use crate::neighbour_lists::{budget, mix_members};
use crate::rules::world_view::WorldView;
use crate::state::{RemovalReason, State};
use crate::tick::decide::{self, Decision};
use crate::tick::derived::{Change, Derived};
use crate::tick::steer::Steering;
use crate::tick::{arrange, confine, edit as leave, index, integrate, quarantine, regions};
use crate::world::profile::{Clock, Profile};

/// NeighbourLists that a crowded cluster looks at where a tick would exceed the budget of pairs.
const CROWD: usize = 512;

/// A world in `D` dimensions (2 or 3): agents, space and rules.
///
/// A step runs in the rayon pool of the caller; a pool of one thread is one thread. The result does not depend on the
/// pool, on the instruction set or on the build.
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
    profile: Profile,
}

/// The clone continues with the same bits. It copies the state, and rebuilds what is derived from it.
impl<const D: usize> Clone for World<D> {
    fn clone(&self) -> Self {
        Self { events: self.events.clone(), profile: self.profile, ..self.with_state(self.state.clone()) }
    }
}

impl<const D: usize> World<D> {
    /// An empty world.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a setting is out of its range.
    pub fn new(settings: Settings<D>) -> Result<Self, Error> {
        const { assert!(D == 2 || D == 3, "a world has two or three dimensions") };
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
            profile: Profile::default(),
        })
    }

    /// A world with the given state and the execution settings of this one.
    fn with_state(&self, state: State<D>) -> Self {
        let mut derived = Derived::default();
        derived.start(&state);
        Self { state, derived, events: Vec::new(), profile: Profile::default(), ..*self }
    }

    /// Sets how the world runs. This changes the cost of a tick, never its result.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchInstructionSet`] if this machine lacks the instruction set. The world is then unchanged.
    pub fn set_execution(&mut self, execution: Execution) -> Result<(), Error> {
        let instruction_set = execution.instruction_set.unwrap_or_else(InstructionSet::widest);
        let missing = || Error::NoSuchInstructionSet(instruction_set.name().to_owned());
        self.level = instruction_set.level().ok_or_else(missing)?;
        if instruction_set != self.instruction_set {
            self.derived.note(Change::InstructionSet);
        }
        (self.instruction_set, self.execution) = (instruction_set, execution);
        Ok(())
    }

    /// Discards everything derived from the state. The world rebuilds it on demand, which costs time and changes no
    /// bit.
    pub fn forget_derived(&mut self) {
        self.derived = Derived::default();
        self.derived.start(&self.state);
    }

    /// Advances the world by one tick.
    ///
    /// A panic in a rule propagates to the caller. No agent has moved then, and the world remains usable.
    pub fn step(&mut self) {
        let mut clock = Clock::start();
        let mut profile = Profile::default();
        self.events.clear();
        self.derived.asked.forget();
        self.edit();
        profile.edit = clock.lap();
        self.arrange();
        profile.arrange = clock.lap();
        self.index();
        profile.index = clock.lap();
        self.decide();
        profile.decide = clock.lap();
        self.steer(&mut profile);
        profile.steer = clock.lap();
        self.quarantine();
        profile.quarantine = clock.lap();
        self.integrate();
        profile.integrate = clock.lap();
        self.confine();
        profile.confine = clock.lap();
        self.state.tick += 1;
        self.profile = profile;
        debug_assert_eq!(self.check(), Ok(()));
    }

    /// Removes agents that left the world or were caught in the last tick. Resolves names and rebuilds plans where
    /// rules changed.
    fn edit(&mut self) {
        if self.state.settle_regions() {
            self.derived.note(Change::Rules);
        }
        leave::edit(&mut self.state, &mut self.derived);
        self.mix();
        self.derived.plan(&self.state);
    }

    /// Chooses which species are mixed: after a change of a definition, and every [`LONGEST`] ticks.
    fn mix(&mut self) {
        if self.state.mix.chosen && !self.state.tick.is_multiple_of(u64::from(LONGEST)) {
            return;
        }
        let (members, radius) = mix_members::choose(&self.state);
        let is_mixed = self.state.agents.iter().map(Agents::is_mixed);
        if !is_mixed.eq(members.iter().copied()) {
            self.state.mix_species(&members);
            self.state.limited = None;
            self.derived.note(Change::Rules);
            self.derived.note(Change::SpeciesIndex);
        } else if radius.to_bits() != self.state.mix.radius.to_bits() {
            self.derived.note(Change::Rules);
        }
        (self.state.mix.radius, self.state.mix.chosen) = (radius, true);
    }

    /// Sorts rows into space order where the order is stale, and checks whether a tick exceeds the budget of pairs.
    fn arrange(&mut self) {
        let limited = self.state.limited == Some(true);
        for number in 0..self.state.agents.len() {
            let radius = self.derived.places[number].radius;
            let State { agents, orders, ids, .. } = &mut self.state;
            orders[number].settle(agents[number].len());
            if limited || orders[number].is_stale(agents[number].len(), radius) {
                arrange::arrange(&mut agents[number], ids, &mut self.derived.workspace);
                self.derived.places[number].lasted = orders[number].age;
                orders[number].arranged();
                self.derived.note(Change::Rows { species: number });
                self.state.limited = None;
            }
        }
        self.arrange_mix(limited);
        if self.state.limited.is_none() {
            self.state.limited = Some(self.is_over_budget());
        }
    }

    /// Sorts the agents of the mixed species into space order.
    fn arrange_mix(&mut self, limited: bool) {
        let State { mix, .. } = &mut self.state;
        mix.order.settle(mix.ids.len());
        if mix.ids.is_empty() || !(limited || mix.order.is_stale(mix.ids.len(), self.derived.mixed.places.radius)) {
            return;
        }
        let Derived { mixed, workspace, .. } = &mut self.derived;
        mixed.copy(&self.state);
        arrange::order(&mut mixed.agents, workspace);
        self.state.order_mix(&mixed.agents.id);
        mixed.places.lasted = self.state.mix.order.age;
        self.state.mix.order.arranged();
        self.derived.note(Change::SpeciesIndex);
        self.state.limited = None;
    }

    /// Returns whether a tick would examine more pairs than the settings allow.
    fn is_over_budget(&mut self) -> bool {
        let Some(budget) = self.state.settings.pair_budget else { return false };
        index::measure_all(&mut self.derived, self.level, &self.state);
        self.derived.scratches.prepare();
        let species = (0..self.state.species.len()).map(|number| self.species_steering(number));
        let species: Vec<_> = species.chain([self.mix_steering()]).collect();
        let exceeded = budget::is_exceeded(&species, (budget as u64).saturating_mul(self.state.population() as u64));
        drop(species);
        index::let_loose(&mut self.derived);
        exceeded
    }

    /// Chooses the source of candidates for this tick, and measures boxes where they are needed.
    fn index(&mut self) {
        index::index(&mut self.derived, self.level, &self.state, self.execution.neighbour_lists);
    }

    /// Updates the states and variables of agents, and lets hunters catch their prey.
    fn decide(&mut self) {
        let mut prey = std::mem::take(&mut self.derived.prey);
        prey.resize_with(self.state.species.len(), Vec::new);
        for (number, prey) in prey.iter_mut().enumerate() {
            let mut columns = std::mem::take(&mut self.state.agents[number].columns);
            let (species, agents) = (&self.state.species[number], &self.state.agents[number]);
            let choices = &self.derived.names()[number].choices;
            Decision { world: self.view(), species, agents, choices }.decide(&mut columns, prey);
            self.state.agents[number].columns = columns;
        }
        let mut caught = BTreeSet::new();
        for (hunters, prey) in prey.iter().enumerate() {
            decide::catch(&mut self.state, hunters, prey, &mut caught, &mut self.events);
        }
        self.derived.prey = prey;
    }

    /// The world as rules see it.
    fn view(&self) -> WorldView<'_, D> {
        let State { settings, tick, agents, ids, environment, .. } = &self.state;
        let Derived { places, environment: environment_index, .. } = &self.derived;
        WorldView { settings, tick: *tick, agents, places, ids, environment, environment_index }
    }

    /// The steering pass of one species.
    pub(crate) fn species_steering(&self, number: usize) -> Steering<'_, D> {
        Steering {
            world: self.view(),
            level: self.level,
            species: &self.state.species[number],
            agents: &self.state.agents[number],
            own: &self.derived.places[number],
            plan: &self.derived.plans()[number],
            names: &self.derived.names()[number].rules,
            scratches: &self.derived.scratches,
            mix_sums: &self.derived.mix_sums,
            most: self.state.limited.unwrap_or(false).then_some(CROWD),
        }
    }

    /// The steering pass over the mixed species, as one species without rules.
    pub(crate) fn mix_steering(&self) -> Steering<'_, D> {
        let Mixed { species, agents, places, plan, .. } = &self.derived.mixed;
        Steering {
            world: self.view(),
            level: self.level,
            species,
            agents,
            own: places,
            plan,
            names: &[],
            scratches: &self.derived.scratches,
            mix_sums: &self.derived.mix_sums,
            most: self.state.limited.unwrap_or(false).then_some(CROWD),
        }
    }

    fn steer(&mut self, profile: &mut Profile) {
        self.derived.scratches.prepare();
        let mut mix_sums = std::mem::take(&mut self.derived.mix_sums);
        mix_sums.add_all(&self.derived.mixed, &self.mix_steering());
        for counts in &mix_sums.counts {
            profile.candidates += counts.candidates;
            profile.capped += counts.capped;
        }
        self.derived.mix_sums = mix_sums;
        let mut steered = std::mem::take(&mut self.derived.steered);
        let mut counts = std::mem::take(&mut self.derived.counts);
        let mut chunks = std::mem::take(&mut self.derived.arrivals);
        chunks.clear();
        // Rules are user code: a panic must not lose the buffers or leave the lists half built.
        let caught = catch_unwind(AssertUnwindSafe(|| {
            for (number, steered) in steered.iter_mut().enumerate() {
                self.species_steering(number).steer(steered, &mut counts);
                profile.agents += self.state.agents[number].len() as u64;
                for counts in &counts {
                    profile.candidates += counts.candidates;
                    profile.neighbours += counts.neighbours;
                    profile.capped += counts.capped;
                }
                chunks.extend(counts.iter().map(|counts| counts.arrived));
            }
        }));
        if let Err(panic) = caught {
            self.forget_derived();
            resume_unwind(panic);
        }
        let mut first = 0;
        for ((agents, plan), steered) in
            self.state.agents.iter_mut().zip(self.derived.plans.iter().flatten()).zip(&mut steered)
        {
            let arrived = &chunks[first..first + agents.chunks()];
            first += agents.chunks();
            steered.take_over(agents, plan, arrived, &mut self.events);
        }
        (self.derived.steered, self.derived.counts, self.derived.arrivals) = (steered, counts, chunks);
        self.derived.listed();
    }

    fn quarantine(&mut self) {
        let species = self.state.agents.iter().zip(&self.state.species);
        for ((agents, species), steered) in species.zip(&mut self.derived.steered) {
            quarantine::quarantine(agents, species.motion.is_some(), steered, &mut self.events);
        }
    }

    fn integrate(&mut self) {
        let (dt, period) = (self.state.settings.tick_seconds, self.state.settings.period());
        let Derived { steered, speeds, places, mixed, .. } = &mut self.derived;
        let [mut fastest, mut longest] = [0.0; 2];
        let species = self.state.agents.iter_mut().zip(&self.state.species).zip(&mut self.state.orders);
        for (((agents, species), order), (steered, places)) in species.zip(steered.iter().zip(places)) {
            let speed = integrate::integrate(self.level, species, dt, agents, &steered.force, speeds);
            // Velocities are rounded, and a position adds its old residual and leaves a new one.
            let extent = period.iter().fold(places.index.extent(), |most, &period| {
                if period < f32::INFINITY && period > most { period } else { most }
            });
            let stride = speed * dt * (1.0 + 1e-4) + 2.0 * f32::EPSILON * extent;
            places.index.moved += stride;
            places.stride = stride;
            order.moved(speed * dt);
            if agents.is_mixed() {
                fastest = if speed > fastest { speed } else { fastest };
                longest = if stride > longest { stride } else { longest };
            }
        }
        mixed.moved(longest);
        self.state.mix.order.moved(fastest * dt);
        self.derived.moved();
    }

    fn confine(&mut self) {
        let State { settings, environment, agents, orders, mix, leavers, .. } = &mut self.state;
        environment.advance(settings);
        let before = self.events.len();
        for (number, (agents, order)) in agents.iter_mut().zip(orders).enumerate() {
            let (derived, mut moved) = (&mut self.derived, Vec::new());
            confine::confine(self.level, settings, agents, &mut derived.flags, &mut self.events, |row| moved.push(row));
            for row in moved {
                order.stray(row);
                derived.note(Change::Row { species: number, row });
                let place = agents.mix_row(row);
                place.into_iter().for_each(|place| mix.order.stray(place));
                derived.note_mix_row(place);
            }
        }
        for agents in agents {
            let Derived { environment: index, regions: compared, .. } = &mut self.derived;
            regions::regions(settings, environment, index, agents, compared, &mut self.events);
        }
        if matches!(settings.edge, Edge::Open | Edge::Remove) {
            leavers.extend(self.events[before..].iter().filter_map(|event| match event {
                Event::Left { agent, .. } => Some((*agent, RemovalReason::Left)),
                _ => None,
            }));
        }
    }

    /// The agents of every species.
    pub(crate) fn all_agents(&self) -> &[Agents<D>] {
        &self.state.agents
    }
}
