//! The shipped scenarios: the hash of each at tick 1 000, which the page in a tab shows beside its own.
//!
//! Each architecture has a file, `crates/view/src/shipped/ARCHITECTURE.txt`, that a run on it has written: with `THRONG_BLESS`
//! and at least 1 000 `THRONG_TICKS` the test of all scenarios runs those that the file lacks, and adds a line whenever
//! a scenario has ended. An emulator may be ended before the largest: the page then shows no hash of its machine for
//! them. The first architecture runs all, and removes the lines of the others that have other bits
//! (`scripts/bless.sh shipped`).
//!
//! ```text
//! THRONG_BLESS=1 THRONG_TICKS=1000 qemu-aarch64 PROGRAM shipped::all_scenarios
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rayon::prelude::*;
use throng_scenario::Scenario;

const TICK: u64 = 1000;

/// The architectures with a file, by the names that Rust has for them. The first has every scenario that another has.
const ARCHITECTURES: [&str; 3] = ["x86_64", "aarch64", "riscv64"];

/// Scenarios that are fast in a debug build.
const FEW: [&str; 4] = ["hunt", "pursue", "seek", "offset_pursuit"];

fn path(parts: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(parts)
}

fn file(architecture: &str) -> PathBuf {
    path("crates/view/src/shipped").join(format!("{architecture}.txt"))
}

/// The names of all scenarios.
fn names() -> Vec<String> {
    let files = std::fs::read_dir(path("scenarios")).expect("the folder is there").map(|file| file.unwrap().path());
    let scenarios = files.filter(|file| file.extension().is_some_and(|ending| ending == "toml"));
    let mut names: Vec<String> = scenarios.map(|file| file.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

/// The hashes of a file by the names of scenarios.
fn recorded(architecture: &str) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(file(architecture)).expect("the file is there");
    let pairs = text.lines().filter_map(|line| line.split_once(' '));
    pairs.map(|(name, hash)| (name.to_owned(), hash.to_owned())).collect()
}

fn write(architecture: &str, hashes: &BTreeMap<String, String>) {
    let lines: String = hashes.iter().map(|(name, hash)| format!("{name} {hash}\n")).collect();
    std::fs::write(file(architecture), lines).expect("it is written");
}

fn hash(name: &str) -> String {
    let text = std::fs::read_to_string(path("scenarios").join(format!("{name}.toml"))).expect("the file is there");
    let mut world = Scenario::parse(&text, name).unwrap_or_else(|problems| panic!("{problems}")).build_any().unwrap();
    (0..TICK).for_each(|_| world.step());
    format!("{:016x}", world.state_hash())
}

#[test]
fn every_architecture_has_the_same_hashes() {
    let [first, others @ ..] = ARCHITECTURES.map(recorded);
    let names = names();
    assert!(!first.is_empty() && first.keys().all(|name| names.contains(name)), "{first:?}");
    for other in others {
        assert!(other.iter().all(|(name, hash)| first.get(name) == Some(hash)), "{other:?}");
    }
}

#[test]
fn some_scenarios_have_their_hash() {
    let first = recorded(ARCHITECTURES[0]);
    FEW.iter().for_each(|name| assert_eq!(first.get(*name), Some(&hash(name)), "{name}"));
}

#[test]
fn all_scenarios() {
    let architecture = std::env::consts::ARCH;
    if super::tests::ticks() < TICK || !ARCHITECTURES.contains(&architecture) {
        return;
    }
    if std::env::var_os("THRONG_BLESS").is_some() {
        let [first, others @ ..] = ARCHITECTURES;
        let known = if architecture == first { BTreeMap::new() } else { recorded(architecture) };
        let missing = names().into_iter().filter(|name| !known.contains_key(name)).collect::<Vec<_>>();
        let known = Mutex::new(known);
        missing.into_par_iter().for_each(|name| {
            let hash = hash(&name);
            let mut known = known.lock().expect("no thread panics");
            known.insert(name, hash);
            write(architecture, &known);
        });
        if architecture == first {
            let first = recorded(first);
            for other in others {
                let mut same = recorded(other);
                same.retain(|name, hash| first.get(name) == Some(hash));
                write(other, &same);
            }
        }
        return;
    }
    let recorded = recorded(architecture);
    recorded.par_iter().for_each(|(name, wanted)| assert_eq!(&hash(name), wanted, "{name}"));
    println!("shipped scenarios at tick {TICK}: {} hashes equal", recorded.len());
}
