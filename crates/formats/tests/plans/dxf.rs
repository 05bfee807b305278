//! Plans in DXF: layers, units, blocks, arcs, and the places of errors.

use throng_formats::{AreaKind, FloorPlan, Format, ReadOptions, Units, Warning};

use crate::{length, read, refused};

/// A drawing from its units, its blocks and its entities: group codes and values, separated by spaces.
fn drawing(units: u8, blocks: &str, entities: &str) -> String {
    let header = format!("0 SECTION 2 HEADER 9 $ACADVER 1 AC1015 9 $INSUNITS 70 {units} 0 ENDSEC");
    let layers = "0 SECTION 2 TABLES 0 TABLE 2 LAYER 0 LAYER 2 off 62 -7 70 0 0 LAYER 2 frozen 70 65 62 7 0 LAYER 2 A-WALL 62 7 0 ENDTAB 0 ENDSEC";
    let text = format!(
        "{header} {layers} 0 SECTION 2 BLOCKS {blocks} 0 ENDSEC 0 SECTION 2 ENTITIES {entities} 0 ENDSEC 0 EOF"
    );
    text.split_whitespace().flat_map(|word| [word, "\n"]).collect()
}

/// A rectangle on a layer.
fn rectangle(layer: &str, [x, y]: [f64; 2], [across, up]: [f64; 2]) -> String {
    let (right, top) = (x + across, y + up);
    format!("0 LWPOLYLINE 8 {layer} 90 4 70 1 10 {x} 20 {y} 10 {right} 20 {y} 10 {right} 20 {top} 10 {x} 20 {top}")
}

#[test]
fn layers_decide_what_is_a_wall_and_units_what_is_a_metre() {
    let entities = [
        rectangle("A-WALL", [0.0, 0.0], [20_000.0, 10_000.0]),
        "0 LINE 8 A-WALL 10 5000 20 0 11 5000 21 4000".to_owned(),
        rectangle("exit", [19_000.0, 4000.0], [1000.0, 2000.0]),
        rectangle("exit", [0.0, 4000.0], [1000.0, 2000.0]),
        "0 LINE 8 dimensions 10 0 20 0 11 9 21 9".to_owned(),
        "0 LINE 8 off 10 0 20 0 11 9 21 9".to_owned(),
        "0 LINE 8 Frozen 10 0 20 0 11 9 21 9".to_owned(),
        "0 LINE 8 A-WALL 60 1 10 0 20 0 11 9 21 9".to_owned(),
        "0 TEXT 8 A-WALL 10 0 20 0 1 hall".to_owned(),
    ]
    .join(" ");
    let text = drawing(4, "", &entities);
    let plan = read(&text, Format::Dxf).unwrap();
    assert_eq!((plan.units, plan.scale, plan.ignored), (Units::Millimetres, Some(0.001), 5));
    assert_eq!((plan.walls.len(), length(&plan)), (2, 64.0));
    let areas: Vec<_> = plan.areas.iter().map(|area| (area.name.as_deref().unwrap(), area.kind)).collect();
    assert_eq!(areas, [("exit", AreaKind::Zone), ("exit-2", AreaKind::Zone)]);
    assert_eq!(plan.areas[0].rectangle().unwrap().low, [19.0, 4.0]);
    // The reader decides otherwise.
    let options = ReadOptions { walls: Some(vec!["EXIT".to_owned()]), ..ReadOptions::default() };
    let other = FloorPlan::parse(&text, Format::Dxf, &options).unwrap();
    assert_eq!((length(&other), other.areas[0].name.as_deref()), (12.0, Some("A-WALL")));
}

#[test]
fn without_a_wall_layer_every_line_is_a_wall_and_without_units_a_scale_is_needed() {
    let plan =
        read(&drawing(0, "", "0 LINE 8 0 10 0 20 0 11 3 21 4 0 LINE 8 1 10 0 20 0 11 1 21 0"), Format::Dxf).unwrap();
    assert_eq!((plan.walls.len(), length(&plan), plan.units), (2, 6.0, Units::Unitless));
    assert!(matches!(plan.warnings()[..], [Warning::NoScale(Units::Unitless, _)]));
}

/// Two doors of a block: moved, turned and mirrored, with the arc of each leaf.
#[test]
fn blocks_are_placed() {
    let block =
        "0 BLOCK 8 0 2 door 70 0 10 1 20 0 0 LINE 8 0 10 1 20 0 11 2 21 0 0 LINE 8 sketch 10 1 20 0 11 1 21 9 0 ENDBLK";
    let entities = "0 INSERT 8 A-WALL 2 door 10 10 20 20 50 90 0 INSERT 8 A-WALL 2 door 10 0 20 0 41 -2 42 1 \
                    70 2 44 5 0 INSERT 8 A-WALL 2 missing 10 0 20 0";
    let plan = read(&drawing(6, block, entities), Format::Dxf).unwrap();
    let ends: Vec<_> = plan.walls.iter().map(|wall| wall.points.clone()).collect();
    let near = |one: [f64; 2], other: [f64; 2]| (0..2).all(|axis| (one[axis] - other[axis]).abs() < 1e-9);
    let expected = [[[10.0, 20.0], [10.0, 21.0]], [[0.0, 0.0], [-2.0, 0.0]], [[5.0, 0.0], [3.0, 0.0]]];
    assert_eq!(ends.len(), 3, "{ends:?}");
    for (found, wanted) in ends.iter().zip(expected) {
        assert!(near(found[0], wanted[0]) && near(found[1], wanted[1]), "{ends:?}");
    }
    assert_eq!(plan.ignored, 4);
}

/// Lengths of arcs within the tolerance of their segments.
#[test]
fn arcs_become_segments() {
    let circle = "0 CIRCLE 8 A-WALL 10 0 20 0 40 5";
    let arc = "0 ARC 8 A-WALL 10 0 20 0 40 2 50 270 51 90";
    // A slot: two straight sides and two half circles (the bulge of half a circle is 1).
    let slot = "0 LWPOLYLINE 8 A-WALL 90 4 70 1 10 0 20 0 10 4 20 0 42 1 10 4 20 2 10 0 20 2 42 1";
    let ellipse = "0 ELLIPSE 8 A-WALL 10 0 20 0 30 0 11 3 21 0 31 0 40 1 41 0 42 6.283185307179586";
    let pi = std::f64::consts::PI;
    for (entity, expected, closed) in
        [(circle, 10.0 * pi, true), (arc, 2.0 * pi, false), (slot, 8.0 + 2.0 * pi, true), (ellipse, 6.0 * pi, true)]
    {
        let plan = read(&drawing(6, "", entity), Format::Dxf).unwrap();
        let found = length(&plan);
        assert!(found < expected + 1e-9 && found > 0.995 * expected, "{entity}: {found} {expected}");
        assert_eq!(plan.walls[0].closed, closed, "{entity}");
    }
    let plan = read(&drawing(6, "", arc), Format::Dxf).unwrap();
    let ends = [plan.walls[0].points[0], *plan.walls[0].points.last().unwrap()];
    assert!(ends[0][1] < -1.999 && ends[1][1] > 1.999 && plan.bounds().unwrap().high[0] > 1.99, "{ends:?}");
    let plan = read(&drawing(6, "", slot), Format::Dxf).unwrap();
    let bounds = plan.bounds().unwrap();
    assert!((bounds.low[0] + 1.0).abs() < 0.02 && (bounds.high[0] - 5.0).abs() < 0.02, "{bounds:?}");
}

#[test]
fn hostile_drawings_are_refused() {
    assert!(refused("no drawing\nat all", Format::Dxf).starts_with("1:1: expected a group code"));
    // A block that holds itself.
    let block = "0 BLOCK 8 0 2 b 70 0 10 0 20 0 0 INSERT 8 0 2 b 10 0 20 0 0 ENDBLK";
    let insert = "0 INSERT 8 0 2 b 10 0 20 0";
    assert!(refused(&drawing(6, block, insert), Format::Dxf).contains("nested more than 16 levels deep"));
    let wide = "0 BLOCK 8 0 2 b 70 0 10 0 20 0 0 LINE 8 0 10 0 20 0 11 1 21 0 0 ENDBLK";
    let grid = "0 INSERT 8 0 2 b 10 0 20 0 70 32000 71 32000 44 1 45 1";
    assert!(refused(&drawing(6, wide, grid), Format::Dxf).contains("200000 entities at most"));
    // An array of arrays of nothing.
    let empty = "0 BLOCK 8 0 2 a 70 0 10 0 20 0 0 ENDBLK 0 BLOCK 8 0 2 b 70 0 10 0 20 0 \
                 0 INSERT 8 0 2 a 10 0 20 0 70 30000 71 30000 44 1 45 1 0 ENDBLK";
    for block in ["a", "b"] {
        let grid = format!("0 INSERT 8 0 2 {block} 10 0 20 0 70 30000 71 30000 44 1 45 1");
        assert!(refused(&drawing(6, empty, &grid), Format::Dxf).contains("200000 entities at most"));
    }
    // A table of an object that claims to have two thousand million rows is not read.
    let table =
        "0 SECTION 2 OBJECTS 0 DATATABLE 5 1A 330 0 100 AcDbDataTable 70 2 90 1 91 2000000000 1 t 0 ENDSEC 0 EOF";
    let table: String = table.split_whitespace().flat_map(|word| [word, "\n"]).collect();
    let line = drawing(6, "", "0 LINE 8 walls 10 0 20 0 11 5 21 0");
    let plan = read(&line.replace("0\nEOF\n", &table), Format::Dxf).unwrap();
    assert_eq!((length(&plan), plan.scale), (5.0, Some(1.0)));
    let many = "0 LINE ".repeat(200_001);
    assert!(refused(&drawing(6, "", &many), Format::Dxf).contains("200000 entities at most"));
}

/// A line of many wide arcs ends at the limit of points, not of memory; a name that each entity reads again is short.
#[test]
fn drawings_that_grow_are_refused_early() {
    let corner = |number: usize| format!("10 {} 20 0 42 1 ", number % 2 * 1_000_000);
    let corners: String = (0..200_000).map(corner).collect();
    let line = format!("0 LWPOLYLINE 8 wall 90 200000 70 1 {corners}");
    let error = refused(&drawing(6, "", &line), Format::Dxf);
    assert!(error.contains("1000000 points at most"), "{error}");
    let error = refused(&drawing(6, "", &rectangle(&"n".repeat(3000), [0.0; 2], [1.0; 2])), Format::Dxf);
    assert!(error.contains("2048 characters of a name at most"), "{error}");
}

#[test]
fn errors_have_the_lines_of_the_file() {
    let text = drawing(6, "", "0 LINE 8 walls 10 0 20 x 11 5 21 0");
    // The crate finds the mistake at the pair after it.
    let line = text.lines().position(|line| line == "x").unwrap() + 2;
    let error = refused(&text, Format::Dxf);
    assert!(error.starts_with(&format!("{line}:1: the code pair '11/5.0' was not expected")), "{line} {error}");
    for (start, kind) in [("AutoCAD Binary DXF\r\n\u{1a}\0", "a binary DXF"), ("AC1027\0\0", "a DWG")] {
        assert!(refused(start, Format::Dxf).starts_with(&format!("is {kind}, which is not read")));
    }
}

#[test]
fn strokes_that_cross_themselves_are_cut_at_lengths_of_the_plan() {
    let bow = "0 LWPOLYLINE 8 A-WALL 90 4 70 1 10 0 20 0 10 4000 20 3000 10 4000 20 0 10 0 20 3000";
    let plan = read(&drawing(4, "", bow), Format::Dxf).unwrap();
    assert_eq!((plan.walls.len(), length(&plan)), (1, 16.0));
    assert!(plan.warnings()[0].to_string().ends_with("the first one at (2, 1.5) m"), "{}", plan.warnings()[0]);
}

#[test]
fn layers_say_what_they_are_in_other_languages() {
    let line = |layer: &str, length: u8| format!("0 LINE 8 {layer} 10 0 20 0 11 {length} 21 0");
    let text = drawing(6, "", &[line("Wände", 5), line("Türen", 3), line("0", 2)].join(" "));
    assert_eq!(length(&read(&text, Format::Dxf).unwrap()), 5.0);
    // As a program of the last century writes it.
    let file = std::env::temp_dir().join(format!("throng-formats-{}.dxf", std::process::id()));
    let bytes: Vec<u8> = text.chars().map(|character| character as u8).collect();
    std::fs::write(&file, bytes).unwrap();
    let plan = FloorPlan::load(&file, &ReadOptions::default()).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!((length(&plan), plan.walls[0].name.as_deref()), (5.0, Some("Wände")));
    // Doors are not walls, with a layer of walls and without.
    let text = drawing(6, "", &[line("Türen", 3), line("A-DOOR", 3), line("0", 2)].join(" "));
    assert_eq!(length(&read(&text, Format::Dxf).unwrap()), 2.0);
}

/// The arc length of a parabola from (0, 0) over (2, 4) to (4, 0), by hand; the middle of a quarter circle of rational weights.
#[test]
fn splines_lines_of_several_and_solids_are_walls() {
    let ends = "40 0 40 0 40 0 40 1 40 1 40 1";
    let parabola = format!("0 SPLINE 8 A-WALL 70 8 71 2 {ends} 10 0 20 0 30 0 10 2 20 4 30 0 10 4 20 0 30 0");
    let quarter = format!(
        "0 SPLINE 8 A-WALL 70 12 71 2 {ends} 41 1 41 0.7071067811865476 41 1 10 5 20 0 30 0 10 5 20 5 30 0 10 0 20 5 30 0"
    );
    let fit = "0 SPLINE 8 A-WALL 70 8 71 3 11 0 21 0 31 0 11 3 21 4 31 0";
    let several = "0 MLINE 8 A-WALL 2 STANDARD 40 1 70 0 71 1 72 2 73 2 10 0 20 0 30 0 11 0 21 0 31 0 11 3 21 0 31 0 11 3 21 4 31 0";
    let solid = "0 SOLID 8 A-WALL 10 0 20 0 11 4 21 0 12 0 22 1 13 4 23 1";
    let parabola_length = 2.0 * 5_f64.sqrt() + 2_f64.asinh();
    for (entity, expected) in [
        (&parabola[..], parabola_length),
        (&quarter, 2.5 * std::f64::consts::PI),
        (fit, 5.0),
        (several, 7.0),
        (solid, 10.0),
    ] {
        let plan = read(&drawing(6, "", entity), Format::Dxf).unwrap();
        assert!((length(&plan) - expected).abs() < 0.01 * expected, "{entity}: {} {expected}", length(&plan));
    }
    let plan = read(&drawing(6, "", &quarter), Format::Dxf).unwrap();
    assert!(plan.walls[0].points.iter().all(|[x, y]| (x.hypot(*y) - 5.0).abs() < 1e-6), "{:?}", plan.walls[0]);
}
