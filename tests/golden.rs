//! Do the scenarios of the project give the bits that they always gave, whoever runs them?
//!
//! The table is what a change of the arithmetic, of a rule or of a scenario changes. Where that is meant, the failing
//! test prints the new one.

#![cfg(feature = "scenario")]

use std::path::PathBuf;

use rayon::ThreadPoolBuilder;
use throng::{InstructionSet, Scenario, World};

/// Name, ticks, and the hash after them.
const GOLDEN: &[(&str, u64, u64)] = &[
    ("alignment", 40, 0xf71b840befc20149),
    ("arrive", 40, 0xd1067ab2549f2f13),
    ("avoid", 40, 0x59e885443d0d0ce6),
    ("avoid_neighbours", 40, 0x2697bc825a7dbb60),
    ("cohesion", 40, 0xf1dafac312f6fbce),
    ("containment", 40, 0xfaf315f4c98ea625),
    ("evade", 40, 0xd148ed30362fd4a3),
    ("flee", 40, 0x6ef3a03ac02b858e),
    ("flock", 40, 0x0f462af90bdfde9c),
    ("follow_flow_field", 40, 0x5caf1a78f8a5b3f7),
    ("hide", 40, 0x8a7a8ed1378bf3ec),
    ("hunt", 40, 0xef61ca445055b929),
    ("interpose", 40, 0xb63afcafbc8cd5bf),
    ("match_velocity", 40, 0x468918ed3cc25e76),
    ("murmuration", 6, 0x9231244ebfa0c100),
    ("offset_pursuit", 40, 0x58f32380d72f8fe6),
    ("path", 40, 0xb9d1e4c05828501b),
    ("pursue", 40, 0x038a76318c3a2ab5),
    ("queue", 40, 0xee10ca47fec91724),
    ("seek", 40, 0xf831ca4cb264d14c),
    ("separation", 40, 0x4b577f21c7937e06),
    ("shoal", 6, 0xf069d9f33eda8c91),
    ("stay_on_path", 40, 0xbc2381d9f4f56e1f),
    ("tether", 40, 0x3200824cd60074c7),
    ("wander", 40, 0xded3bb3e3c32d7d4),
    ("wander_to_targets", 40, 0x20709265760639f2),
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

fn hash(scenario: &Scenario, threads: usize) -> u64 {
    fn after<const D: usize>(mut world: World<D>, ticks: u64) -> u64 {
        for _ in 0..ticks {
            world.step();
        }
        world.state_hash()
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| match scenario.dimensions() {
        3 => after(scenario.build::<3>().unwrap(), ticks(scenario)),
        _ => after(scenario.build::<2>().unwrap(), ticks(scenario)),
    })
}

#[test]
fn every_scenario_gives_the_bits_it_always_gave() {
    let now: Vec<(String, u64, u64)> =
        scenarios().into_iter().map(|(name, scenario)| (name, ticks(&scenario), hash(&scenario, 3))).collect();
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
        let expected = hash(&scenario, 3);
        assert_eq!(hash(&scenario, 1), expected, "{name} with one thread");
        for set in InstructionSet::available() {
            assert_eq!(hash(&scenario.clone().with_instruction_set(set), 2), expected, "{name} with {set:?}");
        }
    }
}
