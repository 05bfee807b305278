//! States, transitions and catches of a species, from dictionaries with the keys of scenario files.

use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use throng::SpeciesFilter;
use throng::states::{Catch, Condition, Place, State, Transition};

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
                    state.transitions.push(transition(&given?)?);
                }
            }
            other => return Err(unknown(other, "a state has rates and transitions")),
        }
    }
    Ok(state)
}

fn transition(given: &Bound<'_, PyAny>) -> PyResult<Transition> {
    let keys = table(given, "a transition")?;
    let mut names = keys.keys().extract::<Vec<String>>()?;
    names.retain(|name| name != "to");
    names.sort();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let when = match names[..] {
        ["below", "when"] => Condition::Below(required(keys, "when")?, required(keys, "below")?),
        ["above", "when"] => Condition::Above(required(keys, "when")?, required(keys, "above")?),
        ["distance", "nearer"] => match reference(&required(keys, "nearer")?)? {
            Reference::Species(species) => Condition::Nearer(species, required(keys, "distance")?),
            Reference::Place(place) => Condition::NearerPlace(place, required(keys, "distance")?),
        },
        ["distance", "farther"] => match reference(&required(keys, "farther")?)? {
            Reference::Species(species) => Condition::Farther(species, required(keys, "distance")?),
            Reference::Place(place) => Condition::FartherPlace(place, required(keys, "distance")?),
        },
        ["open"] => Condition::Open(required(keys, "open")?),
        ["closed"] => Condition::Closed(required(keys, "closed")?),
        ["after"] => Condition::After(required(keys, "after")?),
        ["event"] => match &required::<String>(keys, "event")?[..] {
            "caught" => Condition::Caught,
            "was_caught" => Condition::WasCaught,
            "arrived" => Condition::Arrived,
            other => return Err(unknown(other, "an event is caught, was_caught or arrived")),
        },
        _ => {
            return Err(PyTypeError::new_err(format!(
                "{given}: a transition has `to` and one condition: `when` with `below` or `above`, `nearer` or `farther` \
                 with `distance`, `open`, `closed`, `after`, or `event`"
            )));
        }
    };
    Ok(Transition { to: required(keys, "to")?, when })
}

/// What a distance is measured to.
enum Reference {
    Species(SpeciesFilter),
    Place(Place),
}

fn reference(given: &Bound<'_, PyAny>) -> PyResult<Reference> {
    if let Ok(point) = given.extract::<Vec<f32>>() {
        return Ok(Reference::Place(Place::Point(point)));
    }
    if let Ok(text) = given.cast::<PyString>() {
        match text.to_string_lossy().split_once(':') {
            Some(("mark", name)) => return Ok(Reference::Place(Place::Mark(name.to_owned()))),
            Some(("region", name)) => return Ok(Reference::Place(Place::Region(name.to_owned()))),
            _ => {}
        }
    }
    filter(given).map(Reference::Species)
}

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

/// The catch in a dictionary with `whom` and `distance`, and `remove` and `during` where they are not the usual ones.
pub(crate) fn catch(given: &Bound<'_, PyDict>) -> PyResult<Catch> {
    let mut catch = Catch {
        filter: filter(&required(given, "whom")?)?,
        distance: required(given, "distance")?,
        remove: false,
        during: Vec::new(),
    };
    for (key, value) in given {
        match &key.extract::<String>()?[..] {
            "whom" | "distance" => {}
            "remove" => catch.remove = value.extract()?,
            "during" => catch.during = value.extract()?,
            other => return Err(unknown(other, "a catch has whom, distance, remove and during")),
        }
    }
    Ok(catch)
}

pub(crate) fn table<'t, 'py>(given: &'t Bound<'py, PyAny>, what: &str) -> PyResult<&'t Bound<'py, PyDict>> {
    given.cast().map_err(|_| PyTypeError::new_err(format!("{given}: {what} must be a dictionary")))
}

fn required<'py, T: FromPyObjectOwned<'py>>(table: &Bound<'py, PyDict>, key: &str) -> PyResult<T> {
    let value = table.get_item(key)?.ok_or_else(|| PyTypeError::new_err(format!("{table}: `{key}` is missing")))?;
    value.extract().map_err(Into::into)
}

fn unknown(key: &str, known: &str) -> PyErr {
    PyTypeError::new_err(format!("unknown key `{key}`: {known}"))
}
