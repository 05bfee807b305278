//! Where do the results of a run go, and whose are those that are there already?

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The picture of the last tick.
pub(crate) const PICTURE: &str = "picture.png";
/// What `--json` prints.
pub(crate) const SUMMARY: &str = "summary.json";
/// Positions and velocities.
pub(crate) const TRAJECTORY: &str = "trajectory.csv";

/// The folder of one run's results.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    written: Vec<&'static str>,
}

impl Folder {
    /// The folder that was asked for, or the scenario's own, `throng-out/NAME`, whose results each run replaces. One
    /// that was asked for and holds results already is refused, unless forced.
    pub(crate) fn open(asked: Option<&Path>, scenario: &Path, force: bool) -> Result<Self, Failure> {
        let path = match asked {
            Some(path) => path.to_owned(),
            None => {
                // The stem of `...toml` is `..`, which is not a folder of its own.
                let stem = scenario.file_stem().filter(|stem| *stem != "." && *stem != "..");
                Path::new("throng-out").join(stem.unwrap_or("scenario".as_ref()))
            }
        };
        let held = [SUMMARY, PICTURE, TRAJECTORY].into_iter().find(|name| path.join(name).exists());
        if let Some(held) = held.filter(|_| asked.is_some() && !force) {
            let path = path.display();
            return Err(Failure::Input(format!("{path} holds results of another run ({held}): --force replaces them")));
        }
        fs::create_dir_all(&path).map_err(|error| Failure::write(&path, &error))?;
        Ok(Self { path, written: Vec::new() })
    }

    /// The path of one of the results.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Starts one of the results under a name for the time being.
    pub(crate) fn start(&mut self, name: &'static str) -> Result<Draft, Failure> {
        self.written.push(name);
        Draft::start(self.path(name))
    }

    /// Writes one of the results as a whole.
    pub(crate) fn write(&mut self, name: &'static str, bytes: &[u8]) -> Result<(), Failure> {
        let mut draft = self.start(name)?;
        draft.write(|file| file.write_all(bytes))?;
        draft.keep()
    }

    /// Removes results of an earlier run that this one has no counterpart of.
    pub(crate) fn clear(&self) {
        for name in [SUMMARY, PICTURE, TRAJECTORY] {
            if !self.written.contains(&name) {
                // That it was not there is as good.
                let _ = fs::remove_file(self.path(name));
            }
        }
    }
}

/// A file that gets its name when it is complete, and leaves nothing behind when it is not.
#[derive(Debug)]
pub(crate) struct Draft {
    file: BufWriter<File>,
    path: PathBuf,
    temporary: PathBuf,
    kept: bool,
}

impl Draft {
    /// Starts a file beside where it is to be.
    pub(crate) fn start(path: PathBuf) -> Result<Self, Failure> {
        let mut name = OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(format!(".{}", std::process::id()));
        let temporary = path.with_file_name(name);
        let file = File::create(&temporary).map_err(|error| Failure::write(&path, &error))?;
        Ok(Self { file: BufWriter::with_capacity(1 << 20, file), path, temporary, kept: false })
    }

    /// Where it is for the time being, for another program to write to.
    pub(crate) fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// Where it is to be.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn write(&mut self, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> Result<(), Failure> {
        write(&mut self.file).map_err(|error| Failure::write(&self.path, &error))
    }

    /// Gives the file its name.
    pub(crate) fn keep(mut self) -> Result<(), Failure> {
        self.write(Write::flush)?;
        fs::rename(&self.temporary, &self.path).map_err(|error| Failure::write(&self.path, &error))?;
        self.kept = true;
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.kept {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
