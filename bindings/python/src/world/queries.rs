//! Queries of agents and of walls near points, and of lines of sight.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use throng::{AgentId, Neighbour, Perception, Query, SpeciesFilter, World as Inner, with_world};

use crate::errors::OrRaise;
use crate::points::Point;
use crate::pool;
use crate::states;
use crate::world::{World, finite, id_array, species_named};

/// The query of a world, with the filter that the caller of Python gave.
fn query<'a, const D: usize>(world: &'a Inner<D>, among: Option<&Bound<'_, PyAny>>) -> PyResult<Query<'a, D>> {
    let query = world.query();
    Ok(match among {
        Some(given) => query.among(&states::filter(given)?),
        None => query,
    })
}

/// The ids of found agents, or their ids and distances.
fn ids_of<'py, const D: usize>(
    py: Python<'py>,
    found: &[Neighbour<D>],
    distances: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let ids: Vec<AgentId> = found.iter().map(|near| near.id).collect();
    let ids = id_array(py, &ids);
    if !distances {
        return Ok(ids.into_any());
    }
    let distances = PyArray1::from_iter(py, found.iter().map(Neighbour::distance));
    Ok((ids, distances).into_pyobject(py)?.into_any())
}

/// A distance, a point and a normal.
type Hit = (f32, Vec<f32>, Vec<f32>);

#[pymethods]
impl World {
    /// The ids of the agents within `radius` metres of a point, nearest first.
    ///
    /// Parameters
    /// ----------
    /// point : sequence of float
    ///     A point in metres, one number per dimension.
    /// radius : float
    ///     A distance in metres.
    /// among : str or sequence of str
    ///     The species that count, by name; `SPECIES:STATE` means its agents in a state. All agents by default.
    /// distances : bool
    ///     Whether to return the distances too.
    ///
    /// Returns
    /// -------
    /// array of uint64
    ///     Ids. Ties are in the order of species and rows. With `distances`, a tuple of this and the distances in metres.
    #[pyo3(signature = (point, radius, *, among=None, distances=false))]
    fn within<'py>(
        &self,
        py: Python<'py>,
        point: Point,
        radius: f32,
        among: Option<&Bound<'py, PyAny>>,
        distances: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        with_world!(&*self.shared.read()?, world => {
            let mut found = Vec::new();
            query(world, among)?.within(point.vector()?, radius, &mut found).or_raise()?;
            ids_of(py, &found, distances)
        })
    }

    /// The ids of the `count` agents nearest to a point, nearest first.
    ///
    /// Parameters
    /// ----------
    /// point : sequence of float
    ///     A point in metres, one number per dimension.
    /// count : int
    ///     The largest number of agents.
    /// among : str or sequence of str
    ///     The species that count, by name; `SPECIES:STATE` means its agents in a state. All agents by default.
    /// distances : bool
    ///     Whether to return the distances too.
    ///
    /// Returns
    /// -------
    /// array of uint64
    ///     Ids. With `distances`, a tuple of this and the distances in metres.
    #[pyo3(signature = (point, count, *, among=None, distances=false))]
    fn nearest<'py>(
        &self,
        py: Python<'py>,
        point: Point,
        count: usize,
        among: Option<&Bound<'py, PyAny>>,
        distances: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        with_world!(&*self.shared.read()?, world => {
            let mut found = Vec::new();
            query(world, among)?.nearest(point.vector()?, count, &mut found).or_raise()?;
            ids_of(py, &found, distances)
        })
    }

    /// The other agents within `radius` metres of an agent, nearest first: their ids, distances and offsets in metres,
    /// and velocities.
    ///
    /// Parameters
    /// ----------
    /// agent : int
    ///     The id of the agent.
    /// radius : float
    ///     A distance in metres.
    /// among : str or sequence of str
    ///     The species that count, by name; `SPECIES:STATE` means its agents in a state, `own` the species of the agent.
    ///     All agents by default.
    ///
    /// Returns
    /// -------
    /// dict of str to array
    ///     `id`, `distance`, `offset` and `velocity`.
    #[pyo3(signature = (agent, radius, *, among=None))]
    fn neighbours<'py>(
        &self,
        py: Python<'py>,
        agent: u64,
        radius: f32,
        among: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let world = self.shared.read()?;
        let found = PyDict::new(py);
        with_world!(&*world, world => {
            let mut neighbours = Vec::new();
            query(world, among)?.around(AgentId::from_bits(agent), radius, &mut neighbours).or_raise()?;
            let ids: Vec<AgentId> = neighbours.iter().map(|neighbour| neighbour.id).collect();
            found.set_item("id", id_array(py, &ids))?;
            found.set_item("distance", PyArray1::from_iter(py, neighbours.iter().map(Neighbour::distance)))?;
            let offsets: Vec<_> = neighbours.iter().map(|neighbour| neighbour.offset.0).collect();
            let velocities: Vec<_> = neighbours.iter().map(|neighbour| neighbour.velocity.0).collect();
            for (name, vectors) in [("offset", offsets), ("velocity", velocities)] {
                let array = PyArray1::from_slice(py, vectors.as_flattened());
                found.set_item(name, array.call_method1("reshape", (-1, world.settings().size.0.len()))?)?;
            }
            PyResult::Ok(())
        })?;
        Ok(found)
    }

    /// The neighbours of every agent of a species, in compressed rows (CSR): the neighbours of the agent at row `i` are
    /// the entries from `start[i]` up to `start[i + 1]` of the other arrays. They are those that a rule with this
    /// perception has, also across the seams of a periodic world. All threads of `set_threads` search.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The species whose agents look.
    /// radius : float
    ///     The perception radius in metres.
    /// among : str or sequence of str
    ///     The species that they see, by name; `SPECIES:STATE` means its agents in a state, `own` their own species. All
    ///     agents by default.
    /// nearest : int
    ///     The largest number of neighbours of an agent, nearest first (ties go to the smaller id); 0 for no limit.
    /// fov : float
    ///     The field of view in degrees: the full angle around the heading.
    ///
    /// Returns
    /// -------
    /// dict of str to array
    ///     `start` (one more than agents), and for each pair `row` and `id` of the neighbour, `species` (its place in
    ///     `World.species`), `distance` and `offset` in metres. The neighbours of an agent are in the order of species
    ///     and rows.
    ///
    /// Examples
    /// --------
    /// The sum of a column over the neighbours of each agent:
    ///
    /// >>> near = world.pairs("bird", 5.0, among="own")
    /// >>> load = world.column("bird", "load")
    /// >>> own = np.repeat(np.arange(len(load)), np.diff(near["start"]))
    /// >>> sums = np.bincount(own, load[near["row"]], len(load))
    #[pyo3(signature = (species, radius, *, among=None, nearest=0, fov=360.0))]
    fn pairs<'py>(
        &self,
        py: Python<'py>,
        species: &str,
        radius: f32,
        among: Option<&Bound<'py, PyAny>>,
        nearest: u32,
        fov: f32,
    ) -> PyResult<Bound<'py, PyDict>> {
        let filter = among.map_or(Ok(SpeciesFilter::All), states::filter)?;
        let view = Perception::within(radius, &filter).with_nearest(nearest).with_field_of_view(fov);
        let (world, pool) = (self.shared.read()?, pool::pool()?);
        let species = species_named(&world, species)?;
        let arrays = PyDict::new(py);
        with_world!(&*world, world => {
            let pairs = py.detach(|| pool.install(|| world.pairs(species, &view))).or_raise()?;
            let near = &pairs.neighbours;
            let ids: Vec<AgentId> = near.iter().map(|near| near.id).collect();
            let offsets: Vec<_> = near.iter().map(|near| near.offset.0).collect();
            let offsets = PyArray1::from_slice(py, offsets.as_flattened());
            arrays.set_item("start", PyArray1::from_iter(py, pairs.starts.iter().map(|&start| start as i64)))?;
            arrays.set_item("row", PyArray1::from_iter(py, near.iter().map(|near| near.row as i64)))?;
            arrays.set_item("id", id_array(py, &ids))?;
            arrays.set_item("species", PyArray1::from_iter(py, near.iter().map(|near| near.species.number() as i64)))?;
            arrays.set_item("distance", PyArray1::from_iter(py, near.iter().map(Neighbour::distance)))?;
            arrays.set_item("offset", offsets.call_method1("reshape", (-1, world.settings().size.0.len()))?)?;
            PyResult::Ok(())
        })?;
        Ok(arrays)
    }

    /// Whether a straight line is clear of walls that stand now and of obstacles. Doors count while they are closed.
    ///
    /// Parameters
    /// ----------
    /// start : sequence of float
    ///     A point in metres, one number per dimension.
    /// end : sequence of float
    ///     Another point. In a periodic world the line leads to its nearest image.
    ///
    /// Returns
    /// -------
    /// bool
    ///     False if a wall or an obstacle is in the way. Agents do not count.
    fn is_clear(&self, start: Point, end: Point) -> PyResult<bool> {
        with_world!(&*self.shared.read()?, world => {
            world.query().is_clear(start.vector()?, end.vector()?).or_raise()
        })
    }

    /// The first wall or obstacle on the straight line from one point to another.
    ///
    /// Parameters
    /// ----------
    /// start : sequence of float
    ///     A point in metres, one number per dimension.
    /// end : sequence of float
    ///     Another point. In a periodic world the line leads to its nearest image.
    ///
    /// Returns
    /// -------
    /// tuple of float, list and list, or None
    ///     The distance from the start, the point of the surface and its unit normal on the side of the start; None if
    ///     the line is clear. Agents do not count.
    fn ray(&self, start: Point, end: Point) -> PyResult<Option<Hit>> {
        with_world!(&*self.shared.read()?, world => {
            let hit = world.query().ray(start.vector()?, end.vector()?).or_raise()?;
            Ok(hit.map(|hit| (hit.distance, hit.point.0.to_vec(), hit.normal.0.to_vec())))
        })
    }

    /// The parts of walls within `radius` metres of a point, nearest first.
    ///
    /// Parameters
    /// ----------
    /// point : sequence of float
    ///     A point in metres, one number per dimension.
    /// radius : float
    ///     A distance in metres.
    ///
    /// Returns
    /// -------
    /// list of dict
    ///     `wall`, `distance`, `offset`, `normal` and `velocity`.
    fn walls_within<'py>(&self, py: Python<'py>, point: Point, radius: f32) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let world = self.shared.read()?;
        with_world!(&*world, world => {
            let mut found = Vec::new();
            world.query().walls_within(point.vector()?, radius, &mut found).or_raise()?;
            let described = found.iter().map(|near| {
                let described = PyDict::new(py);
                described.set_item("wall", near.wall.to_bits())?;
                described.set_item("distance", near.distance)?;
                described.set_item("offset", near.offset.0.to_vec())?;
                described.set_item("normal", near.normal.0.to_vec())?;
                described.set_item("velocity", near.velocity.0.to_vec())?;
                Ok(described)
            });
            described.collect()
        })
    }

    /// Whether an agent is alive.
    ///
    /// Parameters
    /// ----------
    /// agent : int
    ///     The id of the agent.
    ///
    /// Returns
    /// -------
    /// bool
    ///     False after its removal.
    fn contains(&self, agent: u64) -> PyResult<bool> {
        Ok(with_world!(&*self.shared.read()?, world => world.contains(AgentId::from_bits(agent))))
    }

    /// The species and the present row of an agent.
    ///
    /// Parameters
    /// ----------
    /// agent : int
    ///     The id of the agent.
    ///
    /// Returns
    /// -------
    /// tuple of str and int
    ///     The row is valid until the world changes.
    fn find(&self, agent: u64) -> PyResult<(String, usize)> {
        let world = self.shared.read()?;
        let (species, row) = world.find(AgentId::from_bits(agent)).or_raise()?;
        let name =
            world.all_species().find(|(id, ..)| *id == species).map_or(String::new(), |(_, name, _)| name.to_owned());
        Ok((name, row))
    }

    /// The position of an agent in metres.
    ///
    /// Parameters
    /// ----------
    /// agent : int
    ///     The id of the agent.
    ///
    /// Returns
    /// -------
    /// list of float
    ///     One number per dimension.
    fn position(&self, agent: u64) -> PyResult<Vec<f32>> {
        let world = self.shared.read()?;
        with_world!(&*world, world => Ok(world.position(AgentId::from_bits(agent)).or_raise()?.0.to_vec()))
    }

    /// The velocity of an agent in metres per second.
    ///
    /// Parameters
    /// ----------
    /// agent : int
    ///     The id of the agent.
    ///
    /// Returns
    /// -------
    /// list of float
    ///     One number per dimension.
    fn velocity(&self, agent: u64) -> PyResult<Vec<f32>> {
        let world = self.shared.read()?;
        with_world!(&*world, world => Ok(world.velocity(AgentId::from_bits(agent)).or_raise()?.0.to_vec()))
    }

    /// The steering force of the last tick on an agent in newtons.
    ///
    /// Parameters
    /// ----------
    /// agent : int
    ///     The id of the agent.
    ///
    /// Returns
    /// -------
    /// list of float
    ///     One number per dimension.
    fn steering_of(&self, agent: u64) -> PyResult<Vec<f32>> {
        let world = self.shared.read()?;
        with_world!(&*world, world => Ok(world.steering_of(AgentId::from_bits(agent)).or_raise()?.0.to_vec()))
    }

    /// The velocity that the rules of an agent wanted in the last tick, in metres per second.
    ///
    /// Parameters
    /// ----------
    /// agent : int
    ///     The id of the agent.
    ///
    /// Returns
    /// -------
    /// list of float
    ///     One number per dimension.
    fn preferred_velocity(&self, agent: u64) -> PyResult<Vec<f32>> {
        let world = self.shared.read()?;
        with_world!(&*world, world => Ok(world.preferred_velocity(AgentId::from_bits(agent)).or_raise()?.0.to_vec()))
    }

    /// The name of an agent's state; `None` if its species has no states.
    ///
    /// Parameters
    /// ----------
    /// agent : int
    ///     The id of the agent.
    ///
    /// Returns
    /// -------
    /// str or None
    ///     The name.
    fn state(&self, agent: u64) -> PyResult<Option<String>> {
        let world = self.shared.read()?;
        with_world!(&*world, world => {
            Ok(world.state(AgentId::from_bits(agent)).or_raise()?.map(str::to_owned))
        })
    }

    /// The value of an agent in a column of the host, a variable or the memory of a rule.
    ///
    /// Parameters
    /// ----------
    /// agent : int
    ///     The id of the agent.
    /// name : str
    ///     The name of the column.
    ///
    /// Returns
    /// -------
    /// number
    ///     The value.
    fn column_value<'py>(&self, py: Python<'py>, agent: u64, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let world = self.shared.read()?;
        let id = AgentId::from_bits(agent);
        with_world!(&*world, world => {
            if let Ok(value) = world.column_value::<u32>(id, name) {
                return Ok(value.into_pyobject(py)?.into_any());
            }
            if let Ok(value) = world.column_value::<u64>(id, name) {
                return Ok(value.into_pyobject(py)?.into_any());
            }
            Ok(world.column_value::<f32>(id, name).or_raise()?.into_pyobject(py)?.into_any())
        })
    }

    /// Sets the value of an agent in a column of the host or a variable.
    ///
    /// Parameters
    /// ----------
    /// agent : int
    ///     The id of the agent.
    /// name : str
    ///     The name of the column.
    /// value : number
    ///     The value.
    fn set_column_value(&self, agent: u64, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut world = self.shared.write()?;
        let id = AgentId::from_bits(agent);
        with_world!(&mut *world, world => {
            if world.column_value::<u32>(id, name).is_ok() {
                return world.set_column_value::<u32>(id, name, value.extract()?).or_raise();
            }
            if world.column_value::<u64>(id, name).is_ok() {
                return world.set_column_value::<u64>(id, name, value.extract()?).or_raise();
            }
            world.set_column_value::<f32>(id, name, finite(name, value.extract()?)?).or_raise()
        })
    }
}
