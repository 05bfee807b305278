//! The kinds of output files, chosen by the extension of the file's name.

use super::footage::{Ticks, has_extension};
use super::gif::Gif;
use super::mp4::Mp4;
use super::png::Png;
use crate::arguments::Render;
use crate::failure::Failure;
use crate::picture::Painter;

/// A file that frames are added to.
pub(super) trait Film {
    /// Adds the painter's picture as a frame.
    fn add(&mut self, painter: &Painter) -> Result<(), Failure>;
    /// Completes the file and gives it its name.
    fn finish(self: Box<Self>) -> Result<(), Failure>;
}

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Png,
    Gif,
    Mp4,
}

impl Kind {
    /// The kind of the output file.
    ///
    /// # Errors
    ///
    /// Fails on an unknown extension, on too high a frame rate, and on an existing file without `--force`.
    pub(super) fn of(render: &Render) -> Result<Self, Failure> {
        let file = &render.output;
        let refuse = |reason: &str| Err(Failure::Input(format!("{}: {reason}", file.display())));
        let kind = match [Self::Png, Self::Gif, Self::Mp4].into_iter().find(|kind| has_extension(file, kind.ending())) {
            Some(kind) => kind,
            None => return refuse("the name must end in .png for a picture, or in .gif or .mp4 for a film"),
        };
        if kind == Self::Gif && render.fps > 50 {
            return refuse("a GIF shows no more than 50 frames per second (--fps)");
        }
        if file.exists() && !render.force {
            return refuse("already exists: --force replaces it");
        }
        Ok(kind)
    }

    fn ending(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Gif => "gif",
            Self::Mp4 => "mp4",
        }
    }

    /// The first tick to draw. A picture shows the last tick only.
    pub(super) fn first(self, ticks: &Ticks) -> u64 {
        match self {
            Self::Png => ticks.last,
            Self::Gif | Self::Mp4 => ticks.first,
        }
    }

    /// Starts the file.
    pub(super) fn start(self, render: &Render, painter: &Painter) -> Result<Box<dyn Film>, Failure> {
        Ok(match self {
            Self::Png => Box::new(Png::start(render)?),
            Self::Gif => Box::new(Gif::start(render, painter)?),
            Self::Mp4 => Box::new(Mp4::start(render, painter.size())?),
        })
    }
}
