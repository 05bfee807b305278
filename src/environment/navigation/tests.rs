//! Tests of navigation fields against closed forms, a search over grid graphs, and walks down the field.

use crate::environment::navigation::field::NavigationField;
use crate::environment::navigation::geometry::{Capsule, Point, squared_between};
use crate::environment::navigation::ground::Ground;
use crate::environment::region::Shape;
use crate::maths::{Noise, Vector};

fn ground(size: [f32; 2], cells: [usize; 2], clearance: f32, walls: &[[[f64; 2]; 2]], goal: Shape<2>) -> Ground {
    let mut ground = Ground::new((size, [false; 2], cells, clearance, &[goal]));
    ground.walls = walls.iter().map(|&ends| Capsule { ends, radius: 0.0 }).collect();
    ground
}

/// The same ground before its field was computed.
fn again(ground: &Ground, wraps: [bool; 2], goals: &[Shape<2>]) -> Ground {
    let mut other = Ground::new((ground.size, wraps, ground.cells, ground.clearance, goals));
    other.walls.clone_from(&ground.walls);
    other
}

impl Ground {
    fn field(&self) -> NavigationField {
        NavigationField::new(self)
    }
}

fn point(x: f32, y: f32) -> Shape<2> {
    Shape::Ball { centre: Vector([x, y]), radius: 0.0 }
}

fn centres(field: &NavigationField, size: [f32; 2]) -> impl Iterator<Item = ([usize; 2], Vector<2>)> {
    let [columns, rows] = field.cells();
    (0..columns * rows).map(move |number| {
        let cell = [number % columns, number / columns];
        let at = |axis: usize| (cell[axis] as f32 + 0.5) * size[axis] / [columns, rows][axis] as f32;
        (cell, Vector([at(0), at(1)]))
    })
}

/// Walks down the field in steps of a tenth of a cell, until the distance has fallen by `descent` or the goal is near.
/// Returns how much longer the walk is than it descends.
fn walk(field: &NavigationField, ground: &Ground, from: Vector<2>, descent: f32) -> f32 {
    let step = 0.1 * ground.size[0] / ground.cells[0] as f32;
    let start = field.distance(from);
    let (mut at, mut length) = (from, 0.0);
    loop {
        let left = field.distance(at);
        let descended = start - left;
        if left <= 4.0 * step || descended >= descent {
            return length - descended;
        }
        assert!(
            length <= 1.5 * descended + 100.0 * step,
            "a walk from {from:?} stalls at {at:?}, {left} m from the goal"
        );
        let direction = field.direction(at);
        assert!((direction.length() - 1.0).abs() < 1e-5, "{direction:?} at {at:?}, {left} m from the goal");
        let crosses = |to: Vector<2>| {
            let ends: [Point; 2] = [at, to].map(|end| end.0.map(f64::from));
            ground.walls.iter().any(|wall| wall.radius == 0.0 && squared_between(ends, wall.ends) == 0.0)
        };
        // Between the tips of walls that are nearer than a step, steps are shorter.
        let step = if crosses(at + direction * step) { 0.1 * step } else { step };
        let mut to = at + direction * step;
        assert!(!crosses(to), "a walk crosses a wall from {at:?} to {to:?}");
        for axis in 0..2 {
            if ground.wraps[axis] {
                to[axis] -= (to[axis] / ground.size[axis]).floor() * ground.size[axis];
            }
        }
        at = to;
        length += step;
    }
}

/// Walks a few cells from every cell, with or without those nearer to walls than the clearance, and to the goal from
/// some. Returns the largest detour of the latter.
fn walk_from_everywhere(ground: &Ground, with_band: bool) -> f32 {
    let field = &ground.field();
    let mut detour = 0.0;
    for (number, (cell, from)) in centres(field, ground.size).enumerate() {
        let left = field.distances()[cell[1] * ground.cells[0] + cell[0]];
        if left.is_finite() && (with_band || field.is_free(cell)) {
            let whole = number % 97 == 0;
            let walked = walk(field, ground, from, if whole { f32::INFINITY } else { 1.0 });
            detour = if whole && walked > detour { walked } else { detour };
        }
    }
    detour
}

#[test]
fn distances_in_an_empty_world_are_those_of_straight_lines() {
    for cells in [[50, 40], [100, 80], [200, 160]] {
        let ground = ground([50.0, 40.0], cells, 0.0, &[], point(17.0, 11.0));
        let field = &ground.field();
        let spacing = 50.0 / cells[0] as f32;
        let (mut worst, mut turned) = (0.0, 1.0);
        for (cell, at) in centres(field, ground.size) {
            let offset = Vector([17.0, 11.0]) - at;
            let error = (field.distances()[cell[1] * cells[0] + cell[0]] - offset.length()).abs();
            worst = if error > worst { error } else { worst };
            if offset.length() > 3.0 * spacing {
                let cosine = field.direction(at).dot(offset.direction());
                turned = if cosine < turned { cosine } else { turned };
            }
        }
        assert!(worst < 0.12 * spacing, "{worst} m with cells of {spacing} m");
        assert!(turned > 0.985, "{turned}");
    }
}

#[test]
fn the_way_around_a_corner_is_a_taut_string() {
    // A wall from the lower edge up to (20, 20).
    let walls = [[[20.0, -1.0], [20.0, 20.0]]];
    let ground = ground([40.0, 30.0], [160, 120], 0.0, &walls, point(30.0, 5.0));
    let field = &ground.field();
    let (corner, goal) = (Vector([20.0, 20.0]), Vector([30.0, 5.0]));
    for from in [[10.0, 5.0], [19.5, 1.0], [15.0, 18.0], [2.0, 25.0]].map(Vector) {
        // The point sees the goal if it is above the line through the corner.
        let hidden = (corner - goal).perp().dot(from - goal) > 0.0;
        let taut = if hidden { from.distance(corner) + corner.distance(goal) } else { from.distance(goal) };
        let found = field.distance(from);
        assert!((found - taut).abs() < 0.4, "{from:?}: {found} against {taut}");
    }
    assert!(walk_from_everywhere(&ground, true) < 1.0);
}

#[test]
fn a_slit_lets_only_bodies_through_that_fit() {
    let walls = [[[20.0, -1.0], [20.0, 9.6]], [[20.0, 10.4], [20.0, 31.0]]];
    let field = |clearance| {
        let ground = ground([40.0, 30.0], [200, 150], clearance, &walls, point(35.0, 10.0));
        if clearance < 0.4 {
            assert!(walk_from_everywhere(&ground, true) < 1.0);
        }
        ground.field().distance([5.0, 10.0])
    };
    assert!((field(0.0) - 30.0).abs() < 0.1);
    assert!((field(0.25) - 30.0).abs() < 0.1);
    assert_eq!(field(0.41), f32::INFINITY);
}

#[test]
fn thin_walls_close_at_every_angle_and_place() {
    // A long wall at any angle divides the world; no distance leads through it, nor through a crack of two touching
    // ends.
    for number in 0..40 {
        let mut noise = Noise::new(7, number, 0, Noise::USER);
        let (angle, shift) = (noise.between(0.0, std::f32::consts::TAU), noise.between(-3.0, 3.0));
        let (sine, cosine) = crate::maths::sin_cos(angle);
        let along = Vector([cosine, sine]);
        let middle = Vector([20.0, 20.0]) + along.perp() * shift;
        let ends = [middle - along * 60.0, middle + along * noise.between(-15.0, 15.0), middle + along * 60.0];
        let ends = ends.map(|end| end.0.map(f64::from));
        let goal = middle + along.perp() * 5.0;
        let ground =
            ground([40.0; 2], [80; 2], 0.0, &[[ends[0], ends[1]], [ends[1], ends[2]]], point(goal[0], goal[1]));
        let field = &ground.field();
        for (cell, at) in centres(field, ground.size) {
            let reached = field.distances()[cell[1] * 80 + cell[0]].is_finite();
            let side = (at - middle).dot(along.perp());
            if side.abs() > 0.06 {
                assert_eq!(reached, side > 0.0, "{at:?}, {side} m from the wall at {angle}");
            }
        }
    }
}

/// A square spiral whose corridor is two metres wide.
fn spiral(turns: usize) -> Vec<[[f64; 2]; 2]> {
    let size = 4.0 * turns as f64 + 2.0;
    let mut corners = vec![[0.0, 2.0]];
    for turn in 0..turns {
        let (low, high) = (2.0 * turn as f64, size - 2.0 * turn as f64 - 2.0);
        corners.extend([[high, low + 2.0], [high, high], [low + 2.0, high], [low + 2.0, low + 4.0]]);
    }
    corners.windows(2).map(|ends| [ends[0], ends[1]]).collect()
}

#[test]
fn a_spiral_leads_to_its_middle() {
    let walls = spiral(3);
    let size = 14.0;
    for clearance in [0.0, 0.3] {
        let ground = ground([size; 2], [70; 2], clearance, &walls, point(7.0, 7.0));
        // The middle line of the corridor, and the taut string, which is shorter.
        let far = ground.field().distance([0.5, 1.0]);
        assert!((60.0..90.0).contains(&far), "{far}");
        let detour = walk_from_everywhere(&ground, true);
        assert!(detour < 6.0, "{detour} m");
    }
}

#[test]
fn random_walls_give_the_distances_of_a_visibility_graph() {
    for world in 0..6 {
        let mut noise = Noise::new(3, world, 1, Noise::USER);
        let mut draw = || f64::from(noise.between(2.0, 38.0));
        let walls: Vec<[[f64; 2]; 2]> = (0..6).map(|_| [[draw(), draw()], [draw(), draw()]]).collect();
        let goal = [draw(), draw()];
        let ground = ground([40.0; 2], [160; 2], 0.0, &walls, point(goal[0] as f32, goal[1] as f32));
        let field = &ground.field();
        // The shortest way bends at ends of walls only.
        let mut knots: Vec<Point> = walls.iter().flatten().copied().collect();
        knots.push(goal);
        let mut left = vec![f64::INFINITY; knots.len()];
        left[knots.len() - 1] = 0.0;
        let length = |a: Point, b: Point| ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).sqrt();
        let sees = |a: Point, b: Point| {
            // Knots are moved a little towards each other, off their own walls.
            let inner = |a: Point, b: Point| [a[0] + (b[0] - a[0]) * 1e-6, a[1] + (b[1] - a[1]) * 1e-6];
            let along = |wall: &[Point; 2]| wall.contains(&a) && wall.contains(&b);
            !walls.iter().any(|wall| !along(wall) && squared_between([inner(a, b), inner(b, a)], *wall) == 0.0)
        };
        for _ in 0..knots.len() {
            for a in 0..knots.len() {
                for b in 0..knots.len() {
                    let through = left[b] + length(knots[a], knots[b]);
                    if through < left[a] && sees(knots[a], knots[b]) {
                        left[a] = through;
                    }
                }
            }
        }
        let mut worst = 0.0;
        for _ in 0..200 {
            let from = [draw(), draw()];
            let seen = knots.iter().zip(&left).filter(|(knot, _)| sees(from, **knot));
            let exact = seen.map(|(knot, left)| left + length(from, *knot)).fold(f64::INFINITY, f64::min);
            let found = f64::from(field.distance(Vector(from.map(|at| at as f32))));
            let error = (found - exact).abs();
            worst = if error > worst { error } else { worst };
        }
        assert!(worst < 2.0, "world {world}: {worst} m");
        let mut wide = Ground::new((ground.size, [false; 2], ground.cells, 0.15, &ground.goals));
        wide.walls.clone_from(&ground.walls);
        walk_from_everywhere(&wide, false);
    }
}

#[test]
fn ways_lead_across_the_seam() {
    // Closed in the middle, so that the way from one side to the other crosses the seam.
    let walls = [[[20.0, -1.0], [20.0, 31.0]]];
    let goal = Shape::Box { centre: Vector([30.0, 15.0]), half: Vector([1.0, 2.0]) };
    let ground = ground([40.0, 30.0], [160, 120], 0.2, &walls, goal);
    assert_eq!(ground.field().distance([10.0, 15.0]), f32::INFINITY);
    let ground = again(&ground, [true, false], &ground.goals);
    assert!((ground.field().distance([10.0, 15.0]) - 19.0).abs() < 0.1, "{}", ground.field().distance([10.0, 15.0]));
    assert!(ground.field().direction([39.99, 15.0])[0] < -0.99);
    walk_from_everywhere(&ground, true);
    // A goal on the seam.
    let seam = again(&ground, [true; 2], &[point(0.0, 0.0)]);
    for at in [[3.0, 4.0], [37.0, 26.0], [3.0, 26.0], [37.0, 4.0]] {
        assert!((seam.field().distance(at) - 5.0).abs() < 0.05, "{}", seam.field().distance(at));
    }
    walk_from_everywhere(&seam, true);
}

#[test]
fn solids_are_walked_around() {
    let mut ground = ground([40.0, 30.0], [160, 120], 0.3, &[], point(30.0, 15.0));
    ground.walls.push(Capsule { ends: [[20.0, 15.0]; 2], radius: 3.0 });
    ground.solids.push([[8.0, 12.0], [12.0, 30.0]]);
    let field = &ground.field();
    assert!(field.direction([20.0, 15.5]).is_finite());
    assert!(!field.is_free([80, 60]) && field.is_free([4, 4]));
    // Around the disc from 7 m and 10 m: two tangents of a circle of 3.3 m, 6.173 m and 9.440 m, and an arc of 0.827.
    let behind = field.distance([13.0, 15.0]);
    assert!((behind - 18.343).abs() < 0.3, "{behind}");
    walk_from_everywhere(&ground, true);
}

#[test]
#[ignore = "a measurement"]
fn a_million_cells() {
    let mut walls = spiral(10);
    for wall in &mut walls {
        for end in wall {
            *end = end.map(|at| at * 200.0 / 42.0);
        }
    }
    for (name, walls) in [("empty", &[][..]), ("spiral", &walls)] {
        for _ in 0..3 {
            let ground = ground([200.0; 2], [1000; 2], 0.25, walls, point(100.0, 100.0));
            let start = std::time::Instant::now();
            let raster = super::raster::Raster::new(&ground);
            println!("{name}: raster {:?}, {} walls", start.elapsed(), raster.walls.len());
            let start = std::time::Instant::now();
            ground.field();
            println!("{name}: all {:?}", start.elapsed());
        }
    }
}

/// Two benches with a seatway between them that is narrower than twice the clearance, so that all starts in it are by a
/// wall. No route leads through a gap of 0.2 m at an end, and none out of a seatway with such a gap at both ends.
#[test]
fn a_seatway_is_left_where_a_body_passes() {
    let bench = |west: f64, low: f64| {
        let (east, high) = (7.8, low + 0.45);
        let corners = [[west, low], [east, low], [east, high], [west, high]];
        std::array::from_fn::<_, 4, _>(|side| [corners[side], corners[(side + 1) % 4]])
    };
    for width in [0.4, 0.42, 0.45, 0.48] {
        for (west, leaves) in [(4.3, true), (0.2, false)] {
            let benches = [bench(west, 2.3), bench(west, 2.75 + width)].concat();
            let room = [[[0.0, 0.0], [0.0, 6.0]], [[8.0, 0.0], [8.0, 6.0]]];
            let walls = [&benches[..], &room[..]].concat();
            let field = ground([8.0, 6.0], [80, 60], 0.25, &walls, point(7.5, 5.5)).field();
            for x in [4.6, 5.0, 6.0, 7.0, 7.5] {
                let start = Vector([x, 2.75 + 0.5 * width as f32]);
                let (way, heading) = (field.distance(start), field.direction(start));
                if leaves {
                    let least = (start[0] - west as f32) + 1.5;
                    assert!(way > least && heading[0] < -0.9, "width {width}: {way} m, {heading:?} from {start:?}");
                } else {
                    assert!(way.is_infinite(), "width {width}: {way} m from {start:?}");
                }
            }
        }
    }
}
