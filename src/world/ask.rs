//! Spatial queries of a host between ticks, over all species.
//!
//! A query uses the index of the last tick, and a separate index for rows that were edited since.

use std::cell::Cell;

use crate::base::error::Error;
use crate::base::ids::AgentId;
use crate::base::settings::nearest_image;
use crate::base::values::{Allowed, Range};
use crate::environment::NearWall;
use crate::index::search::{FoundAgent, Search, SearchedSpecies};
use crate::maths::Vector;
use crate::rules::interface::Neighbour;
use crate::world::World;

thread_local! {
    /// The results of this thread's last search; the next search reuses the allocation.
    static ROOM: Cell<Vec<FoundAgent>> = const { Cell::new(Vec::new()) };
}

impl<const D: usize> World<D> {
    /// Fills `found` with the agents within `radius` metres of a point, nearest first. Ties are ordered by species and
    /// row.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if the world does not accept the point (see [`spawn`](Self::spawn)), or if the radius is
    /// negative or not a number.
    pub fn within(&self, point: impl Into<Vector<D>>, radius: f32, found: &mut Vec<AgentId>) -> Result<(), Error> {
        found.clear();
        let search = self.search(self.checked_position(point.into())?, check_radius(radius)?);
        with_room(|all| {
            search.all(self.crowds(), all);
            all.sort_unstable();
            found.extend(all.iter().map(|found| self.id_of(*found)));
        });
        Ok(())
    }

    /// Fills `found` with the `count` agents nearest to a point, nearest first. Ties are ordered by species and row. A
    /// world with fewer agents gives all of them.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if the world does not accept the point (see [`spawn`](Self::spawn)).
    pub fn nearest(&self, point: impl Into<Vector<D>>, count: usize, found: &mut Vec<AgentId>) -> Result<(), Error> {
        found.clear();
        let search = self.search(self.checked_position(point.into())?, f32::INFINITY);
        with_room(|nearest| {
            search.nearest_of(self.crowds(), count, nearest);
            found.extend(nearest.iter().map(|found| self.id_of(*found)));
        });
        Ok(())
    }

    /// Fills `found` with the parts of walls within `radius` metres of a point, nearest first. Doors count while they
    /// are closed. Every wall is tested.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if the world does not accept the point (see [`spawn`](Self::spawn)), or if the radius is
    /// negative or not a number.
    pub fn walls_within(
        &self,
        point: impl Into<Vector<D>>,
        radius: f32,
        found: &mut Vec<NearWall<D>>,
    ) -> Result<(), Error> {
        let (point, radius) = (self.checked_position(point.into())?, check_radius(radius)?);
        self.environment().walls_within(self.settings(), self.view().seconds(), point, radius, found);
        Ok(())
    }

    /// Fills `found` with the other agents within `radius` metres of an agent, of every species, in the order of
    /// species and rows. These are the neighbours of a behaviour with that radius and an unlimited field of view.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`], or [`Error::BadValue`] if the radius is negative or not a number.
    pub fn neighbours_into(&self, id: AgentId, radius: f32, found: &mut Vec<Neighbour<D>>) -> Result<(), Error> {
        found.clear();
        let (own, row) = self.find(id)?;
        let point = self.agents(own)?.position(row);
        let search = Search { by: Some((own, row)), ..self.search(point, check_radius(radius)?) };
        with_room(|all| {
            search.all(self.crowds(), all);
            all.sort_unstable_by_key(|found| (found.species, found.row));
            found.extend(all.iter().map(|found| {
                let (agents, row) = (&self.all_agents()[found.species as usize], found.row as usize);
                let offset = Vector::from_fn(|axis| {
                    nearest_image(agents.position[axis][row] - point[axis], search.period[axis])
                });
                let (species, velocity, id) = (agents.species(), agents.velocity(row), agents.ids()[row]);
                Neighbour { offset, distance_squared: offset.length_squared(), velocity, species, row, id }
            }));
        });
        Ok(())
    }

    fn search(&self, point: Vector<D>, radius: f32) -> Search<D> {
        Search { point, radius, period: self.settings().period(), by: None }
    }

    /// The agents of every species, with the indices that locate them.
    fn crowds(&self) -> impl Iterator<Item = SearchedSpecies<'_, D>> {
        self.derived.crowds(&self.state, self.level)
    }

    fn id_of(&self, found: FoundAgent) -> AgentId {
        self.all_agents()[found.species as usize].ids()[found.row as usize]
    }
}

/// Calls `search` with this thread's buffer for results.
fn with_room(search: impl FnOnce(&mut Vec<FoundAgent>)) {
    let mut room = ROOM.take();
    search(&mut room);
    ROOM.set(room);
}

fn check_radius(radius: f32) -> Result<f32, Error> {
    let range = Range::from(0.0, f64::INFINITY);
    if radius >= 0.0 { Ok(radius) } else { Err(Error::bad("radius", radius, Allowed::number(range, "m"))) }
}
