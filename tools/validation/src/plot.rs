//! Figures of the page: lines with points, and heat maps.

use std::ops::Range;
use std::path::Path;

use throng_draw::plot::{Axis, Chart, Figure, Mark};

use crate::run::Outcome;

/// A line of a figure: its name and its points.
pub(crate) type Line = (String, Vec<(f64, f64)>);

/// The colour of dashed lines.
const GREY: [u8; 3] = [127; 3];

/// Writes a figure with one chart.
fn write(folder: &Path, name: &str, chart: Chart) -> Outcome<()> {
    let folder = folder.join("pictures/validation");
    std::fs::create_dir_all(&folder)?;
    Ok(std::fs::write(folder.join(format!("{name}.svg")), Figure::from(chart).svg()?)?)
}

/// Draws lines over a range of x, with y from 0 to 1.
pub(crate) fn lines(folder: &Path, name: &str, axes: [&str; 2], range: Range<f64>, lines: &[Line]) -> Outcome<()> {
    chart(folder, name, axes, [range, 0.0..1.0], lines, &[])
}

/// Draws lines from the origin to the ends of both axes, and dashed lines at some values of y.
pub(crate) fn curves(
    folder: &Path,
    name: &str,
    axes: [&str; 2],
    ends: [f64; 2],
    lines: &[Line],
    levels: &[f64],
) -> Outcome<()> {
    chart(folder, name, axes, ends.map(|end| 0.0..end), lines, levels)
}

fn chart(
    folder: &Path,
    name: &str,
    [x, y]: [&str; 2],
    [across, up]: [Range<f64>; 2],
    lines: &[Line],
    levels: &[f64],
) -> Outcome<()> {
    let levels = levels.iter().map(|&level| vec![[across.start, level], [across.end, level]]);
    let levels = levels.map(|ends| Mark::dashes(ends, GREY)).collect();
    let mut chart = Chart { marks: levels, ..Chart::new(Axis::linear(x, across.clone()), Axis::linear(y, up)) };
    for (name, points) in lines {
        let colour = chart.name(name);
        let points: Vec<[f64; 2]> = points.iter().map(|&(x, y)| [x, y]).collect();
        chart.marks.push(Mark::line(points.clone(), colour));
        // A curve of many points is a formula, not a measurement.
        if points.len() < 30 {
            chart.marks.push(Mark::Dots { points, colour });
        }
    }
    write(folder, name, chart)
}

/// Draws a heat map of values in [0, 1] at points of a square grid of this step.
pub(crate) fn heat(folder: &Path, name: &str, [x, y]: [&str; 2], step: f64, values: &[(f64, f64, f64)]) -> Outcome<()> {
    let half = 0.5 * step;
    let end = |pick: fn(&(f64, f64, f64)) -> f64| values.iter().map(pick).fold(0.0, f64::max) + half;
    let [across, up] = [end(|value| value.0), end(|value| value.1)].map(|end| -half..end);
    let mut chart = Chart::new(Axis::linear(x, across), Axis::linear(y, up));
    chart.size = [640, 560];
    for &(x, y, value) in values {
        let shade = |from: f64, to: f64| (from + (to - from) * value.clamp(0.0, 1.0)) as u8;
        let colour = [shade(247.0, 8.0), shade(251.0, 48.0), shade(255.0, 107.0)];
        let corners = [[-half, -half], [half, -half], [half, half], [-half, half]];
        let corners = corners.map(|[right, up]| [x + right, y + up]).to_vec();
        chart.marks.push(Mark::Area { corners, colour, share: 1.0 });
        let colour = if value > 0.5 { [255; 3] } else { [0; 3] };
        chart.marks.push(Mark::Text { text: format!("{value:.2}"), at: [x, y], colour });
    }
    write(folder, name, chart)
}
