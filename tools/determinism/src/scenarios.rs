//! The scenarios of the repository: the hash of each after a few ticks and at tick 1 000, in `scenarios/golden.txt`.
//!
//! A line has the name of a scenario, a tick and the hash after it. A line of tick 1 000 also has the architectures on
//! which it was compared: the page in a tab shows them beside its own hash. `scripts/bless.sh golden` writes the lines
//! again and drops the other architectures of a hash that changed. A run on one of these adds its name, scenario by
//! scenario, so that an emulator may be ended before the largest:
//!
//! ```text
//! THRONG_BLESS=1 THRONG_TICKS=1000 qemu-aarch64 PROGRAM scenarios::tick_1000_of_all
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use throng::{Execution, InstructionSet, NeighbourLists};
use throng_scenario::Scenario;

/// The tick at which machines are compared.
const TICK: u64 = 1000;

/// The architectures that write hashes, by the names that Rust has for them. The first writes all.
const ARCHITECTURES: [&str; 3] = ["x86_64", "aarch64", "riscv64"];

/// Crowds that leave: until people meet walls and each other.
const LEAVING: [&str; 4] = ["bottleneck", "hall", "platform", "stadium"];

/// Scenarios that reach tick 1 000 fast in a debug build.
const FEW: [&str; 4] = ["hunt", "pursue", "seek", "offset_pursuit"];

/// The hashes by the names of scenarios and ticks, each with the architectures.
#[derive(Clone, Debug, PartialEq)]
struct Golden(BTreeMap<(String, u64), (String, Vec<String>)>);

impl Golden {
    fn file() -> PathBuf {
        folder().join("golden.txt")
    }

    fn read() -> Self {
        let text = std::fs::read_to_string(Self::file()).expect("the file is there");
        let line = |line: &str| {
            let mut words = line.split(' ').map(str::to_owned);
            let mut word = || words.next().expect("a line has a name, a tick and a hash");
            let (name, tick, hash) = (word(), word().parse().expect("a tick is a number"), word());
            ((name, tick), (hash, words.collect()))
        };
        Self(text.lines().map(line).collect())
    }

    fn write(&self) {
        let line = |((name, tick), (hash, architectures)): (&(String, u64), &(String, Vec<String>))| {
            let words = [&[name.clone(), tick.to_string(), hash.clone()], &architectures[..]].concat();
            words.join(" ") + "\n"
        };
        std::fs::write(Self::file(), self.0.iter().map(line).collect::<String>()).expect("the file is written");
    }

    /// Sets the hash of a tick, and removes the other architectures if it differs.
    fn set(&mut self, name: &str, tick: u64, hash: String, architecture: Option<&str>) {
        let known = self.0.entry((name.to_owned(), tick)).or_default();
        if known.0 != hash {
            *known = (hash, Vec::new());
        }
        known.1.extend(architecture.map(str::to_owned));
        known.1.sort_by_key(|name| ARCHITECTURES.iter().position(|known| known == name));
        known.1.dedup();
    }

    fn hash(&self, name: &str, tick: u64) -> Option<&str> {
        self.0.get(&(name.to_owned(), tick)).map(|(hash, _)| &hash[..])
    }
}

fn folder() -> PathBuf {
    // The scenarios are at the root of the repository.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().find(|folder| folder.join("scenarios").is_dir());
    root.expect("a folder above has the scenarios").join("scenarios")
}

/// The scenarios of the repository with their names.
fn scenarios() -> Vec<(String, Scenario)> {
    let files = std::fs::read_dir(folder()).expect("the folder is there").map(|file| file.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|end| end == "toml")).collect();
    files.sort();
    let load = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, Scenario::load(&path).unwrap_or_else(|problems| panic!("{problems}")))
    };
    files.into_iter().map(load).collect()
}

/// Returns the number of ticks: fewer for many agents, so that all scenarios take seconds.
fn ticks(name: &str, scenario: &Scenario) -> u64 {
    match scenario.agents() {
        _ if LEAVING.contains(&name) => 200,
        5000.. => 6,
        _ => 40,
    }
}

/// Runs a scenario in the present pool. Returns the hash after a number of ticks.
fn hash(scenario: &Scenario, ticks: u64, execution: Execution) -> String {
    let mut world = scenario.build_any().expect("a scenario of the repository is valid");
    world.set_execution(execution).expect("the instruction set is available");
    (0..ticks).for_each(|_| world.step());
    format!("{:016x}", world.state_hash())
}

fn with_threads<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("the pool has threads").install(run)
}

fn is_blessing() -> bool {
    std::env::var_os("THRONG_BLESS").is_some()
}

#[test]
fn every_scenario_has_its_golden_hash() {
    let golden = Golden::read();
    let mut now = Golden(golden.0.clone());
    let (mut keys, mut differing) = (BTreeSet::new(), Vec::new());
    for (name, scenario) in scenarios() {
        let ticks = ticks(&name, &scenario);
        let hash = with_threads(3, || hash(&scenario, ticks, Execution::default()));
        if golden.hash(&name, ticks) != Some(&hash) {
            differing.push(format!("{name} {ticks} {hash}"));
        }
        now.set(&name, ticks, hash, None);
        keys.extend([(name.clone(), ticks), (name, TICK)]);
    }
    now.0.retain(|key, _| keys.contains(key));
    if is_blessing() {
        return now.write();
    }
    assert!(differing.is_empty(), "golden.txt lacks these; if intended, scripts/bless.sh golden: {differing:#?}");
    assert_eq!(golden.0.keys().cloned().collect::<BTreeSet<_>>(), keys, "scripts/bless.sh golden");
}

#[test]
fn one_thread_and_every_instruction_set_give_the_same_bits() {
    for (name, scenario) in scenarios() {
        let ticks = if name == "stadium" { 6 } else { ticks(&name, &scenario) };
        let run = |threads, execution| with_threads(threads, || hash(&scenario, ticks, execution));
        let expected = run(3, Execution::default());
        assert_eq!(run(1, Execution::default()), expected, "{name} with one thread");
        for set in InstructionSet::available() {
            for neighbour_lists in [NeighbourLists::Fresh, NeighbourLists::Kept] {
                let execution = Execution { neighbour_lists, instruction_set: Some(set) };
                assert_eq!(run(2, execution), expected, "{name} with {execution:?}");
            }
        }
    }
}

#[test]
fn tick_1000_of_some() {
    let golden = Golden::read();
    for (name, scenario) in scenarios().iter().filter(|(name, _)| FEW.contains(&&name[..])) {
        assert_eq!(golden.hash(name, TICK), Some(&hash(scenario, TICK, Execution::default())[..]), "{name}");
    }
}

#[test]
fn tick_1000_of_all() {
    let architecture = std::env::consts::ARCH;
    if super::tests::ticks() < TICK || !ARCHITECTURES.contains(&architecture) {
        return;
    }
    let (golden, is_first) = (Golden::read(), architecture == ARCHITECTURES[0]);
    let is_recorded = |name: &str| {
        let line = golden.0.get(&(name.to_owned(), TICK));
        line.is_some_and(|(_, architectures)| architectures.iter().any(|name| name == architecture))
    };
    // The first architecture writes all lines, another one adds its name to the lines that lack it.
    let is_run = |name: &str| if is_blessing() { is_first || !is_recorded(name) } else { is_recorded(name) };
    let now = Mutex::new(Golden(golden.0.clone()));
    let runs: Vec<_> = scenarios().into_iter().filter(|(name, _)| is_run(name)).collect();
    runs.par_iter().for_each(|(name, scenario)| {
        let hash = hash(scenario, TICK, Execution::default());
        if !(is_blessing() && is_first) {
            assert_eq!(golden.hash(name, TICK), Some(&hash[..]), "{name}");
        }
        if is_blessing() {
            let mut now = now.lock().expect("no thread panics");
            now.set(name, TICK, hash, Some(architecture));
            now.write();
        }
    });
    println!("scenarios at tick {TICK}: {} hashes equal", runs.len());
}
