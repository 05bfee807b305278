//! Tests of routes against fields of distances, and of their parts against the walls.

use crate::environment::navigation::field::NavigationField;
use crate::environment::navigation::geometry::Capsule;
use crate::environment::navigation::ground::Ground;
use crate::environment::region::Shape;
use crate::maths::{Noise, Vector};

const SIZE: [f32; 2] = [40.0, 30.0];
const CLEARANCE: f32 = 0.3;

/// A world of random walls and boxes.
fn random_ground(seed: u64, wraps: bool, goal: Vector<2>) -> Ground {
    let mut draw = Noise::new(seed, 1, 0, 7);
    let goals = [Shape::Ball { centre: goal, radius: 0.0 }];
    let mut ground = Ground::new((SIZE, [wraps; 2], [160, 120], CLEARANCE, &goals));
    let mut number = |low: f32, high: f32| f64::from(draw.between(low, high));
    for _ in 0..25 {
        let from = [number(0.0, 40.0), number(0.0, 30.0)];
        let to = [from[0] + number(-6.0, 6.0), from[1] + number(-6.0, 6.0)];
        ground.walls.push(Capsule { ends: [from, to], radius: number(0.0, 0.5) });
        let low = [number(0.0, 40.0), number(0.0, 30.0)];
        ground.solids.push([low, [low[0] + number(0.3, 3.0), low[1] + number(0.3, 3.0)]]);
    }
    ground
}

#[test]
fn routes_are_as_long_as_the_distances_of_a_field_and_keep_off_walls() {
    let (mut found, mut least, mut greatest) = (0, f32::INFINITY, 0.0_f32);
    for seed in 0..40 {
        let mut draw = Noise::new(seed, 2, 0, 7);
        let mut point = || Vector([draw.between(0.5, 39.5), draw.between(0.5, 29.5)]);
        let goal = point();
        let ground = random_ground(seed, false, goal);
        let field = NavigationField::new(&ground);
        let is_free = |at: Vector<2>| field.nearest_free(at) == Some(at);
        for from in (0..40).map(|_| point()).filter(|from| is_free(*from) && is_free(goal)) {
            let distance = field.distance(from);
            let route = field.route(from, goal);
            assert_eq!(route.is_some(), distance < f32::INFINITY, "seed {seed}, from {from:?} to {goal:?}: {distance}");
            let Some(route) = route else { continue };
            let points: Vec<Vector<2>> = [from].into_iter().chain(route).collect();
            for ends in points.windows(2) {
                let [a, b] = [ends[0], ends[1]].map(|end| end.0.map(f64::from));
                // Ways begin and end at the node nearest to a point, up to half a cell from it.
                let clear = f64::from(CLEARANCE) - 0.2;
                assert!(!ground.walls.iter().any(|wall| wall.obstructs(a, b, clear)), "seed {seed}: {points:?}");
            }
            let length: f32 = points.windows(2).map(|ends| ends[0].distance(ends[1])).sum();
            if distance > 5.0 {
                found += 1;
                (least, greatest) = (
                    least.clamp(0.0, length / distance),
                    if length / distance > greatest { length / distance } else { greatest },
                );
            }
        }
    }
    assert!(found > 300 && least > 0.95 && greatest < 1.05, "{found} routes, {least} to {greatest} of the distances");
}

#[test]
fn routes_lead_through_the_edge_of_a_periodic_world() {
    let mut ground = Ground::new((SIZE, [true; 2], [160, 120], CLEARANCE, &[]));
    ground.walls.push(Capsule { ends: [[20.0, 0.0], [20.0, 30.0]], radius: 0.0 });
    let field = NavigationField::new(&ground);
    let [from, to] = [Vector([38.0, 10.0]), Vector([3.0, 12.0])];
    assert_eq!(field.route(from, to), Some(vec![to]), "5 m to the right, through the edge");
    let leg = field.leg(from, to, None).unwrap();
    assert!(leg.is_last && leg.left == 0.0);
}

#[test]
fn no_route_leads_into_a_closed_room() {
    let mut ground = Ground::new((SIZE, [false; 2], [160, 120], CLEARANCE, &[]));
    ground.walls.extend([
        Capsule { ends: [[10.0, 10.0], [20.0, 10.0]], radius: 0.0 },
        Capsule { ends: [[20.0, 10.0], [15.0, 20.0]], radius: 0.0 },
        Capsule { ends: [[15.0, 20.0], [10.0, 10.0]], radius: 0.0 },
    ]);
    let field = NavigationField::new(&ground);
    assert_eq!(field.route([2.0, 2.0], [15.0, 13.0]), None);
    assert!(field.route([2.0, 2.0], [30.0, 25.0]).is_some());
    let by_the_wall = field.nearest_free([15.0, 9.9]).unwrap();
    assert!(by_the_wall.0[1] < 9.71 && by_the_wall.distance(Vector([15.0, 9.7])) < 0.3, "{by_the_wall:?}");
}
