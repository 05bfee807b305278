//! The files of trajectories: their places and their endings.

use std::path::{Path, PathBuf, absolute};

use serde::{Deserialize, Serialize};
use throng_formats::trajectory::TrajectoryFormat;
use throng_scenario::shown;

use crate::failure::Failure;
use crate::paths::Paths;
use crate::results::Folder;

/// The least similarity, from 0 to 1, of an ending that is suggested.
const SIMILAR: f64 = 0.5;

/// The files that the command line asks for, in addition to the results.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Requested<'a> {
    pub(crate) files: &'a [PathBuf],
    /// The number of ticks between frames.
    pub(crate) every: Option<u64>,
    /// Another table of the measures.
    pub(crate) measures: Option<&'a Path>,
}

/// The place of a trajectory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Target {
    /// A name in the folder of results, which moves with it.
    Result(String),
    /// Any other path, from the root of the file system.
    Elsewhere(PathBuf),
}

impl Target {
    /// The place of a file that the command line names.
    pub(crate) fn of(file: &Path, folder: Option<&Folder>) -> Self {
        let path = absolute(file).unwrap_or_else(|_| file.to_owned());
        let root = folder.and_then(|folder| absolute(folder.root()).ok());
        match (path.parent(), path.file_name().and_then(|name| name.to_str())) {
            (Some(parent), Some(name)) if Some(parent) == root.as_deref() => Self::Result(name.to_owned()),
            _ => Self::Elsewhere(path),
        }
    }

    /// The path, if it is not in the folder of results.
    pub(crate) fn elsewhere(&self) -> Option<&Path> {
        match self {
            Self::Result(_) => None,
            Self::Elsewhere(path) => Some(path),
        }
    }

    /// Whether the file has this name in the folder of results.
    pub(super) fn is_result(&self, name: &str) -> bool {
        matches!(self, Self::Result(own) if own == name)
    }

    /// The path, with the folder of results.
    pub(crate) fn path(&self, results: Option<&Path>) -> PathBuf {
        match self {
            Self::Result(name) => results.unwrap_or(Path::new("")).join(name),
            Self::Elsewhere(path) => path.clone(),
        }
    }
}

impl Requested<'_> {
    /// Adds the files to the files of the command.
    pub(crate) fn add_to(&self, paths: &mut Paths) {
        for file in self.files {
            let written = TrajectoryFormat::of(file).map_or(file.clone(), |format| format.file(file));
            paths.writes("the file of --trajectory", &written);
        }
        self.measures.iter().for_each(|file| paths.writes("the file of --measures", file));
    }

    /// Refuses files that exist, unless `force` is set.
    pub(crate) fn check(&self, force: bool) -> Result<(), Failure> {
        let refuse = |file: &Path, reason: &str| Err(Failure::Input(format!("{}: {reason}", shown(&file))));
        for file in self.files {
            let written = TrajectoryFormat::of(file).map_or(file.clone(), |format| format.file(file));
            if written.exists() && !force {
                return refuse(&written, "exists; --force replaces it");
            }
        }
        match self.measures {
            Some(file) if file.exists() && !force => refuse(file, "exists; --force replaces it"),
            _ => Ok(()),
        }
    }
}

/// Parses the name of a trajectory.
pub(crate) fn trajectory_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if let Some(format) = TrajectoryFormat::of(&path) {
        return format.missing().map_or(Ok(path), |reason| Err(reason.to_owned()));
    }
    let endings = TrajectoryFormat::ALL.map(TrajectoryFormat::ending);
    let [first @ .., last] = &endings.map(|ending| format!(".{ending}"));
    let known = format!("the name of a trajectory ends in {} or {last}", first.join(", "));
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("").to_ascii_lowercase();
    // Endings that mean the same elsewhere.
    let nearest = match &ending[..] {
        "pvd" => Some("vtp"),
        "usd" | "usdc" | "usdz" => Some("usda"),
        "db" | "sqlite3" => Some("sqlite"),
        "text" | "tsv" => Some("txt"),
        _ => {
            let near = endings.map(|known| (strsim::jaro_winkler(&ending, known), known));
            near.into_iter()
                .filter(|(likeness, known)| *likeness >= SIMILAR && ending.starts_with(&known[..1]))
                .max_by(|a, b| a.0.total_cmp(&b.0))
                .map(|near| near.1)
        }
    };
    let hint = nearest.map(|ending| format!("; did you mean {}?", shown(&path.with_extension(ending))));
    Err(format!("{known}{}", hint.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_choose_formats_and_unknown_ones_have_a_suggestion() {
        assert_eq!(trajectory_file("a/run.CSV"), Ok("a/run.CSV".into()));
        assert_eq!(trajectory_file("a/run.PARQUET").is_ok(), cfg!(feature = "formats"));
        let known = "the name of a trajectory ends in .parquet, .sqlite, .txt, .vtp, .ply, .usda or .csv";
        for (name, meant) in
            [("a/run.parqet", "a/run.parquet"), ("r.pvd", "r.vtp"), ("r.db", "r.sqlite"), ("r.usd", "r.usda")]
        {
            assert_eq!(trajectory_file(name), Err(format!("{known}; did you mean {meant}?")));
        }
        assert_eq!(trajectory_file("run"), Err(known.to_owned()));
        // Endings of other letters, the second with one of two bytes.
        for name in ["run.hdf", "run.\u{fc}sda"] {
            assert_eq!(trajectory_file(name), Err(known.to_owned()));
        }
    }
}
