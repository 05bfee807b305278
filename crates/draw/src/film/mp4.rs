//! MP4 films: frames are piped to ffmpeg, which encodes them.

use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread::{Builder, JoinHandle};

use crate::error::{Error, check};
use crate::paint::Painter;
use crate::picture::Picture;

/// An MP4 film in progress (H.264). The program `ffmpeg` must be on the `PATH`.
///
/// ```no_run
/// use throng::{Settings, World};
/// use throng_draw::{Mp4, Options, Painter};
///
/// let mut world = World::<2>::new(Settings::default())?;
/// let mut painter = Painter::new(&world, &Options::default())?;
/// let mut film = Mp4::new("flock.mp4", &painter, 25)?;
/// for _ in 0..250 {
///     world.step();
///     painter.paint(&world);
///     film.add(painter.picture())?;
/// }
/// film.finish()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Mp4 {
    encoder: Encoder,
    path: PathBuf,
    size: (usize, usize),
}

impl Mp4 {
    /// Starts ffmpeg on a film of this painter's pictures, of 1 to 240 frames per second. An existing file is replaced.
    ///
    /// # Errors
    ///
    /// [`Error::Option`] if `fps` is out of its range, [`Error::Size`] if width or height is odd, [`Error::Ffmpeg`] if
    /// ffmpeg cannot be started, [`Error::Io`] if a thread cannot be started.
    pub fn new(path: impl Into<PathBuf>, painter: &Painter, fps: u32) -> Result<Self, Error> {
        check("fps", fps as f32, [1.0, 240.0])?;
        let (path, size) = (path.into(), (painter.picture().width(), painter.picture().height()));
        if !(size.0.is_multiple_of(2) && size.1.is_multiple_of(2)) {
            return Err(Error::Size { size, needs: "width and height must be even" });
        }
        let child = command(&path, fps, size).spawn().map_err(|error| {
            Error::Ffmpeg(match error.kind() {
                ErrorKind::NotFound => "ffmpeg, which encodes MP4 films, is not on the PATH: install the package \
                    ffmpeg, or use a name that ends in .gif"
                    .to_owned(),
                _ => format!("ffmpeg cannot be started: {error}"),
            })
        })?;
        Ok(Self { encoder: Encoder::start(child)?, path, size })
    }

    /// Adds a picture as a frame.
    ///
    /// # Errors
    ///
    /// [`Error::Size`] if the picture has another size than the painter's, [`Error::Ffmpeg`] if ffmpeg failed.
    pub fn add(&mut self, picture: &Picture) -> Result<(), Error> {
        super::check_size(picture, self.size)?;
        if self.encoder.feed(picture.pixels()) {
            return Ok(());
        }
        // The encoder closed its input before the last frame: `end` reports the reason.
        self.end()
    }

    /// Waits for ffmpeg to complete the file.
    ///
    /// # Errors
    ///
    /// [`Error::Ffmpeg`] if ffmpeg failed.
    pub fn finish(mut self) -> Result<(), Error> {
        self.end()?;
        // Even the pipe buffers a small film, even if the encoder never reads it.
        if fs::metadata(&self.path).is_ok_and(|file| file.len() == 0) {
            return Err(failed("it wrote nothing"));
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        self.encoder.end().map_err(|reason| failed(&reason))
    }
}

fn failed(reason: &str) -> Error {
    Error::Ffmpeg(format!("ffmpeg: {reason}"))
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
        // From here on, dropping `encoder` after a failure ends the child.
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
    // Ctrl-C in a terminal reaches only this program, which then completes the film.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}
