//! Golden hashes of the project's scenarios, for every execution.
//!
//! A change of the arithmetic, of a rule or of a scenario changes the table. If the change is intended, the table that
//! the failing test prints replaces it.

use std::path::PathBuf;

use rayon::ThreadPoolBuilder;
use throng::{Execution, InstructionSet, NeighbourLists, World};
use throng_scenario::Scenario;

/// The name of a scenario, a number of ticks, and the hash after them.
const GOLDEN: &[(&str, u64, u64)] = &[
    ("active_brownian", 40, 0x5a5fd087fbbd0b59),
    ("alignment", 40, 0x62084ed8bfd9a38b),
    ("arrivals", 40, 0x73ec18073dabce24),
    ("arrive", 40, 0x3f18fe39af2ae5e8),
    ("avoid", 40, 0xcbbdec4d06a1197e),
    ("avoid_neighbours", 40, 0xf13be14bd7889dc1),
    ("bottleneck", 200, 0x4024593b402b1758),
    ("circle", 40, 0x35d1c8b923a3618c),
    ("cohesion", 40, 0x25945aacdb02e1b6),
    ("containment", 40, 0xa49843eea9ae624c),
    ("counterflow", 40, 0x424655ed3b7c39ba),
    ("couzin", 40, 0x5f63802a7a62607e),
    ("crossing", 40, 0xd0f502b4b50eb833),
    ("cucker_smale", 40, 0xe49ae1f17bfbafb0),
    ("evade", 40, 0x2a6977015e5b557d),
    ("flee", 40, 0xc1c56dea667538c5),
    ("flock", 40, 0x0f95db508b728957),
    ("follow_flow_field", 40, 0xfef8f2852c0d7cc0),
    ("gregoire_chate", 40, 0xf1c247393878f209),
    ("hall", 200, 0x264fab740826e9a7),
    ("hide", 40, 0xdaa03d0f8ef650fd),
    ("hunt", 40, 0xbc9c4c5b89aa6aff),
    ("infection", 40, 0xe88422fde2d4bdbe),
    ("interpose", 40, 0x3629140d86db907e),
    ("kuramoto", 40, 0xb2b64074f2c63582),
    ("match_velocity", 40, 0x8e2f2c43c04284fc),
    ("mill", 40, 0x71509d2cba440df6),
    ("murmuration", 6, 0x79a7d158bdba76a0),
    ("offset_pursuit", 40, 0x6f370f28991724d4),
    ("olfati_saber", 40, 0x47b73c63345d0b54),
    ("path", 40, 0x56d1055c5be2b7b7),
    ("platform", 200, 0xf10e42aaee256434),
    ("pursue", 40, 0x9e7c167b7fc5a2d2),
    ("queue", 40, 0x71cf7d06daeeaf94),
    ("repulsion", 40, 0xc514f16ae82067a1),
    ("reynolds_1987", 40, 0x793d95565ee956f2),
    ("seek", 40, 0xfca912ee3df1713e),
    ("separation", 40, 0x9aa6c10fdf07e173),
    ("shoal", 6, 0x07bf790ae22a7635),
    ("stadium", 200, 0xe569ff582cfc0c91),
    ("stand", 40, 0x120bfd2918804dfb),
    ("stay_in_group", 40, 0x53da0036d776994c),
    ("stay_on_path", 40, 0x2624be78ca7ea194),
    ("swarmalators", 40, 0xe9d47302fc539a9a),
    ("take_place", 40, 0xd7c3e728925e06ab),
    ("tether", 40, 0x0356d11ddc0ae51a),
    ("topological", 40, 0xc117762e8af7ea26),
    ("vicsek", 40, 0xd532a6df03309b1d),
    ("voter", 40, 0x2b21b095350cc28e),
    ("walk_to", 40, 0x0aafb822784d5e4f),
    ("walls", 40, 0x7323fb0fe0871543),
    ("wander", 40, 0x973fcb1303630e95),
    ("wander_to_targets", 40, 0xe71b70db7bbd9725),
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
