//! Files of figures, SVG or PNG by their extension.

use std::io::Write;
use std::path::Path;

use throng_draw::plot::Figure;
use throng_scenario::shown;

use crate::atomic_file::AtomicFile;
use crate::failure::Failure;

/// A kind of file for figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FigureKind {
    Svg,
    Png,
}

impl FigureKind {
    /// The kind of a file.
    ///
    /// # Errors
    ///
    /// Fails on another extension, and on an existing file unless `force` is set.
    pub(crate) fn of(file: &Path, force: bool) -> Result<Self, Failure> {
        let refuse = |reason: &str| Err(Failure::Input(format!("{}: {reason}", shown(&file))));
        let extension = file.extension().map(|extension| extension.to_ascii_lowercase());
        let kind = match extension.as_ref().and_then(|extension| extension.to_str()) {
            Some("svg") => Self::Svg,
            Some("png") => Self::Png,
            _ => return refuse("the name of a figure must end in .svg or .png"),
        };
        if file.exists() && !force {
            return refuse("already exists; --force replaces it");
        }
        Ok(kind)
    }

    /// Checks that a file can be written, before the work for its figure.
    pub(crate) fn check(file: &Path) -> Result<(), Failure> {
        AtomicFile::start(file.to_owned()).map(drop)
    }

    /// Draws a figure to a file.
    pub(crate) fn write(self, file: &Path, figure: &Figure) -> Result<(), Failure> {
        let mut bytes = Vec::new();
        let drawn = match self {
            Self::Svg => figure.svg().map(|text| bytes = text.into_bytes()),
            Self::Png => figure.picture().and_then(|picture| picture.write_png(&mut bytes)),
        };
        drawn.map_err(|error| Failure::draw(file, error))?;
        let mut output = AtomicFile::start(file.to_owned())?;
        output.write(|output| output.write_all(&bytes))?;
        output.keep()
    }
}
