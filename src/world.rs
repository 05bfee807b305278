//! The world: what a host makes, fills, steps, reads and asks.

mod ask;
mod explain;
mod host;

pub use explain::{Contribution, Explanation};

use std::collections::BTreeSet;
use std::sync::OnceLock;

use fearless_simd::Level;

use crate::agents::Agents;
use crate::error::Error;
use crate::events::Event;
use crate::ids::{AgentId, Ids, SpeciesId};
use crate::index::Index;
use crate::kernels::simd::InstructionSet;
use crate::profile::{Clock, Profile};
use crate::scene::Scene;
use crate::scenery::Scenery;
use crate::scenery::index::SceneryIndex;
use crate::settings::{Edge, Settings};
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
    /// Derived from the scenery: brought up to date in every tick.
    scenery_index: SceneryIndex<D>,
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
    /// The regions that each agent was in before it moved.
    regions_before: Vec<u32>,
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
            scenery_index: SceneryIndex::default(),
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
            regions_before: Vec::new(),
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
        if self.keep.is_worn(self.radius()) || self.out_of_place * 16 > population {
            for agents in &mut self.agents {
                arrange::arrange(agents, &self.ids, &mut self.workspace);
            }
            self.out_of_place = 0;
            self.keep.arranged();
        }
    }

    /// Makes the index anew unless the candidates of an earlier tick still hold.
    fn index(&mut self) -> Mode {
        self.scenery_index.update(&self.scenery, &self.settings);
        let mode = self.keep.choose(self.settings.candidates, self.radius());
        if mode != Mode::Keep {
            index::index(self.level, &self.settings.period(), &mut self.agents);
        }
        mode
    }

    /// The largest perception radius.
    fn radius(&self) -> f32 {
        self.plans.iter().map(Plan::radius).fold(0.0, |most, radius| if radius > most { radius } else { most })
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
        let Self { settings, agents, ids, scenery, scenery_index, .. } = self;
        Scene { settings, tick: self.tick, agents, ids, scenery, scenery_index }
    }

    /// The force that each rule asks for and what they come to together, for one agent.
    pub(crate) fn forces_on(&mut self, species: SpeciesId, row: usize) -> (Vec<Vector<D>>, Vector<D>) {
        self.plan();
        self.scratches.prepare();
        self.scenery_index.update(&self.scenery, &self.settings);
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
            scenery_index: &self.scenery_index,
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
            quarantine::quarantine(agents, steered, &mut self.events);
        }
    }

    fn integrate(&mut self) {
        let dt = self.settings.tick_seconds;
        let (mut fastest, mut farthest) = (0.0, 0.0);
        for ((agents, species), steered) in self.agents.iter_mut().zip(&self.species).zip(&self.steered) {
            let speed = integrate::integrate(self.level, species, dt, agents, &steered.force, &mut self.speeds);
            if speed > fastest {
                fastest = speed;
            }
            // Positions are rounded as well as velocities.
            let stride = speed * dt * (1.0 + 1e-4) + f32::EPSILON * agents.index.extent();
            if stride > farthest {
                farthest = stride;
            }
        }
        self.keep.moved(fastest * dt, farthest);
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
            regions::regions(&self.settings, &self.scenery, agents, &mut self.regions_before, &mut self.events);
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
}
