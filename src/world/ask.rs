//! Spatial queries of a host between ticks, over all species.
//!
//! A query uses the index of the last tick, and a separate index for rows that were edited since.

use std::cell::Cell;

use crate::base::error::Error;
use crate::base::ids::{AgentId, SpeciesId};
use crate::base::settings::nearest_image_from_anywhere;
use crate::base::values::{Allowed, Range};
use crate::environment::NearWall;
use crate::index::search::{Among, FoundAgent, Search};
use crate::maths::Vector;
use crate::rules::interface::{Neighbour, PerceivedSpecies, SpeciesFilter};
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
            search.all(self.everyone(), all);
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
            search.nearest_of(self.everyone(), count, nearest);
            found.extend(nearest.iter().map(|found| self.id_of(*found)));
        });
        Ok(())
    }

    /// Fills `found` with the `count` agents nearest to a point among the agents that a filter accepts, nearest first:
    /// `SpeciesFilter::named("boid:infected")` means the boids in the state `infected`. Ties are ordered by species and
    /// row. [`SpeciesFilter::Own`] finds no agent.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if the world does not accept the point (see [`spawn`](Self::spawn)).
    pub fn nearest_among(
        &self,
        filter: &SpeciesFilter,
        point: impl Into<Vector<D>>,
        count: usize,
        found: &mut Vec<AgentId>,
    ) -> Result<(), Error> {
        found.clear();
        let search = self.search(self.checked_position(point.into())?, f32::INFINITY);
        let PerceivedSpecies { numbers, states } = filter.species(SpeciesId(u32::MAX), self.all_agents());
        let among = Among { species: &numbers, states: &states, ..self.everyone() };
        with_room(|nearest| {
            search.nearest_of(among, count, nearest);
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
            search.all(self.everyone(), all);
            all.sort_unstable_by_key(|found| (found.species, found.row));
            found.extend(all.iter().map(|found| {
                let (agents, row) = (&self.all_agents()[found.species as usize], found.row as usize);
                let offset = Vector::from_fn(|axis| {
                    nearest_image_from_anywhere(agents.position[axis][row] - point[axis], search.period[axis])
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
    pub(super) fn everyone(&self) -> Among<'_, D> {
        self.derived.indices.everyone(self.whole(), self.level)
    }

    fn id_of(&self, found: FoundAgent) -> AgentId {
        self.all_agents()[found.species as usize].ids()[found.row as usize]
    }
}

/// The most results for which a thread keeps room: 48 KiB, as long as the thread lives.
const MOST_KEPT: usize = 4096;

/// Calls `search` with this thread's buffer for results.
fn with_room(search: impl FnOnce(&mut Vec<FoundAgent>)) {
    let mut room = ROOM.take();
    search(&mut room);
    room.clear();
    room.shrink_to(MOST_KEPT);
    ROOM.set(room);
}

fn check_radius(radius: f32) -> Result<f32, Error> {
    let range = Range::from(0.0, f64::INFINITY);
    if radius >= 0.0 { Ok(radius) } else { Err(Error::bad("radius", radius, Allowed::number(range, "m"))) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Edge, Noise, Settings, Species};

    const SIZE: f32 = 24.0;
    const SPECIES: usize = 6;

    /// Agents of several species on a lattice, where many are at the same distance, some of them on one point.
    fn lattice<const D: usize>() -> World<D> {
        let settings = Settings { size: Vector::splat(SIZE), edge: [Edge::Wrap; _], ..Settings::default() };
        let mut world = World::new(settings).unwrap();
        let species: Vec<_> =
            (0..SPECIES).map(|number| world.add_species(Species::new(format!("s{number}"))).unwrap()).collect();
        let mut noise = Noise::new(8, 0, 0, 0);
        for number in 0..2000 {
            let place = Vector::from_fn(|_| noise.between(0.0, SIZE).floor());
            let place = if number % 10 == 0 { Vector::splat(3.0) } else { place };
            world.spawn(species[number % SPECIES], place, Vector::ZERO).unwrap();
        }
        world
    }

    /// All agents and their squared distances from a point, nearest first, then in the order of species and rows.
    fn naive<const D: usize>(world: &World<D>, point: Vector<D>) -> Vec<(f32, AgentId)> {
        let mut all: Vec<(f32, AgentId)> = Vec::new();
        for agents in world.all_agents() {
            let squared = |row: usize| world.settings().offset(point, agents.position(row)).length_squared();
            all.extend((0..agents.len()).map(|row| (squared(row), agents.ids()[row])));
        }
        all.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        all
    }

    /// Asks until the species are searched together. Returns the number of questions.
    fn ask_until_together<const D: usize>(world: &World<D>, seed: u64) -> usize {
        let (mut noise, mut found) = (Noise::new(seed, 0, 0, 0), Vec::new());
        for question in 0..1000 {
            let point = Vector::from_fn(|_| (2.0 * noise.between(0.0, SIZE)).floor() / 2.0);
            let all = naive(world, point);
            for count in [1, 5, 40] {
                world.nearest(point, count, &mut found).unwrap();
                assert!(all.iter().map(|(_, id)| id).take(count).eq(&found), "{count} nearest to {point:?}");
            }
            world.within(point, 2.0, &mut found).unwrap();
            assert!(all.iter().take_while(|(squared, _)| *squared <= 4.0).map(|(_, id)| id).eq(&found), "{point:?}");
            if world.derived.indices.joints.is_made() && question % 50 == 49 {
                return question;
            }
        }
        panic!("the species are never searched together");
    }

    fn searches_are_exact_together_and_apart<const D: usize>() {
        let mut world = lattice::<D>();
        world.step();
        assert!(ask_until_together(&world, 1) > 10);
        let id = world.all_agents()[2].ids()[7];
        world.set_position(id, [3.0; D]).unwrap();
        assert!(!world.derived.indices.joints.is_made(), "an edit follows");
        ask_until_together(&world, 2);
        world.step();
        assert!(!world.derived.indices.joints.is_made(), "a tick follows");
        assert!(ask_until_together(&world, 3) < 100, "the questions before were many");
    }

    #[test]
    fn a_large_answer_leaves_little_room_behind() {
        let (mut world, mut found) = (lattice::<2>(), Vec::new());
        let species = world.species_ids().next().unwrap();
        for _ in 0..2 * MOST_KEPT {
            world.spawn(species, [3.0; 2], Vector::ZERO).unwrap();
        }
        for _ in 0..3 {
            world.within([3.0; 2], 100.0, &mut found).unwrap();
            assert!(found.len() > 2 * MOST_KEPT);
            let room = ROOM.take();
            assert!((1..=MOST_KEPT).contains(&room.capacity()), "{}", room.capacity());
            ROOM.set(room);
        }
    }

    #[test]
    fn searches_among_many_species_are_exact() {
        searches_are_exact_together_and_apart::<2>();
        searches_are_exact_together_and_apart::<3>();
    }
}
