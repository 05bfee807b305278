//! Golden hashes of the project's scenarios, for every execution.
//!
//! A change of the arithmetic, of a rule or of a scenario changes the table. If the change is intended, the table that
//! the failing test prints replaces it.

#![cfg(feature = "scenario")]

use std::path::PathBuf;

use rayon::ThreadPoolBuilder;
use throng::{Execution, InstructionSet, NeighbourLists, Scenario, World};

/// The name of a scenario, a number of ticks, and the hash after them.
const GOLDEN: &[(&str, u64, u64)] = &[
    ("active_brownian", 40, 0x18dba47aac374f1d),
    ("alignment", 40, 0x6a14b332a436656e),
    ("arrivals", 40, 0xf2962e36b45a6ff6),
    ("arrive", 40, 0x9acc3f83e3c38d3a),
    ("avoid", 40, 0x16ed793d0ef55a8d),
    ("avoid_neighbours", 40, 0xf13be14bd7889dc1),
    ("bottleneck", 200, 0x8f2c358309f41c8a),
    ("circle", 40, 0x84caf0e580c0a77f),
    ("cohesion", 40, 0x2fe95534abb1fb58),
    ("containment", 40, 0xa49843eea9ae624c),
    ("counterflow", 40, 0xca5c19dc8e480baa),
    ("couzin", 40, 0x5f63802a7a62607e),
    ("crossing", 40, 0x18746f8fcc6a949d),
    ("cucker_smale", 40, 0x9c9e6bfdf01b086f),
    ("evade", 40, 0x3796858ed8ccb27d),
    ("flee", 40, 0xa44927468d550d46),
    ("flock", 40, 0x0713f7dc7c6115d5),
    ("follow_flow_field", 40, 0x0e84317c2b2ddce0),
    ("gregoire_chate", 40, 0xf1c247393878f209),
    ("hall", 200, 0xeadd2b9426c279b9),
    ("hide", 40, 0xad48f9ef34e2d5f2),
    ("hunt", 40, 0xeff3345779c48ce0),
    ("interpose", 40, 0x17570757270954fd),
    ("match_velocity", 40, 0xc1fe302c887a5d20),
    ("mill", 40, 0x3a09c4f203066a4b),
    ("murmuration", 6, 0xa6a831ebd8890eef),
    ("offset_pursuit", 40, 0x75dabfc0eab7009e),
    ("olfati_saber", 40, 0x607b3e482256885d),
    ("path", 40, 0x5e3805914026b2d2),
    ("platform", 200, 0x80f3b6807c520e15),
    ("pursue", 40, 0x320ebbf7ed2390fe),
    ("queue", 40, 0x85eb56ef4ae5a94c),
    ("reynolds_1987", 40, 0xc3001a0809b8e7dd),
    ("seek", 40, 0x11d9bfe7b9488258),
    ("separation", 40, 0x8fb0e33e47f68198),
    ("shoal", 6, 0xae10725ed44852cf),
    ("stadium", 200, 0xf39de3fd3105c648),
    ("stay_in_group", 40, 0x0bf02272a879965e),
    ("stay_on_path", 40, 0xa6674373876ff82c),
    ("take_place", 40, 0xbaf189a21e7c8a9d),
    ("tether", 40, 0x0356d11ddc0ae51a),
    ("topological", 40, 0xdbe807d32616ae61),
    ("vicsek", 40, 0xd532a6df03309b1d),
    ("walk_to", 40, 0xdb54330c74e513ec),
    ("walls", 40, 0x45c06eddc6d2b9b8),
    ("wander", 40, 0x973fcb1303630e95),
    ("wander_to_targets", 40, 0xc07bed5796dfc230),
];

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
    let now: Vec<(String, u64, u64)> = scenarios()
        .into_iter()
        .map(|(name, scenario)| {
            let ticks = ticks(&name, &scenario);
            let hash = hash(&scenario, ticks, 3, Execution::default());
            (name, ticks, hash)
        })
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
