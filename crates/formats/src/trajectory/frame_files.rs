//! Trajectories that are a folder with a file per frame, and a list of them beside it.

use std::fmt::Debug;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::Frame;
use super::encoder::{Encoder, load_tick, save_tick};

/// The ending of a file that is not written to its end.
const PART: &str = ".part";

/// A format with a file per frame.
pub(super) trait PerFrame: Debug + Send {
    /// The ending of the files of frames, without a dot.
    const ENDING: &'static str;

    /// Writes the file of a frame.
    fn encode(&self, frame: &Frame, to: &mut dyn Write) -> io::Result<()>;

    /// The files of the folder that are not frames, with their texts.
    fn other_files(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The part of the list before all frames.
    fn head(&self) -> String;

    /// The part of the list for a frame; `file` is the path from the list.
    fn entry(&self, file: &str, frame: &Frame, is_first: bool) -> String;

    /// The part of the list after all frames; `ticks` are the first and the last of them.
    fn foot(&self, folder: &str, ticks: Option<[u64; 2]>) -> String;
}

/// An encoder. It writes the list, and the frames to a folder beside it: `run.pvd` and `run/000000010.vtp`.
#[derive(Debug)]
pub(super) struct FrameFiles<F> {
    format: F,
    folder: PathBuf,
    /// The name of the folder, as the list has it.
    name: String,
    /// The ends of entries of the list, and their ticks.
    entries: Vec<(u64, u64)>,
    /// The number of entries whose files are on the disk for good.
    synced: usize,
    /// The length of the list.
    length: u64,
    first: Option<u64>,
    last: Option<u64>,
}

impl<F: PerFrame> FrameFiles<F> {
    pub(super) fn new(named: &Path, format: F) -> Self {
        let folder = named.with_extension("");
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self { format, folder, name, entries: Vec::new(), synced: 0, length: 0, first: None, last: None }
    }

    fn put(&mut self, text: &str, to: &mut dyn Write) -> io::Result<()> {
        to.write_all(text.as_bytes())?;
        self.length += text.len() as u64;
        Ok(())
    }

    /// The file of a frame.
    fn path(&self, tick: u64) -> PathBuf {
        self.folder.join(Self::file_name(tick))
    }

    fn file_name(tick: u64) -> String {
        format!("{tick:09}.{}", F::ENDING)
    }

    /// Writes the file of a frame under another name first, so that it is whole or missing.
    fn write_frame(&self, frame: &Frame) -> io::Result<()> {
        let path = self.path(frame.tick);
        let part = self.folder.join(Self::file_name(frame.tick) + PART);
        let write = || {
            let mut file = BufWriter::with_capacity(1 << 18, File::create(&part)?);
            self.format.encode(frame, &mut file)?;
            file.flush()?;
            fs::rename(&part, &path)
        };
        let written = write();
        if written.is_err() {
            let _ = fs::remove_file(&part);
        }
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.to_string_lossy()));
        written.map_err(named)
    }

    /// Removes the frames after this tick, and the remains of frames that were not written to their ends.
    fn remove_after(&self, last: Option<u64>) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            let whole = name.strip_suffix(PART).unwrap_or(name);
            let stem = whole.strip_suffix(F::ENDING).and_then(|stem| stem.strip_suffix('.'));
            let Some(tick) = stem.filter(|stem| stem.len() >= 9).and_then(|stem| stem.parse::<u64>().ok()) else {
                continue;
            };
            if whole.len() < name.len() || last.is_none_or(|last| tick > last) {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }
}

impl<F: PerFrame> Encoder for FrameFiles<F> {
    fn start(&mut self, to: &mut dyn Write) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        self.remove_after(None)?;
        for (name, text) in self.format.other_files() {
            fs::write(self.folder.join(name), text)?;
        }
        let head = self.format.head();
        self.put(&head, to)
    }

    fn write(&mut self, frame: &Frame, to: &mut dyn Write) -> io::Result<()> {
        self.write_frame(frame)?;
        let file = format!("{}/{}", self.name, Self::file_name(frame.tick));
        let entry = self.format.entry(&file, frame, self.first.is_none());
        self.put(&entry, to)?;
        self.entries.push((self.length, frame.tick));
        self.first = self.first.or(Some(frame.tick));
        self.last = Some(frame.tick);
        Ok(())
    }

    fn written(&self) -> Option<u64> {
        self.last
    }

    fn mark(&mut self, _: &mut dyn Write) -> io::Result<Vec<u8>> {
        for (_, tick) in &self.entries[self.synced..] {
            File::open(self.path(*tick))?.sync_all()?;
        }
        // Elsewhere a folder cannot be opened as a file.
        if cfg!(unix) {
            File::open(&self.folder)?.sync_all()?;
        }
        self.synced = self.entries.len();
        let ticks = [self.first, self.last].map(save_tick).concat();
        Ok([ticks, self.length.to_le_bytes().to_vec()].concat())
    }

    fn resume(&mut self, state: &[u8]) -> io::Result<()> {
        let (ticks, length) = state.split_at(state.len().saturating_sub(8));
        let (first, last) = ticks.split_at(ticks.len() / 2);
        self.length = load_tick(length)?.unwrap_or(0);
        self.first = load_tick(first)?;
        self.last = load_tick(last)?;
        self.entries = self.last.map(|tick| (self.length, tick)).into_iter().collect();
        self.synced = self.entries.len();
        fs::create_dir_all(&self.folder)?;
        self.remove_after(self.last)
    }

    fn cut(&mut self, length: u64) {
        self.entries.retain(|(end, _)| *end <= length);
        self.synced = usize::min(self.synced, self.entries.len());
        self.last = self.entries.last().map(|(_, tick)| *tick);
        self.first = self.first.filter(|_| self.last.is_some());
        self.length = length;
        let _ = self.remove_after(self.last);
    }

    fn finish(&mut self, to: &mut dyn Write) -> io::Result<()> {
        let ticks = self.first.zip(self.last).map(|(first, last)| [first, last]);
        let foot = self.format.foot(&self.name, ticks);
        self.put(&foot, to)
    }
}
