//! A column of all worlds, as one array.

use numpy::{Element, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use rayon::prelude::*;
use throng::{AnyWorld, Error, SpeciesId, with_world};

use crate::arrow::Numbers;
use crate::columns;
use crate::ensemble::{agents_of, check_agents, for_each, memory};
use crate::errors::OrRaise;
use crate::rows;
use crate::world::{World, body, species_named};

/// A column of all worlds, agents in ascending order of their ids, in this array or in a new one.
#[pyfunction]
#[pyo3(signature = (worlds, species, column, out=None))]
pub(crate) fn column<'py>(
    py: Python<'py>,
    worlds: Vec<Py<World>>,
    species: &str,
    column: &str,
    out: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let Some(first) = worlds.first() else { return Err(PyValueError::new_err("an ensemble must have a world")) };
    let (width, numbers) = {
        let world = first.get().shared.read()?;
        read(&world, species_named(&world, species)?, column)?
    };
    let (named, agents) = ((species, column), agents_of(&worlds, species)?);
    match numbers {
        Numbers::F32(_) => filled(py, &worlds, named, (width, agents), out, |numbers| match numbers {
            Numbers::F32(numbers) => Some(numbers),
            _ => None,
        }),
        Numbers::U32(_) => filled(py, &worlds, named, (width, agents), out, |numbers| match numbers {
            Numbers::U32(numbers) => Some(numbers),
            _ => None,
        }),
        Numbers::U64(_) => filled(py, &worlds, named, (width, agents), out, |numbers| match numbers {
            Numbers::U64(numbers) => Some(numbers),
            _ => None,
        }),
        Numbers::F64(_) => Err(PyTypeError::new_err(format!("column `{column}` has an unknown type"))),
    }
}

/// The numbers of a column row by row, and how many an agent has.
fn read(world: &AnyWorld, species: SpeciesId, column: &str) -> PyResult<(usize, Numbers)> {
    let axes = match column {
        "position" => world.positions(species),
        "velocity" => world.velocities(species),
        "heading" => return Ok((world.dimensions(), Numbers::F32(headings(world, species).or_raise()?))),
        columns::ID => return Ok((1, Numbers::U64(columns::ids(world, species).or_raise()?))),
        name => {
            if let Some(body) = body(world, species, name).or_raise()? {
                return Ok((1, Numbers::F32(body)));
            }
            let found = columns::named(world, species, name)?;
            return Ok((found.width, Numbers::copied(found.numbers)));
        }
    };
    let axes = axes.or_raise()?;
    let agents = axes.first().map_or(0, |axis| axis.len());
    let mut numbers = Vec::with_capacity(agents * axes.len());
    for row in 0..agents {
        numbers.extend(axes.iter().map(|axis| axis[row]));
    }
    Ok((axes.len(), Numbers::F32(numbers)))
}

/// The headings of agents, row by row.
fn headings(world: &AnyWorld, species: SpeciesId) -> Result<Vec<f32>, Error> {
    with_world!(world, world => {
        let agents = world.agents(species)?;
        Ok((0..agents.len()).flat_map(|row| agents.heading(row).0).collect())
    })
}

/// The array with the numbers of all worlds, which are of one type.
fn filled<'py, T: Element + Copy + Send>(
    py: Python<'py>,
    worlds: &[Py<World>],
    (species, column): (&str, &str),
    (width, agents): (usize, usize),
    out: Option<Bound<'py, PyAny>>,
    of_type: impl Fn(Numbers) -> Option<Vec<T>> + Send + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    let (len, flat) = (agents * width, width == 1);
    let shape = if flat { vec![worlds.len(), agents] } else { vec![worlds.len(), agents, width] };
    let out = match out {
        None => PyArrayDyn::<T>::zeros(py, &shape[..], false),
        Some(out) => out.cast_into::<PyArrayDyn<T>>().map_err(|error| {
            PyTypeError::new_err(format!("out: must be an array of {}: {error}", numpy::dtype::<T>(py)))
        })?,
    };
    if out.shape() != shape {
        return Err(PyValueError::new_err(format!("out: has the shape {:?}, not {shape:?}", out.shape())));
    }
    let mut array = out.try_readwrite()?;
    let parts = memory("out", &mut array)?.par_chunks_mut(if len == 0 { 1 } else { len });
    for_each(py, worlds, parts, |number, world, part| {
        let world = world.shared.read()?;
        let species = species_named(&world, species)?;
        let rows = rows::by_id(&world, species)?;
        check_agents(number, rows.len(), agents)?;
        let numbers = read(&world, species, column)?;
        let numbers = Some(numbers).filter(|(own, _)| *own == width).and_then(|(_, numbers)| of_type(numbers));
        let numbers = numbers.ok_or_else(|| columns::differs(column, number))?;
        for (to, row) in part.chunks_exact_mut(width).zip(rows) {
            to.copy_from_slice(&numbers[row * width..][..width]);
        }
        Ok(())
    })?;
    drop(array);
    Ok(out.into_any())
}
