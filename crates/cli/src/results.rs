//! The folder of a run's results.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;
use throng_scenario::shown;

use crate::atomic_file::{self, AtomicFile};
use crate::checkpoint::{any_checkpoint, folder_of};
use crate::failure::Failure;
use crate::paths::Paths;
use crate::summed::{Extent, Summed};

/// The picture of the most telling tick.
pub(crate) const PICTURE: &str = "picture.png";
/// The JSON object that `--json` prints.
pub(crate) const SUMMARY: &str = "summary.json";
/// The series of measures.
pub(crate) const MEASURES: &str = "measures.csv";
/// Its plot.
pub(crate) const MEASURES_PLOT: &str = "measures.svg";
/// Positions and velocities.
pub(crate) const TRAJECTORY: &str = "trajectory.csv";
/// The table of agents.
pub(crate) const PERSONS: &str = "persons.csv";
/// All results.
const ALL: [&str; 6] = [SUMMARY, PICTURE, TRAJECTORY, MEASURES, MEASURES_PLOT, PERSONS];

/// The names and paths of results.
pub(crate) type Files = Vec<(&'static str, PathBuf)>;

/// The names of tables, with their extents.
pub(crate) type Checksums = Vec<(String, Extent)>;

/// Compares a file of a run with its extent in the summary beside it, if there is one.
pub(crate) fn intact(file: &Path) -> Result<(), Failure> {
    let summary = file.with_file_name(SUMMARY);
    let recorded = fs::read(&summary).ok().and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    let Some(name) = file.file_name().and_then(|name| name.to_str()) else { return Ok(()) };
    let Some(recorded) = recorded.as_ref().and_then(|summary| summary["checksums"][name].as_str()) else {
        return Ok(());
    };
    let found = File::open(file).and_then(extent);
    let found = found.map_err(|error| Failure::Input(format!("{}: cannot be read: {error}", shown(&file))))?;
    if found.to_string() == recorded {
        return Ok(());
    }
    let (file, summary) = (shown(&file), shown(&summary));
    let change = format!("length and checksum are {found}, and {recorded} in {summary}");
    Err(Failure::Input(format!("{file}: has changed since it was written: {change}")))
}

/// The extent of a file.
pub(crate) fn extent(from: impl Read) -> io::Result<Extent> {
    let mut from = Summed::new(from);
    io::copy(&mut from, &mut io::sink())?;
    Ok(from.extent())
}

/// The folder of the results of a scenario: the requested one, or by default `throng-out/NAME`.
pub(crate) fn folder(requested: Option<&Path>, scenario: &Path) -> PathBuf {
    // The stem of `...toml` is `..`, which is not a folder of its own.
    let stem = scenario.file_stem().filter(|stem| *stem != "." && *stem != "..");
    let default = || Path::new("throng-out").join(stem.unwrap_or("scenario".as_ref()));
    requested.map_or_else(default, Path::to_owned)
}

/// Adds the results in this folder to the files of a command, with the checkpoints.
pub(crate) fn add_to(paths: &mut Paths, folder: &Path) {
    ALL.iter().for_each(|name| paths.writes(format!("{name} of the results"), &folder.join(name)));
    paths.fills("the folder of checkpoints", &folder_of(folder));
}

/// Adds the results in this folder to the files of a command that reads them.
pub(crate) fn add_read(paths: &mut Paths, folder: &Path) {
    ALL.iter().for_each(|name| paths.reads(format!("{name} of the results"), &folder.join(name)));
}

/// The folder of one run's results. Only one program at a time has it open.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    written: Vec<&'static str>,
    /// The summary, which is written last: it vouches for the other files. Its lock is the lock of the folder.
    summary: AtomicFile,
}

impl Folder {
    /// Opens the requested folder, or by default `throng-out/NAME`, where each run replaces the results of the last
    /// one.
    ///
    /// # Errors
    ///
    /// Fails if `force` is not set and the requested folder holds results, or either folder the checkpoints of a run
    /// that did not end; if another run writes to the folder; or if it cannot be created.
    pub(crate) fn open(requested: Option<&Path>, scenario: &Path, force: bool) -> Result<Self, Failure> {
        let path = folder(requested, scenario);
        let shown = shown(&path).to_string();
        if !force && any_checkpoint(&path) && !has_ended(&path) {
            return Err(Failure::Input(format!(
                "{shown} holds checkpoints of a run that has not ended: `throng resume {shown}` goes on with it, --force \
                 replaces it"
            )));
        }
        let held = ALL.into_iter().find(|name| path.join(name).exists());
        if let Some(held) = held.filter(|_| requested.is_some() && !force) {
            return Err(Failure::Input(format!(
                "{shown} holds results of an earlier run ({held}); --force replaces them"
            )));
        }
        fs::create_dir_all(&path).map_err(|error| Failure::write(&path, &error))?;
        let folder = Self::reopen(path)?;
        ALL.iter().filter(|name| **name != SUMMARY).for_each(|name| atomic_file::clear(&folder.path(name)));
        Ok(folder)
    }

    /// Opens the folder of a run to continue.
    pub(crate) fn reopen(path: PathBuf) -> Result<Self, Failure> {
        let summary = AtomicFile::start(path.join(SUMMARY))?;
        Ok(Self { path, written: vec![SUMMARY], summary })
    }

    /// The path of one of the results.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The path of the folder.
    pub(crate) fn root(&self) -> &Path {
        &self.path
    }

    /// Notes that the run writes one of the results.
    pub(crate) fn expect(&mut self, name: &'static str) {
        self.written.push(name);
    }

    /// Creates one of the results under a temporary name.
    pub(crate) fn start(&mut self, name: &'static str) -> Result<AtomicFile, Failure> {
        self.written.push(name);
        AtomicFile::start(self.path(name))
    }

    /// Continues one of the results.
    pub(crate) fn resume(&mut self, name: &'static str, extent: Extent) -> Result<AtomicFile, Failure> {
        self.written.push(name);
        AtomicFile::resume(self.path(name), extent)
    }

    /// Writes one of the results as a whole.
    pub(crate) fn write(&mut self, name: &'static str, bytes: &[u8]) -> Result<(), Failure> {
        let mut file = self.start(name)?;
        file.write(|file| file.write_all(bytes))?;
        file.keep()
    }

    /// Removes the summary of an earlier run, before its files are replaced one by one.
    pub(crate) fn withdraw(&self) {
        // The file may be missing.
        let _ = fs::remove_file(self.path(SUMMARY));
    }

    /// Writes the summary, and removes the results of an earlier run that this one did not write.
    pub(crate) fn complete(mut self, summary: &str) -> Result<(), Failure> {
        for name in ALL {
            if !self.written.contains(&name) {
                let _ = fs::remove_file(self.path(name));
            }
        }
        self.summary.write(|file| file.write_all(summary.as_bytes()))?;
        self.summary.keep()
    }
}

/// Whether the last run with results in this folder has come to its end.
pub(crate) fn has_ended(path: &Path) -> bool {
    let summary = fs::read(path.join(SUMMARY)).ok();
    let summary = summary.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    summary.is_some_and(|summary| summary["interrupted"] == false)
}
