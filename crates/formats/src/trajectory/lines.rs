//! Formats of lines, whose frames are written at once.

use std::fmt::Debug;
use std::io::{self, Write};

use super::Frame;
use super::encoder::{Encoder, load_tick, save_tick};

/// The lines of a format.
pub(super) trait Lines: Debug + Send {
    /// Writes the lines that precede all frames.
    fn head(&self, to: &mut dyn Write) -> io::Result<()>;

    /// Writes the lines of a frame.
    fn frame(&self, frame: &Frame, to: &mut dyn Write) -> io::Result<()>;
}

/// An encoder of lines. It holds nothing back, so its state is the tick of the last frame.
#[derive(Debug)]
pub(super) struct LineEncoder<L> {
    lines: L,
    last: Option<u64>,
}

impl<L> LineEncoder<L> {
    pub(super) fn new(lines: L) -> Self {
        Self { lines, last: None }
    }
}

impl<L: Lines> Encoder for LineEncoder<L> {
    fn start(&mut self, to: &mut dyn Write) -> io::Result<()> {
        self.lines.head(to)
    }

    fn write(&mut self, frame: &Frame, to: &mut dyn Write) -> io::Result<()> {
        self.lines.frame(frame, to)?;
        self.last = Some(frame.tick);
        Ok(())
    }

    fn written(&self) -> Option<u64> {
        self.last
    }

    fn mark(&mut self, _: &mut dyn Write) -> io::Result<Vec<u8>> {
        Ok(save_tick(self.last))
    }

    fn resume(&mut self, state: &[u8]) -> io::Result<()> {
        self.last = load_tick(state)?;
        Ok(())
    }

    fn cut(&mut self, _: u64) {}

    fn finish(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}
