//! Golden hashes of the project's scenarios, for every execution.
//!
//! A change of the arithmetic, of a rule or of a scenario changes them. If the change is intended, `scripts/bless.sh
//! golden` writes them again.

use std::path::PathBuf;

use rayon::ThreadPoolBuilder;
use throng::{Execution, InstructionSet, NeighbourLists, World};
use throng_scenario::Scenario;

/// Lines of a scenario, a number of ticks, and the hash after them.
const GOLDEN: &str = "tests/golden.txt";

/// Crowds that leave: until people meet walls and each other.
const LEAVING: [&str; 4] = ["bottleneck", "hall", "platform", "stadium"];

/// Returns the number of ticks: fewer for many agents, so that the whole table takes seconds.
fn ticks(name: &str, scenario: &Scenario) -> u64 {
    match scenario.agents() {
        _ if LEAVING.contains(&name) => 200,
        5000.. => 6,
        _ => 40,
    }
}

/// Loads the scenarios of the folder, with their names.
fn scenarios() -> Vec<(String, Scenario)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    files.sort();
    let load = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, Scenario::load(&path).unwrap_or_else(|problems| panic!("{problems}")))
    };
    files.into_iter().map(load).collect()
}

fn hash(scenario: &Scenario, ticks: u64, threads: usize, execution: Execution) -> u64 {
    fn after<const D: usize>(mut world: World<D>, ticks: u64, execution: Execution) -> u64 {
        world.set_execution(execution).unwrap();
        (0..ticks).for_each(|_| world.step());
        world.state_hash()
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| match scenario.dimensions() {
        3 => after(scenario.build::<3>().unwrap(), ticks, execution),
        _ => after(scenario.build::<2>().unwrap(), ticks, execution),
    })
}

#[test]
fn every_scenario_has_its_golden_hash() {
    let line = |(name, scenario): (String, Scenario)| {
        let ticks = ticks(&name, &scenario);
        format!("{name} {ticks} {:016x}\n", hash(&scenario, ticks, 3, Execution::default()))
    };
    let now: String = scenarios().into_iter().map(line).collect();
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(GOLDEN);
    if std::env::var_os("THRONG_BLESS").is_some() {
        return std::fs::write(file, now).unwrap();
    }
    let golden = std::fs::read_to_string(file).unwrap();
    let differing: Vec<&str> = now.lines().filter(|line| !golden.lines().any(|golden| golden == *line)).collect();
    assert!(now == golden, "{GOLDEN} lacks these; if they are intended, scripts/bless.sh golden: {differing:#?}");
}

#[test]
fn one_thread_and_every_instruction_set_give_the_same_bits() {
    for (name, scenario) in scenarios() {
        let ticks = if name == "stadium" { 6 } else { ticks(&name, &scenario) };
        let expected = hash(&scenario, ticks, 3, Execution::default());
        assert_eq!(hash(&scenario, ticks, 1, Execution::default()), expected, "{name} with one thread");
        for set in InstructionSet::available() {
            for neighbour_lists in [NeighbourLists::Fresh, NeighbourLists::Kept] {
                let execution = Execution { neighbour_lists, instruction_set: Some(set) };
                assert_eq!(hash(&scenario, ticks, 2, execution), expected, "{name} with {execution:?}");
            }
        }
    }
}
