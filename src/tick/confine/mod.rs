//! Confine: obstacles move, agents follow their tracks and cross links, are kept in the world or leave it, regions report, and substances
//! spread.

mod carried;
mod contacts;
mod links;
mod regions;
mod seams;
mod substances;
mod tracks;
mod ways;

use fearless_simd::Level;

use crate::agents::Agents;
use crate::agents::events::Event;
use crate::agents::parallel::{ChunkedColumn, chunked_sums};
use crate::base::ids::AgentId;
use crate::base::settings::{Edge, Settings};
use crate::derived::Derived;
use crate::environment::Arrivals;
use crate::kernels::confine::{any_outside, bounce, wrap};
use crate::maths::Vector;
use crate::ranks::{Chunks, Part};
use crate::species::{LIFETIME, PRE_MOVEMENT};
use crate::state::{RemovalReason, State};
use crate::tick::confine::contacts::ContactBuffers;
use crate::tick::confine::regions::{RegionMembership, regions};
use crate::tick::confine::ways::bounds;
use crate::tick::integrate::Before;

/// Chunks that a thread takes at a time.
const GRAIN: usize = 16;

/// The buffers of the stage.
#[derive(Debug, Default)]
pub(crate) struct ConfineBuffers {
    /// Whether an agent of each chunk left the world.
    left: Vec<bool>,
    regions: RegionMembership,
    contacts: ContactBuffers,
    substances: Vec<substances::Deposits>,
}

/// Moves obstacles and the agents of tracks and on links, moves agents back into the world or records which left it, and reports
/// regions.
pub(crate) fn confine<const D: usize>(
    state: &mut State<D>,
    derived: &mut Derived<D>,
    before: &[Before<D>],
    part: &mut Part,
    buffers: &mut ConfineBuffers,
    level: Level,
    events: &mut Vec<Event>,
) {
    let State { settings, agents, .. } = &mut *state;
    for (number, agents) in agents.iter_mut().enumerate() {
        ways::record(settings, before.get(number).map(|before| &before.position), agents, &part.moves(agents));
    }
    seams::cross(state, derived, before);
    tracks::follow(state, derived, before);
    links::cross(state, derived, before);
    let edges = Edges::of(&state.settings);
    if edges.leads_out.contains(&true) {
        part.gather_if(state, derived, |agents, chunk| edges.any_leaves(level, agents, chunk));
    }
    let State { settings, environment, agents, leavers, .. } = &mut *state;
    environment.advance(settings);
    let (first, mut respawned) = (events.len(), Vec::new());
    for (number, agents) in agents.iter_mut().enumerate() {
        let chunks = part.moves(agents);
        confine_species(level, settings, (agents, &chunks), &mut buffers.left, events, |row, left| match left {
            Left::Respawned => respawned.push((number, row)),
            Left::Removed(agent) => {
                leavers.insert(agent, RemovalReason::Left);
            }
        });
    }
    for (species, row) in respawned {
        derived.indices.strayed(state, species, row);
    }
    let State { settings, environment, agents, .. } = &mut *state;
    for agents in agents {
        let chunks = part.moves(agents);
        agents.follow_velocities(chunks.range());
        let index = &derived.indices.environment;
        regions(settings, environment, index, (agents, &chunks), &mut buffers.regions, events);
        count_down(agents, settings.tick_seconds);
    }
    count_entries(state, &events[first..]);
    contacts::report(state, &derived.plans, &mut derived.indices, part, &mut buffers.contacts, level, events);
    substances::advance(state, part, &mut buffers.substances, level);
    state.despawned.clear();
}

/// Counts the times of agents down by one tick.
fn count_down<const D: usize>(agents: &mut Agents<D>, dt: f32) {
    for name in [PRE_MOVEMENT, LIFETIME] {
        // A thousandth of a tick is rounding.
        let spent = |left: &&mut f32| **left > 0.0;
        for left in agents.columns.time_mut(name).into_iter().flatten().filter(spent) {
            let next = *left - dt;
            *left = if next > 1e-3 * dt { next } else { 0.0 };
        }
    }
}

/// Adds an agent to each source that waits for agents to enter a region, for each of these events.
fn count_entries<const D: usize>(state: &mut State<D>, events: &[Event]) {
    let environment = &mut state.environment;
    let regions = &environment.regions;
    for (_, source, progress) in environment.sources.records_mut() {
        let Arrivals::OnEntry(name) = &source.arrivals else { continue };
        let entered = |event: &&Event| matches!(event, Event::EnteredRegion { region, .. } if regions.get(*region).is_some_and(|region| region.name == *name));
        source.arrive(progress, events.iter().filter(entered).count() as u64);
    }
}

/// The fate of an agent that left the world.
enum Left {
    /// It continues from the centre of the world.
    Respawned,
    /// It is removed at the start of the next tick.
    Removed(AgentId),
}

/// The edges across which agents leave the world.
struct Edges<const D: usize> {
    bounds: [(f32, f32); D],
    /// Whether an agent beyond them, on each axis, leaves the world.
    leads_out: [bool; D],
}

impl<const D: usize> Edges<D> {
    fn of(settings: &Settings<D>) -> Self {
        let leads_out = settings.edge.map(|edge| !matches!(edge, Edge::Wrap | Edge::Bounce));
        Self { bounds: bounds(settings), leads_out }
    }

    /// Returns whether an agent of a chunk leaves the world.
    fn any_leaves(&self, level: Level, agents: &Agents<D>, chunk: usize) -> bool {
        let leaves = |axis: usize| {
            let (low, high) = self.bounds[axis];
            any_outside(level, &agents.position[axis][agents.chunk_rows(chunk)], low, high)
        };
        (0..D).any(|axis| self.leads_out[axis] && leaves(axis))
    }
}

/// Moves the agents in these chunks of one species back into the world. Calls `of` with the rows of the agents that
/// left it.
fn confine_species<const D: usize>(
    level: Level,
    settings: &Settings<D>,
    (agents, chunks): (&mut Agents<D>, &Chunks),
    left: &mut Vec<bool>,
    events: &mut Vec<Event>,
    mut of: impl FnMut(usize, Left),
) {
    left.clear();
    left.resize(agents.chunks(), false);
    let bounds = bounds(settings);
    let Agents { position, velocity, position_residual, velocity_residual, .. } = agents;
    let columns =
        (chunked_sums(position, position_residual), chunked_sums(velocity, velocity_residual), ChunkedColumn(left, 1));
    chunks.for_each(GRAIN, columns, &|_, ((position, of_position), (velocity, of_velocity), left)| {
        let positions = position.0.into_iter().zip(of_position.0);
        let velocities = velocity.0.into_iter().zip(of_velocity.0);
        for (axis, (position, velocity)) in positions.zip(velocities).enumerate() {
            match settings.edge[axis] {
                Edge::Wrap => wrap(level, position, settings.size[axis]),
                Edge::Bounce => bounce(level, position, velocity, settings.size[axis]),
                Edge::Open | Edge::Remove | Edge::Respawn => {
                    let (low, high) = bounds[axis];
                    left.0[0] |= any_outside(level, position.0, low, high);
                }
            }
        }
    });
    for (chunk, _) in left.iter().enumerate().filter(|(_, left)| **left) {
        for row in agents.chunk_rows(chunk) {
            if let Some(left) = leave(settings, &bounds, agents, row, events) {
                of(row, left);
            }
        }
    }
}

/// Handles one row of a chunk that an agent left. Returns the fate of its agent, if it left. An agent that leaves on
/// several axes in one tick is removed if the edge of one of them removes it.
fn leave<const D: usize>(
    settings: &Settings<D>,
    bounds: &[(f32, f32); D],
    agents: &mut Agents<D>,
    row: usize,
    events: &mut Vec<Event>,
) -> Option<Left> {
    let &agent = agents.id.get(row)?;
    let at = agents.position(row);
    let inside = Vector::from_fn(|axis| at[axis].clamp(bounds[axis].0, bounds[axis].1));
    if inside == at {
        return None;
    }
    events.push(Event::Left { agent, species: agents.species });
    let respawns = (0..D).all(|axis| inside[axis] == at[axis] || settings.edge[axis] == Edge::Respawn);
    // An agent that an edge removes waits at the boundary until the next tick starts.
    if respawns {
        agents.jump(row, settings.size * 0.5);
    } else {
        agents.set_position(row, inside);
    }
    Some(if respawns { Left::Respawned } else { Left::Removed(agent) })
}
