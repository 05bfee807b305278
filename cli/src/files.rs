//! Files: the scenarios of a folder, their captions, and the names that are near to a wrong one.

use std::io;
use std::path::{Path, PathBuf};

use crate::built_in;
use crate::failure::Failure;

/// The most scenarios of a folder, and the most files that are compared with a wrong name.
const MOST: usize = 200;
/// The least similarity, from 0 to 1, of a name that is suggested.
const SIMILAR: f64 = 0.8;

/// Returns the scenario files of a folder, sorted by name.
pub(crate) fn scenarios(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let hidden = path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
        if path.extension().is_some_and(|extension| extension == "toml") && !hidden {
            files.push(relative(folder, path));
        }
    }
    files.sort();
    files.truncate(MOST);
    Ok(files)
}

/// The files and folders of a folder; none if it cannot be read.
fn beside(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MOST);
    let mut files: Vec<PathBuf> = entries.map(|entry| relative(folder, entry.path())).collect();
    files.sort();
    files
}

/// The path of an entry, without `./` in front of it.
fn relative(folder: &Path, path: PathBuf) -> PathBuf {
    if folder == Path::new(".") { path.file_name().map_or(path.clone(), PathBuf::from) } else { path }
}

/// Returns this file if it exists.
///
/// # Errors
///
/// The failure suggests the most similar name.
pub(crate) fn existing<P: AsRef<Path>>(input: &P) -> Result<&P, Failure> {
    let path = input.as_ref();
    if path.is_dir() {
        let shown = path.display();
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
        let shown = path.display();
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
    let hint = nearest.map_or(String::new(), |(_, file)| format!("; did you mean {}?", file.display()));
    Failure::Input(format!("{}: no such {kind}{hint}", path.display()))
}

/// The comment at the start of a text, without its marks; paragraphs are lines.
pub(crate) fn caption(text: &str) -> String {
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim_end);
    // Instructions for editors start with `#:`.
    let lines = lines.skip_while(|line| line.starts_with("#:") || line.is_empty());
    let comments = lines.map_while(|line| line.strip_prefix('#')).filter(|line| !line.starts_with(':'));
    let mut caption = String::new();
    for line in comments.map(str::trim) {
        match (line.is_empty(), caption.is_empty() || caption.ends_with('\n')) {
            (true, true) => {}
            (true, false) => caption.push('\n'),
            (false, true) => caption.push_str(line),
            (false, false) => {
                caption.push(' ');
                caption.push_str(line);
            }
        }
    }
    caption.trim_end().to_owned()
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

    #[test]
    fn the_caption_is_the_leading_comment() {
        let text = "#:schema x\n\n# A hawk\n# hunts.\n#\n# Two.\n\nformat = 1\n# not this";
        assert_eq!(caption(text), "A hawk hunts.\nTwo.");
        assert_eq!(caption("format = 1\n# later"), "");
    }
}
