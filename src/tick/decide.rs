//! Decide: variables of agents change with time, agents change their states, and hunters catch their prey.

use std::collections::BTreeSet;

use crate::agents::columns::{Columns, Owner};
use crate::agents::events::Event;
use crate::agents::parallel::{ChunkedColumn, for_each_chunk};
use crate::agents::{Agents, flag};
use crate::base::ids::{AgentId, SpeciesId};
use crate::environment::Environment;
use crate::environment::region::Shape;
use crate::index::search::Search;
use crate::kernels::CHUNK;
use crate::maths::Vector;
use crate::rules::world_view::WorldView;
use crate::species::Species;
use crate::species::states::{Condition, Place, State};
use crate::state::{self, RemovalReason};

/// The species number and the row of an agent that may be caught, if there is one.
pub(crate) type Prey = Option<(u32, u32)>;

/// The states of a species and its catch rule, with all names resolved.
#[derive(Debug)]
pub(crate) struct ResolvedStates<const D: usize> {
    /// The rates of each variable, by the number of the state.
    rates: Vec<Vec<f32>>,
    /// For each state, the conditions for leaving it, with the number of the next state.
    transitions: Vec<Vec<(ResolvedCondition<D>, u32)>>,
    catch: Option<ResolvedCatch>,
}

/// A condition with its names resolved; species are numbers.
#[derive(Debug)]
enum ResolvedCondition<const D: usize> {
    Below(usize, f32),
    Above(usize, f32),
    CrowdedCluster(Vec<u32>, f32, bool),
    NearPlace(Option<Shape<D>>, f32, bool),
    After(f32),
    Flag(u32),
}

/// The species to catch, the distance in metres, and the states in which to catch them (one bit each).
#[derive(Debug)]
struct ResolvedCatch {
    filter: Vec<u32>,
    distance: f32,
    during: u32,
}

impl<const D: usize> ResolvedStates<D> {
    pub(crate) fn new(
        own: SpeciesId,
        species: &Species<D>,
        agents: &[Agents<D>],
        environment: &Environment<D>,
    ) -> Self {
        let number = |name: &str| species.state_number(name);
        let rate = |name: &str, state: &State| {
            state.rates.iter().find(|(variable, _)| variable == name).map_or(0.0, |(_, rate)| *rate)
        };
        let rates = species.variables.iter().map(|variable| {
            let states = species.states.iter();
            states.map(|state| rate(&variable.name, state)).collect()
        });
        let resolve = |when: &Condition| resolve(own, species, agents, environment, when);
        let transitions = species.states.iter().map(|state| {
            let transitions = state.transitions.iter();
            transitions.filter_map(|next| Some((resolve(&next.when)?, number(&next.to)? as u32))).collect()
        });
        let catch = species.catch.as_ref().map(|catch| ResolvedCatch {
            filter: catch.filter.species(own, agents),
            distance: catch.distance,
            during: match catch.during.is_empty() {
                true => u32::MAX,
                false => catch.during.iter().filter_map(|name| number(name)).fold(0, |all, state| all | 1 << state),
            },
        });
        Self { rates: rates.collect(), transitions: transitions.collect(), catch }
    }
}

/// One species that decides, and what it reads.
#[derive(Debug)]
pub(crate) struct Decision<'a, const D: usize> {
    pub(crate) world: WorldView<'a, D>,
    pub(crate) species: &'a Species<D>,
    pub(crate) agents: &'a Agents<D>,
    pub(crate) choices: &'a ResolvedStates<D>,
}

impl<const D: usize> Decision<'_, D> {
    /// Updates the columns of every agent, and finds the prey that each could catch.
    pub(crate) fn decide(&self, columns: &mut Columns, prey: &mut Vec<Prey>) {
        prey.clear();
        prey.resize(if self.choices.catch.is_some() { self.agents.len() } else { 0 }, None);
        for number in 0..self.species.variables.len() {
            self.advance_variable(columns, number);
        }
        let mut states = columns.take::<u32>(Owner::State);
        let mut seconds = columns.take::<f32>(Owner::Seconds);
        let mut flags = columns.take::<u32>(Owner::Flags);
        let variables: Vec<&[f32]> = columns.variables().collect();
        let parts = (
            (ChunkedColumn(&mut states, CHUNK), ChunkedColumn(&mut seconds, CHUNK)),
            (ChunkedColumn(&mut flags, CHUNK), ChunkedColumn(prey, CHUNK)),
        );
        for_each_chunk(self.agents.chunks(), 1, parts, &|chunk, ((states, seconds), (flags, prey))| {
            for (in_chunk, row) in (chunk * CHUNK..self.agents.len()).take(CHUNK).enumerate() {
                let mut state = 0;
                if let (Some(own), Some(seconds)) = (states.0.get_mut(in_chunk), seconds.0.get_mut(in_chunk)) {
                    *seconds += self.world.settings.tick_seconds;
                    let flags = flags.0.get(in_chunk).copied().unwrap_or(0);
                    let transitions = self.choices.transitions.get(*own as usize).map_or(&[][..], |next| next);
                    let holds =
                        |(when, _): &&(ResolvedCondition<D>, u32)| self.holds(when, row, &variables, *seconds, flags);
                    if let Some(&(_, to)) = transitions.iter().find(holds) {
                        (*own, *seconds) = (to, 0.0);
                    }
                    state = *own;
                }
                if let (Some(catch), Some(prey)) = (&self.choices.catch, prey.0.get_mut(in_chunk)) {
                    *prey = if catch.during >> state & 1 == 1 {
                        self.nearest(row, &catch.filter, catch.distance)
                    } else {
                        None
                    };
                }
                // The flags of the last tick have been read.
                if let Some(flags) = flags.0.get_mut(in_chunk) {
                    *flags &= flag::THERE;
                }
            }
        });
        columns.put(Owner::State, states);
        columns.put(Owner::Seconds, seconds);
        columns.put(Owner::Flags, flags);
    }

    /// Advances one variable of every agent by its rate.
    fn advance_variable(&self, columns: &mut Columns, number: usize) {
        let variable = &self.species.variables[number];
        let dt = self.world.settings.tick_seconds;
        let rates = &self.choices.rates[number];
        if rates.iter().all(|&rate| rate * dt == 0.0) {
            return;
        }
        let mut values = columns.take_variable(&variable.name);
        let states = columns.values::<u32>(Owner::State).unwrap_or_default();
        for_each_chunk(self.agents.chunks(), GRAIN, ChunkedColumn(&mut values, CHUNK), &|chunk, values| {
            for (value, &state) in values.0.iter_mut().zip(&states[chunk * CHUNK..]) {
                *value = (*value + rates[state as usize] * dt).clamp(variable.low, variable.high);
            }
        });
        columns.put_variable(&variable.name, values);
    }

    fn holds(&self, when: &ResolvedCondition<D>, row: usize, variables: &[&[f32]], seconds: f32, flags: u32) -> bool {
        match when {
            ResolvedCondition::Below(variable, value) => variables[*variable][row] <= *value,
            ResolvedCondition::Above(variable, value) => variables[*variable][row] >= *value,
            ResolvedCondition::CrowdedCluster(filter, distance, near) => self.is_any(row, filter, *distance) == *near,
            ResolvedCondition::NearPlace(shape, distance, near) => {
                let point = self.agents.position(row);
                let within = |shape: &Shape<D>| {
                    let squared = shape.distance_squared(self.world.settings, point);
                    squared <= distance * distance
                };
                shape.as_ref().is_some_and(within) == *near
            }
            ResolvedCondition::After(after) => seconds >= *after,
            ResolvedCondition::Flag(flag) => flags & flag != 0,
        }
    }

    /// Returns whether there is an agent of these species within a distance.
    fn is_any(&self, row: usize, filter: &[u32], distance: f32) -> bool {
        self.search(row, distance).any(self.world.crowds(filter))
    }

    /// Returns the nearest agent of these species within a distance, if there is one.
    fn nearest(&self, row: usize, filter: &[u32], distance: f32) -> Prey {
        let found = self.search(row, distance).nearest(self.world.crowds(filter));
        found.map(|found| (found.species, found.row))
    }

    fn search(&self, row: usize, radius: f32) -> Search<D> {
        let (point, period) = (self.agents.position(row), self.world.settings.period());
        Search { point, radius, period, by: Some((self.agents.species, row)) }
    }
}

/// Chunks that a thread takes at a time where the work per agent is small.
const GRAIN: usize = 8;

/// Resolves the names of a condition. Returns none if it never holds.
fn resolve<const D: usize>(
    own: SpeciesId,
    species: &Species<D>,
    agents: &[Agents<D>],
    environment: &Environment<D>,
    when: &Condition,
) -> Option<ResolvedCondition<D>> {
    let variable = |name: &str| species.variables.iter().position(|variable| variable.name == name);
    Some(match when {
        Condition::Below(name, value) => ResolvedCondition::Below(variable(name)?, *value),
        Condition::Above(name, value) => ResolvedCondition::Above(variable(name)?, *value),
        Condition::Nearer(filter, distance) => {
            ResolvedCondition::CrowdedCluster(filter.species(own, agents), *distance, true)
        }
        Condition::Farther(filter, distance) => {
            ResolvedCondition::CrowdedCluster(filter.species(own, agents), *distance, false)
        }
        Condition::NearerPlace(place, distance) => {
            ResolvedCondition::NearPlace(shape(environment, place), *distance, true)
        }
        Condition::FartherPlace(place, distance) => {
            ResolvedCondition::NearPlace(shape(environment, place), *distance, false)
        }
        Condition::After(seconds) => ResolvedCondition::After(*seconds),
        Condition::Caught => ResolvedCondition::Flag(flag::CAUGHT),
        Condition::WasCaught => ResolvedCondition::Flag(flag::WAS_CAUGHT),
        Condition::Arrived => ResolvedCondition::Flag(flag::ARRIVED),
    })
}

/// Returns the shape of a place (a point is a ball without extent), or none if the world does not have it.
fn shape<const D: usize>(environment: &Environment<D>, place: &Place) -> Option<Shape<D>> {
    let point = |centre| Shape::Ball { centre, radius: 0.0 };
    match place {
        Place::Point(coordinates) => <[f32; D]>::try_from(&coordinates[..]).ok().map(|at| point(Vector(at))),
        Place::Mark(name) => environment.mark(name).map(point),
        Place::Region(name) => {
            environment.regions().iter().find(|region| region.name == *name).map(|region| region.shape)
        }
    }
}

/// Catches the prey of one species' hunters, in row order; an agent is caught at most once. Prey joins the leavers if
/// hunters remove it.
pub(crate) fn catch<const D: usize>(
    state: &mut state::State<D>,
    hunters: usize,
    prey: &[Prey],
    caught: &mut BTreeSet<AgentId>,
    events: &mut Vec<Event>,
) {
    let Some(remove) = state.species[hunters].catch.as_ref().map(|catch| catch.remove) else { return };
    for (row, prey) in prey.iter().enumerate() {
        let Some((species, prey_row)) = *prey else { continue };
        let agent = state.agents[species as usize].id[prey_row as usize];
        if !caught.insert(agent) {
            continue;
        }
        raise(&mut state.agents[species as usize], prey_row as usize, flag::WAS_CAUGHT);
        raise(&mut state.agents[hunters], row, flag::CAUGHT);
        let by = state.agents[hunters].id[row];
        events.push(Event::Caught { agent, species: SpeciesId(species), by });
        if remove {
            state.leavers.insert(agent, RemovalReason::Caught);
        }
    }
}

/// Raises a flag of an agent, if the agent has flags.
fn raise<const D: usize>(agents: &mut Agents<D>, row: usize, flag: u32) {
    if let Some(flags) = agents.columns.values_mut::<u32>(Owner::Flags) {
        flags[row] |= flag;
    }
}
