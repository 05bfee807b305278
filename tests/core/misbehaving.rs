//! Tests that worlds with extreme values stay finite and inside, with the same bits however they run.

use std::sync::Arc;

use proptest::prelude::*;
use throng::behaviours::{Cohesion, Separation, Wander};
use throng::parameters::{Kind, Parameter, Value};
use throng::settings::NeighbourLists;
use throng::{
    AgentId, Behaviour, Edge, Execution, InstructionSet, Registry, Rule, Settings, Species, SpeciesId, Vector, World,
};

use crate::edits::Random;

const SIZES: [f32; 6] = [1e-6, 1e-3, 1.0, 100.0, 33.3, throng::LIMIT];
const TICKS: [f32; 6] = [f32::MIN_POSITIVE, 1e-6, 0.05, 1.0, 60.0, 1000.0];
const SPEEDS: [f32; 7] = [0.0, 1e-45, 1e-38, 1e-6, 1.3, 1e3, throng::LIMIT];
const NUMBERS: [f64; 14] = [0.0, -0.0, 1e-45, 1e-38, 1e-6, 0.5, 1.0, 7.0, 90.0, 360.0, 1e3, 1e6, 3e38, -1.0];

/// One of the values.
fn one<T: Copy>(random: &mut Random, of: &[T]) -> T {
    of[random.below(of.len())]
}

/// An extreme value that the table allows, if this test has one of its kind.
fn extreme(random: &mut Random, parameter: &Parameter, dimensions: usize) -> Option<Value> {
    let value = match parameter.kind {
        Kind::Flag => Value::Flag(random.below(2) == 0),
        Kind::Choice(words) => Value::Word(one(random, words).to_owned()),
        Kind::Whole(low, high) => Value::Whole(one(random, &[low, low + 1, 100]).clamp(low, high)),
        Kind::Point(_) => Value::Point((0..dimensions).map(|_| one(random, &NUMBERS)).collect()),
        Kind::Target => Value::Word("nearest:crowd".to_owned()),
        Kind::SpeciesFilter => Value::Word("all".to_owned()),
        _ => Value::Number(one(random, &NUMBERS)),
    };
    parameter.kind.takes(&value, dimensions).then_some(value)
}

/// A world of up to two species with random rules and random extreme values everywhere.
fn extreme_world<const D: usize>(random: &mut Random) -> World<D> {
    let settings = Settings {
        size: Vector::from_fn(|_| one(random, &SIZES)),
        edge: std::array::from_fn(|_| one(random, &Edge::ALL)),
        tick_seconds: one(random, &TICKS),
        seed: random.next(),
        ..Settings::default()
    };
    let mut world = World::<D>::new(settings).unwrap();
    let registry = Registry::new();
    let rules: Vec<_> = registry.rules::<D>().collect();
    let motions: Vec<_> = registry.motions::<D>().collect();
    for name in ["crowd", "others"] {
        let mut species = Species::new(name);
        for _ in 0..random.below(4) {
            let mut rule = rules[random.below(rules.len())].duplicate();
            for parameter in rule.parameters() {
                if let Some(value) = extreme(random, parameter, D).filter(|_| random.below(2) == 0) {
                    // Some parameters must fit to others.
                    let _ = rule.set(parameter.name, &value);
                }
            }
            let rule: Box<dyn Behaviour<D>> = rule;
            species.rules.push(Rule::from_arc(one(random, &[0.0, 1.0, -1.0, 1e3]), Arc::from(rule)));
        }
        if random.below(3) == 0 {
            let motion: Box<dyn throng::Motion<D>> = motions[random.below(motions.len())].duplicate();
            species.motion = Some(Arc::from(motion));
        }
        species.max_speed = one(random, &SPEEDS).into();
        species.max_force = one(random, &[0.0, 1e-45, 10.0, 1e9]).into();
        species.mass = one(random, &[1e-6, 1.0, 1e6]).into();
        species.radius = one(random, &[0.0, 1e-45, 0.25, 1e3]).into();
        species.max_turn_rate = one(random, &[f32::INFINITY, 0.0, 90.0]);
        let plain = Species::new(name);
        let id = world.add_species(species).or_else(|_| world.add_species(plain)).unwrap();
        crowd(&mut world, id, random);
    }
    world
}

/// Spawns agents at corners, at one point, on the seam and anywhere, with extreme velocities.
fn crowd<const D: usize>(world: &mut World<D>, species: SpeciesId, random: &mut Random) {
    let size = world.settings().size;
    for _ in 0..random.below(60) {
        let place = match random.below(4) {
            0 => size * 0.5,
            1 => Vector::from_fn(|axis| if random.below(2) == 0 { 0.0 } else { size[axis] }),
            _ => random.point(size),
        };
        let velocity = Vector::from_fn(|_| one(random, &SPEEDS) * one(random, &[1.0, -1.0]));
        world.spawn(species, place, velocity).unwrap();
    }
}

/// Checks that all numbers are finite, and positions inside where an edge keeps agents.
fn check<const D: usize>(world: &World<D>) {
    let settings = world.settings();
    for species in world.species_ids() {
        let agents = world.agents(species).unwrap();
        let finite = |columns: [&[f32]; D], what: &str| {
            for (axis, column) in columns.iter().enumerate() {
                let bad = column.iter().position(|number| !number.is_finite());
                assert_eq!(bad.map(|row| (row, column[row])), None, "{what} on axis {axis}");
            }
        };
        finite(agents.positions(), "position");
        finite(agents.velocities(), "velocity");
        finite(agents.position_residuals(), "residual");
        for axis in 0..D {
            if matches!(settings.edge[axis], Edge::Wrap | Edge::Bounce) {
                let inside = |&at: &f32| (0.0..=settings.size[axis]).contains(&at);
                assert!(agents.positions()[axis].iter().all(inside), "axis {axis}: {:?}", agents.positions()[axis]);
            }
        }
    }
}

/// Runs a world, a twin that runs in another way, and a copy that is restored on the way.
fn run<const D: usize>(seed: u64) {
    let mut random = Random::new(seed);
    let mut world = extreme_world::<D>(&mut random);
    println!("{:?}", world.settings());
    for species in world.species_ids() {
        println!("{:?}", world.species(species).unwrap());
        println!("{:?}", world.agents(species).unwrap().positions());
    }
    let mut twin = world.clone();
    let fresh = Execution { neighbour_lists: NeighbourLists::Fresh, ..Execution::default() };
    world.set_execution(fresh).unwrap();
    let instruction_set = Some(InstructionSet::Baseline);
    twin.set_execution(Execution { neighbour_lists: NeighbourLists::Kept, instruction_set }).unwrap();
    let mut restored: Option<World<D>> = None;
    for tick in 0..6 {
        world.step();
        check(&world);
        for twin in std::iter::once(&mut twin).chain(&mut restored) {
            twin.step();
            assert_eq!((world.state_hash(), world.events()), (twin.state_hash(), twin.events()), "tick {tick}");
        }
        if tick == 2 {
            let mut bytes = Vec::new();
            world.save(&mut bytes).unwrap();
            restored = Some(World::load(&bytes[..]).unwrap());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn extreme_worlds_stay_finite_and_have_one_hash(seed in any::<u64>()) {
        run::<2>(seed);
        run::<3>(seed);
    }
}

#[test]
fn all_agents_on_one_point_spread() {
    let mut world = World::<2>::new(Settings { tick_seconds: 0.05, ..Settings::default() }).unwrap();
    let species = Species::new("crowd").with(1.0, Separation::default()).with(0.2, Cohesion::default());
    let crowd = world.add_species(species).unwrap();
    world.spawn_many(crowd, &[[50.0, 50.0]; 600], &[[0.0, 0.0]; 600]).unwrap();
    for _ in 0..40 {
        world.step();
        check(&world);
    }
    let [x, y] = world.agents(crowd).unwrap().positions();
    let mut places: Vec<[u32; 2]> = x.iter().zip(y).map(|(x, y)| [x.to_bits(), y.to_bits()]).collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 600);
}

#[test]
fn agents_leave_an_open_world_at_the_limit_of_coordinates() {
    let settings = Settings { size: Vector::splat(throng::LIMIT), edge: [Edge::Open; 2], ..Settings::default() };
    let mut world = World::new(Settings { tick_seconds: 1000.0, ..settings }).unwrap();
    let bird = world.add_species(Species { max_speed: throng::LIMIT.into(), ..Species::new("bird") }).unwrap();
    for direction in [[1.0, 0.0], [0.0, -1.0], [-1.0, 1.0]] {
        world.spawn(bird, [throng::LIMIT, throng::LIMIT], Vector(direction) * throng::LIMIT).unwrap();
    }
    for _ in 0..3 {
        world.step();
        check(&world);
    }
    assert_eq!(world.population(), 0);
}

#[test]
fn an_agent_without_speed_stays_and_a_denormal_velocity_is_kept() {
    for max_speed in [0.0, 10.0] {
        let mut world = World::<2>::new(Settings { tick_seconds: 1.0, ..Settings::default() }).unwrap();
        let bird = world.add_species(Species { max_speed: max_speed.into(), ..Species::new("bird") }).unwrap();
        let (still, slow) = (f32::from_bits(0), f32::from_bits(1));
        let ids = [still, slow].map(|speed| world.spawn(bird, [50.0, 50.0], [speed, 0.0]).unwrap());
        (0..100).for_each(|_| world.step());
        check(&world);
        let places = ids.map(|id| world.position(id).unwrap());
        // The way of a hundred ticks is far below the resolution of the position: its residual holds it.
        assert_eq!(places, [Vector([50.0, 50.0]); 2]);
        // Its square is zero, so that no largest speed limits it.
        assert_eq!(ids.map(|id| world.velocity(id).unwrap()[0].to_bits()), [0, slow.to_bits()]);
    }
}

/// Runs agents along the seam and across it, by ever smaller steps.
fn on_the_seam(ticks: u64) {
    let size = Vector([33.3, 10.0]);
    let mut world = World::<2>::new(Settings { size, tick_seconds: 0.05, ..Settings::default() }).unwrap();
    let walker = world.add_species(Species::new("walker")).unwrap();
    let velocities = [[0.0, 1.3], [1e-7, 0.7], [-1e-7, 0.7], [1e-30, 0.0], [-1e-30, 0.0], [3.0, -3.0]];
    let ids: Vec<AgentId> = velocities.map(|velocity| world.spawn(walker, [0.0, 5.0], velocity).unwrap()).to_vec();
    for _ in 0..ticks {
        world.step();
    }
    check(&world);
    for (id, velocity) in ids.into_iter().zip(velocities) {
        assert_eq!(world.velocity(id).unwrap(), Vector(velocity), "nothing turns an agent on the seam");
        // The way of all ticks, in f64, from the seam.
        let way = f64::from(velocity[0]) * f64::from(0.05_f32) * ticks as f64;
        let (period, x) = (f64::from(size[0]), f64::from(world.position(id).unwrap()[0]));
        let apart = (x - way).rem_euclid(period);
        let apart = if apart > period / 2.0 { period - apart } else { apart };
        assert!(apart < 1e-4 + 1e-7 * way.abs(), "{velocity:?}: {x} m, not {way} m");
    }
}

#[test]
fn agents_on_the_seam_go_where_they_are_headed() {
    on_the_seam(20_000);
}

#[test]
#[ignore = "long"]
fn agents_on_the_seam_for_a_million_ticks() {
    on_the_seam(1_000_000);
}

#[test]
#[ignore = "long: ten million ticks"]
#[cfg(target_os = "linux")]
fn memory_and_file_handles_stay_constant() {
    let mut world = World::<2>::new(Settings { tick_seconds: 0.05, seed: 3, ..Settings::default() }).unwrap();
    let species = Species::new("midge").with(1.0, Separation::default()).with(1.0, Wander::default());
    let midge = world.add_species(species).unwrap();
    let mut ids: Vec<AgentId> = Vec::new();
    let used = || {
        let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
        let resident: u64 = pages.split(' ').nth(1).unwrap().parse().unwrap();
        (resident, std::fs::read_dir("/proc/self/fd").unwrap().count())
    };
    let mut first = None;
    for tick in 0..10_000_000_u64 {
        // Every tick adds an agent and removes the eldest of eight.
        let at = (tick % 97) as f32;
        ids.push(world.spawn(midge, [at, 50.0], [1.0, 0.0]).unwrap());
        if ids.len() > 8 {
            world.despawn(ids.remove(0)).unwrap();
        }
        world.step();
        if tick == 100_000 {
            first = Some(used());
        }
    }
    let (before, after) = (first.unwrap(), used());
    println!("pages and handles: {before:?} after 1e5 ticks, {after:?} after 1e7");
    assert_eq!(world.tick(), 10_000_000);
    assert!(after.0 <= before.0 + before.0 / 100 && after.1 == before.1, "{before:?}, then {after:?}");
}

/// A part of the input: the order in which agents are added, because draws are keyed by ids. Without draws and without
/// neighbours at equal distances, the reverse order gives the same motion.
#[test]
fn without_noise_the_order_of_insertion_changes_no_bit() {
    let run = |reversed: bool| {
        let mut world = World::<2>::new(Settings { tick_seconds: 0.05, ..Settings::default() }).unwrap();
        let species = Species::new("bird")
            .with(1.5, Separation { radius: 3.0, ..Separation::default() })
            .with(1.0, throng::behaviours::Alignment { radius: 6.0, ..Default::default() })
            .with(0.3, Cohesion { radius: 6.0, ..Cohesion::default() });
        let bird = world.add_species(species).unwrap();
        let mut random = Random::new(8);
        let mut crowd: Vec<(usize, Vector<2>, Vector<2>)> = (0..400)
            .map(|number| {
                let place = random.point(Vector([100.0, 100.0]));
                (number, place, random.point(Vector([8.0, 8.0])) - Vector([4.0, 4.0]))
            })
            .collect();
        if reversed {
            crowd.reverse();
        }
        let mut ids = vec![None; crowd.len()];
        for (number, place, velocity) in crowd {
            ids[number] = Some(world.spawn(bird, place, velocity).unwrap());
        }
        (0..2000).for_each(|_| world.step());
        let bits = |vector: Vector<2>| [vector[0].to_bits(), vector[1].to_bits()];
        let place = |id: AgentId| (bits(world.position(id).unwrap()), bits(world.velocity(id).unwrap()));
        ids.into_iter().map(|id| place(id.unwrap())).collect::<Vec<_>>()
    };
    assert_eq!(run(false), run(true));
}
