//! Positions that a host sets on a wall, inside a solid or with a body that overlaps a wall: the next tick moves the
//! agent out, as if the wall had appeared there.

use throng::behaviours::Seek;
use throng::{AgentId, Edge, Event, Settings, Species, Vector, Wall, WallAudit, WallShape, World};

/// A world with this wall, which has stood for a tick, and an agent placed in it that walks to a point at 2 m/s.
fn placed<const D: usize>(shape: WallShape<D>, radius: f32, at: [f32; D], goal: [f32; D]) -> (World<D>, AgentId) {
    let settings =
        Settings { size: Vector::splat(100.0), edge: [Edge::Bounce; D], tick_seconds: 0.1, ..Settings::default() };
    let mut world = World::<D>::new(settings).unwrap();
    let mut walker = Species::new("walker").with(1.0, Seek { target: Vector(goal).into() });
    (walker.max_speed, walker.max_force, walker.radius) = (2.0.into(), 100.0.into(), radius.into());
    let walker = world.add_species(walker).unwrap();
    world.environment_mut().walls.add(Wall::new(shape)).unwrap();
    world.step();
    let towards = (Vector(goal) - Vector(at)).direction() * 2.0;
    let id = world.spawn(walker, at, towards).unwrap();
    (world, id)
}

fn depth<const D: usize>(world: &World<D>) -> Option<f32> {
    world.events().iter().find_map(|event| match event {
        Event::PushedOut { depth, .. } => Some(*depth),
        _ => None,
    })
}

/// Steps the world for 10 s. Returns the depth of the first step.
fn walk<const D: usize>(world: &mut World<D>, what: &str) -> Option<f32> {
    let (mut audit, mut first) = (WallAudit::default(), None);
    for tick in 0..100 {
        audit.before(world);
        world.step();
        assert_eq!(audit.after(world), 0, "{what}, tick {tick}");
        if tick == 0 {
            first = depth(world);
        } else {
            assert_eq!(depth(world), None, "{what}: pushed out once, not in tick {tick}");
        }
    }
    first
}

fn block<const D: usize>() -> WallShape<D> {
    WallShape::Box { centre: Vector::splat(50.0), half: Vector::splat(10.0) }
}

fn column<const D: usize>() -> WallShape<D> {
    WallShape::Ball { centre: Vector::splat(50.0), radius: 10.0 }
}

fn room(points: &[[f32; 2]], closed: bool) -> WallShape<2> {
    WallShape::Path { points: points.iter().copied().map(Vector).collect(), closed }
}

#[test]
fn a_centre_on_the_face_of_a_solid_is_outside() {
    for radius in [0.0, 0.4] {
        for goal in [[0.0, 50.0], [50.0, 50.0], [60.0, 50.0], [60.0, 0.0], [0.0, 57.0], [100.0, 50.0]] {
            // A face, another one, and two corners of the box; four points of the disc.
            for at in [[60.0, 50.0], [50.0, 40.0], [60.0, 60.0], [40.0, 60.0]] {
                let (mut world, id) = placed(block::<2>(), radius, at, goal);
                let first = walk(&mut world, &format!("{radius}, {at:?} to {goal:?}"));
                assert_eq!(first, (radius > 0.0).then_some(radius), "{radius}, {at:?} to {goal:?}");
                let now = world.position(id).unwrap();
                assert!((0..2).any(|axis| (now[axis] - 50.0).abs() >= 10.0), "{now:?}");
            }
            for at in [[60.0, 50.0], [50.0, 40.0], [56.0, 58.0], [44.0, 42.0]] {
                let (mut world, id) = placed(column::<2>(), radius, at, goal);
                walk(&mut world, &format!("disc, {radius}, {at:?} to {goal:?}"));
                assert!(world.position(id).unwrap().distance(Vector([50.0; 2])) >= 10.0);
            }
        }
        for at in [[60.0, 50.0, 50.0], [60.0, 60.0, 50.0], [40.0, 60.0, 40.0]] {
            for goal in [[0.0, 50.0, 50.0], [50.0, 50.0, 50.0], [100.0, 0.0, 3.0]] {
                let (mut world, id) = placed(block::<3>(), radius, at, goal);
                walk(&mut world, &format!("3D, {radius}, {at:?} to {goal:?}"));
                let now = world.position(id).unwrap();
                assert!((0..3).any(|axis| (now[axis] - 50.0).abs() >= 10.0), "{now:?}");
            }
        }
        for at in [[60.0, 50.0, 50.0], [50.0, 56.0, 58.0]] {
            let (mut world, id) = placed(column::<3>(), radius, at, [0.0, 50.0, 50.0]);
            walk(&mut world, "ball");
            assert!(world.position(id).unwrap().distance(Vector([50.0; 3])) >= 10.0);
        }
    }
}

#[test]
fn a_fast_agent_on_a_face_does_not_go_through_the_solid() {
    for shape in [block::<2>(), column::<2>()] {
        let (mut world, id) = placed(shape, 0.0, [60.0, 50.0], [0.0, 50.0]);
        let species = world.find_species("walker").unwrap();
        world.edit_species(species, |species| species.max_speed = 1000.0.into()).unwrap();
        world.set_velocity(id, [-500.0, 0.0]).unwrap();
        let mut audit = WallAudit::default();
        audit.before(&world);
        world.step();
        assert_eq!(audit.after(&world), 0);
        assert!(world.position(id).unwrap()[0] >= 60.0);
    }
}

#[test]
fn a_centre_inside_a_solid_that_stands_goes_to_the_nearest_free_side() {
    for radius in [0.0, 0.4] {
        let (mut world, id) = placed(block::<2>(), radius, [59.0, 52.0], [0.0, 50.0]);
        assert_eq!(walk(&mut world, "box"), Some(1.0 + radius));
        assert!(world.position(id).unwrap()[0] >= 60.0);
        let (mut world, id) = placed(column::<2>(), radius, [59.0, 50.0], [0.0, 50.0]);
        assert_eq!(walk(&mut world, "disc"), Some(1.0 + radius));
        assert!(world.position(id).unwrap().distance(Vector([50.0; 2])) >= 10.0);
        let (mut world, id) = placed(block::<3>(), radius, [50.0, 50.0, 41.5], [0.0, 50.0, 50.0]);
        assert_eq!(walk(&mut world, "box in space"), Some(1.5 + radius));
        let now = world.position(id).unwrap();
        assert!((0..3).any(|axis| (now[axis] - 50.0).abs() >= 10.0), "{now:?}");
        // Moved there, one agent or all of them.
        let (mut world, id) = placed(block::<2>(), radius, [90.0, 90.0], [0.0, 50.0]);
        world.set_position(id, [50.0, 58.0]).unwrap();
        assert_eq!(walk(&mut world, "set_position"), Some(2.0 + radius));
        let species = world.find_species("walker").unwrap();
        world.set_positions(species, [&[42.0], &[50.0]]).unwrap();
        assert_eq!(walk(&mut world, "set_positions"), Some(2.0 + radius));
    }
}

#[test]
fn a_centre_inside_two_solids_leaves_both() {
    let (mut world, id) = placed(block::<2>(), 0.4, [90.0, 90.0], [90.0, 90.0]);
    let other = WallShape::Box { centre: Vector([60.0, 50.0]), half: Vector([10.0, 12.0]) };
    world.environment_mut().walls.add(Wall::new(other)).unwrap();
    world.step();
    world.set_position(id, [55.0, 57.0]).unwrap();
    let species = world.find_species("walker").unwrap();
    world.edit_species(species, |species| species.rules.clear()).unwrap();
    world.step();
    let at = world.position(id).unwrap();
    assert!(at[1] > 62.39 && at[1] < 62.5, "{at:?}");
}

#[test]
fn an_agent_that_respawns_inside_a_solid_leaves_it() {
    let (mut world, id) = placed(block::<2>(), 0.4, [99.9, 90.0], [200.0, 90.0]);
    world.set_settings(Settings { edge: [Edge::Respawn; 2], ..world.settings().clone() }).unwrap();
    world.step();
    assert_eq!(world.position(id).unwrap(), Vector([50.0, 50.0]));
    world.step();
    assert_eq!(depth(&world), Some(10.4));
    assert!(world.position(id).unwrap().distance(Vector([50.0; 2])) > 10.39);
}

#[test]
fn a_centre_on_a_wall_without_an_inside_goes_to_the_side_of_its_motion() {
    let square = [[40.0, 40.0], [60.0, 40.0], [60.0, 60.0], [40.0, 60.0]];
    let line = WallShape::Plane { point: Vector([60.0, 0.0]), normal: Vector([2.0, 0.0]) };
    for radius in [0.0, 0.4] {
        for shape in [room(&square[1..3], false), room(&square, true), line.clone()] {
            for (goal, side) in [([0.0, 50.0], -1.0), ([100.0, 50.0], 1.0)] {
                let (mut world, id) = placed(shape.clone(), radius, [60.0, 50.0], goal);
                walk(&mut world, &format!("{shape:?}"));
                let off = (world.position(id).unwrap()[0] - 60.0) * side;
                assert!(off > radius, "{shape:?}: {off} to {goal:?}");
            }
        }
        let plane = WallShape::Plane { point: Vector([50.0, 60.0, 50.0]), normal: Vector([0.0, 1.0, 0.0]) };
        for (goal, side) in [([50.0, 0.0, 50.0], -1.0), ([50.0, 100.0, 50.0], 1.0)] {
            let (mut world, id) = placed(plane.clone(), radius, [50.0, 60.0, 50.0], goal);
            walk(&mut world, "plane");
            assert!((world.position(id).unwrap()[1] - 60.0) * side > radius);
        }
        // A joint of two segments.
        let (mut world, _) = placed(room(&square, true), radius, [60.0, 60.0], [0.0, 0.0]);
        walk(&mut world, "joint");
    }
}

#[test]
fn a_body_placed_across_a_wall_is_pushed_to_the_side_of_its_centre() {
    let (mut world, id) = placed(room(&[[60.0, 0.0], [60.0, 100.0]], false), 0.4, [60.125, 50.0], [0.0, 50.0]);
    world.step();
    assert!((60.4..60.41).contains(&world.position(id).unwrap()[0]));
    let mut moved = WallAudit::default();
    moved.before(&world);
    world.step();
    assert_eq!(moved.after(&world), 0);
}
