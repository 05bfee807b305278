//! How do frames become a GIF? One palette for all of them, and of each frame only what has changed.

use std::io::Write;

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use rayon::prelude::*;

use super::film::Film;
use super::palette::Palette;
use crate::arguments::Render;
use crate::failure::Failure;
use crate::picture::Painter;
use crate::results::Draft;

/// A film that is being written.
pub(super) struct Gif {
    draft: Draft,
    /// It writes to memory, which is emptied into the file.
    encoder: Encoder<Vec<u8>>,
    palette: Palette,
    size: (usize, usize),
    fps: u32,
    /// Frames so far.
    count: u32,
    /// The colour that each pixel has at present, by its number in the palette.
    shown: Vec<u8>,
    /// Frames that are yet to be compressed: as many at once as there are threads.
    waiting: Vec<Frame<'static>>,
}

impl Gif {
    pub(super) fn start(render: &Render, painter: &Painter) -> Result<Self, Failure> {
        let draft = Draft::start(render.output.clone())?;
        let palette = Palette::new(painter.colours().to_vec());
        let size = painter.size();
        let encoder = Encoder::new(Vec::new(), size.0 as u16, size.1 as u16, &palette.bytes());
        let mut encoder = encoder.map_err(|error| bad(&draft, &error))?;
        encoder.set_repeat(Repeat::Infinite).map_err(|error| bad(&draft, &error))?;
        Ok(Self { draft, encoder, palette, size, fps: render.fps, count: 0, shown: Vec::new(), waiting: Vec::new() })
    }

    /// Hundredths of a second until the frame of this number: each is as long as it must be for the film to keep time.
    fn time(&self, frame: u32) -> u64 {
        u64::from(frame) * 100 / u64::from(self.fps)
    }

    /// Compresses and writes the frames that wait.
    fn flush(&mut self) -> Result<(), Failure> {
        self.waiting.par_iter_mut().for_each(Frame::make_lzw_pre_encoded);
        for frame in self.waiting.drain(..) {
            self.encoder.write_lzw_pre_encoded_frame(&frame).map_err(|error| bad(&self.draft, &error))?;
        }
        let bytes = std::mem::take(self.encoder.get_mut());
        self.draft.write(|file| file.write_all(&bytes))
    }
}

fn bad(draft: &Draft, error: &gif::EncodingError) -> Failure {
    Failure::Write(format!("{}: {error}", draft.path().display()))
}

impl Film for Gif {
    fn add(&mut self, painter: &Painter) -> Result<(), Failure> {
        let Self { palette, size: (width, height), shown, .. } = self;
        let mut colours = vec![0; *width * *height];
        let rows = colours.par_chunks_mut(*width).zip(painter.pixels().par_chunks(*width * 3));
        rows.enumerate().for_each(|(at, (row, pixels))| {
            for (column, (number, pixel)) in row.iter_mut().zip(pixels.chunks_exact(3)).enumerate() {
                let nearest = palette.nearest(pixel);
                // What is hardly to be seen is not worth its bytes.
                let kept = shown.get(at * *width + column).copied().filter(|&shown| palette.alike(shown, nearest));
                *number = kept.unwrap_or(nearest);
            }
        });
        let transparent = palette.len() as u8;
        let mut frame = changed(&colours, shown, (*width, *height), transparent);
        *shown = colours;
        frame.delay = (self.time(self.count + 1) - self.time(self.count)) as u16;
        frame.dispose = DisposalMethod::Keep;
        self.count += 1;
        self.waiting.push(frame);
        if self.waiting.len() >= rayon::current_num_threads() { self.flush() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Result<(), Failure> {
        self.flush()?;
        let Self { mut draft, encoder, .. } = *self;
        let end = encoder.into_inner().map_err(|error| bad(&draft, &error))?;
        draft.write(|file| file.write_all(&end))?;
        draft.keep()
    }
}

/// The part of a picture that is not as it was shown; within it, what is as it was is transparent.
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
    fn a_frame_has_what_has_changed() {
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
