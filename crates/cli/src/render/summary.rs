//! The summary of a rendering, as text and as JSON.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use throng_draw::{Colour, Legend, Painter};
use throng_scenario::shown;

use super::caption::{Names, agents};
use super::film::FileKind;
use super::pace::Pace;
use crate::arguments::RenderOptions;
use crate::failure::Failure;
use crate::output::{fixed, grouped, trimmed, wrapped};
use crate::terminal;

/// The quantity that the colours of pictures show.
pub(crate) fn meaning(Legend { colour, range, .. }: &Legend) -> String {
    let range = range.map_or(String::new(), |[low, high]| format!(" from {} to {}", trimmed(low, 2), trimmed(high, 2)));
    match colour {
        None => format!("agents per m²{range}"),
        Some(Colour::Speed) => format!("speed in m/s{range}"),
        Some(Colour::Neighbours) => format!("number of others nearby{range}"),
        Some(Colour::Variable(name)) => format!("{name}{range}"),
        Some(colour) => format!("{colour:?}").to_lowercase(),
    }
}

/// The summary of a picture or a film.
#[derive(Debug)]
pub(super) struct RenderSummary {
    file: PathBuf,
    kind: FileKind,
    pace: Pace,
    names: Names,
    size: (usize, usize),
    /// The quantity that the colours show.
    colours: String,
    pub(super) frames: u64,
    /// The tick of the last frame, and its number of agents; the most agents of a frame.
    tick: u64,
    agents: usize,
    most: usize,
    /// The shares of the last picture's width and height that the crowd covers.
    pub(super) crowd: [f32; 2],
    bytes: u64,
    /// The signal that ended the film.
    pub(super) interrupted: Option<u8>,
    /// From the first tick to the last byte.
    pub(super) seconds: f64,
    /// The parts of `seconds` spent on stepping or reading, on drawing, and on encoding and writing.
    pub(super) move_seconds: f64,
    pub(super) draw_seconds: f64,
    pub(super) write_seconds: f64,
}

impl RenderSummary {
    /// The summary of a file to come.
    pub(super) fn new(file: &Path, kind: FileKind, pace: Pace, names: &Names) -> Self {
        Self {
            file: file.to_owned(),
            kind,
            pace,
            names: names.clone(),
            size: (0, 0),
            colours: String::new(),
            frames: 0,
            tick: 0,
            agents: 0,
            most: 0,
            crowd: [0.0; 2],
            bytes: 0,
            interrupted: None,
            seconds: 0.0,
            move_seconds: 0.0,
            draw_seconds: 0.0,
            write_seconds: 0.0,
        }
    }

    /// Counts a frame of this tick and its agents.
    pub(super) fn add(&mut self, tick: u64, agents: usize) {
        self.frames += 1;
        (self.tick, self.agents) = (tick, agents);
        self.most = if agents > self.most { agents } else { self.most };
    }

    /// Reads the sizes of the file and its pictures, and the quantity that the colours show; `chosen` says which option
    /// chose it.
    pub(super) fn measure(&mut self, painter: &Painter, chosen: &str) -> Result<(), Failure> {
        self.size = (painter.picture().width(), painter.picture().height());
        self.colours = format!("{} ({chosen})", meaning(&painter.legend()));
        self.bytes = std::fs::metadata(&self.file).map_err(|error| Failure::write(&self.file, &error))?.len();
        Ok(())
    }

    /// The failure of a rendering that a signal ended before its first frame.
    pub(super) fn fail(&self, render: &RenderOptions) -> Result<(), Failure> {
        if !render.output_options.quiet {
            terminal::warn(&format!("interrupted before the first frame: {} is not written", shown(&self.file)));
        }
        Err(Failure::Signal(self.interrupted.unwrap_or_default()))
    }

    /// The length of the film, in seconds.
    fn length(&self) -> f64 {
        self.frames as f64 / f64::from(self.pace.fps)
    }

    /// The summary as one JSON object.
    pub(super) fn json(&self) -> Value {
        let mut json = json!({
            "file": self.file.to_string_lossy(),
            "width": self.size.0,
            "height": self.size.1,
            "frames": self.frames,
            "bytes": self.bytes,
            "tick": self.tick,
            "agents": self.agents,
            "crowd_share": self.crowd.map(|share| (f64::from(share) * 1000.0).round() / 1000.0),
            "interrupted": self.interrupted.is_some(),
            "seconds": self.seconds,
            "part_seconds": { "move": self.move_seconds, "draw": self.draw_seconds, "write": self.write_seconds },
        });
        if self.kind.is_film() {
            json["film_seconds"] = self.length().into();
            json["fps"] = self.pace.fps.into();
            json["every"] = self.pace.every.into();
        }
        json
    }

    /// The summary as text. The path comes last, where it is found at once.
    pub(super) fn text(&self) -> String {
        let (width, height) = self.size;
        let size = match self.bytes {
            bytes if bytes < 1_000_000 => format!("{} kB", bytes.div_ceil(1000)),
            bytes => format!("{} MB", fixed(bytes as f64 / 1e6, 1)),
        };
        let file = shown(&self.file);
        let frames = if self.frames == 1 { "1 frame".to_owned() } else { format!("{} frames", grouped(self.frames)) };
        let drawn = format!("drawn in {} s", fixed(self.seconds, 1));
        let what = match (self.kind.is_film(), self.interrupted) {
            (false, _) => format!("{}, {}, {size}: {drawn}", self.names.time(self.tick), agents(self.agents)),
            (true, None) => format!("{} s of film, {size}: {drawn}", fixed(self.length(), 1)),
            (true, Some(_)) => {
                format!("interrupted: {frames} in {file}\n{} s of film, {size}: {drawn}", fixed(self.length(), 1))
            }
        };
        let pace = match self.names.tick_seconds.map(|seconds| self.pace.speed(seconds)) {
            _ if !self.kind.is_film() => String::new(),
            Some(speed) if (speed - 1.0).abs() < 0.05 => format!(" at {} a second, in real time", self.pace.fps),
            Some(speed) => {
                format!(" at {} a second, {} times real time", self.pace.fps, trimmed(speed as f32, 2))
            }
            None => format!(" at {} a second", self.pace.fps),
        };
        let empty = if self.most == 0 { "; there are no agents to be seen" } else { "" };
        let colours = &self.colours;
        let text = format!("{frames} of {width} x {height}{pace}{empty}; colours show the {colours}");
        let what: String = what.lines().map(|line| wrapped(line, 0)).collect();
        format!("{what}{}wrote {file}\n", wrapped(&text, 0))
    }
}
