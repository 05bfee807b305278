//! The plot of a benchmark as SVG: time against agents, speed-up against threads, stacked stages.

use std::error::Error;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;

use crate::output::fixed;

use super::row::Row;
use super::table::slope;

/// The size of one chart, in pixels.
const PANEL: (u32, u32) = (480, 320);
/// The width of the part of a chart for its legend.
const LEGEND: u32 = 165;
/// The font of all text but titles.
const TEXT: (&str, u32) = ("sans-serif", 14);

/// Colours of the designs, distinct for the colour-blind (Okabe and Ito 2008).
const COLOURS: [RGBColor; 7] = [BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILLION, BLACK];
const BLUE: RGBColor = RGBColor(0, 114, 178);
const GREEN: RGBColor = RGBColor(0, 158, 115);
const ORANGE: RGBColor = RGBColor(230, 159, 0);
const PURPLE: RGBColor = RGBColor(204, 121, 167);
const SKY: RGBColor = RGBColor(86, 180, 233);
const VERMILLION: RGBColor = RGBColor(213, 94, 0);
const YELLOW: RGBColor = RGBColor(240, 228, 66);
const GREY: RGBColor = RGBColor(187, 187, 187);
const FAINT: RGBColor = RGBColor(222, 222, 222);

/// The colours of the stages.
const STAGES: [(&str, RGBColor); 10] = [
    ("sort", VERMILLION),
    ("edit", GREY),
    ("arrange", YELLOW),
    ("tree", ORANGE),
    ("index", ORANGE),
    ("decide", BLACK),
    ("steer", BLUE),
    ("quarantine", PURPLE),
    ("integrate", GREEN),
    ("confine", SKY),
];

/// A design whose tick takes this many times the fastest one's gets no bar of stages: it would dwarf the others.
const DWARFS: f64 = 6.0;

type Area<'s> = DrawingArea<SVGBackend<'s>, Shift>;

/// Draws the rows: one line of charts for each number of dimensions.
///
/// # Errors
///
/// Fails if plotters does.
pub(crate) fn draw(rows: &[Row]) -> Result<String, Box<dyn Error>> {
    let mut designs: Vec<&str> = Vec::new();
    let mut dimensions: Vec<usize> = Vec::new();
    for row in rows.iter().filter(|row| row.milliseconds_per_tick() > 0.0) {
        if !designs.contains(&row.design.as_str()) {
            designs.push(&row.design);
        }
        if !dimensions.contains(&row.dimensions) {
            dimensions.push(row.dimensions);
        }
    }
    let mut text = String::new();
    let lines = dimensions.len().clamp(1, 9);
    let size = (3 * PANEL.0, lines as u32 * PANEL.1);
    {
        let whole = SVGBackend::with_string(&mut text, size).into_drawing_area();
        whole.fill(&WHITE)?;
        for (line, dimensions) in whole.split_evenly((lines, 1)).iter().zip(dimensions) {
            let ticked = |row: &&Row| row.dimensions == dimensions && row.milliseconds_per_tick() > 0.0;
            let rows: Vec<&Row> = rows.iter().filter(ticked).collect();
            let panels = line.split_evenly((1, 3));
            time(&panels[0], &rows, &designs)?;
            speed_up(&panels[1], &rows, &designs)?;
            stages(&panels[2], &rows)?;
        }
        whole.present()?;
    }
    Ok(text)
}

/// The points of one design, and how its line is drawn.
struct Series<X> {
    name: String,
    colour: RGBColor,
    points: Vec<(X, f64)>,
    dashed: bool,
}

/// Returns the points of each design, sorted by the first coordinate.
fn series<X: Ord>(rows: &[&Row], designs: &[&str], point: impl Fn(&Row) -> Option<(X, f64)>) -> Vec<Series<X>> {
    let of = |(number, design): (usize, &&str)| {
        let mut points: Vec<_> = rows.iter().filter(|row| row.design == *design).filter_map(|row| point(row)).collect();
        points.sort_by(|a, b| a.0.cmp(&b.0));
        Series { name: (*design).to_owned(), colour: COLOURS[number % COLOURS.len()], points, dashed: false }
    };
    designs.iter().enumerate().map(of).collect()
}

/// Draws a chart with one line for each series.
fn lines<X, Y>(
    area: &Area<'_>,
    (title, across, up): (&str, &str, &str),
    (x, y): (X, Y),
    all: Vec<Series<u32>>,
) -> Result<(), Box<dyn Error>>
where
    X: AsRangedCoord<Value = u32, CoordDescType: ValueFormatter<u32>>,
    Y: AsRangedCoord<Value = f64, CoordDescType: ValueFormatter<f64>>,
{
    let (area, side) = area.split_horizontally(PANEL.0 - LEGEND);
    let mut chart = builder(&area, title).build_cartesian_2d(x, y)?;
    let mut mesh = chart.configure_mesh();
    mesh.light_line_style(TRANSPARENT).bold_line_style(FAINT).label_style(TEXT).x_desc(across).y_desc(up);
    mesh.x_labels(8).y_labels(8).x_label_formatter(&|&x| number(x.into())).y_label_formatter(&|&y| number(y)).draw()?;
    for Series { colour, points, dashed, .. } in &all {
        let (points, style) = (points.iter().copied(), ShapeStyle::from(colour).stroke_width(2));
        if *dashed {
            chart.draw_series(DashedLineSeries::new(points, 5, 4, style))?;
        } else {
            chart.draw_series(points.clone().map(|point| Circle::new(point, 3, colour.filled())))?;
            chart.draw_series(LineSeries::new(points, style))?;
        }
    }
    // In the order in which the lines end.
    let ends = all.iter().filter_map(|series| Some((series.points.last()?.1, series)));
    let mut ends: Vec<_> = ends.collect();
    ends.sort_by(|a, b| b.0.total_cmp(&a.0));
    legend(&side, ends.iter().map(|(_, series)| (&series.name[..], series.colour)))
}

/// A chart with a title, and room for the labels of both axes.
fn builder<'a, 's>(area: &'a Area<'s>, title: &str) -> ChartBuilder<'a, 's, SVGBackend<'s>> {
    let mut builder = ChartBuilder::on(area);
    builder.margin(10).caption(title, ("sans-serif", 18)).x_label_area_size(40).y_label_area_size(56);
    builder
}

/// Draws names and their colours, one below the other.
fn legend<'n>(area: &Area<'_>, names: impl Iterator<Item = (&'n str, RGBColor)>) -> Result<(), Box<dyn Error>> {
    for ((name, colour), y) in names.zip((40..).step_by(18)) {
        area.draw(&Rectangle::new([(0, y), (9, y + 9)], colour.filled()))?;
        area.draw(&Text::new(name.to_owned(), (16, y), TEXT))?;
    }
    Ok(())
}

fn time(area: &Area<'_>, rows: &[&Row], designs: &[&str]) -> Result<(), Box<dyn Error>> {
    let wide = most(rows.iter().map(|row| row.threads));
    let title = format!("{}D, {}: time per tick and slope", rows[0].dimensions, threads(wide));
    let [low, high] = decades(rows.iter().map(|row| row.agents as f64));
    let x = (low as u32..high as u32).log_scale();
    let [low, high] = decades(rows.iter().map(|row| row.milliseconds_per_tick()));
    let point = |row: &Row| (row.threads == wide).then(|| (row.agents as u32, row.milliseconds_per_tick()));
    let mut all = series(rows, designs, point);
    for Series { name, points, .. } in &mut all {
        let points: Vec<_> = points.iter().map(|&(x, y)| (x.into(), y)).collect();
        if let Some(slope) = slope(&points) {
            *name = format!("{name} {}", fixed(slope, 2));
        }
    }
    lines(area, (&title, "agents", "milliseconds"), (x, (low..high).log_scale()), all)
}

fn speed_up(area: &Area<'_>, rows: &[&Row], designs: &[&str]) -> Result<(), Box<dyn Error>> {
    let agents = most(rows.iter().map(|row| row.agents));
    let wide = most(rows.iter().map(|row| row.threads)).max(2);
    let title = format!("{}D, {agents} agents: speed-up", rows[0].dimensions);
    let point = |row: &Row| {
        let faster = row.speed_up(rows.iter().copied()).filter(|_| row.agents == agents)?;
        Some((row.threads as u32, faster))
    };
    let mut all = series(rows, designs, point);
    // A design that ran with one thread only has no speed-up.
    all.retain(|series| series.points.len() > 1);
    let best = all.iter().flat_map(|series| &series.points).map(|&(_, y)| y).fold(wide as f64, f64::max);
    let ideal = (1..=wide as u32).map(|threads| (threads, threads.into())).collect();
    all.insert(0, Series { name: "ideal".to_owned(), colour: GREY, points: ideal, dashed: true });
    lines(area, (&title, "threads", "times as fast as one thread"), (1..wide as u32, 0.0..best * 1.05), all)
}

fn stages(area: &Area<'_>, rows: &[&Row]) -> Result<(), Box<dyn Error>> {
    let agents = most(rows.iter().map(|row| row.agents));
    let wide = most(rows.iter().map(|row| row.threads));
    let largest: Vec<_> = rows.iter().filter(|row| (row.agents, row.threads) == (agents, wide)).collect();
    let per_agent = |milliseconds: f64| milliseconds * 1e6 / agents as f64;
    let fastest = largest.iter().map(|row| row.milliseconds_per_tick()).fold(f64::INFINITY, f64::min);
    let shown = |row: &&&&Row| row.milliseconds_per_tick() < DWARFS * fastest && row.stages().next().is_some();
    let bars: Vec<_> = largest.iter().filter(shown).collect();
    let high = bars.iter().map(|row| per_agent(row.milliseconds_per_tick())).fold(0.0, f64::max) * 1.05;
    let high = if high > 0.0 { high } else { 1.0 };
    let title = format!("{}D, {agents} agents, {}: stages", rows[0].dimensions, threads(wide));
    let (area, side) = area.split_horizontally(PANEL.0 - LEGEND);
    let places = (0..bars.len().saturating_sub(1)).into_segmented();
    let mut chart = builder(&area, &title).build_cartesian_2d(places, 0.0..high)?;
    let design = |place: &SegmentValue<usize>| match place {
        SegmentValue::CenterOf(number) => bars.get(*number).map_or(String::new(), |row| row.design.clone()),
        _ => String::new(),
    };
    let mut mesh = chart.configure_mesh();
    mesh.disable_x_mesh().light_line_style(TRANSPARENT).bold_line_style(FAINT).label_style(TEXT);
    mesh.y_desc("nanoseconds per agent and tick").y_labels(8).y_label_formatter(&|&y| number(y));
    mesh.x_labels(bars.len().max(1)).x_label_formatter(&design).draw()?;
    let time =
        |row: &Row, name: &str| row.stages().find(|(stage, _)| *stage == name).map_or(0.0, |(_, time)| per_agent(time));
    let mut tops: Vec<f64> = bars.iter().map(|row| STAGES.iter().map(|(name, _)| time(row, name)).sum()).collect();
    let mut names = Vec::new();
    // From the top down, so that the legend has the order of the bars.
    for (name, colour) in STAGES.into_iter().rev() {
        let mut visible = false;
        let mut parts = Vec::new();
        for (number, (row, top)) in bars.iter().zip(&mut tops).enumerate() {
            let time = time(row, name);
            let corners = [(SegmentValue::Exact(number), *top - time), (SegmentValue::Exact(number + 1), *top)];
            let mut part = Rectangle::new(corners, colour.filled());
            part.set_margin(0, 0, 12, 12);
            parts.push(part);
            *top -= time;
            visible |= time > 0.005 * high;
        }
        chart.draw_series(parts)?;
        names.extend(visible.then_some((name, colour)));
    }
    legend(&side, names.into_iter())
}

fn most(numbers: impl Iterator<Item = usize>) -> usize {
    numbers.max().unwrap_or(1)
}

/// The powers of ten around the values.
fn decades(values: impl Iterator<Item = f64> + Clone) -> [f64; 2] {
    let low = values.clone().fold(f64::INFINITY, f64::min).log10().floor();
    let high = values.fold(0.0, f64::max).log10().ceil();
    [low, if high > low { high } else { low + 1.0 }].map(|power| 10f64.powf(power))
}

fn threads(number: usize) -> String {
    format!("{number} {}", if number == 1 { "thread" } else { "threads" })
}

fn number(value: f64) -> String {
    match value {
        v if v >= 1e6 => format!("{} M", v / 1e6),
        v if v >= 1e3 => format!("{} k", v / 1e3),
        // Sums of steps carry rounding errors in their last digits.
        v => format!("{}", (v * 1e6).round() / 1e6),
    }
}
