//! States, transitions and catches of a species, from dictionaries with the keys of scenario files.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use throng::SpeciesFilter;
use throng::states::{Catch, State};

use crate::world::items;

/// The states in a sequence of names, or in a dictionary by name with `rates` and `transitions`.
pub(crate) fn states(given: &Bound<'_, PyAny>) -> PyResult<Vec<State>> {
    match given.cast::<PyDict>() {
        Ok(table) => table.iter().map(|(name, parts)| state(name.extract()?, &parts)).collect(),
        Err(_) => Ok(given.extract::<Vec<String>>()?.into_iter().map(State::new).collect()),
    }
}

fn state(name: String, parts: &Bound<'_, PyAny>) -> PyResult<State> {
    let mut state = State::new(name);
    for (key, part) in table(parts, "a state")? {
        match &key.extract::<String>()?[..] {
            "rates" => {
                for (variable, rate) in table(&part, "rates")? {
                    state.rates.push((variable.extract()?, rate.extract()?));
                }
            }
            "transitions" => {
                for given in part.try_iter()? {
                    state.transitions.push(items::read("a transition", &[], Some(table(&given?, "a transition")?))?);
                }
            }
            other => return Err(unknown(other, "a state has rates and transitions")),
        }
    }
    Ok(state)
}

/// The species that a function may see or catch: `own`, `all`, a name or several.
pub(crate) fn filter(given: &Bound<'_, PyAny>) -> PyResult<SpeciesFilter> {
    if let Ok(names) = given.extract::<Vec<String>>() {
        return Ok(SpeciesFilter::Named(names));
    }
    Ok(match &given.extract::<String>()?[..] {
        "own" => SpeciesFilter::Own,
        "all" => SpeciesFilter::All,
        name => SpeciesFilter::named(name),
    })
}

/// The catch in a dictionary.
pub(crate) fn catch(given: &Bound<'_, PyDict>) -> PyResult<Catch> {
    items::read("a catch", &[], Some(given))
}

pub(crate) fn table<'t, 'py>(given: &'t Bound<'py, PyAny>, what: &str) -> PyResult<&'t Bound<'py, PyDict>> {
    given.cast().map_err(|_| PyTypeError::new_err(format!("{given}: {what} must be a dictionary")))
}

fn unknown(key: &str, known: &str) -> PyErr {
    PyTypeError::new_err(format!("unknown key `{key}`: {known}"))
}
