//! Tests of the contract: the same bits for any number of threads, any instruction set and any build.

use rayon::ThreadPoolBuilder;
use throng::behaviours::{Alignment, Cohesion, Seek, Separation};
use throng::settings::NeighbourLists;
use throng::{
    AgentRef, Behaviour, Distribution, Edge, Event, Execution, Inputs, InstructionSet, Noise, Perception, Settings,
    Species,
};
use throng::{SpeciesFilter, Target, Vector, World};

/// The ticks of a run: more than the longest interval between arrangements of rows.
const TICKS: usize = 36;

/// The hashes of [`golden_world`] in two and three dimensions. A change of what the engine computes changes them. If
/// the change is intended, the hashes that the failing test prints replace these.
const GOLDEN: [u64; 2] = [0x000c_2c1f_b058_7f91, 0x496e_e05f_aa0f_2b7c];

/// Steers away from the nearest neighbour of a list. Rarely returns NaN, which the quarantine must drop.
#[derive(Debug)]
struct Shy;

impl<const D: usize> Behaviour<D> for Shy {
    fn inputs(&self) -> Inputs {
        Inputs::default()
            .neighbours(Perception { field_of_view: 200.0, ..Perception::within(3.0, &SpeciesFilter::All) })
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let mut noise = me.noise(Noise::USER);
        if noise.unit() < 0.001 {
            return Vector::splat(f32::NAN);
        }
        let nearest = me.neighbours(0).min_by(|a, b| a.distance_squared.total_cmp(&b.distance_squared));
        let away = nearest.map_or(Vector::ZERO, |other| -other.offset);
        away + noise.in_ball() * 2.0
    }
}

/// The settings of [`world`].
fn settings<const D: usize>(edge: Edge, seed: u64) -> Settings<D> {
    let size = Vector::from_fn(|axis| [40.0, 33.0, 21.0][axis]);
    Settings { size, edge: [edge; _], seed, tick_seconds: 0.05, ..Settings::default() }
}

fn world<const D: usize>(settings: Settings<D>, count: usize) -> World<D> {
    let size = settings.size;
    let mut world = World::new(settings).unwrap();
    let mut starling = Species::new("starling")
        .with(1.5, Separation { radius: 2.0, ..Separation::default() })
        .with(1.0, Alignment { radius: 4.0, fov: 270.0, ..Alignment::default() })
        .with(0.7, Cohesion { radius: 4.0, fov: 270.0, ..Cohesion::default() })
        .with(1.0, Separation { radius: 8.0, from: SpeciesFilter::named("hawk"), ..Separation::default() })
        .with(0.1, Seek { target: Target::Point(size * 0.25) });
    starling.max_speed = Distribution::Uniform(4.0, 8.0);
    starling.mass = Distribution::Uniform(0.5, 2.0);
    starling.max_turn_rate = 300.0;
    starling.min_speed = 1.0;
    let hawk = Species::new("hawk")
        .with(1.0, Cohesion { radius: 25.0, fov: 90.0, from: SpeciesFilter::All, nearest: 0, ..Cohesion::default() })
        .with(1.0, Shy);
    let species = [world.add_species(starling).unwrap(), world.add_species(hawk).unwrap()];
    // A generator of the test's own, independent of throng's noise.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut unit = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / 16_777_216.0
    };
    let mut place = Vector::ZERO;
    for number in 0..count {
        // Every tenth agent stands on the point of the agent before it.
        if number % 10 != 0 {
            place = Vector::from_fn(|axis| unit() * size[axis] * if number % 3 == 0 { 0.2 } else { 1.0 });
        }
        let velocity = Vector::<D>::from_fn(|_| 8.0 * unit() - 4.0);
        world.spawn(species[usize::from(number % 5 == 4)], place, velocity).unwrap();
    }
    world
}

/// Runs a world in a pool of `threads` threads. Returns hash and events after each tick.
fn run<const D: usize>(mut world: World<D>, threads: usize) -> Vec<(u64, Vec<Event>)> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let tick = |world: &mut World<D>| {
        world.step();
        (world.state_hash(), world.events().to_vec())
    };
    pool.install(|| (0..TICKS).map(|_| tick(&mut world)).collect())
}

/// Compares runs with every execution. The budget of pairs is part of the physics: kept and fresh lists must exceed it
/// at the same ticks.
fn compare<const D: usize>(edge: Edge, pair_budget: Option<usize>) {
    let world = |set, neighbour_lists| {
        let mut world = world(Settings { pair_budget, ..settings::<D>(edge, 7) }, 1600);
        world.set_execution(Execution { neighbour_lists, instruction_set: Some(set) }).unwrap();
        world
    };
    let reference = run(world(InstructionSet::Baseline, NeighbourLists::Fresh), 1);
    assert!(reference.iter().any(|(_, events)| events.len() > 1), "a tick has several events, whose order is compared");
    for set in InstructionSet::ALL {
        if !InstructionSet::available().any(|available| available == set) {
            println!("{set}: SKIPPED, this machine lacks it");
            continue;
        }
        // Every number of threads and every kind of lists, but not every combination.
        let runs = [
            (1, NeighbourLists::Kept),
            (2, NeighbourLists::Fresh),
            (3, NeighbourLists::Kept),
            (8, NeighbourLists::Auto),
        ];
        for (threads, neighbour_lists) in runs {
            let found = run(world(set, neighbour_lists), threads);
            for (tick, (found, expected)) in found.iter().zip(&reference).enumerate() {
                assert_eq!(
                    found, expected,
                    "{edge:?}, {D}D, {set}, {threads} threads, {neighbour_lists:?}, tick {tick}"
                );
            }
            println!("{edge:?}, {D}D, {set}, {threads} threads, {neighbour_lists:?}: equal");
        }
    }
}

#[test]
fn threads_and_instruction_sets_change_no_bit_in_two_dimensions() {
    compare::<2>(Edge::Wrap, Some(4096));
    compare::<2>(Edge::Remove, Some(4096));
}

#[test]
fn threads_and_instruction_sets_change_no_bit_in_three_dimensions() {
    compare::<3>(Edge::Wrap, Some(4096));
    compare::<3>(Edge::Respawn, Some(4096));
}

/// A kept list expires when an agent that is not on it can have come near. That happens soonest for agents that fly
/// towards each other at full speed.
#[test]
fn agents_that_fly_towards_each_other_are_listed_in_time() {
    let course = |neighbour_lists| {
        let settings = Settings { size: Vector([300.0, 40.0]), tick_seconds: 0.1, ..Settings::default() };
        let mut world = World::<2>::new(settings).unwrap();
        world.set_execution(Execution { neighbour_lists, ..Execution::default() }).unwrap();
        // The force is tiny, so that agents keep their full speed, but their neighbours show in the bits of positions.
        let mut starling = Species::new("starling").with(1e-3, Separation { radius: 10.0, ..Separation::default() });
        starling.max_speed = 1.0.into();
        let id = world.add_species(starling).unwrap();
        let mut noise = Noise::new(5, 0, 0, Noise::USER);
        for number in 0..600 {
            let forth = number % 2 == 0;
            let place = [noise.between(0.0, 300.0), noise.between(0.0, 40.0)];
            world.spawn(id, place, [if forth { 1.0 } else { -1.0 }, 0.0]).unwrap();
        }
        let tick = |_| {
            world.step();
            world.state_hash()
        };
        (0..80).map(tick).collect::<Vec<u64>>()
    };
    assert_eq!(course(NeighbourLists::Kept), course(NeighbourLists::Fresh));
}

/// Random numbers follow from the seed, and from nothing outside the world.
#[test]
fn another_seed_gives_another_course() {
    let hash = |seed| run(world(settings::<2>(Edge::Wrap, seed), 200), 2).last().unwrap().0;
    assert_eq!(hash(1), hash(1));
    assert_ne!(hash(1), hash(2));

    // The hash covers the seed itself, so bodies and the parting of coincident agents are compared too.
    let start = |seed| world(settings::<2>(Edge::Wrap, seed), 200);
    let speeds = |world: &World<2>| {
        let starlings = world.agents(world.find_species("starling").unwrap()).unwrap();
        (0..starlings.len()).map(|row| starlings.max_speed(row)).collect::<Vec<f32>>()
    };
    assert_ne!(speeds(&start(1)), speeds(&start(2)));
    assert_eq!(speeds(&start(1)), speeds(&start(1)));
    let parted = |seed| {
        let mut world = World::<3>::new(Settings { seed, ..Settings::default() }).unwrap();
        let id = world.add_species(Species::new("starling").with(1.0, Separation::default())).unwrap();
        for _ in 0..2 {
            world.spawn(id, [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]).unwrap();
        }
        world.step();
        world.agents(id).unwrap().position(0)
    };
    assert_eq!(parted(1), parted(1));
    assert_ne!(parted(1), parted(2));
}

/// The hash covers each part of the state.
#[test]
fn the_hash_covers_every_part() {
    let mut world = world(settings::<2>(Edge::Wrap, 1), 50);
    let id = world.agents(world.find_species("hawk").unwrap()).unwrap().ids()[3];
    let mut hashes = vec![world.state_hash()];
    world.set_position(id, [1.0, 2.0]).unwrap();
    hashes.push(world.state_hash());
    world.set_velocity(id, [1.0, 2.0]).unwrap();
    hashes.push(world.state_hash());
    world.set_goal(id, Some(Vector([1.0, 2.0]))).unwrap();
    hashes.push(world.state_hash());
    world.despawn(id).unwrap();
    hashes.push(world.state_hash());
    world.step();
    hashes.push(world.state_hash());
    let count = hashes.len();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), count);
}

fn golden_world<const D: usize>() -> u64 {
    run(world(settings::<D>(Edge::Wrap, 1987), 600), 2).last().unwrap().0
}

/// Debug builds, release builds and all platforms have the same hashes.
#[test]
fn golden() {
    let found = [golden_world::<2>(), golden_world::<3>()];
    assert!(found == GOLDEN, "const GOLDEN: [u64; 2] = {found:#x?};");
}
