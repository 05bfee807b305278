//! Golden hashes of the project's scenarios, for every execution.
//!
//! A change of the arithmetic, of a rule or of a scenario changes the table. If the change is intended, the table that
//! the failing test prints replaces it.

#![cfg(feature = "scenario")]

use std::path::PathBuf;

use rayon::ThreadPoolBuilder;
use throng::{Candidates, Execution, InstructionSet, Scenario, World};

/// The name of a scenario, a number of ticks, and the hash after them.
const GOLDEN: &[(&str, u64, u64)] = &[
    ("alignment", 40, 0xe039f8c3756ed3b8),
    ("arrive", 40, 0xe64b0e801383ab5a),
    ("avoid", 40, 0xb5cf33898b8ed00d),
    ("avoid_neighbours", 40, 0xf5a101778faa8313),
    ("cohesion", 40, 0xeeb2d6a044f577f9),
    ("containment", 40, 0x8444669e78b3f3ea),
    ("evade", 40, 0x48a3e639ed3169f9),
    ("flee", 40, 0x7ccb0e3f3cfe1981),
    ("flock", 40, 0xa9202e79b37342b1),
    ("follow_flow_field", 40, 0x9ed3fb64ee055fc0),
    ("hide", 40, 0x1e85936662b06995),
    ("hunt", 40, 0x4a7e33487927c7a1),
    ("interpose", 40, 0x175d9a23f1d458c6),
    ("match_velocity", 40, 0xdc0bad714002d512),
    ("murmuration", 6, 0x0832481baf483ee6),
    ("offset_pursuit", 40, 0x9f275189b7dc0883),
    ("path", 40, 0xdfd34d9f2d214018),
    ("pursue", 40, 0xc6a094bccfc77185),
    ("queue", 40, 0x8d42d6e0e3bbb629),
    ("seek", 40, 0x04f7b25f961f400e),
    ("separation", 40, 0x5b70c65def9d7390),
    ("shoal", 6, 0xfd7bf55d200297f0),
    ("stay_on_path", 40, 0xee3e1a1ba540e2d5),
    ("tether", 40, 0x5552aa6e8f603c81),
    ("wander", 40, 0x0298593cf6b56299),
    ("wander_to_targets", 40, 0x7ed2cad0a95ba5ce),
];

/// Returns the number of ticks: fewer for many agents, so that the whole table takes seconds.
fn ticks(scenario: &Scenario) -> u64 {
    if scenario.agents() > 5000 { 6 } else { 40 }
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

fn hash(scenario: &Scenario, threads: usize, execution: Execution) -> u64 {
    fn after<const D: usize>(mut world: World<D>, ticks: u64, execution: Execution) -> u64 {
        world.set_execution(execution).unwrap();
        (0..ticks).for_each(|_| world.step());
        world.state_hash()
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| match scenario.dimensions() {
        3 => after(scenario.build::<3>().unwrap(), ticks(scenario), execution),
        _ => after(scenario.build::<2>().unwrap(), ticks(scenario), execution),
    })
}

#[test]
fn every_scenario_has_its_golden_hash() {
    let now: Vec<(String, u64, u64)> = scenarios()
        .into_iter()
        .map(|(name, scenario)| (name, ticks(&scenario), hash(&scenario, 3, Execution::default())))
        .collect();
    let same = now.iter().map(|(name, ticks, hash)| (&name[..], *ticks, *hash)).eq(GOLDEN.iter().copied());
    if !same {
        for (name, ticks, hash) in &now {
            println!("    (\"{name}\", {ticks}, 0x{hash:016x}),");
        }
        panic!("the hashes differ from GOLDEN; if that is intended, the table above replaces it");
    }
}

#[test]
fn one_thread_and_every_instruction_set_give_the_same_bits() {
    for (name, scenario) in scenarios() {
        let expected = hash(&scenario, 3, Execution::default());
        assert_eq!(hash(&scenario, 1, Execution::default()), expected, "{name} with one thread");
        for set in InstructionSet::available() {
            for candidates in [Candidates::Fresh, Candidates::Kept] {
                let execution = Execution { candidates, instruction_set: Some(set) };
                assert_eq!(hash(&scenario, 2, execution), expected, "{name} with {execution:?}");
            }
        }
    }
}
