//! Rules of motion that are functions of Python.
//!
//! A function is called once a tick, before the step, with a view of the columns of its species. It returns the forces,
//! which go to a column of the species. The engine's rule `host_forces` applies this column in the step.

use numpy::{AllowTypeChange, PyArrayLike2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use throng::{AnyWorld, SpeciesId, World};

use crate::errors::OrRaise;
use crate::points;

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

/// The forces that a function returned, for a world of `D` dimensions: an array of shape `(n, D)` or one array per axis.
pub(crate) fn forces<const D: usize>(
    returned: &Bound<'_, PyAny>,
    agents: usize,
    column: &str,
) -> PyResult<Vec<[f32; D]>> {
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

/// Writes the forces that a function returned.
pub(crate) fn write(world: &mut AnyWorld, function: &Function, forces: &Forces) -> PyResult<()> {
    let (species, column) = (function.species, &function.column[..]);
    match (world, forces) {
        (AnyWorld::Flat(world), Forces::Flat(forces)) => world.set_column(species, column, forces).or_raise(),
        (AnyWorld::Space(world), Forces::Space(forces)) => world.set_column(species, column, forces).or_raise(),
        _ => Ok(()),
    }
}

/// Forces in two or three dimensions.
#[derive(Debug)]
pub(crate) enum Forces {
    Flat(Vec<[f32; 2]>),
    Space(Vec<[f32; 3]>),
}
