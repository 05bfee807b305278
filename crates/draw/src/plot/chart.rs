//! The drawing of a chart.

use std::error::Error;

use plotters::chart::{ChartBuilder, ChartContext};
use plotters::prelude::*;
use plotters_backend::text_anchor::{HPos, Pos, VPos};

use crate::plot::axis::{self, Axis};
use crate::plot::legend::{INDENT, LINE, SQUARE, places};
use crate::plot::{Area, Chart, Mark, Rgb};

/// The fonts of labels and of titles, with their sizes in pixels, and the height of capitals of labels.
const TEXT: (&str, u32) = ("sans-serif", 14);
const TITLE: (&str, u32) = ("sans-serif", 18);
const CAPITAL: f32 = 10.0;
/// The height of a title, and the space around a chart.
const ABOVE: u32 = 40;
const MARGIN: u32 = 14;
/// The space for the labels of the axes.
const LEFT: u32 = 70;
const BELOW: u32 = 46;
/// The space between two labels of an axis.
const ACROSS: u32 = 64;
const UP: u32 = 38;
/// Half of the width of the cap at each end of a spread.
const CAP: i32 = 4;
/// The colour of the grid, and the colour of remarks.
const FAINT: RGBColor = RGBColor(222, 222, 222);
const GREY: RGBColor = RGBColor(110, 110, 110);

fn rgb([red, green, blue]: Rgb) -> RGBColor {
    RGBColor(red, green, blue)
}

impl Chart {
    /// Sets the size so that the axes have these lengths, in pixels.
    #[must_use]
    pub fn with_axes_of(mut self, [across, up]: [u32; 2]) -> Self {
        self.size = [across + LEFT + 2 * MARGIN, up + BELOW + 2 * MARGIN];
        self
    }

    /// The places of the entries of the legend.
    fn places(&self) -> Vec<(i32, i32)> {
        places(&self.legend, self.size[0].saturating_sub(LEFT + 2 * MARGIN), CAPITAL)
    }

    /// The height of the legend in pixels.
    fn legend_height(&self) -> u32 {
        self.places().last().map_or(0, |(_, y)| y.unsigned_abs() + LINE + 4)
    }

    /// The height of the title in pixels.
    fn title_height(&self) -> u32 {
        if self.title.is_empty() { 0 } else { ABOVE - MARGIN }
    }

    /// The height in pixels, with the title and the legend.
    pub(super) fn height(&self) -> u32 {
        self.title_height() + self.size[1] + self.legend_height()
    }

    pub(super) fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Result<(), Box<dyn Error>>
    where
        B::ErrorType: 'static,
    {
        let (above, area) = area.split_vertically(self.title_height());
        let (area, below) = area.split_vertically(self.size[1]);
        let left = (LEFT + MARGIN) as i32;
        if !self.title.is_empty() {
            above.draw(&Text::new(self.title.clone(), (left, MARGIN as i32), TITLE))?;
        }
        let mut builder = ChartBuilder::on(&area);
        builder.margin(MARGIN).x_label_area_size(BELOW).y_label_area_size(LEFT);
        let mut chart = builder.build_cartesian_2d(self.x.clone(), self.y.clone())?;
        let mut mesh = chart.configure_mesh();
        mesh.light_line_style(TRANSPARENT).bold_line_style(FAINT).label_style(TEXT);
        mesh.x_desc(&self.x.label).y_desc(&self.y.label);
        mesh.x_labels((self.size[0] / ACROSS) as usize).y_labels((self.size[1] / UP) as usize);
        mesh.x_label_formatter(&|&x| axis::text(x)).y_label_formatter(&|&y| axis::text(y)).draw()?;
        self.marks.iter().try_for_each(|mark| draw_mark(&mut chart, mark))?;
        for (entry, (x, y)) in self.legend.iter().zip(self.places()) {
            let (x, colour) = (left + x, entry.colour.map(rgb));
            if let Some(colour) = colour {
                below.draw(&Rectangle::new([(x, y), (x + SQUARE, y + SQUARE)], colour.filled()))?;
            }
            let style = TEXT.into_font().color(if colour.is_some() { &BLACK } else { &GREY });
            below.draw(&Text::new(entry.name.clone(), (x + INDENT, y), style))?;
        }
        Ok(())
    }
}

type Context<'a, B> = ChartContext<'a, B, Cartesian2d<Axis, Axis>>;

fn draw_mark<B: DrawingBackend>(chart: &mut Context<'_, B>, mark: &Mark) -> Result<(), Box<dyn Error>>
where
    B::ErrorType: 'static,
{
    let pairs = |points: &[[f64; 2]]| points.iter().map(|&[x, y]| (x, y)).collect::<Vec<_>>();
    match mark {
        Mark::Line { points, colour, is_dashed } => {
            let colour = rgb(*colour);
            for stretch in points.split(|point| !point.iter().all(|number| number.is_finite())) {
                if *is_dashed {
                    chart.draw_series(DashedLineSeries::new(pairs(stretch), 5, 4, colour.into()))?;
                } else {
                    chart.draw_series(LineSeries::new(pairs(stretch), colour.stroke_width(2)))?;
                }
            }
        }
        Mark::Dots { points, colour } => {
            let style = rgb(*colour).filled();
            chart.draw_series(pairs(points).into_iter().map(|point| Circle::new(point, 3, style)))?;
        }
        Mark::Spread { x, ends, colour } => {
            let colour = rgb(*colour);
            chart.draw_series([PathElement::new(ends.map(|y| (*x, y)).to_vec(), colour)])?;
            for y in *ends {
                let cap = PathElement::new(vec![(-CAP, 0), (CAP, 0)], colour);
                chart.draw_series([EmptyElement::at((*x, y)) + cap])?;
            }
        }
        Mark::Area { corners, colour, share } => {
            chart.draw_series([Polygon::new(pairs(corners), rgb(*colour).mix(*share).filled())])?;
        }
        Mark::Text { text, at: [x, y], colour } => {
            let centred = TEXT.into_font().color(&rgb(*colour)).pos(Pos::new(HPos::Center, VPos::Center));
            chart.draw_series([Text::new(text.clone(), (*x, *y), centred)])?;
        }
    }
    Ok(())
}
