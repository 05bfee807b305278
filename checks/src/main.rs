//! Checks of throng's own sources: equal bits, layers and circles of files, prose, lines of code. Run by `scripts/check.sh`.

mod bits;
mod circles;
mod layers;
mod modules;
mod names;
mod prose;
mod size;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, ExitCode};

use modules::File;
use names::Names;

/// The crates, each with the largest number of circles of files that passes. A change that removes a circle lowers it.
const CIRCLES: [(&str, usize); 5] = [
    ("src/lib.rs", 1),
    ("scenario/src/lib.rs", 0),
    ("cli/src/lib.rs", 0),
    ("view/src/lib.rs", 0),
    ("benches/src/lib.rs", 0),
];

/// The crates whose code decides the bits of a world: the engine, and the one that starts its agents.
const BITS: [&str; 2] = ["src/lib.rs", "scenario/src/lib.rs"];

/// The most lines of code, in a folder and in all Rust. On 28 November 2026 there were 45 900 and 97 092. Work that
/// removes code lowers them.
const LINES: [(&str, usize); 2] = [("src", 46_000), ("", 97_200)];

const USAGE: &str = "\
usage: checks bits | layers | prose [-v] | size [-v]
  bits    no code of the library can give different bits on another machine
  layers  no import of the library goes up, and files use each other in few circles
  prose   turns of phrase that make a text hard to read stay within their limits; -v prints their places
  size    lines of code (not blank, no comments, no items with #[cfg(test)] or #[test], no folders with the name tests)
          stay within their budget; -v prints them for each folder";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        ["bits"] => bits(),
        ["layers"] => layers(),
        ["prose"] => prose(false),
        ["prose", "-v"] => prose(true),
        ["size"] => size(false),
        ["size", "-v"] => size(true),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn parse(lib: &str) -> Result<Vec<File>, String> {
    modules::parse(Path::new(lib), &|path| std::fs::read_to_string(root().join(path)).ok())
}

/// Prints the code that breaks a rule of equal bits.
fn bits() -> Result<bool, String> {
    let (mut passes, mut read) = (true, 0);
    for lib in BITS {
        for file in &parse(lib)? {
            for bits::Finding { line, rule, text } in bits::find(file) {
                println!("{}:{line}: [{rule}] {text}", file.path.to_string_lossy());
                passes = false;
            }
            read += 1;
        }
    }
    println!("{read} files of {} were read", BITS.join(" and "));
    Ok(passes)
}

/// Prints the imports of the library that go up, and the circles of files of all crates.
fn layers() -> Result<bool, String> {
    let mut passes = true;
    for (lib, limit) in CIRCLES {
        let files = parse(lib)?;
        let names = Names::new(&files);
        if lib == "src/lib.rs" {
            let upward = layers::upward(&files, &names);
            upward.iter().for_each(|line| println!("{line}"));
            passes &= upward.is_empty();
        }
        let circles = circles::circles(&files, &names);
        circles.iter().for_each(|circle| print!("{}", circle.describe(&files, &names)));
        println!("{lib}: {} circles of files, at most {limit}", circles.len());
        passes &= circles.len() <= limit;
    }
    Ok(passes)
}

/// Returns the files of the repository with these patterns, each a path and a text.
fn tracked(patterns: &[&str]) -> Result<Vec<(String, String)>, String> {
    let listed = Command::new("git").arg("-C").arg(root()).args(["ls-files", "-z", "--"]).args(patterns).output();
    let listed = listed.map_err(|error| format!("git ls-files: {error}"))?;
    let names = String::from_utf8_lossy(&listed.stdout).into_owned();
    // A file that is deleted but still tracked has no text.
    let text = |name: &str| Some((name.to_owned(), std::fs::read_to_string(root().join(name)).ok()?));
    let files: Vec<(String, String)> = names.split_terminator('\0').filter_map(text).collect();
    if files.is_empty() { Err("git ls-files lists nothing".to_owned()) } else { Ok(files) }
}

/// Prints the lines of code, of each folder if `folders` is set.
fn size(folders: bool) -> Result<bool, String> {
    let counts = size::count(&tracked(&["*.rs"])?)?;
    if folders {
        let mut parts = BTreeMap::new();
        for (path, lines) in &counts {
            *parts.entry(size::part(path)).or_insert(0) += lines;
        }
        parts.iter().for_each(|(part, lines)| println!("{lines:>7}  {}", part.to_string_lossy()));
    }
    let mut passes = true;
    for (folder, limit) in LINES {
        let number: usize = counts.iter().filter(|(path, _)| path.starts_with(folder)).map(|(_, lines)| lines).sum();
        let name = if folder.is_empty() { "all Rust" } else { folder };
        println!("{number:>7}  at most {limit}  lines of code in {name}");
        if number > limit {
            println!("LINES in checks/src/main.rs limits them: raise it only with the reason in the commit");
            passes = false;
        }
    }
    Ok(passes)
}

/// Prints the counts of turns of phrase.
fn prose(places: bool) -> Result<bool, String> {
    let kinds = ["*.rs", "*.md", "*.toml", "*.js", "*.html", "*.py"];
    let listed = Command::new("git").arg("-C").arg(root()).args(["ls-files", "-z", "--"]).args(kinds).output();
    let listed = listed.map_err(|error| format!("git ls-files: {error}"))?;
    let names = String::from_utf8_lossy(&listed.stdout).into_owned();
    // A file that is deleted but still tracked has no text.
    let text = |name: &str| Some((name.to_owned(), std::fs::read_to_string(root().join(name)).ok()?));
    let files: Vec<(String, String)> = names.split_terminator('\0').filter_map(text).collect();
    if files.is_empty() {
        return Err("git ls-files lists nothing".to_owned());
    }
    let mut passes = true;
    for count in prose::count(&files) {
        if places {
            count.places.iter().for_each(|place| println!("{place}"));
        }
        let (number, limit) = (count.places.len(), count.limit);
        println!("{number:>4}  at most {limit:>3}  {}", count.name);
        passes &= number <= limit;
    }
    Ok(passes)
}
