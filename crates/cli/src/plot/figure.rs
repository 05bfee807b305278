//! The figure of curves, with a bar for the spread of each point or with bands.

use throng::measures::{MeasureOf, Outcome};
use throng_draw::plot::{Axis, COLOURS, Chart, Figure, Mark};

use super::curves::{CurvePoint, Curves, Spread};

/// Draws curves of the column `y` over the column `x`, with bands instead of bars if `band`.
pub(super) fn figure(Curves { curves, spread }: &Curves, x: &str, y: &str, band: bool) -> Figure {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let of_point = |point: &CurvePoint| match band {
        true => point.band,
        false => [point.mean - point.spread, point.mean + point.spread],
    };
    let ends = points().flat_map(|point| [point.mean].into_iter().chain(of_point(point)));
    let of_run = Outcome::parse(y).map(|outcome| outcome.kind.unit.into());
    let unit = of_run.or_else(|| MeasureOf::parse(y).ok().map(|of| of.measure.unit)).unwrap_or_default();
    let [across, y] = [x.trim_start_matches("species."), y].map(|key| key.replace(['.', '_'], " "));
    let up = if unit.is_empty() { y.clone() } else { format!("{y} in {unit}") };
    let mut chart = Chart::new(Axis::around(across, points().map(|point| point.x)), Axis::around(up, ends));
    chart.title = match spread {
        Spread::Seeds(seeds) if band => format!("{y}: mean and 5 to 95 % of {seeds} seeds"),
        Spread::Seeds(seeds) => format!("{y}: mean and standard deviation over {seeds} seeds"),
        Spread::Ticks => format!("{y}: mean and standard deviation over ticks"),
        Spread::None => y,
    };
    for curve in curves {
        let colour = if curve.name.is_empty() { COLOURS[0] } else { chart.name(&curve.name) };
        let points: Vec<[f64; 2]> = curve.points.iter().map(|point| [point.x, point.mean]).collect();
        chart.marks.push(Mark::line(points.clone(), colour));
        if band {
            let side = |end: usize| curve.points.iter().map(move |point| [point.x, point.band[end]]);
            let corners = side(0).chain(side(1).rev()).collect();
            chart.marks.push(Mark::Area { corners, colour, share: 0.25 });
        } else {
            let spreads = curve.points.iter().filter(|point| point.spread > 0.0);
            chart.marks.extend(spreads.map(|point| Mark::Spread { x: point.x, ends: of_point(point), colour }));
        }
        chart.marks.push(Mark::Dots { points, colour });
    }
    chart.into()
}
