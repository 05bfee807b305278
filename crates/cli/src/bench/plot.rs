//! The plot of a benchmark: time over threads and over agents, both on logarithmic axes.

use throng_draw::plot::{Axis, Chart, Entry, Figure, Mark};

use super::measure::THRONG;
use super::row::Row;

/// The points of one line.
struct Series {
    name: String,
    points: Vec<[f64; 2]>,
}

/// Draws the rows of a benchmark.
pub(super) fn figure(rows: &[Row], is_weak: bool) -> Figure {
    let named = |row: &Row| {
        let design = if row.design == THRONG { String::new() } else { format!(", {}", row.design) };
        format!("{}, {}D{design}", row.scenario, row.dimensions)
    };
    let threads = |row: &Row| format!("{} {}", row.threads, if row.threads == 1 { "thread" } else { "threads" });
    let over_threads = series(rows, |row| format!("{}, {}", named(row), row.size), |row| row.threads as f64);
    let over_agents = series(rows, |row| format!("{}, {}", named(row), threads(row)), Row::agents);
    let has_line = |all: &[Series]| all.iter().any(|series| series.points.len() > 1);
    let (dashed, power) = match is_weak {
        true => ("dashed: the time of one thread", 0.0),
        false => ("dashed: the time of one thread / threads", -1.0),
    };
    let mut charts = vec![
        (has_line(&over_threads), chart("threads", &over_threads, power, dashed)),
        (has_line(&over_agents), chart("agents", &over_agents, 1.0, "dashed: in proportion to the agents")),
    ];
    // A single row is a point in both.
    if charts.iter().any(|(has_line, _)| *has_line) {
        charts.retain(|(has_line, _)| *has_line);
    }
    let charts = charts.into_iter().map(|(_, chart)| chart).collect();
    Figure { charts, across: 1 }
}

/// The lines of rows with one name each, with their points from left to right.
fn series(rows: &[Row], name: impl Fn(&Row) -> String, x: impl Fn(&Row) -> f64) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::new();
    for row in rows {
        let (name, point) = (name(row), [x(row), row.milliseconds()]);
        // Logarithms of empty worlds have no place.
        if point[0] <= 0.0 || point[1] <= 0.0 || point[1].is_nan() {
            continue;
        }
        match all.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => all.push(Series { name, points: vec![point] }),
        }
    }
    for series in &mut all {
        series.points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    }
    all
}

/// A number with two digits.
fn rounded(value: f64) -> f64 {
    let digits = 10_f64.powf(value.log10().floor() - 1.0);
    (value / digits).round() * digits
}

/// A chart of lines. The ideal, dashed, starts at the first point of each and grows with this power of `across`.
fn chart(across: &str, all: &[Series], power: f64, dashed: &str) -> Chart {
    let ideal = |points: &[[f64; 2]]| {
        let (first, last) = (points[0], points[points.len() - 1]);
        vec![first, [last[0], first[1] * (last[0] / first[0]).powf(power)]]
    };
    let points = || all.iter().flat_map(|series| series.points.iter().copied());
    let numbers = || points().map(|point| point[0]);
    let up = points().chain(all.iter().flat_map(|series| ideal(&series.points))).map(|point| point[1]);
    let x = Axis::logarithmic(across, numbers()).with_ticks(numbers().map(rounded));
    let mut chart = Chart::new(x, Axis::logarithmic("milliseconds", up));
    chart.title = format!("Time of a tick over {across}");
    for Series { name, points } in all {
        let colour = chart.name(name);
        chart.marks.push(Mark::dashes(ideal(points), colour));
        chart.marks.push(Mark::line(points.clone(), colour));
        chart.marks.push(Mark::Dots { points: points.clone(), colour });
    }
    chart.legend.push(Entry { colour: None, name: dashed.to_owned() });
    chart
}
