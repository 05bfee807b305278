//! Edits of agents: spawning, removal, and changes of single agents.

use std::collections::BTreeSet;

use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use throng::parameters::Allowed;
use throng::{AgentId, Error, Formation, Quantity, SpeciesId, with_world};

use crate::errors::OrRaise;
use crate::points::{Point, points};
use crate::world::items::read;
use crate::world::{World, id_array, species_named};

#[pymethods]
impl World {
    /// Adds an agent for each position, and returns their ids. They are **at rest** without `velocities`; `place` starts
    /// agents in motion.
    ///
    /// Parameters
    /// ----------
    /// species : str
    ///     The name of the species.
    /// positions : array-like, shape (n, dimensions)
    ///     In metres.
    /// velocities : array-like, shape (n, dimensions)
    ///     In metres per second.
    ///
    /// Returns
    /// -------
    /// array of uint64
    ///     Ids, in the order of the positions.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a point is refused. No agent is added then.
    #[pyo3(signature = (species, positions, velocities=None))]
    fn spawn<'py>(
        &self,
        py: Python<'py>,
        species: &str,
        positions: &Bound<'py, PyAny>,
        velocities: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let mut world = self.shared.write()?;
        let number = species_named(&world, species)?;
        let ids = with_world!(&mut *world, world => spawn(world, number, positions, velocities))?;
        Ok(id_array(py, &ids))
    }

    /// Removes agents by their ids. If one does not exist, none is removed.
    ///
    /// Parameters
    /// ----------
    /// agents : int or sequence of int
    ///     Ids.
    fn remove(&self, agents: &Bound<'_, PyAny>) -> PyResult<()> {
        let agents = match agents.extract::<u64>() {
            Ok(agent) => vec![agent],
            Err(_) => agents.extract::<Vec<u64>>()?,
        };
        let mut world = self.shared.write()?;
        let mut once = BTreeSet::new();
        for &agent in &agents {
            world.find(AgentId::from_bits(agent)).or_raise()?;
            if !once.insert(agent) {
                return Err(PyValueError::new_err(format!("agent {agent} is there twice")));
            }
        }
        agents.into_iter().try_for_each(|agent| world.despawn(AgentId::from_bits(agent))).or_raise()
    }

    /// Removes all agents, of every species.
    fn clear(&self) -> PyResult<()> {
        with_world!(&mut *self.shared.write()?, world => world.clear());
        Ok(())
    }

    /// Moves an agent to a point, through walls. From a place on a wall or inside one the next tick moves it out.
    ///
    /// Parameters
    /// ----------
    /// agent : int
    ///     The id of the agent.
    /// position : sequence of float
    ///     A point in metres.
    fn set_position(&self, agent: u64, position: Point) -> PyResult<()> {
        let mut world = self.shared.write()?;
        with_world!(&mut *world, world => world.set_position(AgentId::from_bits(agent), position.vector()?)).or_raise()
    }

    /// Sets the velocity of an agent.
    ///
    /// Parameters
    /// ----------
    /// agent : int
    ///     The id of the agent.
    /// velocity : sequence of float
    ///     In metres per second.
    fn set_velocity(&self, agent: u64, velocity: Point) -> PyResult<()> {
        let mut world = self.shared.write()?;
        with_world!(&mut *world, world => world.set_velocity(AgentId::from_bits(agent), velocity.vector()?)).or_raise()
    }

    /// Sets an agent's own goal, which replaces the targets of its rules; `None` clears it.
    ///
    /// Parameters
    /// ----------
    /// agent : int
    ///     The id of the agent.
    /// goal : sequence of float or None
    ///     A point in metres.
    #[pyo3(signature = (agent, goal))]
    fn set_goal(&self, agent: u64, goal: Option<Point>) -> PyResult<()> {
        let mut world = self.shared.write()?;
        with_world!(&mut *world, world => {
            let goal = goal.map(|goal| goal.vector()).transpose()?;
            world.set_goal(AgentId::from_bits(agent), goal)
        })
        .or_raise()
    }

    /// Orders agents into a formation: gives each the goal of a place, so that their straight ways do not cross. The rule
    /// `walk_to` takes them there around walls. A formation turns and closes its ranks by another order.
    ///
    /// Parameters
    /// ----------
    /// agents : sequence of int
    ///     Ids.
    /// shape : str
    ///     ``"line"``, ``"column"``, ``"wedge"`` or ``"box"``.
    /// spacing : float
    ///     The distance between places beside each other, in metres.
    /// middle : sequence of float
    ///     Its middle, in metres.
    /// facing : sequence of float
    ///     The direction ahead.
    /// **keys
    ///     ``depth``, the distance between ranks in metres, and ``files``, the number abreast.
    #[pyo3(signature = (agents, shape, spacing, middle, facing, **keys))]
    fn form(
        &self,
        agents: Vec<u64>,
        shape: &Bound<'_, PyAny>,
        spacing: &Bound<'_, PyAny>,
        middle: Point,
        facing: Point,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let formation: Formation = read("form", &[("shape", Some(shape)), ("spacing", Some(spacing))], keys)?;
        let agents: Vec<AgentId> = agents.into_iter().map(AgentId::from_bits).collect();
        let mut world = self.shared.write()?;
        with_world!(&mut *world, world => world.form(&agents, &formation, middle.vector()?, facing.vector()?))
            .or_raise()
    }

    /// Puts an agent into a state, as if it had just entered it.
    ///
    /// Parameters
    /// ----------
    /// agent : int
    ///     The id of the agent.
    /// state : str
    ///     The name of the state.
    fn set_state(&self, agent: u64, state: &str) -> PyResult<()> {
        let mut world = self.shared.write()?;
        with_world!(&mut *world, world => world.set_state(AgentId::from_bits(agent), state)).or_raise()
    }

    /// Sets the mass, radius, largest speed or largest force of one agent.
    ///
    /// Parameters
    /// ----------
    /// agent : int
    ///     The id of the agent.
    /// quantity : str
    ///     `mass`, `radius`, `max_speed` or `max_force`.
    /// value : float
    ///     In kilograms, metres, metres per second or newtons.
    fn set_quantity(&self, agent: u64, quantity: &str, value: f32) -> PyResult<()> {
        let mut world = self.shared.write()?;
        let known = || Allowed::one_of(Quantity::OF_BODY.map(Quantity::name));
        let quantity = Quantity::named(quantity).ok_or_else(|| Error::bad("quantity", quantity, known())).or_raise()?;
        with_world!(&mut *world, world => world.set_quantity(AgentId::from_bits(agent), quantity, value)).or_raise()
    }
}

fn spawn<const D: usize>(
    world: &mut throng::World<D>,
    species: SpeciesId,
    positions: &Bound<'_, PyAny>,
    velocities: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<AgentId>> {
    let positions = points::<D>(positions)?;
    let velocities = velocities.map_or_else(|| Ok(vec![[0.0; D]; positions.len()]), |given| points::<D>(given))?;
    world.spawn_many(species, &positions, &velocities).or_raise()
}
