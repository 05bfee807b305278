//! MP4 films: frames are piped to ffmpeg, which encodes them.

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

/// An MP4 film in progress.
#[derive(Debug)]
pub(super) struct Mp4 {
    // Dropped before `draft`, so that the encoder ends before its file is removed.
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
        // The encoder closed its input before the last frame: `end` reports the reason.
        self.end()
    }

    fn finish(mut self: Box<Self>) -> Result<(), Failure> {
        self.end()?;
        // The pipe alone buffers a small film, even if the encoder never reads it.
        if fs::metadata(self.draft.temporary()).is_ok_and(|file| file.len() == 0) {
            return Err(self.failed("it wrote nothing"));
        }
        self.draft.keep()
    }
}

/// The running encoder.
#[derive(Debug)]
struct Encoder {
    child: Child,
    /// Frames to encode, and their buffers for reuse.
    frames: Option<SyncSender<Vec<u8>>>,
    used: Receiver<Vec<u8>>,
    /// The thread that writes the frames and returns whether all were accepted, and the thread that reads the errors.
    feeder: Option<JoinHandle<bool>>,
    listener: Option<JoinHandle<String>>,
}

impl Encoder {
    fn start(mut child: Child) -> io::Result<Self> {
        // Two frames may wait, so that the next one is drawn while the encoder is busy.
        let (frames, waiting) = sync_channel::<Vec<u8>>(2);
        let (back, used) = channel();
        let (input, errors) = (child.stdin.take(), child.stderr.take());
        // From here on, a failure drops `encoder`, which ends the child.
        let mut encoder = Self { child, frames: Some(frames), used, feeder: None, listener: None };
        let feed = move || {
            let Some(mut input) = input else { return false };
            for frame in waiting {
                // An encoder that closes its input prints the reason, in most cases.
                if input.write_all(&frame).is_err() {
                    return false;
                }
                // Fails after the last frame, when no buffer is needed.
                let _ = back.send(frame);
            }
            true
        };
        let listen = move || {
            let mut text = Vec::new();
            // An error ends the text, as the end of the file does.
            let _ = errors.map(|mut errors| errors.read_to_end(&mut text));
            String::from_utf8_lossy(&text).into_owned()
        };
        encoder.feeder = Some(Builder::new().name("feeder".into()).spawn(feed)?);
        encoder.listener = Some(Builder::new().name("listener".into()).spawn(listen)?);
        Ok(encoder)
    }

    /// Queues a frame; false if the encoder no longer accepts frames.
    fn feed(&mut self, pixels: &[u8]) -> bool {
        let mut frame = self.used.try_recv().unwrap_or_default();
        frame.clear();
        frame.extend_from_slice(pixels);
        self.frames.as_ref().is_some_and(|frames| frames.send(frame).is_ok())
    }

    /// Waits for the encoder to end.
    ///
    /// # Errors
    ///
    /// Returns its last line of errors if it failed.
    fn end(&mut self) -> Result<(), String> {
        // Without the sender the feeder ends, which closes the input.
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
        // A child that has already ended is fine too.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The call of ffmpeg: raw frames in, a film for browsers and players out.
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
