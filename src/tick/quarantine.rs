//! Quarantine: steering that is not finite is dropped and reported, so that it never spreads.

use crate::agents::Agents;
use crate::agents::events::Event;
use crate::state::State;
use crate::tick::derived::Derived;
use crate::tick::steer::output::SteeringOutput;

/// Drops non-finite steering of every species.
pub(crate) fn quarantine<const D: usize>(state: &State<D>, derived: &mut Derived<D>, events: &mut Vec<Event>) {
    let species = state.agents.iter().zip(&state.species);
    for ((agents, species), output) in species.zip(&mut derived.steered) {
        drop_not_finite(agents, species.motion.is_some(), output, events);
    }
}

/// Drops non-finite steering of one species. With `motion`, steering is velocities, which then stay unchanged.
fn drop_not_finite<const D: usize>(
    agents: &Agents<D>,
    motion: bool,
    output: &mut SteeringOutput<D>,
    events: &mut Vec<Event>,
) {
    let SteeringOutput { force: steering, not_finite, .. } = output;
    for (chunk, _) in not_finite.iter().enumerate().filter(|(_, not_finite)| **not_finite) {
        for row in agents.chunk_rows(chunk) {
            if steering.iter().all(|column| column[row].is_finite()) {
                continue;
            }
            for (column, velocity) in steering.iter_mut().zip(&agents.velocity) {
                column[row] = if motion { velocity[row] } else { 0.0 };
            }
            if let Some(&agent) = agents.id.get(row) {
                events.push(Event::Quarantined { agent, species: agents.species });
            }
        }
    }
}
