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
    ("alignment", 40, 0x6535094f901835ff),
    ("arrive", 40, 0x9bf6a844fe1517e1),
    ("avoid", 40, 0xca39b9d23da76b9a),
    ("avoid_neighbours", 40, 0xb176bf0ab848b329),
    ("cohesion", 40, 0xc0fa86c8d9cb8cd4),
    ("containment", 40, 0xa3355434838fb506),
    ("evade", 40, 0x4490f7e0f0216f9a),
    ("flee", 40, 0x2d0e4db08cc908b0),
    ("flock", 40, 0x8d75a28eb09955ee),
    ("follow_flow_field", 40, 0x8d75c69f0084ce79),
    ("hide", 40, 0x5e13d6bb82369796),
    ("hunt", 40, 0x02ff1f37e460c3c9),
    ("interpose", 40, 0x4139298b4e80a30e),
    ("match_velocity", 40, 0x8cc73f74ad215a4f),
    ("murmuration", 6, 0x21622610ab9aff5d),
    ("offset_pursuit", 40, 0xf44e80f0e7ab8b81),
    ("path", 40, 0x36cc01a96c105e15),
    ("pursue", 40, 0xf24c43b94b511206),
    ("queue", 40, 0x5697bb87f35d80b9),
    ("seek", 40, 0xd1c79152e27a4a18),
    ("separation", 40, 0xbc489f1797122421),
    ("shoal", 6, 0x9bf1388f346e3b6d),
    ("stay_on_path", 40, 0xc15a6a514b8de3ab),
    ("tether", 40, 0xe6625b16d9bd92e5),
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
