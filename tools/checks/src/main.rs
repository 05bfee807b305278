//! Checks of throng's own sources: equal bits, layers and circles of files, prose. Run by `scripts/check.sh`.

mod bits;
mod circles;
mod layers;
mod modules;
mod names;
mod prose;

use std::path::Path;
use std::process::{Command, ExitCode};

use modules::File;
use names::Names;

/// The crates, each with the largest number of circles of files that passes. A change that removes a circle lowers it.
const CIRCLES: [(&str, usize); 5] = [
    ("src/lib.rs", 1),
    ("crates/scenario/src/lib.rs", 0),
    ("crates/cli/src/lib.rs", 0),
    ("crates/view/src/lib.rs", 0),
    ("benches/src/lib.rs", 0),
];

/// The crates whose code decides the bits of a world: the engine, and the one that starts its agents.
const BITS: [&str; 2] = ["src/lib.rs", "crates/scenario/src/lib.rs"];

const USAGE: &str = "\
usage: checks bits | layers | prose [-v]
  bits    no code of the library can give different bits on another machine
  layers  no import of the library goes up, and files use each other in few circles
  prose   turns of phrase that make a text hard to read stay within their limits; -v prints their places";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        ["bits"] => bits(),
        ["layers"] => layers(),
        ["prose"] => prose(false),
        ["prose", "-v"] => prose(true),
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
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
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
