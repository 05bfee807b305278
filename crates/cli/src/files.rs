//! Files: whether they exist, the names that are near to a wrong one, and the first sentence of a caption.

use std::path::{Path, PathBuf};

use throng_scenario::shown;
use throng_view::built_in;
use throng_view::files::{MOST, relative, scenarios};

use crate::failure::Failure;

/// The least similarity, from 0 to 1, of a name that is suggested.
const SIMILAR: f64 = 0.8;

/// The files and folders of a folder; none if it cannot be read.
fn beside(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MOST);
    let mut files: Vec<PathBuf> = entries.map(|entry| relative(folder, entry.path())).collect();
    files.sort();
    files
}

/// Returns this file if it exists.
///
/// # Errors
///
/// The failure suggests the most similar name.
pub(crate) fn existing<P: AsRef<Path>>(input: &P) -> Result<&P, Failure> {
    let path = input.as_ref();
    if path.is_dir() {
        let shown = shown(&path);
        return Err(Failure::Input(format!("{shown} is a folder; `throng list {shown}` lists its scenarios")));
    }
    if path.exists() {
        return Ok(input);
    }
    Err(missing(path, "file"))
}

/// Returns this folder if it exists.
///
/// # Errors
///
/// The failure suggests the most similar name, or the command for a file.
pub(crate) fn existing_folder(path: &Path) -> Result<&Path, Failure> {
    if path.is_dir() {
        return Ok(path);
    }
    if path.exists() {
        let shown = shown(&path);
        return Err(Failure::Input(format!("{shown} is a file; `throng check {shown}` checks it")));
    }
    Err(missing(path, "folder"))
}

/// The failure of a name of this kind that does not exist, with the most similar one.
fn missing(path: &Path, kind: &str) -> Failure {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let stem = |file: &Path| file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    // An ending may be misspelt too.
    let ending = |file: &Path| file.extension().unwrap_or_default().to_string_lossy().into_owned();
    let same_kind =
        |file: &PathBuf| path.extension().is_none() || strsim::osa_distance(&ending(path), &ending(file)) <= 1;
    let likeness = |file: &PathBuf| strsim::jaro_winkler(&stem(path), &stem(file));
    let elsewhere = scenarios(Path::new("scenarios")).unwrap_or_default();
    let known = beside(folder).into_iter().chain(elsewhere).filter(same_kind);
    // A file that is as similar as a scenario of the program comes after it, and is suggested.
    let built_in = built_in::all().map(|(name, _)| PathBuf::from(name));
    let is_scenario =
        path.extension().is_none_or(|extension| strsim::osa_distance(&extension.to_string_lossy(), "toml") <= 1);
    let known = built_in.filter(|_| kind == "file" && is_scenario).chain(known);
    let known = known.filter(|name| kind == "file" || name.is_dir());
    let near = known.map(|file| (likeness(&file), file)).filter(|(likeness, _)| *likeness >= SIMILAR);
    let nearest = near.max_by(|a, b| a.0.total_cmp(&b.0));
    let hint = nearest.map_or(String::new(), |(_, file)| format!("; did you mean {}?", shown(&file)));
    Failure::Input(format!("{}: no such {kind}{hint}", shown(&path)))
}

/// The first sentence of a caption. A full stop ends a sentence if a new one begins after it: not in `et al. (2002)`,
/// `J. Reynolds` or `e.g. birds`.
pub(crate) fn first_sentence(caption: &str) -> &str {
    let line = caption.lines().next().unwrap_or_default();
    let ends = |at: usize| {
        let (before, after) = line.split_at(at + 1);
        let word = before[..at].rsplit([' ', '(']).next().unwrap_or_default();
        let shortened = word.contains('.') || word.chars().count() == 1 && word.chars().all(char::is_uppercase);
        let shortened = shortened || ["al", "cf", "vs", "Fig", "Eq", "No", "Dr", "St"].contains(&word);
        after.starts_with(' ') && !shortened && after.trim_start().starts_with(|next: char| !next.is_lowercase())
    };
    let end = line.match_indices(['.', '!', '?']).map(|(at, _)| at).find(|at| ends(*at));
    end.map_or(line, |at| &line[..=at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_ends_where_another_begins() {
        for (sentence, rest) in [
            ("The model of Couzin et al. (2002) in space: fish that swim in a torus.", " With 0 they are a swarm."),
            ("Boids by C. W. Reynolds, e.g. birds of 0.5 m.", " (Nothing else.)"),
            ("Who flies?", " Birds."),
            ("A flock.", "\nAnother paragraph."),
            ("No end", ""),
        ] {
            assert_eq!(first_sentence(&format!("{sentence}{rest}")), sentence);
        }
    }
}
