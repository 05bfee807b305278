//! Objects of Python as TOML: scenarios from dictionaries, and overrides of scenario keys.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// The number of tables and lists that may contain each other. A container that contains itself is beyond it.
const DEEPEST: usize = 64;

/// Writes an object as a value of TOML.
fn written(given: &Bound<'_, PyAny>, depth: usize) -> PyResult<String> {
    check_depth(depth)?;
    if let Ok(flag) = given.extract::<bool>() {
        return Ok(flag.to_string());
    }
    if let Ok(text) = given.cast::<PyString>() {
        return Ok(quoted(&text.to_string()));
    }
    if let Ok(table) = given.cast::<PyDict>() {
        let pairs = table
            .iter()
            .filter(|(_, value)| !value.is_none())
            .map(|(key, value)| Ok(format!("{} = {}", quoted(&key.extract::<String>()?), written(&value, depth + 1)?)));
        return Ok(format!("{{ {} }}", pairs.collect::<PyResult<Vec<_>>>()?.join(", ")));
    }
    if let Ok(whole) = given.extract::<i64>() {
        return Ok(whole.to_string());
    }
    if let Ok(number) = given.extract::<f64>() {
        return Ok(format!("{number:?}").to_lowercase());
    }
    if let Ok(items) = given.extract::<Vec<Bound<'_, PyAny>>>() {
        let items = items.iter().map(|item| written(item, depth + 1)).collect::<PyResult<Vec<_>>>()?;
        return Ok(format!("[{}]", items.join(", ")));
    }
    Err(PyTypeError::new_err(format!("{} is not a value of a scenario", given.repr()?)))
}

/// Writes a dictionary as a document of TOML, one line for each key.
pub(crate) fn document(table: &Bound<'_, PyDict>) -> PyResult<String> {
    let lines = table
        .iter()
        .filter(|(_, value)| !value.is_none())
        .map(|(key, value)| Ok(format!("{} = {}\n", quoted(&key.extract::<String>()?), written(&value, 1)?)));
    lines.collect()
}

/// The overrides in a dictionary, such as `world.seed=3` for `{"world": {"seed": 3}}` and `{"world.seed": 3}`.
pub(crate) fn overrides(table: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<String>> {
    let mut found = Vec::new();
    if let Some(table) = table {
        collect("", table, 1, &mut found)?;
    }
    Ok(found)
}

/// The overrides of scenario keys in a dictionary, as the program takes them.
#[pyfunction]
#[pyo3(name = "overrides")]
pub(crate) fn listed(table: &Bound<'_, PyDict>) -> PyResult<Vec<String>> {
    overrides(Some(table))
}

fn collect(path: &str, table: &Bound<'_, PyDict>, depth: usize, found: &mut Vec<String>) -> PyResult<()> {
    check_depth(depth)?;
    for (key, value) in table {
        let key = key.extract::<String>()?;
        let path = if path.is_empty() { key } else { format!("{path}.{key}") };
        match value.cast::<PyDict>() {
            Ok(inner) => collect(&path, inner, depth + 1, found)?,
            Err(_) => found.push(format!("{path}={}", written(&value, depth + 1)?)),
        }
    }
    Ok(())
}

fn check_depth(depth: usize) -> PyResult<()> {
    if depth <= DEEPEST {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("tables and lists contain each other more than {DEEPEST} deep")))
}

/// A text as a basic string of TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            control if control.is_control() => quoted.push_str(&format!("\\u{:04X}", u32::from(control))),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}
