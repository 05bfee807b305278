//! The picture of a floor plan, with its coordinates on two axes.

use std::error::Error;

use plotters::coord::Shift;
use plotters::prelude::*;
use throng_formats::{Area, AreaKind, FloorPlan};

use crate::chart::{COLOURS, FAINT, Figure, TEXT, TITLE, label};

/// The longer side of the plan, in pixels.
const LONGEST: f64 = 900.0;
/// The shorter side of the plan is at least this long, in pixels.
const SHORTEST: f64 = 160.0;
/// The space on all sides, and that of the labels of each axis.
const MARGIN: u32 = 20;
const BELOW: u32 = 44;
const LEFT: u32 = 64;
const ABOVE: u32 = 36;

const WALKABLE: RGBColor = RGBColor(238, 243, 250);

/// A floor plan to be drawn.
pub(super) struct PlanPicture<'p> {
    plan: &'p FloorPlan,
    title: &'p str,
    low: [f64; 2],
    high: [f64; 2],
    /// The size of the plan in pixels.
    size: [u32; 2],
}

impl<'p> PlanPicture<'p> {
    /// A picture with equal scales on both axes.
    pub(super) fn new(plan: &'p FloorPlan, title: &'p str) -> Self {
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
        let [low, high] =
            [-0.5, 0.5].map(|side| [0, 1].map(|axis| 0.5 * (low[axis] + high[axis]) + side * size[axis] / scale));
        Self { plan, title, low, high, size: size.map(|pixels| pixels as u32) }
    }
}

fn corners(points: &[[f64; 2]], closed: bool) -> Vec<(f64, f64)> {
    points.iter().chain(points.first().filter(|_| closed)).map(|point| (point[0], point[1])).collect()
}

impl Figure for PlanPicture<'_> {
    fn size(&self) -> (u32, u32) {
        (self.size[0] + 2 * MARGIN + LEFT, self.size[1] + 2 * MARGIN + BELOW + ABOVE)
    }

    fn draw<B>(&self, area: &DrawingArea<B, Shift>) -> Result<(), Box<dyn Error>>
    where
        B: DrawingBackend,
        B::ErrorType: 'static,
    {
        let unit = self.plan.unit().name();
        let (above, area) = area.split_vertically(ABOVE);
        above.draw(&Text::new(self.title.to_owned(), ((LEFT + MARGIN) as i32, 14), TITLE))?;
        let mut builder = ChartBuilder::on(&area);
        builder.margin(MARGIN).x_label_area_size(BELOW).y_label_area_size(LEFT);
        let mut chart = builder.build_cartesian_2d(self.low[0]..self.high[0], self.low[1]..self.high[1])?;
        let mut mesh = chart.configure_mesh();
        mesh.light_line_style(TRANSPARENT).bold_line_style(FAINT).label_style(TEXT);
        mesh.x_desc(format!("x in {unit}")).y_desc(format!("y in {unit}"));
        mesh.x_labels((self.size[0] / 90) as usize).y_labels((self.size[1] / 60) as usize);
        mesh.x_label_formatter(&|&x| label(x)).y_label_formatter(&|&y| label(y)).draw()?;
        let areas = |kind: AreaKind| self.plan.areas.iter().filter(move |area| area.kind == kind);
        let filled = |area: &Area, colour: RGBAColor| {
            let holes = area.holes.iter().map(|hole| Polygon::new(corners(hole, false), WHITE.filled()));
            let outline = Polygon::new(corners(&area.outline, false), colour.filled());
            std::iter::once(outline).chain(holes).collect::<Vec<_>>()
        };
        for area in areas(AreaKind::Walkable) {
            chart.draw_series(filled(area, WALKABLE.to_rgba()))?;
        }
        for (number, area) in areas(AreaKind::Zone).enumerate() {
            chart.draw_series(filled(area, COLOURS[number % COLOURS.len()].mix(0.4)))?;
        }
        for wall in &self.plan.walls {
            let style = ShapeStyle::from(&BLACK).stroke_width(2);
            chart.draw_series([PathElement::new(corners(&wall.points, wall.closed), style)])?;
        }
        for area in areas(AreaKind::Zone) {
            let count = area.outline.len() as f64;
            // bits: only the place of a label
            let middle = [0, 1].map(|axis| area.outline.iter().map(|point| point[axis]).sum::<f64>() / count);
            let centred = TextStyle::from(TEXT).pos(plotters_backend::text_anchor::Pos::new(
                plotters_backend::text_anchor::HPos::Center,
                plotters_backend::text_anchor::VPos::Center,
            ));
            let name = area.name.clone().unwrap_or_default();
            chart.draw_series([Text::new(name, (middle[0], middle[1]), centred)])?;
        }
        Ok(())
    }
}
