//! Confine: obstacles move, agents are kept in the world or leave it, and regions report.

use std::ops::Range;

use fearless_simd::Level;

use crate::agents::Agents;
use crate::agents::events::Event;
use crate::agents::parallel::{ChunkedColumn, chunked_sums, for_each_chunk_of};
use crate::base::ids::AgentId;
use crate::base::settings::{Edge, Settings};
use crate::kernels::confine::{any_outside, bounce, wrap};
use crate::maths::Vector;
use crate::state::{RemovalReason, State};
use crate::tick::derived::{Change, Derived};
use crate::tick::moved::bounds;
use crate::tick::regions::regions;
use crate::tick::{contacts, moved, sources, times};

/// Chunks that a thread takes at a time.
const GRAIN: usize = 16;

/// Moves obstacles, moves agents back into the world or records which left it, and reports regions.
pub(crate) fn confine<const D: usize>(
    state: &mut State<D>,
    derived: &mut Derived<D>,
    level: Level,
    events: &mut Vec<Event>,
) {
    if derived.division.is_partial && any_leaves(state, derived, level) {
        derived.gather_rows(state, None);
    }
    let State { settings, environment, agents, leavers, .. } = &mut *state;
    environment.advance(settings);
    let (before, mut respawned) = (events.len(), Vec::new());
    for (number, agents) in agents.iter_mut().enumerate() {
        let chunks = derived.division.moved(number, agents.chunks());
        moved::record(settings, derived.collide.before(number), agents, chunks.clone());
        confine_species(level, settings, (agents, chunks), &mut derived.flags, events, |row, left| match left {
            Left::Respawned => respawned.push((number, row)),
            Left::Removed(agent) => {
                leavers.insert(agent, RemovalReason::Left);
            }
        });
    }
    for (species, row) in respawned {
        state.stray(species, row);
        derived.note(Change::Row { species, row, stamp: state.agents[species].position.stamp() });
        derived.note_mix_row(state.mix_row(species, row));
    }
    let State { settings, environment, agents, .. } = &mut *state;
    for (number, agents) in agents.iter_mut().enumerate() {
        agents.follow_velocities(derived.division.moved(number, agents.chunks()));
        let Derived { environment: index, regions: compared, .. } = &mut *derived;
        regions(settings, environment, index, agents, compared, events);
        times::advance(agents, settings.tick_seconds);
    }
    sources::count_entries(state, &events[before..]);
    contacts::report(state, derived, level, events);
    state.despawned.clear();
}

/// What happens to an agent that left the world.
enum Left {
    /// It continues from the centre of the world.
    Respawned,
    /// It is removed at the start of the next tick.
    Removed(AgentId),
}

/// Returns whether an agent of any rank leaves the world.
fn any_leaves<const D: usize>(state: &State<D>, derived: &mut Derived<D>, level: Level) -> bool {
    let (settings, bounds) = (&state.settings, bounds(&state.settings));
    let leaves = |axis: &usize| !matches!(settings.edge[*axis], Edge::Wrap | Edge::Bounce);
    let axes: Vec<usize> = (0..D).filter(leaves).collect();
    if axes.is_empty() {
        return false;
    }
    let mut outside = 0;
    for (number, agents) in state.agents.iter().enumerate() {
        for chunk in derived.division.own(number, agents.chunks()) {
            let any = |&&axis: &&usize| {
                any_outside(level, &agents.position[axis][agents.chunk_rows(chunk)], bounds[axis].0, bounds[axis].1)
            };
            outside += axes.iter().filter(any).count() as u64;
        }
    }
    derived.division.add_up([&mut outside]);
    outside > 0
}

/// Moves the agents in these chunks of one species back into the world. Calls `of` with the rows of the agents that
/// left it.
fn confine_species<const D: usize>(
    level: Level,
    settings: &Settings<D>,
    (agents, chunks): (&mut Agents<D>, Range<usize>),
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
    for_each_chunk_of(chunks, GRAIN, columns, &|_, ((position, of_position), (velocity, of_velocity), left)| {
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

/// Handles one row of a chunk that an agent left. Returns what happens to its agent, if that one left. An agent that
/// leaves on several axes in one tick is removed if the edge of one of them removes it.
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
    agents.set_position(row, if respawns { settings.size * 0.5 } else { inside });
    if respawns {
        agents.forget_way(row);
    }
    Some(if respawns { Left::Respawned } else { Left::Removed(agent) })
}
