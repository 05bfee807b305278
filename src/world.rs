//! The world: what a host makes, fills, steps, reads and asks.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use fearless_simd::Level;

use crate::agents::Agents;
use crate::error::Error;
use crate::events::Event;
use crate::ids::{AgentId, Ids, Place, SpeciesId};
use crate::index::Index;
use crate::kernels::confine::wrap;
use crate::kernels::simd::InstructionSet;
use crate::noise::mix;
use crate::profile::{Clock, Profile};
use crate::scene::Scene;
use crate::scenery::Scenery;
use crate::settings::{Edge, LIMIT, Settings};
use crate::species::Species;
use crate::tick::decide::{self, Decision, Prey};
use crate::tick::keep::{Keep, Mode};
use crate::tick::plan::Plan;
use crate::tick::steer::{Counts, Scratches, Steered, Steering};
use crate::tick::{arrange, confine, edit, index, integrate, quarantine, regions};
use crate::vector::Vector;

/// A world in `D` dimensions (2 or 3): agents, space and rules.
///
/// A step runs in the rayon pool of the caller; a pool of one thread is one thread. The result does not depend on the
/// pool, on the instruction set or on the build.
///
/// ```
/// use throng::behaviours::{Alignment, Cohesion, Separation};
/// use throng::{Settings, Species, Vector, World};
///
/// let mut world = World::<2>::new(Settings { size: Vector([200.0, 200.0]), ..Settings::default() })?;
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
    settings: Settings<D>,
    instruction_set: InstructionSet,
    level: Level,
    tick: u64,
    ids: Ids,
    species: Vec<Species<D>>,
    agents: Vec<Agents<D>>,
    /// What the last steering of each species resulted in.
    steered: Vec<Steered<D>>,
    scenery: Scenery<D>,
    plans: Vec<Plan>,
    /// Whether a rule may have changed since the plans were made.
    rules_changed: bool,
    /// Rows that are out of place since they were last arranged.
    out_of_place: usize,
    events: Vec<Event>,
    /// Who is removed at the start of the next tick.
    leavers: Vec<AgentId>,
    profile: Profile,
    scratches: Scratches<D>,
    workspace: arrange::Workspace,
    counts: Vec<Counts>,
    flags: Vec<bool>,
    speeds: Vec<f32>,
    prey: Vec<Prey>,
    keep: Keep,
    /// What the host's questions are answered from: made with the first question after a change.
    asked: OnceLock<Vec<Index<D>>>,
}

impl<const D: usize> World<D> {
    /// An empty world.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a setting is out of its range, [`Error::NoSuchInstructionSet`] if this machine lacks the
    /// instruction set that the settings or the environment variable `THRONG_ISA` ask for.
    pub fn new(settings: Settings<D>) -> Result<Self, Error> {
        const { assert!(D == 2 || D == 3, "a world has two or three dimensions") };
        settings.check()?;
        let instruction_set = match (settings.instruction_set, std::env::var("THRONG_ISA")) {
            (Some(set), _) => set,
            (None, Ok(name)) => name.parse().map_err(|_| Error::NoSuchInstructionSet(name))?,
            (None, Err(_)) => InstructionSet::widest(),
        };
        let missing = || Error::NoSuchInstructionSet(instruction_set.name().to_owned());
        let level = instruction_set.level().ok_or_else(missing)?;
        Ok(Self {
            settings,
            instruction_set,
            level,
            tick: 0,
            ids: Ids::default(),
            species: Vec::new(),
            agents: Vec::new(),
            steered: Vec::new(),
            scenery: Scenery::default(),
            plans: Vec::new(),
            rules_changed: true,
            out_of_place: 0,
            events: Vec::new(),
            leavers: Vec::new(),
            profile: Profile::default(),
            scratches: Scratches::default(),
            workspace: arrange::Workspace::default(),
            counts: Vec::new(),
            flags: Vec::new(),
            speeds: Vec::new(),
            prey: Vec::new(),
            keep: Keep::default(),
            asked: OnceLock::new(),
        })
    }

    /// Makes one tick.
    pub fn step(&mut self) {
        let mut clock = Clock::start();
        let mut profile = Profile::default();
        self.events.clear();
        self.asked.take();
        self.edit();
        profile.edit = clock.lap();
        self.arrange();
        profile.arrange = clock.lap();
        let mode = self.index();
        profile.index = clock.lap();
        self.decide();
        profile.decide = clock.lap();
        self.steer(mode, &mut profile);
        profile.steer = clock.lap();
        self.quarantine();
        profile.quarantine = clock.lap();
        self.integrate();
        profile.integrate = clock.lap();
        self.confine();
        profile.confine = clock.lap();
        self.tick += 1;
        self.profile = profile;
    }

    /// Removes who left the world in the last tick, and looks at rules that the host may have changed.
    fn edit(&mut self) {
        let Self { leavers, agents, ids, out_of_place, keep, .. } = self;
        for id in leavers.drain(..) {
            edit::remove(agents, ids, id);
            keep.drop_lists();
            *out_of_place += 1;
        }
        self.plan();
    }

    /// Makes plans again where a rule may have changed.
    fn plan(&mut self) {
        if !std::mem::take(&mut self.rules_changed) {
            return;
        }
        self.keep.drop_lists();
        let watched = !self.scenery.regions().is_empty();
        let plan = |(species, own): (_, &Agents<D>)| Plan::new(own.species, species, &self.agents, watched);
        self.plans = self.species.iter().zip(&self.agents).map(plan).collect();
        for (plan, agents) in self.plans.iter().zip(&mut self.agents) {
            agents.set_memory(plan.memory_start.clone(), plan.remembers);
        }
    }

    /// Puts rows into space order every few ticks, and when many are out of place.
    fn arrange(&mut self) {
        let population: usize = self.agents.iter().map(Agents::len).sum();
        if self.tick % arrange::INTERVAL == 0 || self.out_of_place * 16 > population {
            for agents in &mut self.agents {
                arrange::arrange(agents, &mut self.ids, &mut self.workspace);
            }
            self.out_of_place = 0;
            self.keep.arranged();
        }
    }

    /// Packs motion, and makes the index anew unless the candidates of an earlier tick still hold.
    fn index(&mut self) -> Mode {
        index::pack_motion(self.level, &mut self.agents);
        let radius =
            self.plans.iter().map(Plan::radius).fold(0.0, |most, radius| if radius > most { radius } else { most });
        let mode = self.keep.choose(self.settings.candidates, self.tick, radius);
        if mode != Mode::Keep {
            index::index(self.level, &self.settings.period(), &mut self.agents);
        }
        mode
    }

    /// Brings what is remembered of agents up to date, with their states, and lets hunters catch their prey.
    fn decide(&mut self) {
        let mut caught = BTreeSet::new();
        for number in 0..self.species.len() {
            if !self.plans[number].remembers {
                continue;
            }
            let mut memory = std::mem::take(&mut self.agents[number].memory);
            let mut prey = std::mem::take(&mut self.prey);
            let decision =
                Decision { scene: self.scene(), species: &self.species[number], agents: &self.agents[number] };
            decision.decide(&mut memory, &mut prey);
            self.agents[number].memory = memory;
            if let Some(catch) = &self.species[number].catch {
                let Self { agents, events, leavers, .. } = self;
                let gone = if catch.remove { Some(leavers) } else { None };
                decide::catch(agents, number, &prey, &mut caught, events, gone);
            }
            self.prey = prey;
        }
    }

    /// The world as behaviours see it.
    fn scene(&self) -> Scene<'_, D> {
        let Self { settings, agents, ids, scenery, .. } = self;
        Scene { settings, tick: self.tick, agents, ids, scenery }
    }

    /// The force that each rule asks for and what they come to together, for one agent.
    pub(crate) fn forces_on(&mut self, species: SpeciesId, row: usize) -> (Vec<Vector<D>>, Vector<D>) {
        self.plan();
        self.scratches.prepare();
        index::pack_motion(self.level, &mut self.agents);
        index::index(self.level, &self.settings.period(), &mut self.agents);
        let number = species.number();
        let stage = Steering {
            scene: self.scene(),
            level: self.level,
            species: &self.species[number],
            agents: &self.agents[number],
            plan: &self.plans[number],
            scratches: &self.scratches,
            mode: Mode::Fresh,
        };
        stage.explain(row)
    }

    fn steer(&mut self, mode: Mode, profile: &mut Profile) {
        self.scratches.prepare();
        let scene = Scene {
            settings: &self.settings,
            tick: self.tick,
            agents: &self.agents,
            ids: &self.ids,
            scenery: &self.scenery,
        };
        for (number, steered) in self.steered.iter_mut().enumerate() {
            let agents = &self.agents[number];
            let stage = Steering {
                scene,
                level: self.level,
                species: &self.species[number],
                agents,
                plan: &self.plans[number],
                scratches: &self.scratches,
                mode,
            };
            stage.steer(steered, &mut self.counts);
            profile.agents += agents.len() as u64;
            if self.counts.iter().any(|counts| counts.crowded) {
                self.keep.crowded();
            }
            for counts in &self.counts {
                profile.candidates += counts.candidates;
                profile.neighbours += counts.neighbours;
                profile.capped += counts.capped;
            }
            steered.tell_arrivals(agents, &self.counts, &mut self.events);
        }
        for (agents, steered) in self.agents.iter_mut().zip(&mut self.steered) {
            std::mem::swap(&mut agents.memory, &mut steered.memory);
        }
    }

    fn quarantine(&mut self) {
        for (agents, steered) in self.agents.iter().zip(&mut self.steered) {
            quarantine::quarantine(self.level, agents, &mut steered.force, &mut self.flags, &mut self.events);
        }
    }

    fn integrate(&mut self) {
        let dt = self.settings.tick_seconds;
        let mut farthest = 0.0;
        for ((agents, species), steered) in self.agents.iter_mut().zip(&self.species).zip(&self.steered) {
            let speed = integrate::integrate(self.level, species, dt, agents, &steered.force, &mut self.speeds);
            // Positions are rounded as well as velocities.
            let stride = speed * dt * (1.0 + 1e-4) + f32::EPSILON * agents.index.extent();
            if stride > farthest {
                farthest = stride;
            }
        }
        self.keep.moved(farthest);
        for agents in &mut self.agents {
            agents.index.moved = self.keep.travelled();
        }
    }

    fn confine(&mut self) {
        self.scenery.advance(&self.settings);
        let before = self.events.len();
        for agents in &mut self.agents {
            confine::confine(self.level, &self.settings, agents, &mut self.flags, &mut self.events);
        }
        for agents in &mut self.agents {
            regions::regions(&self.settings, &self.scenery, agents, &mut self.events);
        }
        if self.settings.edge == Edge::Respawn && self.events.len() > before {
            self.keep.drop_lists();
        }
        if matches!(self.settings.edge, Edge::Open | Edge::Remove) {
            let left = self.events[before..].iter().filter_map(|event| match event {
                Event::Left { agent, .. } => Some(*agent),
                _ => None,
            });
            self.leavers.extend(left);
        }
    }

    /// Adds a species. It has no agents yet.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if a limit is out of its range, [`Error::NameTaken`] if there is a species of this name.
    pub fn add_species(&mut self, species: Species<D>) -> Result<SpeciesId, Error> {
        species.check()?;
        if self.species.iter().any(|other| other.name == species.name) {
            return Err(Error::NameTaken(species.name));
        }
        let id = SpeciesId(self.species.len() as u32);
        self.agents.push(Agents::new(id, species.name.clone(), species.body()));
        self.species.push(species);
        self.steered.push(Steered::default());
        self.rules_changed = true;
        Ok(id)
    }

    /// Adds an agent. It is steered from the next step on.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`]; [`Error::BadValue`] if a coordinate is not finite, or outside of a world that has a
    /// boundary (a periodic world takes any point within [`LIMIT`] and uses its image inside); [`Error::Full`].
    pub fn spawn(
        &mut self,
        species: SpeciesId,
        position: impl Into<Vector<D>>,
        velocity: impl Into<Vector<D>>,
    ) -> Result<AgentId, Error> {
        let number = species.number();
        if number >= self.agents.len() {
            return Err(Error::NoSuchSpecies(species));
        }
        let position = self.admit(position.into())?;
        let velocity = check_velocity(velocity.into())?;
        self.asked.take();
        self.keep.drop_lists();
        let row = self.agents[number].len();
        let id = self.ids.add(Place { species: species.0, row: row as u32 }).ok_or(Error::Full)?;
        let agents = &mut self.agents[number];
        agents.push(id, position, velocity);
        let padded = agents.padded();
        let [mass, radius, max_speed, max_force] = self.species[number].draw_body(self.settings.seed, id);
        agents.body.mass.set(row, mass, padded);
        agents.body.radius.set(row, radius, padded);
        agents.body.max_speed.set(row, max_speed, padded);
        agents.body.max_force.set(row, max_force, padded);
        self.out_of_place += 1;
        Ok(id)
    }

    /// Removes an agent at once. Rows of its species may move.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`].
    pub fn despawn(&mut self, id: AgentId) -> Result<(), Error> {
        self.place(id)?;
        self.asked.take();
        self.keep.drop_lists();
        edit::remove(&mut self.agents, &mut self.ids, id);
        self.leavers.retain(|leaver| *leaver != id);
        self.out_of_place += 1;
        Ok(())
    }

    fn place(&self, id: AgentId) -> Result<Place, Error> {
        self.ids.place(id).ok_or(Error::NoSuchAgent(id))
    }

    /// The agents of every species.
    pub(crate) fn all_agents(&self) -> &[Agents<D>] {
        &self.agents
    }

    /// One index of the present positions for each species.
    pub(crate) fn indices(&self) -> &[Index<D>] {
        self.asked.get_or_init(|| {
            let index = |agents: &Agents<D>| {
                let mut index = Index::default();
                index.rebuild(self.level, &agents.position, agents.len(), &self.settings.period());
                index
            };
            self.agents.iter().map(index).collect()
        })
    }

    /// The point if the world takes it, its image inside where the world is periodic.
    pub(crate) fn admit(&self, mut point: Vector<D>) -> Result<Vector<D>, Error> {
        if !point.0.iter().all(|coordinate| coordinate.abs() <= LIMIT) {
            return Err(Error::bad("position", point.0, "within 1e6 metres of zero"));
        }
        for axis in 0..D {
            let size = self.settings.size[axis];
            match self.settings.edge {
                Edge::Wrap => {
                    let mut lanes = [point[axis]; 16];
                    wrap(self.level, &mut lanes, size);
                    point[axis] = lanes[0];
                }
                Edge::Open => {}
                Edge::Bounce | Edge::Remove | Edge::Respawn if (0.0..=size).contains(&point[axis]) => {}
                _ => return Err(Error::bad("position", point.0, format!("in the world: [0, {size}]"))),
            }
        }
        Ok(point)
    }

    /// Puts an agent elsewhere.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`], or [`Error::BadValue`] as for [`spawn`](Self::spawn).
    pub fn set_position(&mut self, id: AgentId, position: impl Into<Vector<D>>) -> Result<(), Error> {
        let place = self.place(id)?;
        let position = self.admit(position.into())?;
        self.asked.take();
        self.keep.drop_lists();
        let agents = &mut self.agents[place.species as usize];
        let row = place.row as usize;
        let moved = self.settings.offset(agents.position(row), position);
        // A host that moves all agents itself moves them as far as they go in a tick: their order holds.
        let usual = agents.max_speed(row) * self.settings.tick_seconds * arrange::INTERVAL as f32;
        agents.set_position(row, position);
        if moved.length_squared() > usual * usual {
            self.out_of_place += 1;
        }
        Ok(())
    }

    /// Gives an agent another velocity.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`], or [`Error::BadValue`] if a component is not finite or beyond [`LIMIT`].
    pub fn set_velocity(&mut self, id: AgentId, velocity: impl Into<Vector<D>>) -> Result<(), Error> {
        let place = self.place(id)?;
        let velocity = check_velocity(velocity.into())?;
        self.agents[place.species as usize].set_velocity(place.row as usize, velocity);
        Ok(())
    }

    /// Gives an agent a goal of its own, which the rules that have a target take instead of it, or takes it away.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`], or [`Error::BadValue`] if a coordinate is not finite or beyond [`LIMIT`].
    pub fn set_goal(&mut self, id: AgentId, goal: Option<Vector<D>>) -> Result<(), Error> {
        let place = self.place(id)?;
        if let Some(goal) = goal.filter(|goal| !goal.0.iter().all(|coordinate| coordinate.abs() <= LIMIT)) {
            return Err(Error::bad("goal", goal.0, "within 1e6 metres of zero"));
        }
        self.agents[place.species as usize].set_goal(place.row as usize, goal);
        Ok(())
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings<D> {
        &self.settings
    }

    /// The instruction set that the kernels run with.
    #[must_use]
    pub fn instruction_set(&self) -> InstructionSet {
        self.instruction_set
    }

    /// How many ticks were made.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// How many agents there are, of all species.
    #[must_use]
    pub fn population(&self) -> usize {
        self.agents.iter().map(Agents::len).sum()
    }

    /// The species in the order in which they were added.
    pub fn species_ids(&self) -> impl Iterator<Item = SpeciesId> + use<D> {
        (0..self.species.len() as u32).map(SpeciesId)
    }

    /// The species of this name.
    #[must_use]
    pub fn species_named(&self, name: &str) -> Option<SpeciesId> {
        self.species.iter().position(|species| species.name == name).map(|number| SpeciesId(number as u32))
    }

    /// The definition of a species.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`].
    pub fn species(&self, id: SpeciesId) -> Result<&Species<D>, Error> {
        self.species.get(id.number()).ok_or(Error::NoSuchSpecies(id))
    }

    /// The agents of a species: slices of positions, velocities and ids.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`].
    pub fn agents(&self, id: SpeciesId) -> Result<&Agents<D>, Error> {
        self.agents.get(id.number()).ok_or(Error::NoSuchSpecies(id))
    }

    /// The rules of a species, to be changed between ticks.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`].
    pub fn rules_mut(&mut self, id: SpeciesId) -> Result<&mut Vec<crate::Rule<D>>, Error> {
        let species = self.species.get_mut(id.number()).ok_or(Error::NoSuchSpecies(id))?;
        self.rules_changed = true;
        Ok(&mut species.rules)
    }

    /// The species and the row of an agent. The row holds until the world is changed.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`].
    pub fn find(&self, id: AgentId) -> Result<(SpeciesId, usize), Error> {
        let place = self.place(id)?;
        Ok((SpeciesId(place.species), place.row as usize))
    }

    /// Points with names, and obstacles.
    #[must_use]
    pub fn scenery(&self) -> &Scenery<D> {
        &self.scenery
    }

    /// Points with names, and obstacles, to be changed between ticks.
    pub fn scenery_mut(&mut self) -> &mut Scenery<D> {
        // Whether there are regions decides what is remembered of agents.
        self.rules_changed = true;
        &mut self.scenery
    }

    /// What happened in the last tick.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Where the time of the last tick went.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The steering forces of the last tick, in newtons, one slice per axis, before they are truncated to the largest
    /// force. A host that moves agents itself can take these and put the positions back.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`].
    pub fn steering(&self, id: SpeciesId) -> Result<[&[f32]; D], Error> {
        let steered = self.steered.get(id.number()).ok_or(Error::NoSuchSpecies(id))?;
        Ok(steered.force.each_ref().map(|column| &column[..]))
    }

    /// A number that two worlds have in common only if their state has the same bits: ids, positions, velocities,
    /// bodies, goals, the tick and the random key.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut hash = mix(self.settings.seed ^ mix(self.tick ^ mix(self.out_of_place as u64)));
        for agents in &self.agents {
            hash = mix(hash ^ agents.len() as u64);
            for id in &agents.id {
                hash = mix(hash ^ id.to_bits());
            }
            for column in agents.columns() {
                for value in &column[..agents.len()] {
                    hash = mix(hash ^ u64::from(value.to_bits()));
                }
            }
            for value in &agents.memory[..agents.len() * agents.memory_width] {
                hash = mix(hash ^ u64::from(value.to_bits()));
            }
        }
        for value in self.scenery.numbers() {
            hash = mix(hash ^ u64::from(value.to_bits()));
        }
        hash
    }
}

fn check_velocity<const D: usize>(velocity: Vector<D>) -> Result<Vector<D>, Error> {
    if velocity.0.iter().all(|component| component.abs() <= LIMIT) {
        return Ok(velocity);
    }
    Err(Error::bad("velocity", velocity.0, "within 1e6 metres per second on every axis"))
}
