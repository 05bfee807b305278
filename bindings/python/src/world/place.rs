//! Placing of agents at random points.

use numpy::PyArray1;
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use throng::parameters::{Allowed, Kind};
use throng::{AgentId, Distribution, Error, FreeSpace, Noise, Quantity, Species, SpeciesId, Vector, with_world};

use crate::errors::OrRaise;
use crate::points::Point;
use crate::values;
use crate::world::area::{Area, Bodies};
use crate::world::{World, id_array, species_named};

/// The largest number of agents of a world.
const MOST_AGENTS: usize = 1 << 31;

/// The draws for the place of an agent that needs room.
const DRAWS: usize = 10_000;

#[pymethods]
impl World {
    /// Adds a number of agents at random points of the world, or of a part of it, in random directions and at their
    /// largest speed. The draws follow from the seed and the ids.
    ///
    /// In an `area`, or with a distance `apart`, agents have room: their bodies overlap neither walls nor obstacles nor
    /// others. Without both they are anywhere.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    /// count : int
    ///     The number of agents.
    /// low, high : sequence of float
    ///     Two corners of a box; the corners of the world by default.
    /// area : str, sequence of points or polygon
    ///     A region or a named area of a floor plan, the corners of a polygon, or a polygon of Shapely.
    /// apart : float
    ///     The least distance between agents, from centre to centre, in metres.
    /// speed : number or distribution
    ///     In metres per second. By default as in scenario files: the largest speed of each agent, or the low end of an
    ///     interval of largest speeds.
    ///
    /// Returns
    /// -------
    /// array of uint64
    ///     Ids.
    ///
    /// Raises
    /// ------
    /// NotFoundError
    ///     If the world has no area of this name. Then none is added.
    /// ValueError
    ///     If not all of them have room. Then none is added.
    /// BadValueError
    ///     If a world cannot hold this number of agents. Then none is added.
    /// MemoryError
    ///     If memory for them is lacking. Then none is added.
    #[pyo3(signature = (species, count, *, low=None, high=None, area=None, apart=None, speed=None))]
    #[expect(clippy::too_many_arguments, reason = "one for each part of a start")]
    fn place<'py>(
        &self,
        py: Python<'py>,
        species: &str,
        count: usize,
        low: Option<Point>,
        high: Option<Point>,
        area: Option<&Bound<'py, PyAny>>,
        apart: Option<f32>,
        speed: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let speed = speed.map(speed_of).transpose()?;
        let mut world = self.shared.write()?;
        let number = species_named(&world, species)?;
        let ids = with_world!(&mut *world, world => {
            let needs_room = area.is_some() || apart.is_some();
            let area = match area {
                None => in_box(world, low, high)?,
                Some(area) if low.is_none() && high.is_none() => Area::of(world, self, area)?,
                Some(_) => return Err(PyTypeError::new_err("place has either an area, or low and high")),
            };
            let apart = apart.unwrap_or(0.0);
            if !(0.0..=1e6).contains(&apart) {
                return Err(PyValueError::new_err(format!("apart = {apart}: must be a number of metres from 0 to 1e6")));
            }
            place(world, number, count, (&area, needs_room.then_some(apart)), speed)
        })?;
        Ok(id_array(py, &ids))
    }
}

/// The speed in an argument, in the range of largest speeds.
fn speed_of(given: &Bound<'_, PyAny>) -> PyResult<Distribution> {
    let speed = values::distribution(given, Quantity::MaxSpeed.parameter())?;
    Species::<2>::new("speed").with_max_speed(speed).check().or_raise()?;
    Ok(speed)
}

/// The box between two corners.
fn in_box<const D: usize>(world: &throng::World<D>, low: Option<Point>, high: Option<Point>) -> PyResult<Area<D>> {
    let low: Vector<D> = low.map_or(Ok(Vector::ZERO), |low| low.vector())?;
    let high: Vector<D> = high.map_or(Ok(world.settings().size), |high| high.vector())?;
    if !(0..D).all(|axis| low[axis] <= high[axis] && (low[axis] - high[axis]).is_finite()) {
        return Err(PyValueError::new_err(format!(
            "low = {:?}, high = {:?}: must be two corners of a box",
            low.0, high.0
        )));
    }
    Ok(Area::Box(low, high))
}

/// Places agents in an area: anywhere, or with room and this distance between them.
fn place<const D: usize>(
    world: &mut throng::World<D>,
    species: SpeciesId,
    count: usize,
    (area, apart): (&Area<D>, Option<f32>),
    speed: Option<Distribution>,
) -> PyResult<Vec<AgentId>> {
    let settings = world.settings().clone();
    let no_room = || PyMemoryError::new_err(format!("count = {count}: no room for the agents"));
    let most = MOST_AGENTS.saturating_sub(world.population());
    if count > most {
        let allowed = Allowed::Kind { kind: Kind::Whole(0, most as u64), unit: "" };
        return Err(Error::bad("count", count, allowed)).or_raise();
    }
    let (mut positions, mut velocities) = (Vec::new(), Vec::new());
    positions.try_reserve_exact(count).map_err(|_| no_room())?;
    velocities.try_reserve_exact(count).map_err(|_| no_room())?;
    let definition = world.species(species).or_raise()?;
    let mut room = apart.map(|apart| Room::new(world, area, definition, apart));
    for number in (world.spawned()..).take(count) {
        let mut noise = Noise::new(settings.seed, number, 0, Noise::USER);
        let agent = AgentId::from_bits(number);
        let position = match &mut room {
            None => area.draw(&settings, &mut noise),
            Some(room) => room.find(area, definition.start_radius(settings.seed, agent), &mut noise)?,
        };
        let Some(position) = position else {
            let found = positions.len();
            return Err(PyValueError::new_err(format!("count = {count}: the area has room for {found} agents")));
        };
        positions.push(position.0);
        let heading: Vector<D> = noise.direction();
        let speed = match speed {
            Some(speed) => speed.draw(&mut noise),
            None => definition.start_speed(settings.seed, agent),
        };
        velocities.push((heading * speed).0);
    }
    drop(room);
    world.spawn_many(species, &positions, &velocities).or_raise()
}

/// The room for bodies in a world.
struct Room<'w, const D: usize> {
    settings: &'w throng::Settings<D>,
    /// Clear of walls and obstacles.
    space: FreeSpace<'w, D>,
    bodies: Bodies<'w, D>,
}

impl<'w, const D: usize> Room<'w, D> {
    fn new(world: &'w throng::World<D>, area: &Area<D>, species: &Species<D>, apart: f32) -> Self {
        let settings = world.settings();
        let all = || world.all_agents().iter().flat_map(|agents| (0..agents.len()).map(move |row| (agents, row)));
        let radius = species.largest(Quantity::Radius);
        let radius = if radius.is_finite() { radius } else { 0.0 };
        let widest =
            all().fold(radius, |most, (agents, row)| if agents.radius(row) > most { agents.radius(row) } else { most });
        let mut bodies = Bodies::new(settings, apart, widest);
        all().for_each(|(agents, row)| bodies.add(agents.position(row), agents.radius(row)));
        let space = FreeSpace::new(world.environment(), settings, &[area.samples(settings)]);
        Self { settings, space, bodies }
    }

    /// A place for a body of this radius, which it then has; `None` if no draw finds one.
    fn find(&mut self, area: &Area<D>, radius: f32, noise: &mut Noise) -> PyResult<Option<Vector<D>>> {
        for _ in 0..DRAWS {
            let Some(position) = area.draw(self.settings, noise) else { continue };
            if self.bodies.is_clear(position, radius) && self.space.is_free(position, radius).or_raise()? {
                self.bodies.add(position, radius);
                return Ok(Some(position));
            }
        }
        Ok(None)
    }
}
