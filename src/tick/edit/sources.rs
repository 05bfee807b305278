//! Sources and sinks: agents come into the world, and leave it.

use fearless_simd::Level;

use crate::agents::Agents;
use crate::agents::columns::Owner;
use crate::agents::events::{Event, Removal};
use crate::base::ids::{AgentId, SpeciesId};
use crate::base::settings::Settings;
use crate::derived::Derived;
use crate::derived::indices::Indices;
use crate::derived::resolved_regions::ResolvedRegions;
use crate::derived::rows::{self, remove};
use crate::index::search::FoundAgent;
use crate::maths::{Noise, Vector};
use crate::species::LIFETIME;
use crate::state::State;
use crate::state::undo::Undoable;

/// The least number of draws for a free place, for one agent in one tick, and the further ones that each agent leaves to
/// those after it: a crowd that starts at once fills its region.
const DRAWS: [u32; 2] = [100, 10];

/// The largest number of agents that a source spawns in one tick; more wait.
const MOST: u32 = 1 << 16;

/// Removes the agents in the regions of sinks, sink by sink, and those whose lifetime ended.
pub(super) fn remove_agents<const D: usize>(
    state: &mut Undoable<'_, D>,
    derived: &mut Derived<D>,
    events: &mut Vec<Event>,
) {
    let mut leaving = Vec::new();
    if !state.environment.sinks.is_empty() {
        let regions = derived.plans.regions(state);
        state.agents.iter().for_each(|agents| in_sinks(&state.settings, agents, regions, &mut leaving));
    }
    leaving.sort_by_key(|(sink, _)| *sink);
    for leaving in leaving.chunk_by(|(one, _), (other, _)| one == other) {
        let sink = leaving[0].0;
        let reason = derived.plans.regions(state).sinks[sink].reason.clone();
        let sink = state.environment.sinks.ids()[sink];
        for &(_, agent) in leaving {
            remove_one(state, derived, agent, &reason, Removal::Sink(sink), events);
        }
    }
    let mut expired = Vec::new();
    state.agents.iter().for_each(|agents| expire(agents, &mut expired));
    for agent in expired {
        remove_one(state, derived, agent, "lifetime", Removal::Lifetime, events);
    }
}

/// Adds the agents of a species whose time is up to `expired`.
fn expire<const D: usize>(agents: &Agents<D>, expired: &mut Vec<AgentId>) {
    let left = agents.columns.time(LIFETIME).unwrap_or_default();
    expired.extend(left.iter().zip(&agents.id).filter(|(left, _)| **left <= 0.0).map(|(_, &agent)| agent));
}

pub(super) fn remove_one<const D: usize>(
    state: &mut Undoable<'_, D>,
    derived: &mut Derived<D>,
    agent: AgentId,
    name: &str,
    reason: Removal,
    events: &mut Vec<Event>,
) {
    if let Some(place) = remove(state.rows(), derived, agent, name) {
        events.push(Event::Removed { agent, species: SpeciesId(place.species), reason });
    }
}

/// Adds the agents of a species that sinks remove to `leaving`, with the numbers of the sinks.
fn in_sinks<const D: usize>(
    settings: &Settings<D>,
    agents: &Agents<D>,
    regions: &ResolvedRegions<D>,
    leaving: &mut Vec<(usize, AgentId)>,
) {
    let in_state = agents.columns.values::<u32>(Owner::State).unwrap_or_default();
    for row in 0..agents.len() {
        for number in regions.sinks_by_region.at(agents.regions(row)) {
            let sink = &regions.sinks[number];
            // The host may have moved the agent away since the end of the last tick.
            let (at, way) = (agents.position(row), agents.moved(row));
            let stays = !sink.shapes.iter().any(|shape| shape.is_near_way(settings, at, way, 0.0));
            let state = in_state.get(row).map_or(0, |&state| state);
            if !stays && sink.states[agents.species.number()] >> state & 1 == 1 {
                leaving.push((number, agents.id[row]));
            }
        }
    }
}

/// Spawns the agents of sources that arrive in this tick or wait for room.
pub(super) fn spawn<const D: usize>(
    state: &mut Undoable<'_, D>,
    derived: &mut Derived<D>,
    level: Level,
    events: &mut Vec<Event>,
) {
    let (seed, dt) = (state.settings.seed, state.settings.tick_seconds);
    let mut waiting = false;
    for (id, source, progress) in state.beside_rows().environment.sources.records_mut() {
        source.advance(progress, seed, id.to_bits(), dt);
        waiting |= progress.spawned < progress.arrived;
    }
    if !waiting {
        return;
    }
    derived.indices.update_environment(level, state);
    derived.indices.environment.ground.update(&state.environment, &state.settings, &[]);
    let mut search = FreePlace { widest: state.widest(), draws: 0, found: Vec::new() };
    for source in 0..state.environment.sources.len() {
        search.draws = DRAWS[0];
        let spawns = (0..MOST).map(|_| spawn_one(state, derived, level, source, &mut search, events));
        // The source is exhausted or has no room left.
        spawns.take_while(|spawned| *spawned).for_each(drop);
    }
}

/// A search for places that no body overlaps.
struct FreePlace {
    /// The largest radius of an agent, in metres.
    widest: f32,
    /// The draws that the source has left in this tick.
    draws: u32,
    /// The agents near the new one.
    found: Vec<FoundAgent>,
}

/// Spawns the next agent of a source. Returns whether there was one, and room for it.
fn spawn_one<const D: usize>(
    state: &mut Undoable<'_, D>,
    derived: &mut Derived<D>,
    level: Level,
    place: usize,
    search: &mut FreePlace,
    events: &mut Vec<Event>,
) -> bool {
    let Some((species, shape)) = derived.plans.regions(state).sources[place] else { return false };
    let id = state.environment.sources.ids()[place];
    let (Some(source), Some(progress)) = (state.environment.sources.get(id), state.environment.sources.record(id))
    else {
        return false;
    };
    let (seed, number) = (state.settings.seed, progress.spawned);
    if number >= progress.arrived {
        return false;
    }
    // The agent draws the same body when it is spawned.
    let Some(agent) = state.ids.next() else { return false };
    let definition = &state.species[species];
    let radius = definition.draw(1, seed, agent);
    let mut noise = Noise::new(seed, id.to_bits(), state.tick, Noise::SOURCE | number << 8);
    let position = loop {
        let Some(left) = search.draws.checked_sub(1) else { return false };
        search.draws = left;
        let Some(position) = shape.draw(&state.settings, radius, &mut noise) else { continue };
        if is_free(state, &derived.indices, level, (position, radius + definition.gap), search) {
            break position;
        }
    };
    search.draws = (search.draws + DRAWS[1]).max(DRAWS[0]);
    let mut noise = Noise::new(seed, id.to_bits(), number, Noise::HEADING);
    let heading = source.heading.map_or_else(|| noise.direction(), Vector::direction);
    let speed = source.speed.map_or_else(|| definition.draw(2, seed, agent), |speed| speed.draw(&mut noise));
    let state = state.rows();
    let Ok(agent) = rows::spawn(state, derived, species, position, heading * speed) else { return false };
    let row = state.agents[species].len() - 1;
    if state.agents[species].is_at_rest(row) {
        state.agents[species].face(row, heading);
    }
    search.widest = if radius > search.widest { radius } else { search.widest };
    if let Some(progress) = state.environment.sources.record_of(place) {
        progress.spawned += 1;
    }
    events.push(Event::Spawned { agent, species: SpeciesId(species as u32), source: id });
    true
}

/// Returns whether a body at a position overlaps no agent, obstacle or wall.
fn is_free<const D: usize>(
    state: &State<D>,
    indices: &Indices<D>,
    level: Level,
    (position, radius): (Vector<D>, f32),
    FreePlace { widest, found, .. }: &mut FreePlace,
) -> bool {
    let settings = &state.settings;
    state.environment.has_room(&indices.environment, settings, state.seconds(), position, radius)
        && !indices.everyone(state, level).touch(&settings.period(), (position, radius), *widest, found)
}
