//! Output files in progress. The extension of the file name selects the kind.

use std::path::PathBuf;

use throng_draw::{Error, Gif, Mp4, Painter, Picture};
use throng_scenario::shown;

use super::frame_source::{Ticks, has_extension};
use super::pace::Pace;
use crate::arguments::RenderOptions;
use crate::atomic_file::AtomicFile;
use crate::failure::Failure;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileKind {
    Png,
    Gif,
    Mp4,
}

impl FileKind {
    /// The kind of the output file.
    ///
    /// # Errors
    ///
    /// Fails on an unknown extension, on too high a frame rate, and on an existing file without `--force`.
    pub(super) fn of(render: &RenderOptions) -> Result<Self, Failure> {
        let file = &render.output;
        let refuse = |reason: &str| Err(Failure::Input(format!("{}: {reason}", shown(&file))));
        let kind =
            match [Self::Png, Self::Gif, Self::Mp4].into_iter().find(|kind| has_extension(file, kind.extension())) {
                Some(kind) => kind,
                None => return refuse("the name must end in .png for a picture, or in .gif or .mp4 for a film"),
            };
        if kind == Self::Gif && render.fps.is_some_and(|fps| fps > 50) {
            return refuse("a GIF shows at most 50 frames per second (--fps)");
        }
        if file.exists() && !render.force {
            return refuse("already exists; --force replaces it");
        }
        Ok(kind)
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Gif => "gif",
            Self::Mp4 => "mp4",
        }
    }

    /// Whether it shows several ticks.
    pub(super) fn is_film(self) -> bool {
        self != Self::Png
    }

    /// The first tick to draw. A picture shows one tick, the last of those that are run.
    pub(super) fn first(self, ticks: &Ticks) -> u64 {
        match self {
            Self::Png => ticks.last,
            Self::Gif | Self::Mp4 => ticks.first,
        }
    }
}

/// A file that grows by frames. It gets its name when it is complete.
pub(super) struct Film {
    path: PathBuf,
    writer: Writer,
}

enum Writer {
    Png(AtomicFile),
    Gif(Box<Gif<AtomicFile>>),
    // Fields are dropped in this order: the encoder ends before its file is removed.
    Mp4(Mp4, AtomicFile),
}

impl Film {
    /// Starts the file.
    pub(super) fn start(
        kind: FileKind,
        render: &RenderOptions,
        pace: Pace,
        painter: &Painter,
    ) -> Result<Self, Failure> {
        let path = render.output.clone();
        let (width, height) = (painter.picture().width(), painter.picture().height());
        if kind == FileKind::Mp4 && !(width.is_multiple_of(2) && height.is_multiple_of(2)) {
            let reason = format!("an MP4 cannot have {width} x {height} pixels: --width and --height must be even");
            return Err(Failure::Input(format!("{}: {reason}", shown(&path))));
        }
        let file = AtomicFile::start(path.clone())?;
        let writer = match kind {
            FileKind::Png => Writer::Png(file),
            FileKind::Gif => {
                let film = Gif::new(file, painter, pace.fps);
                Writer::Gif(Box::new(film.map_err(|error| Failure::draw(&path, error))?))
            }
            FileKind::Mp4 => {
                let film = Mp4::new(file.temporary(), painter, pace.fps).map_err(|error| match error {
                    Error::Io(error) => Failure::threads(error),
                    other => Failure::draw(&path, other),
                });
                Writer::Mp4(film?, file)
            }
        };
        Ok(Self { path, writer })
    }

    /// Adds a picture as a frame.
    pub(super) fn add(&mut self, picture: &Picture) -> Result<(), Failure> {
        let added = match &mut self.writer {
            Writer::Png(file) => picture.write_png(file),
            Writer::Gif(film) => film.add(picture),
            Writer::Mp4(film, _) => film.add(picture),
        };
        added.map_err(|error| Failure::draw(&self.path, error))
    }

    /// Completes the file and gives it its name.
    pub(super) fn finish(self) -> Result<(), Failure> {
        let Self { path, writer } = self;
        let complete = match writer {
            Writer::Png(file) => Ok(file),
            Writer::Gif(film) => film.finish(),
            Writer::Mp4(film, file) => film.finish().map(|()| file),
        };
        complete.map_err(|error| Failure::draw(&path, error))?.keep()
    }
}
