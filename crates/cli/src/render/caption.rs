//! Captions of pictures: the name, the time, the agents, a scale bar and the meaning of the colours.

use std::borrow::Cow;
use std::cell::Cell;

use throng::AnyWorld;
use throng_draw::{Colour, Legend, Picture, Theme, text_width};

use crate::output::{fixed, grouped, trimmed};

/// The height of capitals: a share of the picture's width, within limits in pixels.
const CAPITAL: f32 = 0.0105;
const CAPITALS: [f32; 2] = [7.0, 24.0];

/// The decimals of lengths, without the errors of their multiplication.
const DECIMALS: usize = 4;

/// The names in a caption.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub(super) scenario: String,
    /// Simulated seconds per tick, if they are known.
    pub(super) tick_seconds: Option<f64>,
    pub(super) species: Vec<String>,
    /// The states of all species, in the order of their numbers.
    pub(super) states: Vec<String>,
    /// The corner of the picture, right or left and upper or lower, as the first picture of a film has it.
    pub(super) corner: Cell<Option<[bool; 2]>>,
}

impl Names {
    /// The names of a scenario and its world.
    pub(crate) fn of(scenario: &str, world: &AnyWorld) -> Self {
        let species = world.all_species().map(|(id, name, _)| (name.to_owned(), world.states(id).unwrap_or_default()));
        let species: Vec<(String, Vec<&str>)> = species.collect();
        let states = species.iter().flat_map(|(name, states)| match states.is_empty() {
            true => vec![name.clone()],
            false if species.len() == 1 => states.iter().map(|&state| state.to_owned()).collect(),
            false => states.iter().map(|state| format!("{name} {state}")).collect(),
        });
        Self {
            scenario: titled(scenario),
            tick_seconds: Some(f64::from(world.settings().tick_seconds)),
            states: states.collect(),
            species: species.iter().map(|(name, _)| name.clone()).collect(),
            corner: Cell::default(),
        }
    }

    /// The simulated time of a tick, or its number.
    pub(super) fn time(&self, tick: u64) -> String {
        let seconds = |seconds| format!("{} s", fixed(tick as f64 * seconds, 1));
        self.tick_seconds.map_or_else(|| format!("tick {tick}"), seconds)
    }
}

/// The name of a scenario as a title: a name of a file begins with a capital.
fn titled(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    match letters.next().filter(|_| !words.contains(char::is_uppercase)) {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => words,
    }
}

/// Formats a number of agents.
pub(super) fn agents(count: usize) -> String {
    match count {
        0 => "no agents".to_owned(),
        1 => "1 agent".to_owned(),
        count => format!("{} agents", grouped(count as u64)),
    }
}

/// The contents of the caption of a picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caption<'n> {
    pub(crate) names: &'n Names,
    pub(crate) tick: u64,
    /// The number of agents.
    pub(crate) agents: usize,
}

/// The narrowest picture that has a caption, in pixels: it would hide too much of smaller ones.
const NARROWEST: usize = 400;

/// A picture, with the caption if there is one and if the picture is wide enough.
pub(crate) fn captioned<'p>(picture: &'p Picture, caption: Option<&Caption<'_>>, legend: &Legend) -> Cow<'p, Picture> {
    match caption.filter(|_| picture.width() >= NARROWEST) {
        Some(caption) => Cow::Owned(caption.on(picture, legend)),
        None => Cow::Borrowed(picture),
    }
}

impl Caption<'_> {
    /// Returns the picture with this caption in the corner in which it covers least.
    fn on(&self, picture: &Picture, legend: &Legend) -> Picture {
        let [least, most] = CAPITALS;
        let capital = (CAPITAL * picture.width() as f32).clamp(least, most);
        let title = [self.names.scenario.clone(), self.names.time(self.tick), agents(self.agents)];
        let title = title.into_iter().flat_map(|text| [Part::Text(text), Part::Space(1.2)]).collect();
        let scale = round_down(picture.width() as f32 / 6.0 / legend.scale);
        let lines = [Line::Parts(colours(legend, self.names)), Line::Scale(scale), Line::Parts(title)];
        let mut writer = Writer { picture: picture.clone(), legend, capital };
        writer.write(&lines, &self.names.corner);
        writer.picture
    }
}

/// The least difference of a channel at an edge; backgrounds and fields have smaller steps.
const STEP: u8 = 24;

/// A line of a caption.
enum Line {
    Parts(Vec<Part>),
    /// A bar of this many metres.
    Scale(f32),
}

/// A part of a line. Its lengths are heights of capitals.
enum Part {
    Text(String),
    Space(f32),
    /// A square of one colour.
    Swatch([f32; 3]),
    /// The colours of all shares.
    Bar,
    /// A disc with the colour of each heading.
    Wheel,
}

/// The radius of the wheel of headings.
const WHEEL: f32 = 1.8;
/// The length of the bar of colours.
const BAR: f32 = 12.0;

/// The meaning of the colours: a scale with numbers, or one swatch for each name.
fn colours(legend: &Legend, names: &Names) -> Vec<Part> {
    let Legend { colour, range, theme, .. } = legend;
    if let Some([low, high]) = *range {
        let title = match colour {
            Some(Colour::Speed) => "speed in m/s",
            Some(Colour::Variable(name)) => name,
            Some(_) => "others nearby",
            None => "agents per m²",
        };
        let number = |number: f32| trimmed(number, if high < 1.0 { 3 } else { 1 });
        let (low, high) = (format!("{}  {}", title.replace('_', " "), number(low)), number(high));
        return vec![Part::Text(low), Part::Space(0.6), Part::Bar, Part::Space(0.6), Part::Text(high)];
    }
    let kinds = match colour {
        Some(Colour::Species) => &names.species,
        Some(Colour::State) => &names.states,
        Some(Colour::Heading) => return vec![Part::Wheel, Part::Space(0.8), Part::Text("heading".to_owned())],
        _ => return Vec::new(),
    };
    let part = |(number, name): (usize, &String)| {
        [Part::Swatch(theme.kind(number)), Part::Space(0.5), Part::Text(name.replace('_', " ")), Part::Space(1.4)]
    };
    kinds.iter().enumerate().flat_map(part).collect()
}

/// Writes lines from the bottom up.
struct Writer<'l> {
    picture: Picture,
    legend: &'l Legend,
    capital: f32,
}

impl Writer<'_> {
    fn write(&mut self, lines: &[Line], corner: &Cell<Option<[bool; 2]>>) {
        let gap = 0.9 * self.capital;
        let width =
            lines.iter().map(|line| self.width(line)).fold(0.0, |most, width| if width > most { width } else { most });
        let height: f32 = lines.iter().map(|line| self.height(line) + gap).sum::<f32>() + gap;
        let size = [width + 2.0 * gap, height];
        let chosen = corner.get().unwrap_or_else(|| self.emptiest(size));
        corner.set(Some(chosen));
        let [left, top] = self.place(chosen, size);
        self.picture.fill([left, top], size, self.legend.theme.far(), 0.72);
        let mut y = top + height - gap;
        for line in lines {
            self.line(line, [left + gap, y]);
            y -= self.height(line) + gap;
        }
    }

    /// The upper left corner of a box of this size in a corner of the picture.
    fn place(&self, [right, upper]: [bool; 2], [across, down]: [f32; 2]) -> [f32; 2] {
        let margin = 0.8 * self.capital;
        let [width, height] = [self.picture.width(), self.picture.height()].map(|length| length as f32);
        [if right { width - margin - across } else { margin }, if upper { margin } else { height - margin - down }]
    }

    /// The corner in which a box of this size covers least: the lower left one unless another has less than half.
    fn emptiest(&self, size: [f32; 2]) -> [bool; 2] {
        let corners = [[false, false], [true, false], [false, true], [true, true]];
        let least = |&corner: &[bool; 2]| self.edges(corner, size) >> usize::from(corner == [false; 2]);
        corners.into_iter().min_by_key(least).unwrap_or_default()
    }

    /// The number of pixels of a box in a corner whose colour differs from the next one's in their row.
    fn edges(&self, corner: [bool; 2], size: [f32; 2]) -> usize {
        let ([left, top], [across, down]) =
            (self.place(corner, size).map(|at| at as usize), size.map(|at| at as usize));
        let rows = self.picture.pixels().chunks_exact(3 * self.picture.width()).skip(top).take(down);
        let differs = |(a, b): (&u8, &u8)| a.abs_diff(*b) > STEP;
        let edges = rows.map(|row| {
            let row = row.chunks_exact(3).skip(left).take(across);
            row.clone().zip(row.skip(1)).filter(|(a, b)| a.iter().zip(*b).any(differs)).count()
        });
        edges.sum()
    }

    fn ink(&self) -> [f32; 3] {
        self.legend.theme.ink(1.0)
    }

    fn height(&self, line: &Line) -> f32 {
        let has_wheel = |parts: &[Part]| parts.iter().any(|part| matches!(part, Part::Wheel));
        match line {
            Line::Parts(parts) if parts.is_empty() => -0.9 * self.capital,
            Line::Parts(parts) if has_wheel(parts) => 2.0 * WHEEL * self.capital,
            _ => self.capital,
        }
    }

    fn width(&self, line: &Line) -> f32 {
        match line {
            Line::Parts(parts) => parts.iter().map(|part| self.width_of(part)).sum(),
            Line::Scale(metres) => {
                metres * self.legend.scale + self.capital + text_width(&length(*metres), self.capital)
            }
        }
    }

    fn width_of(&self, part: &Part) -> f32 {
        match part {
            Part::Text(text) => text_width(text, self.capital),
            Part::Space(share) => share * self.capital,
            Part::Swatch(_) => self.capital,
            Part::Bar => BAR * self.capital,
            Part::Wheel => 2.0 * WHEEL * self.capital,
        }
    }

    /// Writes a line with its lower left corner at a point.
    fn line(&mut self, line: &Line, [mut x, y]: [f32; 2]) {
        let (capital, ink) = (self.capital, self.ink());
        match line {
            Line::Scale(metres) => {
                let across = (metres * self.legend.scale).round();
                let thick = (0.16 * capital).round().clamp(1.0, 8.0);
                for (from, size) in [
                    ([x, y - thick], [across, thick]),
                    ([x, y - 0.7 * capital], [thick, 0.7 * capital]),
                    ([x + across - thick, y - 0.7 * capital], [thick, 0.7 * capital]),
                ] {
                    self.picture.fill(from, size, ink, 1.0);
                }
                self.picture.write(&length(*metres), [x + across + capital, y], capital, ink);
            }
            Line::Parts(parts) => {
                let lift = if self.height(line) > capital { (WHEEL - 0.5) * capital } else { 0.0 };
                for part in parts {
                    match part {
                        Part::Text(text) => self.picture.write(text, [x, y - lift], capital, ink),
                        Part::Space(_) => {}
                        Part::Swatch(colour) => {
                            self.picture.fill([x, y - capital], [capital, capital], *colour, 1.0);
                        }
                        Part::Bar => self.bar([x, y]),
                        Part::Wheel => self.wheel([x, y]),
                    }
                    x += self.width_of(part);
                }
            }
        }
    }

    fn bar(&mut self, [x, y]: [f32; 2]) {
        let columns = (BAR * self.capital) as usize;
        for column in 0..columns {
            let colour = self.legend.at((column as f32 + 0.5) / columns as f32);
            self.picture.fill([x + column as f32, y - self.capital], [1.0, self.capital], colour, 1.0);
        }
    }

    /// A disc with the colour of each heading on the picture.
    fn wheel(&mut self, [x, y]: [f32; 2]) {
        let radius = WHEEL * self.capital;
        let side = (2.0 * radius) as usize;
        for row in 0..side {
            for column in 0..side {
                let (right, up) = (column as f32 + 0.5 - radius, radius - row as f32 - 0.5);
                let cover = (radius - (right * right + up * up).sqrt()).clamp(0.0, 1.0);
                if cover > 0.0 {
                    let at = [x + column as f32, y - 2.0 * radius + row as f32];
                    self.picture.fill(at, [1.0, 1.0], self.theme().heading(right, up), cover);
                }
            }
        }
    }

    fn theme(&self) -> Theme {
        self.legend.theme
    }
}

fn length(metres: f32) -> String {
    format!("{} m", trimmed(metres, DECIMALS))
}

/// Rounds down to 1, 2 or 5 times a power of ten.
fn round_down(number: f32) -> f32 {
    let mut power = 1e-6;
    while power * 10.0 <= number && power < 1e9 {
        power *= 10.0;
    }
    let factor = [5.0, 2.0, 1.0].into_iter().find(|factor| factor * power <= number).unwrap_or(1.0);
    factor * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_bar_is_round_and_as_long_as_it_says() {
        assert_eq!(
            [0.7, 3.0, 18.0, 59.0].map(|number| trimmed(round_down(number), DECIMALS)),
            ["0.5", "2", "10", "50"]
        );
        let picture = Picture::from_pixels(400, 120, vec![0; 400 * 120 * 3]).unwrap();
        let legend = Legend::new(4.0, Colour::Speed, Some([1.0, 9.0]), Theme::Dark);
        let names = Names { scenario: "test".into(), tick_seconds: Some(0.5), ..Names::default() };
        let drawn = Caption { names: &names, tick: 7, agents: 3 }.on(&picture, &legend);
        // The bar of 10 metres has 40 pixels in a row above the line of colours.
        let ink = legend.theme.ink(1.0).map(|channel| (channel + 0.5) as u8);
        let runs = drawn.pixels().chunks_exact(400 * 3).map(|row| {
            let lit: Vec<bool> = row.chunks_exact(3).map(|pixel| pixel == ink).collect();
            lit.split(|lit| !lit).map(<[bool]>::len).max().unwrap_or(0)
        });
        assert_eq!(runs.max(), Some(40));
        // The next picture has stripes where this one has its caption.
        let pixels = (0..400 * 120 * 3).map(|at| 200 * u8::from(at % 1200 < 600 && at / 3 % 2 == 0)).collect();
        let striped =
            Writer { picture: Picture::from_pixels(400, 120, pixels).unwrap(), legend: &legend, capital: 7.0 };
        assert_eq!((names.corner.get(), striped.emptiest([150.0, 50.0])), (Some([false, false]), [true, false]));
        assert_eq!(["walk_to", "MASON's Flockers"].map(titled), ["Walk to", "MASON's Flockers"]);
    }
}
