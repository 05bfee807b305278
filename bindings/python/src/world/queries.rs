//! Queries of agents and of walls near points.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use throng::{AgentId, with_world};

use crate::errors::OrRaise;
use crate::points::Point;
use crate::world::{World, finite, id_array};

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
    ///
    /// Returns
    /// -------
    /// array of uint64
    ///     Ids. Ties are in the order of species and rows.
    fn within<'py>(&self, py: Python<'py>, point: Point, radius: f32) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let (world, mut found) = (self.shared.read()?, Vec::new());
        with_world!(&*world, world => world.within(point.vector()?, radius, &mut found)).or_raise()?;
        Ok(id_array(py, &found))
    }

    /// The ids of the `count` agents nearest to a point, nearest first.
    ///
    /// Parameters
    /// ----------
    /// point : sequence of float
    ///     A point in metres, one number per dimension.
    /// count : int
    ///     The largest number of agents.
    ///
    /// Returns
    /// -------
    /// array of uint64
    ///     Ids.
    fn nearest<'py>(&self, py: Python<'py>, point: Point, count: usize) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let (world, mut found) = (self.shared.read()?, Vec::new());
        with_world!(&*world, world => world.nearest(point.vector()?, count, &mut found)).or_raise()?;
        Ok(id_array(py, &found))
    }

    /// The other agents within `radius` metres of an agent: their ids, offsets in metres and velocities.
    ///
    /// Parameters
    /// ----------
    /// agent : int
    ///     The id of the agent.
    /// radius : float
    ///     A distance in metres.
    ///
    /// Returns
    /// -------
    /// dict of str to array
    ///     `id`, `offset` and `velocity`.
    fn neighbours<'py>(&self, py: Python<'py>, agent: u64, radius: f32) -> PyResult<Bound<'py, PyDict>> {
        let world = self.shared.read()?;
        let found = PyDict::new(py);
        with_world!(&*world, world => {
            let mut neighbours = Vec::new();
            world.neighbours_into(AgentId::from_bits(agent), radius, &mut neighbours).or_raise()?;
            let ids: Vec<AgentId> = neighbours.iter().map(|neighbour| neighbour.id).collect();
            found.set_item("id", id_array(py, &ids))?;
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
            world.walls_within(point.vector()?, radius, &mut found).or_raise()?;
            let described = found.iter().map(|near| {
                let described = PyDict::new(py);
                described.set_item("wall", near.wall)?;
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
            world.species().find(|(id, ..)| *id == species).map_or(String::new(), |(_, name, _)| name.to_owned());
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
    fn value<'py>(&self, py: Python<'py>, agent: u64, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let world = self.shared.read()?;
        let id = AgentId::from_bits(agent);
        with_world!(&*world, world => {
            if let Ok(value) = world.value::<u32>(id, name) {
                return Ok(value.into_pyobject(py)?.into_any());
            }
            if let Ok(value) = world.value::<u64>(id, name) {
                return Ok(value.into_pyobject(py)?.into_any());
            }
            Ok(world.value::<f32>(id, name).or_raise()?.into_pyobject(py)?.into_any())
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
    fn set_value(&self, agent: u64, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut world = self.shared.write()?;
        let id = AgentId::from_bits(agent);
        with_world!(&mut *world, world => {
            if world.value::<u32>(id, name).is_ok() {
                return world.set_value::<u32>(id, name, value.extract()?).or_raise();
            }
            if world.value::<u64>(id, name).is_ok() {
                return world.set_value::<u64>(id, name, value.extract()?).or_raise();
            }
            world.set_value::<f32>(id, name, finite(name, value.extract()?)?).or_raise()
        })
    }
}
