//! Rays against lines of sight: the first hit is where the line that is clear ends.

use throng::{Edge, Noise, Obstacle, Settings, Vector, Wall, WallShape, World};

/// A world with obstacles and with pieces of walls of every kind. Some of these move.
fn cluttered<const D: usize>(edge: Edge, seed: u64) -> World<D> {
    let settings = Settings { size: [40.0; D].into(), edge: [edge; D], tick_seconds: 0.1, ..Settings::default() };
    let mut world = World::<D>::new(settings).unwrap();
    let mut noise = Noise::new(seed, 0, 0, Noise::USER);
    let point = |noise: &mut Noise| Vector::<D>::from_fn(|_| noise.between(2.0, 38.0));
    for number in 0..18 {
        let (centre, other) = (point(&mut noise), point(&mut noise));
        let extent = noise.between(0.2, 3.0);
        let shape = match number % 3 {
            0 if D == 2 => {
                WallShape::Path { points: vec![centre, centre + (other - centre) * 0.3, other], closed: false }
            }
            1 => WallShape::Box { centre, half: Vector::splat(extent) },
            _ => WallShape::Ball { centre, radius: extent },
        };
        let velocity = if number % 4 == 3 { (other - centre) * 0.02 } else { Vector::ZERO };
        world.environment_mut().walls.add(Wall { velocity, ..Wall::new(shape) }).unwrap();
        world.environment_mut().obstacles.add(Obstacle::new(point(&mut noise), 0.5 * extent)).unwrap();
    }
    (0..20).for_each(|_| world.step());
    world
}

fn rays_end_where_lines_of_sight_do<const D: usize>(edge: Edge, seed: u64) {
    let world = cluttered::<D>(edge, seed);
    let (query, mut noise) = (world.query(), Noise::new(seed, 1, 0, Noise::USER));
    let mut hits = 0;
    for _ in 0..400 {
        let from = Vector::<D>::from_fn(|_| noise.between(0.0, 40.0));
        let to = Vector::<D>::from_fn(|axis| (from[axis] + noise.between(-12.0, 12.0)).clamp(0.0, 40.0));
        let way = world.settings().offset(from, to);
        let on = |share: f32| Vector::<D>::from_fn(|axis| (from[axis] + way[axis] * share).rem_euclid(40.001));
        let Some(hit) = query.ray(from, to).unwrap() else {
            assert!(query.is_clear(from, to).unwrap(), "{edge:?} {seed}: from {from:?} to {to:?} is not clear");
            continue;
        };
        hits += 1;
        let share = hit.distance / way.length();
        assert!((hit.point - from - way * share).length() < 1e-3 && (hit.normal.length() - 1.0).abs() < 1e-5);
        assert!(hit.normal.dot(way) <= 1e-5, "the normal is on the side of the start");
        // Inside of an obstacle no line is clear.
        let starts_free = query.is_clear(from, on(1e-3)).unwrap();
        if starts_free && edge == Edge::Bounce {
            assert!(query.is_clear(from, on(share - 1e-3)).unwrap(), "{seed}: {from:?} to {to:?}: {hit:?}");
            assert!(
                !query.is_clear(from, on((share + 1e-3).clamp(0.0, 1.0))).unwrap(),
                "{seed}: {from:?} to {to:?}: {hit:?}"
            );
        }
    }
    assert!(hits > 10, "{hits} hits");
}

#[test]
fn a_ray_ends_where_the_line_of_sight_does() {
    for seed in 0..6 {
        rays_end_where_lines_of_sight_do::<2>(Edge::Bounce, seed);
        rays_end_where_lines_of_sight_do::<2>(Edge::Wrap, seed);
        rays_end_where_lines_of_sight_do::<3>(Edge::Bounce, seed);
    }
}

#[test]
fn hits_have_the_distances_and_normals_of_the_closed_form() {
    let settings = Settings { size: [40.0; 2].into(), edge: [Edge::Wrap; 2], ..Settings::default() };
    let mut world = World::<2>::new(settings).unwrap();
    let walls = &mut world.environment_mut().walls;
    walls.add(Wall::new(WallShape::Ball { centre: [20.0, 10.0].into(), radius: 2.0 })).unwrap();
    walls.add(Wall::new(WallShape::Box { centre: [20.0, 20.0].into(), half: [3.0, 1.0].into() })).unwrap();
    let hit = |from, to| world.query().ray(from, to).unwrap().map(|hit| (hit.distance, hit.normal.0));
    assert_eq!(hit([10.0, 10.0], [25.0, 10.0]), Some((8.0, [-1.0, 0.0])));
    assert_eq!(hit([20.0, 25.0], [20.0, 15.0]), Some((4.0, [0.0, 1.0])));
    // From the inside, the surface is on the way out; across the edge, the nearest image counts.
    assert_eq!(hit([20.0, 20.0], [30.0, 20.0]), Some((3.0, [-1.0, 0.0])));
    assert_eq!(hit([35.0, 10.0], [20.5, 10.0]), Some((13.0, [1.0, 0.0])));
    assert_eq!(hit([2.0, 30.0], [38.0, 30.0]), None);
    world.environment_mut().obstacles.add(Obstacle::new([39.0, 30.0], 0.5)).unwrap();
    assert_eq!(world.query().ray([2.0, 30.0], [38.0, 30.0]).unwrap().map(|hit| hit.distance), Some(2.5));
    assert_eq!(world.query().ray([39.2, 30.0], [30.0, 30.0]).unwrap().map(|hit| hit.distance), Some(0.0));
}
