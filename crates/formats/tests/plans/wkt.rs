//! Well-known text.

use throng_formats::{AreaKind, FloorPlan, Format, ReadOptions, Units, Warning};

use crate::{length, path, read, refused};

fn wkt(text: &str) -> FloorPlan {
    read(text, Format::Wkt).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn outlines_holes_and_lines_are_walls() {
    let plan = FloorPlan::load(path("rooms.wkt"), &ReadOptions::default()).unwrap();
    assert_eq!((plan.walls.len(), plan.areas.len(), plan.segments()), (7, 1, 4 * 4 + 3));
    let bounds = plan.bounds().unwrap();
    assert_eq!((bounds.low, bounds.high), ([0.0, 0.0], [20.0, 12.0]));
    assert_eq!((plan.units, plan.scale), (Units::Metres, Some(1.0)));
    // The sum of the sides, by hand.
    assert!((length(&plan) - (64.0 + 2.0 * 10.2 + 6.0 + 6.0 + 3.0 + 3.0)).abs() < 1e-9);
    let area = &plan.areas[0];
    assert_eq!((area.kind, area.outline.len(), area.holes.len()), (AreaKind::Walkable, 4, 3));
    assert!(plan.walls.iter().take(4).all(|wall| wall.closed && wall.points.len() == 4));
    assert!(plan.walls[4..].iter().all(|wall| !wall.closed));
    assert_eq!(plan.warnings(), []);
}

#[test]
fn every_geometry_is_read_in_any_spelling() {
    let triangle = [[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]];
    let plan = wkt("polygon((0 0,4 0,0 3,0 0))");
    assert_eq!(plan.walls[0].points, triangle);
    assert_eq!(wkt("POLYGON\n(\t(0e0 -0.0 , +4.  0, 0 30E-1, 0 0) ) ;").walls[0].points, triangle);
    let two = "((0 0, 4 0, 0 3, 0 0)), ((10 0, 14 0, 10 3, 10 0), (11 .5, 12 .5, 11 1, 11 .5))";
    let plan = wkt(&format!("MULTIPOLYGON ({two})"));
    assert_eq!((plan.walls.len(), plan.areas.len()), (3, 2));
    // Collections in collections, and empty geometries at every level.
    let nested = format!(
        "GEOMETRYCOLLECTION(GEOMETRYCOLLECTION EMPTY, MULTIPOLYGON(EMPTY, {two}), GEOMETRYCOLLECTION(
         LINESTRING EMPTY, LINESTRING(0 0, 1 1), MULTILINESTRING(EMPTY, (5 5, 6 6, 7 5, 5 5))))"
    );
    let plan = wkt(&nested);
    assert_eq!((plan.walls.len(), plan.areas.len()), (5, 2));
    assert!(!plan.walls[3].closed && plan.walls[4].closed);
    assert_eq!(wkt("POLYGON EMPTY").warnings(), [Warning::Empty]);
    assert_eq!(wkt("POLYGON EMPTY").bounds(), None);
    // Several geometries in one text, as several lines of a file.
    assert_eq!(wkt("LINESTRING(0 0, 1 0)\nLINESTRING(0 1, 1 1);LINESTRING(0 2, 1 2)\n").walls.len(), 3);
    // A point that repeats its predecessor is not a corner.
    assert_eq!(wkt("LINESTRING(0 0, 0 0, 1 0, 1 0)").walls[0].points, [[0.0, 0.0], [1.0, 0.0]]);
}

#[test]
fn scale_and_origin_convert_to_metres() {
    let options = ReadOptions { scale: Some(0.01), origin: Some([5.0, -2.0]), ..ReadOptions::default() };
    let plan = FloorPlan::parse("LINESTRING(100 0, 100 300)", Format::Wkt, &options).unwrap();
    assert_eq!(plan.walls[0].points, [[6.0, -2.0], [6.0, 1.0]]);
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let options = ReadOptions { scale: Some(scale), ..ReadOptions::default() };
        assert!(FloorPlan::parse("LINESTRING(0 0, 1 0)", Format::Wkt, &options).is_err());
    }
}

#[test]
fn a_plan_in_other_units_gets_a_warning_with_its_bounds() {
    let wide = "POLYGON((0 0, 4000 0, 4000 3000, 0 3000, 0 0))";
    let [warning] = &wkt(wide).warnings()[..] else { panic!() };
    let text = warning.to_string();
    assert!(text.contains("4000 m x 3000 m") && text.contains("(0, 0) to (4000, 3000)"), "{text}");
    let small = wkt("POLYGON((0 0, 0.04 0, 0.04 0.03, 0 0.03, 0 0))");
    assert!(matches!(small.warnings()[..], [Warning::Small(Units::Metres, _)]));
    // A given scale is taken as meant.
    let options = ReadOptions { scale: Some(1.0), ..ReadOptions::default() };
    assert_eq!(FloorPlan::parse(wide, Format::Wkt, &options).unwrap().warnings(), []);
}

#[test]
fn errors_have_places_and_reasons() {
    for (text, error) in [
        (
            "",
            "1:1: expected POLYGON, MULTIPOLYGON, LINESTRING, MULTILINESTRING or GEOMETRYCOLLECTION, found the end of the text",
        ),
        ("POLYGON", "1:8: expected `(`, found the end of the text"),
        ("POLYGON ((0 0, 1 0, 1 1, 0 0)", "1:30: expected `,` or `)`, found the end of the text"),
        ("POLYGON ((0 0, 1 0, 1 1))", "1:10: the ring must end at its first point: it starts at 0 0 and ends at 1 1"),
        ("POLYGON ((0 0, 1 0, 0 0))", "1:10: the ring must have three different corners"),
        ("POLYGON (0 0, 1 0, 1 1, 0 0)", "1:10: expected `(`, found `0`"),
        ("LINESTRING (0 0)", "1:12: the wall must have two different points: its length is zero"),
        ("LINESTRING (0 0, 0 0)", "1:12: the wall must have two different points: its length is zero"),
        ("LINESTRING (0 0,\n  1 x)", "2:5: expected a number, found `x)`"),
        ("LINESTRING (0 0,\n  1 2.5.1)", "2:5: expected a number, found `2.5.1)`"),
        ("LINESTRING (0 0, nan 1)", "1:18: expected a number, found `nan`"),
        ("LINESTRING (0 0, 1e999 1)", "1:18: must be a number within 1e9 of zero"),
        ("LINESTRING (0 0, 1e9 1e10)", "1:22: must be a number within 1e9 of zero"),
        ("LINESTRING (0 0 0 0 0, 1 0 0)", "1:21: expected `,` or `)`, found `0,`"),
        ("LINESTRING (0 0 x, 1 0 0)", "1:17: expected `,`, `)` or a number, found `x,`"),
        ("LINESTRING K (0 0, 1 0)", "1:12: expected `(`, Z, M, ZM or EMPTY, found `K`"),
        (
            "SRID=4326; LINESTRING (0 0, 1 0)",
            "1:1: the coordinates of EPSG:4326 are not metres: transform them, or write",
        ),
        ("SRID=25832 LINESTRING (0 0, 1 0)", "1:12: expected `;` after SRID=CODE, found `LINESTRING`"),
        ("CIRCULARSTRING (1 2)", "1:1: CIRCULARSTRING is neither a wall nor an area of a floor plan"),
        (
            "LINESTRING (0 0, 1 1) ]",
            "1:23: expected POLYGON, MULTIPOLYGON, LINESTRING, MULTILINESTRING or GEOMETRYCOLLECTION, found `]`",
        ),
        ("LINESTRING (0 0, 1 é)", "1:20: expected a number, found `é)`"),
    ] {
        assert!(refused(text, Format::Wkt).starts_with(error), "{text}: {}", refused(text, Format::Wkt));
    }
}

/// The content of all walkable areas, in square metres.
fn content(plan: &FloorPlan) -> f64 {
    let ring = |points: &Vec<[f64; 2]>| {
        let edges = points.iter().zip(points.iter().cycle().skip(1));
        0.5 * edges.fold(0.0, |sum, (a, b)| sum + (a[0] * b[1] - a[1] * b[0])).abs()
    };
    plan.areas.iter().fold(0.0, |sum, area| {
        sum + ring(&area.outline) - area.holes.iter().fold(0.0, |holes, hole| holes + ring(hole))
    })
}

#[test]
fn polygons_that_overlap_or_share_an_edge_are_united() {
    let square = |x: f64, y: f64, side: f64| {
        format!("POLYGON(({x} {y}, {} {y}, {} {}, {x} {}, {x} {y}))", x + side, x + side, y + side, y + side)
    };
    let room = square(0.0, 0.0, 10.0);
    let hole = "POLYGON((0 0, 10 0, 10 10, 0 10, 0 0), (2 2, 8 2, 8 8, 2 8, 2 2))";
    for (one, other, expected, corners) in [
        (&room[..], square(10.0, 2.0, 3.0), 109.0, 8),
        // Drawn half a millimetre apart.
        (&room, square(10.0005, 2.0, 3.0), 109.0, 8),
        (&room, square(9.0, 9.0, 3.0), 108.0, 8),
        (&room, square(4.0, 4.0, 2.0), 100.0, 4),
        (&room, square(-1.0, -1.0, 20.0), 400.0, 4),
        (hole, square(1.0, 3.0, 4.0), 76.0, 12),
        (hole, square(2.0, 2.0, 6.0), 100.0, 4),
    ] {
        for text in [format!("{one};{other}"), format!("{other};{one}")] {
            let plan = wkt(&text);
            assert_eq!(plan.areas.len(), 1, "{text}");
            assert!((content(&plan) - expected).abs() < 0.02, "{text}: {}", content(&plan));
            assert_eq!(plan.walls.iter().map(|wall| wall.points.len()).sum::<usize>(), corners, "{text}: {plan:?}");
        }
    }
    // Rooms and doors in a row, in any order.
    let rooms = [
        square(0.0, 0.0, 5.0),
        square(5.0, 2.0, 1.0),
        square(6.0, 0.0, 5.0),
        square(8.0, 5.0, 1.0),
        square(7.0, 6.0, 3.0),
    ];
    for turn in 0..rooms.len() {
        let mut rooms = rooms.clone();
        rooms.rotate_left(turn);
        let plan = wkt(&format!("GEOMETRYCOLLECTION({})", rooms.join(", ")));
        assert!(plan.areas.len() == 1 && (content(&plan) - 61.0).abs() < 1e-6, "{plan:?}");
    }
    // Four corridors around a court.
    let ring = "POLYGON((0 0, 9 0, 9 1, 0 1, 0 0)); POLYGON((8 1, 9 1, 9 9, 8 9, 8 1)); POLYGON((0 8, 9 8, 9 9, 0 9, 0 8)); \
                POLYGON((0 0, 1 0, 1 9, 0 9, 0 0))";
    let plan = wkt(ring);
    assert_eq!((plan.areas.len(), plan.areas[0].holes.len(), content(&plan)), (1, 1, 32.0));
    assert_eq!(plan.walls.iter().map(|wall| wall.solid).collect::<Vec<_>>(), [Some(false), Some(true)]);
    // Apart, at a corner, and in a hole.
    for (one, other) in
        [(&room[..], square(11.0, 0.0, 2.0)), (&room, square(10.0, 10.0, 2.0)), (hole, square(3.0, 3.0, 2.0))]
    {
        assert_eq!(wkt(&format!("{one} {other}")).areas.len(), 2);
    }
}

#[test]
fn one_geometry_of_a_collection_can_be_taken() {
    let text = "GEOMETRYCOLLECTION(POLYGON((0 0, 5 0, 5 5, 0 5, 0 0)), LINESTRING(1 1, 2 1), POLYGON((4 1, 7 1, 7 2, 4 2, 4 1)))";
    let read = |element| {
        FloorPlan::parse(text, Format::Wkt, &ReadOptions { element: Some(element), ..ReadOptions::default() })
    };
    let contents = [0, 1, 2].map(|element| content(&read(element).unwrap()));
    assert_eq!(contents, [25.0, 0.0, 3.0]);
    assert_eq!(read(3).unwrap_err().to_string(), "there is no geometry 3: the file has 3, counted from 0");
}

#[test]
fn corners_within_a_millimetre_are_one() {
    let corners = |ring: &str| wkt(&format!("POLYGON(({ring}))")).areas[0].outline.clone();
    let square = vec![[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]];
    for ring in [
        "0 0, 9 0, 9 9, 0 9, 0 0",
        "0 0, 9 0, 9.000005 0.000004, 9 9, 0 9, 0 0",
        "0 0, 9 0, 9 9, 9.0009 9, 0 9, 0.0002 0.0003, 0 0",
        // A needle.
        "0 0, 9 0, 9 9, 9 12, 9.00001 9.00002, 0 9, 0 0",
    ] {
        assert_eq!(corners(ring), square, "{ring}");
    }
    // A tiny triangle whose corners are out of order beside one of the square.
    assert_eq!(corners("0 0, 9 0, 9 9.000002, 8.999995 9, 9 8.999999, 0 9, 0 0").len(), 4);
    let hole = wkt("POLYGON((0 0, 9 0, 9 9, 0 9, 0 0), (3 3, 3.0001 3, 3.0001 3.0001, 3 3))");
    assert_eq!((hole.areas[0].holes.len(), hole.ignored), (0, 1));
}

#[test]
fn heights_measures_and_points_are_dropped() {
    for text in [
        "POLYGON Z ((0 0 1, 10 0 1, 10 10 1, 0 10 1, 0 0 1))",
        "POLYGONZ((0 0 1, 10 0 1, 10 10 1, 0 10 1, 0 0 1))",
        "POLYGON M ((0 0 1, 10 0 2, 10 10 3, 0 10 4, 0 0 5))",
        "POLYGON ZM ((0 0 1 2, 10 0 1 2, 10 10 1 2, 0 10 1 2, 0 0 1 2))",
        "SRID=25832;POLYGON((0 0 1, 10 0 1, 10 10 1, 0 10 1, 0 0 1))",
        "srid=0; POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0))",
    ] {
        let plan = wkt(text);
        assert_eq!((content(&plan), plan.warnings()), (100.0, vec![]), "{text}");
    }
    let room = "POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0))";
    for points in
        ["POINT (5 5)", "POINT Z (5 5 1)", "POINT EMPTY", "MULTIPOINT (1 1, 2 2)", "MULTIPOINT ((1 1), (2 2))"]
    {
        let plan = wkt(&format!("GEOMETRYCOLLECTION ({room}, {points})"));
        assert_eq!((content(&plan), plan.ignored), (100.0, usize::from(!points.contains("EMPTY"))), "{points}");
    }
    let warning = wkt(&format!("GEOMETRYCOLLECTION ({room}, POINT (5 5))")).warnings()[0].to_string();
    assert_eq!(warning, "1 shape is neither a wall nor an area: POINT");
    // Feet, and a system without a known unit.
    assert!((content(&wkt(&format!("SRID=2263;{room}"))) - 9.2903).abs() < 1e-3);
    assert_eq!(wkt(&format!("SRID=9999;{room}")).warnings(), [Warning::Crs("EPSG:9999".to_owned())]);
}

/// Contents by hand, and by the shoelace formula of shapely's `difference`.
#[test]
fn holes_that_touch_overlap_or_reach_out_leave_the_rest() {
    let square = |x: f64, y: f64, side: f64| {
        format!("({x} {y}, {} {y}, {} {}, {x} {}, {x} {y})", x + side, x + side, y + side, y + side)
    };
    for (holes, expected, areas) in [
        // Apart, and touching at a corner.
        (vec![square(2.0, 2.0, 4.0), square(10.0, 2.0, 4.0)], 368.0, 1),
        (vec![square(2.0, 2.0, 4.0), square(6.0, 6.0, 4.0)], 368.0, 1),
        // With a common edge, overlapping, within each other, twice.
        (vec![square(2.0, 2.0, 4.0), square(6.0, 2.0, 4.0)], 368.0, 1),
        (vec![square(2.0, 2.0, 4.0), square(4.0, 4.0, 4.0)], 372.0, 1),
        (vec![square(2.0, 2.0, 8.0), square(4.0, 4.0, 4.0)], 336.0, 1),
        (vec![square(2.0, 2.0, 8.0), square(2.0, 2.0, 8.0)], 336.0, 1),
        // Along the outline, out of it, and outside of it.
        (vec![square(0.0, 0.0, 10.0)], 300.0, 1),
        (vec![square(-5.0, 5.0, 10.0)], 350.0, 1),
        (vec![square(30.0, 30.0, 5.0)], 400.0, 1),
        // Two squares divide the room.
        (vec![square(-1.0, 9.0, 12.0), square(10.0, 9.0, 12.0)], 180.0, 1),
        (vec!["(8 -1, 10 -1, 10 21, 8 21, 8 -1)".to_owned()], 360.0, 2),
    ] {
        let plan = wkt(&format!("POLYGON ({}, {})", square(0.0, 0.0, 20.0), holes.join(", ")));
        assert!((content(&plan) - expected).abs() < 1e-6, "{holes:?}: {}", content(&plan));
        assert_eq!(plan.areas.len(), areas, "{holes:?}");
        let rings: usize = plan.areas.iter().map(|area| 1 + area.holes.len()).sum();
        assert_eq!(plan.walls.len(), rings, "{holes:?}");
    }
}

#[test]
fn rings_of_areas_that_cross_themselves_are_refused_with_the_place() {
    assert_eq!(
        refused("POLYGON((0 0, 4 4, 4 0, 0 4, 0 0))", Format::Wkt),
        "1:9: the ring crosses itself or returns along itself at (2, 2) m"
    );
}

/// The segments of all walls, without those that are passed twice.
#[test]
fn walls_that_cross_themselves_are_cut() {
    let far = "LINESTRING(0 0, 1 0)\nLINESTRING(500000 0, 500002 2, 500002 0, 500000 2)";
    for (text, walls, expected, at) in [
        // A loop; a bow tie; a line and back; a stem that is passed twice; the same point thrice.
        ("LINESTRING(0 0, 4 0, 4 2, 2 2, 2 -2)", 2, 12.0, "line 1 at (2, 0) m"),
        ("LINESTRING(0 0, 4 3, 4 0, 0 3, 0 0)", 1, 16.0, "line 1 at (2, 1.5) m"),
        ("LINESTRING(0 0, 4 0, 0 0)", 1, 4.0, "line 1 at (4, 0) m"),
        ("LINESTRING(0 0, 0 3, -2 3, 2 3, 0 3)", 2, 7.0, "line 1 at (-2, 3) m"),
        (
            "LINESTRING(0 0, 4 0, 4 1, 2 1, 2 -1, 1 -1, 3 1)",
            2,
            4.0 + 1.0 + 2.0 + 2.0 + 1.0 + 8_f64.sqrt(),
            "line 1 at (2, 0) m",
        ),
        (far, 3, 1.0 + 2.0 + 2.0 * 8_f64.sqrt(), "line 2 at (500001, 1) m"),
    ] {
        let plan = wkt(text);
        assert!((length(&plan) - expected).abs() < 1e-9, "{text}: {}", length(&plan));
        assert_eq!(plan.walls.len(), walls, "{text}: {:?}", plan.walls);
        let warning = plan.warnings().iter().map(ToString::to_string).find(|text| text.contains("cut there")).unwrap();
        assert!(warning.ends_with(at), "{text}: {warning}");
        // The pieces cross nothing.
        let lines: Vec<String> = plan
            .walls
            .iter()
            .map(|wall| {
                let points = wall.points.iter().chain(wall.points.first().filter(|_| wall.closed));
                format!("LINESTRING({})", points.map(|[x, y]| format!("{x} {y}")).collect::<Vec<_>>().join(", "))
            })
            .collect();
        assert_eq!(wkt(&lines.join(";")).cuts, None, "{lines:?}");
    }
    // Walls may touch themselves.
    assert_eq!(wkt("LINESTRING(0 0, 2 0, 2 1, 0.5 0)").walls.len(), 1);
}
