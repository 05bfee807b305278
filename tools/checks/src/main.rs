//! Checks of throng's own sources: equal bits, layers and circles of files, prose, lines of code.
//! `scripts/check.sh` runs them.

mod bits;
mod circles;
mod git;
mod layers;
mod modules;
mod names;
mod prose;
mod size;
mod types;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;

use modules::File;
use names::Names;

/// The crates, each with the largest number of circles of files that passes. A change that removes a circle lowers it.
const CIRCLES: [(&str, usize); 17] = [
    ("src/lib.rs", 1),
    ("crates/scenario/src/lib.rs", 0),
    ("crates/draw/src/lib.rs", 0),
    ("crates/formats/src/lib.rs", 0),
    ("crates/view/src/lib.rs", 0),
    ("crates/cli/src/lib.rs", 0),
    ("benches/src/lib.rs", 0),
    ("tools/checks/src/main.rs", 0),
    ("tools/validation/src/main.rs", 2),
    ("bindings/bevy/src/lib.rs", 0),
    ("bindings/bevy/window/src/main.rs", 0),
    ("bindings/c/src/lib.rs", 1),
    ("bindings/ggrs/src/main.rs", 0),
    ("bindings/python/src/lib.rs", 2),
    ("bindings/tab/src/lib.rs", 0),
    ("bindings/web/src/lib.rs", 0),
    ("bindings/mpi/src/main.rs", 0),
];

/// The crates whose code decides the bits of a world: the engine, and the one that starts its agents.
const BITS: [&str; 2] = ["src/lib.rs", "crates/scenario/src/lib.rs"];

/// The most lines of code, in a folder and in all Rust. On 29 November 2026 there were 47 924 and 99 188: with the tables
/// of keys the engine has code that five other crates had, walkers have formulas and a search for lanes, and choices by
/// time an index of the others and a horizon; flocks as other programs have them have rules with limits; people see walls
/// beside them and give way in rows, and a report has its inputs. On 30 November formations, grounds that carry and smoke
/// on ways took 200, and ensembles in Python that observe and act 840; then lifts 700, rays 110, ground of triangles 690,
/// and tables of trackers with intervals of fits 580; then stairs that turn, with speeds of kinds and storeys in a report,
/// 620, orders in C 180, and checks of figures and a bench in the tab 280; then routes round walls that move, substances and
/// measures on the page, captions that cover little and names that Python refuses 190; then links,
/// such as jumps and ladders, 600, and crowds that pass in lanes 60. Work that removes code lowers them.
const LINES: [(&str, usize); 2] = [("src", 52_150), ("", 108_410)];

/// The most names of types in the library that have several meanings. A change that renames one lowers it.
const SEVERAL_MEANINGS: usize = 111;

const USAGE: &str = "\
usage: checks bits | layers | prose [-v] [BASE] | size [-v]
  bits    no code of the library can give different bits on another machine
  layers  no import of the library goes up, no further name of a type has a second meaning, and files use each other in
          few circles
  prose   no line has a turn of phrase that makes a text hard to read, of the lines that were added since a commit:
          BASE, or $PROSE_BASE, or where this branch left origin/main or main; -v prints the places of all lines
  size    lines of code (not blank, no comments, no items with #[cfg(test)] or #[test], no folders with the name tests)
          stay within their budget; -v prints them for each folder";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        ["bits"] => bits(),
        ["layers"] => layers(),
        ["prose"] => prose(None, false),
        ["prose", "-v"] => prose(None, true),
        ["prose", base] => prose(Some(base), false),
        ["prose", "-v", base] => prose(Some(base), true),
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

/// Prints the imports of the library that go up, the number of its names with several meanings, and the circles of files
/// of all crates.
fn layers() -> Result<bool, String> {
    let mut passes = true;
    for (lib, limit) in CIRCLES {
        let files = parse(lib)?;
        let names = Names::new(&files);
        if lib == "src/lib.rs" {
            let upward = layers::upward(&files, &names);
            upward.iter().for_each(|line| println!("{line}"));
            passes &= upward.is_empty();
            let several = types::with_several_meanings(&files);
            println!("{lib}: {} names of types have several meanings, at most {SEVERAL_MEANINGS}", several.len());
            if several.len() > SEVERAL_MEANINGS {
                several.iter().for_each(|(name, files)| println!("{name}: {}", files.join(", ")));
                passes = false;
            }
        }
        let circles = circles::circles(&files, &names);
        circles.iter().for_each(|circle| print!("{}", circle.describe(&files, &names)));
        println!("{lib}: {} circles of files, at most {limit}", circles.len());
        passes &= circles.len() <= limit;
    }
    Ok(passes)
}

/// Prints the lines of code, of each folder if `folders` is set.
fn size(folders: bool) -> Result<bool, String> {
    let Some(files) = git::files(root(), &["*.rs"]) else {
        println!("lines of code: not counted, because this is not a Git repository");
        return Ok(true);
    };
    let counts = size::count(&files)?;
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
            println!("LINES in tools/checks/src/main.rs limits them: raise it only with the reason in the commit");
            passes = false;
        }
    }
    Ok(passes)
}

/// Prints the turns of phrase in lines that were added since a commit, and all others too if `all` is set.
fn prose(base: Option<&str>, all: bool) -> Result<bool, String> {
    let patterns = ["*.rs", "*.md", "*.toml", "*.js", "*.html", "*.py"];
    let (Some(files), Some(usual)) = (git::files(root(), &patterns), git::base(root())) else {
        println!("prose: no lines were compared, because this is not a Git repository");
        return Ok(true);
    };
    let of_environment = std::env::var("PROSE_BASE").ok().filter(|base| !base.is_empty());
    let base = base.or(of_environment.as_deref()).unwrap_or(&usual);
    let added =
        git::added(root(), base, &patterns).ok_or_else(|| format!("{base}: not a commit of this repository"))?;
    let mut number = 0;
    for found in prose::find(&files) {
        if all {
            found.places.iter().for_each(|place| println!("{place}"));
            println!("{:>4}  {}", found.places.len(), found.name);
        }
        let text =
            |place: &prose::Place| files.iter().find(|(name, _)| *name == place.file).map_or("", |(_, text)| text);
        for place in found.places.iter().filter(|place| place.is_in(&added, text(place))) {
            println!("{place}\n    has a turn of phrase ({}); plainer: {}", found.name, found.plain);
            number += 1;
        }
    }
    let lines: usize = added.lines.values().map(BTreeSet::len).sum();
    println!("{lines} lines were added since {base:.12}, {number} turns of phrase in them");
    Ok(number == 0)
}
