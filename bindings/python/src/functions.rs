//! Rules of motion that are functions of Python.
//!
//! A function is called once a tick, before the step, with a view of the columns of its species. It returns the forces,
//! which go to a column of the species, and new values of other columns. The engine's rule `host_forces` applies the
//! forces in the step, in which rows may move, and columns with them.

use numpy::{AllowTypeChange, PyArrayLike2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use throng::parameters::{Allowed, Range};
use throng::{AnyWorld, Error, SpeciesId, World, with_world};

use crate::columns;
use crate::errors::OrRaise;
use crate::points;
use crate::world::Values;

/// The key of the forces in a dictionary that a function returned.
const FORCE: &str = "force";

/// A function and the column of its forces.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) species: SpeciesId,
    pub(crate) column: String,
    pub(crate) function: Py<PyAny>,
}

impl Function {
    pub(crate) fn clone_ref(&self, py: Python<'_>) -> Self {
        Self { species: self.species, column: self.column.clone(), function: self.function.clone_ref(py) }
    }
}

/// What a function returned.
#[derive(Debug)]
pub(crate) struct Returned {
    forces: Forces,
    /// New values of columns.
    columns: Vec<(String, Values)>,
}

impl Returned {
    /// Reads and checks what a function returned: forces, or a dictionary with forces and columns.
    pub(crate) fn read(returned: &Bound<'_, PyAny>, world: &AnyWorld, function: &Function) -> PyResult<Self> {
        let Ok(table) = returned.cast::<PyDict>() else {
            return Ok(Self { forces: Forces::read(returned, world, function)?, columns: Vec::new() });
        };
        let forces = match table.get_item(FORCE)? {
            Some(forces) => Forces::read(&forces, world, function)?,
            None => Forces::read(&returned.py().None().into_bound(returned.py()), world, function)?,
        };
        let mut written = Vec::new();
        for (name, array) in table {
            let name: String = name.extract()?;
            if name != FORCE {
                let column = columns::found(columns::own(world, function.species).or_raise()?, &name)?;
                let values = Values::read(&column, &array, None)?;
                check_variable(world, function.species, &name, &values)?;
                written.push((name, values));
            }
        }
        Ok(Self { forces, columns: written })
    }

    /// Writes them. Nothing of it is refused, because nothing has changed since they were read.
    pub(crate) fn write(&self, world: &mut AnyWorld, function: &Function) -> PyResult<()> {
        let (species, column) = (function.species, &function.column[..]);
        match (&mut *world, &self.forces) {
            (AnyWorld::Flat(world), Forces::Flat(forces)) => world.set_column(species, column, forces).or_raise()?,
            (AnyWorld::Space(world), Forces::Space(forces)) => world.set_column(species, column, forces).or_raise()?,
            _ => {}
        }
        self.columns.iter().try_for_each(|(name, values)| values.write(world, species, name))
    }
}

/// Refuses values beyond the range of a variable.
fn check_variable(world: &AnyWorld, species: SpeciesId, name: &str, values: &Values) -> PyResult<()> {
    with_world!(world, world => {
        let variables = &world.species(species).or_raise()?.variables;
        let Some(variable) = variables.iter().find(|variable| variable.name == name) else { return Ok(()) };
        match values.floats().iter().find(|value| !(variable.low..=variable.high).contains(*value)) {
            Some(&value) => {
                let range = Range::from(variable.low.into(), variable.high.into());
                Err(Error::bad(name, value, Allowed::number(range, ""))).or_raise()
            }
            None => Ok(()),
        }
    })
}

/// Forces in two or three dimensions.
#[derive(Debug)]
enum Forces {
    Flat(Vec<[f32; 2]>),
    Space(Vec<[f32; 3]>),
}

impl Forces {
    fn read(given: &Bound<'_, PyAny>, world: &AnyWorld, function: &Function) -> PyResult<Self> {
        let agents = world.ids(function.species).or_raise()?.len();
        Ok(match world {
            AnyWorld::Flat(_) => Self::Flat(forces(given, agents, &function.column)?),
            AnyWorld::Space(_) => Self::Space(forces(given, agents, &function.column)?),
        })
    }
}

/// The forces that a function returned, for a world of `D` dimensions: an array of shape `(n, D)` or one array per axis.
fn forces<const D: usize>(returned: &Bound<'_, PyAny>, agents: usize, column: &str) -> PyResult<Vec<[f32; D]>> {
    let refuse = |found: String| PyValueError::new_err(format!("the function `{column}` returned {found}"));
    if returned.is_none() {
        return Ok(vec![[0.0; D]; agents]);
    }
    let forces = match returned.cast::<PyTuple>() {
        Ok(axes) => {
            let array: PyArrayLike2<'_, f32, AllowTypeChange> = axes.extract()?;
            if array.shape() != [D, agents] {
                return Err(refuse(format!("arrays of shape {:?}, not {D} of {agents}", array.shape())));
            }
            points::rows(&array.as_array().reversed_axes())?
        }
        Err(_) => points::points::<D>(returned)?,
    };
    if forces.len() != agents {
        return Err(refuse(format!("{} forces for {agents} agents", forces.len())));
    }
    match forces.iter().position(|force| !force.iter().all(|component| component.is_finite())) {
        Some(row) => Err(refuse(format!("the force {:?} in row {row}, which is not finite", forces[row]))),
        None => Ok(forces),
    }
}

/// Adds the column of a function's forces to a species.
pub(crate) fn add_column<const D: usize>(world: &mut World<D>, species: SpeciesId, column: &str) -> PyResult<()> {
    world.add_column(species, column, [0.0_f32; D]).or_raise()
}
