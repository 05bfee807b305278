//! Tracks: their agents are where they were recorded.

use crate::derived::Derived;
use crate::state::{State, species_number};
use crate::tick::confine::carried::Carried;
use crate::tick::integrate::Before;

/// Moves the agents of tracks to their positions at the end of the tick, from those before the tick.
pub(super) fn follow<const D: usize>(state: &mut State<D>, derived: &mut Derived<D>, before: &[Before<D>]) {
    let (now, dt) = (state.seconds(), state.settings.tick_seconds);
    for item in 0..state.environment.tracks.len() {
        let State { environment, agents, ids, species, settings, .. } = &mut *state;
        let (tracks, followers) = environment.tracks.item_mut(item);
        let frames = [now, now + f64::from(dt)].map(|seconds| tracks.frame(seconds));
        let Some(number) = species_number(species, &tracks.species) else { continue };
        let mut carried = Carried::default();
        for &(agent, track) in &followers.agents {
            let found = ids.row_of(agent).filter(|found| found.species as usize == number);
            let (Some(found), Some(track)) = (found, tracks.tracks.get(track as usize)) else { continue };
            let to = (track.at(settings, frames[1]), track.velocity(settings, frames, dt));
            carried.put(settings, (&mut agents[number], before.get(number)), found.row as usize, to);
        }
        carried.end(state, derived, number);
    }
}
