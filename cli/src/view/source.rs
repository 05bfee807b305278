//! The source of worlds: the text of a scenario file, and the overrides of the command line.

use std::path::{Path, PathBuf};

use throng::scenario::Problems;
use throng::{Registry, Scenario};

use crate::arguments::overrides;

/// The text of a scenario file when it was read, and the overrides.
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
}

impl Source {
    /// Reads a file.
    pub(crate) fn read(registry: Registry, file: &Path, sets: &[String], seed: Option<u64>) -> Result<Self, Problems> {
        Ok(Self { registry, file: file.to_owned(), text: Scenario::read(file)?, sets: sets.to_vec(), seed })
    }

    /// Reads the same file again.
    pub(crate) fn reread(&self) -> Result<Self, Problems> {
        Self::read(self.registry.clone(), &self.file, &self.sets, self.seed)
    }

    /// Reads another file of the folder. Only the names of [`Self::siblings`] are valid, so that a path cannot leave the
    /// folder.
    pub(crate) fn sibling(&self, name: &str) -> Result<Self, String> {
        if !self.siblings().iter().any(|other| other == name) {
            return Err(format!("the folder does not contain the scenario {name:?}"));
        }
        let file = self.file.with_file_name(name);
        Self::read(self.registry.clone(), &file, &[], None).map_err(|problems| problems.to_string())
    }

    /// Parses the scenario with the overrides.
    pub(crate) fn load(&self) -> Result<Scenario, Problems> {
        Scenario::parse_in(&self.registry, &self.text, &self.path(), &overrides(&self.sets, self.seed))
    }

    /// Parses another text in place of the file's, without the overrides.
    pub(crate) fn parse(&self, text: &str) -> Result<Scenario, Problems> {
        Scenario::parse_in(&self.registry, text, &self.path(), &[])
    }

    /// The names of the scenario files in the same folder.
    pub(crate) fn siblings(&self) -> Vec<String> {
        let folder = self.file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(".toml") && !name.starts_with('.')).collect();
        names.sort_unstable();
        names.truncate(200);
        names
    }

    /// The name of the file.
    pub(crate) fn name(&self) -> String {
        self.file.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn path(&self) -> String {
        self.file.display().to_string()
    }
}
