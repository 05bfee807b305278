//! The columns of a species that Python sees by name.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use throng::columns::{ColumnSlice, ColumnView};
use throng::{AnyWorld, Error, SpeciesId};

use crate::errors::{OrRaise, not_found};

/// The name of the column of ids, which the engine has as a type of its own.
pub(crate) const ID: &str = "id";

/// The names of positions and velocities, per axis.
const AXES: [[&str; 3]; 2] = [["x", "y", "z"], ["vx", "vy", "vz"]];

/// The columns of numbers that live in the world: positions and velocities per axis, then variables and the host's
/// columns. A name occurs once: an axis and the ids hide a column of their name.
pub(crate) fn all(world: &AnyWorld, species: SpeciesId) -> Result<Vec<ColumnView<'_>>, Error> {
    let vectors = [world.positions(species)?, world.velocities(species)?];
    let axes = AXES.iter().zip(vectors).flat_map(|(names, axes)| {
        names.iter().zip(axes).map(|(name, axis)| ColumnView { name, width: 1, numbers: ColumnSlice::F32(axis) })
    });
    let mut all: Vec<ColumnView<'_>> = axes.collect();
    for column in world.columns(species)? {
        if column.name != ID && all.iter().all(|other| other.name != column.name) {
            all.push(column);
        }
    }
    Ok(all)
}

/// The variables and the host's columns among them, which Python can write row by row.
pub(crate) fn own(world: &AnyWorld, species: SpeciesId) -> Result<Vec<ColumnView<'_>>, Error> {
    Ok(all(world, species)?.split_off(2 * world.dimensions()))
}

/// The names of all columns, the ids first.
pub(crate) fn names(world: &AnyWorld, species: SpeciesId) -> Result<Vec<String>, Error> {
    let names = all(world, species)?.into_iter().map(|column| column.name.to_owned());
    Ok(std::iter::once(ID.to_owned()).chain(names).collect())
}

/// The ids, row by row.
pub(crate) fn ids(world: &AnyWorld, species: SpeciesId) -> Result<Vec<u64>, Error> {
    Ok(world.ids(species)?.iter().map(|id| id.to_bits()).collect())
}

/// The column of numbers with this name.
pub(crate) fn named<'w>(world: &'w AnyWorld, species: SpeciesId, name: &str) -> PyResult<ColumnView<'w>> {
    found(all(world, species).or_raise()?, name)
}

/// The column with this name among these.
pub(crate) fn found<'w>(columns: Vec<ColumnView<'w>>, name: &str) -> PyResult<ColumnView<'w>> {
    match columns.iter().find(|column| column.name == name) {
        Some(&column) => Ok(column),
        None => Err(not_found("column", name, columns.iter().map(|column| column.name))),
    }
}

/// The error of a column that differs between the worlds of an ensemble.
pub(crate) fn differs(name: &str, world: usize) -> PyErr {
    PyTypeError::new_err(format!("column `{name}` has another type in world {world} than in world 0"))
}
