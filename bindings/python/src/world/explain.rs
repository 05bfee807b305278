//! The contribution of each rule to the steering of one agent.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use throng::AgentId;

use crate::errors::OrRaise;
use crate::world::World;

#[pymethods]
impl World {
    /// The forces that the rules of its species apply to an agent, if the world were steered now.
    ///
    /// Parameters
    /// ----------
    /// agent : int
    ///     The id of the agent.
    ///
    /// Returns
    /// -------
    /// dict
    ///     `contributions` has the force of each rule in newtons, `steering` their combination. `motion` is the name of
    ///     the model and `chosen` the velocity that it chooses, `None` without a motion.
    fn explain<'py>(&self, py: Python<'py>, agent: u64) -> PyResult<Bound<'py, PyDict>> {
        let mut world = self.shared.exclusive()?;
        let dimensions = world.dimensions();
        let explained = world.explain(AgentId::from_bits(agent)).or_raise()?;
        let vector = |vector: throng::Vector<3>| vector.0[..dimensions].to_vec();
        let contributions = explained.contributions.iter().map(|part| {
            let described = PyDict::new(py);
            described.set_item("rule", &part.rule)?;
            described.set_item("weight", part.weight)?;
            described.set_item("force", vector(part.force))?;
            described.set_item("silent", part.silent)?;
            Ok(described)
        });
        let contributions = contributions.collect::<PyResult<Vec<_>>>()?;
        let described = PyDict::new(py);
        described.set_item("agent", agent)?;
        described.set_item("species", &explained.species)?;
        described.set_item("state", &explained.state)?;
        described.set_item("position", vector(explained.position))?;
        described.set_item("velocity", vector(explained.velocity))?;
        let columns = PyDict::new(py);
        explained.columns.iter().try_for_each(|(name, numbers)| columns.set_item(name, numbers))?;
        described.set_item("columns", columns)?;
        described.set_item("contributions", contributions)?;
        described.set_item("steering", vector(explained.steering))?;
        described.set_item("motion", explained.chosen.as_ref().map(|chosen| &chosen.model[..]))?;
        described.set_item("chosen", explained.chosen.as_ref().map(|chosen| vector(chosen.velocity)))?;
        Ok(described)
    }
}
