//! Reading the pictures and films that the program draws.

use std::fs;
use std::path::PathBuf;

use super::{Folder, throng};

/// A decoded picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Picture {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) pixels: Vec<[u8; 3]>,
}

impl Picture {
    pub(crate) fn read(path: &PathBuf) -> Self {
        let mut reader = png::Decoder::new(std::io::Cursor::new(fs::read(path).unwrap())).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        let pixels = bytes.as_chunks::<3>().0.to_vec();
        Self { width: info.width as usize, height: info.height as usize, pixels }
    }

    pub(crate) fn at(&self, x: usize, y: usize) -> [u8; 3] {
        self.pixels[y * self.width + x]
    }

    /// The brightness of a pixel: the sum of its channels.
    pub(crate) fn light(&self, x: usize, y: usize) -> i32 {
        self.at(x, y).into_iter().map(i32::from).sum()
    }
}

/// The frames of a GIF as they are shown, with their delays in hundredths of a second.
pub(crate) fn frames(path: &PathBuf) -> Vec<(Picture, u16)> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(fs::File::open(path).unwrap()).unwrap();
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let mut shown = Picture { width, height, pixels: vec![[0; 3]; width * height] };
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        for (number, &[red, green, blue, opacity]) in frame.buffer.as_chunks::<4>().0.iter().enumerate() {
            let (row, column) = (number / usize::from(frame.width), number % usize::from(frame.width));
            if opacity > 0 {
                let at = (usize::from(frame.top) + row) * width + usize::from(frame.left) + column;
                shown.pixels[at] = [red, green, blue];
            }
        }
        frames.push((shown.clone(), frame.delay));
    }
    frames
}

/// Renders `input` to `file`, and returns the bytes of the file.
pub(crate) fn drawn(folder: &Folder, input: &str, file: &str, more: &[&str]) -> Vec<u8> {
    let arguments = [&["render", input, "-o", file, "--force", "--quiet"], more].concat();
    let output = throng(folder, &arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
    fs::read(folder.path(file)).unwrap()
}
