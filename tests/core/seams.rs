//! Seams: neighbours across them against a search through all agents, agents that cross, walls, ways and snapshots.

use std::sync::Arc;

use crate::checker::{Checker, Tally};
use throng::behaviours::{Alignment, Cohesion, Separation, WalkTo, Wander};
use throng::motions::Pedvo;
use throng::settings::NeighbourLists;
use throng::{
    AgentId, Edge, Execution, Goal, Navigation, Noise, Region, Seam, Settings, Sink, Species, SpeciesFilter, Vector,
    Wall, World,
};

fn seam(ends: [[f32; 2]; 2], shift: [f32; 2]) -> Seam<2> {
    Seam { ends: ends.map(Vector), shift: Vector(shift) }
}

/// A plane with seams along the axes and askew, two of them so near each other that one agent sees through both.
fn plane(seed: u64) -> Settings<2> {
    let seams = vec![
        seam([[20.0, 20.0], [20.0, 28.0]], [24.0, 3.0]),
        seam([[10.0, 44.0], [16.0, 47.0]], [30.0, -9.0]),
        seam([[24.0, 30.0], [19.0, 30.0]], [-8.5, 22.25]),
    ];
    Settings {
        size: Vector([64.0; 2]),
        edge: [Edge::Bounce; 2],
        tick_seconds: 0.05,
        seed,
        seams,
        ..Settings::default()
    }
}

#[test]
fn neighbours_across_seams_are_those_whose_line_crosses_one() {
    let tally = Arc::<Tally>::default();
    for (nearest, view, lists) in [
        (0, None, NeighbourLists::Fresh),
        (0, None, NeighbourLists::Kept),
        (0, Some((240.0, -0.25)), NeighbourLists::Auto),
        (7, None, NeighbourLists::Auto),
        (40, None, NeighbourLists::Auto),
    ] {
        let mut world = World::<2>::new(plane(nearest.into())).unwrap();
        world.set_execution(Execution { neighbour_lists: lists, ..Execution::default() }).unwrap();
        let checker = |filter| Checker { nearest, view, across: true, ..Checker::new(6.0, filter, &tally) };
        for name in ["starling", "hawk"] {
            let mut species = Species::new(name).with(1.0, Wander::default()).with(0.0, checker(SpeciesFilter::All));
            species = species.with(0.0, checker(SpeciesFilter::Own));
            species.max_speed = 6.0.into();
            world.add_species(species).unwrap();
        }
        let (ids, mut noise) = (world.species_ids().collect::<Vec<_>>(), Noise::new(nearest.into(), 1, 4, Noise::USER));
        for number in 0..500 {
            let at = Vector::from_fn(|_| noise.between(0.0, 64.0));
            world.spawn(ids[number % 2], at, noise.direction::<2>() * 6.0).unwrap();
        }
        (0..8).for_each(|_| world.step());
        assert_eq!(world.faults().lost, 0);
    }
    tally.settle(15_000, 50_000, "across seams");
}

#[test]
fn an_agent_crosses_a_seam_without_a_jump_of_its_way() {
    let mut world = World::<2>::new(plane(1)).unwrap();
    let species = world.add_species(Species { max_speed: 3.0.into(), ..Species::new("walker") }).unwrap();
    let walk = |world: &mut World<2>, from: [f32; 2], velocity: [f32; 2], ticks: u32| {
        let agent = world.spawn(species, from, velocity).unwrap();
        (0..ticks).for_each(|_| world.step());
        let at = world.position(agent).unwrap();
        world.despawn(agent).unwrap();
        at
    };
    // The segment leads upwards: its left is before it.
    let near = |at: Vector<2>, to: [f32; 2]| assert!((at - Vector(to)).length() < 1e-4, "{at:?}, not {to:?}");
    near(walk(&mut world, [19.0, 24.0], [2.0, 0.5], 20), [21.0 + 24.0, 24.5 + 3.0]);
    near(walk(&mut world, [45.0, 27.5], [-2.0, -0.5], 20), [43.0 - 24.0, 27.0 - 3.0]);
    // Beside the segment, and from behind, an agent goes straight on.
    near(walk(&mut world, [19.0, 19.0], [2.0, 0.5], 20), [21.0, 19.5]);
    near(walk(&mut world, [21.0, 24.0], [-2.0, 0.5], 20), [19.0, 24.5]);
    // Steps of one millimetre cross it once.
    near(walk(&mut world, [19.9995, 24.0], [0.02, 0.0], 20), [20.0195 + 24.0, 27.0]);
}

/// Two rooms with a door between them: beside each other, or apart by a shift and joined by a seam. People walk from the
/// left one through the right one.
fn rooms(shift: f32, seed: u64) -> (World<2>, Vec<AgentId>) {
    let seams = if shift > 0.0 {
        vec![seam([[16.0, 7.0], [16.0, 5.0]].map(|[x, y]| [x, 12.0 - y]), [shift, 0.0])]
    } else {
        Vec::new()
    };
    let settings = Settings {
        size: Vector([32.0 + shift, 12.0]),
        edge: [Edge::Bounce; 2],
        tick_seconds: 0.05,
        seed,
        seams,
        ..Settings::default()
    };
    let mut world = World::<2>::new(settings).unwrap();
    let environment = world.environment_mut();
    let right = 16.0 + shift;
    for x in if shift > 0.0 { vec![16.0, right] } else { vec![right] } {
        for [from, to] in [[0.0, 5.0], [7.0, 12.0]] {
            environment.walls.add(Wall::segment([x, from], [x, to])).unwrap();
        }
    }
    let exit = throng::Shape::Box { centre: Vector([31.0 + shift, 6.0]), half: Vector([1.0, 6.0]) };
    environment.regions.add(Region { name: "exit".to_owned(), shape: exit }).unwrap();
    environment
        .sinks
        .add(Sink { name: "exit".into(), region: "exit".into(), species: Vec::new(), states: Vec::new() })
        .unwrap();
    let ways = Navigation { cell: Some(0.25), ..Navigation::new("out", vec![Goal::Region("exit".to_owned())]) };
    environment.navigations.add(ways).unwrap();
    let mut people = Species::new("people")
        .with(1.0, WalkTo { goals: vec!["out".to_owned()], ..WalkTo::default() })
        .with_motion(Pedvo::default());
    people.radius = 0.2.into();
    people.max_speed = 1.34.into();
    let people = world.add_species(people).unwrap();
    let mut noise = Noise::new(seed, 1, 4, Noise::USER);
    let mut ids = Vec::new();
    for number in 0..60 {
        let at = [2.0 + (number % 10) as f32 + noise.between(0.0, 0.4), 2.0 + (number / 10) as f32 * 1.4];
        ids.push(world.spawn(people, at, [0.0, 0.0]).unwrap());
    }
    (world, ids)
}

#[test]
fn people_pass_a_seam_as_if_there_were_none() {
    let last = |shift: f32, seed: u64| {
        let (mut world, _) = rooms(shift, seed);
        let mut audit = throng::WallAudit::default();
        while world.population() > 0 && world.tick() < 4000 {
            audit.before(&world);
            world.step();
            audit.after(&world);
        }
        assert_eq!(audit.crossings(), 0, "walls were crossed");
        world.tick() as f32 * 0.05
    };
    let times = |shift: f32| (0..6).map(|seed| last(shift, seed)).sum::<f32>() / 6.0;
    let (flat, apart) = (times(0.0), times(128.0));
    assert!((apart / flat - 1.0).abs() < 0.05, "the last leaves after {apart} s through a seam, {flat} s without");
}

#[test]
fn seams_are_saved_and_change_no_bit_after_a_restore() {
    let (mut world, _) = rooms(128.0, 3);
    (0..150).for_each(|_| world.step());
    let mut saved = Vec::new();
    world.save(&mut saved).unwrap();
    let mut restored = World::<2>::load(&saved[..]).unwrap();
    assert_eq!(restored.settings().seams, world.settings().seams);
    for _ in 0..200 {
        world.step();
        restored.step();
        assert_eq!(world.state_hash(), restored.state_hash());
    }
}

#[test]
fn flocks_across_seams_have_equal_bits_with_kept_and_fresh_lists() {
    let run = |lists: NeighbourLists| {
        let mut world = World::<2>::new(plane(5)).unwrap();
        world.set_execution(Execution { neighbour_lists: lists, ..Execution::default() }).unwrap();
        let flock = Species::new("bird").with(1.5, Separation::default()).with(1.0, Alignment::default());
        let bird = world.add_species(flock.with(1.0, Cohesion::default())).unwrap();
        let mut noise = Noise::new(2, 1, 4, Noise::USER);
        for _ in 0..700 {
            let at = Vector::from_fn(|_| noise.between(0.0, 64.0));
            world.spawn(bird, at, noise.direction::<2>() * 4.0).unwrap();
        }
        (0..200)
            .map(|_| {
                world.step();
                world.state_hash()
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(run(NeighbourLists::Kept), run(NeighbourLists::Fresh));
}

#[test]
fn seams_that_no_world_can_have_are_refused() {
    let refused = |settings: Settings<2>| World::<2>::new(settings).unwrap_err().to_string();
    let plain = plane(0);
    let wraps = Settings { edge: [Edge::Wrap, Edge::Bounce], ..plain.clone() };
    assert_eq!(refused(wraps), "seams = 3: must be in a world of two dimensions whose axes do not wrap");
    let point = Settings { seams: vec![seam([[1.0, 2.0]; 2], [9.0, 0.0])], ..plain.clone() };
    assert_eq!(refused(point), "ends = [0.0, 0.0]: must be a vector that is not zero");
    let loops = Settings { seams: vec![seam([[1.0, 2.0], [3.0, 2.0]], [0.0; 2])], ..plain.clone() };
    assert_eq!(refused(loops), "shift = [0.0, 0.0]: must be a vector that is not zero");
    let mut world = World::<2>::new(plain.clone()).unwrap();
    let error = world.set_settings(Settings { seams: Vec::new(), ..plain }).unwrap_err().to_string();
    assert_eq!(error, "seams = 0: must be as it was when the world was made");
    let space = Settings::<3> {
        edge: [Edge::Bounce; 3],
        seams: vec![Seam { ends: [Vector::ZERO, Vector::splat(1.0)], shift: Vector::splat(9.0) }],
        ..Settings::default()
    };
    assert!(World::<3>::new(space).is_err());
}
