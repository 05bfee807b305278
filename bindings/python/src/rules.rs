//! Rules and motions by name, with keyword parameters.

use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use throng::Registry;
use throng::behaviours::HostForces;
use throng::parameters::Reflect;

use crate::errors::{OrRaise, not_found};
use crate::values;

/// A rule of motion of a species: a rule of the engine by its name, or a function of Python.
///
/// Parameters
/// ----------
/// rule : str or function
///     A name of `throng.rules`. Or a function that is called before each tick with a `View` of the species, and returns
///     the forces in newtons: an array of shape (agents, dimensions), a tuple of one array per axis, or `None`. The
///     forces are a column of the species with the name of the function. A dictionary has them under `force`, and new
///     values of columns under their names. **Rows move** after the function has returned, in the step: what it returns
///     moves with its agents, what it keeps by row does not.
/// weight : float
///     The factor of the force.
/// during : sequence of str
///     The states in which the rule applies; all by default.
/// **parameters
///     The parameters of the rule.
#[pyclass(module = "throng", frozen)]
#[derive(Debug)]
pub(crate) struct Rule {
    /// The name; a function has the name of its column.
    pub(crate) name: String,
    weight: f32,
    during: Vec<String>,
    parameters: Py<PyDict>,
    pub(crate) function: Option<Py<PyAny>>,
}

impl Rule {
    /// The rule for a world of `D` dimensions.
    pub(crate) fn build<const D: usize>(&self, py: Python<'_>, registry: &Registry) -> PyResult<throng::Rule<D>> {
        let mut rule = if self.function.is_some() {
            throng::Rule::new(self.weight, HostForces { column: self.name.clone() })
        } else {
            let unknown = || not_found("rule", &self.name, registry.tables().map(|table| table.rule()));
            let found = registry.named::<D>(&self.name).ok_or_else(unknown)?;
            let behaviour: Box<dyn throng::Behaviour<D>> = found;
            throng::Rule::from_arc(self.weight, Arc::from(behaviour))
        };
        for (key, value) in self.parameters.bind(py) {
            rule.set(&key.extract::<String>()?, &values::value(&value)?)
                .map_err(|error| error.of_rule(&self.name))
                .or_raise()?;
        }
        for state in &self.during {
            rule = rule.during(state);
        }
        Ok(rule)
    }
}

#[pymethods]
impl Rule {
    #[new]
    #[pyo3(signature = (rule, /, *, weight=1.0, during=None, **parameters))]
    fn new(
        py: Python<'_>,
        rule: &Bound<'_, PyAny>,
        weight: f32,
        during: Option<Vec<String>>,
        parameters: Option<Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let (name, function) = match rule.cast::<PyString>() {
            Ok(name) => (name.to_string(), None),
            Err(_) if rule.is_callable() => (name_of(rule)?, Some(rule.clone().unbind())),
            Err(_) => return Err(PyTypeError::new_err("a rule is the name of a rule, or a function")),
        };
        if function.is_some() && parameters.as_ref().is_some_and(|parameters| !parameters.is_empty()) {
            return Err(PyTypeError::new_err("a function has no parameters of the engine"));
        }
        let parameters = parameters.unwrap_or_else(|| PyDict::new(py)).unbind();
        Ok(Self { name, weight, during: during.unwrap_or_default(), parameters, function })
    }

    /// The name of the rule.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    fn __repr__(&self) -> String {
        format!("throng.Rule({:?}, weight={})", self.name, self.weight)
    }
}

/// The name of a function.
fn name_of(function: &Bound<'_, PyAny>) -> PyResult<String> {
    let name: String = function
        .getattr("__name__")
        .and_then(|name| name.extract())
        .or_else(|_| function.get_type().name().map(|name| name.to_string()))?;
    if name == "<lambda>" {
        return Err(PyValueError::new_err("a lambda has no name for the column of its forces: write a function"));
    }
    Ok(name)
}

/// A model of motion of the literature, by its name.
///
/// Parameters
/// ----------
/// model : str
///     A name of `throng.models`.
/// **parameters
///     The parameters of the model.
#[pyclass(module = "throng", frozen)]
#[derive(Debug)]
pub(crate) struct Motion {
    model: String,
    parameters: Py<PyDict>,
}

impl Motion {
    /// The motion for a world of `D` dimensions.
    pub(crate) fn build<const D: usize>(
        &self,
        py: Python<'_>,
        registry: &Registry,
    ) -> PyResult<Arc<dyn throng::Motion<D>>> {
        let unknown = || not_found("model", &self.model, registry.motion_tables().map(|table| table.rule()));
        let mut motion = registry.motion_named::<D>(&self.model).ok_or_else(unknown)?;
        for (key, value) in self.parameters.bind(py) {
            let set = motion.set(&key.extract::<String>()?, &values::value(&value)?);
            set.map_err(|error| error.of_rule(&self.model)).or_raise()?;
        }
        let motion: Box<dyn throng::Motion<D>> = motion;
        Ok(Arc::from(motion))
    }
}

#[pymethods]
impl Motion {
    #[new]
    #[pyo3(signature = (model, /, **parameters))]
    pub(crate) fn new(py: Python<'_>, model: String, parameters: Option<Bound<'_, PyDict>>) -> Self {
        Self { model, parameters: parameters.unwrap_or_else(|| PyDict::new(py)).unbind() }
    }

    /// The name of the model.
    #[getter]
    fn name(&self) -> &str {
        &self.model
    }

    fn __repr__(&self) -> String {
        format!("throng.Motion({:?})", self.model)
    }
}

/// The rules of the engine, with their parameters.
///
/// Returns
/// -------
/// dict of str to dict
///     `summary` and `parameters` of each rule by its name.
#[pyfunction]
pub(crate) fn rules(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    described(py, Registry::new().tables())
}

/// The models of motion of the engine, with their parameters.
///
/// Returns
/// -------
/// dict of str to dict
///     `summary` and `parameters` of each model by its name.
#[pyfunction]
pub(crate) fn models(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    described(py, Registry::new().motion_tables())
}

fn described<'py, 'r>(py: Python<'py>, tables: impl Iterator<Item = &'r dyn Reflect>) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for table in tables {
        let parameters = PyDict::new(py);
        for parameter in table.parameters() {
            let described = values::parameter(py, parameter)?;
            let default = table.get(parameter.name).map(|value| values::object(py, &value)).transpose()?;
            described.set_item("default", default)?;
            parameters.set_item(parameter.name, described)?;
        }
        let described = PyDict::new(py);
        described.set_item("summary", table.summary())?;
        described.set_item("parameters", parameters)?;
        all.set_item(table.rule(), described)?;
    }
    Ok(all)
}

/// The rule in an argument: a [`Rule`], a name or a function.
pub(crate) fn rule(py: Python<'_>, given: &Bound<'_, PyAny>) -> PyResult<Py<Rule>> {
    match given.cast::<Rule>() {
        Ok(rule) => Ok(rule.clone().unbind()),
        Err(_) => Py::new(py, Rule::new(py, given, 1.0, None, None)?),
    }
}
