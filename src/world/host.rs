//! What does a host do with a world between ticks? It fills it, changes it, and reads it.

use super::World;
use crate::agents::Agents;
use crate::error::Error;
use crate::events::Event;
use crate::ids::{AgentId, Place, SpeciesId};
use crate::kernels::confine::wrap;
use crate::kernels::simd::InstructionSet;
use crate::maths::{Vector, mix};
use crate::profile::Profile;
use crate::scenery::Scenery;
use crate::settings::{Edge, LIMIT, Settings};
use crate::species::{Species, Spread, check_quantities};
use crate::tick::steer::Steered;
use crate::tick::{edit, keep};

impl<const D: usize> World<D> {
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
        agents.set_body(row, self.species[number].draw_body(self.settings.seed, id));
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
        let usual = agents.max_speed(row) * self.settings.tick_seconds * keep::LONGEST as f32;
        agents.set_position(row, position);
        if moved.length_squared() > usual * usual {
            self.out_of_place += 1;
        } else {
            self.keep.carried(moved.length());
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

    /// Gives a species other [`QUANTITIES`](crate::species::QUANTITIES), in their order, as
    /// [`Species::set_quantities`] does. What differs from agent to agent is drawn from the same random numbers as when
    /// the agent was spawned: the bodies are those that it would have had from the start.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchSpecies`], or [`Error::BadValue`] if one is out of its range: then nothing has changed.
    pub fn set_quantities(&mut self, id: SpeciesId, values: [Spread; 7]) -> Result<(), Error> {
        let species = self.species.get_mut(id.number()).ok_or(Error::NoSuchSpecies(id))?;
        check_quantities(values)?;
        species.set_quantities(values);
        let (species, seed) = (&*species, self.settings.seed);
        self.agents[id.number()].set_bodies(species.body(), |agent| species.draw_body(seed, agent));
        Ok(())
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
        let agents = self.agents[id.number()].len();
        Ok(steered.force.each_ref().map(|column| &column[..if agents < column.len() { agents } else { column.len() }]))
    }

    /// A number that two worlds have in common only if their state has the same bits: ids, positions, velocities,
    /// bodies where they differ from agent to agent, goals, the tick, the random key and how worn the order of rows is.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut hash = mix(self.settings.seed ^ mix(self.tick ^ mix(self.out_of_place as u64)));
        for part in self.keep.wear() {
            hash = mix(hash ^ u64::from(part));
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn world(quantities: [Spread; 7]) -> (World<2>, SpeciesId) {
        let size = Vector([90.0, 60.0]);
        let mut world = World::new(Settings { size, tick_seconds: 0.1, seed: 5, ..Settings::default() }).unwrap();
        let mut species = Species::new("starling").with(1.0, crate::behaviours::Cohesion::default());
        species.set_quantities(quantities);
        let species = world.add_species(species).unwrap();
        for number in 0..40 {
            let at = number as f32;
            world.spawn(species, [at, 1.5 * at], [5.0 - at, 3.0]).unwrap();
        }
        (world, species)
    }

    /// Same and drawn in turn, so that every column comes and goes; what is drawn first moves what is drawn next.
    #[test]
    fn quantities_that_are_changed_are_those_of_a_world_that_started_with_them() {
        let all = [
            [1.0, 0.5, 8.0, 10.0, 1.0, f32::INFINITY, 0.3].map(Spread::Same),
            [
                Spread::Uniform(0.5, 2.0),
                Spread::Uniform(0.2, 0.8),
                Spread::Uniform(2.0, 9.0),
                Spread::Uniform(9.0, 11.0),
                Spread::Same(0.5),
                Spread::Same(90.0),
                Spread::Same(0.2),
            ],
            [
                Spread::Same(0.7),
                Spread::Same(0.9),
                Spread::Uniform(2.0, 9.0),
                Spread::Same(7.0),
                Spread::Same(2.0),
                Spread::Same(20.0),
                Spread::Same(0.5),
            ],
        ];
        for (from, to) in [(0, 1), (1, 2), (2, 0), (1, 0)] {
            let (mut changed, species) = world(all[from]);
            changed.set_quantities(species, all[to]).unwrap();
            let (mut fresh, _) = world(all[to]);
            assert_eq!(changed.species(species).unwrap().quantities(), all[to]);
            let bodies = |world: &World<2>| {
                let agents = world.agents(species).unwrap();
                let body = |row| [agents.mass(row), agents.radius(row), agents.max_speed(row), agents.max_force(row)];
                (0..agents.len()).map(body).collect::<Vec<_>>()
            };
            assert_eq!(bodies(&changed), bodies(&fresh), "{from} to {to}");
            for tick in 0..40 {
                assert_eq!(changed.state_hash(), fresh.state_hash(), "{from} to {to}, tick {tick}");
                changed.step();
                fresh.step();
            }
        }
    }

    #[test]
    fn quantities_out_of_their_range_change_nothing() {
        let (mut world, species) = world(Species::<2>::new("").quantities());
        let (before, hash) = (world.species(species).unwrap().quantities(), world.state_hash());
        for (place, bad) in [
            (0, Spread::Same(0.0)),
            (2, Spread::Uniform(3.0, 2.0)),
            (3, Spread::Same(f32::NAN)),
            (5, Spread::Same(-1.0)),
            (6, Spread::Same(0.0)),
        ] {
            let mut values = before;
            values[1] = Spread::Same(2.0);
            values[place] = bad;
            assert!(matches!(world.set_quantities(species, values), Err(Error::BadValue { .. })), "{place}");
            assert_eq!((world.species(species).unwrap().quantities(), world.state_hash()), (before, hash));
        }
        assert!(matches!(world.set_quantities(SpeciesId(1), before), Err(Error::NoSuchSpecies(_))));
    }
}
