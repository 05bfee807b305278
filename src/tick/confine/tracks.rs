//! Tracks: their agents are where they were recorded.

use crate::agents::row_order::LONGEST;
use crate::derived::Derived;
use crate::state::{State, species_number};
use crate::tick::confine::ways;
use crate::tick::integrate::Before;

/// Moves the agents of tracks to their positions at the end of the tick, from those before the tick.
pub(super) fn follow<const D: usize>(state: &mut State<D>, derived: &mut Derived<D>, before: &[Before<D>]) {
    let (now, dt) = (state.seconds(), state.settings.tick_seconds);
    for item in 0..state.environment.tracks.len() {
        let State { environment, agents, ids, species, settings, .. } = &mut *state;
        let (tracks, followers) = environment.tracks.item_mut(item);
        let frames = [now, now + f64::from(dt)].map(|seconds| tracks.frame(seconds));
        let Some(number) = species_number(species, &tracks.species) else { continue };
        let (agents, mut farthest, mut strays) = (&mut agents[number], 0.0, Vec::new());
        let mut coarsest = 0.0;
        for &(agent, track) in &followers.agents {
            let found = ids.row_of(agent).filter(|found| found.species as usize == number);
            let (Some(found), Some(track)) = (found, tracks.tracks.get(track as usize)) else { continue };
            let (row, position) = (found.row as usize, track.at(settings, frames[1]));
            let squared = settings.offset(agents.position(row), position).length_squared();
            let usual = agents.max_speed(row) * dt * LONGEST as f32;
            // A position far outside of a periodic world is rounded more than its image inside.
            for (at, size) in (0..D).map(|axis| (position[axis].abs(), settings.size[axis])) {
                if at > size && at > coarsest {
                    coarsest = at;
                }
            }
            agents.set_position(row, position);
            ways::record_nearest(settings, before.get(number).map(|before| &before.position), agents, row);
            agents.set_velocity(row, track.velocity(settings, frames, dt));
            if squared > usual * usual {
                strays.push(row);
            } else if squared > farthest {
                farthest = squared;
            }
        }
        // The order, the boxes and the lists hold as after moves by a host.
        let distance = farthest.sqrt() + 4.0 * f32::EPSILON * coarsest;
        derived.rows_moved(state, number, distance);
        for row in strays {
            derived.indices.strayed(state, number, row);
        }
    }
}
