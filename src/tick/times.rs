//! The times of agents: rest before they move, and the end of their lives.

use crate::agents::Agents;
use crate::species::{LIFETIME, PRE_MOVEMENT};

/// Puts agents to rest that do not move yet.
pub(crate) fn rest<const D: usize>(agents: &mut Agents<D>) {
    let Agents { columns, velocity, velocity_residual, .. } = agents;
    for (row, _) in columns.time(PRE_MOVEMENT).unwrap_or_default().iter().enumerate().filter(|(_, left)| **left > 0.0) {
        for column in velocity.iter_mut().chain(&mut *velocity_residual) {
            column[row] = 0.0;
        }
    }
}

/// Counts the times down by one tick.
pub(crate) fn advance<const D: usize>(agents: &mut Agents<D>, dt: f32) {
    for name in [PRE_MOVEMENT, LIFETIME] {
        // A thousandth of a tick is rounding.
        let spent = |left: &&mut f32| **left > 0.0;
        for left in agents.columns.time_mut(name).into_iter().flatten().filter(spent) {
            let next = *left - dt;
            *left = if next > 1e-3 * dt { next } else { 0.0 };
        }
    }
}

/// Adds the agents of a species whose time is up to `expired`.
pub(crate) fn expire<const D: usize>(agents: &Agents<D>, expired: &mut Vec<crate::AgentId>) {
    let left = agents.columns.time(LIFETIME).unwrap_or_default();
    expired.extend(left.iter().zip(&agents.id).filter(|(left, _)| **left <= 0.0).map(|(_, &agent)| agent));
}
