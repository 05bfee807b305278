//! Where do worlds come from? The text of a scenario file, and what the command line sets.

use std::path::{Path, PathBuf};

use throng::scenario::Problems;
use throng::{Registry, Scenario};

use crate::arguments::overrides;

/// A scenario file as it was when it was read, and what is set beside it.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// The rules that the file may name.
    pub(super) registry: Registry,
    pub(super) file: PathBuf,
    /// Kept, so that what is saved is what runs, whatever has become of the file.
    pub(super) text: String,
    /// What the command line sets.
    pub(super) sets: Vec<String>,
    pub(super) seed: Option<u64>,
}

impl Source {
    /// Reads a file.
    pub(crate) fn read(registry: Registry, file: &Path, sets: &[String], seed: Option<u64>) -> Result<Self, Problems> {
        Ok(Self { registry, file: file.to_owned(), text: Scenario::read(file)?, sets: sets.to_vec(), seed })
    }

    /// The same with the file read again.
    pub(crate) fn again(&self) -> Result<Self, Problems> {
        Self::read(self.registry.clone(), &self.file, &self.sets, self.seed)
    }

    /// Another file of the folder. Only what the list shows: a name is no way out of it.
    pub(crate) fn neighbour(&self, name: &str) -> Result<Self, String> {
        if !self.neighbours().iter().any(|other| other == name) {
            return Err(format!("there is no scenario {name:?} in the folder"));
        }
        let file = self.file.with_file_name(name);
        Self::read(self.registry.clone(), &file, &[], None).map_err(|problems| problems.to_string())
    }

    /// The scenario as the command line has it.
    pub(crate) fn load(&self) -> Result<Scenario, Problems> {
        Scenario::parse_in(&self.registry, &self.text, &self.path(), &overrides(&self.sets, self.seed))
    }

    /// The scenario that another text would be in place of the file's.
    pub(crate) fn would_be(&self, text: &str) -> Result<Scenario, Problems> {
        Scenario::parse_in(&self.registry, text, &self.path(), &[])
    }

    /// The scenario files in the same folder.
    pub(crate) fn neighbours(&self) -> Vec<String> {
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
