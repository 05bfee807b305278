//! How do frames become an MP4? Another program, ffmpeg, encodes them as they come.

use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread::{Builder, JoinHandle};

use super::film::Film;
use crate::arguments::Render;
use crate::failure::Failure;
use crate::picture::Painter;
use crate::results::Draft;

/// A film that is being written.
#[derive(Debug)]
pub(super) struct Mp4 {
    // The encoder ends before its file is removed.
    encoder: Encoder,
    draft: Draft,
}

impl Mp4 {
    pub(super) fn start(render: &Render, (width, height): (usize, usize)) -> Result<Self, Failure> {
        let file = &render.output;
        if !(width.is_multiple_of(2) && height.is_multiple_of(2)) {
            let reason = format!("an MP4 cannot have {width} x {height} pixels: --width and --height must be even");
            return Err(Failure::Input(format!("{}: {reason}", file.display())));
        }
        let draft = Draft::start(file.clone())?;
        let child = command(draft.temporary(), render.fps, (width, height)).spawn().map_err(|error| {
            let reason = match error.kind() {
                ErrorKind::NotFound => "ffmpeg encodes MP4 films, and there is none on the PATH: install the package \
                    ffmpeg, or let the name end in .gif"
                    .to_owned(),
                _ => format!("ffmpeg cannot be started: {error}"),
            };
            Failure::Write(format!("{}: {reason}", file.display()))
        })?;
        let encoder = Encoder::start(child).map_err(Failure::threads)?;
        Ok(Self { encoder, draft })
    }

    fn end(&mut self) -> Result<(), Failure> {
        self.encoder.end().map_err(|reason| self.failed(&reason))
    }

    fn failed(&self, reason: &str) -> Failure {
        Failure::Write(format!("{}: ffmpeg: {reason}", self.draft.path().display()))
    }
}

impl Film for Mp4 {
    fn add(&mut self, painter: &Painter) -> Result<(), Failure> {
        if self.encoder.feed(painter.pixels()) {
            return Ok(());
        }
        // Who takes no more has not taken everything: that is no good end.
        self.end()
    }

    fn finish(mut self: Box<Self>) -> Result<(), Failure> {
        self.end()?;
        // A film that is small enough is taken by the pipe alone, whether or not anybody reads it.
        if fs::metadata(self.draft.temporary()).is_ok_and(|file| file.len() == 0) {
            return Err(self.failed("it wrote nothing"));
        }
        self.draft.keep()
    }
}

/// The other program, while it runs.
#[derive(Debug)]
struct Encoder {
    child: Child,
    /// Frames on their way to it, and their memory on its way back.
    frames: Option<SyncSender<Vec<u8>>>,
    used: Receiver<Vec<u8>>,
    /// Who hands the frames on, and says whether all were taken; and who hears what it says.
    feeder: Option<JoinHandle<bool>>,
    listener: Option<JoinHandle<String>>,
}

impl Encoder {
    fn start(mut child: Child) -> io::Result<Self> {
        // Two frames may wait: the next one is drawn while the encoder is busy.
        let (frames, waiting) = sync_channel::<Vec<u8>>(2);
        let (back, used) = channel();
        let (input, errors) = (child.stdin.take(), child.stderr.take());
        // From here on it ends with whatever fails.
        let mut encoder = Self { child, frames: Some(frames), used, feeder: None, listener: None };
        let feed = move || {
            let Some(mut input) = input else { return false };
            for frame in waiting {
                // One that listens no more mostly says why on its own.
                if input.write_all(&frame).is_err() {
                    return false;
                }
                // After the last frame nobody wants the memory.
                let _ = back.send(frame);
            }
            true
        };
        let listen = move || {
            let mut text = Vec::new();
            // An error is as good as the end: there is nothing more to read.
            let _ = errors.map(|mut errors| errors.read_to_end(&mut text));
            String::from_utf8_lossy(&text).into_owned()
        };
        encoder.feeder = Some(Builder::new().name("feeder".into()).spawn(feed)?);
        encoder.listener = Some(Builder::new().name("listener".into()).spawn(listen)?);
        Ok(encoder)
    }

    /// Hands a frame over; false if nobody takes it.
    fn feed(&mut self, pixels: &[u8]) -> bool {
        let mut frame = self.used.try_recv().unwrap_or_default();
        frame.clear();
        frame.extend_from_slice(pixels);
        self.frames.as_ref().is_some_and(|frames| frames.send(frame).is_ok())
    }

    /// Waits for its end; its last words if that is not a good one.
    fn end(&mut self) -> Result<(), String> {
        // Without the sender the feeder ends, and with it the input.
        self.frames = None;
        let all = self.feeder.take().is_some_and(|feeder| feeder.join().unwrap_or(false));
        let said = self.listener.take().and_then(|listener| listener.join().ok()).unwrap_or_default();
        let status = self.child.wait().map_err(|error| error.to_string())?;
        if status.success() {
            return if all { Ok(()) } else { Err("it ended before the film".to_owned()) };
        }
        let last = said.lines().rev().map(str::trim).find(|line| !line.is_empty());
        Err(last.map_or_else(|| format!("it ended early ({status})"), str::to_owned))
    }
}

impl Drop for Encoder {
    fn drop(&mut self) {
        // That it has ended already is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The call of ffmpeg: raw frames in; out comes what browsers and players take.
fn command(file: &Path, fps: u32, (width, height): (usize, usize)) -> Command {
    let mut to = OsString::from("file:");
    to.push(file);
    let mut command = Command::new("ffmpeg");
    command.args(["-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24"]);
    command.args(["-s", &format!("{width}x{height}"), "-r", &fps.to_string(), "-i", "-"]);
    command.args(["-c:v", "libx264", "-preset", "superfast", "-crf", "20", "-pix_fmt", "yuv420p"]);
    command.args(["-movflags", "+faststart", "-f", "mp4", "-y"]).arg(to);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}
