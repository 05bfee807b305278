//! Figures as SVG or PNG, by the extension of their files.

mod pixels;

use std::error::Error;
use std::io::Write;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use throng_draw::Picture;

use crate::atomic_file::AtomicFile;
use crate::failure::Failure;
use pixels::Pixels;

/// The font of labels.
pub(crate) const TEXT: (&str, u32) = ("sans-serif", 14);
/// The font of titles.
pub(crate) const TITLE: (&str, u32) = ("sans-serif", 18);

/// The colours of lines, distinct for the colour-blind (Okabe and Ito 2008).
pub(crate) const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];
/// The colour of a grid.
pub(crate) const FAINT: RGBColor = RGBColor(222, 222, 222);

/// A figure that can be drawn to any kind of file.
pub(crate) trait Figure {
    /// The width and the height in pixels.
    fn size(&self) -> (u32, u32);

    /// Draws the figure.
    fn draw<B>(&self, area: &DrawingArea<B, Shift>) -> Result<(), Box<dyn Error>>
    where
        B: DrawingBackend,
        B::ErrorType: 'static;
}

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
        let refuse = |reason: &str| Err(Failure::Input(format!("{}: {reason}", file.display())));
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
    pub(crate) fn write(self, file: &Path, figure: &impl Figure) -> Result<(), Failure> {
        let bytes = match self {
            Self::Svg => svg(figure),
            Self::Png => png(figure),
        };
        let bytes = bytes.map_err(|error| Failure::Write(format!("{}: {error}", file.display())))?;
        let mut output = AtomicFile::start(file.to_owned())?;
        output.write(|output| output.write_all(&bytes))?;
        output.keep()
    }
}

fn svg(figure: &impl Figure) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, figure.size()).into_drawing_area();
        area.fill(&WHITE)?;
        figure.draw(&area)?;
        area.present()?;
    }
    Ok(text.into_bytes())
}

fn png(figure: &impl Figure) -> Result<Vec<u8>, Box<dyn Error>> {
    let (width, height) = figure.size();
    let mut pixels = vec![255; width as usize * height as usize * 3];
    figure.draw(&Pixels::new(&mut pixels, (width, height)).into_drawing_area())?;
    let picture = Picture::from_pixels(width as usize, height as usize, pixels).ok_or("the size is wrong")?;
    let mut bytes = Vec::new();
    picture.write_png(&mut bytes)?;
    Ok(bytes)
}

/// A number as the label of an axis: without rounding errors of the last digits.
pub(crate) fn label(number: f64) -> String {
    match number.abs() {
        n if n >= 1e6 => format!("{} M", shortest(number / 1e6)),
        n if n >= 1e4 => format!("{} k", shortest(number / 1e3)),
        _ => shortest(number),
    }
}

fn shortest(number: f64) -> String {
    // Nine digits are fewer than the errors of sums of steps leave.
    let short: f64 = format!("{number:.9e}").parse().unwrap_or(number);
    if short.abs() < 1e-12 { "0".to_owned() } else { short.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_have_no_rounding_errors() {
        assert_eq!(label(0.1 + 0.2), "0.3");
        assert_eq!(label(1.0 - 0.9 - 0.1), "0");
        assert_eq!(label(-2500.0), "-2500");
        assert_eq!(label(25_000.0), "25 k");
        assert_eq!(label(1e6), "1 M");
        assert_eq!(label(0.001), "0.001");
    }
}
