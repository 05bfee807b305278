//! Zones with a factor for one direction limit the wishes of agents, and the velocities of their motions; others carry
//! their agents, and lifts and links hold theirs.

use crate::agents::columns::Owner;
use crate::kernels::{AxesMut, CHUNK};
use crate::maths::Vector;
use crate::species::stairs::OnStairs;
use crate::tick::steer::steering::Steering;

impl<const D: usize> Steering<'_, D> {
    /// Limits the velocities that agents of a chunk want, and so the forces on them, to the speeds of their zones in the
    /// directions that they want.
    pub(super) fn limit_wishes(&self, chunk: usize, force: &mut AxesMut<'_, D>) {
        self.limit(
            chunk,
            force,
            |row, force| self.search.agents.velocity(row) + force * self.species.response,
            |row, limited| (limited - self.search.agents.velocity(row)) / self.species.response,
        );
    }

    /// Limits the velocities that a motion chose for agents of a chunk to the speeds of their zones in their directions.
    pub(super) fn limit_motion(&self, chunk: usize, velocity: &mut AxesMut<'_, D>) {
        self.limit(chunk, velocity, |_, velocity| velocity, |_, limited| limited);
    }

    /// Whether a zone carries its agents.
    pub(super) fn carries(&self) -> bool {
        self.zones.is_some_and(|(zones, _)| zones.iter().any(|zone| zone.carry != Vector::ZERO))
    }

    /// Takes away the displacements of agents that lifts and links hold: others press them to no other place.
    pub(super) fn hold(&self, chunk: usize, displacement: &mut AxesMut<'_, D>) {
        let Some(held) = self.held.filter(|_| !displacement[0].is_empty()) else { return };
        let agents = self.search.agents;
        for (in_chunk, row) in (chunk * CHUNK..agents.len()).take(CHUNK).enumerate() {
            if agents.max_speed(row) == 0.0 && held.iter().any(|of| of.at(agents.regions(row)).next().is_some()) {
                displacement.iter_mut().for_each(|axis| axis[in_chunk] = 0.0);
            }
        }
    }

    /// Adds the ways on which zones carry agents of a chunk to their displacements, where these have room.
    pub(super) fn carry(&self, chunk: usize, displacement: &mut AxesMut<'_, D>) {
        let Some((zones, by_region)) = self.zones.filter(|_| self.carries() && !displacement[0].is_empty()) else {
            return;
        };
        let (agents, seconds) = (self.search.agents, self.search.world.settings().tick_seconds);
        for (in_chunk, row) in (chunk * CHUNK..agents.len()).take(CHUNK).enumerate() {
            for zone in by_region.at(agents.regions(row)).map(|zone| &zones[zone]) {
                for axis in 0..D {
                    displacement[axis][in_chunk] += zone.carry[axis] * seconds;
                }
            }
        }
    }

    /// Replaces the values of the agents whose velocities, `of` a row and its value, exceed the limit of their zones.
    fn limit(
        &self,
        chunk: usize,
        values: &mut AxesMut<'_, D>,
        of: impl Fn(usize, Vector<D>) -> Vector<D>,
        back: impl Fn(usize, Vector<D>) -> Vector<D>,
    ) {
        let agents = self.search.agents;
        let (Some((zones, by_region)), Some(own)) = (self.zones, agents.columns.values::<f32>(Owner::FreeSpeed)) else {
            return;
        };
        let (now, on_stairs) = (self.search.world.seconds(), OnStairs::new(self.species, agents));
        for (in_chunk, row) in (chunk * CHUNK..agents.len()).take(CHUNK).enumerate() {
            let value = Vector::from_fn(|axis| values[axis][in_chunk]);
            let velocity = of(row, value);
            let inside = by_region.at(agents.regions(row)).map(|zone| &zones[zone]);
            let limit = inside.fold(own[row], |speed, zone| {
                speed * zone.factor_at(velocity, on_stairs.of(row)) * zone.factor_in_smoke(now)
            });
            // Its largest speed limits it already.
            if limit < agents.max_speed(row) && velocity.length() > limit {
                let limited = back(row, velocity.truncate(limit));
                for axis in 0..D {
                    values[axis][in_chunk] = limited[axis];
                }
            }
        }
    }
}
