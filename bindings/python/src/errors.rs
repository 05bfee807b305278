//! The exceptions of the module, and the conversion of the engine's errors to them.

use pyo3::exceptions::{PyLookupError, PyMemoryError, PyRuntimeError, PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use pyo3::{create_exception, intern};
use throng::parameters::Allowed;
use throng::{BadValue, Error, RecordingError, ReplayError, SnapshotError};
use throng_scenario::{BuildError, Location, Problem, Problems, Reason};

create_exception!(throng, ScenarioError, PyValueError, "A scenario that is refused, with the places of its problems.");
create_exception!(throng, BadValueError, PyValueError, "A value that is not allowed, with the allowed values.");
create_exception!(
    throng,
    NotFoundError,
    PyLookupError,
    "An agent, species, column, rule or state that does not exist."
);
create_exception!(throng, SnapshotFormatError, PyValueError, "A snapshot that cannot be read or written.");
create_exception!(throng, ReplayDiffersError, PyValueError, "A replay that does not follow its recording.");
create_exception!(
    throng,
    ThrongWarning,
    PyUserWarning,
    "A value that is hardly meant, or something that went wrong in a tick."
);
create_exception!(throng, RuleError, PyRuntimeError, "A rule that failed in a step. No agent has moved then.");

/// Adds the exceptions to the module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("ScenarioError", py.get_type::<ScenarioError>())?;
    module.add("BadValueError", py.get_type::<BadValueError>())?;
    module.add("NotFoundError", py.get_type::<NotFoundError>())?;
    module.add("SnapshotError", py.get_type::<SnapshotFormatError>())?;
    module.add("ReplayError", py.get_type::<ReplayDiffersError>())?;
    module.add("ThrongWarning", py.get_type::<ThrongWarning>())?;
    module.add("RuleError", py.get_type::<RuleError>())
}

/// The exception for a name that does not exist. It has the known names, and the name of the nearest one.
pub(crate) fn not_found<'k>(what: &str, name: &str, known: impl IntoIterator<Item = &'k str>) -> PyErr {
    NotFoundError::new_err(Error::bad(what, name, Allowed::one_of(known)).to_string())
}

/// Converts a result of the engine.
pub(crate) trait OrRaise<T> {
    fn or_raise(self) -> PyResult<T>;
}

impl<T, E: Into<Raised>> OrRaise<T> for Result<T, E> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| error.into().0)
    }
}

/// An error of the engine as an exception.
#[derive(Debug)]
pub(crate) struct Raised(PyErr);

impl From<Error> for Raised {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        Self(match error {
            Error::BadValue(bad) => bad_value(message, &bad),
            Error::NoSuchAgent(_)
            | Error::NoSuchSpecies(_)
            | Error::NoSuchItem { .. }
            | Error::NoSuchColumn(_)
            | Error::NoSuchRule { .. }
            | Error::NoSuchState(_)
            | Error::UnknownRule(_) => NotFoundError::new_err(message),
            Error::ColumnType { .. } => PyTypeError::new_err(message),
            Error::Panicked(_) => RuleError::new_err(message),
            Error::NoSuchInstructionSet(_) | Error::Arithmetic(_) => PyRuntimeError::new_err(message),
            _ => PyValueError::new_err(message),
        })
    }
}

impl From<SnapshotError> for Raised {
    fn from(error: SnapshotError) -> Self {
        Self(match error {
            SnapshotError::Io(error) => error.into(),
            SnapshotError::Refused(error) => return error.into(),
            error => SnapshotFormatError::new_err(error.to_string()),
        })
    }
}

impl From<RecordingError> for Raised {
    fn from(error: RecordingError) -> Self {
        Self(SnapshotFormatError::new_err(error.to_string()))
    }
}

impl From<ReplayError> for Raised {
    fn from(error: ReplayError) -> Self {
        Self(ReplayDiffersError::new_err(error.to_string()))
    }
}

impl From<BuildError> for Raised {
    fn from(error: BuildError) -> Self {
        let message = error.to_string();
        Self(match error {
            BuildError::Memory { .. } => PyMemoryError::new_err(message),
            BuildError::World(error) => return error.into(),
            BuildError::Agents(_) | BuildError::Species(_) | BuildError::Rules(_) => too_large(message),
            _ => PyValueError::new_err(message),
        })
    }
}

impl From<Problems> for Raised {
    fn from(problems: Problems) -> Self {
        // A file that cannot be opened is an error of the system, as for `open`.
        if let [Problem { reason: Reason::Unreadable { kind, message }, .. }] = problems.list() {
            let message = format!("{}: {message}", problems.file());
            return Self(std::io::Error::new(*kind, message).into());
        }
        Self(Python::attach(|py| scenario_error(py, &problems).unwrap_or_else(|error| error)))
    }
}

fn bad_value(message: String, bad: &BadValue) -> PyErr {
    let error = BadValueError::new_err(message);
    Python::attach(|py| {
        let value = error.value(py);
        let set = value
            .setattr("rule", &bad.rule)
            .and_then(|()| value.setattr("what", &bad.what))
            .and_then(|()| value.setattr("given", bad.value.to_string()))
            .and_then(|()| value.setattr("allowed", bad.allowed.to_string()));
        set.err().unwrap_or(error)
    })
}

/// A scenario that no machine can build. It has no single place.
fn too_large(message: String) -> PyErr {
    let error = ScenarioError::new_err(message);
    Python::attach(|py| {
        let value = error.value(py);
        let names = ["file", "line", "column", "key", "value", "reason"];
        let set = names.into_iter().try_for_each(|name| value.setattr(name, py.None()));
        let set = set.and_then(|()| value.setattr("problems", PyList::empty(py)));
        set.err().unwrap_or(error)
    })
}

fn scenario_error(py: Python<'_>, problems: &Problems) -> PyResult<PyErr> {
    let error = ScenarioError::new_err(problems.to_string());
    let list = problems.list().iter().map(|problem| described(py, problem)).collect::<PyResult<Vec<_>>>()?;
    let value = error.value(py);
    value.setattr("file", problems.file())?;
    for name in ["line", "column", "key", "value", "reason"] {
        value.setattr(name, list.first().map(|first| first.get_item(name)).transpose()?.flatten())?;
    }
    value.setattr("problems", list)?;
    Ok(error)
}

/// A problem as a dictionary.
fn described<'py>(py: Python<'py>, problem: &Problem) -> PyResult<Bound<'py, PyDict>> {
    let place = match problem.place {
        Location::Text { line, column } => (Some(line), Some(column)),
        _ => (None, None),
    };
    let described = PyDict::new(py);
    described.set_item(intern!(py, "line"), place.0)?;
    described.set_item(intern!(py, "column"), place.1)?;
    described.set_item(intern!(py, "key"), &problem.key)?;
    described.set_item(intern!(py, "value"), &problem.value)?;
    described.set_item(intern!(py, "reason"), problem.reason.to_string())?;
    Ok(described)
}
