//! Decide: variables of agents change with time, agents change their states and take places, and hunters catch prey.

mod decision;
mod places;

use std::collections::BTreeSet;

use crate::agents::columns::Owner;
use crate::agents::events::Event;
use crate::agents::parallel::{ChunkedColumn, PerThread};
use crate::agents::{Agents, flag};
use crate::base::ids::{AgentId, SpeciesId};
use crate::derived::indices::Indices;
use crate::derived::plans::Plans;
use crate::environment::places::Claim;
use crate::index::search::FoundAgent;
use crate::kernels::CHUNK;
use crate::maths::Vector;
use crate::neighbour_lists::plan::Plan;
use crate::ranks::Part;
use crate::species::{PRE_MOVEMENT, Species};
use crate::state::undo::Undoable;
use crate::state::{RemovalReason, State};
use crate::tick::decide::decision::{Decided, Decision, Prey};

/// Chunks that a thread takes at a time where the work per agent is small.
const GRAIN: usize = 8;

/// The buffers of the stage.
#[derive(Debug, Default)]
pub(crate) struct DecideBuffers<const D: usize> {
    /// The prey that each agent of a species could catch.
    prey: Vec<Vec<Prey>>,
    /// The states of agents before they decide, if decisions look at them.
    states: Vec<Vec<u32>>,
    /// The longest way of an agent of each species in the last tick, in metres.
    longest_ways: Vec<f32>,
    /// The agents near one.
    found: PerThread<Vec<FoundAgent>>,
    /// The agents that want a place.
    claims: Vec<Claim<D>>,
}

/// Updates the states and variables of agents, and lets hunters catch their prey.
pub(crate) fn decide<const D: usize>(
    state: &mut Undoable<'_, D>,
    plans: &Plans<D>,
    indices: &mut Indices<D>,
    part: &Part,
    buffers: &mut DecideBuffers<D>,
    events: &mut Vec<Event>,
) {
    let decide = state.species.iter().zip(plans.of()).any(|(species, plan)| decides(species, plan));
    if !decide && state.environment.places.is_empty() {
        return;
    }
    let state = state.rows();
    let DecideBuffers { prey, states, longest_ways, found, claims } = buffers;
    states.resize_with(state.species.len(), Vec::new);
    if plans.names().iter().any(|names| names.states.look_at_states()) {
        for (before, agents) in states.iter_mut().zip(&state.agents) {
            before.clear();
            before.extend_from_slice(agents.columns.values::<u32>(Owner::State).unwrap_or_default());
        }
    }
    prey.resize_with(state.species.len(), Vec::new);
    longest_ways.clear();
    longest_ways.extend(state.agents.iter().map(longest_way));
    found.prepare();
    for (number, prey) in prey.iter_mut().enumerate() {
        let (chunks, resolved) = (part.moves(&state.agents[number]), &plans.names()[number].states);
        rest(&mut state.agents[number]);
        for (variable, rates) in state.species[number].variables.iter().zip(&resolved.rates) {
            let (dt, columns) = (state.settings.tick_seconds, &mut state.agents[number].columns);
            if rates.iter().any(|&rate| rate * dt != 0.0) {
                let (values, states) = columns.variable_and_states(&variable.name);
                chunks.for_each(GRAIN, ChunkedColumn(values, CHUNK), &|chunk, values| {
                    for (value, &state) in values.0.iter_mut().zip(&states[chunk * CHUNK..]) {
                        *value = (*value + rates[state as usize] * dt).clamp(variable.low, variable.high);
                    }
                });
            }
        }
        // Meanwhile these columns are out of the world: no agent sees the decision of another one.
        let mut decided = Decided::taken_from(&mut state.agents[number].columns);
        let agents = &state.agents[number];
        let (world, before, longest) = (indices.view(state), &states[..], &longest_ways[..]);
        Decision { world, before, agents, resolved, longest, found }.decide(&chunks, &mut decided, prey);
        decided.put_into(&mut state.agents[number].columns);
    }
    places::allot(state, plans, &mut indices.environment, claims);
    let mut caught = BTreeSet::new();
    for (hunters, prey) in prey.iter().enumerate() {
        catch(state, hunters, prey, &mut caught, events);
    }
}

/// Puts agents to rest that do not move yet.
fn rest<const D: usize>(agents: &mut Agents<D>) {
    let Agents { columns, velocity, velocity_residual, .. } = agents;
    for (row, _) in columns.time(PRE_MOVEMENT).unwrap_or_default().iter().enumerate().filter(|(_, left)| **left > 0.0) {
        for column in velocity.iter_mut().chain(&mut *velocity_residual) {
            column[row] = 0.0;
        }
    }
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
