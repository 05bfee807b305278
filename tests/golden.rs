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
    ("alignment", 40, 0x313c74d4fa59cbfd),
    ("arrive", 40, 0x916a0f0e6ba31994),
    ("avoid", 40, 0x78f875218af1d0b8),
    ("avoid_neighbours", 40, 0xb176bf0ab848b329),
    ("cohesion", 40, 0xda6bb3fed5b8824e),
    ("containment", 40, 0xa3355434838fb506),
    ("evade", 40, 0x19ee1304b6d468c7),
    ("flee", 40, 0x47dc9e45a5413fac),
    ("flock", 40, 0xeef24619b6fe3597),
    ("follow_flow_field", 40, 0x189646489ea45db1),
    ("hide", 40, 0x221ef6b5fa07c57e),
    ("hunt", 40, 0x807dddc800008c05),
    ("interpose", 40, 0x7b1d069b20a71e47),
    ("match_velocity", 40, 0x79b03ef49826d6db),
    ("murmuration", 6, 0x20eb4f7bf8484fa5),
    ("offset_pursuit", 40, 0xf44e80f0e7ab8b81),
    ("path", 40, 0x5d5add0803f90c22),
    ("pursue", 40, 0x7a1eaa588b8aab6c),
    ("queue", 40, 0xe21659246fed1981),
    ("seek", 40, 0xb79b61e46ce16bbf),
    ("separation", 40, 0x1b8699926df0013b),
    ("shoal", 6, 0x0927713b00611a20),
    ("stay_on_path", 40, 0xd5d71b4c1f54e3e2),
    ("tether", 40, 0x726161975bc7919c),
    ("wander", 40, 0x0e0497cdf6a01905),
    ("wander_to_targets", 40, 0x2c8b5c371239ed73),
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
