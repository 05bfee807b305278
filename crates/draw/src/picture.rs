//! Pictures: their pixels, and PNG files of them.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use png::{BitDepth, ColorType, Compression, Encoder, EncodingError};

use crate::error::Error;
use crate::{raster, text};

/// A picture in eight bits each of red, green and blue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Picture {
    /// A picture of three bytes a pixel, row by row.
    pub(crate) fn new(width: usize, height: usize, pixels: Vec<u8>) -> Self {
        Self { width, height, pixels }
    }

    /// A picture from red, green and blue of each pixel, row by row from the top; `None` if there are more or fewer
    /// bytes.
    #[must_use]
    pub fn from_pixels(width: usize, height: usize, pixels: Vec<u8>) -> Option<Self> {
        let bytes = width.checked_mul(height).and_then(|count| count.checked_mul(3));
        (bytes == Some(pixels.len())).then(|| Self::new(width, height, pixels))
    }

    /// The width in pixels.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// The height in pixels.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Red, green and blue of each pixel, row by row from the top.
    #[must_use]
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    pub(crate) fn pixels_mut(&mut self) -> &mut [u8] {
        &mut self.pixels
    }

    /// Writes a text with its lower left corner at this point, in pixels from the upper left corner of the picture.
    /// Capitals have the height `capital`, in pixels; some letters go below the point. Characters that the font lacks
    /// become boxes; it has the characters of western Europe. [`text_width`](crate::text_width) returns its width.
    pub fn write(&mut self, text: &str, at: [f32; 2], capital: f32, colour: [f32; 3]) {
        text::write(&mut self.pixels, self.width, text, at, capital, colour);
    }

    /// Mixes a share of a colour into a rectangle, from its upper left corner and its size in pixels.
    pub fn fill(&mut self, [x, y]: [f32; 2], [across, down]: [f32; 2], colour: [f32; 3], share: f32) {
        raster::fill(&mut self.pixels, self.width, [[x, y], [x + across, y + down]], colour, share);
    }

    /// Writes the picture as PNG.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if `out` cannot be written.
    pub fn write_png(&self, out: impl Write) -> Result<(), Error> {
        let mut encoder = Encoder::new(out, self.width as u32, self.height as u32);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::Fast);
        let written = encoder.write_header().and_then(|mut writer| {
            writer.write_image_data(&self.pixels)?;
            writer.finish()
        });
        written.map_err(|error| match error {
            EncodingError::IoError(error) => Error::Io(error),
            other => Error::Encoding(other.to_string()),
        })
    }

    /// Saves the picture as a PNG file. An existing file is replaced.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if the file cannot be written.
    pub fn save_png(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let mut file = BufWriter::new(File::create(path)?);
        self.write_png(&mut file)?;
        Ok(file.flush()?)
    }
}
