//! The plot of a benchmark: time over threads and over agents, both on logarithmic axes.

use std::error::Error;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::measure::THRONG;
use super::row::Row;
use crate::chart::{COLOURS, FAINT, Figure, TEXT, TITLE, label};

/// The width of the figure, in pixels.
const WIDTH: u32 = 800;
/// The height of a chart, and of one name of a line.
const HEIGHT: u32 = 420;
const LINE: u32 = 20;

/// The ideal of a line.
const GREY: RGBColor = RGBColor(150, 150, 150);

/// The points of one line.
struct Series {
    name: String,
    points: Vec<(f64, f64)>,
}

/// A chart.
struct Chart {
    title: &'static str,
    across: &'static str,
    /// The power of the first coordinate that the ideal grows with.
    ideal: f64,
    /// The meaning of the dashed lines.
    dashed: &'static str,
    /// Whether the first coordinates are labelled themselves, instead of powers of ten.
    labels_points: bool,
    series: Vec<Series>,
}

/// The charts of some rows.
pub(crate) struct BenchFigure(Vec<Chart>);

impl BenchFigure {
    pub(crate) fn new(rows: &[Row], is_weak: bool) -> Self {
        let named = |row: &Row| {
            let design = if row.design == THRONG { String::new() } else { format!(", {}", row.design) };
            format!("{}, {}D{design}", row.scenario, row.dimensions)
        };
        let over_threads = Chart {
            title: "Time of a tick over threads",
            across: "threads",
            ideal: if is_weak { 0.0 } else { -1.0 },
            dashed: if is_weak { "dashed: the same time" } else { "dashed: as many times as fast" },
            labels_points: true,
            series: series(rows, |row| format!("{}, {}", named(row), row.size), |row| row.threads as f64),
        };
        let threads = |row: &Row| format!("{} {}", row.threads, if row.threads == 1 { "thread" } else { "threads" });
        let over_agents = Chart {
            title: "Time of a tick over agents",
            across: "agents",
            ideal: 1.0,
            dashed: "dashed: in proportion to the agents",
            labels_points: false,
            series: series(rows, |row| format!("{}, {}", named(row), threads(row)), Row::agents),
        };
        let has_line = |chart: &Chart| chart.series.iter().any(|series| series.points.len() > 1);
        let mut charts: Vec<Chart> = [over_threads, over_agents].into();
        // One row alone is a point in both.
        if charts.iter().any(has_line) {
            charts.retain(has_line);
        }
        Self(charts)
    }
}

/// The lines of rows with one name each, with their points from left to right.
fn series(rows: &[Row], name: impl Fn(&Row) -> String, x: impl Fn(&Row) -> f64) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::new();
    for row in rows {
        let (name, point) = (name(row), (x(row), row.milliseconds()));
        // Logarithms of empty worlds have no place.
        if point.0 <= 0.0 || !(point.1 > 0.0) {
            continue;
        }
        match all.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => all.push(Series { name, points: vec![point] }),
        }
    }
    for series in &mut all {
        series.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    all
}

/// The ends of an axis, with room at both.
fn range(values: impl Iterator<Item = f64>) -> std::ops::Range<f64> {
    let (mut low, mut high) = (f64::INFINITY, 0.0);
    for value in values {
        low = if value < low { value } else { low };
        high = if value > high { value } else { high };
    }
    if low > high { 1.0..10.0 } else { low / 1.3..high * 1.3 }
}

impl Figure for BenchFigure {
    fn size(&self) -> (u32, u32) {
        (WIDTH, self.0.iter().map(Chart::height).sum())
    }

    fn draw<B>(&self, area: &DrawingArea<B, Shift>) -> Result<(), Box<dyn Error>>
    where
        B: DrawingBackend,
        B::ErrorType: 'static,
    {
        let mut rest = area.clone();
        for chart in &self.0 {
            let (this, others) = rest.split_vertically(chart.height());
            chart.draw(&this)?;
            rest = others;
        }
        Ok(())
    }
}

impl Chart {
    fn height(&self) -> u32 {
        HEIGHT + LINE * (self.series.len() as u32 + 1)
    }

    fn draw<B>(&self, area: &DrawingArea<B, Shift>) -> Result<(), Box<dyn Error>>
    where
        B: DrawingBackend,
        B::ErrorType: 'static,
    {
        let (area, names) = area.split_vertically(HEIGHT);
        let points = || self.series.iter().flat_map(|series| series.points.iter().copied());
        let (x, y) = (range(points().map(|point| point.0)), range(points().map(|point| point.1)));
        let mut builder = ChartBuilder::on(&area);
        builder.margin(16).caption(self.title, TITLE).x_label_area_size(46).y_label_area_size(70);
        let marks: Vec<f64> = if self.labels_points { points().map(|point| point.0).collect() } else { Vec::new() };
        let x_axis = x.clone().log_scale().with_key_points(marks);
        let mut chart = builder.build_cartesian_2d(x_axis, y.clone().log_scale())?;
        let mut mesh = chart.configure_mesh();
        mesh.light_line_style(TRANSPARENT).bold_line_style(FAINT).label_style(TEXT).x_desc(self.across);
        mesh.y_desc("milliseconds").x_labels(9).y_labels(9);
        mesh.x_label_formatter(&|&x| label(x)).y_label_formatter(&|&y| label(y)).draw()?;
        for (number, series) in self.series.iter().enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            let (first, last) = (series.points[0], series.points[series.points.len() - 1]);
            let ideal = [first, (last.0, first.1 * (last.0 / first.0).powf(self.ideal))];
            let clipped = ideal.map(|(x, at)| (x, at.clamp(y.start, y.end)));
            chart.draw_series(DashedLineSeries::new(clipped.into_iter(), 5, 4, GREY.into()))?;
            let line = ShapeStyle::from(&colour).stroke_width(2);
            chart.draw_series(LineSeries::new(series.points.iter().copied(), line))?;
            chart.draw_series(series.points.iter().map(|&point| Circle::new(point, 3, colour.filled())))?;
        }
        for (number, series) in self.series.iter().enumerate() {
            let (colour, y) = (COLOURS[number % COLOURS.len()], (number as u32 * LINE) as i32);
            names.draw(&Rectangle::new([(86, y), (97, y + 11)], colour.filled()))?;
            names.draw(&Text::new(series.name.clone(), (106, y), TEXT))?;
        }
        let y = (self.series.len() as u32 * LINE) as i32;
        names.draw(&Text::new(self.dashed, (106, y), TEXT.into_font().color(&GREY)))?;
        Ok(())
    }
}
