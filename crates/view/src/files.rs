//! The scenario files of a folder, and their captions.

use std::io;
use std::path::{Path, PathBuf};

/// The most scenarios of a folder.
pub const MOST: usize = 200;

/// Returns the scenario files of a folder, sorted by name, at most [`MOST`].
///
/// # Errors
///
/// Fails if the folder cannot be read.
pub fn scenarios(folder: &Path) -> io::Result<Vec<PathBuf>> {
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

/// The path of an entry, without `./` in front of it.
#[must_use]
pub fn relative(folder: &Path, path: PathBuf) -> PathBuf {
    if folder == Path::new(".") { path.file_name().map_or(path.clone(), PathBuf::from) } else { path }
}

/// The comment at the start of a text, without its marks; paragraphs are lines.
#[must_use]
pub fn caption(text: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caption_is_the_leading_comment() {
        let text = "#:schema x\n\n# A hawk\n# hunts.\n#\n# Two.\n\nformat = 1\n# not this";
        assert_eq!(caption(text), "A hawk hunts.\nTwo.");
        assert_eq!(caption("format = 1\n# later"), "");
    }
}
