//! What a host drives: walls that move and turn, squads that it orders, formations.

use super::{rows, settings, sin_cos, world};
use throng::behaviours::{OffsetPursuit, Separation, WalkTo};
use throng::{AgentId, Edge, Error, Event, Goal, Navigation, Noise, Species, Vector, Wall, WallShape, World};

/// Whether a point is inside a rectangle with this centre, half extent and angle.
fn inside(centre: Vector<2>, half: [f32; 2], angle: f32, point: Vector<2>) -> bool {
    let ((sine, cosine), from) = (sin_cos(angle), point - centre);
    (from[0] * cosine + from[1] * sine).abs() < half[0] && (from[1] * cosine - from[0] * sine).abs() < half[1]
}

#[test]
fn a_car_that_turns_traps_nobody() {
    for (seed, tick, speed) in [(0, 0.05, 10.0), (1, 0.1, 20.0), (2, 0.02, 5.0)] {
        let mut world = World::<2>::new(settings(tick, Edge::Bounce)).unwrap();
        let people = Species::new("people").with_max_speed(2.0).with_radius(0.3);
        let people = world.add_species(people.with(1.0, Separation { radius: 1.0, ..Separation::default() })).unwrap();
        let mut noise = Noise::new(seed, 0, 0, 0);
        for _ in 0..1000 {
            let at = Vector([noise.between(12.0, 95.0), noise.between(5.0, 95.0)]);
            world.spawn(people, at, noise.direction()).unwrap();
        }
        let (half, mut centre, mut angle) = ([2.0, 1.0], Vector([6.0, 50.0]), 0.0_f32);
        let body = Wall::new(WallShape::Box { centre, half: Vector(half) });
        let car = world.environment_mut().walls.add(body).unwrap();
        let mut turned = 0.0_f32;
        for step in 0..200 {
            let next_angle = 0.8 * sin_cos(step as f32 * tick * 2.0).0 + step as f32 * tick * 0.2;
            let (sine, cosine) = sin_cos(next_angle);
            let next = centre + Vector([cosine, sine]) * (speed * tick);
            if !(4.0..96.0).contains(&next[0]) || !(4.0..96.0).contains(&next[1]) {
                break;
            }
            assert!(world.move_wall(car, next, next_angle).unwrap(), "nothing is in its way but people");
            turned += (next_angle - angle).abs();
            (centre, angle) = (next, next_angle);
            let trapped = |world: &World<2>| {
                rows(world, people).iter().filter(|(_, at)| inside(centre, half, angle, *at)).count()
            };
            assert_eq!(trapped(&world), 0, "after the move, seed {seed}, step {step}");
            world.step();
            assert_eq!(trapped(&world), 0, "after the tick, seed {seed}, step {step}");
            assert!(
                !world.events().iter().any(|event| matches!(event, Event::PushedOut { depth, .. } if *depth > 0.01))
            );
        }
        assert!(turned > 0.5 && (centre - Vector([6.0, 50.0])).length() > 10.0, "{turned} {centre:?}");
    }
}

#[test]
fn a_driven_wall_pushes_nobody_through_another() {
    let mut world = world(0.05);
    let people = world.add_species(Species::new("people").with_radius(0.3)).unwrap();
    world.environment_mut().walls.add(Wall::segment([60.0, 10.0], [60.0, 90.0])).unwrap();
    let agent = world.spawn(people, [50.0, 50.0], [0.0, 0.0]).unwrap();
    let behind = world.spawn(people, [40.0, 50.0], [0.0, 0.0]).unwrap();
    let ram = Wall::segment([45.0, 30.0], [45.0, 70.0]);
    let ram = world.environment_mut().walls.add(ram).unwrap();
    let mut stopped = false;
    for step in 0..60 {
        let x = 45.0 + step as f32 * 0.5;
        let moved = world.move_wall(ram, [x, 50.0], 0.0).unwrap();
        stopped |= !moved;
        world.step();
        let (at, other) = (world.position(agent).unwrap()[0], world.position(behind).unwrap()[0]);
        assert!(at < 60.0 - 0.29 && other < 45.0, "{at} {other}");
        assert!(!moved || at > x + 0.29, "pushed along: {at} {x}");
    }
    assert!(stopped);
    // A barrier that turns takes along those on its way, on their side of it.
    let barrier = world.environment_mut().walls.add(Wall::segment([10.0, 20.0], [20.0, 20.0])).unwrap();
    let before = world.spawn(people, [18.0, 21.0], [0.0, 0.0]).unwrap();
    for step in 1..=30 {
        assert!(world.move_wall(barrier, [15.0, 20.0], step as f32 * 0.05).unwrap());
        world.step();
    }
    let at = world.position(before).unwrap() - Vector([15.0, 20.0]);
    assert!(at[0] < 0.0 && at[1] > 0.0, "left of the barrier, which stands upright: {at:?}");
    assert!(world.move_wall(barrier, [f32::NAN, 0.0], 0.0).is_err());
    let plane = Wall::new(WallShape::Plane { point: Vector([0.0, 1.0]), normal: Vector([0.0, 1.0]) });
    let plane = world.environment_mut().walls.add(plane).unwrap();
    assert!(world.move_wall(plane, [1.0, 1.0], 0.0).is_err());
    world.environment_mut().walls.remove(plane).unwrap();
    assert_eq!(
        world.move_wall(plane, [1.0, 1.0], 0.0),
        Err(Error::NoSuchItem { kind: "wall", handle: plane.to_bits() })
    );
}

#[test]
fn squads_walk_where_they_are_ordered() {
    let mut world = world(0.1);
    for (name, at) in [("west", [10.0, 50.0]), ("east", [90.0, 50.0]), ("north", [50.0, 90.0])] {
        let navigation = Navigation::new(name, vec![Goal::Point(Vector(at))]);
        world.environment_mut().navigations.add(navigation).unwrap();
    }
    let goals = ["west", "east", "north"].map(str::to_owned).to_vec();
    let unit = Species::new("unit").with_max_speed(3.0).with_radius(0.3).kinematic();
    let unit = world.add_species(unit.with(1.0, WalkTo { goals, ..WalkTo::default() })).unwrap();
    world.add_column(unit, "order", 0u32).unwrap();
    let ids: Vec<AgentId> = (0..9).map(|n| world.spawn(unit, [46.0 + n as f32, 50.0], [0.0, 0.0]).unwrap()).collect();
    for (squad, order) in ids.chunks(3).zip([2u32, 1, 3]) {
        world.set_column_values(squad, "order", order).unwrap();
    }
    let ends = [Vector([90.0, 50.0]), Vector([10.0, 50.0]), Vector([50.0, 90.0])];
    for _ in 0..200 {
        world.step();
    }
    for (number, id) in ids.iter().enumerate() {
        let left = (world.position(*id).unwrap() - ends[number / 3]).length();
        assert!(left < 1.0, "{number}: {left}");
    }
    // One that is free to choose goes to the nearest; a squad that gets another order turns.
    world.set_column_values(&ids[..3], "order", 3u32).unwrap();
    world.set_column_value(ids[8], "order", 0u32).unwrap();
    for _ in 0..250 {
        world.step();
    }
    assert!(ids[..3].iter().all(|id| (world.position(*id).unwrap() - ends[2]).length() < 1.0));
    assert!((world.position(ids[8]).unwrap() - ends[2]).length() < 1.0, "it stays where it is");
    assert!(world.set_column_values(&ids, "unknown", 1u32).is_err());
}

#[test]
fn a_formation_has_a_place_for_each() {
    for angle in [0.0_f32, 1.0, 3.5] {
        let (sine, cosine) = sin_cos(angle);
        let mut world = World::<2>::new(settings(0.05, Edge::Open)).unwrap();
        let leader = world.add_species(Species::new("leader")).unwrap();
        let leader = world.spawn(leader, [50.0, 50.0], [2.0 * cosine, 2.0 * sine]).unwrap();
        let follow = OffsetPursuit { target: leader.into(), slowing_radius: 4.0, ..OffsetPursuit::default() };
        let soldier = world.add_species(Species::new("soldier").with_max_speed(5.0).with(1.0, follow)).unwrap();
        world.add_column(soldier, "offset", [f32::NAN; 2]).unwrap();
        let places: Vec<[f32; 2]> =
            (0..30).map(|n| [-2.0 - 2.0 * (n / 5) as f32, 2.0 * (n % 5) as f32 - 4.0]).collect();
        let ids: Vec<AgentId> = places
            .iter()
            .map(|place| {
                let id = world.spawn(soldier, [40.0, 45.0], [0.0, 0.0]).unwrap();
                world.set_column_value(id, "offset", *place).unwrap();
                id
            })
            .collect();
        let check = |world: &World<2>, what: &str| {
            for (id, [ahead, left]) in ids.iter().zip(&places) {
                let place = Vector([ahead * cosine - left * sine, ahead * sine + left * cosine]);
                let off = world.position(*id).unwrap() - world.position(leader).unwrap() - place;
                assert!(off.length() < 0.1, "{what}, {angle}: {off:?}");
            }
        };
        for _ in 0..600 {
            world.step();
        }
        check(&world, "on the way");
        // It does not turn when its leader stops.
        world.set_velocity(leader, [1e-9 * sine, 1e-9 * -cosine]).unwrap();
        for _ in 0..400 {
            world.step();
        }
        check(&world, "at rest");
    }
}
