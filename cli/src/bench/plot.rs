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

/// The colour of the explanation of dashed lines.
const GREY: RGBColor = RGBColor(110, 110, 110);

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
            dashed: if is_weak { "dashed: the time of one thread" } else { "dashed: the time of one thread / threads" },
            series: series(rows, |row| format!("{}, {}", named(row), row.size), |row| row.threads as f64),
        };
        let threads = |row: &Row| format!("{} {}", row.threads, if row.threads == 1 { "thread" } else { "threads" });
        let over_agents = Chart {
            title: "Time of a tick over agents",
            across: "agents",
            ideal: 1.0,
            dashed: "dashed: in proportion to the agents",
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
        if point.0 <= 0.0 || point.1 <= 0.0 || point.1.is_nan() {
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

/// The values that an axis shows: those of the points, unless they are too close to each other.
fn marks(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut all: Vec<f64> = values.collect();
    all.sort_by(f64::total_cmp);
    all.dedup_by(|next, last| *next < 1.2 * *last);
    // The label has two digits of numbers that vary a little.
    let rounded = |value: f64| {
        let digits = 10_f64.powf(value.log10().floor() - 1.0);
        (value / digits).round() * digits
    };
    all.into_iter().map(rounded).collect()
}

/// One, two and five times each power of ten within the range.
fn steps(range: &std::ops::Range<f64>) -> Vec<f64> {
    let decades = range.start.log10().floor() as i32..=range.end.log10().ceil() as i32;
    let all = decades.flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * 10_f64.powf(power.into())));
    all.filter(|step| range.contains(step)).collect()
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

    /// The ends of a line from the first point, with the ideal growth.
    fn ideal_of(&self, series: &Series) -> [(f64, f64); 2] {
        let (first, last) = (series.points[0], series.points[series.points.len() - 1]);
        [first, (last.0, first.1 * (last.0 / first.0).powf(self.ideal))]
    }

    fn draw<B>(&self, area: &DrawingArea<B, Shift>) -> Result<(), Box<dyn Error>>
    where
        B: DrawingBackend,
        B::ErrorType: 'static,
    {
        let (area, names) = area.split_vertically(HEIGHT);
        let points = || self.series.iter().flat_map(|series| series.points.iter().copied());
        let ideals: Vec<[(f64, f64); 2]> = self.series.iter().map(|series| self.ideal_of(series)).collect();
        let x = range(points().map(|point| point.0));
        let y = range(points().chain(ideals.iter().flatten().copied()).map(|point| point.1));
        let mut builder = ChartBuilder::on(&area);
        builder.margin(16).caption(self.title, TITLE).x_label_area_size(46).y_label_area_size(70);
        let x_axis = x.log_scale().with_key_points(marks(points().map(|point| point.0)));
        let y_axis = y.clone().log_scale().with_key_points(steps(&y));
        let mut chart = builder.build_cartesian_2d(x_axis, y_axis)?;
        let mut mesh = chart.configure_mesh();
        mesh.light_line_style(TRANSPARENT).bold_line_style(FAINT).label_style(TEXT).x_desc(self.across);
        mesh.y_desc("milliseconds").x_labels(16).y_labels(16);
        mesh.x_label_formatter(&|&x| label(x)).y_label_formatter(&|&y| label(y)).draw()?;
        for (number, (series, ideal)) in self.series.iter().zip(ideals).enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            chart.draw_series(DashedLineSeries::new(ideal, 5, 4, colour.into()))?;
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
