//! Encoders of trajectories: the trait of all formats.

use std::fmt::Debug;
use std::io::{self, Write};

use super::frame::Frame;

/// Writes frames one after another.
pub trait Encoder: Debug + Send {
    /// Writes the part before all frames.
    ///
    /// # Errors
    ///
    /// The errors of the writer, here and below.
    fn start(&mut self, to: &mut dyn Write) -> io::Result<()>;

    /// Writes a frame, or holds it back for later.
    ///
    /// # Errors
    ///
    /// The errors of the writer.
    fn write(&mut self, frame: &Frame, to: &mut dyn Write) -> io::Result<()>;

    /// The tick of the last frame that was written and is not held back.
    fn written(&self) -> Option<u64>;

    /// Writes all buffered data, and returns the mark after which [`resume`](Self::resume) continues.
    ///
    /// # Errors
    ///
    /// The errors of the writer.
    fn mark(&mut self, to: &mut dyn Write) -> io::Result<Vec<u8>>;

    /// Continues from a mark, instead of [`start`](Self::start).
    ///
    /// # Errors
    ///
    /// The state is not one of this encoder; files of later frames cannot be removed.
    fn resume(&mut self, state: &[u8]) -> io::Result<()>;

    /// Drops buffered data, and bytes that were written beyond this length: the writer is cut there, after a failure.
    fn cut(&mut self, length: u64);

    /// Writes buffered data and the part after all frames.
    ///
    /// # Errors
    ///
    /// The errors of the writer.
    fn finish(&mut self, to: &mut dyn Write) -> io::Result<()>;
}

/// The tick of the last frame, as the whole state of an encoder.
pub(super) fn save_tick(tick: Option<u64>) -> Vec<u8> {
    tick.map_or(Vec::new(), |tick| tick.to_le_bytes().to_vec())
}

pub(super) fn load_tick(state: &[u8]) -> io::Result<Option<u64>> {
    match state {
        [] => Ok(None),
        _ => match state.try_into() {
            Ok(bytes) => Ok(Some(u64::from_le_bytes(bytes))),
            Err(_) => Err(io::Error::new(io::ErrorKind::InvalidData, "the state of the trajectory is damaged")),
        },
    }
}
