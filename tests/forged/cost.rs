//! Snapshots of valid parts that do not belong together: their steps cost only for the parts near the agents.

use throng::behaviours::Wander;
use throng::{Settings, Species, Vector, Wall, WallShape, World};

use crate::seal::{HEADER, sealed, sections};

/// A world of this size with wanderers.
fn world<const D: usize>(size: f32) -> World<D> {
    let settings = Settings { size: Vector::splat(size), tick_seconds: 0.1, ..Settings::default() };
    let mut world = World::<D>::new(settings).unwrap();
    let species = Species::new("walker").with(1.0, Wander::default()).with_max_speed(1.0);
    let walker = world.add_species(species).unwrap();
    for number in 0..20 {
        let at = Vector::from_fn(|axis| size * (0.003 + 0.0498 * number as f32 * (axis + 1) as f32).fract());
        world.spawn(walker, at, Vector::ZERO).unwrap();
    }
    world
}

fn saved<const D: usize>(world: &World<D>) -> Vec<u8> {
    let mut bytes = Vec::new();
    world.save(&mut bytes).unwrap();
    bytes
}

/// Puts the walls of one snapshot into another, and steps it.
fn step_with_walls_of<const D: usize>(walls: &World<D>, world: &World<D>) {
    let (walls, bytes) = (sections(&saved(walls)), saved(world));
    let mut spliced = sections(&bytes);
    let payload = walls.into_iter().find(|(tag, _)| tag == b"WALL").unwrap().1;
    spliced.iter_mut().find(|(tag, _)| tag == b"WALL").unwrap().1 = payload;
    let mut world = World::<D>::load(&sealed(&bytes[..HEADER], &spliced)[..]).unwrap();
    for _ in 0..2 {
        world.step();
    }
    assert!(!world.environment().walls.is_empty());
}

/// In the box around each of 76 segments are thousands of images, and around a box in space a million.
#[test]
fn walls_of_a_world_a_thousand_times_as_large_cost_what_is_near() {
    let mut large = world::<2>(1000.0);
    for number in 0..4 {
        let corner = |at: usize| {
            let x = 50.0 * at as f32;
            Vector([x, 50.0 * number as f32 + 40.0 * throng::maths::sin_cos(at as f32 * 0.7).0])
        };
        let path = WallShape::Path { points: (0..20).map(corner).collect(), closed: false };
        let open = if number % 2 == 0 { vec![[0.05, 0.15]] } else { Vec::new() };
        let velocity = Vector([1.0, if number % 3 == 0 { 0.0 } else { -3.0 }]);
        large.environment_mut().walls.add(Wall { velocity, open, ..Wall::new(path) }).unwrap();
    }
    step_with_walls_of(&large, &world(1.0));
    let mut large = world::<3>(1000.0);
    let slab = WallShape::Box { centre: Vector::splat(500.0), half: Vector([499.0, 499.0, 0.2]) };
    large.environment_mut().walls.add(Wall::new(slab)).unwrap();
    let planet = WallShape::Ball { centre: Vector::splat(500.0), radius: 400.0 };
    large.environment_mut().walls.add(Wall::new(planet)).unwrap();
    step_with_walls_of(&large, &world(1.0));
}
