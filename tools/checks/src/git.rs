//! The repository as Git has it: its files, and the lines that were added since a commit.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// The lines that a repository gained since a commit.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Added {
    /// The numbers of the lines in each file.
    pub(crate) lines: BTreeMap<String, BTreeSet<usize>>,
    /// The texts of lines that were removed: a line that is here and among the added ones has moved.
    pub(crate) removed: BTreeSet<String>,
}

/// Runs Git and returns its output, or `None` if it fails.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn commit(root: &Path, name: &str) -> Option<String> {
    let found = git(root, &["rev-parse", "--verify", "--quiet", &format!("{name}^{{commit}}")])?;
    Some(found.trim().to_owned())
}

/// Returns the tracked files with these patterns, each a path and a text, or `None` without a repository.
pub(crate) fn files(root: &Path, patterns: &[&str]) -> Option<Vec<(String, String)>> {
    let names = git(root, &[&["ls-files", "-z", "--"], patterns].concat())?;
    // A file that is deleted but still tracked has no text.
    let text = |name: &str| Some((name.to_owned(), std::fs::read_to_string(root.join(name)).ok()?));
    let files: Vec<_> = names.split_terminator('\0').filter_map(text).collect();
    (!files.is_empty()).then_some(files)
}

/// Returns the commit that new work is compared with: where it left the main branch, or the commit before the last one
/// on the main branch itself. A clone of one commit has only that one.
pub(crate) fn base(root: &Path) -> Option<String> {
    let head = commit(root, "HEAD")?;
    let left = ["origin/main", "main"].iter().find_map(|main| git(root, &["merge-base", "HEAD", main]));
    let left = left.map(|left| left.trim().to_owned()).filter(|left| *left != head);
    left.or_else(|| commit(root, "HEAD~1")).or(Some(head))
}

/// Returns the lines of files with these patterns that were added since a commit, also those that no commit has yet.
/// A file that only moved has none.
pub(crate) fn added(root: &Path, base: &str, patterns: &[&str]) -> Option<Added> {
    let base = commit(root, base)?;
    let options =
        ["-c", "core.quotePath=false", "diff", "--unified=0", "--find-renames", "--no-color", "--no-ext-diff"];
    let prefixes = ["--src-prefix=a/", "--dst-prefix=b/", &base, "--"];
    Some(parse(&git(root, &[&options[..], &prefixes, patterns].concat())?))
}

/// Reads the output of `git diff --unified=0`.
fn parse(diff: &str) -> Added {
    let (mut added, mut file) = (Added::default(), "");
    // The lines of a hunk that follow, and the number of its next added line.
    let (mut minus, mut plus, mut next) = (0, 0, 0);
    for line in diff.lines() {
        match line.chars().next() {
            Some('-') if minus > 0 => {
                minus -= 1;
                added.removed.insert(line[1..].trim().to_owned());
            }
            Some('+') if plus > 0 => {
                plus -= 1;
                added.lines.entry(file.to_owned()).or_default().insert(next);
                next += 1;
            }
            _ => {
                if let Some(name) = line.strip_prefix("+++ b/") {
                    file = name.trim_end_matches('\t');
                } else if let Some((old, new)) = line.strip_prefix("@@ -").and_then(|hunk| hunk.split_once(" +")) {
                    minus = range(old).1;
                    (next, plus) = range(new.split_once(' ').map_or(new, |(new, _)| new));
                }
            }
        }
    }
    added
}

/// Reads the first line and the number of lines in a side of a hunk, `7,2` or `7`.
fn range(side: &str) -> (usize, usize) {
    let (first, number) = side.split_once(',').unwrap_or((side, "1"));
    (first.parse().unwrap_or(0), number.parse().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::PathBuf;

    use super::{added, base, files, git, parse};

    #[test]
    fn lines_of_a_hunk_are_numbered() {
        let diff = "diff --git a/a.rs b/a b.rs\nrename from a.rs\n--- a/a.rs\n+++ b/a b.rs\t\n@@ -2 +2,2 @@ fn a()\n\
                    --- x\n+++ b/y\n+z\n\\ No newline at end of file\n@@ -9,1 +10,0 @@\n-w\n@@ -20,0 +20 @@\n+v\n";
        let added = parse(diff);
        assert_eq!(added.lines.into_iter().collect::<Vec<_>>(), [("a b.rs".to_owned(), BTreeSet::from([2, 3, 20]))]);
        assert_eq!(added.removed, BTreeSet::from(["-- x".to_owned(), "w".to_owned()]));
    }

    /// A repository in a folder of its own, which is removed at the end.
    struct Repository(PathBuf);

    impl Repository {
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("throng-checks-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder).unwrap();
            let repository = Self(folder);
            repository.git(&["init", "--quiet", "--initial-branch=main"]);
            repository
        }

        fn git(&self, arguments: &[&str]) -> String {
            let author = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"];
            git(&self.0, &[&author[..], arguments].concat()).unwrap_or_else(|| panic!("git {arguments:?}"))
        }

        fn write(&self, name: &str, text: &str) {
            fs::write(self.0.join(name), text).unwrap();
        }

        fn commit(&self) -> String {
            self.git(&["add", "--all"]);
            self.git(&["commit", "--quiet", "--message=a"]);
            super::commit(&self.0, "HEAD").unwrap()
        }

        /// The added lines since the base, `FILE:LINE`.
        fn added(&self) -> Vec<String> {
            let added = added(&self.0, &base(&self.0).unwrap(), &["*.rs"]).unwrap();
            added
                .lines
                .iter()
                .flat_map(|(file, lines)| lines.iter().map(move |line| format!("{file}:{line}")))
                .collect()
        }
    }

    impl Drop for Repository {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn work_is_compared_with_the_place_where_it_left_the_main_branch() {
        let repository = Repository::new("base");
        assert_eq!(base(&repository.0), None, "no commit");
        repository.write("a.rs", "a\nb\nc\nd\ne\n");
        let first = repository.commit();
        assert_eq!(base(&repository.0), Some(first.clone()), "only one commit");
        repository.write("a.rs", "a\nb\nc\nd\ne\nf\n");
        assert_eq!(repository.added(), ["a.rs:6"], "not committed");
        let second = repository.commit();
        assert_eq!(base(&repository.0), Some(first), "on the main branch");
        assert_eq!(repository.added(), ["a.rs:6"]);
        repository.git(&["checkout", "--quiet", "-b", "work"]);
        repository.git(&["mv", "a.rs", "b.rs"]);
        repository.commit();
        assert_eq!(repository.added(), [""; 0], "moved");
        repository.write("b.rs", "a\nb\ng\nd\ne\nf\n");
        repository.write("c.md", "a\n");
        repository.commit();
        assert_eq!(base(&repository.0), Some(second), "on another branch");
        assert_eq!(repository.added(), ["b.rs:3"]);
        assert_eq!(files(&repository.0, &["*.md"]).unwrap(), [("c.md".to_owned(), "a\n".to_owned())]);
    }

    #[test]
    fn a_clone_of_one_commit_has_no_added_lines() {
        let repository = Repository::new("shallow");
        for text in ["a\n", "b\n"] {
            repository.write("a.rs", text);
            repository.commit();
        }
        let clone = repository.0.join("clone");
        let from = format!("file://{}", repository.0.to_str().unwrap());
        repository.git(&["clone", "--quiet", "--depth=1", &from, clone.to_str().unwrap()]);
        let head = super::commit(&clone, "HEAD").unwrap();
        assert_eq!(base(&clone).as_ref(), Some(&head));
        assert_eq!(added(&clone, &head, &["*.rs"]).unwrap().lines.len(), 0);
    }

    #[test]
    fn a_folder_without_a_repository_has_no_base() {
        let folder = std::env::temp_dir().join(format!("throng-checks-none-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        assert_eq!((base(&folder), files(&folder, &["*.rs"])), (None, None));
        fs::remove_dir_all(&folder).unwrap();
    }
}
