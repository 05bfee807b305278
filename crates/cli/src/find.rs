//! The scenario that a name on the command line stands for: a file, the standard input, or one in the program.

use std::io::Read;
use std::path::{Path, PathBuf};

use throng::Registry;
use throng_scenario::{LARGEST_FILE, Scenario, shown};
use throng_view::{Place, built_in};

use crate::failure::Failure;
use crate::files::existing;

/// A scenario that was found, unchecked.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// The file, or the name of one that is in no file. Messages refer to it, and results are named after it.
    pub(crate) file: PathBuf,
    pub(crate) text: String,
    pub(crate) place: Place,
}

impl Found {
    /// Checks the scenario, with overrides of its keys.
    pub(crate) fn parse(&self, registry: &Registry, overrides: &[String]) -> Result<Scenario, Failure> {
        Ok(Scenario::parse_in(registry, &self.text, &self.file.to_string_lossy(), overrides)?)
    }
}

/// Finds the scenario with this name. In this order, NAME is a file, the file `NAME.toml`, the file
/// `scenarios/NAME.toml`, or a scenario in the program; `-` is the standard input.
///
/// # Errors
///
/// The failure suggests the most similar name.
pub(crate) fn find(name: &Path) -> Result<Found, Failure> {
    if name == Path::new("-") {
        return input();
    }
    if let Some(file) = file(name) {
        return Ok(Found { text: Scenario::read(&file)?, file, place: Place::File });
    }
    match name.to_str().and_then(built_in::text) {
        Some(text) => Ok(Found { file: name.to_owned(), text: text.to_owned(), place: Place::Program }),
        None => existing(&name).and_then(|_| Err(Failure::Input(format!("{}: is not a file", shown(&name))))),
    }
}

/// The file that a name stands for.
pub(crate) fn file(name: &Path) -> Option<PathBuf> {
    // A pipe is read as a file is.
    let is_file = |path: &Path| path.exists() && !path.is_dir();
    let mut ended = name.as_os_str().to_owned();
    ended.push(".toml");
    let usual = Path::new("scenarios").join(&ended);
    let single = name.components().count() == 1;
    let names = [Some(name.to_owned()), Some(ended.into()), single.then_some(usual)];
    names.into_iter().flatten().find(|path| is_file(path))
}

/// Reads the standard input.
fn input() -> Result<Found, Failure> {
    let refuse = |reason: String| Failure::Input(format!("the standard input {reason}"));
    let mut text = String::new();
    let read = std::io::stdin().take(LARGEST_FILE + 1).read_to_string(&mut text);
    read.map_err(|error| refuse(format!("cannot be read: {error}")))?;
    if text.len() as u64 > LARGEST_FILE {
        return Err(refuse(format!("is larger than {} MiB", LARGEST_FILE >> 20)));
    }
    Ok(Found { file: PathBuf::from("stdin"), text, place: Place::Input })
}
