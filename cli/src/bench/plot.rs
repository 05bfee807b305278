//! The plot of a benchmark: time against agents, speed-up against threads, stacked stages.

use svg::Document;

use super::row::Row;
use super::svg::{Axis, PANEL, Panel};
use super::table::slope;

/// Colours of the designs, distinct for the colour-blind (Okabe and Ito 2008).
const COLOURS: [&str; 7] = ["#0072b2", "#009e73", "#e69f00", "#cc79a7", "#56b4e9", "#d55e00", "#000000"];

/// The colours of the stages.
const STAGES: [(&str, &str); 10] = [
    ("sort", "#d55e00"),
    ("edit", "#bbbbbb"),
    ("arrange", "#f0e442"),
    ("tree", "#e69f00"),
    ("index", "#e69f00"),
    ("decide", "#000000"),
    ("steer", "#0072b2"),
    ("quarantine", "#cc79a7"),
    ("integrate", "#009e73"),
    ("confine", "#56b4e9"),
];

/// A design whose tick takes this many times the fastest one's gets no bar of stages: it would dwarf the others.
const DWARFS: f64 = 6.0;

/// Draws the rows as SVG.
pub(crate) fn draw(rows: &[Row]) -> String {
    let mut designs: Vec<&str> = Vec::new();
    let mut dimensions: Vec<usize> = Vec::new();
    for row in rows {
        if !designs.contains(&row.design.as_str()) {
            designs.push(&row.design);
        }
        if !dimensions.contains(&row.dimensions) {
            dimensions.push(row.dimensions);
        }
    }
    let (width, height) = (3.0 * PANEL.0, dimensions.len().clamp(1, 9) as f64 * PANEL.1);
    let mut document = Document::new()
        .set("viewBox", (0.0, 0.0, width, height))
        .set("width", width)
        .set("height", height)
        .set("font-family", "Helvetica, Arial, sans-serif")
        .set("font-size", 11);
    document = document
        .add(svg::node::element::Rectangle::new().set("width", "100%").set("height", "100%").set("fill", "#ffffff"));
    for (line, &dimensions) in dimensions.iter().enumerate() {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.dimensions == dimensions && row.ticked()).collect();
        if rows.is_empty() {
            continue;
        }
        let corner = |column: f64| (column * PANEL.0, line as f64 * PANEL.1);
        let panels =
            [time(&rows, &designs, corner(0.0)), speed_up(&rows, &designs, corner(1.0)), stages(&rows, corner(2.0))];
        for panel in panels {
            document = document.add(panel.into_group());
        }
    }
    document.to_string() + "\n"
}

impl Row {
    fn ticked(&self) -> bool {
        self.milliseconds_per_tick() > 0.0
    }
}

fn most(numbers: impl Iterator<Item = usize>) -> usize {
    numbers.max().unwrap_or(1)
}

fn threads(number: usize) -> String {
    format!("{number} {}", if number == 1 { "thread" } else { "threads" })
}

/// Returns each design with its colour and its points, sorted by the first coordinate.
fn lines<'a>(
    rows: &'a [&Row],
    designs: &'a [&str],
    point: impl Fn(&Row) -> Option<(f64, f64)> + 'a,
) -> impl Iterator<Item = (&'a str, &'static str, Vec<(f64, f64)>)> {
    designs.iter().enumerate().map(move |(number, design)| {
        let mut points: Vec<_> = rows.iter().filter(|row| row.design == *design).filter_map(|row| point(row)).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        (*design, COLOURS[number % COLOURS.len()], points)
    })
}

fn time(rows: &[&Row], designs: &[&str], corner: (f64, f64)) -> Panel {
    let wide = most(rows.iter().map(|row| row.threads));
    let title = format!("{}D, {}: time per tick", rows[0].dimensions, threads(wide));
    let x = Axis::decades(rows.iter().map(|row| row.agents as f64));
    let y = Axis::decades(rows.iter().map(|row| row.milliseconds_per_tick()));
    let mut panel = Panel::new(corner, &title, x, y, ("agents", "milliseconds; behind each name its slope"));
    let point = |row: &Row| (row.threads == wide).then(|| (row.agents as f64, row.milliseconds_per_tick()));
    for (design, colour, points) in lines(rows, designs, point) {
        let name = slope(&points).map_or(design.to_owned(), |slope| format!("{design}, {slope:.2}"));
        panel.series(&points, &name, colour);
    }
    panel
}

fn speed_up(rows: &[&Row], designs: &[&str], corner: (f64, f64)) -> Panel {
    let agents = most(rows.iter().map(|row| row.agents));
    let wide = most(rows.iter().map(|row| row.threads)) as f64;
    let title = format!("{}D, {agents} agents: speed-up", rows[0].dimensions);
    let wide = if wide > 1.0 { wide } else { 2.0 };
    let point = |row: &Row| {
        let faster = row.speed_up(rows.iter().copied()).filter(|_| row.agents == agents)?;
        Some((row.threads as f64, faster))
    };
    let best = lines(rows, designs, point).flat_map(|(.., points)| points).map(|(_, y)| y).fold(wide, f64::max);
    let (x, y) = (Axis { whole: true, ..Axis::linear(1.0, wide) }, Axis::linear(0.0, best));
    let mut panel = Panel::new(corner, &title, x, y, ("threads", "times as fast as one thread"));
    panel.guide((1.0, 1.0), (wide, wide), "ideal");
    // A design that ran with one thread only has no speed-up.
    for (design, colour, points) in lines(rows, designs, point).filter(|(.., points)| points.len() > 1) {
        panel.series(&points, design, colour);
    }
    panel
}

fn stages(rows: &[&Row], corner: (f64, f64)) -> Panel {
    let agents = most(rows.iter().map(|row| row.agents));
    let wide = most(rows.iter().map(|row| row.threads));
    let largest: Vec<_> = rows.iter().filter(|row| (row.agents, row.threads) == (agents, wide)).collect();
    let per_agent = |milliseconds: f64| milliseconds * 1e6 / agents as f64;
    let fastest = largest.iter().map(|row| row.milliseconds_per_tick()).fold(f64::INFINITY, f64::min);
    let shown = |row: &&&&Row| row.milliseconds_per_tick() < DWARFS * fastest && row.stages().next().is_some();
    let bars: Vec<_> = largest.iter().filter(shown).collect();
    let high = bars.iter().map(|row| per_agent(row.milliseconds_per_tick())).fold(0.0, f64::max) * 1.05;
    let title = format!("{}D, {agents} agents, {}: stages", rows[0].dimensions, threads(wide));
    let x = Axis::linear(0.5, bars.len().clamp(1, 99) as f64 + 0.5);
    let y = Axis::linear(0.0, if high > 0.0 { high } else { 1.0 });
    let mut panel = Panel::bars(corner, &title, x, y, "nanoseconds per agent and tick");
    let mut seen: Vec<&str> = Vec::new();
    for (place, row) in bars.iter().enumerate() {
        let colour = |name: &str| STAGES.iter().find(|(stage, _)| *stage == name).map_or("#666666", |(_, c)| *c);
        let parts: Vec<_> = row.stages().map(|(name, time)| (per_agent(time), colour(name))).collect();
        panel.bar(place as f64 + 1.0, &row.design, &parts);
        seen.extend(row.stages().filter(|(_, time)| per_agent(*time) > 0.005 * y.high).map(|(name, _)| name));
    }
    let keys: Vec<_> = STAGES.iter().rev().filter(|(name, _)| seen.contains(name)).collect();
    for (line, (name, colour)) in keys.into_iter().enumerate() {
        panel.key(line, name, colour);
    }
    panel
}
