//! Which kind of file do frames become? The ending of its name says so.

use std::path::Path;

use super::gif::Gif;
use super::mp4::Mp4;
use super::png::Png;
use super::source::{Ticks, has_extension};
use crate::arguments::Render;
use crate::failure::Failure;
use crate::picture::Painter;
use crate::results::Draft;

/// A file that frames are added to.
pub(super) trait Film {
    /// Adds what the painter has drawn.
    fn add(&mut self, painter: &Painter) -> Result<(), Failure>;
    /// Ends the file, and gives it its name.
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
    /// The kind that is asked for, if it can be had.
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
            return refuse("is there already: --force replaces it");
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

    /// Whether a tick is to be seen: the last one alone on a picture, one out of `every` in a film.
    pub(super) fn shows(self, tick: u64, ticks: &Ticks, every: u64) -> bool {
        match self {
            Self::Png => tick == ticks.last,
            Self::Gif | Self::Mp4 => tick >= ticks.first && (tick - ticks.first).is_multiple_of(every),
        }
    }

    /// Starts the file.
    pub(super) fn start(self, render: &Render, painter: &Painter) -> Result<Box<dyn Film>, Failure> {
        let start = |file: &Path| Draft::start(file.to_owned());
        if self == Self::Mp4 {
            return Ok(Box::new(Mp4::start(render, painter.size())?));
        }
        let draft = start(&render.output)?;
        Ok(if self == Self::Gif {
            Box::new(Gif::start(draft, painter, render.fps)?)
        } else {
            Box::new(Png::new(draft))
        })
    }
}
