//! The source of worlds: the text of a scenario, and the overrides of the command line.

use std::path::{Path, PathBuf};

use throng::Registry;
use throng_scenario::{Problems, Scenario};

use super::built_in;
use super::files::{caption, scenarios};

/// Where a scenario is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a file.
    File,
    /// In the program, or in a link.
    Program,
    /// In the standard input.
    Input,
}

/// Returns the overrides, with the seed as the last of them.
#[must_use]
pub fn overrides(set: &[String], seed: Option<u64>) -> Vec<String> {
    set.iter().cloned().chain(seed.map(|seed| format!("world.seed={seed}"))).collect()
}

/// The text of a scenario when it was read, and the overrides.
#[derive(Clone, Debug)]
pub struct Source {
    /// The rules that the file may name.
    pub(super) registry: Registry,
    /// Its file, or the name of one that is in no file.
    pub(super) file: PathBuf,
    /// The text when the file was read. A saved scenario matches the running world even if the file changes later.
    pub(super) text: String,
    /// The overrides of the command line.
    pub(super) sets: Vec<String>,
    pub(super) seed: Option<u64>,
    place: Place,
}

impl Source {
    /// The source of a scenario.
    #[must_use]
    pub fn new(registry: Registry, file: PathBuf, text: String, place: Place) -> Self {
        Self { registry, file, text, sets: Vec::new(), seed: None, place }
    }

    /// The same source with the overrides of the command line.
    #[must_use]
    pub fn with(self, sets: &[String], seed: Option<u64>) -> Self {
        Self { sets: sets.to_vec(), seed, ..self }
    }

    /// Reads a file.
    fn read(registry: Registry, file: &Path) -> Result<Self, Problems> {
        Ok(Self::new(registry, file.to_owned(), Scenario::read(file)?, Place::File))
    }

    /// Reads the same file again.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read.
    pub fn reread(&self) -> Result<Self, Problems> {
        match self.place {
            Place::File => Ok(Self::read(self.registry.clone(), &self.file)?.with(&self.sets, self.seed)),
            Place::Program | Place::Input => Ok(self.clone()),
        }
    }

    /// Reads another scenario of the gallery. Only the names of [`Self::siblings`] are valid, so that a path cannot
    /// leave the folder.
    ///
    /// # Errors
    ///
    /// Fails with the reason if there is none of this name, or if it cannot be read.
    pub fn sibling(&self, name: &str) -> Result<Self, String> {
        if !self.siblings().iter().any(|other| other == name) {
            return Err(format!("the gallery does not contain the scenario {name:?}"));
        }
        // It keeps the folder, whose files are still in the gallery.
        let file = self.file.with_file_name(name);
        match built_in::text(name) {
            Some(text) => Ok(Self::new(self.registry.clone(), file, text.to_owned(), Place::Program)),
            None => Self::read(self.registry.clone(), &file).map_err(|problems| problems.to_string()),
        }
    }

    /// Its file, or the name of one that is in no file.
    #[must_use]
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The text of the scenario.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Parses the scenario with the overrides.
    ///
    /// # Errors
    ///
    /// Fails if the scenario has mistakes.
    pub fn load(&self) -> Result<Scenario, Problems> {
        Scenario::parse_in(&self.registry, &self.text, &self.path(), &overrides(&self.sets, self.seed))
    }

    /// Parses another text in place of the file's, without the overrides.
    pub(crate) fn parse(&self, text: &str) -> Result<Scenario, Problems> {
        Scenario::parse_in(&self.registry, text, &self.path(), &[])
    }

    /// The names of the scenarios of the gallery: the files in the same folder, which end in `.toml`, and the scenarios in
    /// the program that are not among them.
    #[must_use]
    pub fn siblings(&self) -> Vec<String> {
        let folder = self.file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let files = scenarios(folder).unwrap_or_default();
        // A folder that was not asked for may have other files in TOML.
        let is_scenario = |file: &&PathBuf| {
            let text = || std::fs::read_to_string(file).unwrap_or_default();
            self.place != Place::Program || text().lines().any(|line| line.starts_with("format"))
        };
        let files = files.iter().filter(is_scenario);
        let mut names: Vec<String> = files.filter_map(|file| file.file_name()?.to_str().map(str::to_owned)).collect();
        let is_new = |name: &str| !names.contains(&format!("{name}.toml"));
        let shipped: Vec<String> =
            built_in::all().filter(|(name, _)| is_new(name)).map(|(name, _)| name.to_owned()).collect();
        names.extend(shipped);
        names
    }

    /// The name of the scenario of the program that it is, without overrides.
    pub(crate) fn shipped(&self) -> Option<&'static str> {
        built_in::name_of(&self.text).filter(|_| self.sets.is_empty() && self.seed.is_none())
    }

    /// The comment at the start of the file, without its marks; paragraphs are lines.
    #[must_use]
    pub fn caption(&self) -> String {
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
        // A scenario inside the program has a name, and no folder.
        let file = Path::new(self.file.file_name().unwrap_or_default());
        let file = if self.place == Place::Program { file } else { &self.file };
        file.to_string_lossy().into_owned()
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
