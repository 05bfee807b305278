//! The plot of a series of measures as SVG: a chart for each measure, over time.

use throng::measures::Recorder;
use throng_draw::plot::{Axis, COLOURS, Chart, Figure, Mark};

/// The size of one chart, in pixels.
const PANEL: [u32; 2] = [520, 260];

/// The name of a line for all agents, which no species can have.
const ALL: &str = "all agents";

/// The lines of one chart: the numbers of their columns and their names.
struct Panel<'r> {
    title: &'r str,
    unit: &'r str,
    lines: Vec<(usize, &'r str)>,
}

/// Draws the records: for each measure one chart, with a line for all agents and for each species, line or area.
pub(super) fn figure(recorder: &Recorder, points: &[(f64, Vec<f64>)]) -> Figure {
    let mut panels: Vec<Panel<'_>> = Vec::new();
    for (number, column) in recorder.columns().enumerate() {
        let (title, name) = column.name.split_once('.').unwrap_or((&column.name, ALL));
        match panels.iter_mut().find(|panel| panel.title == title) {
            Some(panel) => panel.lines.push((number, name)),
            None => panels.push(Panel { title, unit: &column.unit, lines: vec![(number, name)] }),
        }
    }
    // Where no one goes back, the persons of a line are those that go forward.
    let is_zero = |&(column, _): &(usize, &str)| points.iter().all(|(_, values)| values[column] == 0.0);
    if panels.iter().any(|panel| panel.title == "backward" && panel.lines.iter().all(is_zero)) {
        panels.retain(|panel| !["forward", "backward"].contains(&panel.title));
    }
    Figure { across: panels.len().clamp(1, 2), charts: panels.iter().map(|panel| chart(panel, points)).collect() }
}

fn chart(panel: &Panel<'_>, points: &[(f64, Vec<f64>)]) -> Chart {
    let values = panel.lines.iter().flat_map(|&(column, _)| points.iter().map(move |(_, values)| values[column]));
    let title = panel.title.replace('_', " ");
    let up = if panel.unit.is_empty() { title } else { format!("{title}, {}", panel.unit) };
    let [first, last] = [points.first(), points.last()].map(|point| point.map_or(0.0, |(time, _)| *time));
    let x = Axis::linear("time, s", first..if last > first { last } else { first + 1.0 });
    let mut chart = Chart::new(x, Axis::from_zero(up, values));
    chart.size = PANEL;
    let several = panel.lines.len() > 1 || panel.lines.iter().any(|(_, name)| *name != ALL);
    for &(column, name) in &panel.lines {
        let colour = if several { chart.name(name) } else { COLOURS[0] };
        chart.marks.push(Mark::line(points.iter().map(|(time, values)| [*time, values[column]]).collect(), colour));
    }
    chart
}
