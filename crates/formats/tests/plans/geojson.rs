//! Plans in GeoJSON: their contents in metres, and the places of errors.

use throng_formats::{Anchor, AreaKind, FloorPlan, Format, ReadOptions, Units, Warning};

use crate::{length, path, read, refused};

/// Distances on the ellipsoid of WGS 84 (Vincenty's formula) between corners of the file, to within a centimetre.
#[test]
fn degrees_become_metres_from_the_lower_left_corner() {
    let plan = FloorPlan::load(path("square.geojson"), &ReadOptions::default()).unwrap();
    assert_eq!((plan.units, plan.unit()), (Units::Degrees, Units::Metres));
    let Some(Anchor::Degrees(anchor)) = plan.anchor else { panic!("{:?}", plan.anchor) };
    assert_eq!(anchor, [6.96, 50.94]);
    let [width, height] = plan.bounds().unwrap().size();
    assert!((width - 40.0).abs() < 0.01 && (height - 25.0).abs() < 0.01, "{width} {height}");
    // The outline, the building, the fence and the kiosk.
    assert!((length(&plan) - (130.0 + 24.0 + 8.0 + 12.0)).abs() < 0.1, "{}", length(&plan));
    let names: Vec<_> = plan.areas.iter().map(|area| (area.name.as_deref().unwrap(), area.kind)).collect();
    assert_eq!(names, [("square", AreaKind::Walkable), ("gate", AreaKind::Zone)]);
    let gate = plan.areas[1].rectangle().unwrap();
    assert!((gate.low[0] - 36.0).abs() < 0.01 && (gate.high[1] - 15.0).abs() < 0.01, "{gate:?}");
    assert_eq!(plan.walls.last().unwrap().name.as_deref(), Some("kiosk"));
    assert_eq!(plan.warnings(), [Warning::Moved(Anchor::Degrees(anchor))]);
}

#[test]
fn metres_stay_metres() {
    let square = "[[[0,0],[200,0],[200,90],[0,90],[0,0]]]";
    let polygon = format!("{{\"type\": \"Polygon\", \"coordinates\": {square}}}");
    let size = |text: &str, options: &ReadOptions| {
        let plan = FloorPlan::parse(text, Format::GeoJson, options).unwrap();
        (plan.bounds().unwrap().size(), plan.anchor)
    };
    // Beyond the globe; with a scale; with a coordinate system.
    assert_eq!(size(&polygon, &ReadOptions::default()), ([200.0, 90.0], None));
    let small = polygon.replace("200", "20");
    let scaled = ReadOptions { scale: Some(0.5), ..ReadOptions::default() };
    assert_eq!(size(&small, &scaled), ([10.0, 45.0], None));
    let named = |name: &str| {
        let crs = format!("{{\"crs\": {{\"type\": \"name\", \"properties\": {{\"name\": \"{name}\"}}}}, ");
        small.replacen('{', &crs, 1)
    };
    assert_eq!(size(&named("urn:ogc:def:crs:EPSG::25832"), &ReadOptions::default()), ([20.0, 90.0], None));
    assert!(size(&named("urn:ogc:def:crs:OGC:1.3:CRS84"), &ReadOptions::default()).0[0] > 1e5);
    // Degrees by mistake.
    let warnings = read(&small, Format::GeoJson).unwrap().warnings();
    assert!(
        warnings[0].to_string().contains("if its unit is not degrees, set scale, in m per unit"),
        "{}",
        warnings[0]
    );
}

#[test]
fn a_plan_in_the_coordinates_of_a_map_is_moved_unless_it_is_placed() {
    let text = "POLYGON ((356000.25 5645000.5, 356040.25 5645000.5, 356040.25 5645020.5, 356000.25 5645000.5))";
    let plan = read(text, Format::Wkt).unwrap();
    assert_eq!(plan.anchor, Some(Anchor::Metres([356_000.0, 5_645_000.0])));
    let bounds = plan.bounds().unwrap();
    assert_eq!((bounds.low, bounds.high), ([0.25, 0.5], [40.25, 20.5]));
    assert_eq!(plan.areas[0].outline[0], [0.25, 0.5]);
    assert!(plan.warnings()[0].to_string().contains("`origin = [-356000, -5645000]`"), "{}", plan.warnings()[0]);
    let placed = ReadOptions { origin: Some([-355_990.0, -5_645_000.0]), ..ReadOptions::default() };
    let placed = FloorPlan::parse(text, Format::Wkt, &placed).unwrap();
    assert_eq!((placed.anchor, placed.bounds().unwrap().low), (None, [10.25, 0.5]));
    let near = read("LINESTRING (9000 9000, 9010 9000)", Format::Wkt).unwrap();
    assert_eq!((near.anchor, near.bounds().unwrap().low), (None, [9000.0, 9000.0]));
}

#[test]
fn geometries_of_all_kinds_are_read() {
    let text = r#"{"type": "GeometryCollection", "geometries": [
        {"type": "MultiPolygon", "coordinates": [[[[0,0,5],[300,0,5],[300,9,5],[0,9,5],[0,0,5]]], [[[300,0],[400,0],[400,9],[300,9],[300,0]]]]},
        {"type": "MultiLineString", "coordinates": [[[1,1],[2,1]],[[3,1],[4,1],[4,2],[3,1]]]},
        {"type": "Point", "coordinates": [1,1]}]}"#;
    let plan = read(text, Format::GeoJson).unwrap();
    // Polygons that share an edge are one area.
    assert_eq!((plan.areas.len(), plan.walls.len(), plan.ignored), (1, 3, 1));
    assert!((length(&plan) - (818.0 + 1.0 + 2.0 + 2.0_f64.sqrt())).abs() < 1e-9, "{}", length(&plan));
    assert_eq!(plan.walls.iter().filter(|wall| wall.closed).count(), 2);
    let one = ReadOptions { element: Some(2), ..ReadOptions::default() };
    let one = FloorPlan::parse(text, Format::GeoJson, &ReadOptions { scale: Some(1.0), ..one }).unwrap();
    assert_eq!((one.areas.len(), one.walls[0].points.len()), (0, 2));
}

#[test]
fn errors_have_their_places() {
    for (text, error) in [
        ("{", "1:1: EOF while parsing an object"),
        ("{\"type\": \"Solid\"}", "1:1: Solid is neither a wall nor an area of a floor plan"),
        ("{\"type\": \"Polygon\"}", "1:1: expected coordinates, found `Polygon`"),
        (
            "{\"type\": \"LineString\",\n \"coordinates\": [[0, 0], [1]]}",
            "2:28: invalid length 1, expected a position of",
        ),
        (
            "{\"type\": \"LineString\",\n \"coordinates\": [[0, 0], [1, \"a\"]]}",
            "2:32: invalid type: string \"a\", expected f64",
        ),
        (
            "{\"type\": \"Polygon\",\n \"coordinates\": [[[0, 0], [1, 0], [1, 1]]]}",
            "2:17: the ring must end at its first point: it starts at 0 0 and ends at 1 1",
        ),
        ("{\"type\": \"LineString\", \"coordinates\": [[2e9, 0], [1, 1]]}", "1:39: must be a number within 1e9 of"),
        ("{\"type\": \"LineString\", \"coordinates\": [[1, 1]]}", "1:39: the wall must have two different points"),
    ] {
        assert!(refused(text, Format::GeoJson).starts_with(error), "{text}: {}", refused(text, Format::GeoJson));
    }
}

/// A feature with these properties.
fn feature(properties: &str, kind: &str, coordinates: &str) -> String {
    format!(
        "{{\"type\": \"Feature\", \"properties\": {{{properties}}}, \
          \"geometry\": {{\"type\": \"{kind}\", \"coordinates\": {coordinates}}}}}"
    )
}

fn collection(crs: &str, features: &[String]) -> String {
    let crs = format!("\"crs\": {{\"type\": \"name\", \"properties\": {{\"name\": \"{crs}\"}}}}");
    format!("{{\"type\": \"FeatureCollection\", {crs}, \"features\": [{}]}}", features.join(", "))
}

fn rectangle([x, y]: [f64; 2], [width, height]: [f64; 2]) -> String {
    let [right, top] = [x + width, y + height];
    format!("[[[{x}, {y}], [{right}, {y}], [{right}, {top}], [{x}, {top}], [{x}, {y}]]]")
}

/// Lengths by the ellipsoid of WGS 84: at 50 degrees a metre of Web Mercator is 0.643 m.
#[test]
fn coordinate_systems_have_their_units() {
    let size = |crs: &str, at: [f64; 2]| {
        let text = collection(crs, &[feature("", "Polygon", &rectangle(at, [30.0, 20.0]))]);
        let plan = read(&text, Format::GeoJson).unwrap();
        (plan.bounds().unwrap().size(), plan.warnings())
    };
    for crs in ["urn:ogc:def:crs:EPSG::3857", "EPSG:900913"] {
        let ([width, height], warnings) = size(crs, [890_555.9, 6_446_275.8]);
        assert!((width - 19.32).abs() < 0.01 && (height - 12.85).abs() < 0.02, "{width} {height}");
        let Anchor::Degrees([longitude, latitude]) = (match warnings[..] {
            [Warning::Moved(anchor)] => anchor,
            _ => panic!("{warnings:?}"),
        }) else {
            panic!("{warnings:?}")
        };
        assert!((longitude - 8.0).abs() < 1e-4 && (latitude - 50.0).abs() < 1e-4, "{longitude} {latitude}");
    }
    for crs in ["EPSG:2263", "NAD83 / New York Long Island (ftUS)"] {
        let ([width, height], warnings) = size(crs, [100.0, 100.0]);
        assert!((width - 9.144).abs() < 1e-9 && (height - 6.096).abs() < 1e-9 && warnings.is_empty(), "{warnings:?}");
    }
    assert_eq!(size("EPSG:25832", [0.0; 2]), ([30.0, 20.0], vec![]));
    assert_eq!(size("EPSG:54321", [0.0; 2]), ([30.0, 20.0], vec![Warning::Crs("EPSG:54321".to_owned())]));
    assert!(size("EPSG:4258", [8.0, 50.0]).0[0] > 1e6);
}

#[test]
fn floors_are_kept_apart_by_a_property() {
    let text = collection(
        "EPSG:25832",
        &[
            feature("\"level\": \"0\", \"indoor\": \"corridor\"", "Polygon", &rectangle([0.0; 2], [20.0, 4.0])),
            feature("\"level\": 1, \"indoor\": \"corridor\"", "Polygon", &rectangle([0.0, 2.0], [20.0, 8.0])),
            feature("\"level\": \"0;1\"", "Polygon", &rectangle([20.0, 0.0], [5.0, 4.0])),
            feature("\"level\": \"1\"", "LineString", "[[1, 4], [9, 4]]"),
        ],
    );
    let warnings = read(&text, Format::GeoJson).unwrap().warnings();
    let expected = Warning::Floors { property: "level".to_owned(), values: vec!["0".to_owned(), "1".to_owned()] };
    assert_eq!(warnings, [expected]);
    assert!(warnings[0].to_string().contains("their property level is 0, 1; `select = [\"level=0\"]` takes one"));
    let take = |select: &[&str]| {
        let select = select.iter().map(|one| (*one).to_owned()).collect();
        FloorPlan::parse(&text, Format::GeoJson, &ReadOptions { select, ..ReadOptions::default() })
    };
    let ground = take(&["level=0"]).unwrap();
    assert_eq!((ground.bounds().unwrap().size(), ground.walls.len(), ground.warnings()), ([25.0, 4.0], 1, vec![]));
    let first = take(&["level=1"]).unwrap();
    assert_eq!((first.bounds().unwrap().high, first.walls.len()), ([25.0, 10.0], 2));
    assert_eq!(take(&["level=0", "level=1"]).unwrap().walls.len(), 2);
    assert_eq!(take(&["level=0", "indoor=corridor"]).unwrap().bounds().unwrap().size(), [20.0, 4.0]);
    assert_eq!(take(&["level=2"]).unwrap_err().to_string(), "no feature has level=2: its values are 0, 1");
    assert_eq!(take(&["storey=2"]).unwrap_err().to_string(), "no feature has storey=2: none has this property");
    assert!(take(&["level"]).unwrap_err().to_string().contains("selected by KEY=VALUE"));
    let wkt = ReadOptions { select: vec!["level=0".to_owned()], ..ReadOptions::default() };
    assert!(FloorPlan::parse("LINESTRING (0 0, 1 0)", Format::Wkt, &wkt).is_err());
}

/// A corridor and two rooms: as OpenStreetMap has them, with doors as points, and as IMDF, with doors as lines.
#[test]
fn rooms_keep_their_walls_and_doors_open_them() {
    let polygons = [([0.0, 0.0], [20.0, 4.0]), ([0.0, 4.0], [10.0, 6.0]), ([10.0, 4.0], [10.0, 6.0])];
    let osm = ["\"indoor\": \"corridor\"", "\"indoor\": \"room\", \"name\": \"R1\"", "\"indoor\": \"room\""];
    let imdf = [
        "\"feature_type\": \"unit\", \"category\": \"walkway\"",
        "\"feature_type\": \"unit\", \"category\": \"room\", \"name\": \"R1\"",
        "\"feature_type\": \"unit\", \"category\": \"office\"",
    ];
    let point = feature("\"door\": \"hinged\", \"width\": \"2 m\"", "Point", "[5, 4]");
    let line = feature("\"feature_type\": \"opening\"", "LineString", "[[4, 4.1], [6, 4.1]]");
    for (properties, door) in [(osm, point), (imdf, line)] {
        let rooms =
            polygons.iter().zip(properties).map(|((at, size), own)| feature(own, "Polygon", &rectangle(*at, *size)));
        let mut features: Vec<String> = rooms.collect();
        features.push(door);
        let plan = read(&collection("EPSG:25832", &features), Format::GeoJson).unwrap();
        assert_eq!((plan.bounds().unwrap().size(), plan.warnings()), ([20.0, 10.0], vec![]));
        let names: Vec<_> = plan.areas.iter().map(|area| (area.name.as_deref(), area.kind)).collect();
        assert_eq!(names, [(None, AreaKind::Walkable), (Some("R1"), AreaKind::Zone)]);
        // The outline of all, and the sides of both rooms, one without its door.
        assert!((length(&plan) - (60.0 + 30.0 + 32.0)).abs() < 1e-9, "{}", length(&plan));
        let room = plan.walls.iter().find(|wall| wall.name.as_deref() == Some("R1")).unwrap();
        assert_eq!((room.closed, room.points[0], *room.points.last().unwrap()), (false, [6.0, 4.0], [4.0, 4.0]));
    }
}
