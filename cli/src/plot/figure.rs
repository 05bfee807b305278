//! The figure of curves, with a bar for the spread of each point.

use std::error::Error;

use plotters::coord::Shift;
use plotters::prelude::*;
use throng::measures::measure;

use super::curves::{Curve, Curves, Spread};
use crate::chart::{COLOURS, FAINT, Figure, TEXT, TITLE, label};

const WIDTH: u32 = 800;
const HEIGHT: u32 = 520;
/// The height of the title.
const ABOVE: u32 = 40;
/// The height of one name of a curve.
const LINE: u32 = 20;
/// Half of the width of the bar at each end of a spread, in pixels.
const CAP: i32 = 4;

/// Curves to be drawn.
pub(super) struct CurveFigure<'c> {
    curves: &'c Curves,
    x: &'c str,
    y: &'c str,
}

impl<'c> CurveFigure<'c> {
    pub(super) fn new(curves: &'c Curves, x: &'c str, y: &'c str) -> Self {
        Self { curves, x, y }
    }

    /// The curves with a name.
    fn named(&self) -> impl Iterator<Item = (usize, &Curve)> {
        self.curves.curves.iter().enumerate().filter(|(_, curve)| !curve.name.is_empty())
    }

    fn title(&self) -> String {
        match self.curves.spread {
            Spread::Seeds(seeds) => format!("{}: mean and standard deviation over {seeds} seeds", self.y),
            Spread::Ticks => format!("{}: mean and standard deviation over ticks", self.y),
            Spread::None => self.y.to_owned(),
        }
    }
}

/// The smallest and the largest number, with a margin.
fn range(numbers: impl Iterator<Item = f64>) -> std::ops::Range<f64> {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for number in numbers {
        low = if number < low { number } else { low };
        high = if number > high { number } else { high };
    }
    let margin = if high > low { 0.05 * (high - low) } else { 0.05 * high.abs() + 1e-9 };
    low - margin..high + margin
}

impl Figure for CurveFigure<'_> {
    fn size(&self) -> (u32, u32) {
        (WIDTH, HEIGHT + LINE * self.named().count() as u32)
    }

    fn draw<B>(&self, area: &DrawingArea<B, Shift>) -> Result<(), Box<dyn Error>>
    where
        B: DrawingBackend,
        B::ErrorType: 'static,
    {
        let (above, area) = area.split_vertically(ABOVE);
        above.draw(&Text::new(self.title(), (80, 14), TITLE))?;
        let (area, names) = area.split_vertically(HEIGHT - ABOVE);
        let points = || self.curves.curves.iter().flat_map(|curve| &curve.points);
        let x = range(points().map(|point| point.x));
        let y = range(points().flat_map(|point| [point.mean - point.spread, point.mean + point.spread]));
        let mut builder = ChartBuilder::on(&area);
        builder.margin(16).x_label_area_size(46).y_label_area_size(70);
        let mut chart = builder.build_cartesian_2d(x, y)?;
        let unit = measure(self.y).map_or("", |measure| measure.unit);
        let up = if unit.is_empty() { self.y.to_owned() } else { format!("{} in {unit}", self.y) };
        let mut mesh = chart.configure_mesh();
        mesh.light_line_style(TRANSPARENT).bold_line_style(FAINT).label_style(TEXT).x_desc(self.x).y_desc(up);
        mesh.x_labels(9).y_labels(9).x_label_formatter(&|&x| label(x)).y_label_formatter(&|&y| label(y)).draw()?;
        for (number, curve) in self.curves.curves.iter().enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            let line = ShapeStyle::from(&colour).stroke_width(2);
            chart.draw_series(LineSeries::new(curve.points.iter().map(|point| (point.x, point.mean)), line))?;
            for point in curve.points.iter().filter(|point| point.spread > 0.0) {
                let ends = [point.mean - point.spread, point.mean + point.spread];
                chart.draw_series([PathElement::new(ends.map(|y| (point.x, y)).to_vec(), colour)])?;
                for end in ends {
                    let cap = PathElement::new(vec![(-CAP, 0), (CAP, 0)], colour);
                    chart.draw_series([EmptyElement::at((point.x, end)) + cap])?;
                }
            }
            let dots = curve.points.iter().map(|point| Circle::new((point.x, point.mean), 3, colour.filled()));
            chart.draw_series(dots)?;
        }
        for ((number, curve), line) in self.named().zip(0..) {
            let (colour, y) = (COLOURS[number % COLOURS.len()], line * LINE as i32);
            names.draw(&Rectangle::new([(86, y), (97, y + 11)], colour.filled()))?;
            names.draw(&Text::new(curve.name.clone(), (106, y), TEXT))?;
        }
        Ok(())
    }
}
