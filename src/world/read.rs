//! Read access of a host to a world between ticks.

use crate::agents::Agents;
use crate::agents::events::Event;
use crate::base::error::Error;
use crate::base::ids::{AgentId, AgentRow, SpeciesId};
use crate::base::settings::{Execution, Settings};
use crate::environment::{Environment, WallId, WallShape};
use crate::kernels::simd::InstructionSet;
use crate::maths::Vector;
use crate::rules::motions::wanted_of;
use crate::species::Species;
use crate::world::World;
use crate::world::faults::Faults;
use crate::world::profile::Profile;

impl<const D: usize> World<D> {
    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings<D> {
        &self.state.settings
    }

    /// How the world runs.
    #[must_use]
    pub fn execution(&self) -> Execution {
        self.execution
    }

    /// The instruction set that the kernels run with.
    #[must_use]
    pub fn instruction_set(&self) -> InstructionSet {
        self.instruction_set
    }

    /// The number of ticks the world has advanced by.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.state.tick
    }

    /// The simulated time, in seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.state.seconds()
    }

    /// The simulated time in seconds, to nine decimals, from the decimal number that the length of a tick was written
    /// as: three ticks of 0.1 s are 0.3 s, and not 0.3000000044703484 s. It is for tables and figures.
    #[must_use]
    pub fn decimal_seconds(&self) -> f64 {
        let (tick, length) = (self.tick() as f64, self.settings().tick_seconds);
        // Not so if the length of a tick has changed.
        let is_product = self.seconds() == tick * f64::from(length);
        let decimal = || length.to_string().parse().unwrap_or(f64::from(length));
        let time = if is_product { tick * decimal() } else { self.seconds() };
        (time * 1e9).round() / 1e9
    }

    /// The share of steps that were on one thread, because threads would have cost more than they save; zero before the
    /// first step, and on several ranks.
    #[must_use]
    pub fn share_on_one_thread(&self) -> f64 {
        self.pace.share_on_one()
    }

    /// The number of agents of all species.
    #[must_use]
    pub fn population(&self) -> usize {
        self.state.population()
    }

    /// Returns whether no agent is alive and no source or track can add one: nothing happens any more unless the host
    /// acts.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        let Environment { sources, tracks, .. } = &self.state.environment;
        self.population() == 0
            && tracks.items().iter().zip(tracks.records()).all(|(of, followers)| followers.have_begun(of.tracks.len()))
            && sources.items().iter().zip(sources.records()).all(|(source, progress)| source.has_ended(progress))
    }

    /// The number of agents that were ever spawned, by the host or by sources. It is the number of agents alive and
    /// of those [`removed`](Self::removed).
    #[must_use]
    pub fn spawned(&self) -> u64 {
        self.population() as u64 + self.state.tally.total()
    }

    /// The number of agents removed for each reason, in alphabetical order: `caught`; `despawned`, by the host; `left`,
    /// across the edge of the world; `lifetime`; and `sink:NAME`. Reasons without removals are absent.
    pub fn removed(&self) -> impl Iterator<Item = (&str, u64)> {
        self.state.tally.iter()
    }

    /// The number of agents of all sources that arrived and wait for room.
    #[must_use]
    pub fn backlog(&self) -> u64 {
        let environment = self.environment();
        environment.sources.iter().filter_map(|(id, _)| environment.source_backlog(id)).sum()
    }

    /// The species in the order in which they were added.
    pub fn species_ids(&self) -> impl Iterator<Item = SpeciesId> + use<D> {
        let exists = |species: &Agents<D>| !species.name().is_empty();
        let ids = self.state.agents.iter().filter(|species| exists(species)).map(Agents::species);
        ids.collect::<Vec<_>>().into_iter()
    }

    /// The species with this name, if any.
    #[must_use]
    pub fn find_species(&self, name: &str) -> Option<SpeciesId> {
        self.state.species_number(name).map(|number| SpeciesId(number as u32))
    }

    /// The definition of a species.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`].
    pub fn species(&self, id: SpeciesId) -> Result<&Species<D>, Error> {
        self.agents(id).map(|_| &self.state.species[id.number()])
    }

    /// The agents of a species: slices of positions, velocities, ids and columns.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`].
    pub fn agents(&self, id: SpeciesId) -> Result<&Agents<D>, Error> {
        let found = self.state.agents.get(id.number()).filter(|agents| !agents.name().is_empty());
        found.ok_or(Error::NoSuchSpecies(id))
    }

    /// The agents of every species, indexed by [`SpeciesId::number`]. A species that was removed keeps its place, without
    /// agents and with an empty name.
    #[must_use]
    pub fn all_agents(&self) -> &[Agents<D>] {
        &self.state.agents
    }

    /// Returns whether an agent is alive.
    #[must_use]
    pub fn contains(&self, id: AgentId) -> bool {
        self.whole().ids.row_of(id).is_some()
    }

    /// The species and the row of an agent. The row is valid until the world changes.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`].
    pub fn find(&self, id: AgentId) -> Result<(SpeciesId, usize), Error> {
        let found = self.row_of(id)?;
        Ok((SpeciesId(found.species), found.row as usize))
    }

    /// The position of an agent, in metres.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`].
    pub fn position(&self, id: AgentId) -> Result<Vector<D>, Error> {
        let found = self.row_of(id)?;
        Ok(self.state.agents[found.species as usize].position(found.row as usize))
    }

    /// The velocity of an agent, in metres per second.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`].
    pub fn velocity(&self, id: AgentId) -> Result<Vector<D>, Error> {
        let found = self.row_of(id)?;
        Ok(self.state.agents[found.species as usize].velocity(found.row as usize))
    }

    /// The direction in which an agent looks: see [`Agents::heading`].
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`].
    pub fn heading(&self, id: AgentId) -> Result<Vector<D>, Error> {
        let found = self.row_of(id)?;
        Ok(self.state.agents[found.species as usize].heading(found.row as usize))
    }

    /// The name of an agent's state; `None` if its species has no states.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`].
    pub fn state(&self, id: AgentId) -> Result<Option<&str>, Error> {
        let found = self.row_of(id)?;
        let number = self.state.agents[found.species as usize].state(found.row as usize);
        let states = &self.state.species[found.species as usize].states;
        Ok(states.get(number).map(|state| &state.name[..]))
    }

    /// The steering force on an agent in the last tick, in newtons, before truncation to the largest force. For a
    /// species with its own motion, the velocity that the motion chose.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`].
    pub fn steering_of(&self, id: AgentId) -> Result<Vector<D>, Error> {
        let found = self.row_of(id)?;
        let force = &self.derived.outputs[found.species as usize].force;
        Ok(Vector::from_fn(|axis| force[axis].get(found.row as usize).copied().unwrap_or(0.0)))
    }

    /// The steering forces on all agents of a species (see [`steering_of`](Self::steering_of)), one slice per axis, in
    /// the order of rows. Zero for agents that have not been steered yet. A host that moves agents itself reads these
    /// and writes the positions back.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`].
    pub fn steering(&self, id: SpeciesId) -> Result<[&[f32]; D], Error> {
        let agents = self.agents(id)?.len();
        let output = &self.derived.outputs[id.number()];
        Ok(output.force.each_ref().map(|column| &column[..agents]))
    }

    /// The velocity that the rules of an agent wanted in the last tick: its own, plus their force times the response.
    /// The species' own motion, if it has one, starts from this velocity. It is zero for a walker that stands or has
    /// settled at its goal.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`].
    pub fn preferred_velocity(&self, id: AgentId) -> Result<Vector<D>, Error> {
        let found = self.row_of(id)?;
        let (number, row) = (found.species as usize, found.row as usize);
        let (species, agents) = (&self.state.species[number], &self.state.agents[number]);
        let velocity = agents.velocity(row);
        if let Some(wanted) = wanted_of(agents) {
            return Ok(Vector(wanted[row]));
        }
        if species.prefers() {
            let preferred = &self.derived.outputs[number].preferred;
            return Ok(Vector::from_fn(|axis| preferred[axis].get(row).copied().unwrap_or(0.0)));
        }
        let force = if species.motion.is_some() { Vector::ZERO } else { self.steering_of(id)? };
        Ok(velocity + force * species.response)
    }

    /// The walls that stand now, and their shapes where they are now.
    pub fn standing_walls(&self) -> impl Iterator<Item = (WallId, WallShape<D>)> + '_ {
        let environment = &self.state.environment;
        let seconds = self.state.seconds();
        let walls = environment.walls.iter().zip(environment.wall_motions());
        let standing = walls.filter(move |((_, wall), _)| !wall.is_open(seconds));
        standing.map(|((id, wall), motion)| (id, wall.shape.displaced(motion.offset)))
    }

    /// The environment of the world: its walls, obstacles, regions and other items.
    #[must_use]
    pub fn environment(&self) -> &Environment<D> {
        &self.state.environment
    }

    /// The events of the last tick.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The time that each stage of the last tick took.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The faults in the ticks of this world, since it was created or loaded.
    #[must_use]
    pub fn faults(&self) -> Faults {
        self.faults.clone()
    }

    pub(super) fn row_of(&self, id: AgentId) -> Result<AgentRow, Error> {
        self.whole().ids.row_of(id).ok_or(Error::NoSuchAgent(id))
    }
}
