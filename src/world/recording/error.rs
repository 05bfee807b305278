//! The errors of reading and of replaying a recording.

use std::fmt;

use crate::base::error::Error;
use crate::state::snapshot::SnapshotError;

/// An error when reading a recording, or when continuing one.
#[derive(Debug)]
#[non_exhaustive]
pub enum RecordingError {
    /// The input does not start with the header of a recording.
    NotARecording,
    /// The recording has another version of the format.
    Format(u32),
    /// The state at the start cannot be read.
    Start(SnapshotError),
    /// The edits cannot be read.
    Edits(SnapshotError),
    /// The entry with this number, which is an edit or a hash, cannot be read. The first one has the number 1.
    Entry {
        /// The number.
        number: u64,
        /// The error.
        error: SnapshotError,
    },
    /// The world to be recorded is not the one at the end of the recording.
    OtherWorld,
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotARecording => write!(f, "this is not a recording"),
            Self::Format(found) => {
                write!(f, "the recording is of format {found}, which this version does not read")
            }
            Self::Start(error) => write!(f, "the start of the recording: {error}"),
            Self::Edits(error) => write!(f, "the recording is {}", reason(error)),
            Self::Entry { number, error } => write!(f, "entry {number} of the recording is {}", reason(error)),
            Self::OtherWorld => write!(f, "the recording ends with another world"),
        }
    }
}

/// The reason for which a part after the snapshot cannot be read.
fn reason(error: &SnapshotError) -> String {
    match error {
        SnapshotError::Io(error) => format!("not readable: {error}"),
        SnapshotError::Damaged(section) => format!("damaged or cut short in section {section}"),
        SnapshotError::Invalid { fault, .. } => format!("invalid: {fault}"),
        SnapshotError::Refused(error) => format!("invalid: {error}"),
        other => format!("invalid: {other}"),
    }
}

impl std::error::Error for RecordingError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Start(error) | Self::Edits(error) | Self::Entry { error, .. } => Some(error),
            Self::NotARecording | Self::Format(_) | Self::OtherWorld => None,
        }
    }
}

/// A replay that does not follow its recording.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ReplayError {
    /// The state has another hash than the recorded one.
    Differs {
        /// The tick of the hash.
        tick: u64,
        /// The last tick at which a recorded hash agreed: at the latest the start.
        equal: u64,
    },
    /// The world refuses an edit.
    Refused {
        /// The tick before which the edit was made.
        tick: u64,
        /// The edit, in words.
        edit: String,
        /// The reason.
        error: Error,
    },
    /// A step failed, as it may have done in the recorded run.
    Step {
        /// The number of ticks before it.
        tick: u64,
        /// The reason.
        error: Error,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Differs { tick, equal } => {
                write!(f, "the state differs from the recorded one at tick {tick}, and agreed at tick {equal}")
            }
            Self::Refused { tick, edit, error } => write!(f, "tick {tick}, `{edit}`: {error}"),
            Self::Step { tick, error } => write!(f, "the step after tick {tick} failed: {error}"),
        }
    }
}

impl std::error::Error for ReplayError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Refused { error, .. } | Self::Step { error, .. } => Some(error),
            Self::Differs { .. } => None,
        }
    }
}
