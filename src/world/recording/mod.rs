//! Recordings: the edits of a world since a start, in a file that replays to the same hash.

mod any;
mod apply;
mod course;
pub(super) mod edit;
mod error;
pub(super) mod file;
mod host;
mod items;
mod log;
pub(super) mod recorder;
mod replay;
#[cfg(test)]
mod tests;

pub use any::AnyRecording;
pub use course::Recording;
pub use error::{RecordingError, ReplayError};
pub use replay::Replay;
