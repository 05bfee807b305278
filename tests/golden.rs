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
    ("alignment", 40, 0x7feee6668549631b),
    ("arrive", 40, 0x888b699d071c31d9),
    ("avoid", 40, 0xea100049a915d20e),
    ("avoid_neighbours", 40, 0xb176bf0ab848b329),
    ("cohesion", 40, 0xd4006cc2865eef76),
    ("containment", 40, 0x522954dff1d889f1),
    ("evade", 40, 0x925b37cbf599f993),
    ("flee", 40, 0xfd19dff13001a931),
    ("flock", 40, 0x5a3d92e65cdc9686),
    ("follow_flow_field", 40, 0xe4b1e061eae628f2),
    ("hide", 40, 0x19872a2317d66be9),
    ("hunt", 40, 0xa12faee33aa83400),
    ("interpose", 40, 0x4ed1a11e22540efc),
    ("match_velocity", 40, 0x1c2d0d9b9c84d07d),
    ("murmuration", 6, 0x0fb19ec222e26b03),
    ("offset_pursuit", 40, 0xf44e80f0e7ab8b81),
    ("path", 40, 0x7ca7fe051483cef8),
    ("pursue", 40, 0x1712273e62f76840),
    ("queue", 40, 0xb40dbc486f7d64c2),
    ("seek", 40, 0xce93993df365efea),
    ("separation", 40, 0x97e7091a05e1243c),
    ("shoal", 6, 0x10d05acd3d7fc5e3),
    ("stay_on_path", 40, 0x696f6e75c9be56bf),
    ("tether", 40, 0xe6625b16d9bd92e5),
    ("wander", 40, 0x3789143c1103a4a7),
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
