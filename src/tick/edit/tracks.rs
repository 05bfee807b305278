//! Tracks: agents come where a track starts, and leave where it ends.

use crate::agents::events::{Event, Removal};
use crate::base::settings::{Edge, Settings};
use crate::derived::Derived;
use crate::derived::rows::spawn;
use crate::environment::Track;
use crate::formulas::edges::wrapped;
use crate::maths::Vector;
use crate::state::undo::{Beside, Undoable};
use crate::state::{State, species_number};
use crate::tick::edit::sources::remove_one;

/// How far an agent may be from its track on an axis without being put back on it, in metres.
const OFF_TRACK: f32 = 1e-3;

/// Removes the agents whose tracks end before the end of this tick, puts back those that are elsewhere, and spawns the agents of tracks that begin in it.
pub(super) fn remove_and_spawn<const D: usize>(
    state: &mut Undoable<'_, D>,
    derived: &mut Derived<D>,
    events: &mut Vec<Event>,
) {
    let (now, dt) = (state.seconds(), state.settings.tick_seconds);
    let times = [now, now + f64::from(dt)];
    for item in 0..state.environment.tracks.len() {
        let Beside { environment, ids, species, .. } = state.beside_rows();
        let (tracks, followers) = environment.tracks.item_mut(item);
        let number = species_number(species, &tracks.species);
        let [from, to] = times.map(|seconds| tracks.frame(seconds));
        let continues = |track: u32| tracks.tracks.get(track as usize).is_some_and(|track| track.last() as f64 >= to);
        let mut ended = Vec::new();
        followers.agents.retain(|&(agent, track)| {
            // The host may have removed it, or changed its species.
            let is_own = ids.row_of(agent).is_some_and(|found| Some(found.species as usize) == number);
            let stays = continues(track);
            if is_own && !stays {
                ended.push(agent);
            }
            is_own && stays
        });
        for agent in ended {
            remove_one(state, derived, agent, Removal::Track.name(), Removal::Track, events);
        }
        put_back(state, derived, item, from);
        while begin(state, derived, item, [from, to]) {}
    }
}

/// Puts the agents of an item back on their tracks from where a host or an edge of the world has set them. They have no
/// way there.
fn put_back<const D: usize>(state: &mut Undoable<'_, D>, derived: &mut Derived<D>, item: usize, frame: f64) {
    let mut strayed = Vec::new();
    let State { environment, ids, agents, settings, .. } = &**state;
    let Some((tracks, followers)) = environment.tracks.items().get(item).zip(environment.tracks.records().get(item))
    else {
        return;
    };
    for &(agent, track) in &followers.agents {
        let (Some(found), Some(track)) = (ids.row_of(agent), tracks.tracks.get(track as usize)) else { continue };
        let at = inside(settings, track.at(settings, frame));
        let off = settings.offset(at, agents[found.species as usize].position(found.row as usize));
        // Times are rounded, and so are positions.
        if (0..D).any(|axis| off[axis].abs() > OFF_TRACK + 4.0 * f32::EPSILON * at[axis].abs()) {
            strayed.push((found, at));
        }
    }
    for (found, at) in strayed {
        let state = state.rows();
        let (species, row) = (found.species as usize, found.row as usize);
        state.agents[species].jump(row, at);
        derived.indices.strayed(state, species, row);
    }
}

/// Spawns the agent of the next track of an item, if it begins before the end of this tick. Returns whether it does.
fn begin<const D: usize>(state: &mut Undoable<'_, D>, derived: &mut Derived<D>, item: usize, frames: [f64; 2]) -> bool {
    let Beside { environment, species, settings, .. } = state.beside_rows();
    let (tracks, followers) = environment.tracks.item_mut(item);
    let Some(species) = species_number(species, &tracks.species) else { return false };
    let number = followers.begun;
    let Some(track) = tracks.tracks.get(number as usize).filter(|track| track.first as f64 <= frames[1]) else {
        return false;
    };
    if (track.last() as f64) < frames[1] {
        // It is over before the tick ends.
        followers.begun += 1;
        return true;
    }
    let (position, velocity) = start(track, settings, frames, tracks.frame_seconds);
    let state = state.rows();
    let Ok(agent) = spawn(state, derived, species, position, velocity) else { return false };
    if let Some(followers) = state.environment.tracks.record_of(item) {
        followers.begun += 1;
        followers.agents.push((agent, number));
    }
    true
}

/// The position of an agent inside the world before the tick in which it comes, and its velocity: towards the frame
/// after its first.
fn start<const D: usize>(
    track: &Track<D>,
    settings: &Settings<D>,
    [from, _]: [f64; 2],
    frame_seconds: f32,
) -> (Vector<D>, Vector<D>) {
    let first = if from < track.first as f64 { track.first as f64 } else { from };
    (inside(settings, track.at(settings, first)), track.velocity(settings, [first, first + 1.0], frame_seconds))
}

/// The image of a point inside a periodic world, or the nearest point of a world with other edges.
pub(super) fn inside<const D: usize>(settings: &Settings<D>, at: Vector<D>) -> Vector<D> {
    Vector::from_fn(|axis| match settings.edge[axis] {
        Edge::Wrap => wrapped(at[axis], settings.size[axis]).inside,
        Edge::Open => at[axis],
        Edge::Bounce | Edge::Remove | Edge::Respawn => at[axis].clamp(0.0, settings.size[axis]),
    })
}
