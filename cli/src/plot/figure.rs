//! The figure of curves, with a bar for the spread of each point.

use throng::measures::measure;
use throng_draw::plot::{Axis, COLOURS, Chart, Figure, Mark};

use super::curves::{Curves, Spread};

/// Draws curves of the column `y` over the column `x`.
pub(super) fn figure(Curves { curves, spread }: &Curves, x: &str, y: &str) -> Figure {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let ends = points().flat_map(|point| [point.mean - point.spread, point.mean + point.spread]);
    let up = match measure(y).map_or("", |measure| measure.unit) {
        "" => y.to_owned(),
        unit => format!("{y} in {unit}"),
    };
    let mut chart = Chart::new(Axis::around(x, points().map(|point| point.x)), Axis::around(up, ends));
    chart.title = match spread {
        Spread::Seeds(seeds) => format!("{y}: mean and standard deviation over {seeds} seeds"),
        Spread::Ticks => format!("{y}: mean and standard deviation over ticks"),
        Spread::None => y.to_owned(),
    };
    for curve in curves {
        let colour = if curve.name.is_empty() { COLOURS[0] } else { chart.name(&curve.name) };
        let points: Vec<[f64; 2]> = curve.points.iter().map(|point| [point.x, point.mean]).collect();
        chart.marks.push(Mark::line(points.clone(), colour));
        let spreads = curve.points.iter().filter(|point| point.spread > 0.0).map(|point| {
            let ends = [point.mean - point.spread, point.mean + point.spread];
            Mark::Spread { x: point.x, ends, colour }
        });
        chart.marks.extend(spreads);
        chart.marks.push(Mark::Dots { points, colour });
    }
    chart.into()
}
