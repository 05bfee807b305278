//! Questions of a host about space, between ticks: which agents and walls are near, and whether a line is clear.
//!
//! A query of agents uses the index of the last tick, and a separate index of the rows that were edited since. A query
//! of walls uses the index of the last tick, or after an edit of the environment one of its own.

use std::cell::Cell;
use std::fmt;
use std::ops::ControlFlow;

use crate::base::error::Error;
use crate::base::ids::{AgentId, SpeciesId};
use crate::base::settings::nearest_image_from_anywhere;
use crate::base::values::{Allowed, Range};
use crate::environment::wall::FARTHEST;
use crate::environment::{NearWall, RayHit};
use crate::index::search::{Among, FoundAgent, Search};
use crate::maths::Vector;
use crate::rules::interface::{Neighbour, PerceivedSpecies, SpeciesFilter};
use crate::world::World;

thread_local! {
    /// The results of this thread's last search; the next search reuses the allocation.
    static ROOM: Cell<Vec<FoundAgent>> = const { Cell::new(Vec::new()) };
}

/// Questions about the space of a world as it is now: [`World::query`] returns them, and [`among`](Self::among) limits
/// them to some agents.
///
/// All answers are exact, follow every edit at once, and reach across the seams of a periodic world. A query only reads
/// the world, so several threads may ask at once. The vector that takes an answer is cleared first, and keeps its
/// memory from question to question.
///
/// ```
/// use throng::{Settings, Species, SpeciesFilter, Wall, World};
///
/// let mut world = World::<2>::new(Settings::default())?;
/// let hare = world.add_species(Species::new("hare"))?;
/// let hound = world.add_species(Species::new("hound"))?;
/// let hares = world.spawn_many(hare, &[[10.0, 10.0], [14.0, 10.0], [99.0, 10.0]], &[[0.0, 0.0]; 3])?;
/// let dog = world.spawn(hound, [12.0, 10.0], [0.0, 0.0])?;
/// world.environment_mut().walls.add(Wall::segment([13.0, 0.0], [13.0, 20.0]))?;
///
/// let mut found = Vec::new();
/// world.query().within([10.0, 10.0], 5.0, &mut found)?;
/// assert_eq!(found.iter().map(|near| near.id).collect::<Vec<_>>(), [hares[0], dog, hares[1]]);
/// assert_eq!(found[2].distance(), 4.0);
///
/// let prey = world.query().among(&SpeciesFilter::named("hare"));
/// prey.nearest([1.0, 10.0], 1, &mut found)?;
/// assert_eq!((found[0].id, found[0].distance()), (hares[2], 2.0)); // across the seam
///
/// prey.around(dog, 3.0, &mut found)?;
/// let place = |near: &throng::Neighbour<2>| near.offset + [12.0, 10.0].into();
/// let seen: Vec<bool> =
///     found.iter().map(|near| prey.is_clear([12.0, 10.0], place(near))).collect::<Result<_, _>>()?;
/// assert_eq!(seen, [true, false]); // the second one is behind the wall
/// # Ok::<(), throng::Error>(())
/// ```
///
/// [`World::free_space`] answers whether a body has room at a place.
#[derive(Clone)]
pub struct Query<'a, const D: usize> {
    world: &'a World<D>,
    filter: Filter,
}

/// The agents that a query looks at.
#[derive(Clone, Debug)]
enum Filter {
    All,
    /// The agents of the same species as the agent that is asked about.
    Own,
    These(PerceivedSpecies),
}

impl<const D: usize> fmt::Debug for Query<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Query").field("filter", &self.filter).finish_non_exhaustive()
    }
}

impl<const D: usize> World<D> {
    /// Questions about the space of the world as it is now.
    #[must_use]
    pub fn query(&self) -> Query<'_, D> {
        Query { world: self, filter: Filter::All }
    }

    /// The agents of every species, with the indices that locate them.
    pub(super) fn everyone(&self) -> Among<'_, D> {
        self.derived.indices.everyone(self.whole(), self.level)
    }
}

impl<const D: usize> Query<'_, D> {
    /// Limits the query to the agents that a filter accepts: `SpeciesFilter::named("boid:infected")` means the boids in
    /// the state `infected`. [`SpeciesFilter::Own`] means the species of the agent in [`around`](Self::around), and no
    /// agent where the question is about a point. A later filter replaces an earlier one.
    #[must_use]
    pub fn among(self, filter: &SpeciesFilter) -> Self {
        let filter = match filter {
            SpeciesFilter::All => Filter::All,
            SpeciesFilter::Own => Filter::Own,
            SpeciesFilter::Named(_) => Filter::These(filter.species(SpeciesId(u32::MAX), self.world.all_agents())),
        };
        Self { filter, ..self }
    }

    /// Fills `found` with the agents within `radius` metres of a point, nearest first. Ties are in the order of species
    /// and rows.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if the world does not accept the point (see [`World::spawn`]), or if the radius is negative
    /// or not a number.
    pub fn within(&self, point: impl Into<Vector<D>>, radius: f32, found: &mut Vec<Neighbour<D>>) -> Result<(), Error> {
        found.clear();
        let search = self.search(point.into(), check_radius(radius)?)?;
        self.collect_all(&search, found);
        Ok(())
    }

    /// Fills `found` with the `count` agents nearest to a point, nearest first. Ties are in the order of species and
    /// rows. If there are fewer agents, all of them are found.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if the world does not accept the point (see [`World::spawn`]).
    pub fn nearest(
        &self,
        point: impl Into<Vector<D>>,
        count: usize,
        found: &mut Vec<Neighbour<D>>,
    ) -> Result<(), Error> {
        found.clear();
        let search = self.search(point.into(), f32::INFINITY)?;
        self.collect(&search, found, |among, nearest| search.nearest_of(among, count, nearest));
        Ok(())
    }

    /// Fills `found` with the other agents within `radius` metres of an agent, nearest first. Ties are in the order of
    /// species and rows. These are the neighbours of a behaviour with that radius and an unlimited field of view.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAgent`], or [`Error::BadValue`] if the radius is negative or not a number.
    pub fn around(&self, agent: AgentId, radius: f32, found: &mut Vec<Neighbour<D>>) -> Result<(), Error> {
        found.clear();
        let (species, row) = self.world.find(agent)?;
        let point = self.world.agents(species)?.position(row);
        let period = self.world.settings().period();
        let search = Search { point, radius: check_radius(radius)?, period, by: Some((species, row)) };
        self.collect_all(&search, found);
        Ok(())
    }

    /// Calls `visit` with the agents within `radius` metres of a point, in any order, until it returns
    /// [`ControlFlow::Break`].
    ///
    /// ```
    /// # use std::ops::ControlFlow;
    /// # use throng::{Settings, Species, World};
    /// # let mut world = World::<2>::new(Settings::default())?;
    /// # let hare = world.add_species(Species::new("hare"))?;
    /// # world.spawn(hare, [10.0, 10.0], [3.0, 0.0])?;
    /// let mut is_anyone_fast = false;
    /// world.query().each_within([10.0, 10.0], 5.0, |near| {
    ///     is_anyone_fast = near.velocity.length() > 2.0;
    ///     if is_anyone_fast { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    /// })?;
    /// assert!(is_anyone_fast);
    /// # Ok::<(), throng::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`within`](Self::within).
    pub fn each_within(
        &self,
        point: impl Into<Vector<D>>,
        radius: f32,
        mut visit: impl FnMut(Neighbour<D>) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let search = self.search(point.into(), check_radius(radius)?)?;
        let visit: &mut dyn FnMut(FoundAgent) -> ControlFlow<()> =
            &mut |found| visit(neighbour(self.world, &search, found));
        let _ = search.visit(self.sought(&search), visit);
        Ok(())
    }

    /// Fills `found` with the parts of walls within `radius` metres of a point, nearest first. Doors count while they
    /// are closed. The filter of agents does not matter.
    ///
    /// # Errors
    ///
    /// As for [`within`](Self::within).
    pub fn walls_within(
        &self,
        point: impl Into<Vector<D>>,
        radius: f32,
        found: &mut Vec<NearWall<D>>,
    ) -> Result<(), Error> {
        let World { state, derived, level, .. } = self.world;
        let (point, radius) = (self.world.checked_position(point.into())?, check_radius(radius)?);
        // No wall is farther away, and images of walls are counted in periods.
        let radius = radius.clamp(0.0, FARTHEST as f32);
        let index = derived.indices.environment_now(*level, state);
        state.environment.walls_within(&index.walls, &state.settings, state.seconds(), point, radius, found);
        Ok(())
    }

    /// Whether a straight line is clear, from one point to another or to its nearest image: it meets no wall that
    /// stands now, and passes through no obstacle. Doors count while they are closed, moving walls and obstacles where
    /// they are now. Of a wall only the surface counts, and a line that touches it or ends on it is not clear. Agents
    /// do not count.
    ///
    /// # Errors
    ///
    /// [`Error::BadValue`] if the world does not accept one of the points (see [`World::spawn`]).
    pub fn is_clear(&self, from: impl Into<Vector<D>>, to: impl Into<Vector<D>>) -> Result<bool, Error> {
        let World { state, derived, level, .. } = self.world;
        let (from, to) = (self.world.checked_position(from.into())?, self.world.checked_position(to.into())?);
        let index = derived.indices.environment_now(*level, state);
        let line = (from, state.settings.offset(from, to));
        Ok(!state.environment.is_walled_off(&index.walls, &state.settings, state.seconds(), line)
            && !index.is_obstructed(&state.environment, &state.settings, line))
    }

    /// The first wall or obstacle on the straight line from one point to another or to its nearest image; `None` if the
    /// line is [clear](Self::is_clear). Of a wall only the surface counts, and a line along a segment does not meet it; a
    /// line that begins in an obstacle meets it there.
    ///
    /// ```
    /// # use throng::{Settings, Wall, World};
    /// let mut world = World::<2>::new(Settings::default())?;
    /// world.environment_mut().walls.add(Wall::segment([50.0, 0.0], [50.0, 90.0]))?;
    /// let hit = world.query().ray([40.0, 20.0], [70.0, 20.0])?.unwrap();
    /// assert_eq!((hit.distance, hit.point.0, hit.normal.0), (10.0, [50.0, 20.0], [-1.0, 0.0]));
    /// # Ok::<(), throng::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`is_clear`](Self::is_clear).
    pub fn ray(&self, from: impl Into<Vector<D>>, to: impl Into<Vector<D>>) -> Result<Option<RayHit<D>>, Error> {
        let World { state, derived, level, .. } = self.world;
        let (from, to) = (self.world.checked_position(from.into())?, self.world.checked_position(to.into())?);
        let index = derived.indices.environment_now(*level, state);
        let line = (from, state.settings.offset(from, to));
        Ok(state.environment.first_on_way(index, (&state.settings, state.seconds()), line))
    }

    fn search(&self, point: Vector<D>, radius: f32) -> Result<Search<D>, Error> {
        let point = self.world.checked_position(point)?;
        Ok(Search { point, radius, period: self.world.settings().period(), by: None })
    }

    /// The agents that a search looks at.
    fn sought<'b>(&'b self, search: &'b Search<D>) -> Among<'b, D> {
        let all = self.world.everyone();
        match &self.filter {
            Filter::All => all,
            Filter::Own => {
                let own = search.by.as_ref().map_or(&[][..], |(own, _)| std::slice::from_ref(&own.0));
                Among { species: own, ..all }
            }
            Filter::These(PerceivedSpecies { numbers, states }) => Among { species: numbers, states, ..all },
        }
    }

    /// Fills `found` with all agents in the radius of a search, nearest first.
    fn collect_all(&self, search: &Search<D>, found: &mut Vec<Neighbour<D>>) {
        self.collect(search, found, |among, all| {
            search.all(among, all);
            all.sort_unstable();
        });
    }

    /// Fills `found` with the agents that `ask` finds among those that the query looks at.
    fn collect(
        &self,
        search: &Search<D>,
        found: &mut Vec<Neighbour<D>>,
        ask: impl FnOnce(Among<'_, D>, &mut Vec<FoundAgent>),
    ) {
        let mut room = ROOM.take();
        ask(self.sought(search), &mut room);
        found.extend(room.iter().map(|agent| neighbour(self.world, search, *agent)));
        room.clear();
        room.shrink_to(MOST_KEPT);
        ROOM.set(room);
    }
}

/// The most results for which a thread keeps room: 48 KiB, as long as the thread lives.
const MOST_KEPT: usize = 4096;

/// Returns an agent that a search found, as a host sees it.
pub(super) fn neighbour<const D: usize>(world: &World<D>, search: &Search<D>, found: FoundAgent) -> Neighbour<D> {
    let (agents, row) = (&world.all_agents()[found.species as usize], found.row as usize);
    let offset = Vector::from_fn(|axis| {
        nearest_image_from_anywhere(agents.position[axis][row] - search.point[axis], search.period[axis])
    });
    let (species, velocity, id) = (agents.species(), agents.velocity(row), agents.ids()[row]);
    Neighbour { offset, distance_squared: offset.length_squared(), velocity, species, row, id }
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
                world.query().nearest(point, count, &mut found).unwrap();
                assert!(
                    all.iter().map(|(_, id)| id).take(count).eq(found.iter().map(|near| &near.id)),
                    "{count} nearest to {point:?}"
                );
            }
            world.query().within(point, 2.0, &mut found).unwrap();
            let expected = all.iter().take_while(|(squared, _)| *squared <= 4.0).map(|(_, id)| id);
            assert!(expected.eq(found.iter().map(|near| &near.id)), "{point:?}");
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
            world.query().within([3.0; 2], 100.0, &mut found).unwrap();
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
