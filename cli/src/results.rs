//! The folder of a run's results, and files that appear only when complete.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The picture of the last tick.
pub(crate) const PICTURE: &str = "picture.png";
/// The JSON object that `--json` prints.
pub(crate) const SUMMARY: &str = "summary.json";
/// The series of measures.
pub(crate) const MEASURES: &str = "measures.csv";
/// Its plot.
pub(crate) const MEASURES_PLOT: &str = "measures.svg";
/// Positions and velocities.
pub(crate) const TRAJECTORY: &str = "trajectory.csv";
/// All results.
const ALL: [&str; 5] = [SUMMARY, PICTURE, TRAJECTORY, MEASURES, MEASURES_PLOT];

/// The names and paths of results.
pub(crate) type Files = Vec<(&'static str, PathBuf)>;

/// The folder of one run's results.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    written: Vec<&'static str>,
}

impl Folder {
    /// Opens the requested folder, or by default `throng-out/NAME`, where each run replaces the results of the last one.
    ///
    /// # Errors
    ///
    /// Fails if the requested folder already holds results and `force` is not set, or if the folder cannot be created.
    pub(crate) fn open(requested: Option<&Path>, scenario: &Path, force: bool) -> Result<Self, Failure> {
        let path = match requested {
            Some(path) => path.to_owned(),
            None => {
                // The stem of `...toml` is `..`, which is not a folder of its own.
                let stem = scenario.file_stem().filter(|stem| *stem != "." && *stem != "..");
                Path::new("throng-out").join(stem.unwrap_or("scenario".as_ref()))
            }
        };
        let held = ALL.into_iter().find(|name| path.join(name).exists());
        if let Some(held) = held.filter(|_| requested.is_some() && !force) {
            let path = path.display();
            return Err(Failure::Input(format!(
                "{path} holds results of an earlier run ({held}); --force replaces them"
            )));
        }
        fs::create_dir_all(&path).map_err(|error| Failure::write(&path, &error))?;
        Ok(Self { path, written: Vec::new() })
    }

    /// The path of one of the results.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Creates one of the results under a temporary name.
    pub(crate) fn start(&mut self, name: &'static str) -> Result<AtomicFile, Failure> {
        self.written.push(name);
        AtomicFile::start(self.path(name))
    }

    /// Writes one of the results as a whole.
    pub(crate) fn write(&mut self, name: &'static str, bytes: &[u8]) -> Result<(), Failure> {
        let mut file = self.start(name)?;
        file.write(|file| file.write_all(bytes))?;
        file.keep()
    }

    /// Removes the results of an earlier run that this one did not write.
    pub(crate) fn clear(&self) {
        for name in ALL {
            if !self.written.contains(&name) {
                // The file may be missing.
                let _ = fs::remove_file(self.path(name));
            }
        }
    }
}

/// A file that has a temporary name until it is complete. Dropping an incomplete file removes it.
#[derive(Debug)]
pub(crate) struct AtomicFile {
    file: BufWriter<File>,
    path: PathBuf,
    temporary: PathBuf,
    kept: bool,
}

impl AtomicFile {
    /// Creates the temporary file in the folder of `path`.
    pub(crate) fn start(path: PathBuf) -> Result<Self, Failure> {
        let mut name = OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(format!(".{}", std::process::id()));
        let temporary = path.with_file_name(name);
        let file = File::create(&temporary).map_err(|error| Failure::write(&path, &error))?;
        Ok(Self { file: BufWriter::with_capacity(1 << 20, file), path, temporary, kept: false })
    }

    /// The temporary path, for another program to write to.
    pub(crate) fn temporary(&self) -> &Path {
        &self.temporary
    }

    pub(crate) fn write(&mut self, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> Result<(), Failure> {
        write(&mut self.file).map_err(|error| Failure::write(&self.path, &error))
    }

    /// Flushes the file and gives it its final name.
    pub(crate) fn keep(mut self) -> Result<(), Failure> {
        self.write(Write::flush)?;
        fs::rename(&self.temporary, &self.path).map_err(|error| Failure::write(&self.path, &error))?;
        self.kept = true;
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.kept {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
