//! The summary of a rendering, as text and as JSON.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use throng_draw::{Colour, Legend, Painter};

use crate::failure::Failure;
use crate::output::{fixed, grouped, short, trimmed, wrapped};

/// What the colours of pictures show.
pub(crate) fn meaning(&Legend { colour, range, .. }: &Legend) -> String {
    let range = range.map_or(String::new(), |[low, high]| format!(" from {} to {}", trimmed(low, 2), trimmed(high, 2)));
    match colour {
        None => format!("agents per m²{range}"),
        Some(Colour::Speed) => format!("speed in m/s{range}"),
        Some(Colour::Neighbours) => format!("number of others nearby{range}"),
        Some(colour) => format!("{colour:?}").to_lowercase(),
    }
}

/// The summary of a complete picture or film.
#[derive(Debug)]
pub(super) struct RenderSummary {
    file: PathBuf,
    size: (usize, usize),
    /// What the colours show.
    colours: String,
    pub(super) frames: u64,
    bytes: u64,
    /// From the first tick to the last byte.
    pub(super) seconds: f64,
    /// The parts of `seconds` spent on stepping or reading, on drawing, and on encoding and writing.
    pub(super) move_seconds: f64,
    pub(super) draw_seconds: f64,
    pub(super) write_seconds: f64,
}

impl RenderSummary {
    /// The summary of a file to come. `chosen` says what chose the colours.
    pub(super) fn new(file: &Path, painter: &Painter, chosen: &str) -> Self {
        let picture = painter.picture();
        let (file, size) = (file.to_owned(), (picture.width(), picture.height()));
        let colours = format!("{} ({chosen})", meaning(&painter.legend()));
        let (seconds, move_seconds, draw_seconds, write_seconds) = (0.0, 0.0, 0.0, 0.0);
        Self { file, size, colours, frames: 0, bytes: 0, seconds, move_seconds, draw_seconds, write_seconds }
    }

    /// Reads the size of the file.
    pub(super) fn measure(&mut self) -> Result<(), Failure> {
        let length = std::fs::metadata(&self.file).map_err(|error| Failure::write(&self.file, &error))?.len();
        self.bytes = length;
        Ok(())
    }

    fn frames_per_second(&self) -> f64 {
        if self.seconds > 0.0 { self.frames as f64 / self.seconds } else { 0.0 }
    }

    /// The summary as one JSON object.
    pub(super) fn json(&self) -> Value {
        json!({
            "file": self.file.display().to_string(),
            "width": self.size.0,
            "height": self.size.1,
            "frames": self.frames,
            "bytes": self.bytes,
            "seconds": self.seconds,
            "frames_per_second": self.frames_per_second(),
            "part_seconds": { "move": self.move_seconds, "draw": self.draw_seconds, "write": self.write_seconds },
        })
    }

    /// The summary as text. The path comes last, where it is found at once.
    pub(super) fn text(&self) -> String {
        let (width, height) = self.size;
        let frames = if self.frames == 1 { "1 frame".to_owned() } else { format!("{} frames", grouped(self.frames)) };
        let size = match self.bytes {
            bytes if bytes < 1 << 20 => format!("{} KiB", bytes.div_ceil(1 << 10)),
            bytes => format!("{} MiB", fixed(bytes as f64 / f64::from(1 << 20), 1)),
        };
        let rate = short(self.frames_per_second());
        let colours = &self.colours;
        let text =
            format!("{frames} of {width} x {height}, {size}, {rate} frames a second; colours show the {colours}");
        format!("{}{}\n", wrapped(&text, 0), self.file.display())
    }
}
