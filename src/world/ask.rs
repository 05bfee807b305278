//! What can a host ask a world between ticks? Who is near, of all species.
//!
//! The first question after a change makes an index of the present positions; the others find it made.

use super::World;
use crate::behaviour::Neighbour;
use crate::error::Error;
use crate::ids::AgentId;
use crate::index::Index;
use crate::maths::Vector;
use crate::search::{Found, visit_within};

impl<const D: usize> World<D> {
    /// Fills `found` with the agents within `radius` metres of a point, nearest first; agents at the same distance by
    /// species and row.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if the world does not take the point (see [`spawn`](Self::spawn)), or if the radius is
    /// negative or not a number.
    pub fn within(&self, point: impl Into<Vector<D>>, radius: f32, found: &mut Vec<AgentId>) -> Result<(), Error> {
        found.clear();
        let point = self.admit(point.into())?;
        check_radius(radius)?;
        let mut all = Vec::new();
        self.search(point, radius, &mut all);
        found.extend(all.iter().map(|(species, found)| self.id_at(*species, found.row)));
        Ok(())
    }

    /// Fills `found` with the `count` agents that are nearest to a point, nearest first; fewer if there are not as
    /// many.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if the world does not take the point (see [`spawn`](Self::spawn)).
    pub fn nearest(&self, point: impl Into<Vector<D>>, count: usize, found: &mut Vec<AgentId>) -> Result<(), Error> {
        found.clear();
        let point = self.admit(point.into())?;
        let wanted = if count < self.population() { count } else { self.population() };
        let mut all = Vec::new();
        let mut radius = self.indices().first().map_or(1.0, Index::cluster_radius);
        while all.len() < wanted {
            self.search(point, radius, &mut all);
            radius *= 2.0;
        }
        found.extend(all[..wanted].iter().map(|(species, found)| self.id_at(*species, found.row)));
        Ok(())
    }

    /// Fills `found` with the agents within `radius` metres of an agent, of every species, without itself: by species
    /// and row, as a behaviour with that radius and no limit to its field of view would see them.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`], or [`Error::BadValue`] if the radius is negative or not a number.
    pub fn neighbours_into(&self, id: AgentId, radius: f32, found: &mut Vec<Neighbour<D>>) -> Result<(), Error> {
        found.clear();
        let (own, row) = self.find(id)?;
        check_radius(radius)?;
        let mut all = Vec::new();
        self.search(self.agents(own)?.position(row), radius, &mut all);
        all.retain(|(species, found)| (*species, found.row) != (own.number(), row));
        all.sort_unstable_by_key(|(species, found)| (*species, found.row));
        for (species, Found { distance_squared, row, offset }) in all {
            let agents = &self.all_agents()[species];
            let (species, velocity) = (agents.species(), agents.velocity(row));
            found.push(Neighbour { offset, distance_squared, velocity, species, row });
        }
        Ok(())
    }

    /// Fills `all` with the agents within `radius` of a point and the numbers of their species, nearest first.
    fn search(&self, point: Vector<D>, radius: f32, all: &mut Vec<(usize, Found<D>)>) {
        all.clear();
        let period = self.settings().period();
        for (number, (agents, index)) in self.all_agents().iter().zip(self.indices()).enumerate() {
            visit_within(agents, index, &period, point, radius, |found| all.push((number, found)));
        }
        all.sort_unstable_by_key(|(species, found)| (found.distance_squared.to_bits(), *species, found.row));
        all.dedup_by_key(|(species, found)| (*species, found.row));
    }

    fn id_at(&self, species: usize, row: usize) -> AgentId {
        self.all_agents()[species].ids()[row]
    }
}

fn check_radius(radius: f32) -> Result<(), Error> {
    if radius >= 0.0 { Ok(()) } else { Err(Error::bad("radius", radius, "a number of metres, not negative")) }
}
