//! PNG pictures: one frame.

use std::io::Write;

use super::film::Film;
use crate::arguments::Render;
use crate::failure::Failure;
use crate::picture::Painter;
use crate::results::Draft;

/// A PNG picture in progress.
#[derive(Debug)]
pub(super) struct Png(Draft);

impl Png {
    pub(super) fn start(render: &Render) -> Result<Self, Failure> {
        Draft::start(render.output.clone()).map(Self)
    }
}

impl Film for Png {
    fn add(&mut self, painter: &Painter) -> Result<(), Failure> {
        self.0.write(|file| file.write_all(&painter.png()))
    }

    fn finish(self: Box<Self>) -> Result<(), Failure> {
        self.0.keep()
    }
}
