//! Circles of files: files that use each other, directly or through others.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::modules::File;
use crate::names::Names;

/// Files that all reach each other by their imports.
pub(crate) struct Circle {
    /// The numbers of its files.
    files: Vec<usize>,
}

/// The uses of one file by another: the name and the line of each.
type Edges = BTreeMap<(usize, usize), Vec<(usize, String)>>;

fn edges(names: &Names) -> Edges {
    let mut edges = Edges::new();
    for reference in names.references.iter().filter(|reference| !reference.re_exported) {
        if let Some(to) = names.file_of(&reference.path).filter(|&to| to != reference.file) {
            let used = edges.entry((reference.file, to)).or_default();
            let name = reference.path.join("::");
            if !used.iter().any(|(_, known)| *known == name) {
                used.push((reference.line, name));
            }
        }
    }
    edges
}

/// The strongly connected components with more than one file.
pub(crate) fn circles(files: &[File], names: &Names) -> Vec<Circle> {
    let edges = edges(names);
    let reached: Vec<BTreeSet<usize>> = (0..files.len()).map(|file| reached(file, &edges)).collect();
    let mut left: BTreeSet<usize> = (0..files.len()).collect();
    let mut circles = Vec::new();
    while let Some(first) = left.pop_first() {
        let with: Vec<usize> = left
            .iter()
            .copied()
            .filter(|&other| reached[first].contains(&other) && reached[other].contains(&first))
            .collect();
        left.retain(|file| !with.contains(file));
        if !with.is_empty() {
            circles.push(Circle { files: [vec![first], with].concat() });
        }
    }
    circles
}

/// The files that a file reaches.
fn reached(file: usize, edges: &Edges) -> BTreeSet<usize> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![file]);
    while let Some(from) = open.pop() {
        for &(_, to) in edges.range((from, 0)..(from + 1, 0)).map(|(ends, _)| ends) {
            if reached.insert(to) {
                open.push(to);
            }
        }
    }
    reached
}

impl Circle {
    /// One line for each pair of files, with the names that the first uses of the second.
    pub(crate) fn describe(&self, files: &[File], names: &Names) -> String {
        let mut text = format!("circle of {} files\n", self.files.len());
        for ((from, to), used) in edges(names) {
            if self.files.contains(&from) && self.files.contains(&to) {
                let used: Vec<String> = used.iter().map(|(line, name)| format!("{name} (line {line})")).collect();
                let (from, to) = (files[from].path.to_string_lossy(), files[to].path.to_string_lossy());
                let _ = writeln!(text, "  {from} -> {to}: {}", used.join(", "));
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::circles;
    use crate::modules::parse;
    use crate::names::Names;

    /// Describes the circles of a crate of three files, `lib.rs`, `a/mod.rs` and `a/b.rs`.
    fn describe(lib: &str, a: &str, b: &str) -> Vec<String> {
        let read = |path: &Path| match path.to_str().unwrap() {
            "lib.rs" => Some(lib.to_owned()),
            "a/mod.rs" => Some(format!("mod b; {a}")),
            "a/b.rs" => Some(b.to_owned()),
            _ => None,
        };
        let files = parse(Path::new("lib.rs"), &read).unwrap();
        let names = Names::new(&files);
        circles(&files, &names).iter().map(|circle| circle.describe(&files, &names)).collect()
    }

    #[test]
    fn a_circle_is_found_with_its_imports() {
        let circle =
            ["circle of 2 files\n  a/mod.rs -> a/b.rs: a::b::B (line 2)\n  a/b.rs -> a/mod.rs: a::A (line 1)\n"];
        assert_eq!(describe("mod a;", "struct A;\nuse b::B;", "use super::A; struct B;"), circle);
        assert_eq!(describe("mod a;", "struct A;\nfn f() { b::B; }", "use super::A; struct B;"), circle);
        assert_eq!(describe("mod a;", "pub use b::B; struct A;\nfn f(b: B) {}", "use super::A; struct B;"), circle);
    }

    #[test]
    fn names_that_are_passed_on_close_no_circle() {
        // `a` passes on the names of `b`, and so does the root.
        let none: [String; 0] = [];
        assert_eq!(
            describe("mod a; pub use a::B;", "pub use b::B; pub struct A;", "use super::A; pub struct B;"),
            none
        );
        assert_eq!(describe("mod a; pub use a::A;", "pub struct A;", "use crate::A; use crate::a::A as C;"), none);
    }

    #[test]
    fn a_circle_through_names_of_the_root_is_found() {
        let found =
            describe("mod a; pub use a::{A, B};", "pub use b::B; pub struct A(crate::B);", "pub struct B(crate::A);");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("a/mod.rs -> a/b.rs: B (line 1)"), "{found:?}");
    }
}
