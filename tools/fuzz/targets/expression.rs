//! Statements of expressions, one per line: they are refused, or step worlds that run in two ways to equal bits.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::LazyLock;
use throng::behaviours::Expression;
use throng::settings::NeighbourLists;
use throng::{Edge, Execution, InstructionSet, Settings, Species, Statements, Vector, World};

static POOLS: LazyLock<[ThreadPool; 2]> =
    LazyLock::new(|| [1, 2].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().expect("it starts")));

/// Agents of a world: more than one chunk, and part of another.
const AGENTS: usize = 150;

fn run<const D: usize>(set: &Statements) {
    let ways = [
        (InstructionSet::widest(), NeighbourLists::Kept, &POOLS[0]),
        (InstructionSet::Baseline, NeighbourLists::Fresh, &POOLS[1]),
    ];
    let mut hashes = Vec::new();
    for (instruction_set, neighbour_lists, pool) in ways {
        let settings =
            Settings { size: Vector([12.0; D]), edge: [Edge::Wrap; D], tick_seconds: 0.1, ..Settings::default() };
        let mut world = World::<D>::new(settings).expect("the settings are valid");
        world
            .set_execution(Execution { neighbour_lists, instruction_set: Some(instruction_set) })
            .expect("the set is available");
        let rule = Expression { set: set.clone(), radius: 2.5, ..Expression::default() };
        let species = Species::new("fly").with(1.0, rule).with_max_speed(2.0);
        let species = species.with_variable("a", 0.5, -1e6, 1e6).with_variable("b", 3.0, -10.0, 10.0);
        let Ok(fly) = world.add_species(species) else { return };
        for number in 0..AGENTS {
            let draw = |axis: usize, size: f32| ((number * [37, 59, 83][axis]) % 101) as f32 / 101.0 * size;
            let at = Vector::from_fn(|axis| draw(axis, 12.0));
            world.spawn(fly, at, Vector::from_fn(|axis| draw(axis, 2.0) - 1.0)).expect("there is room");
        }
        pool.install(|| (0..3).for_each(|_| world.step()));
        let agents = world.agents(fly).expect("it exists");
        assert!(agents.positions().into_iter().chain(agents.velocities()).flatten().all(|number| number.is_finite()));
        hashes.push(world.state_hash());
    }
    assert!(hashes[0] == hashes[1], "{set:?}");
}

fuzz_target!(|text: &str| {
    let Ok(set) = Statements::new(text.lines()) else { return };
    run::<2>(&set);
    run::<3>(&set);
});
