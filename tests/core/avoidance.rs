//! Tests that agents keep clear of obstacles and of each other, with the same bits for any number of threads and any
//! instruction set.

use throng::behaviours::{
    AvoidNeighbours, AvoidObstacles, Containment, ContainmentArea, FollowFlowField, Queue, Seek, Separation, Tether,
};
use throng::{Edge, Event, Execution, FlowField, InstructionSet, Obstacle, Settings, Species, Target, Vector, World};

/// Two crowds that cross among a fixed and a moving obstacle, with every rule that avoids or contains.
fn crowds<const D: usize>(instruction_set: Option<InstructionSet>) -> World<D> {
    let settings = Settings { size: Vector::splat(60.0), edge: [Edge::Wrap; _], seed: 11, ..Settings::default() };
    let mut world = World::<D>::new(settings).unwrap();
    world.set_execution(Execution { instruction_set, ..Execution::default() }).unwrap();
    let obstacle = |at: f32, speed: f32| Obstacle {
        velocity: Vector::from_fn(|axis| if axis == 0 { speed } else { 0.0 }),
        ..Obstacle::new(Vector::splat(at), 3.0)
    };
    world.environment_mut().obstacles.add(obstacle(30.0, 0.0)).unwrap();
    world.environment_mut().obstacles.add(obstacle(15.0, 4.0)).unwrap();
    let whirl = |point: Vector<D>| {
        Vector::from_fn(|axis| [30.0 - point[1], point[0] - 30.0, 0.5].get(axis).copied().unwrap_or(0.0))
    };
    world
        .environment_mut()
        .fields
        .put(FlowField::from_fn("flow", [12; D], Vector::splat(60.0), whirl).unwrap())
        .unwrap();
    for (name, axis) in [("east", 0), ("north", 1)] {
        let species = Species::new(name)
            .with(1.0, FollowFlowField::default())
            .with(2.0, AvoidObstacles::default())
            .with(1.0, AvoidNeighbours { from: throng::SpeciesFilter::All, ..AvoidNeighbours::default() })
            .with(1.0, Separation { radius: 2.0, ..Separation::default() })
            .with(0.5, Queue::default())
            .with(0.2, Tether { anchor: Target::Point(Vector::splat(30.0)), ..Tether::default() })
            .with(1.0, Containment { region: ContainmentArea::World, ..Containment::default() });
        let species = world.add_species(species).unwrap();
        for number in 0..100 {
            let place = (number as f32 * 0.618_034).fract() * 60.0;
            let at = Vector::<D>::from_fn(|other| if other == axis { place } else { number as f32 * 0.6 });
            world.spawn(species, at, Vector::from_fn(|other| if other == axis { 8.0 } else { 0.0 })).unwrap();
        }
    }
    world
}

fn hash_after<const D: usize>(threads: usize, instruction_set: Option<InstructionSet>) -> u64 {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut world = crowds::<D>(instruction_set);
        for _ in 0..60 {
            world.step();
            let lost = world.events().iter().find(|event| matches!(event, Event::Quarantined { .. }));
            assert_eq!(lost, None);
        }
        world.state_hash()
    })
}

#[test]
fn threads_and_instruction_sets_change_no_bit() {
    let (flat, deep) = (hash_after::<2>(1, None), hash_after::<3>(1, None));
    assert_eq!(flat, hash_after::<2>(3, None));
    assert_eq!(deep, hash_after::<3>(3, None));
    assert_eq!(flat, hash_after::<2>(2, Some(InstructionSet::Baseline)));
    assert_eq!(deep, hash_after::<3>(2, Some(InstructionSet::Baseline)));
}

#[test]
fn agents_that_swap_places_across_a_circle_do_not_touch() {
    let mut world = World::<2>::new(Settings { edge: [Edge::Open; _], ..Settings::default() }).unwrap();
    let mut agents = Vec::new();
    for number in 0..8 {
        // Around (50, 50), slightly unevenly.
        let (sine, cosine) = throng::maths::sin_cos(number as f32 * 0.785 + if number % 2 == 0 { 0.05 } else { 0.0 });
        let arm = Vector([30.0 * cosine, 30.0 * sine]);
        let goal = Vector::splat(50.0) - arm;
        let species = Species::new(number.to_string())
            .with(1.0, Seek { target: Target::Point(goal) })
            .with(2.0, AvoidNeighbours { from: throng::SpeciesFilter::All, ..AvoidNeighbours::default() });
        let species = world.add_species(Species { max_speed: 3.0.into(), ..species }).unwrap();
        agents.push((world.spawn(species, Vector::splat(50.0) + arm, [0.0, 0.0]).unwrap(), goal, false));
    }
    for _ in 0..60 * 60 {
        world.step();
        let at = |agent| {
            let (species, row) = world.find(agent).unwrap();
            world.agents(species).unwrap().position(row)
        };
        for (number, &(one, ..)) in agents.iter().enumerate() {
            for &(other, ..) in &agents[..number] {
                assert!((at(one) - at(other)).length() > 1.0, "tick {}", world.tick());
            }
        }
        for (agent, goal, there) in &mut agents {
            *there |= (at(*agent) - *goal).length() < 2.0;
        }
    }
    assert!(agents.iter().all(|(.., there)| *there));
}
