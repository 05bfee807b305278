//! Quarantine: steering that is not finite, and velocities and displacements of motions beyond any speed, are dropped and
//! reported, so that they never spread.

use crate::agents::Agents;
use crate::agents::events::Event;
use crate::base::settings::LIMIT;
use crate::derived::output::{SteeringOutput, largest_steering};
use crate::state::State;

/// Drops such steering of every species.
pub(crate) fn quarantine<const D: usize>(state: &State<D>, outputs: &mut [SteeringOutput<D>], events: &mut Vec<Event>) {
    let species = state.agents.iter().zip(&state.species);
    for ((agents, species), output) in species.zip(outputs) {
        drop_too_large(agents, species.motion.is_some(), output, events);
    }
}

/// Drops such steering of one species. With `motion`, steering is velocities, which then stay unchanged.
fn drop_too_large<const D: usize>(
    agents: &Agents<D>,
    motion: bool,
    output: &mut SteeringOutput<D>,
    events: &mut Vec<Event>,
) {
    let largest = largest_steering(motion);
    let SteeringOutput { force: steering, displacement, too_large, .. } = output;
    for (chunk, _) in too_large.iter().enumerate().filter(|(_, too_large)| **too_large) {
        for row in agents.chunk_rows(chunk) {
            let in_world = |column: &Vec<f32>| column.get(row).is_none_or(|at| at.abs() <= LIMIT);
            if steering.iter().all(|column| column[row].abs() <= largest) && displacement.iter().all(in_world) {
                continue;
            }
            for (column, velocity) in steering.iter_mut().zip(&agents.velocity) {
                column[row] = if motion { velocity[row] } else { 0.0 };
            }
            displacement.iter_mut().filter_map(|column| column.get_mut(row)).for_each(|at| *at = 0.0);
            if let Some(&agent) = agents.id.get(row) {
                events.push(Event::Quarantined { agent, species: agents.species });
            }
        }
    }
}
