//! Quarantine: steering that is not finite is dropped and reported, so that it never spreads.

use crate::agents::Agents;
use crate::events::Event;
use crate::tick::steer::Steered;

/// Drops what is not finite from the steering of one species.
pub(crate) fn quarantine<const D: usize>(agents: &Agents<D>, steered: &mut Steered<D>, events: &mut Vec<Event>) {
    let Steered { force: steering, sick, .. } = steered;
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
