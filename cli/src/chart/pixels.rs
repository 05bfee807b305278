//! Figures as pixels, with text in a bitmap font: a program without fonts of the system.

use std::convert::Infallible;

use embedded_graphics::Drawable as _;
use embedded_graphics::Pixel;
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle, iso_8859_1 as fonts};
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::prelude::{DrawTarget, OriginDimensions, Point, Size};
use embedded_graphics::text::{Baseline, Text};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendTextStyle, DrawingBackend, DrawingErrorKind};

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// A picture of three bytes a pixel, for plotters.
pub(super) struct Pixels<'p> {
    pixels: &'p mut [u8],
    size: (u32, u32),
}

impl<'p> Pixels<'p> {
    pub(super) fn new(pixels: &'p mut [u8], size: (u32, u32)) -> Self {
        Self { pixels, size }
    }
}

/// The font nearest to a size in pixels.
fn font(size: f64) -> &'static MonoFont<'static> {
    match size {
        size if size < 12.0 => &fonts::FONT_6X10,
        size if size < 16.0 => &fonts::FONT_7X13,
        size if size < 19.0 => &fonts::FONT_9X15,
        _ => &fonts::FONT_10X20,
    }
}

/// The pixels of a text, from its upper left corner.
struct TextPixels(Vec<Point>);

impl OriginDimensions for TextPixels {
    fn size(&self) -> Size {
        Size::new(u32::from(u16::MAX), u32::from(u16::MAX))
    }
}

impl DrawTarget for TextPixels {
    type Color = BinaryColor;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<BinaryColor>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        self.0.extend(pixels.into_iter().filter(|pixel| pixel.1 == BinaryColor::On).map(|pixel| pixel.0));
        Ok(())
    }
}

fn extent(text: &str, font: &MonoFont<'_>) -> (u32, u32) {
    let cell = font.character_size;
    (text.chars().count() as u32 * (cell.width + font.character_spacing), cell.height)
}

impl DrawingBackend for Pixels<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, colour: BackendColor) -> Drawn {
        let (width, height) = self.size;
        let inside = |place: i32, extent: u32| u32::try_from(place).ok().filter(|place| *place < extent);
        if let (Some(x), Some(y)) = (inside(x, width), inside(y, height)) {
            let first = 3 * (y as usize * width as usize + x as usize);
            let (red, green, blue) = colour.rgb;
            for (old, new) in self.pixels.iter_mut().skip(first).zip([red, green, blue]) {
                let mixed = f64::from(*old) + colour.alpha * (f64::from(new) - f64::from(*old));
                *old = mixed.round() as u8;
            }
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, position: BackendCoord) -> Drawn {
        let font = font(style.size());
        let (width, height) = extent(text, font);
        let (width, height) = (width as i32, height as i32);
        let left = match style.anchor().h_pos {
            HPos::Left => 0,
            HPos::Right => -width,
            HPos::Center => -width / 2,
        };
        let top = match style.anchor().v_pos {
            VPos::Top => 0,
            VPos::Center => -height / 2,
            VPos::Bottom => -height,
        };
        let mut pixels = TextPixels(Vec::new());
        let drawn = MonoTextStyle::new(font, BinaryColor::On);
        let Ok(_) = Text::with_baseline(text, Point::new(0, 0), drawn, Baseline::Top).draw(&mut pixels);
        for Point { x, y } in pixels.0 {
            let (x, y) = style.transform().transform(x + left, y + top);
            self.draw_pixel((position.0 + x, position.1 + y), style.color())?;
        }
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        Ok(extent(text, font(style.size())))
    }
}
