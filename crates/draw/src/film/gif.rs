//! GIF films: one palette for all frames, and only the changed part of each frame.

use std::io::Write;

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use rayon::prelude::*;

use super::palette::Palette;
use crate::error::{Error, check};
use crate::paint::Painter;
use crate::picture::Picture;

/// A GIF film in progress, which repeats forever.
///
/// ```
/// use throng::{Settings, World};
/// use throng_draw::{Gif, Options, Painter};
///
/// let mut world = World::<2>::new(Settings::default())?;
/// let mut painter = Painter::new(&world, &Options { width: Some(160), ..Options::default() })?;
/// let mut film = Gif::new(Vec::new(), &painter, 25)?; // or std::fs::File::create("flock.gif")?
/// for _ in 0..10 {
///     world.step();
///     painter.paint(&world);
///     film.add(painter.picture())?;
/// }
/// assert!(film.finish()?.starts_with(b"GIF89a"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Gif<W: Write> {
    out: W,
    /// Writes to memory, which is moved to `out`.
    encoder: Encoder<Vec<u8>>,
    palette: Palette,
    /// Whether frames bring their own palette instead of the palette of the whole film.
    is_changed: bool,
    size: (usize, usize),
    fps: u32,
    /// The number of frames so far.
    count: u32,
    /// The present colour of each pixel, by its number in the palette.
    shown: Vec<u8>,
    /// Frames to be compressed, one per thread.
    waiting: Vec<Frame<'static>>,
}

impl<W: Write> Gif<W> {
    /// A film of this painter's pictures, of 1 to 50 frames per second.
    ///
    /// # Errors
    ///
    /// [`Error::Option`] if `fps` is out of its range.
    pub fn new(out: W, painter: &Painter, fps: u32) -> Result<Self, Error> {
        check("fps", fps as f32, [1.0, 50.0])?;
        let palette = Palette::new(painter.colours().to_vec());
        let size = (painter.picture().width(), painter.picture().height());
        let mut encoder = Encoder::new(Vec::new(), size.0 as u16, size.1 as u16, &palette.bytes()).map_err(bad)?;
        encoder.set_repeat(Repeat::Infinite).map_err(bad)?;
        let (is_changed, shown, waiting) = (false, Vec::new(), Vec::new());
        Ok(Self { out, encoder, palette, is_changed, size, fps, count: 0, shown, waiting })
    }

    /// Continues with the pictures of another painter, which have the same size and colours of their own.
    pub fn change_painter(&mut self, painter: &Painter) {
        self.palette = Palette::new(painter.colours().to_vec());
        self.is_changed = true;
        self.shown.clear();
    }

    /// Adds a picture as a frame.
    ///
    /// # Errors
    ///
    /// [`Error::Size`] if the picture has another size than the painter's, [`Error::Io`] if the film cannot be written.
    pub fn add(&mut self, picture: &Picture) -> Result<(), Error> {
        let Self { palette, size, shown, .. } = self;
        super::check_size(picture, *size)?;
        let (width, height) = *size;
        let mut colours = vec![0; width * height];
        let rows = colours.par_chunks_mut(width).zip(picture.pixels().par_chunks(width * 3));
        rows.enumerate().for_each(|(at, (row, pixels))| {
            for (column, (number, pixel)) in row.iter_mut().zip(pixels.chunks_exact(3)).enumerate() {
                let nearest = palette.nearest(pixel);
                // A change that is hardly visible is not worth its bytes.
                let kept = shown.get(at * width + column).copied().filter(|&shown| palette.alike(shown, nearest));
                *number = kept.unwrap_or(nearest);
            }
        });
        let transparent = palette.len() as u8;
        let mut frame = changed(&colours, shown, (width, height), transparent);
        *shown = colours;
        frame.delay = (self.time(self.count + 1) - self.time(self.count)) as u16;
        frame.dispose = DisposalMethod::Keep;
        frame.palette = self.is_changed.then(|| self.palette.bytes());
        self.count += 1;
        self.waiting.push(frame);
        if self.waiting.len() >= rayon::current_num_threads() { self.flush() } else { Ok(()) }
    }

    /// Completes the film and returns its writer.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if the film cannot be written.
    pub fn finish(mut self) -> Result<W, Error> {
        self.flush()?;
        let Self { mut out, encoder, .. } = self;
        out.write_all(&encoder.into_inner().map_err(bad)?)?;
        out.flush()?;
        Ok(out)
    }

    /// The start of a frame, in hundredths of a second. The lengths of frames vary, so that the film keeps time.
    fn time(&self, frame: u32) -> u64 {
        u64::from(frame) * 100 / u64::from(self.fps)
    }

    /// Compresses and writes the waiting frames.
    fn flush(&mut self) -> Result<(), Error> {
        self.waiting.par_iter_mut().for_each(Frame::make_lzw_pre_encoded);
        for frame in self.waiting.drain(..) {
            self.encoder.write_lzw_pre_encoded_frame(&frame).map_err(bad)?;
        }
        let bytes = std::mem::take(self.encoder.get_mut());
        Ok(self.out.write_all(&bytes)?)
    }
}

fn bad(error: EncodingError) -> Error {
    match error {
        EncodingError::Io(error) => Error::Io(error),
        other => Error::Encoding(other.to_string()),
    }
}

/// Returns the changed part of a picture as a frame; unchanged pixels within it are transparent.
fn changed(now: &[u8], shown: &[u8], (width, height): (usize, usize), transparent: u8) -> Frame<'static> {
    if shown.is_empty() {
        return Frame { width: width as u16, height: height as u16, buffer: now.to_owned().into(), ..Frame::default() };
    }
    let differs = |row: usize| {
        let range = row * width..(row + 1) * width;
        let mut columns = now[range.clone()].iter().zip(&shown[range]);
        let left = columns.clone().position(|(now, shown)| now != shown)?;
        let right = columns.rposition(|(now, shown)| now != shown)?;
        Some((row, left, right))
    };
    let mut area: Option<[usize; 4]> = None;
    for (row, left, right) in (0..height).filter_map(differs) {
        let [top, _, least, most] = area.unwrap_or([row, row, left, right]);
        area = Some([top, row, if left < least { left } else { least }, if right > most { right } else { most }]);
    }
    // A frame has at least one pixel.
    let [top, bottom, left, right] = area.unwrap_or_default();
    let mut buffer = Vec::with_capacity((bottom - top + 1) * (right - left + 1));
    for row in top..=bottom {
        let range = row * width + left..=row * width + right;
        let pixels = now[range.clone()].iter().zip(&shown[range]);
        buffer.extend(pixels.map(|(&now, &shown)| if now == shown { transparent } else { now }));
    }
    Frame {
        left: left as u16,
        top: top as u16,
        width: (right - left + 1) as u16,
        height: (bottom - top + 1) as u16,
        transparent: Some(transparent),
        buffer: buffer.into(),
        ..Frame::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_holds_the_changed_part() {
        let before = vec![1; 6 * 5];
        let mut now = before.clone();
        now[6 + 2] = 3;
        now[3 * 6 + 4] = 4;
        let frame = changed(&now, &before, (6, 5), 9);
        assert_eq!((frame.left, frame.top, frame.width, frame.height), (2, 1, 3, 3));
        assert_eq!(&frame.buffer[..], [3, 9, 9, 9, 9, 9, 9, 9, 4]);
        let same = changed(&now, &now, (6, 5), 9);
        assert_eq!((same.width, same.height, &same.buffer[..]), (1, 1, &[9][..]));
    }
}
