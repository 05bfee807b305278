//! Figures as pixels, with text in the font of pictures: no font of the system is needed.

use std::convert::Infallible;

use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendTextStyle, DrawingBackend, DrawingErrorKind};

use crate::picture::Picture;
use crate::raster::blend;
use crate::text::text_width;

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// The height of capitals, as a share of the size of a font.
const CAPITAL: f32 = 0.7;

/// A picture, for plotters.
pub(super) struct Pixels<'p>(pub(super) &'p mut Picture);

impl Pixels<'_> {
    /// Mixes a share of a colour into a pixel, if it is inside.
    fn mix(&mut self, (x, y): BackendCoord, colour: BackendColor, share: f32) {
        let inside = |place: i32, extent: usize| usize::try_from(place).ok().filter(|place| *place < extent);
        let (width, height) = (self.0.width(), self.0.height());
        if let (Some(x), Some(y)) = (inside(x, width), inside(y, height)) {
            let first = 3 * (y * width + x);
            let (red, green, blue) = colour.rgb;
            let colour_of = [red, green, blue].map(f32::from);
            blend(&mut self.0.pixels_mut()[first..first + 3], colour_of, share * colour.alpha as f32);
        }
    }
}

impl DrawingBackend for Pixels<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        (self.0.width() as u32, self.0.height() as u32)
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, at: BackendCoord, colour: BackendColor) -> Drawn {
        self.mix(at, colour, 1.0);
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, (x, y): BackendCoord) -> Drawn {
        let capital = CAPITAL * style.size() as f32;
        let width = text_width(text, capital).ceil() as i32;
        let left = match style.anchor().h_pos {
            HPos::Left => 0,
            HPos::Right => -width,
            HPos::Center => -width / 2,
        };
        let high = capital.round() as i32;
        let baseline = match style.anchor().v_pos {
            VPos::Top => high,
            VPos::Center => high / 2,
            VPos::Bottom => -high / 3,
        };
        // The text is written white on black, with room for letters that go below the line and for marks above capitals.
        let room = high;
        let (across, down) = ((width + 2 * room) as usize, (3 * room) as usize);
        let mut written = Picture::new(across, down, vec![0; 3 * across * down]);
        written.write(text, [room as f32, 2.0 * room as f32], capital, [255.0; 3]);
        for (number, pixel) in written.pixels().as_chunks::<3>().0.iter().enumerate().filter(|(_, pixel)| pixel[0] > 0)
        {
            let (column, row) = ((number % across) as i32, (number / across) as i32);
            let (right, down) = style.transform().transform(column - room + left, row - 2 * room + baseline);
            self.mix((x + right, y + down), style.color(), f32::from(pixel[0]) / 255.0);
        }
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        let capital = CAPITAL * style.size() as f32;
        Ok((text_width(text, capital).ceil() as u32, capital.ceil() as u32))
    }
}
