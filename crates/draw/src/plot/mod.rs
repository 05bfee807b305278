//! Plots: charts of lines, dots, spreads and areas over two axes, as SVG or as pixels.
//!
//! ```
//! use throng_draw::plot::{Axis, Chart, Figure, Mark};
//!
//! let points = vec![[1.0, 8.1], [2.0, 4.3], [4.0, 2.4]];
//! let [x, y] = [0, 1].map(|axis| points.iter().map(move |point| point[axis]));
//! let mut chart = Chart::new(Axis::logarithmic("threads", x), Axis::logarithmic("milliseconds", y));
//! let colour = chart.name("flock");
//! chart.marks.push(Mark::line(points.clone(), colour));
//! chart.marks.push(Mark::Dots { points, colour });
//! let figure = Figure::from(chart);
//! assert!(figure.svg()?.starts_with("<svg"));
//! figure.picture()?.save_png(std::env::temp_dir().join("threads.png"))?;
//! # Ok::<(), throng_draw::Error>(())
//! ```

mod axis;
mod chart;
mod legend;
mod pixels;

use std::error;

use plotters::prelude::{DrawingArea, DrawingBackend, IntoDrawingArea, SVGBackend, WHITE};

use crate::error::Error;
use crate::picture::Picture;
use pixels::Pixels;

pub use axis::Axis;

/// A colour: red, green and blue.
pub type Rgb = [u8; 3];

/// The colours of lines, distinct for the colour-blind (Okabe and Ito 2008).
pub const COLOURS: [Rgb; 7] =
    [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [230, 159, 0], [86, 180, 233], [0, 0, 0]];

/// Charts side by side and below each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The charts, row by row.
    pub charts: Vec<Chart>,
    /// The number of charts in a row, at least one.
    pub across: usize,
}

/// A chart: marks over two axes, with a title above and a legend below.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The title; none if it is empty.
    pub title: String,
    /// The width and the height in pixels, without the title and the legend.
    pub size: [u32; 2],
    /// The axis from left to right.
    pub x: Axis,
    /// The axis from bottom to top.
    pub y: Axis,
    /// The marks. Later ones cover earlier ones.
    pub marks: Vec<Mark>,
    /// The legend.
    pub legend: Vec<Entry>,
}

/// An entry of a legend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The colour of the marks that it explains; `None` for a remark.
    pub colour: Option<Rgb>,
    /// The name of these marks, or the remark.
    pub name: String,
}

/// A mark of a chart, at coordinates of its axes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Mark {
    /// A line through points. A point that is not finite interrupts it.
    Line {
        /// The points.
        points: Vec<[f64; 2]>,
        /// The colour.
        colour: Rgb,
        /// Whether the line is thin and dashed.
        is_dashed: bool,
    },
    /// Dots at points.
    Dots {
        /// The points.
        points: Vec<[f64; 2]>,
        /// The colour.
        colour: Rgb,
    },
    /// A vertical bar from one point to another, with a cap at each end.
    Spread {
        /// The place on the first axis.
        x: f64,
        /// The places of the ends on the second axis.
        ends: [f64; 2],
        /// The colour.
        colour: Rgb,
    },
    /// A polygon, filled.
    Area {
        /// The corners.
        corners: Vec<[f64; 2]>,
        /// The colour.
        colour: Rgb,
        /// The share of the colour, from zero for an invisible area to one for an opaque area.
        share: f64,
    },
    /// A text whose centre is at a point.
    Text {
        /// The text.
        text: String,
        /// The point.
        at: [f64; 2],
        /// The colour.
        colour: Rgb,
    },
}

impl Mark {
    /// A line through points, without interruptions.
    #[must_use]
    pub fn line(points: Vec<[f64; 2]>, colour: Rgb) -> Self {
        Self::Line { points, colour, is_dashed: false }
    }

    /// A thin, dashed line through points.
    #[must_use]
    pub fn dashes(points: Vec<[f64; 2]>, colour: Rgb) -> Self {
        Self::Line { points, colour, is_dashed: true }
    }
}

impl Chart {
    /// An empty chart of 800 by 440 pixels.
    #[must_use]
    pub const fn new(x: Axis, y: Axis) -> Self {
        Self { title: String::new(), size: [800, 440], x, y, marks: Vec::new(), legend: Vec::new() }
    }

    /// Adds an entry to the legend and returns its colour, one of [`COLOURS`] in turn.
    pub fn name(&mut self, name: impl Into<String>) -> Rgb {
        let named = self.legend.iter().filter(|entry| entry.colour.is_some()).count();
        let colour = COLOURS[named % COLOURS.len()];
        self.legend.push(Entry { colour: Some(colour), name: name.into() });
        colour
    }
}

impl From<Chart> for Figure {
    fn from(chart: Chart) -> Self {
        Self { charts: vec![chart], across: 1 }
    }
}

impl Figure {
    /// The charts in rows.
    fn rows(&self) -> impl Iterator<Item = &[Chart]> {
        self.charts.chunks(self.across.clamp(1, usize::MAX))
    }

    /// The width and the height in pixels.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        let largest = |sizes: &mut dyn Iterator<Item = u32>| sizes.max().unwrap_or(0);
        let width = largest(&mut self.rows().map(|row| row.iter().map(|chart| chart.size[0]).sum()));
        // bits: a sum of whole numbers
        let height = self.rows().map(|row| largest(&mut row.iter().map(Chart::height))).sum();
        [width, height].map(|size: u32| size.clamp(1, u32::MAX))
    }

    /// The figure as the text of an SVG file.
    ///
    /// # Errors
    ///
    /// [`Error::Encoding`] if the range of an axis is not finite, or not above zero on a logarithmic axis.
    pub fn svg(&self) -> Result<String, Error> {
        let mut text = String::new();
        self.draw(SVGBackend::with_string(&mut text, self.size().into()))?;
        Ok(text)
    }

    /// The figure as pixels.
    ///
    /// # Errors
    ///
    /// [`Error::Encoding`] if the range of an axis is not finite, or not above zero on a logarithmic axis.
    pub fn picture(&self) -> Result<Picture, Error> {
        let [width, height] = self.size().map(|size| size as usize);
        let mut picture = Picture::new(width, height, vec![255; 3 * width * height]);
        self.draw(Pixels(&mut picture))?;
        Ok(picture)
    }

    fn draw<B: DrawingBackend>(&self, backend: B) -> Result<(), Error>
    where
        B::ErrorType: 'static,
    {
        let wrong = |error: Box<dyn error::Error>| Error::Encoding(error.to_string());
        if let Some(axis) = self.charts.iter().flat_map(|chart| [&chart.x, &chart.y]).find(|axis| !axis.has_range()) {
            return Err(Error::Encoding(format!("the axis `{}` has no range that can be drawn", axis.label)));
        }
        self.draw_on(&backend.into_drawing_area()).map_err(wrong)
    }

    fn draw_on<B: DrawingBackend>(&self, whole: &Area<B>) -> Result<(), Box<dyn error::Error>>
    where
        B::ErrorType: 'static,
    {
        whole.fill(&WHITE)?;
        let mut rest = whole.clone();
        for row in self.rows() {
            let height = row.iter().map(Chart::height).max().unwrap_or(0);
            let (mut left, below) = rest.split_vertically(height);
            for chart in row {
                let (area, right) = left.split_horizontally(chart.size[0]);
                chart.draw(&area)?;
                left = right;
            }
            rest = below;
        }
        Ok(whole.present()?)
    }
}

/// A part of a figure, in pixels.
type Area<B> = DrawingArea<B, plotters::coord::Shift>;

#[cfg(test)]
mod tests {
    use super::*;

    fn chart() -> Chart {
        Chart::new(Axis::linear("across", 0.0..10.0), Axis::linear("up", 0.0..10.0))
    }

    #[test]
    fn points_that_are_not_finite_interrupt_a_line() {
        let lines = |points: &[[f64; 2]]| {
            let mut chart = chart();
            chart.marks.push(Mark::line(points.to_vec(), COLOURS[0]));
            Figure::from(chart).svg().unwrap().matches("<polyline").count()
        };
        let whole = lines(&[[1.0, 1.0], [2.0, 3.0], [3.0, 2.0], [4.0, 5.0]]);
        assert_eq!(lines(&[[1.0, 1.0], [2.0, 3.0], [f64::NAN, 2.0], [3.0, 2.0], [4.0, 5.0]]), whole + 1);
    }

    #[test]
    fn charts_fill_rows_that_are_as_high_as_the_highest() {
        let mut low = chart();
        low.size = [400, 100];
        let mut named = low.clone();
        assert_eq!([named.name("ant"), named.name("bee")], [COLOURS[0], COLOURS[1]]);
        let size =
            |charts: &[&Chart]| Figure { charts: charts.iter().map(|&one| one.clone()).collect(), across: 2 }.size();
        assert_eq!((size(&[]), size(&[&low]), size(&[&low, &low])), ([1, 1], [400, 100], [800, 100]));
        let [width, height] = size(&[&low, &named, &low]);
        assert!(width == 800 && height > 200, "{width} x {height}");
        assert_eq!(size(&[&named, &low, &low])[1], height);
    }

    #[test]
    fn marks_have_their_colours_in_both_kinds_of_files() {
        let mut chart = chart();
        let corners = vec![[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]];
        chart.marks.push(Mark::Area { corners, colour: [1, 1, 201], share: 0.5 });
        chart.marks.push(Mark::Spread { x: 2.0, ends: [1.0, 9.0], colour: [200, 0, 0] });
        chart.marks.push(Mark::Text { text: "H".to_owned(), at: [7.0, 5.0], colour: [0, 200, 0] });
        let figure = Figure::from(chart);
        let picture = figure.picture().unwrap();
        let count = |colour: Rgb| picture.pixels().as_chunks::<3>().0.iter().filter(|pixel| **pixel == colour).count();
        assert!(count([128, 128, 228]) > 100_000);
        assert!(count([200, 0, 0]) > 200);
        // The edges of letters are mixed with the background.
        let is_green = |&&[red, green, blue]: &&Rgb| green > red.max(blue).saturating_add(20);
        let green = picture.pixels().as_chunks::<3>().0.iter().filter(is_green).count();
        assert!((5..200).contains(&green), "{green} pixels of a letter");
        let svg = figure.svg().unwrap();
        assert!(["across", "up", "#0101C9", "#C80000", "#00C800"].iter().all(|part| svg.contains(part)), "{svg}");
    }

    #[test]
    fn axes_without_a_range_are_refused() {
        let drawn = |range: std::ops::Range<f64>, is_logarithmic| {
            let mut chart = chart();
            chart.x = Axis { range, is_logarithmic, ..chart.x };
            Figure::from(chart).svg().is_ok()
        };
        assert!(drawn(-1.0..1.0, false) && drawn(1.0..1.0, false) && drawn(1.0..9.0, true));
        assert!(!drawn(0.0..f64::NAN, false) && !drawn(0.0..f64::INFINITY, false) && !drawn(0.0..1.0, true));
    }
}
