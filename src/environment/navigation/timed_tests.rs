//! Tests of passages and of the quickest ways against closed forms.

use std::sync::Arc;

use crate::environment::navigation::crowd::Crowd;
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
    LazyTimed::new(Arc::new(LazyField::new(ground)), zones.to_vec(), None)
}

fn area(centre: [f32; 2], size: [f32; 2]) -> Shape<2> {
    Shape::Box { centre: Vector(centre), half: Vector(size) * 0.5 }
}

fn passage(ways: &LazyTimed, at: [f32; 2]) -> (f32, u32) {
    let (_, passage) = ways.passage(Vector(at)).unwrap();
    (passage.width, passage.before.end - passage.before.start)
}

/// A line across the world at `x` with a gap of this width around `y`.
fn gap(x: f64, y: f64, width: f64) -> [Vec<[f64; 2]>; 2] {
    [vec![[x, -1.0], [x, y - 0.5 * width]], vec![[x, y + 0.5 * width], [x, 11.0]]]
}

fn lines(walls: &[Vec<[f64; 2]>]) -> Vec<&[[f64; 2]]> {
    walls.iter().map(|line| &line[..]).collect()
}

fn assert_width(ways: &LazyTimed, at: [f32; 2], width: f32) {
    let (found, _) = passage(ways, at);
    assert!((found - width).abs() < 0.15, "{found} m for {width} m at {at:?}");
}

#[test]
fn a_door_is_as_wide_as_it_is() {
    for door in [0.8, 1.0, 1.25, 1.5, 2.0, 4.0] {
        let walls = gap(10.0, 5.0, door);
        let ways = ways([16.0, 10.0], &lines(&walls), &[area([14.0, 5.0], [2.0, 8.0])], &[]);
        for at in [[5.0, 5.0], [0.1, 0.1], [0.1, 9.9], [9.0, 0.3], [9.8, 9.0], [9.9, 4.9 - 0.5 * door as f32]] {
            assert_width(&ways, at, door as f32);
        }
        assert_eq!(passage(&ways, [11.5, 5.0]).0, f32::INFINITY, "behind the door");
    }
}

#[test]
fn the_narrowest_of_a_corridor_and_its_door_counts_before_both() {
    for (corridor, door) in [(1.2, 2.4), (2.4, 1.2), (1.0, 1.0), (1.0, 6.0)] {
        let [below, above] = [5.0 - 0.5 * corridor, 5.0 + 0.5 * corridor];
        let mut walls = vec![
            vec![[8.0, -1.0], [8.0, below], [14.0, below], [14.0, -1.0]],
            vec![[8.0, 11.0], [8.0, above], [14.0, above], [14.0, 11.0]],
        ];
        walls.extend(gap(18.0, 5.0, door));
        let ways = ways([22.0, 10.0], &lines(&walls), &[area([20.5, 5.0], [2.0, 8.0])], &[]);
        let (corridor, door) = (corridor as f32, door as f32);
        let narrowest = if corridor < door { corridor } else { door };
        for at in [[5.0, 5.0], [0.1, 0.1], [7.5, 9.5]] {
            assert_width(&ways, at, narrowest);
        }
        for at in [[15.0, 5.0], [16.0, 1.0], [14.2, 9.8]] {
            assert_width(&ways, at, door);
        }
        // Those behind the corridor do not queue before it.
        let (before, hall) = (ways.passage(Vector([5.0, 5.0])).unwrap(), ways.passage(Vector([16.0, 8.0])).unwrap());
        assert!(corridor == door || before.1.before.contains(&hall.1.before.start) == (corridor > door));
    }
}

#[test]
fn doors_side_by_side_and_gaps_between_columns_add_up() {
    let walls = vec![vec![[10.0, -1.0], [10.0, 2.0]], vec![[10.0, 3.0], [10.0, 7.0]], vec![[10.0, 8.5], [10.0, 11.0]]];
    let goals = [area([11.0, 2.5], [1.0, 1.0]), area([11.0, 7.75], [1.0, 1.5])];
    let two = ways([12.0, 10.0], &lines(&walls), &goals, &[]);
    assert!((passage(&two, [1.0, 5.0]).0 - 2.5).abs() < 0.25);
    assert_width(&two, [9.0, 2.5], 1.0);
    assert_width(&two, [9.0, 7.5], 1.5);
    // Four columns half a metre wide before a door of eight metres, or of one.
    for (door, narrowest) in [(9.9, 8.0), (1.0, 1.0)] {
        let mut walls = gap(10.0, 5.0, door).to_vec();
        walls.push(vec![[-1.0, 0.0], [15.0, 0.0]]);
        walls.push(vec![[-1.0, 10.0], [15.0, 10.0]]);
        for y in [2.0, 4.0, 6.0, 8.0] {
            let corner = |x: f64, side: f64| [x, y + 0.25 * side];
            walls.push(vec![
                corner(8.0, -1.0),
                corner(8.5, -1.0),
                corner(8.5, 1.0),
                corner(8.0, 1.0),
                corner(8.0, -1.0),
            ]);
        }
        let wide = ways([14.0, 10.0], &lines(&walls), &[area([13.0, 5.0], [1.0, 9.0])], &[]);
        let found = passage(&wide, [1.0, 5.0]).0;
        assert!((found / narrowest - 1.0).abs() < 0.1, "{found} m for {narrowest} m");
    }
}

#[test]
fn side_rooms_queue_at_their_own_doors() {
    // Two rooms with doors of a metre on a corridor of three metres.
    let walls = vec![
        vec![[0.0, 4.0], [3.0, 4.0]],
        vec![[4.0, 4.0], [13.0, 4.0]],
        vec![[14.0, 4.0], [20.0, 4.0]],
        vec![[10.0, 4.0], [10.0, 0.0]],
        vec![[0.0, 7.0], [20.0, 7.0]],
    ];
    let ways = ways([20.0, 10.0], &lines(&walls), &[area([19.5, 5.5], [1.0, 3.0])], &[]);
    let [left, right] = [[5.0, 2.0], [15.0, 1.0]].map(|at| ways.passage(Vector(at)).unwrap().1.clone());
    assert!((left.width - 1.0).abs() < 0.25 && (right.width - 1.0).abs() < 0.25, "{left:?}, {right:?}");
    assert!(!left.before.contains(&right.before.start) && !right.before.contains(&left.before.start));
}

#[test]
fn the_quickest_way_counts_zones() {
    // Below the wall, six metres before the goal are a zone of half the speed.
    let zone = Zone::new("", 0.5);
    let slow = FlatZone { shape: area([6.0, 2.5], [6.0, 5.0]), number: 0, zone: zone.clone() };
    let wall: [&[[f64; 2]]; 1] = [&[[2.0, 5.0], [12.0, 5.0]]];
    let goals = [area([13.5, 5.0], [1.0, 10.0])];
    let quickest = ways([14.0, 10.0], &wall, &goals, &[slow]);
    for (at, metres) in [([5.0, 1.0], 12.0), ([10.0, 1.0], 3.0), ([5.0, 8.0], 8.0)] {
        let found = quickest.field().distance(at);
        assert!((found - metres).abs() < 0.15, "{found} m for {metres} m from {at:?}");
    }
    // From here the way around the end of the wall takes sqrt(5) + 11 m, and through the zone 18 m.
    let around = quickest.field().distance([1.0, 3.0]);
    assert!((around - 13.4).abs() < 0.3, "{around}");
    assert!(quickest.field().direction([1.0, 3.0])[1] > 0.8);
    // Against the direction of an escalator it is slower; along with it as fast as without a zone.
    for (direction, metres) in [([1.0, 0.0], 8.0), ([-1.0, 0.0], 12.0)] {
        let zone = Zone::new("", 1.0).with_against(direction, 0.5);
        let escalator = FlatZone { shape: area([6.0, 2.5], [6.0, 5.0]), number: 0, zone };
        let found = ways([14.0, 10.0], &wall, &goals, &[escalator]).field().distance([5.0, 1.0]);
        assert!((found - metres).abs() < 0.2, "{found} m for {metres} m along {direction:?}");
    }
    // Twice the speed.
    let fast = FlatZone { shape: area([6.0, 2.5], [6.0, 5.0]), number: 0, zone: Zone::new("", 2.0) };
    let fast = ways([14.0, 10.0], &wall, &goals, &[fast]);
    let found = fast.field().distance([2.95, 1.0]);
    assert!((found - 7.05).abs() < 0.15, "{found}");
    assert!(fast.field().direction([5.0, 1.0])[0] > 0.98, "{:?}", fast.field().direction([5.0, 1.0]));
}

#[test]
fn a_crowd_counts_as_the_time_that_people_need_in_it() {
    // People fill a strip of 4 m at half of their speed, eight in each square, but for one square in the middle.
    let cells = [200, 60];
    let place = |number: usize| {
        let (column, row) = (number / 8 % 4, number / 32);
        (Vector([8.5 + column as f32, 0.5 + row as f32]), if (column, row) == (2, 3) { 1.0 } else { 0.5 })
    };
    let of = |count: usize| {
        let crowd = Crowd::new((7, [20.0, 6.0], cells), (0..count).map(place));
        assert_eq!((crowd.is_slow(), crowd.is_whole()), (count > 0, true));
        let ground = Ground::new(([20.0, 6.0], [false; 2], cells, 0.25, &[area([19.5, 3.0], [1.0, 6.0])]));
        LazyTimed::new(Arc::new(LazyField::new(ground)), Vec::new(), Some(Arc::new(crowd)))
    };
    let free = of(0);
    assert!((free.field().distance([5.0, 1.5]) - 14.0).abs() < 0.05);
    // Half a person without others before it counts in each square: 8.5 people get on as 4.5 do.
    let [filled, behind] = [5.0, 14.0].map(|x| of(192).field().distance([x, 1.5]));
    assert!((filled - (10.0 + 4.0 * 8.5 / 4.5)).abs() < 0.5, "{filled}");
    assert!((behind - 5.0).abs() < 0.05, "{behind}");
}

#[test]
fn ways_branch_around_what_stands_alone() {
    let branch =
        |lines: &[&[[f64; 2]]]| ways([16.0, 10.0], lines, &[area([14.0, 5.0], [2.0, 8.0])], &[]).field().branches();
    assert!(!branch(&[]), "a free hall");
    assert!(!branch(&[&[[8.0, 0.0], [8.0, 6.0]]]), "a wall from the edge");
    assert!(!branch(&[&[[8.03, 0.0], [8.03, 4.0]], &[[8.03, 5.0], [8.03, 10.0]]]), "a door");
    assert!(!branch(&[&[[4.0, 3.0], [6.0, 3.0], [6.0, 3.4], [4.0, 3.4], [4.0, 0.0]]]), "a thick wall from the edge");
    assert!(branch(&[&[[8.03, 3.0], [8.03, 6.0]]]), "a thin wall");
    assert!(branch(&[&[[4.0, 3.0], [5.1, 4.0]]]), "an oblique wall");
    assert!(branch(&[&[[4.0, 3.0], [6.0, 3.0], [6.0, 5.0], [4.0, 5.0], [4.0, 3.0]]]), "a pillar");
    let doors = [[[8.0, 0.0], [8.0, 2.0]], [[8.0, 3.0], [8.0, 6.0]], [[8.0, 7.0], [8.0, 10.0]]];
    assert!(branch(&doors.each_ref().map(|line| &line[..])), "two doors");
    // Too narrow for the bodies.
    assert!(!branch(&[&[[8.0, 0.0], [8.0, 2.0]], &[[8.0, 2.4], [8.0, 6.0]]]), "a gap");
}
