//! The error of writing or reading a snapshot.

use std::fmt;

use crate::base::error::Error;
use crate::base::values::{Allowed, Kind, Range, Value};
use crate::state::fault::SnapshotFault;
use crate::state::snapshot::version::{FORMAT, PHYSICS};

/// An error when writing or reading a snapshot.
#[derive(Debug)]
#[non_exhaustive]
pub enum SnapshotError {
    /// Reading or writing failed.
    Io(std::io::Error),
    /// The input does not start with the header of a snapshot.
    NotASnapshot,
    /// The snapshot has another version of the format.
    Format(u32),
    /// The snapshot has another version of the physics, which continues the same state with other bits.
    Physics(u32),
    /// The world in the snapshot has another number of dimensions.
    Dimensions(u32),
    /// The snapshot is truncated or damaged: this section is missing, or its hash does not match.
    Damaged(&'static str),
    /// A section contradicts itself or the sections before it.
    Invalid {
        /// The tag of the section.
        section: &'static str,
        /// The contradiction.
        fault: SnapshotFault,
    },
    /// A section contains a value that a world refuses.
    Refused(crate::Error),
    /// A rule or a motion without a parameter table cannot be written. One that is not in the registry cannot be read.
    UnknownRule(String),
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "snapshot: {error}"),
            Self::NotASnapshot => write!(f, "this is not a snapshot of a world"),
            Self::Format(found) => write!(f, "the snapshot is of format {found}: this version reads format {FORMAT}"),
            Self::Physics(found) => {
                write!(
                    f,
                    "the snapshot is of physics {found}: this version has physics {PHYSICS}, and gives other bits"
                )
            }
            Self::Dimensions(found) => write!(f, "the world in the snapshot has {found} dimensions"),
            Self::Damaged(section) => write!(f, "the snapshot is damaged or cut short in section {section}"),
            Self::Invalid { section, fault } => write!(f, "the snapshot is invalid in section {section}: {fault}"),
            Self::Refused(error) => write!(f, "the snapshot is invalid: {error}"),
            Self::UnknownRule(name) => {
                write!(f, "the rule `{name}` has no table of parameters or is not in the registry")
            }
        }
    }
}

impl std::error::Error for SnapshotError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Refused(error) => Some(error),
            _ => None,
        }
    }
}

impl From<std::io::Error> for SnapshotError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<crate::Error> for SnapshotError {
    fn from(error: crate::Error) -> Self {
        Self::Refused(error)
    }
}

/// The error for a number that is out of range.
pub(super) fn out_of_range(what: &str, value: impl Into<Value>, low: f64, high: f64) -> SnapshotError {
    Error::bad(what, value, Allowed::number(Range::from(low, high), "")).into()
}

/// The error for a counter that would overflow later.
pub(super) fn above(what: &str, value: u64, most: u64) -> SnapshotError {
    Error::bad(what, value, Allowed::Kind { kind: Kind::Whole(0, most), unit: "" }).into()
}
