//! What a host asks a world between ticks: which agents are near, of all species.
//!
//! Questions are answered from the index of the last tick, and for rows that were edited since from one of their own.

use super::World;
use crate::behaviour::Neighbour;
use crate::error::Error;
use crate::ids::AgentId;
use crate::search::{Crowd, Found};
use crate::vector::Vector;

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
        let mut radius = 1.0;
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
            let (species, velocity, id) = (agents.species(), agents.velocity(row), agents.ids()[row]);
            found.push(Neighbour { offset, distance_squared, velocity, species, row, id });
        }
        Ok(())
    }

    /// Fills `all` with the agents within `radius` of a point and the numbers of their species, nearest first.
    fn search(&self, point: Vector<D>, radius: f32, all: &mut Vec<(usize, Found<D>)>) {
        all.clear();
        let period = self.settings().period();
        let (agents, places) = (&self.state.agents, &self.derived.places);
        let asked = self.derived.asked.get(self.level, agents, places, &period);
        for (number, ((agents, places), asked)) in agents.iter().zip(places).zip(asked).enumerate() {
            let rest = &places.loose[asked.covered..];
            let crowd = Crowd { agents, places, strays: &asked.strays, rest };
            crowd.visit_within(&period, point, radius, |found| all.push((number, found)));
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
