//! Figures of the page: lines with points, and heat maps.

use std::path::Path;

use plotters::prelude::*;

use crate::run::Outcome;

/// A line of a figure: its name and its points.
pub(crate) type Line = (String, Vec<(f64, f64)>);

const COLOURS: [RGBColor; 6] = [
    RGBColor(31, 119, 180),
    RGBColor(214, 39, 40),
    RGBColor(44, 160, 44),
    RGBColor(148, 103, 189),
    RGBColor(255, 127, 14),
    RGBColor(23, 190, 207),
];

fn picture(folder: &Path, name: &str) -> Outcome<std::path::PathBuf> {
    let folder = folder.join("pictures/validation");
    std::fs::create_dir_all(&folder)?;
    Ok(folder.join(format!("{name}.svg")))
}

/// Draws lines over a range of x, with y from 0 to 1.
pub(crate) fn lines(
    folder: &Path,
    name: &str,
    axes: [&str; 2],
    range: std::ops::Range<f64>,
    lines: &[Line],
) -> Outcome<()> {
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
    [across, up]: [std::ops::Range<f64>; 2],
    lines: &[Line],
    levels: &[f64],
) -> Outcome<()> {
    let file = picture(folder, name)?;
    let area = SVGBackend::new(&file, (720, 440)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(14)
        .x_label_area_size(44)
        .y_label_area_size(56)
        .build_cartesian_2d(across.clone(), up)?;
    chart.configure_mesh().x_desc(x).y_desc(y).light_line_style(WHITE).label_style(("sans-serif", 14)).draw()?;
    for &level in levels {
        let ends = [(across.start, level), (across.end, level)];
        chart.draw_series(DashedLineSeries::new(ends, 6, 4, BLACK.mix(0.5).stroke_width(1)))?;
    }
    for ((name, points), colour) in lines.iter().zip(COLOURS.iter().cycle()) {
        let line = chart.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?;
        line.label(name).legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
        // A curve of many points is a formula, not a measurement.
        if points.len() < 30 {
            chart.draw_series(points.iter().map(|at| Circle::new(*at, 3, colour.filled())))?;
        }
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.2))
        .label_font(("sans-serif", 14))
        .draw()?;
    area.present()?;
    Ok(())
}

/// Draws a heat map of values in [0, 1] at points of a square grid of this step.
pub(crate) fn heat(folder: &Path, name: &str, [x, y]: [&str; 2], step: f64, values: &[(f64, f64, f64)]) -> Outcome<()> {
    let file = picture(folder, name)?;
    let area = SVGBackend::new(&file, (560, 500)).into_drawing_area();
    area.fill(&WHITE)?;
    let end = |pick: fn(&(f64, f64, f64)) -> f64| values.iter().map(pick).fold(0.0, f64::max) + 0.5 * step;
    let mut chart = ChartBuilder::on(&area)
        .margin(14)
        .x_label_area_size(44)
        .y_label_area_size(56)
        .build_cartesian_2d(-0.5 * step..end(|value| value.0), -0.5 * step..end(|value| value.1))?;
    chart.configure_mesh().disable_mesh().x_desc(x).y_desc(y).label_style(("sans-serif", 14)).draw()?;
    chart.draw_series(values.iter().map(|&(x, y, value)| {
        let shade = |from: f64, to: f64| (from + (to - from) * value.clamp(0.0, 1.0)) as u8;
        let colour = RGBColor(shade(247.0, 8.0), shade(251.0, 48.0), shade(255.0, 107.0));
        Rectangle::new([(x - 0.5 * step, y - 0.5 * step), (x + 0.5 * step, y + 0.5 * step)], colour.filled())
    }))?;
    chart.draw_series(values.iter().map(|&(x, y, value)| {
        let colour = if value > 0.5 { WHITE } else { BLACK };
        Text::new(
            format!("{value:.2}"),
            (x - 0.3 * step, y + 0.1 * step),
            ("sans-serif", 12).into_font().color(&colour),
        )
    }))?;
    area.present()?;
    Ok(())
}
