//! Charts in SVG: panels with axes, lines with names at their ends, and stacked bars.

use svg::node::element::{Circle, Group, Line, Polyline, Rectangle, Text};

/// The size of a panel; below, the margins around its plot.
pub(crate) const PANEL: (f64, f64) = (400.0, 280.0);
const LEFT: f64 = 52.0;
const RIGHT: f64 = 112.0;
const TOP: f64 = 42.0;
const BOTTOM: f64 = 42.0;

const INK: &str = "#222222";
const FAINT: &str = "#d8d8d8";

/// A map from values to positions along one axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) logarithmic: bool,
    /// Whether ticks stand at whole numbers only.
    pub(crate) whole: bool,
}

impl Axis {
    /// The position of a value, from 0 to 1.
    fn at(&self, value: f64) -> f64 {
        if self.logarithmic {
            (value / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        }
    }

    /// A logarithmic axis from power of ten to power of ten, around the values.
    pub(crate) fn decades(values: impl Iterator<Item = f64> + Clone) -> Self {
        let low = values.clone().fold(f64::INFINITY, f64::min).log10().floor();
        let high = values.fold(0.0, f64::max).log10().ceil();
        let high = if high > low { high } else { low + 1.0 };
        Self { low: 10f64.powf(low), high: 10f64.powf(high), logarithmic: true, whole: false }
    }

    /// A linear axis from `low` to `high`.
    pub(crate) fn linear(low: f64, high: f64) -> Self {
        Self { low, high, logarithmic: false, whole: false }
    }

    fn ticks(&self) -> Vec<f64> {
        if self.logarithmic {
            let (low, high) = (self.low.log10().round() as i32, self.high.log10().round() as i32);
            return (low..=high).map(|power| 10f64.powi(power)).collect();
        }
        let rough = (self.high - self.low) / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|s| s * power).find(|&s| s >= rough).unwrap_or(rough);
        let step = if self.whole && step < 1.0 { 1.0 } else { step };
        let first = (self.low / step).ceil() as i64;
        (first..).map(|n| n as f64 * step).take_while(|&tick| tick <= self.high * 1.0001).collect()
    }
}

/// One chart with its axes.
pub(crate) struct Panel {
    group: Group,
    x: Axis,
    y: Axis,
    /// The names beside the frame: height, text and colour.
    names: Vec<(f64, String, String)>,
}

impl Panel {
    /// An empty panel for lines, with its upper left corner at `corner`.
    pub(crate) fn new(corner: (f64, f64), title: &str, x: Axis, y: Axis, names: (&str, &str)) -> Self {
        let mut panel = Self::bars(corner, title, x, y, names.1);
        let (right, bottom) = (PANEL.0 - RIGHT, PANEL.1 - BOTTOM);
        for tick in x.ticks() {
            let at = panel.across(tick);
            panel.line((at, bottom), (at, bottom + 4.0), INK, false);
            panel.text(at, bottom + 16.0, &number(tick), "middle", INK, false);
        }
        panel.text((LEFT + right) / 2.0, PANEL.1 - 8.0, names.0, "middle", INK, false);
        panel
    }

    /// An empty panel for bars, which have names instead of numbers below them.
    pub(crate) fn bars(corner: (f64, f64), title: &str, x: Axis, y: Axis, name: &str) -> Self {
        let group = Group::new().set("transform", format!("translate({},{})", corner.0, corner.1));
        let mut panel = Self { group, x, y, names: Vec::new() };
        panel.text(LEFT, TOP - 24.0, title, "start", INK, true);
        let (right, bottom) = (PANEL.0 - RIGHT, PANEL.1 - BOTTOM);
        for tick in y.ticks() {
            let at = panel.height(tick);
            panel.line((LEFT, at), (right, at), FAINT, false);
            panel.text(LEFT - 6.0, at + 3.5, &number(tick), "end", INK, false);
        }
        panel.line((LEFT, bottom), (right, bottom), INK, false);
        panel.text(LEFT, TOP - 10.0, name, "start", "#666666", false);
        panel
    }

    fn add(&mut self, node: impl Into<Box<dyn svg::Node>>) {
        let group = std::mem::replace(&mut self.group, Group::new());
        self.group = group.add(node);
    }

    fn across(&self, value: f64) -> f64 {
        LEFT + self.x.at(value) * (PANEL.0 - RIGHT - LEFT)
    }

    fn height(&self, value: f64) -> f64 {
        let bottom = PANEL.1 - BOTTOM;
        bottom - self.y.at(value) * (bottom - TOP)
    }

    fn text(&mut self, x: f64, y: f64, text: &str, anchor: &str, colour: &str, bold: bool) {
        let weight = if bold { "bold" } else { "normal" };
        self.add(
            Text::new(text)
                .set("x", round(x))
                .set("y", round(y))
                .set("text-anchor", anchor)
                .set("fill", colour)
                .set("font-weight", weight),
        );
    }

    fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, dashed: bool) {
        let line = Line::new()
            .set("x1", round(from.0))
            .set("y1", round(from.1))
            .set("x2", round(to.0))
            .set("y2", round(to.1))
            .set("stroke", colour);
        self.add(if dashed { line.set("stroke-dasharray", "4 3") } else { line });
    }

    /// Adds a straight dashed line between two points.
    pub(crate) fn guide(&mut self, from: (f64, f64), to: (f64, f64), name: &str) {
        let (from, to) = ((self.across(from.0), self.height(from.1)), (self.across(to.0), self.height(to.1)));
        self.line(from, to, "#999999", true);
        self.names.push((to.1, name.to_owned(), "#777777".to_owned()));
    }

    /// Adds a line through points, with its name at its end.
    pub(crate) fn series(&mut self, points: &[(f64, f64)], name: &str, colour: &str) {
        let points: Vec<_> = points.iter().map(|&(x, y)| (self.across(x), self.height(y))).collect();
        let path: Vec<_> = points.iter().map(|(x, y)| format!("{},{}", round(*x), round(*y))).collect();
        let line = Polyline::new().set("points", path.join(" ")).set("fill", "none");
        self.add(line.set("stroke", colour).set("stroke-width", 2));
        for (x, y) in &points {
            self.add(Circle::new().set("cx", round(*x)).set("cy", round(*y)).set("r", 3).set("fill", colour));
        }
        if let Some((_, y)) = points.last() {
            self.names.push((*y, name.to_owned(), colour.to_owned()));
        }
    }

    /// Adds a bar of stacked parts, centred on `place` along the first axis.
    pub(crate) fn bar(&mut self, place: f64, name: &str, parts: &[(f64, &str)]) {
        let (left, right) = (self.across(place - 0.3), self.across(place + 0.3));
        let mut sum = 0.0;
        for (value, colour) in parts {
            let (bottom, top) = (self.height(sum), self.height(sum + value));
            sum += value;
            self.add(
                Rectangle::new()
                    .set("x", round(left))
                    .set("y", round(top))
                    .set("width", round(right - left))
                    .set("height", round(bottom - top))
                    .set("fill", *colour),
            );
        }
        self.text((left + right) / 2.0, PANEL.1 - BOTTOM + 16.0, name, "middle", INK, false);
    }

    /// Adds a colour and its name beside the frame.
    pub(crate) fn key(&mut self, line: usize, name: &str, colour: &str) {
        let y = TOP + 13.0 * line as f64;
        let square = Rectangle::new().set("x", PANEL.0 - RIGHT + 8.0).set("y", y).set("width", 9).set("height", 9);
        self.add(square.set("fill", colour));
        self.text(PANEL.0 - RIGHT + 22.0, y + 8.0, name, "start", INK, false);
    }

    /// Returns the finished panel, with its names sorted by height and moved apart.
    pub(crate) fn into_group(mut self) -> Group {
        let mut names = std::mem::take(&mut self.names);
        names.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Names that overlap move apart, each by half the overlap, for a fixed number of rounds.
        for _ in 0..200 {
            for below in 1..names.len() {
                let lacks = names[below - 1].0 + 12.0 - names[below].0;
                if lacks > 0.0 {
                    names[below - 1].0 -= lacks / 2.0;
                    names[below].0 += lacks / 2.0;
                }
            }
        }
        for (height, name, colour) in names {
            self.text(PANEL.0 - RIGHT + 8.0, height + 3.5, &name, "start", &colour, false);
        }
        self.group
    }
}

fn round(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

fn number(value: f64) -> String {
    match value {
        v if v >= 1e6 => format!("{} M", v / 1e6),
        v if v >= 1e3 => format!("{} k", v / 1e3),
        // Sums of steps carry rounding errors in their last digits.
        v => format!("{}", (v * 1e6).round() / 1e6),
    }
}
