//! The stage collide, compared with one that tests every agent against every piece of a wall.

use crate::base::settings::{Edge, Settings};
use crate::environment::wall::{Wall, WallShape};
use crate::maths::{Noise, Vector};
use crate::rules::behaviours::Wander;
use crate::species::{Distribution, Species};
use crate::world::World;

fn random_wall<const D: usize>(noise: &mut Noise, number: usize, size: f32, changes: bool) -> Wall<D> {
    let mut any = |low: f32, high: f32| Vector::<D>::from_fn(|_| noise.between(low, high));
    let at = if number == 0 { Vector::ZERO } else { any(0.0, size) };
    let shape = match (D, number % 5) {
        (2, 0 | 1) => {
            WallShape::Path { points: vec![at, at + any(-0.1, 0.1) * size, at + any(-0.4, 0.4) * size], closed: false }
        }
        (_, 2) => WallShape::Ball { centre: at, radius: 0.03 * size },
        (_, 3) if number == 3 => WallShape::Plane { point: at, normal: any(0.1, 1.0) },
        _ => WallShape::Box { centre: at, half: any(0.001, 0.05) * size },
    };
    let velocity = if changes && number % 7 == 2 { any(-0.05, 0.05) * size } else { Vector::ZERO };
    let open = if changes && number % 6 == 1 { vec![[0.5, 1.0], [2.0, 2.5]] } else { Vec::new() };
    Wall { velocity, open, ..Wall::new(shape) }
}

/// The walls of a world: of all shapes, some of which move or open; only the walls at rest; or many short segments at
/// rest.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Walls {
    Changing,
    AtRest,
    Segments,
}

/// A world of bodies of several sizes among random walls. Some agents are far faster than the others.
fn random_world<const D: usize>(seed: u64, size: f32, edge: [Edge; D], walls: Walls) -> World<D> {
    let mut noise = Noise::new(seed, 0, 0, Noise::USER);
    let settings = Settings { size: Vector::splat(size), edge, tick_seconds: 0.1, seed, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let mut walker = Species::new("walker").with(3.0, Wander::default());
    (walker.max_speed, walker.max_force) = (Distribution::Uniform(0.0, 4.0), 30.0.into());
    walker.radius = Distribution::Uniform(0.0, 0.5);
    let walker = world.add_species(walker).unwrap();
    let mut racer = Species::new("racer").with_radius(0.1);
    (racer.max_speed, racer.max_force) = (Distribution::Uniform(1.0, 12.0 * size), 0.0.into());
    let racer = world.add_species(racer).unwrap();
    for number in 0..if walls == Walls::Segments { 150 } else { 30 } {
        let wall = if walls == Walls::Segments {
            let at = Vector::<D>::from_fn(|_| noise.between(0.0, size));
            let points = vec![at, at + Vector::from_fn(|_| noise.between(-0.1, 0.1) * size)];
            Wall::new(WallShape::Path { points, closed: false })
        } else {
            random_wall(&mut noise, number, size, walls == Walls::Changing)
        };
        // Some of the random paths cross themselves.
        let _ = world.environment_mut().walls.add(wall);
    }
    for number in 0..700 {
        let (at, heading) = (Vector::from_fn(|_| noise.between(0.0, size)), noise.direction::<D>());
        let species = if number % 16 == 0 { racer } else { walker };
        let id = world.spawn(species, at, heading * 1e-3).unwrap();
        if species == racer {
            let speed = noise.between(0.0, 1.0);
            world.set_velocity(id, heading * (speed * speed * 12.0 * size)).unwrap();
        }
    }
    world
}

/// The edits of a host between two ticks.
fn edit<const D: usize>(world: &mut World<D>, noise: &mut Noise, tick: u64, changes: bool) {
    let size = world.settings().size[0];
    let ids: Vec<_> = world.all_agents().iter().flat_map(|agents| agents.ids().to_vec()).collect();
    let any = |noise: &mut Noise| ids[noise.between(0.0, ids.len() as f32 - 1.0) as usize];
    if tick.is_multiple_of(3) {
        world.set_position(any(noise), Vector::from_fn(|_| noise.between(0.0, size))).unwrap();
    }
    if tick.is_multiple_of(5) {
        world.despawn(any(noise)).unwrap();
        let species = world.species_ids().next().unwrap();
        world.spawn(species, Vector::from_fn(|_| noise.between(0.0, size)), Vector::ZERO).unwrap();
    }
    if changes && tick % 20 == 10 {
        let number = 30 + tick as usize;
        let _ = world.environment_mut().walls.add(random_wall(noise, number, size, changes));
    }
}

fn compare<const D: usize>(seed: u64, size: f32, edge: [Edge; D], walls: Walls) {
    let changes = walls == Walls::Changing;
    let [mut near, mut all] = [(); 2].map(|()| random_world(seed, size, edge, walls));
    all.derived.indices.environment.walls.is_exhaustive = true;
    let [mut edits, mut same_edits] = [(); 2].map(|()| Noise::new(seed, 1, 0, Noise::USER));
    let mut touched = 0;
    // Walls at rest let pieces be kept until agents have gone round the world.
    for tick in 0..if changes { 60 } else { 150 } {
        near.step();
        all.step();
        assert_eq!(near.events(), all.events(), "seed {seed}, size {size}, {edge:?}, {walls:?}, tick {tick}");
        assert_eq!(near.state_hash(), all.state_hash(), "seed {seed}, size {size}, {edge:?}, {walls:?}, tick {tick}");
        touched += near.events().iter().filter(|event| event.name() == "collided").count();
        edit(&mut near, &mut edits, tick, changes);
        edit(&mut all, &mut same_edits, tick, changes);
    }
    assert!(touched > 50, "{touched}");
}

#[test]
fn kept_pieces_change_no_bit() {
    for (size, walls) in [(9.0, Walls::Changing), (60.0, Walls::Changing), (9.0, Walls::AtRest), (30.0, Walls::AtRest)]
    {
        compare::<2>(0, size, [Edge::Wrap; 2], walls);
        compare::<2>(0, size, [Edge::Open, Edge::Wrap], walls);
        compare::<2>(0, size, [Edge::Bounce; 2], walls);
        compare::<3>(0, size, [Edge::Wrap; 3], walls);
    }
    for edge in [Edge::Wrap, Edge::Bounce] {
        compare::<2>(0, 15.0, [edge; 2], Walls::Segments);
        compare::<2>(0, 60.0, [edge; 2], Walls::Segments);
    }
}
