//! The picture of a floor plan, with its coordinates on two axes.

use throng_draw::plot::{Axis, COLOURS, Chart, Figure, Mark, Rgb};
use throng_formats::{Area, AreaKind, FloorPlan};

/// The longer side of the plan, in pixels.
const LONGEST: f64 = 900.0;
/// The shorter side of the plan is at least this long, in pixels.
const SHORTEST: f64 = 160.0;

const WALKABLE: Rgb = [238, 243, 250];
const WHITE: Rgb = [255; 3];
const BLACK: Rgb = [0; 3];

/// Draws a floor plan, with equal scales on both axes.
pub(super) fn picture(plan: &FloorPlan, title: &str) -> Figure {
    let (low, high) = plan.bounds().map_or(([0.0; 2], [1.0; 2]), |bounds| (bounds.low, bounds.high));
    let extent = [high[0] - low[0], high[1] - low[1]];
    let longest = if extent[0] > extent[1] { extent[0] } else { extent[1] };
    let longest = if longest > 0.0 { longest } else { 1.0 };
    // A twentieth of the plan around it.
    let scale = LONGEST / (1.1 * longest);
    let size = extent.map(|extent| {
        let pixels = (extent + 0.1 * longest) * scale;
        if pixels > SHORTEST { pixels } else { SHORTEST }
    });
    let axis = |axis: usize, name: &str| {
        let (middle, half) = (0.5 * (low[axis] + high[axis]), 0.5 * size[axis] / scale);
        Axis::linear(format!("{name} in {}", plan.unit().name()), middle - half..middle + half)
    };
    let mut chart = Chart::new(axis(0, "x"), axis(1, "y")).with_axes_of(size.map(|pixels| pixels as u32));
    chart.title = title.to_owned();
    let areas = |kind: AreaKind| plan.areas.iter().filter(move |area| area.kind == kind);
    let filled = |area: &Area, colour: Rgb, share: f64| {
        let holes = area.holes.iter().map(|hole| Mark::Area { corners: hole.clone(), colour: WHITE, share: 1.0 });
        let outline = Mark::Area { corners: area.outline.clone(), colour, share };
        std::iter::once(outline).chain(holes).collect::<Vec<_>>()
    };
    chart.marks.extend(areas(AreaKind::Walkable).flat_map(|area| filled(area, WALKABLE, 1.0)));
    let zones = areas(AreaKind::Zone).zip(COLOURS.iter().cycle());
    chart.marks.extend(zones.flat_map(|(area, colour)| filled(area, *colour, 0.4)));
    for wall in &plan.walls {
        let corners = wall.points.iter().chain(wall.points.first().filter(|_| wall.closed));
        chart.marks.push(Mark::line(corners.copied().collect(), BLACK));
    }
    for area in areas(AreaKind::Zone) {
        let count = area.outline.len() as f64;
        // bits: only the place of a label
        let at = [0, 1].map(|axis| area.outline.iter().map(|point| point[axis]).sum::<f64>() / count);
        chart.marks.push(Mark::Text { text: area.name.clone().unwrap_or_default(), at, colour: BLACK });
    }
    chart.into()
}
