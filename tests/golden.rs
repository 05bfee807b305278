//! The scenarios of the project give the same bits as always, however they are run.
//!
//! The table is what a change of the arithmetic, of a rule or of a scenario changes. Where that is meant, the failing
//! test prints the new one.

#![cfg(feature = "scenario")]

use std::path::PathBuf;

use rayon::ThreadPoolBuilder;
use throng::{Candidates, Execution, InstructionSet, Scenario, World};

/// Name, ticks, and the hash after them.
const GOLDEN: &[(&str, u64, u64)] = &[
    ("alignment", 40, 0x5be30811cb543047),
    ("arrive", 40, 0x4dfe9496887c90ef),
    ("avoid", 40, 0xcdb85b2962d78cf4),
    ("avoid_neighbours", 40, 0x9c79b4ddb4bba31e),
    ("cohesion", 40, 0x2c69916cdbd9150b),
    ("containment", 40, 0x330dc1e973b228fd),
    ("evade", 40, 0x6d20e6331cf67e60),
    ("flee", 40, 0xa7701b00ce730109),
    ("flock", 40, 0xe33b53b5c1b0132e),
    ("follow_flow_field", 40, 0xc9af077aa5a3b146),
    ("hide", 40, 0x8a7a8ed1378bf3ec),
    ("hunt", 40, 0xb97db6145aab88f0),
    ("interpose", 40, 0x4753a3f0b45d466e),
    ("match_velocity", 40, 0x20b282cb2f57e9f8),
    ("murmuration", 6, 0xbb1cc02f77690fa1),
    ("offset_pursuit", 40, 0x58f32380d72f8fe6),
    ("path", 40, 0x41f495a0cc500166),
    ("pursue", 40, 0x038a76318c3a2ab5),
    ("queue", 40, 0x466646c5283fe0d7),
    ("seek", 40, 0x5beee1766eb627ba),
    ("separation", 40, 0x4b577f21c7937e06),
    ("shoal", 6, 0x75dd030ec8e27188),
    ("stay_on_path", 40, 0x5130404114a1944c),
    ("tether", 40, 0xde83d4eb49922a10),
    ("wander", 40, 0x1c80d1c530062d10),
    ("wander_to_targets", 40, 0x0646477f6d8d309d),
];

/// Fewer ticks where there are many agents: the whole table takes seconds.
fn ticks(scenario: &Scenario) -> u64 {
    if scenario.agents() > 5000 { 6 } else { 40 }
}

/// The scenarios of the folder, by name.
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
fn every_scenario_gives_the_bits_it_always_gave() {
    let now: Vec<(String, u64, u64)> = scenarios()
        .into_iter()
        .map(|(name, scenario)| (name, ticks(&scenario), hash(&scenario, 3, Execution::default())))
        .collect();
    let same = now.iter().map(|(name, ticks, hash)| (&name[..], *ticks, *hash)).eq(GOLDEN.iter().copied());
    if !same {
        for (name, ticks, hash) in &now {
            println!("    (\"{name}\", {ticks}, 0x{hash:016x}),");
        }
        panic!("the bits are not what they were; if that is meant, the table above is the new one");
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
