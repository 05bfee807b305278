//! Agents that something carries to a position, whatever their own motion.

use crate::agents::Agents;
use crate::agents::row_order::LONGEST;
use crate::base::settings::Settings;
use crate::derived::Derived;
use crate::maths::Vector;
use crate::state::State;
use crate::tick::confine::ways;
use crate::tick::integrate::Before;

/// The agents of a species that were carried in a tick.
#[derive(Debug, Default)]
pub(super) struct Carried {
    /// The square of the longest way of those that did not stray.
    farthest: f32,
    /// The largest coordinate outside of the world.
    coarsest: f32,
    /// The rows of those that came farther than agents go.
    strays: Vec<usize>,
}

impl Carried {
    /// Carries the agent at a row to a position, where it has a velocity.
    pub(super) fn put<const D: usize>(
        &mut self,
        settings: &Settings<D>,
        (agents, before): (&mut Agents<D>, Option<&Before<D>>),
        row: usize,
        (position, velocity): (Vector<D>, Vector<D>),
    ) {
        let squared = settings.offset(agents.position(row), position).length_squared();
        let usual = agents.max_speed(row) * settings.tick_seconds * LONGEST as f32;
        // A position far outside of a periodic world is rounded more than its image inside.
        for (at, size) in (0..D).map(|axis| (position[axis].abs(), settings.size[axis])) {
            if at > size && at > self.coarsest {
                self.coarsest = at;
            }
        }
        agents.set_position(row, position);
        ways::record_nearest(settings, before.map(|before| &before.position), agents, row);
        agents.set_velocity(row, velocity);
        if squared > usual * usual {
            self.strays.push(row);
        } else if squared > self.farthest {
            self.farthest = squared;
        }
    }

    /// Notes an agent at a row that was set elsewhere.
    pub(super) fn strayed(&mut self, row: usize) {
        self.strays.push(row);
    }

    /// The order, the boxes and the lists hold as after moves by a host.
    pub(super) fn end<const D: usize>(self, state: &mut State<D>, derived: &mut Derived<D>, species: usize) {
        derived.rows_moved(state, species, self.farthest.sqrt() + 4.0 * f32::EPSILON * self.coarsest);
        for row in self.strays {
            derived.indices.strayed(state, species, row);
        }
    }
}
