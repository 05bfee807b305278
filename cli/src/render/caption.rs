//! Captions of pictures: the name, the time, a scale bar and the meaning of the colours.

use std::convert::Infallible;

use embedded_graphics::Drawable as _;
use embedded_graphics::Pixel;
use embedded_graphics::mono_font::iso_8859_1::{FONT_6X10, FONT_9X15};
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::pixelcolor::{Rgb888, RgbColor};
use embedded_graphics::prelude::{DrawTarget, OriginDimensions, Point, Size};
use embedded_graphics::primitives::{PrimitiveStyle, Rectangle, StyledDrawable};
use embedded_graphics::text::{Baseline, Text};
use throng::AnyWorld;
use throng_draw::{Colour, Legend, Picture, Theme};

use crate::output::{fixed, trimmed};

/// Pictures of at least this width have the larger font.
const WIDE: usize = 900;

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
}

impl Names {
    /// The names of a scenario and its world.
    pub(crate) fn of(scenario: &str, world: &AnyWorld) -> Self {
        let species = world.species().map(|(id, name, _)| (name.to_owned(), world.states(id).unwrap_or_default()));
        let species: Vec<(String, Vec<&str>)> = species.collect();
        let states = species.iter().flat_map(|(name, states)| match states.is_empty() {
            true => vec![name.clone()],
            false => states.iter().map(|state| format!("{name} {state}")).collect(),
        });
        Self {
            scenario: scenario.to_owned(),
            tick_seconds: Some(f64::from(world.settings().tick_seconds)),
            states: states.collect(),
            species: species.iter().map(|(name, _)| name.clone()).collect(),
        }
    }
}

/// The pixels of a picture as a target of text and shapes.
struct Canvas {
    pixels: Vec<u8>,
    size: Size,
}

impl Canvas {
    /// Mixes a part of the picture with a colour, so that text on it can be read.
    fn dim(&mut self, from: Point, size: Size, colour: Rgb888) {
        let colour = [colour.r(), colour.g(), colour.b()].map(u32::from);
        for row in from.y.max(0)..(from.y + size.height as i32).min(self.size.height as i32) {
            for column in from.x.max(0)..(from.x + size.width as i32).min(self.size.width as i32) {
                let first = (row as usize * self.size.width as usize + column as usize) * 3;
                for (channel, colour) in self.pixels[first..first + 3].iter_mut().zip(colour) {
                    *channel = ((u32::from(*channel) + 3 * colour) / 4) as u8;
                }
            }
        }
    }
}

impl OriginDimensions for Canvas {
    fn size(&self) -> Size {
        self.size
    }
}

impl DrawTarget for Canvas {
    type Color = Rgb888;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb888>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        for Pixel(at, colour) in pixels {
            let inside = (0..self.size.width as i32).contains(&at.x) && (0..self.size.height as i32).contains(&at.y);
            if inside {
                let first = (at.y as usize * self.size.width as usize + at.x as usize) * 3;
                self.pixels[first..first + 3].copy_from_slice(&[colour.r(), colour.g(), colour.b()]);
            }
        }
        Ok(())
    }
}

/// Returns the picture with a caption in its lower left corner.
pub(crate) fn captioned(picture: &Picture, legend: &Legend, names: &Names, tick: u64) -> Picture {
    let (width, height) = (picture.width(), picture.height());
    let font = if width >= WIDE { &FONT_9X15 } else { &FONT_6X10 };
    let size = Size::new(width as u32, height as u32);
    let mut writer = Writer {
        canvas: Canvas { pixels: picture.pixels().to_vec(), size },
        font,
        ink: rgb(legend.theme.ink(1.0)),
        ground: rgb(legend.theme.far()),
        at: Point::new(10, height as i32 - 10),
    };
    writer.colours(legend, names);
    writer.scale(legend.scale);
    let time =
        names.tick_seconds.map_or(format!("tick {tick}"), |seconds| format!("{} s", fixed(tick as f64 * seconds, 1)));
    writer.line(&format!("{}  {time}", names.scenario));
    let pixels = writer.canvas.pixels;
    Picture::from_pixels(width, height, pixels).unwrap_or_else(|| picture.clone())
}

/// Writes lines from the bottom up.
struct Writer {
    canvas: Canvas,
    font: &'static MonoFont<'static>,
    ink: Rgb888,
    ground: Rgb888,
    at: Point,
}

impl Writer {
    /// The height of a line.
    fn step(&self) -> i32 {
        self.font.character_size.height as i32 + 5
    }

    fn text(&mut self, text: &str, at: Point) -> i32 {
        let letter = self.font.character_size;
        let across = letter.width as usize * text.chars().count();
        self.canvas.dim(
            at - Point::new(2, letter.height as i32),
            Size::new(across as u32 + 4, letter.height),
            self.ground,
        );
        let style = MonoTextStyle::new(self.font, self.ink);
        let Ok(end) = Text::with_baseline(text, at, style, Baseline::Bottom).draw(&mut self.canvas);
        end.x
    }

    fn block(&mut self, at: Point, size: Size, colour: Rgb888) {
        let Ok(()) = Rectangle::new(at, size).draw_styled(&PrimitiveStyle::with_fill(colour), &mut self.canvas);
    }

    fn line(&mut self, text: &str) {
        self.text(text, self.at);
        self.at.y -= self.step();
    }

    /// A bar of a round number of metres, about a sixth of the width.
    fn scale(&mut self, scale: f32) {
        let metres = round_down(self.canvas.size.width as f32 / 6.0 / scale);
        let length = (metres * scale).round() as i32;
        let (left, right) = (self.at, self.at + Point::new(length, 0));
        let ink = self.ink;
        for (at, size) in [
            (left - Point::new(0, 2), Size::new(length as u32, 2)),
            (left - Point::new(0, 7), Size::new(2, 7)),
            (right - Point::new(2, 7), Size::new(2, 7)),
        ] {
            self.block(at, size, ink);
        }
        self.text(&format!("{} m", trimmed(metres, DECIMALS)), right + Point::new(8, 0));
        self.at.y -= self.step();
    }

    /// The meaning of the colours: a scale with numbers, or one swatch for each name.
    fn colours(&mut self, legend: &Legend, names: &Names) {
        let Legend { colour, range, theme, .. } = *legend;
        let height = self.font.character_size.height;
        if let Some([low, high]) = range {
            let title = match colour {
                Some(Colour::Speed) => "speed in m/s",
                Some(_) => "others nearby",
                None => "agents per m\u{b2}",
            };
            let number = |number: f32| trimmed(number, if high < 1.0 { 3 } else { 1 });
            let mut x = self.text(&format!("{title} {} ", number(low)), self.at);
            for step in 0..100 {
                let share = step as f32 / 99.0;
                let colour = rgb(match colour {
                    Some(_) => theme.amount(share),
                    // The map shows the root of the density.
                    None => theme.density(theme.middle(), share.sqrt()),
                });
                self.block(Point::new(x, self.at.y - height as i32), Size::new(1, height), colour);
                x += 1;
            }
            self.text(&format!(" {}", number(high)), Point::new(x, self.at.y));
            self.at.y -= self.step();
            return;
        }
        let kinds = match colour {
            Some(Colour::Species) => &names.species,
            Some(Colour::State) => &names.states,
            Some(Colour::Heading) => return self.compass(theme),
            _ => return,
        };
        let mut at = self.at;
        for (number, name) in kinds.iter().enumerate() {
            self.block(at - Point::new(0, height as i32), Size::new(height, height), rgb(theme.kind(number)));
            at.x = self.text(name, at + Point::new(height as i32 + 4, 0)) + 14;
        }
        self.at.y -= self.step();
    }
}

impl Writer {
    /// A disc with the colour of each heading on the picture.
    fn compass(&mut self, theme: Theme) {
        let height = self.font.character_size.height as i32;
        let radius = 0.5 * height as f32;
        for row in 0..height {
            for column in 0..height {
                let (right, up) = (column as f32 + 0.5 - radius, radius - row as f32 - 0.5);
                if right * right + up * up <= radius * radius {
                    let at = self.at + Point::new(column, row - height);
                    self.block(at, Size::new(1, 1), rgb(theme.heading(right, up)));
                }
            }
        }
        self.text("heading", self.at + Point::new(height + 4, 0));
        self.at.y -= self.step();
    }
}

fn rgb(colour: [f32; 3]) -> Rgb888 {
    let [red, green, blue] = colour.map(|channel| (channel + 0.5) as u8);
    Rgb888::new(red, green, blue)
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
        let legend = Legend { scale: 4.0, colour: Some(Colour::Speed), range: Some([1.0, 9.0]), theme: Theme::Dark };
        let names = Names { scenario: "test".into(), tick_seconds: Some(0.5), ..Names::default() };
        let drawn = captioned(&picture, &legend, &names, 7);
        // The bar of 10 metres has 40 pixels in a row above the line of colours.
        let ink = legend.theme.ink(1.0).map(|channel| (channel + 0.5) as u8);
        let runs = drawn.pixels().chunks_exact(400 * 3).map(|row| {
            let lit: Vec<bool> = row.chunks_exact(3).map(|pixel| pixel == ink).collect();
            lit.split(|lit| !lit).map(<[bool]>::len).max().unwrap_or(0)
        });
        assert_eq!(runs.max(), Some(40));
    }
}
