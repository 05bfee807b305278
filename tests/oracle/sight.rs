//! Tests of lines of sight and of the walls near points, against a test of every wall and obstacle, and of every image
//! of each.

use throng::{Edge, Noise, Obstacle, Settings, Vector, Wall, WallShape, World};

const SIZE: f32 = 30.0;

/// The shapes that stand, as they are now, and whether they are solid.
fn standing<const D: usize>(world: &World<D>) -> Vec<WallShape<D>> {
    world.standing_walls().map(|(_, shape)| shape).collect()
}

/// The displacements of all images that may matter.
fn images<const D: usize>(edge: Edge) -> Vec<[f64; D]> {
    let reach = if edge == Edge::Wrap { 2_i32 } else { 0 };
    let each = 2 * reach + 1;
    let image = |number: i32, axis: usize| f64::from(number / each.pow(axis as u32) % each - reach) * f64::from(SIZE);
    (0..each.pow(D as u32)).map(|number| std::array::from_fn(|axis| image(number, axis))).collect()
}

fn wide<const D: usize>(of: Vector<D>) -> [f64; D] {
    of.0.map(f64::from)
}

fn plus<const D: usize>(a: [f64; D], b: [f64; D], by: f64) -> [f64; D] {
    std::array::from_fn(|axis| a[axis] + by * b[axis])
}

fn dot<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    (0..D).map(|axis| a[axis] * b[axis]).sum()
}

/// The least distance of a point from a segment.
fn gap<const D: usize>(point: [f64; D], from: [f64; D], to: [f64; D]) -> f64 {
    let (way, ahead) = (plus(to, from, -1.0), plus(point, from, -1.0));
    let share = if dot(way, way) > 0.0 { (dot(ahead, way) / dot(way, way)).clamp(0.0, 1.0) } else { 0.0 };
    let off = plus(ahead, way, -share);
    dot(off, off).sqrt()
}

/// Whether a line meets the surface of a shape.
fn meets<const D: usize>(shape: &WallShape<D>, from: [f64; D], to: [f64; D]) -> bool {
    let length = |a: [f64; D], b: [f64; D]| dot(plus(a, b, -1.0), plus(a, b, -1.0)).sqrt();
    match shape {
        WallShape::Path { points, .. } => {
            let (a, b) = (wide(points[0]), wide(points[1]));
            let side =
                |a: [f64; D], b: [f64; D], c: [f64; D]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            side(a, b, from) * side(a, b, to) <= 0.0 && side(from, to, a) * side(from, to, b) <= 0.0
        }
        WallShape::Ball { centre, radius } => {
            let (centre, radius) = (wide(*centre), f64::from(*radius));
            let ends = [length(from, centre), length(to, centre)];
            gap(centre, from, to) <= radius && ends.iter().any(|&end| end >= radius)
        }
        WallShape::Box { centre, half } => {
            let (mut enters, mut leaves) = (0.0, 1.0);
            let mut is_inside = true;
            for axis in 0..D {
                let (low, high) = (wide(*centre - *half)[axis], wide(*centre + *half)[axis]);
                let way = to[axis] - from[axis];
                let at = |bound: f64| (bound - from[axis]) / way;
                let (first, last) = if way > 0.0 { (at(low), at(high)) } else { (at(high), at(low)) };
                enters = if first > enters { first } else { enters };
                leaves = if last < leaves { last } else { leaves };
                is_inside &= [from, to].iter().all(|end| low < end[axis] && end[axis] < high);
            }
            enters <= leaves && !is_inside
        }
        _ => unreachable!(),
    }
}

/// Compares answers about lines with a test of everything. Returns how many lines were clear, and were not.
fn look<const D: usize>(world: &World<D>, edge: Edge, noise: &mut Noise, what: &str) -> [usize; 2] {
    let (shapes, mut counts) = (standing(world), [0; 2]);
    for _ in 0..60 {
        let mut point = || Vector::<D>::from_fn(|_| noise.between(0.0, SIZE));
        let (from, to) = (point(), point());
        let way = wide(world.settings().offset(from, to));
        let is_met = images::<D>(edge).iter().any(|image| {
            let from = plus(wide(from), *image, 1.0);
            let to = plus(from, way, 1.0);
            shapes.iter().any(|shape| meets(shape, from, to))
                || world
                    .environment()
                    .obstacles
                    .items()
                    .iter()
                    .any(|obstacle| gap(wide(obstacle.centre), from, to) < f64::from(obstacle.radius))
        });
        assert_eq!(world.query().is_clear(from, to).unwrap(), !is_met, "{what}: {from:?} to {to:?}");
        counts[usize::from(is_met)] += 1;
    }
    counts
}

/// Compares the walls near points with those among all.
fn feel(world: &World<2>, edge: Edge, noise: &mut Noise, what: &str) {
    let mut found = Vec::new();
    for _ in 0..20 {
        let (point, radius) = (Vector([noise.between(0.0, SIZE), noise.between(0.0, SIZE)]), noise.between(0.0, 9.0));
        let mut expected = Vec::new();
        for shape in standing(world) {
            for image in images::<2>(edge) {
                let at = plus(wide(point), image, 1.0);
                let distance = match &shape {
                    WallShape::Path { points, .. } => gap(at, wide(points[0]), wide(points[1])),
                    WallShape::Ball { centre, radius } => {
                        (gap(at, wide(*centre), wide(*centre)) - f64::from(*radius)).abs()
                    }
                    _ => continue,
                };
                expected.extend((distance <= f64::from(radius)).then_some(distance as f32));
            }
        }
        expected.sort_by(f32::total_cmp);
        world.query().walls_within(point, radius, &mut found).unwrap();
        let boxes = |number: usize| matches!(world.environment().walls.items()[number].shape, WallShape::Box { .. });
        let number = |near: &throng::NearWall<2>| world.environment().walls.index_of(near.wall).unwrap();
        assert!(found.is_sorted_by_key(|near| near.distance), "{what}");
        found.retain(|near| !boxes(number(near)));
        let is_same = |(near, distance): (&throng::NearWall<2>, &f32)| (near.distance - distance).abs() < 1e-3;
        assert!(
            found.len() == expected.len() && found.iter().zip(&expected).all(is_same),
            "{what}: {point:?} {radius}"
        );
    }
}

/// Looks around in a world in which walls and obstacles move, doors open and close, and the host edits all of them.
fn check<const D: usize>(edge: Edge, mut feel: impl FnMut(&World<D>, &mut Noise, &str)) {
    let settings = Settings { size: Vector::splat(SIZE), edge: [edge; _], tick_seconds: 0.1, ..Settings::default() };
    let (mut world, mut noise) = (World::<D>::new(settings).unwrap(), Noise::new(4, D as u64, 0, Noise::USER));
    let mut counts = [0; 2];
    for round in 0..60 {
        let mut any = |least: f32, most: f32| Vector::<D>::from_fn(|_| noise.between(least, most));
        let (centre, half, way) = (any(0.0, SIZE), any(0.2, 2.0), any(-3.0, 3.0));
        let shape = match round % 3 {
            0 if D == 2 => WallShape::Path { points: vec![centre, centre + way], closed: false },
            1 => WallShape::Ball { centre, radius: half[0] },
            _ => WallShape::Box { centre, half },
        };
        let moves = if round % 4 == 0 { way } else { Vector::ZERO };
        let open = if round % 5 == 0 { vec![[0.2, 0.5], [1.1, 2.0]] } else { Vec::new() };
        let environment = world.environment_mut();
        match round % 10 {
            0..6 => {
                environment.walls.add(Wall { velocity: moves, open, ..Wall::new(shape) }).unwrap();
            }
            6 | 7 => {
                environment.obstacles.add(Obstacle { velocity: moves, ..Obstacle::new(centre, half[1]) }).unwrap();
            }
            8 => {
                let id = environment.walls.ids()[environment.walls.len() / 2];
                environment.walls.edit(id, |wall| (wall.shape, wall.velocity) = (shape, way)).unwrap();
                let id = environment.obstacles.ids()[0];
                environment.obstacles.edit(id, |obstacle| obstacle.centre = centre).unwrap();
            }
            _ => {
                let id = environment.walls.ids()[1];
                environment.walls.remove(id).unwrap();
            }
        }
        for when in ["after an edit", "after a tick", "after ticks"] {
            let what = format!("{edge:?}, {D} dimensions, round {round} {when}");
            let [clear, met] = look(&world, edge, &mut noise, &what);
            counts = [counts[0] + clear, counts[1] + met];
            feel(&world, &mut noise, &what);
            (0..round % 4).for_each(|_| world.step());
        }
    }
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
}

#[test]
fn lines_and_walls_near_points_are_those_of_a_test_of_everything() {
    for edge in [Edge::Wrap, Edge::Open, Edge::Bounce] {
        check::<2>(edge, |world, noise, what| feel(world, edge, noise, what));
        check::<3>(edge, |_, _, _| ());
    }
}

#[test]
fn across_a_seam_the_nearest_image_is_seen() {
    let settings = Settings::<2> { size: Vector([SIZE; 2]), ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    world.environment_mut().walls.add(Wall::segment([15.0, 0.0], [15.0, 29.9])).unwrap();
    assert!(world.query().is_clear([29.0, 5.0], [1.0, 5.0]).unwrap());
    assert!(!world.query().is_clear([14.0, 5.0], [16.0, 5.0]).unwrap());
    // An image of a disc beyond the seam.
    world.environment_mut().obstacles.add(Obstacle::new([0.5, 5.0], 1.0)).unwrap();
    assert!(!world.query().is_clear([29.9, 1.0], [29.9, 9.0]).unwrap());
    assert!(world.query().is_clear([29.4, 1.0], [29.4, 9.0]).unwrap());
}
