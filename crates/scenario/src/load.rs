//! Loading of scenarios from texts and files.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use throng::Registry;

use crate::check::check;
use crate::definition::Scenario;
use crate::document::Document;
use crate::keys::{LARGEST_FILE, MOST_VALUES};
use crate::problem::{Problem, Problems};
use crate::reason::Reason;

impl Scenario {
    /// Reads a scenario from the text of a file; messages refer to it as `file`.
    ///
    /// # Errors
    ///
    /// All problems of the text.
    pub fn parse(text: &str, file: &str) -> Result<Self, Problems> {
        Self::parse_with(text, file, &[])
    }

    /// Reads a scenario from text, with overrides of some keys, such as `world.seed=3`, `species.starling.max_speed=9`,
    /// `species.starling.behaviours.0.weight=2` or `species.starling.separation.radius=3`.
    ///
    /// # Errors
    ///
    /// All problems of the file and of the overrides.
    pub fn parse_with(text: &str, file: &str, overrides: &[String]) -> Result<Self, Problems> {
        Self::parse_in(&Registry::new(), text, file, overrides)
    }

    /// Reads a scenario from text, with the rules of a registry: the built-in rules and the rules of the program.
    ///
    /// # Errors
    ///
    /// As for [`parse_with`](Self::parse_with).
    pub fn parse_in(registry: &Registry, text: &str, file: &str, overrides: &[String]) -> Result<Self, Problems> {
        Self::parse_changed(registry, text, file, overrides, |_, _| {})
    }

    /// Reads a scenario from text after a change of its document, with the overrides.
    pub(super) fn parse_changed(
        registry: &Registry,
        text: &str,
        file: &str,
        overrides: &[String],
        change: impl FnOnce(&mut Document<'_>, &mut Problems),
    ) -> Result<Self, Problems> {
        if weight(text) > MOST_VALUES {
            return Err(Problems::whole(file, Reason::TooManyValues));
        }
        check(registry, text, file, overrides, change).map_err(|problems| {
            let no_toml = |problem: &Problem| matches!(problem.reason, Reason::Syntax(_));
            match is_of_another_kind(Path::new(file)) && problems.list().iter().any(no_toml) {
                true => Problems::whole(file, Reason::NotAScenario),
                false => problems,
            }
        })
    }

    /// Reads a scenario file.
    ///
    /// # Errors
    ///
    /// All problems of the file, including that it cannot be read or is larger than [`LARGEST_FILE`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Problems> {
        Self::load_with(path, &[])
    }

    /// Reads a scenario file, with overrides of some keys.
    ///
    /// # Errors
    ///
    /// As for [`load`](Self::load) and [`parse_with`](Self::parse_with).
    pub fn load_with(path: impl AsRef<Path>, overrides: &[String]) -> Result<Self, Problems> {
        Self::load_in(&Registry::new(), path, overrides)
    }

    /// Reads a scenario file, with the rules of a registry: the built-in rules and the rules of the program.
    ///
    /// # Errors
    ///
    /// As for [`load_with`](Self::load_with).
    pub fn load_in(registry: &Registry, path: impl AsRef<Path>, overrides: &[String]) -> Result<Self, Problems> {
        let path = path.as_ref();
        Self::parse_in(registry, &Self::read(path)?, &path.to_string_lossy(), overrides)
    }

    /// Reads the text of a scenario file unchecked, for [`parse`](Self::parse).
    ///
    /// # Errors
    ///
    /// A problem if the file cannot be read, is larger than [`LARGEST_FILE`] or is not UTF-8 text.
    pub fn read(path: impl AsRef<Path>) -> Result<String, Problems> {
        let path = path.as_ref();
        let problem = |reason: Reason| Problems::whole(&path.to_string_lossy(), reason);
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|open| open.take(LARGEST_FILE + 1).read_to_end(&mut bytes));
        read.map_err(|error| problem(Reason::Unreadable { kind: error.kind(), message: error.to_string() }))?;
        if bytes.len() as u64 > LARGEST_FILE {
            return Err(problem(Reason::TooLarge));
        }
        String::from_utf8(bytes).map_err(|error| match is_of_another_kind(path) {
            true => problem(Reason::NotAScenario),
            false => problem(Reason::NotUtf8(error.utf8_error().valid_up_to())),
        })
    }
}

/// Whether the name of a file ends in another way than names of scenarios.
fn is_of_another_kind(file: &Path) -> bool {
    file.extension().is_some_and(|ending| !ending.eq_ignore_ascii_case("toml"))
}

/// The number of values in a text, without parsing it: a parsed file takes a hundred times the memory of its text.
///
/// Each of the signs that begin a value counts one, and a key, which takes the memory of several numbers, counts eight.
fn weight(text: &str) -> u64 {
    text.bytes().fold(0, |weight, byte| {
        weight
            + match byte {
                b'=' => 8,
                b',' | b'[' | b'.' => 1,
                _ => 0,
            }
    })
}
