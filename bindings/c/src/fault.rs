//! Statuses, and the errors behind them.

use std::fmt::Display;

use engine::{Error, SnapshotError};
use throng_scenario::{BuildError, Problems};

/// The result of a call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The call succeeded.
    Ok = 0,
    /// A pointer is null.
    Null = 1,
    /// The handle is zero, or its world was freed.
    Stale = 2,
    /// The world belongs to another thread.
    WrongThread = 3,
    /// The world is in a step that called this function's caller.
    InUse = 4,
    /// A value is not allowed.
    BadValue = 5,
    /// An agent, species, column, rule or state does not exist.
    NotFound = 6,
    /// A scenario is refused; the text has file, line and column.
    Scenario = 7,
    /// A file cannot be read or written.
    Io = 8,
    /// A snapshot is damaged or of another version.
    Snapshot = 9,
    /// The floating-point arithmetic of this thread is not the default: fesetenv(FE_DFL_ENV) restores it.
    Arithmetic = 10,
    /// A rule failed in a step.
    Rule = 11,
    /// Memory does not suffice for this many agents.
    Memory = 12,
    /// The library has another interface than the header.
    Version = 13,
    /// A defect of the library: it panicked.
    Panic = 14,
}

/// A status that is an error, and its text.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) status: Status,
    pub(crate) text: String,
}

impl Fault {
    pub(crate) fn new(status: Status, text: impl Display) -> Self {
        Self { status, text: text.to_string() }
    }

    /// A refused value of an argument.
    pub(crate) fn bad(text: impl Display) -> Self {
        Self::new(Status::BadValue, text)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        let status = match error {
            Error::NoSuchAgent(_)
            | Error::NoSuchSpecies(_)
            | Error::NoSuchItem { .. }
            | Error::NoSuchColumn(_)
            | Error::NoSuchRule { .. }
            | Error::NoSuchState(_)
            | Error::UnknownRule(_) => Status::NotFound,
            Error::Arithmetic(_) => Status::Arithmetic,
            Error::Panicked(_) => Status::Rule,
            _ => Status::BadValue,
        };
        Self::new(status, error)
    }
}

impl From<Problems> for Fault {
    fn from(problems: Problems) -> Self {
        Self::new(Status::Scenario, problems)
    }
}

impl From<BuildError> for Fault {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Memory { .. } => Self::new(Status::Memory, error),
            error => Self::new(Status::Scenario, error),
        }
    }
}

impl From<SnapshotError> for Fault {
    fn from(error: SnapshotError) -> Self {
        let status = if matches!(error, SnapshotError::Io(_)) { Status::Io } else { Status::Snapshot };
        Self::new(status, error)
    }
}
