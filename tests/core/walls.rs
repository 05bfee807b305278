//! Walls: no centre crosses one, by an audit that shares no code with the stage; bodies slide, are pushed out, and
//! rest.

use throng::behaviours::{Seek, Wander};
use throng::{Edge, Event, Noise, Settings, Species, Vector, Wall, WallAudit, WallShape, World};

const EDGES: [Edge; 3] = [Edge::Wrap, Edge::Bounce, Edge::Open];

fn settings<const D: usize>(size: f32, edge: Edge, tick_seconds: f32) -> Settings<D> {
    Settings { size: Vector::splat(size), edge: [edge; D], tick_seconds, seed: 7, ..Settings::default() }
}

/// Random walls of every shape, some of them moving, some of them doors. The first lie on the seam.
fn random_walls<const D: usize>(noise: &mut Noise, size: f32, count: usize, moving: bool) -> Vec<Wall<D>> {
    let mut walls = Vec::new();
    for number in 0..count {
        let mut any = |low: f32, high: f32| Vector::<D>::from_fn(|_| noise.between(low, high));
        let at = match number {
            0 => Vector::ZERO,
            1 => Vector::splat(size),
            _ => any(0.0, size),
        };
        let shape = match (D, number % 4) {
            (2, 0) => WallShape::Path { points: vec![at, at + any(-0.3, 0.3) * size], closed: false },
            (2, 1) => {
                let points = vec![at, at + any(0.0, 0.2) * size, at + any(-0.2, 0.0) * size];
                WallShape::Path { points, closed: true }
            }
            (_, 2) => WallShape::Ball { centre: at, radius: 0.05 * size },
            (3, 1) if number == 5 => {
                let mut normal = Vector::ZERO;
                normal[1] = 1.0;
                WallShape::Plane { point: at, normal }
            }
            _ => WallShape::Box { centre: at, half: any(0.01, 0.1) * size },
        };
        let velocity = if moving && number % 3 == 0 { any(-0.05, 0.05) * size } else { Vector::ZERO };
        let open = if moving && number % 5 == 0 { vec![[1.0, 2.0], [4.0, 4.5]] } else { Vec::new() };
        walls.push(Wall { velocity, open, ..Wall::new(shape) });
    }
    walls
}

/// A world of wanderers among random walls.
fn random_world<const D: usize>(seed: u64, edge: Edge, moving: bool) -> World<D> {
    let mut noise = Noise::new(seed, 0, 0, Noise::USER);
    let size = 33.3;
    let mut world = World::<D>::new(settings(size, edge, 0.1)).unwrap();
    let mut walker = Species::new("walker").with(3.0, Wander::default());
    (walker.max_speed, walker.max_force) = (5.0.into(), 30.0.into());
    walker.radius = throng::Distribution::Uniform(0.0, 0.4);
    let walker = world.add_species(walker).unwrap();
    for wall in random_walls(&mut noise, size, 16, moving) {
        // Some of the random polygons cross themselves.
        let _ = world.environment_mut().walls.add(wall);
    }
    for _ in 0..1000 {
        let (at, along) = (Vector::from_fn(|_| noise.between(0.0, size)), noise.direction() * 5.0);
        world.spawn(walker, at, along).unwrap();
    }
    world
}

fn audited<const D: usize>(world: &mut World<D>, ticks: usize) -> u64 {
    let mut audit = WallAudit::default();
    for _ in 0..ticks {
        audit.before(world);
        world.step();
        audit.after(world);
    }
    audit.crossings()
}

fn count(world: &World<2>, name: &str) -> usize {
    world.events().iter().filter(|event| event.name() == name).count()
}

#[test]
fn no_agent_crosses_a_wall_of_a_random_world() {
    for seed in 0..4 {
        for edge in EDGES {
            for moving in [false, true] {
                let mut world = random_world::<2>(seed, edge, moving);
                assert!(world.environment().walls.len() > 10);
                assert_eq!(audited(&mut world, 120), 0, "2D, seed {seed}, {edge}, moving: {moving}");
                let mut world = random_world::<3>(seed, edge, moving);
                assert_eq!(audited(&mut world, 60), 0, "3D, seed {seed}, {edge}, moving: {moving}");
            }
        }
    }
}

#[test]
fn no_agent_crosses_a_wall_at_any_speed() {
    for edge in EDGES {
        for speed in [1e2, 1e5] {
            let mut world = random_world::<2>(3, edge, true);
            let species = world.find_species("walker").unwrap();
            world.set_settings(settings(33.3, edge, 1.0)).unwrap();
            world
                .edit_species(species, |species| {
                    (species.max_speed, species.max_force) = (speed.into(), 1e6.into());
                })
                .unwrap();
            let ids: Vec<_> = world.all_agents().iter().flat_map(|agents| agents.ids().to_vec()).collect();
            let mut noise = Noise::new(11, 0, 0, Noise::USER);
            for id in ids {
                world.set_velocity(id, noise.direction() * speed).unwrap();
            }
            assert_eq!(audited(&mut world, 60), 0, "{edge}, {speed} m/s");
        }
    }
}

/// A world of one kind of walker that seeks a point at full speed.
fn seekers(size: f32, edge: Edge, target: [f32; 2], radius: f32) -> (World<2>, throng::SpeciesId) {
    let mut world = World::<2>::new(settings(size, edge, 0.1)).unwrap();
    let mut walker = Species::new("walker").with(1.0, Seek { target: target.into() });
    (walker.max_speed, walker.max_force, walker.radius) = (3.0.into(), 100.0.into(), radius.into());
    let walker = world.add_species(walker).unwrap();
    (world, walker)
}

#[test]
fn an_agent_slides_along_a_wall_and_reports_one_contact() {
    let (mut world, walker) = seekers(100.0, Edge::Open, [90.0, 50.0], 0.3);
    let wall = world.environment_mut().walls.add(Wall::segment([20.0, 0.0], [20.0, 30.0])).unwrap();
    let id = world.spawn(walker, [10.0, 10.0], [3.0, 0.0]).unwrap();
    let (mut contacts, mut audit) = (0, WallAudit::default());
    for _ in 0..300 {
        audit.before(&world);
        world.step();
        audit.after(&world);
        let at = world.position(id).unwrap();
        contacts += if at[1] < 29.0 { count(&world, "collided") } else { 0 };
        assert!(at[1] > 30.0 || (20.0 - at[0]) >= 0.3, "{at:?}");
    }
    // It has gone round the end of the wall.
    let at = world.position(id).unwrap();
    assert!(at[0] > 40.0, "{at:?}");
    assert_eq!((contacts, audit.crossings()), (1, 0));
    assert_eq!(world.environment().walls.index_of(wall), Some(0));
}

#[test]
fn an_agent_that_meets_a_wall_head_on_rests_at_its_radius_with_no_velocity_into_it() {
    let (mut world, walker) = seekers(100.0, Edge::Open, [90.0, 50.0], 0.5);
    world.environment_mut().walls.add(Wall::segment([20.0, 0.0], [20.0, 100.0])).unwrap();
    let id = world.spawn(walker, [15.0, 50.0], [3.0, 0.0]).unwrap();
    assert_eq!(audited(&mut world, 60), 0);
    let (at, velocity) = (world.position(id).unwrap(), world.velocity(id).unwrap());
    assert!((19.499..=19.5).contains(&at[0]), "{at:?}");
    assert!(velocity[0] <= 0.0 && velocity[0] > -1e-3, "{velocity:?}");
}

#[test]
fn joints_and_acute_corners_do_not_leak() {
    for radius in [0.0, 0.2] {
        // A zigzag with sharp tips, and walkers that run into its joints along its lines.
        let mut points = Vec::new();
        for number in 0..12 {
            points.push(Vector([if number % 2 == 0 { 40.0 } else { 60.0 }, 2.0 + 8.0 * number as f32]));
        }
        let (mut world, walker) = seekers(100.0, Edge::Open, [99.0, 46.0], radius);
        let fence = WallShape::Path { points: points.clone(), closed: false };
        world.environment_mut().walls.add(Wall::new(fence)).unwrap();
        for point in &points {
            for offset in 0..40 {
                world.spawn(walker, [20.0 + 0.4 * offset as f32, point[1]], [3.0, 0.0]).unwrap();
            }
        }
        let closed = vec![Vector([10.0, 40.0]), Vector([14.0, 46.0]), Vector([10.0, 52.0]), Vector([13.0, 46.0])];
        world.environment_mut().walls.add(Wall::new(WallShape::Path { points: closed, closed: true })).unwrap();
        let inside = world.spawn(walker, [13.5, 46.0], [3.0, 0.0]).unwrap();
        assert_eq!(audited(&mut world, 200), 0, "radius {radius}");
        let at = world.position(inside).unwrap();
        assert!((13.0..14.0).contains(&at[0]), "{at:?}");
    }
}

/// The edge holds an agent on one axis: the end of its path is in the box around the path, not between its two ends.
#[test]
fn an_agent_that_the_edge_holds_does_not_cross_a_wall_that_goes_on_beyond_the_edge() {
    let mut world = World::<2>::new(settings(10.0, Edge::Bounce, 0.25)).unwrap();
    let walker = world.add_species(Species::new("walker").with_max_speed(1.0).with_radius(0.0)).unwrap();
    let points = [[-10.0, 5.342_060_6], [5.0, 3.872_518_8], [20.0, 3.082_792_8]].map(Vector).to_vec();
    world.environment_mut().walls.add(Wall::new(WallShape::Path { points, closed: false })).unwrap();
    // With an agent far away, the walls nearby are found for several ticks, here around a place beyond the edge.
    world.spawn(walker, [9.0, 1.0], [0.0, 0.0]).unwrap();
    let id = world.spawn(walker, [0.01, 4.22], [-0.32, 0.24]).unwrap();
    world.step();
    world.set_position(id, [0.05, 4.267]).unwrap();
    world.set_velocity(id, [-0.32, 0.387]).unwrap();
    assert_eq!(audited(&mut world, 1), 0);
    assert!(world.position(id).unwrap()[1] < 4.3624, "{:?}", world.position(id));
}

#[test]
fn a_polygon_of_many_corners_holds_a_crowd() {
    let (mut world, walker) = seekers(100.0, Edge::Open, [99.0, 99.0], 0.2);
    let corner = |number: usize| {
        let (sine, cosine) = throng::maths::sin_cos(number as f32 / 90.0 * std::f32::consts::TAU);
        Vector([50.0 + 20.0 * cosine, 50.0 + 20.0 * sine])
    };
    let room = WallShape::Path { points: (0..90).map(corner).collect(), closed: true };
    world.environment_mut().walls.add(Wall::new(room)).unwrap();
    let mut noise = Noise::new(2, 0, 0, Noise::USER);
    for _ in 0..500 {
        let at = noise.in_ball::<2>() * 19.0;
        world.spawn(walker, [50.0 + at[0], 50.0 + at[1]], [0.0, 0.0]).unwrap();
    }
    assert_eq!(audited(&mut world, 300), 0);
    for agents in world.all_agents() {
        let mut from_centre = (0..agents.len()).map(|row| agents.position(row).distance(Vector([50.0, 50.0])));
        assert!(from_centre.all(|distance| distance < 20.0 - 0.19));
    }
}

#[test]
fn every_periodic_image_of_a_wall_counts() {
    for size in [33.3, 7.77, 100.0] {
        for at in [0.0, size, 0.5 * size, -3.0 * size, 17.0 * size + 1e-4] {
            let (mut world, walker) = seekers(size, Edge::Wrap, [0.5 * size, 0.5 * size], 0.1);
            world.environment_mut().walls.add(Wall::segment([at, -9.0 * size], [at, 9.0 * size])).unwrap();
            let mut noise = Noise::new(8, 0, 0, Noise::USER);
            for number in 0..300 {
                let velocity = [if number % 2 == 0 { 3.0 } else { -3.0 }, 0.1];
                world.spawn(walker, [noise.between(0.0, size), noise.between(0.0, size)], velocity).unwrap();
            }
            world.edit_species(walker, |species| species.rules.clear()).unwrap();
            assert_eq!(audited(&mut world, 150), 0, "{size}, {at}");
        }
    }
}

#[test]
fn a_moving_wall_sweeps_agents_along() {
    for radius in [0.0, 0.4] {
        let (mut world, walker) = seekers(100.0, Edge::Open, [0.0, 0.0], radius);
        world.edit_species(walker, |species| species.rules.clear()).unwrap();
        let wall = Wall { velocity: Vector([8.0, 0.0]), ..Wall::segment([10.0, 0.0], [10.0, 100.0]) };
        let id = world.environment_mut().walls.add(wall).unwrap();
        for number in 0..200 {
            world.spawn(walker, [11.0 + 0.05 * number as f32, 5.0 + 0.4 * number as f32], [0.0, 0.0]).unwrap();
        }
        assert_eq!(audited(&mut world, 60), 0);
        let front = 10.0 + world.environment().wall_offset(id).unwrap()[0] as f32;
        assert!((front - 58.0).abs() < 1e-3, "{front}");
        for agents in world.all_agents() {
            for row in 0..agents.len() {
                let at = agents.position(row)[0];
                assert!(at > front + 0.999 * radius && at < front + radius + 0.9, "{at}, {front}");
                assert!((agents.velocity(row)[0] - 8.0).abs() < 1e-3, "{:?}", agents.velocity(row));
            }
        }
    }
}

#[test]
fn agents_that_a_fast_wall_sweeps_along_keep_their_motion_along_it() {
    let (mut world, walker) = seekers(200.0, Edge::Open, [0.0, 0.0], 0.05);
    let free = |species: &mut Species<2>| (species.rules, species.max_speed) = (Vec::new(), 20.0.into());
    world.edit_species(walker, free).unwrap();
    // In a tick it moves sixteen times the radius of a body.
    let wall = Wall { velocity: Vector([8.0, 0.0]), ..Wall::segment([10.0, 0.0], [10.0, 200.0]) };
    world.environment_mut().walls.add(wall).unwrap();
    let ids: Vec<_> = (0..40)
        .map(|number| world.spawn(walker, [11.0 + 0.3 * number as f32, 20.0 + number as f32], [0.0, 2.0]).unwrap())
        .collect();
    assert_eq!(audited(&mut world, 60), 0);
    for (number, id) in ids.into_iter().enumerate() {
        let (at, velocity) = (world.position(id).unwrap(), world.velocity(id).unwrap());
        assert!((at[1] - (32.0 + number as f32)).abs() < 1e-3, "{at:?}");
        assert!((velocity[0] - 8.0).abs() < 1e-3 && (velocity[1] - 2.0).abs() < 1e-3, "{velocity:?}");
    }
}

#[test]
fn a_moving_wall_turns_back_where_it_leaves_the_world() {
    let mut world = World::<2>::new(settings(100.0, Edge::Bounce, 0.1)).unwrap();
    let shape = WallShape::Box { centre: Vector([90.0, 50.0]), half: Vector([1.0, 2.0]) };
    let wall = Wall { velocity: Vector([8.0, 0.0]), ..Wall::new(shape) };
    let id = world.environment_mut().walls.add(wall).unwrap();
    let mut offsets = Vec::new();
    for _ in 0..166 {
        world.step();
        offsets.push(world.environment().wall_offset(id).unwrap()[0]);
    }
    // It goes .8 m in a tick: 12 ticks until its far side is outside, then 124 until its near side is.
    let expected =
        (1..=166).map(|tick| 0.8 * f64::from(if tick > 136 { tick - 248 } else { 12 - (tick - 12i32).abs() }));
    for (tick, (found, expected)) in offsets.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() < 1e-4, "{found} instead of {expected} in tick {}", tick + 1);
    }
}

#[test]
fn a_moving_wall_that_would_crush_an_agent_stays_where_it_is() {
    let (mut world, walker) = seekers(100.0, Edge::Open, [0.0, 0.0], 0.4);
    world.edit_species(walker, |species| species.rules.clear()).unwrap();
    world.environment_mut().walls.add(Wall::segment([20.0, 0.0], [20.0, 100.0])).unwrap();
    let press = Wall { velocity: Vector([2.0, 0.0]), ..Wall::segment([10.0, 0.0], [10.0, 100.0]) };
    let press = world.environment_mut().walls.add(press).unwrap();
    for number in 0..50 {
        world.spawn(walker, [12.0, 5.0 + 1.8 * number as f32], [0.0, 0.0]).unwrap();
    }
    let (mut squeezed, mut audit) = (0, WallAudit::default());
    for _ in 0..200 {
        audit.before(&world);
        world.step();
        audit.after(&world);
        squeezed += count(&world, "squeezed");
    }
    assert_eq!(audit.crossings(), 0);
    assert!(squeezed > 0);
    let front = 10.0 + world.environment().wall_offset(press).unwrap()[0];
    assert!(front < 20.0 && front > 19.0, "{front}");
    for agents in world.all_agents() {
        assert!((0..agents.len()).all(|row| (front..20.0).contains(&f64::from(agents.position(row)[0]))));
    }
}

#[test]
fn a_door_that_closes_pushes_bodies_out_to_the_nearer_side() {
    let (mut world, walker) = seekers(100.0, Edge::Open, [0.0, 0.0], 0.5);
    world.edit_species(walker, |species| species.rules.clear()).unwrap();
    let door = Wall { open: vec![[0.0, 1.0]], ..Wall::segment([50.0, 40.0], [50.0, 60.0]) };
    let door = world.environment_mut().walls.add(door).unwrap();
    let near = world.spawn(walker, [49.8, 50.0], [0.0, 0.0]).unwrap();
    let on = world.spawn(walker, [50.0, 45.0], [0.0, 0.0]).unwrap();
    let beyond = world.spawn(walker, [50.125, 55.0], [0.0, 0.0]).unwrap();
    let through = world.spawn(walker, [49.0, 42.0], [3.0, 0.0]).unwrap();
    for _ in 0..10 {
        world.step();
        assert_eq!(world.events(), [], "the door is open");
    }
    assert_eq!(audited(&mut world, 1), 0);
    let depth = |id| {
        world.events().iter().find_map(|event| match event {
            Event::PushedOut { agent, wall, depth, .. } if *agent == id && *wall == door => Some(*depth),
            _ => None,
        })
    };
    assert_eq!((depth(beyond), depth(on), depth(through)), (Some(0.375), Some(0.5), None));
    assert!((depth(near).unwrap() - 0.3).abs() < 1e-5);
    let at = |id| world.position(id).unwrap()[0];
    assert!((49.49..=49.5).contains(&at(near)) && (50.5..50.51).contains(&at(beyond)));
    assert!((at(on) - 50.0).abs() >= 0.5 && at(through) > 51.0);
    // The door stays closed, and reports no contact again.
    world.step();
    assert_eq!(world.events(), []);
}

#[test]
fn a_solid_that_appears_pushes_centres_out() {
    let (mut world, walker) = seekers(100.0, Edge::Open, [0.0, 0.0], 0.5);
    world.edit_species(walker, |species| species.rules.clear()).unwrap();
    let ids: Vec<_> = [[48.5, 50.0], [50.0, 51.0], [80.0, 80.0], [79.0, 80.0]]
        .map(|at| world.spawn(walker, at, [0.0, 0.0]).unwrap())
        .to_vec();
    world.step();
    let block = WallShape::Box { centre: Vector([50.0, 50.0]), half: Vector([2.0, 2.0]) };
    let column = WallShape::Ball { centre: Vector([80.0, 80.0]), radius: 2.0 };
    let environment = world.environment_mut();
    environment.walls.add(Wall::new(block)).unwrap();
    environment.walls.add(Wall::new(column)).unwrap();
    // It bars the way through the nearest side of the block.
    environment.walls.add(Wall::segment([47.7, 40.0], [47.7, 60.0])).unwrap();
    assert_eq!(audited(&mut world, 1), 0);
    let depths = world.events().iter().filter_map(|event| match event {
        Event::PushedOut { agent, depth, .. } => Some((*agent, *depth)),
        _ => None,
    });
    let depths: Vec<_> = depths.collect();
    assert_eq!(depths, [(ids[0], 1.0), (ids[1], 1.5), (ids[2], 2.5), (ids[3], 1.5)]);
    let at = |number: usize| world.position(ids[number]).unwrap();
    assert!(at(0)[1] > 52.5 || at(0)[1] < 47.5, "{:?}", at(0));
    assert!(at(1)[1] > 52.5, "{:?}", at(1));
    assert!(at(2).distance(Vector([80.0, 80.0])) > 2.5 && at(3)[0] < 77.5);
}

#[test]
fn bodies_overlap_no_wall_that_leaves_them_room() {
    let (mut world, walker) = seekers(60.0, Edge::Bounce, [30.0, 30.0], 0.3);
    let environment = world.environment_mut();
    for number in 0..9 {
        let at = [10.0 + 20.0 * (number % 3) as f32, 10.0 + 20.0 * (number / 3) as f32];
        let shape = match number % 3 {
            0 => WallShape::Box { centre: at.into(), half: Vector([2.0, 1.0]) },
            1 => WallShape::Ball { centre: at.into(), radius: 1.5 },
            _ => WallShape::Path { points: vec![at.into(), Vector([at[0] + 4.0, at[1] + 3.0])], closed: false },
        };
        environment.walls.add(Wall::new(shape)).unwrap();
    }
    let mut noise = Noise::new(21, 0, 0, Noise::USER);
    for _ in 0..600 {
        let at = [noise.between(0.0, 60.0), noise.between(0.0, 60.0)];
        world.spawn(walker, at, noise.direction::<2>() * 3.0).unwrap();
    }
    let mut audit = WallAudit::default();
    for tick in 0..150 {
        audit.before(&world);
        world.step();
        audit.after(&world);
        for agents in world.all_agents().iter().filter(|_| tick > 0) {
            for row in 0..agents.len() {
                let mut near = Vec::new();
                world.query().walls_within(agents.position(row), 0.29, &mut near).unwrap();
                assert!(near.is_empty(), "tick {tick}: {near:?}");
            }
        }
    }
    assert_eq!(audit.crossings(), 0);
}

#[test]
fn walls_are_equal_bits_for_threads_snapshots_and_forgotten_data() {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let (one, four) = (pool(1), pool(4));
    for edge in EDGES {
        let mut world = random_world::<2>(5, edge, true);
        let mut other = world.clone();
        for tick in 0..60 {
            one.install(|| world.step());
            four.install(|| other.step());
            assert_eq!(world.state_hash(), other.state_hash(), "{edge}, tick {tick}");
            assert_eq!(world.events(), other.events());
            if tick % 10 == 9 {
                let mut saved = Vec::new();
                other.save(&mut saved).unwrap();
                other = World::load(&saved[..]).unwrap();
                world.release_memory();
            }
        }
    }
}

#[test]
fn a_world_that_never_had_walls_has_the_hash_of_one_without_them() {
    let plain = World::<2>::new(settings(100.0, Edge::Wrap, 0.1)).unwrap();
    let mut walled = plain.clone();
    let id = walled.environment_mut().walls.add(Wall::segment([1.0, 1.0], [2.0, 2.0])).unwrap();
    let with = walled.state_hash();
    assert_ne!(with, plain.state_hash());
    // Every part of a wall is state.
    let changes: [fn(&mut Wall<2>); 4] = [
        |wall| wall.name = Some("door".into()),
        |wall| wall.shape = WallShape::Ball { centre: Vector([1.0, 1.0]), radius: 1.0 },
        |wall| wall.velocity = Vector([1.0, 0.0]),
        |wall| wall.open = vec![[0.0, 1.0]],
    ];
    for change in changes {
        let mut other = walled.clone();
        let mut wall = other.environment().walls.get(id).unwrap().clone();
        change(&mut wall);
        other.environment_mut().walls.set(id, wall).unwrap();
        assert_ne!(other.state_hash(), with);
    }
    walled.step();
    let mut later = plain.clone();
    later.step();
    later.environment_mut().walls.add(Wall::segment([1.0, 1.0], [2.0, 2.0])).unwrap();
    assert_ne!(later.state_hash(), walled.state_hash(), "the wall of the one stood in the last tick");
}

#[test]
fn bad_walls_are_refused() {
    let mut environment = throng::Environment::<2>::default();
    let path = |points: &[[f32; 2]]| {
        Wall::new(WallShape::Path { points: points.iter().copied().map(Vector).collect(), closed: false })
    };
    for wall in [
        path(&[[1.0, 1.0]]),
        path(&[[1.0, 1.0], [1.0, 1.0]]),
        path(&[[1.0, f32::NAN], [1.0, 1.0]]),
        path(&[[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]]),
        Wall::new(WallShape::Box { centre: Vector::ZERO, half: Vector([1.0, 0.0]) }),
        Wall::new(WallShape::Ball { centre: Vector::ZERO, radius: 0.0 }),
        Wall::new(WallShape::Plane { point: Vector::ZERO, normal: Vector::ZERO }),
        Wall { velocity: Vector([f32::INFINITY, 0.0]), ..Wall::segment([0.0, 0.0], [1.0, 0.0]) },
        Wall { open: vec![[3.0, 2.0]], ..Wall::segment([0.0, 0.0], [1.0, 0.0]) },
    ] {
        assert!(environment.walls.add(wall.clone()).is_err(), "{wall:?}");
    }
    let named = |name: &str| Wall { name: Some(name.into()), ..Wall::segment([0.0, 0.0], [1.0, 0.0]) };
    let door = environment.walls.add(named("door")).unwrap();
    assert_eq!(environment.walls.add(named("door")), Err(throng::Error::NameTaken("door".into())));
    let gate = environment.walls.add(named("gate")).unwrap();
    assert!(environment.walls.set(gate, named("door")).is_err() && environment.walls.set(door, named("door")).is_ok());
    assert_eq!(environment.walls.find("gate"), Some(gate));
    let mut environment = throng::Environment::<3>::default();
    assert!(environment.walls.add(Wall::segment([0.0; 3], [1.0; 3])).is_err());
}
