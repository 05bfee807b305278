//! The source of worlds: the text of a scenario, and the overrides of the command line.

use std::path::{Path, PathBuf};

use throng::Registry;
use throng_scenario::{Problems, Scenario};

use crate::arguments::overrides;
use crate::built_in;
use crate::files::{caption, scenarios};
use crate::find::{Found, Place};

/// The text of a scenario when it was read, and the overrides.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// The rules that the file may name.
    pub(super) registry: Registry,
    pub(super) file: PathBuf,
    /// The text when the file was read. A saved scenario matches the running world even if the file changes later.
    pub(super) text: String,
    /// The overrides of the command line.
    pub(super) sets: Vec<String>,
    pub(super) seed: Option<u64>,
    place: Place,
}

impl Source {
    /// The source of a scenario that was found.
    pub(crate) fn of(registry: Registry, found: Found, sets: &[String], seed: Option<u64>) -> Self {
        let Found { file, text, place } = found;
        Self { registry, file, text, sets: sets.to_vec(), seed, place }
    }

    /// Reads a file.
    pub(crate) fn read(registry: Registry, file: &Path, sets: &[String], seed: Option<u64>) -> Result<Self, Problems> {
        let found = Found { file: file.to_owned(), text: Scenario::read(file)?, place: Place::File };
        Ok(Self::of(registry, found, sets, seed))
    }

    /// Reads the same file again.
    pub(crate) fn reread(&self) -> Result<Self, Problems> {
        match self.place {
            Place::File => Self::read(self.registry.clone(), &self.file, &self.sets, self.seed),
            Place::Program | Place::Input => Ok(self.clone()),
        }
    }

    /// Reads another scenario of the gallery. Only the names of [`Self::siblings`] are valid, so that a path cannot
    /// leave the folder.
    pub(crate) fn sibling(&self, name: &str) -> Result<Self, String> {
        if !self.siblings().iter().any(|other| other == name) {
            return Err(format!("the gallery does not contain the scenario {name:?}"));
        }
        match built_in::text(name).filter(|_| self.place == Place::Program) {
            Some(text) => {
                let found = Found { file: name.into(), text: text.to_owned(), place: Place::Program };
                Ok(Self::of(self.registry.clone(), found, &[], None))
            }
            None => Self::read(self.registry.clone(), &self.file.with_file_name(name), &[], None)
                .map_err(|problems| problems.to_string()),
        }
    }

    /// Parses the scenario with the overrides.
    pub(crate) fn load(&self) -> Result<Scenario, Problems> {
        Scenario::parse_in(&self.registry, &self.text, &self.path(), &overrides(&self.sets, self.seed))
    }

    /// Parses another text in place of the file's, without the overrides.
    pub(crate) fn parse(&self, text: &str) -> Result<Scenario, Problems> {
        Scenario::parse_in(&self.registry, text, &self.path(), &[])
    }

    /// The names of the scenarios in the program, or of the files in the same folder.
    pub(crate) fn siblings(&self) -> Vec<String> {
        if self.place == Place::Program {
            return built_in::all().map(|(name, _)| name.to_owned()).collect();
        }
        let folder = self.file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let files = scenarios(folder).unwrap_or_default();
        files.iter().filter_map(|file| file.file_name()?.to_str().map(str::to_owned)).collect()
    }

    /// The comment at the start of the file, without its marks; paragraphs are lines.
    pub(crate) fn caption(&self) -> String {
        caption(&self.text)
    }

    /// The command that runs this scenario, without the number of ticks.
    pub(crate) fn command(&self) -> String {
        let mut command = format!("throng run {}", quoted(&self.path()));
        for set in &self.sets {
            command += &format!(" --set {}", quoted(set));
        }
        if let Some(seed) = self.seed {
            command += &format!(" --seed {seed}");
        }
        command
    }

    /// The name of the file, also if there is none yet.
    pub(crate) fn name(&self) -> String {
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        if self.place == Place::File { name.into_owned() } else { format!("{name}.toml") }
    }

    fn path(&self) -> String {
        self.file.display().to_string()
    }
}

/// Quotes a word of a command line for a shell, if necessary.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,@+".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_commands_are_quoted_where_a_shell_needs_it() {
        assert_eq!(quoted("scenarios/hunt.toml"), "scenarios/hunt.toml");
        assert_eq!(quoted("a b's"), r"'a b'\''s'");
    }
}
