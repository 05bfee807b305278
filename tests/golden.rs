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
    ("alignment", 40, 0xa6d07ee644aaae74),
    ("arrive", 40, 0xa6fdede6eff36247),
    ("avoid", 40, 0xb3ce13193da3a103),
    ("avoid_neighbours", 40, 0x00915d089f7490a1),
    ("cohesion", 40, 0xf295784a12469809),
    ("containment", 40, 0xddff3c93a1015caa),
    ("evade", 40, 0x5e7eb6bfaa0b08d0),
    ("flee", 40, 0xef46aaed8f4dcee2),
    ("flock", 40, 0xc2e841e9ff05557e),
    ("follow_flow_field", 40, 0x5bcc472d52080ece),
    ("hide", 40, 0xf52ebc7168eb9247),
    ("hunt", 40, 0x64e122973b9bed75),
    ("interpose", 40, 0x513b26e4254606b0),
    ("match_velocity", 40, 0x7280099c9c16eaa6),
    ("murmuration", 6, 0x1ab0864057b11056),
    ("offset_pursuit", 40, 0xe3b1672556ae2e3f),
    ("path", 40, 0x74648726b8ef50fd),
    ("pursue", 40, 0xf920766e8ef9087c),
    ("queue", 40, 0x1350769a311e42ec),
    ("seek", 40, 0x7a17d1fc802c639a),
    ("separation", 40, 0x7dc0a250da0b7878),
    ("shoal", 6, 0x82ca765171f9c750),
    ("stay_on_path", 40, 0x3f139cf46e07b727),
    ("tether", 40, 0x453c441d5733efd6),
    ("wander", 40, 0x9b0ed50c98f67142),
    ("wander_to_targets", 40, 0xcc86f0aa6f2419d3),
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
