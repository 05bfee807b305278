//! The agents of a species in the order in which a call reads or writes them.

use std::collections::BTreeSet;

use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use throng::{AgentId, AnyWorld, SpeciesId};

use crate::errors::{NotFoundError, OrRaise};

/// The rows that `order` and `ids` name, in their order; `None` for all rows as they are.
pub(crate) fn picked(
    world: &AnyWorld,
    species: SpeciesId,
    order: &str,
    ids: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<Vec<usize>>> {
    match (order, ids) {
        ("row", None) => Ok(None),
        ("id", None) => by_id(world, species).map(Some),
        ("row", Some(ids)) => rows_of(world, species, &numbers(ids)?).map(Some),
        ("id", Some(_)) => Err(PyTypeError::new_err("either order or ids")),
        _ => Err(PyValueError::new_err(format!("order = {order:?}: must be \"row\" or \"id\""))),
    }
}

/// The rows in ascending order of their ids.
pub(crate) fn by_id(world: &AnyWorld, species: SpeciesId) -> PyResult<Vec<usize>> {
    let ids = world.ids(species).or_raise()?.iter().map(|id| id.to_bits());
    let (Some(low), Some(high)) = (ids.clone().min(), ids.clone().max()) else { return Ok(Vec::new()) };
    // Ids that are close together, as where none came later, need no comparisons.
    if high - low < 4 * ids.len() as u64 {
        let mut rows = vec![usize::MAX; (high - low) as usize + 1];
        ids.zip(0..).for_each(|(id, row)| rows[(id - low) as usize] = row);
        rows.retain(|row| *row < usize::MAX);
        return Ok(rows);
    }
    let mut rows: Vec<(u64, usize)> = ids.zip(0..).collect();
    rows.sort_unstable();
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

/// The rows of these agents, which are of the species.
fn rows_of(world: &AnyWorld, species: SpeciesId, ids: &[u64]) -> PyResult<Vec<usize>> {
    let row = |&id: &u64| match world.find(AgentId::from_bits(id)).or_raise()? {
        (found, row) if found == species => Ok(row),
        _ => Err(NotFoundError::new_err(format!("agent {id} is of another species"))),
    };
    ids.iter().map(row).collect()
}

/// Fails if an agent is there twice.
pub(crate) fn check_once(rows: &[usize]) -> PyResult<()> {
    let mut once = BTreeSet::new();
    match rows.iter().position(|row| !once.insert(row)) {
        Some(number) => Err(PyValueError::new_err(format!("the agent at number {number} is there twice"))),
        None => Ok(()),
    }
}

/// The ids in an array or a sequence.
fn numbers(ids: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
    if let Ok(array) = ids.cast::<PyArray1<u64>>() {
        return Ok(array.try_readonly()?.as_array().iter().copied().collect());
    }
    ids.extract()
}

/// The rows of an array in this order.
pub(crate) fn ordered<'py, T>(array: Bound<'py, T>, rows: Option<Vec<usize>>) -> PyResult<Bound<'py, PyAny>> {
    match rows {
        None => Ok(array.into_any()),
        Some(rows) => {
            let rows = PyArray1::from_vec(array.py(), rows);
            array.into_any().call_method1("take", (rows, 0))
        }
    }
}
