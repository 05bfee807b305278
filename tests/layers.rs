//! Tests that imports go one way: a module of the library uses only modules above it in `src/lib.rs`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the length in bytes of the comment, string or character at the start of `rest`, or zero.
fn not_code(rest: &str) -> usize {
    let until = |from: usize, end: &str| rest[from..].find(end).map_or(rest.len(), |at| from + at + end.len());
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return until(2, "*/");
    }
    if rest.starts_with("r#\"") {
        return until(3, "\"#");
    }
    let mut letters = rest.char_indices();
    match letters.next() {
        Some((_, '"')) => {
            let mut escaped = false;
            let end = letters.find(|&(_, letter)| {
                let ends = letter == '"' && !escaped;
                escaped = letter == '\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |(at, _)| at + 1)
        }
        // A character; a lifetime has no quote after its first letter.
        Some((_, '\'')) => match (letters.next(), letters.next()) {
            (Some((_, '\\')), Some(_)) => until(3, "'"),
            (Some(_), Some((at, '\''))) => at + 1,
            _ => 0,
        },
        _ => 0,
    }
}

/// Returns the source without comments, literals and code for unit tests, which may use the whole library. Line breaks
/// stay.
fn code(source: &str) -> String {
    let (mut code, mut rest) = (String::new(), source);
    while let Some(first) = rest.chars().next() {
        let skipped = not_code(rest);
        code.extend(rest[..skipped].chars().filter(|&letter| letter == '\n'));
        if skipped == 0 {
            code.push(first);
        }
        rest = &rest[if skipped == 0 { first.len_utf8() } else { skipped }..];
    }
    while let Some(start) = code.find(FOR_TESTS) {
        let mut depth = 0;
        let end = code[start..].find(|letter| {
            depth += i32::from(letter == '{') - i32::from(letter == '}');
            depth == 0 && matches!(letter, '}' | ';')
        });
        let end = end.map_or(code.len(), |end| start + end + 1);
        let lines = "\n".repeat(code[start..end].matches('\n').count());
        code.replace_range(start..end, &lines);
    }
    code
}

const FOR_TESTS: &str = "#[cfg(test)]";

/// Returns whether a file is a module for unit tests only, declared as `#[cfg(test)] mod NAME;` in its folder's
/// `mod.rs`.
fn is_for_tests(folder: &Path, file: &Path) -> bool {
    let parent = folder.join(file).with_file_name("mod.rs");
    let (Ok(parent), Some(name)) = (fs::read_to_string(parent), file.file_stem()) else { return false };
    let declaration = format!("mod {};", name.to_string_lossy());
    parent.split(FOR_TESTS).skip(1).any(|behind| behind.trim_start().starts_with(&declaration))
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Returns the names that a path starts with: one, or one per item of a group.
fn heads(path: &str) -> Vec<String> {
    let path = path.trim_start();
    let Some(group) = path.strip_prefix('{') else {
        let name: String = path.chars().take_while(|&letter| is_name(letter)).collect();
        return if name.is_empty() { Vec::new() } else { vec![name] };
    };
    let (mut depth, mut heads, mut item) = (0, Vec::new(), String::new());
    for letter in group.chars() {
        match letter {
            '}' if depth == 0 => break,
            ',' if depth == 0 => {
                heads.extend(self::heads(&item));
                item.clear();
                continue;
            }
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        item.push(letter);
    }
    heads.extend(self::heads(&item));
    heads
}

/// Returns the names after each `prefix` in the code, with their line numbers.
fn imports(code: &str, prefix: &str) -> Vec<(usize, String)> {
    let mut imports = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        // `$crate` in the body of a macro is resolved where the macro is used.
        if !code[..at].ends_with(|letter| is_name(letter) || matches!(letter, ':' | '$')) {
            let line = 1 + code[..at].matches('\n').count();
            imports.extend(heads(&code[at + prefix.len()..]).into_iter().map(|name| (line, name)));
        }
    }
    imports
}

/// Returns the modules of the crate root in order, and the module of each name that the root re-exports.
fn root(lib: &str) -> (Vec<String>, BTreeMap<String, String>) {
    let (mut modules, mut names) = (Vec::new(), BTreeMap::new());
    for statement in lib.split(';').map(str::trim) {
        let words: Vec<&str> = statement.split_whitespace().collect();
        if let Some(place) = words.iter().position(|&word| word == "mod") {
            modules.push(words[place + 1].to_owned());
        }
        let Some((_, path)) = statement.split_once("use ") else { continue };
        let Some((module, items)) = path.split_once("::") else { continue };
        // The last name of a nested path counts: `kernels::simd::{A, B}` gives `A` and `B`.
        let items = items.rfind("::{").map_or(items, |nested| &items[nested + 2..]);
        let items = if items.starts_with('{') { items } else { items.rsplit("::").next().unwrap_or(items) };
        names.extend(heads(items).into_iter().map(|name| (name, module.to_owned())));
    }
    (modules, names)
}

/// Returns one line for each import that goes the wrong way.
fn wrong_imports(modules: &[String], names: &BTreeMap<String, String>, file: &Path, source: &str) -> Vec<String> {
    let first = file.components().next().unwrap().as_os_str().to_str().unwrap();
    let (own, nested) = (first.trim_end_matches(".rs"), file.components().count() > 1);
    let Some(place) = modules.iter().position(|module| module == own) else {
        return vec![format!("src/{}: not a module of src/lib.rs", file.display())];
    };
    let code = code(source);
    let mut found = imports(&code, "crate::");
    // From a file of its own, `super` is the crate's root; from a file in a folder, `super::super` is.
    let up = imports(&code, if nested { "super::super::" } else { "super::" });
    found.extend(up.into_iter().filter(|(_, name)| modules.contains(name)));
    let mut wrong = Vec::new();
    for (line, name) in found {
        let module = names.get(&name).unwrap_or(&name);
        let above = modules[..place].contains(module) || module == own;
        if !above {
            let reason = if modules.contains(module) { "stands below" } else { "is not a module" };
            wrong.push(format!("src/{}:{line}: `{name}`: `{module}` {reason} `{own}`", file.display()));
        }
    }
    wrong
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

#[test]
fn imports_go_one_way() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (modules, names) = root(&code(&fs::read_to_string(folder.join("lib.rs")).unwrap()));
    assert!(modules.len() > 3 && names.contains_key("World"), "modules and names of src/lib.rs: {modules:?} {names:?}");
    let mut files = Vec::new();
    sources(&folder, &mut files);
    files.sort();
    let mut wrong = Vec::new();
    for file in &files {
        let relative = file.strip_prefix(&folder).unwrap();
        if relative != Path::new("lib.rs") && !is_for_tests(&folder, relative) {
            wrong.extend(wrong_imports(&modules, &names, relative, &fs::read_to_string(file).unwrap()));
        }
    }
    assert!(wrong.is_empty(), "imports against the order of src/lib.rs:\n{}", wrong.join("\n"));
}

/// Wrong imports are found, and no others.
#[test]
fn a_wrong_import_is_found() {
    let lib = "pub use glam;\npub mod error; mod kernels; pub mod tick;\npub use error::Error;\n\
               pub use kernels::simd::{InstructionSet, Level as L};";
    let (modules, names) = root(lib);
    assert_eq!(modules, ["error", "kernels", "tick"]);
    let wrong = |file: &str, source: &str| wrong_imports(&modules, &names, Path::new(file), source).len();
    assert_eq!(wrong("kernels/simd.rs", "use crate::error::Error;\nuse crate::Error;\nuse crate::kernels::CHUNK;"), 0);
    assert_eq!(
        wrong("kernels/simd.rs", "use super::boxes;\n/// [`x`](crate::tick::x)\nfn f() { \"crate::tick\"; }"),
        0
    );
    assert_eq!(wrong("kernels/simd.rs", "use crate::tick::arrange;"), 1);
    assert_eq!(wrong("kernels/simd.rs", "use crate::{\n    error::{self, Error},\n    tick::{a, b},\n};"), 1);
    assert_eq!(wrong("kernels/simd.rs", "fn f() -> crate::tick::Plan;"), 1);
    assert_eq!(wrong("kernels/simd.rs", "use super::super::tick::Plan;"), 1);
    assert_eq!(wrong("error.rs", "#[cfg(test)]\nmod tests {\n    use crate::tick;\n}\n// '\"'"), 0);
    assert_eq!(wrong("error.rs", "const A: [char; 3] = ['\"', '{', '\\''];\nuse crate::tick;"), 1);
    assert_eq!(wrong("error.rs", "const A: &str = r#\"\"{\"#;\nfn f<'a>() -> &'a crate::tick::A;"), 1);
    assert_eq!(wrong("error.rs", "macro_rules! a { () => { $crate::tick::A }; }"), 0);
    assert_eq!(wrong("error.rs", "use crate::InstructionSet;"), 1);
    assert_eq!(wrong("error.rs", "use super::kernels::simd;"), 1);
    assert_eq!(wrong("stray.rs", ""), 1);
}
