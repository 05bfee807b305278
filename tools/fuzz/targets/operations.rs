//! Sequences of host operations on three worlds that run in other ways, one of them restored: they agree, and with a list of living agents.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::LazyLock;
use throng::behaviours::{Alignment, Cohesion, Separation, Wander};
use throng::settings::NeighbourLists;
use throng::{AgentId, Edge, Execution, InstructionSet, Settings, Species, Vector, World};

static POOL: LazyLock<ThreadPool> =
    LazyLock::new(|| ThreadPoolBuilder::new().num_threads(3).build().expect("three threads start"));

fn world(seed: u8) -> World<2> {
    let edge = [Edge::ALL[usize::from(seed) % 2], Edge::ALL[usize::from(seed / 2) % 2]];
    let size = Vector([30.0, 20.0]);
    let settings = Settings { size, edge, tick_seconds: 0.05, seed: seed.into(), ..Settings::default() };
    let mut world = World::new(settings).expect("the settings are valid");
    let species = Species::new("bird").with(1.0, Separation::default()).with(1.0, Cohesion::default());
    world.add_species(species.with(0.5, Alignment::default())).expect("the species is valid");
    world.add_species(Species::new("hawk").with(1.0, Wander::default())).expect("the species is valid");
    world
}

fuzz_target!(|data: &[u8]| {
    let Some((&seed, operations)) = data.split_first() else { return };
    let mut worlds = [world(seed), world(seed), world(seed)];
    let ways = [NeighbourLists::Auto, NeighbourLists::Fresh, NeighbourLists::Kept];
    let sets = [InstructionSet::widest(), InstructionSet::Baseline, InstructionSet::Baseline];
    for ((world, neighbour_lists), set) in worlds.iter_mut().zip(ways).zip(sets) {
        world.set_execution(Execution { neighbour_lists, instruction_set: Some(set) }).expect("the set is available");
    }
    let mut known: Vec<AgentId> = Vec::new();
    for (number, &[what, which, x, y]) in operations.as_chunks::<4>().0.iter().take(64).enumerate() {
        if number == 16 {
            let mut bytes = Vec::new();
            worlds[1].save(&mut bytes).expect("a vector takes every byte");
            worlds[1] = World::load(&bytes[..]).expect("what was saved can be loaded");
        }
        let point = Vector([f32::from(x) * 30.0 / 255.0, f32::from(y) * 20.0 / 255.0]);
        let chosen = known.get(usize::from(which) % known.len().max(1)).copied();
        let mut spawned = None;
        for (number, world) in worlds.iter_mut().enumerate() {
            let species = world.species_ids().nth(usize::from(which) % 2).expect("there are two");
            match (what % 8, chosen) {
                (0..=2, _) => spawned = Some(world.spawn(species, point, point - Vector([15.0, 10.0])).expect("room")),
                (3, Some(id)) => world.despawn(id).expect("it lives"),
                (4, Some(id)) => world.set_position(id, point).expect("the point is inside"),
                (5, Some(id)) => world.set_velocity(id, point).expect("the velocity is finite"),
                (6, Some(id)) => world.set_goal(id, (x % 2 == 0).then_some(point)).expect("it lives"),
                _ if number == 2 => POOL.install(|| world.step()),
                _ => world.step(),
            }
        }
        known.extend(spawned);
        if what % 8 == 3 {
            known.retain(|id| Some(*id) != chosen);
        }
        let hash = worlds[0].state_hash();
        assert!(worlds.iter().all(|world| world.state_hash() == hash && world.population() == known.len()));
    }
});
