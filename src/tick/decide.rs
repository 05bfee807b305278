//! Decide: variables of agents change with time, agents change their states and take places, and hunters catch prey.

use std::collections::BTreeSet;

use crate::agents::columns::{Columns, Owner};
use crate::agents::events::Event;
use crate::agents::parallel::{ChunkedColumn, PerThread, for_each_chunk};
use crate::agents::{Agents, flag};
use crate::base::ids::{AgentId, SpeciesId};
use crate::environment::region::Shape;
use crate::index::search::{Among, FoundAgent, Search};
use crate::kernels::CHUNK;
use crate::maths::Vector;
use crate::neighbour_lists::plan::Plan;
use crate::rules::interface::PerceivedSpecies;
use crate::rules::steering::share_since;
use crate::rules::world_view::WorldView;
use crate::species::resolved_states::{ResolvedCondition, ResolvedStates};
use crate::species::{PRE_MOVEMENT, Species};
use crate::state::{RemovalReason, State};
use crate::tick::derived::{Derived, Prey};
use crate::tick::{places, times};

/// Updates the states and variables of agents, and lets hunters catch their prey.
pub(crate) fn decide<const D: usize>(state: &mut State<D>, derived: &mut Derived<D>, events: &mut Vec<Event>) {
    if state.species.iter().zip(derived.plans()).any(|(species, plan)| decides(species, plan)) {
        derived.undo.keep_rows(state);
    }
    let mut before = std::mem::take(&mut derived.states_before);
    before.resize_with(state.species.len(), Vec::new);
    if derived.names().iter().any(|names| names.states.look_at_states()) {
        for (before, agents) in before.iter_mut().zip(&state.agents) {
            before.clear();
            before.extend_from_slice(agents.columns.values::<u32>(Owner::State).unwrap_or_default());
        }
    }
    let mut prey = std::mem::take(&mut derived.prey);
    prey.resize_with(state.species.len(), Vec::new);
    let mut longest = std::mem::take(&mut derived.longest_ways);
    longest.clear();
    longest.extend(state.agents.iter().map(longest_way));
    derived.found.prepare();
    for (number, prey) in prey.iter_mut().enumerate() {
        times::rest(&mut state.agents[number]);
        let mut columns = std::mem::take(&mut state.agents[number].columns);
        let ways = columns.take::<f32>(Owner::Moved);
        let (species, agents) = (&state.species[number], &state.agents[number]);
        let resolved = &derived.names()[number].states;
        let (own_ways, longest, found) = (ways.as_chunks().0, &longest[..], &derived.found);
        let world = derived.view(state);
        Decision { world, before: &before, species, agents, resolved, own_ways, longest, found }
            .decide(&mut columns, prey);
        columns.put(Owner::Moved, ways);
        state.agents[number].columns = columns;
    }
    places::allot(state, derived);
    let mut caught = BTreeSet::new();
    for (hunters, prey) in prey.iter().enumerate() {
        catch(state, hunters, prey, &mut caught, events);
    }
    (derived.prey, derived.longest_ways, derived.states_before) = (prey, longest, before);
}

/// The longest way that an agent of a species went in the last tick, in metres; zero if they do not keep their ways.
fn longest_way<const D: usize>(agents: &Agents<D>) -> f32 {
    let moved = agents.columns.values::<[f32; D]>(Owner::Moved).unwrap_or_default();
    let squared = moved.iter().map(|&way| Vector(way).length_squared());
    squared.fold(0.0, |most, squared| if squared > most { squared } else { most }).sqrt()
}

/// Returns whether this stage changes agents of a species.
fn decides<const D: usize>(species: &Species<D>, plan: &Plan) -> bool {
    let Species { states, variables, catch, pre_movement, .. } = species;
    !states.is_empty() || !variables.is_empty() || catch.is_some() || pre_movement.is_some() || plan.arrives()
}

/// One species that decides, and what it reads.
#[derive(Debug)]
struct Decision<'a, const D: usize> {
    world: WorldView<'a, D>,
    /// The states of all agents at the start of the stage, if a decision looks at them.
    before: &'a [Vec<u32>],
    species: &'a Species<D>,
    agents: &'a Agents<D>,
    resolved: &'a ResolvedStates<D>,
    /// The ways of its agents in the last tick, in metres; empty if they do not keep them.
    own_ways: &'a [[f32; D]],
    /// The longest way of an agent of each species.
    longest: &'a [f32],
    found: &'a PerThread<Vec<FoundAgent>>,
}

impl<const D: usize> Decision<'_, D> {
    /// Updates the columns of every agent, and finds the prey that each could catch.
    fn decide(&self, columns: &mut Columns, prey: &mut Vec<Prey>) {
        prey.clear();
        prey.resize(if self.resolved.catch.is_some() { self.agents.len() } else { 0 }, None);
        for number in 0..self.species.variables.len() {
            self.advance_variable(columns, number);
        }
        let mut states = columns.take::<u32>(Owner::State);
        let mut seconds = columns.take::<f32>(Owner::Seconds);
        let mut flags = columns.take::<u32>(Owner::Flags);
        if states.is_empty() && flags.is_empty() && prey.is_empty() {
            return;
        }
        let variables: Vec<&[f32]> = columns.variables().collect();
        let waits = columns.time(PRE_MOVEMENT).unwrap_or_default();
        let parts = (
            (ChunkedColumn(&mut states, CHUNK), ChunkedColumn(&mut seconds, CHUNK)),
            (ChunkedColumn(&mut flags, CHUNK), ChunkedColumn(prey, CHUNK)),
        );
        for_each_chunk(self.agents.chunks(), 1, parts, &|chunk, ((states, seconds), (flags, prey))| {
            for (in_chunk, row) in (chunk * CHUNK..self.agents.len()).take(CHUNK).enumerate() {
                if waits.get(row).is_some_and(|&left| left > 0.0) {
                    continue;
                }
                let mut state = 0;
                if let (Some(own), Some(seconds)) = (states.0.get_mut(in_chunk), seconds.0.get_mut(in_chunk)) {
                    *seconds += self.world.settings.tick_seconds;
                    let flags = flags.0.get(in_chunk).copied().unwrap_or(0);
                    let transitions = self.resolved.transitions.get(*own as usize).map_or(&[][..], |next| next);
                    let holds =
                        |(when, _): &&(ResolvedCondition<D>, u32)| self.holds(when, row, &variables, *seconds, flags);
                    if let Some(&(_, to)) = transitions.iter().find(holds) {
                        (*own, *seconds) = (to, 0.0);
                    }
                    state = *own;
                }
                if let (Some(catch), Some(prey)) = (&self.resolved.catch, prey.0.get_mut(in_chunk)) {
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
        let rates = &self.resolved.rates[number];
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
            ResolvedCondition::Near(filter, distance, near) => self.is_any(row, filter, *distance) == *near,
            ResolvedCondition::NearPlace(shape, distance, near) => {
                let (point, settings) = (self.agents.position(row), self.world.settings);
                // An agent passes by a place on its way; it is farther where it is now.
                let way = if *near { self.own_way(row) } else { Vector::ZERO };
                let within = |shape: &Shape<D>| shape.is_near_way(settings, point, way, *distance);
                shape.as_ref().is_some_and(within) == *near
            }
            ResolvedCondition::Door(number, open) => {
                self.world.environment.walls()[*number].is_open(self.world.seconds()) == *open
            }
            ResolvedCondition::After(after) => seconds >= *after,
            ResolvedCondition::Flag(flag) => flags & flag != 0,
        }
    }

    /// Returns whether there is, or on the ways of the last tick was, an agent of these species within a distance and
    /// not behind a wall.
    fn is_any(&self, row: usize, filter: &PerceivedSpecies, distance: f32) -> bool {
        if !self.has_walls() && self.search(row, distance).any(self.among(filter)) {
            return true;
        }
        self.nearest(row, filter, distance).is_some()
    }

    /// Returns the nearest agent of these species within a distance and not behind a wall, if there is one; else the one
    /// that was the nearest on the ways of the last tick.
    fn nearest(&self, row: usize, filter: &PerceivedSpecies, distance: f32) -> Prey {
        if !self.has_walls()
            && let Some(found) = self.search(row, distance).nearest(self.among(filter))
        {
            return Some((found.species, found.row));
        }
        let farthest = filter.numbers.iter().map(|&species| self.longest[species as usize]);
        let farthest = farthest.fold(0.0, |most, way| if way > most { way } else { most });
        let (at, way) = (self.agents.position(row), self.own_way(row));
        let reach = distance + (farthest + way.length()) * WAY_SLACK;
        if !self.has_walls() && reach <= distance {
            return None;
        }
        self.found.with(|found| {
            self.search(row, reach).all(self.among(filter), found);
            let met = found.iter().filter_map(|other| {
                let them = &self.world.agents[other.species as usize];
                let offset = self.world.settings.offset(at, them.position(other.row as usize));
                let sees = |from, offset: Vector<D>| {
                    offset.length_squared() <= distance * distance && !self.world.is_hidden(from, offset)
                };
                if sees(at, offset) {
                    return Some((false, offset.length_squared(), other));
                }
                // Both went straight: where they were when they were nearest to each other.
                let is_own = them.species == self.agents.species;
                let row = other.row as usize;
                let relative = way - if is_own { self.own_way(row) } else { them.moved(row) };
                let since = share_since(offset, relative);
                let passed = offset + relative * since;
                sees(at - way * since, passed).then(|| (true, passed.length_squared(), other))
            });
            let key = |&(passed, squared, other): &(bool, f32, &FoundAgent)| {
                (passed, squared.to_bits(), other.species, other.row)
            };
            met.min_by_key(key).map(|(.., other)| (other.species, other.row))
        })
    }

    /// The way of an agent of the species in the last tick.
    fn own_way(&self, row: usize) -> Vector<D> {
        self.own_ways.get(row).map_or(Vector::ZERO, |&way| Vector(way))
    }

    fn has_walls(&self) -> bool {
        !self.world.environment_index.walls.pieces.is_empty()
    }

    fn among<'b>(&'b self, filter: &'b PerceivedSpecies) -> Among<'b, D> {
        Among { frozen: Some(self.before), ..self.world.among(filter) }
    }

    fn search(&self, row: usize, radius: f32) -> Search<D> {
        let (point, period) = (self.agents.position(row), self.world.settings.period());
        Search { point, radius, period, by: Some((self.agents.species, row)) }
    }
}

/// Ways are rounded: searches reach a little farther.
const WAY_SLACK: f32 = 1.0 + 1e-5;

/// Chunks that a thread takes at a time where the work per agent is small.
const GRAIN: usize = 8;

/// Catches the prey of one species' hunters, in row order; an agent is caught at most once. Prey joins the leavers if
/// hunters remove it.
fn catch<const D: usize>(
    state: &mut State<D>,
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
