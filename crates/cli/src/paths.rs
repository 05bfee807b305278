//! The files of a command: no output replaces another one, or a file that the command reads.

use std::fs;
use std::path::{Component, Path, PathBuf, absolute};

use throng_scenario::shown;

use crate::atomic_file::temporary;
use crate::failure::Failure;

/// All files of a command, inputs and outputs.
#[derive(Debug, Default)]
pub(crate) struct Paths(Vec<Named>);

/// A file or folder of a command.
#[derive(Debug)]
struct Named {
    /// Its meaning for the user, such as an option.
    role: String,
    path: PathBuf,
    /// The path after links, and for an output its path while it is incomplete.
    places: Vec<PathBuf>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Input,
    Output,
    /// A folder of outputs.
    Folder,
}

impl Paths {
    /// Adds a file that the command reads. The name of a scenario in the program is not a file.
    pub(crate) fn reads(&mut self, role: impl Into<String>, path: &Path) {
        if path.exists() && !path.is_dir() {
            let places = vec![resolved(path)];
            self.0.push(Named { role: role.into(), path: path.to_owned(), places, kind: Kind::Input });
        }
    }

    /// Adds a file that the command may replace.
    pub(crate) fn writes(&mut self, role: impl Into<String>, path: &Path) {
        let places = vec![resolved(path), resolved(&temporary(path))];
        self.0.push(Named { role: role.into(), path: path.to_owned(), places, kind: Kind::Output });
    }

    /// Adds a folder whose files the command may all replace.
    pub(crate) fn fills(&mut self, role: impl Into<String>, folder: &Path) {
        let places = vec![resolved(folder)];
        self.0.push(Named { role: role.into(), path: folder.to_owned(), places, kind: Kind::Folder });
    }

    /// Refuses an output that is another file of the command, or a folder that has one.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        for (number, output) in self.0.iter().enumerate().filter(|(_, named)| named.kind != Kind::Input) {
            if output.kind == Kind::Output && output.path.is_dir() {
                return Err(Failure::Input(format!("{}: {} is a folder", shown(&output.path), output.role)));
            }
            let holds =
                |other: &Named| other.places.iter().any(|place| output.places.iter().any(|own| place.starts_with(own)));
            let other = self.0.iter().enumerate().find(|(other, named)| *other != number && holds(named));
            let Some((_, other)) = other else { continue };
            let (role, other_role) = (&output.role, &other.role);
            let also = if other.path == output.path { String::new() } else { format!(" ({})", shown(&other.path)) };
            let reason = match other.kind {
                Kind::Input => format!("{role} would replace {other_role}{also}, which is read"),
                _ => format!("{role} and {other_role}{also} would be one file"),
            };
            return Err(Failure::Input(format!("{}: {reason}", shown(&output.path))));
        }
        Ok(())
    }
}

/// The path after links. A part that does not exist yet has none.
fn resolved(path: &Path) -> PathBuf {
    let path = absolute(path).unwrap_or_else(|_| path.to_owned());
    let known = path.ancestors().find_map(|known| Some((known, fs::canonicalize(known).ok()?)));
    let Some((known, mut found)) = known else { return path };
    for part in path.strip_prefix(known).unwrap_or(Path::new("")).components() {
        match part {
            Component::ParentDir => _ = found.pop(),
            part => found.push(part),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The refusal of these outputs and inputs in a new folder, without the folder's name.
    fn refusal(name: &str, outputs: &[&str], inputs: &[&str]) -> Option<String> {
        let folder = std::env::temp_dir().join(format!("throng-paths-{name}-{}", std::process::id()));
        fs::create_dir_all(folder.join("results")).unwrap();
        fs::write(folder.join("d.toml"), "").unwrap();
        #[cfg(unix)]
        let _ = std::os::unix::fs::symlink(&folder, folder.join("link"));
        let mut paths = Paths::default();
        inputs.iter().for_each(|input| paths.reads("the scenario", &folder.join(input)));
        outputs.iter().for_each(|output| paths.writes("an output", &folder.join(output)));
        let refused = paths.check().err().map(|failure| failure.to_string());
        let refused = refused.map(|text| text.replace(&format!("{}/", shown(&folder)), ""));
        fs::remove_dir_all(&folder).unwrap();
        refused
    }

    #[test]
    fn files_are_the_same_after_links_and_before_they_exist() {
        assert_eq!(refusal("apart", &["a.png", "results/a.png", "e.toml"], &["d.toml", "hall"]), None);
        let same = "a.png: an output and an output would be one file";
        assert_eq!(refusal("same", &["a.png", "a.png"], &[]).as_deref(), Some(same));
        for again in ["results/../a.png", "./a.png", "new/../a.png", "a.png/b.png", ".a.png.part"] {
            let refused = refusal("again", &["a.png", again], &[]);
            assert!(refused.is_some_and(|text| text.ends_with("would be one file")), "{again}");
        }
        assert_eq!(refusal("folder", &["results"], &[]).as_deref(), Some("results: an output is a folder"));
        let input = "d.toml: an output would replace the scenario, which is read";
        assert_eq!(refusal("input", &["d.toml"], &["d.toml"]).as_deref(), Some(input));
        #[cfg(unix)]
        for (output, input) in [("link/d.toml", "d.toml"), ("d.toml", "link/link/d.toml")] {
            let refused = refusal("link", &[output], &[input]);
            assert!(refused.is_some_and(|text| text.contains("would replace the scenario (")), "{output}");
        }
    }
}
