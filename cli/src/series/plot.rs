//! The plot of a series of measures as SVG: a chart for each measure, over time.

use std::error::Error;

use plotters::coord::Shift;
use plotters::prelude::*;
use throng::measures::Recorder;

/// The size of one chart, in pixels.
const PANEL: (u32, u32) = (520, 260);
/// The width of the part of a chart for its legend.
const LEGEND: u32 = 130;
/// The font of all text but titles.
const TEXT: (&str, u32) = ("sans-serif", 14);
/// Colours of lines, distinct for the colour-blind (Okabe and Ito 2008).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
    RGBColor(0, 0, 0),
];
const FAINT: RGBColor = RGBColor(222, 222, 222);

/// The lines of one chart: the numbers of their columns and their names.
struct Panel<'r> {
    title: &'r str,
    unit: &'r str,
    lines: Vec<(usize, &'r str)>,
}

/// Draws the records: for each measure one chart, with a line for all agents and for each species, line or area.
///
/// # Errors
///
/// Fails if plotters does.
pub(super) fn draw(recorder: &Recorder, points: &[(f64, Vec<f64>)]) -> Result<String, Box<dyn Error>> {
    let mut panels: Vec<Panel<'_>> = Vec::new();
    for (number, column) in recorder.columns().enumerate() {
        let (title, name) = column.name.split_once('.').unwrap_or((&column.name, "all"));
        match panels.iter_mut().find(|panel| panel.title == title) {
            Some(panel) => panel.lines.push((number, name)),
            None => panels.push(Panel { title, unit: column.unit, lines: vec![(number, name)] }),
        }
    }
    let across = panels.len().clamp(1, 2);
    let down = panels.len().div_ceil(across);
    let mut text = String::new();
    {
        let size = (across as u32 * PANEL.0, down as u32 * PANEL.1);
        let whole = SVGBackend::with_string(&mut text, size).into_drawing_area();
        whole.fill(&WHITE)?;
        for (area, panel) in whole.split_evenly((down, across)).iter().zip(&panels) {
            chart(area, panel, points)?;
        }
        whole.present()?;
    }
    Ok(text)
}

fn chart(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    panel: &Panel<'_>,
    points: &[(f64, Vec<f64>)],
) -> Result<(), Box<dyn Error>> {
    let several = panel.lines.len() > 1 || panel.lines.iter().any(|(_, name)| *name != "all");
    let (area, side) = area.split_horizontally(if several { PANEL.0 - LEGEND } else { PANEL.0 - 10 });
    let values = || panel.lines.iter().flat_map(|&(column, _)| points.iter().map(move |(_, values)| values[column]));
    let finite = || values().filter(|value| value.is_finite());
    let (low, high) = finite().fold((0.0_f64, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
    let high = if high > low { high + 0.05 * (high - low) } else { low + 1.0 };
    let first = points.first().map_or(0.0, |(time, _)| *time);
    let last = points.last().map_or(1.0, |(time, _)| *time);
    let last = if last > first { last } else { first + 1.0 };
    let title = panel.title.replace('_', " ");
    let up = if panel.unit.is_empty() { title.clone() } else { format!("{title}, {}", panel.unit) };
    let mut builder = ChartBuilder::on(&area);
    builder.margin(10).x_label_area_size(40).y_label_area_size(70);
    let mut chart = builder.build_cartesian_2d(first..last, low..high)?;
    let mut mesh = chart.configure_mesh();
    mesh.light_line_style(TRANSPARENT).bold_line_style(FAINT).label_style(TEXT).x_desc("time, s").y_desc(up);
    mesh.x_labels(8).y_labels(6).x_label_formatter(&|&x| number(x)).y_label_formatter(&|&y| number(y)).draw()?;
    for (place, &(column, name)) in panel.lines.iter().enumerate() {
        let colour = COLOURS[place % COLOURS.len()];
        // An undefined value interrupts the line.
        for stretch in points.split(|(_, values)| !values[column].is_finite()) {
            let line = stretch.iter().map(|(time, values)| (*time, values[column]));
            chart.draw_series(LineSeries::new(line, ShapeStyle::from(&colour).stroke_width(2)))?;
        }
        if several {
            let y = 14 + 18 * place as i32;
            side.draw(&Rectangle::new([(4, y), (13, y + 9)], colour.filled()))?;
            side.draw(&Text::new(name.to_owned(), (20, y), TEXT))?;
        }
    }
    Ok(())
}

/// A label of an axis, without the rounding errors of its steps.
fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size < 1e-3 => format!("{value:.1e}"),
        size if size >= 1e6 => format!("{:.1} M", value / 1e6),
        _ => format!("{}", (value * 1e4).round() / 1e4),
    }
}
