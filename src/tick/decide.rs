//! Decide: what an agent remembers changes with time, and agents go into other states; hunters catch their prey.

use std::collections::BTreeSet;

use crate::agents::{Agents, FLAGS, HEADER, SECONDS, STATE, flag};
use crate::behaviour::Whom;
use crate::events::Event;
use crate::ids::{AgentId, SpeciesId};
use crate::kernels::CHUNK;
use crate::parallel::{Column, for_each_chunk};
use crate::scene::Scene;
use crate::search::{Crowd, Search};
use crate::species::Species;
use crate::states::{Catch, Condition};

/// Somebody who may be caught, or nobody: the number of a species and a row.
pub(crate) type Prey = Option<(u32, u32)>;

/// One species that decides.
#[derive(Debug)]
pub(crate) struct Decision<'a, const D: usize> {
    pub(crate) scene: Scene<'a, D>,
    pub(crate) species: &'a Species<D>,
    pub(crate) agents: &'a Agents<D>,
}

impl<const D: usize> Decision<'_, D> {
    /// Brings the memory of every agent up to date, and finds whom it could catch.
    pub(crate) fn decide(&self, memory: &mut [f32], prey: &mut Vec<Prey>) {
        let width = self.agents.memory_width;
        prey.clear();
        prey.resize(if self.species.catch.is_some() { self.agents.len() } else { 0 }, None);
        let columns = (Column(memory, CHUNK * width), Column(prey, CHUNK));
        for_each_chunk(self.agents.chunks(), 1, columns, &|chunk, (memory, prey)| {
            let rows = chunk * CHUNK..self.agents.len();
            for (row, memory) in rows.zip(memory.0.chunks_mut(width)) {
                self.advance(row, memory);
                if let (Some(catch), Some(prey)) = (&self.species.catch, prey.0.get_mut(row - chunk * CHUNK)) {
                    *prey = self.catchable(row, catch, memory[STATE]);
                }
                // What happened in the last tick was looked at, and is over.
                memory[FLAGS] = (memory[FLAGS] as u32 & flag::THERE) as f32;
            }
        });
    }

    /// One agent's variables and state.
    fn advance(&self, row: usize, memory: &mut [f32]) {
        let Some(state) = self.species.states.get(memory[STATE] as usize) else { return };
        let dt = self.scene.settings.tick_seconds;
        memory[SECONDS] += dt;
        for (number, variable) in self.species.variables.iter().enumerate() {
            let Some((_, rate)) = state.rates.iter().find(|(name, _)| *name == variable.name) else { continue };
            let value = &mut memory[HEADER + number];
            *value = (*value + rate * dt).clamp(variable.low, variable.high);
        }
        let taken = state.transitions.iter().find(|transition| self.holds(&transition.when, row, memory));
        if let Some(to) = taken.and_then(|taken| self.species.state_number(&taken.to)) {
            memory[STATE] = to as f32;
            memory[SECONDS] = 0.0;
        }
    }

    fn holds(&self, condition: &Condition, row: usize, memory: &[f32]) -> bool {
        let variable = |name: &str| {
            let number = self.species.variables.iter().position(|variable| variable.name == name);
            number.map_or(f32::NAN, |number| memory[HEADER + number])
        };
        let flag = |flag: u32| memory[FLAGS] as u32 & flag != 0;
        match condition {
            Condition::Below(name, value) => variable(name) < *value,
            Condition::Above(name, value) => variable(name) > *value,
            Condition::Nearer(whom, distance) => self.around(row, *distance).any(self.crowds(whom)),
            Condition::Farther(whom, distance) => !self.around(row, *distance).any(self.crowds(whom)),
            Condition::After(seconds) => memory[SECONDS] >= *seconds,
            Condition::Caught => flag(flag::CAUGHT),
            Condition::WasCaught => flag(flag::WAS_CAUGHT),
            Condition::Arrived => flag(flag::ARRIVED),
        }
    }

    /// A search around an agent.
    fn around(&self, row: usize, radius: f32) -> Search<D> {
        let (point, period) = (self.agents.position(row), self.scene.settings.period());
        Search { point, radius, period, by: Some((self.agents.species, row)) }
    }

    /// The agents of these species.
    fn crowds(&self, whom: &Whom) -> impl Iterator<Item = Crowd<'_, D>> {
        let own = self.agents.species;
        self.scene.agents.iter().filter(move |others| whom.perceives(own, others)).filter_map(Crowd::of)
    }

    fn catchable(&self, row: usize, catch: &Catch, state: f32) -> Prey {
        let during = |state: usize| {
            catch.during.is_empty()
                || self.species.states.get(state).is_some_and(|own| catch.during.contains(&own.name))
        };
        if !during(state as usize) {
            return None;
        }
        let found = self.around(row, catch.distance).nearest(self.crowds(&catch.whom))?;
        Some((found.species, found.row))
    }
}

/// Lets the hunters of one species catch their prey, in row order; nobody is caught twice. Who is caught goes to
/// `gone`, if hunters remove them.
pub(crate) fn catch<const D: usize>(
    agents: &mut [Agents<D>],
    hunters: usize,
    prey: &[Prey],
    caught: &mut BTreeSet<AgentId>,
    events: &mut Vec<Event>,
    mut gone: Option<&mut Vec<AgentId>>,
) {
    for (row, prey) in prey.iter().enumerate() {
        let Some((species, prey_row)) = *prey else { continue };
        let prey = &mut agents[species as usize];
        let agent = prey.id[prey_row as usize];
        if !caught.insert(agent) {
            continue;
        }
        prey.raise_flag(prey_row as usize, flag::WAS_CAUGHT);
        let hunter = &mut agents[hunters];
        hunter.raise_flag(row, flag::CAUGHT);
        events.push(Event::Caught { agent, species: SpeciesId(species), by: hunter.id[row] });
        if let Some(gone) = &mut gone {
            gone.push(agent);
        }
    }
}
