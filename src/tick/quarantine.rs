//! Quarantine: steering that is not finite is dropped and reported, so that it never spreads.

use fearless_simd::Level;

use crate::agents::Agents;
use crate::events::Event;
use crate::kernels::confine::all_finite;
use crate::kernels::rows;
use crate::parallel::{Column, for_each_chunk};

/// Chunks that a thread takes at a time.
const GRAIN: usize = 16;

/// Drops what is not finite from the steering of one species.
pub(crate) fn quarantine<const D: usize>(
    level: Level,
    agents: &Agents<D>,
    steering: &mut [Vec<f32>; D],
    sick: &mut Vec<bool>,
    events: &mut Vec<Event>,
) {
    sick.clear();
    sick.resize(agents.chunks(), false);
    for_each_chunk(agents.chunks(), GRAIN, Column(sick, 1), &|chunk, sick| {
        let steering = rows(steering, agents.chunk_rows(chunk));
        sick.0[0] = !steering.iter().all(|column| all_finite(level, column));
    });
    for (chunk, _) in sick.iter().enumerate().filter(|(_, sick)| **sick) {
        for row in agents.chunk_rows(chunk) {
            if steering.iter().all(|column| column[row].is_finite()) {
                continue;
            }
            for column in steering.iter_mut() {
                column[row] = 0.0;
            }
            if let Some(&agent) = agents.id.get(row) {
                events.push(Event::Quarantined { agent, species: agents.species });
            }
        }
    }
}
