//! Tests of passages and of the quickest ways against closed forms.

use std::sync::Arc;

use crate::environment::navigation::geometry::Capsule;
use crate::environment::navigation::ground::Ground;
use crate::environment::navigation::lazy_field::LazyField;
use crate::environment::navigation::pace::FlatZone;
use crate::environment::navigation::timed::LazyTimed;
use crate::environment::region::Shape;
use crate::environment::zone::Zone;
use crate::maths::Vector;

const CELL: f32 = 0.1;

/// The quickest ways in a world of this size, for bodies with a clearance of 0.25 m.
fn ways(size: [f32; 2], lines: &[&[[f64; 2]]], goals: &[Shape<2>], zones: &[FlatZone]) -> LazyTimed {
    let cells = size.map(|size| (size / CELL).round() as usize);
    let mut ground = Ground::new((size, [false; 2], cells, 0.25, goals));
    let ends = lines.iter().flat_map(|line| line.windows(2));
    ground.walls = ends.map(|ends| Capsule { ends: [ends[0], ends[1]], radius: 0.0 }).collect();
    LazyTimed::new(Arc::new(LazyField::new(ground)), zones.to_vec())
}

fn area(centre: [f32; 2], size: [f32; 2]) -> Shape<2> {
    Shape::Box { centre: Vector(centre), half: Vector(size) * 0.5 }
}

fn width(ways: &LazyTimed, at: [f32; 2]) -> f32 {
    ways.passage(Vector(at)).unwrap().1.width
}

#[test]
fn print_widths() {
    for door in [0.8, 1.0, 1.5, 2.0, 4.0] {
        let (low, high) = (5.0 - 0.5 * door, 5.0 + 0.5 * door);
        let lines: [&[[f64; 2]]; 2] = [&[[10.0, -1.0], [10.0, low]], &[[10.0, high], [10.0, 11.0]]];
        let ways = ways([16.0, 10.0], &lines, &[area([14.0, 5.0], [2.0, 8.0])], &[]);
        println!("door {door}: {:?}", [[5.0, 5.0], [0.1, 0.1], [0.1, 9.9], [9.0, 0.3], [9.8, 5.0], [11.0, 5.0]].map(|at| width(&ways, at)));
    }
    // A corridor.
    for (corridor, door) in [(1.2, 2.4), (2.4, 1.2), (1.0, 1.0)] {
        let (a, b) = (5.0 - 0.5 * corridor, 5.0 + 0.5 * corridor);
        let (c, d) = (5.0 - 0.5 * door, 5.0 + 0.5 * door);
        let lines: [&[[f64; 2]]; 4] = [
            &[[8.0, -1.0], [8.0, a], [14.0, a], [14.0, -1.0]],
            &[[8.0, 11.0], [8.0, b], [14.0, b], [14.0, 11.0]],
            &[[18.0, -1.0], [18.0, c]], &[[18.0, d], [18.0, 11.0]]];
        let ways = ways([22.0, 10.0], &lines, &[area([20.5, 5.0], [2.0, 8.0])], &[]);
        println!("corridor {corridor} door {door}: {:?}", [[5.0, 5.0], [0.1, 0.1], [10.0, 5.0], [15.0, 5.0], [16.0, 1.0]].map(|at| ways.passage(Vector(at)).unwrap().1.clone()));
    }
    // Two doors of one navigation, and columns before a wide door.
    let lines: [&[[f64; 2]]; 3] = [&[[10.0, -1.0], [10.0, 2.0]], &[[10.0, 3.0], [10.0, 7.0]], &[[10.0, 8.5], [10.0, 11.0]]];
    let two = ways([12.0, 10.0], &lines, &[area([11.0, 2.5], [1.0, 1.0]), area([11.0, 7.75], [1.0, 1.5])], &[]);
    println!("two doors: {:?}", [[1.0, 5.0], [0.1, 0.1], [9.5, 2.5], [9.0, 2.5], [9.0, 7.0], [9.0, 5.0]].map(|at| two.passage(Vector(at)).unwrap().1.clone()));
    let mut columns: Vec<Vec<[f64; 2]>> = vec![vec![[10.0, -1.0], [10.0, 1.0]], vec![[10.0, 9.0], [10.0, 11.0]]];
    for number in 0..4 {
        let y = 2.0 + 2.0 * f64::from(number);
        columns.push(vec![[8.0, y - 0.25], [8.5, y - 0.25], [8.5, y + 0.25], [8.0, y + 0.25], [8.0, y - 0.25]]);
    }
    let columns: Vec<&[[f64; 2]]> = columns.iter().map(|line| &line[..]).collect();
    let wide = ways([14.0, 10.0], &columns, &[area([13.0, 5.0], [1.0, 9.0])], &[]);
    println!("columns: {:?}", [[1.0, 5.0], [0.1, 0.1], [8.3, 3.0], [9.5, 5.0], [7.5, 1.0]].map(|at| wide.passage(Vector(at)).unwrap().1.clone()));
    let open = ways([14.0, 10.0], &[], &[area([13.9, 5.0], [0.2, 2.0])], &[]);
    println!("strip of 2 m: {:?}", [[1.0, 5.0], [0.1, 0.1], [12.0, 5.0]].map(|at| open.passage(Vector(at)).unwrap().1.clone()));
    let open = ways([14.0, 10.0], &[], &[area([7.0, 5.0], [0.0, 0.0])], &[]);
    println!("point: {:?}", [[1.0, 5.0], [0.1, 0.1], [12.0, 5.0]].map(|at| open.passage(Vector(at)).unwrap().1.clone()));
    let stairs = FlatZone { shape: area([5.0, 2.5], [2.0, 5.0]), zone: Zone::new("", 0.5) };
    let lines: [&[[f64; 2]]; 1] = [&[[2.0, 5.0], [12.0, 5.0]]];
    let slow = ways([14.0, 10.0], &lines, &[area([13.5, 5.0], [1.0, 10.0])], &[stairs]);
    println!("stairs: {:?}", [[1.0, 5.0], [1.0, 2.0], [4.5, 2.5], [3.0, 2.5], [7.0, 2.0]].map(|at| (slow.passage(Vector(at)).unwrap(), slow.field().distance(at), slow.field().direction(at))));
}
