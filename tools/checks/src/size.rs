//! Lines of code: counts of the library and of all Rust, which stay within a budget.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, ImplItemFn, Item, ItemMod};

use crate::modules::{attributes, is_for_tests};

/// The crate whose modules are for tests and count nevertheless: it is a tool.
const TOOL: &str = "determinism";

/// Counts the lines of code of each file. Lines of code are neither blank nor comments nor tests: items with
/// `#[cfg(test)]` or `#[test]`, the files of such modules, and folders with the name `tests`.
pub(crate) fn count(files: &[(String, String)]) -> Result<BTreeMap<PathBuf, usize>, String> {
    let (mut counts, mut of_tests) = (BTreeMap::new(), Vec::new());
    for (path, text) in files {
        let path = Path::new(path);
        let is_within = |name| path.parent().is_some_and(|folder| folder.iter().any(|part| part == name));
        if is_within("tests") {
            continue;
        }
        let failed = |error: syn::Error| format!("{}:{}: {error}", path.to_string_lossy(), error.span().start().line);
        let tokens: TokenStream = text.parse().map_err(|error| failed(syn::Error::from(error)))?;
        let parsed: syn::File = syn::parse2(tokens.clone()).map_err(failed)?;
        if is_for_tests(&parsed.attrs) {
            continue;
        }
        let mut tests = Tests::default();
        if !is_within(TOOL) {
            tests.visit_file(&parsed);
        }
        of_tests.extend(tests.modules.iter().map(|name| folder_of_modules(path).join(name)));
        let mut lines = BTreeSet::new();
        lines_of_code(tokens, &text.lines().collect::<Vec<_>>(), &mut lines);
        lines.retain(|line| !tests.lines.iter().any(|of| of.contains(line)));
        counts.insert(path.to_owned(), lines.len());
    }
    // `NAME.rs` and everything in `NAME/`.
    counts.retain(|path, _| !of_tests.iter().any(|module| path.with_extension("").starts_with(module)));
    Ok(counts)
}

/// Returns the part of the repository that a file belongs to: its folder, and the folder within folders of crates.
pub(crate) fn part(path: &Path) -> PathBuf {
    let groups = ["src", "bindings", "crates", "tools"];
    let depth = if groups.iter().any(|group| path.starts_with(group)) { 2 } else { 1 };
    path.parent().unwrap_or(Path::new("")).iter().take(depth).collect()
}

/// Returns the folder that contains the modules which a file declares.
fn folder_of_modules(path: &Path) -> PathBuf {
    let is_root = ["mod", "lib", "main"].iter().any(|name| path.file_stem().is_some_and(|stem| stem == *name));
    if is_root { path.parent().unwrap_or(Path::new("")).to_owned() } else { path.with_extension("") }
}

/// The tests of a file: their lines, and the names of their modules that are files.
#[derive(Default)]
struct Tests {
    lines: Vec<RangeInclusive<usize>>,
    modules: Vec<String>,
}

impl Tests {
    fn add(&mut self, item: &impl Spanned) {
        let span = item.span();
        self.lines.push(span.start().line..=span.end().line);
    }
}

impl Visit<'_> for Tests {
    fn visit_item(&mut self, item: &Item) {
        if !is_for_tests(attributes(item)) {
            return visit::visit_item(self, item);
        }
        self.add(item);
        if let Item::Mod(ItemMod { ident, content: None, .. }) = item {
            self.modules.push(ident.to_string());
        }
    }

    fn visit_impl_item_fn(&mut self, method: &ImplItemFn) {
        if is_for_tests(&method.attrs) {
            self.add(method);
        }
    }

    // Bodies contain no tests.
    fn visit_block(&mut self, _: &Block) {}
}

/// Collects the numbers of the lines with tokens. A token in a line that begins as a comment is a doc comment.
fn lines_of_code(tokens: TokenStream, text: &[&str], lines: &mut BTreeSet<usize>) {
    for token in tokens {
        let (first, last) = (token.span().start().line, token.span().end().line);
        if text[first - 1].trim_start().starts_with("//") {
            continue;
        }
        if let TokenTree::Group(group) = token {
            lines.extend([first, last]);
            lines_of_code(group.stream(), text, lines);
        } else {
            // A literal of several lines may contain blank ones.
            lines.extend((first..=last).filter(|line| !text[line - 1].trim().is_empty()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{count, part};

    fn counts(files: &[(&str, &str)]) -> Vec<(String, usize)> {
        let files: Vec<_> = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        let counts = count(&files).unwrap();
        counts.into_iter().map(|(path, lines)| (path.to_str().unwrap().to_owned(), lines)).collect()
    }

    #[test]
    fn blank_lines_and_comments_do_not_count() {
        let text =
            "//! Doc.\n\n/* a\nb */\n    /// Doc.\nfn a() { // why\n    // why\n    b(\"c\n\nd\"); /* e\nf */\n}\n";
        assert_eq!(counts(&[("a.rs", text)]), [("a.rs".to_owned(), 4)]);
    }

    #[test]
    fn tests_do_not_count() {
        let lib = "mod a;\n#[cfg(test)]\nmod b;\n#[cfg(test)]\nmod c {\n    fn d() {}\n}\nfn e() {}\n";
        let a = "struct A;\nimpl A {\n    #[cfg(test)]\n    fn a() {}\n}\n#[cfg(test)]\nmod b;\n#[test]\nfn c() {}\n";
        let files = [
            ("x/src/lib.rs", lib),
            ("x/src/a.rs", a),
            ("x/src/a/b.rs", "fn a() {}"),
            ("x/src/b/mod.rs", "mod c;"),
            ("x/src/b/c.rs", "fn a() {}"),
            ("x/src/c.rs", "#![cfg(test)]\nfn a() {}"),
            ("x/tests/main.rs", "fn a() {}"),
        ];
        assert_eq!(counts(&files), [("x/src/a.rs".to_owned(), 3), ("x/src/lib.rs".to_owned(), 2)]);
    }

    #[test]
    fn a_part_is_a_folder_or_a_folder_of_a_group() {
        let parts = [
            ("src/lib.rs", "src"),
            ("src/a/b/c.rs", "src/a"),
            ("cli/src/a.rs", "cli"),
            ("bindings/c/src/a.rs", "bindings/c"),
        ];
        for (path, expected) in parts {
            assert_eq!(part(Path::new(path)), Path::new(expected));
        }
    }
}
