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
    ("alignment", 40, 0x8ea4d34a0d76f5c4),
    ("arrive", 40, 0xb07ba9e31f60d223),
    ("avoid", 40, 0x017ef1f7610242d0),
    ("avoid_neighbours", 40, 0xb5cf26d19f908880),
    ("cohesion", 40, 0x879e1e8a6dc43fbb),
    ("containment", 40, 0xf2369ebcfb040784),
    ("evade", 40, 0x9d345f3819941d9b),
    ("flee", 40, 0xf0e285fc5742cff3),
    ("flock", 40, 0x705eaac48553b66e),
    ("follow_flow_field", 40, 0xa0f842909f4ea16a),
    ("hide", 40, 0x61580f2d1b31e892),
    ("hunt", 40, 0x0e0aad9bdbff642b),
    ("interpose", 40, 0x044478420dd36227),
    ("match_velocity", 40, 0x3a751f4cf9667f1a),
    ("murmuration", 6, 0x488c37decd720e78),
    ("offset_pursuit", 40, 0x3fa40c1e994e1590),
    ("path", 40, 0x53ee7f24ea21e0f5),
    ("pursue", 40, 0x5364257687dc2b47),
    ("queue", 40, 0x1199a008455a9456),
    ("seek", 40, 0x190d2f526bab0ade),
    ("separation", 40, 0xb703d8a5c3541aec),
    ("shoal", 6, 0xf7c576c36a7ae9bc),
    ("stay_on_path", 40, 0x077a1273abc0a029),
    ("tether", 40, 0x531005fb8784a05d),
    ("wander", 40, 0x04b5f8fa650cae62),
    ("wander_to_targets", 40, 0x68b2d562dbc807f7),
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
