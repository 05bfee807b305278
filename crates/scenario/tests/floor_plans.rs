//! Tests of floor plans in scenario files: their walls and regions, and plans that do not fit the world.

#![cfg(feature = "floor_plans")]

use std::fs;
use std::path::PathBuf;

use throng::{WallShape, World};
use throng_scenario::Scenario;

/// A folder with a scenario file, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("throng-plans-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("plans")).unwrap();
        Self(path)
    }

    /// Loads a scenario with this world and these further lines.
    fn load(&self, world: &str, plan: &str) -> Result<Scenario, String> {
        let text = format!("format = 1\n{plan}\n[world]\n{world}\n[species.walker]\ncount = 3\n");
        let file = self.0.join("scenario.toml");
        fs::write(&file, text).unwrap();
        Scenario::load(&file).map_err(|problems| problems.to_string())
    }

    fn build(&self, world: &str, plan: &str) -> World<2> {
        self.load(world, plan).unwrap().build().unwrap()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join("plans").join(name), text).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const FLAT: &str = "dimensions = 2\nsize = [40.0, 30.0]\nedge = \"bounce\"";

const ROOM: &str = "POLYGON ((1 1, 21 1, 21 13, 1 13, 1 1), (5 5, 6 5, 6 7, 5 7, 5 5)), LINESTRING (10 3, 10 9)";

/// The corners of each wall, and whether it is closed.
fn walls(world: &World<2>) -> Vec<(Vec<[f32; 2]>, bool)> {
    let path = |shape: &WallShape<2>| match shape {
        WallShape::Path { points, closed } => (points.iter().map(|point| point.0).collect(), *closed),
        other => panic!("{other:?}"),
    };
    world.environment().walls.items().iter().map(|wall| path(&wall.shape)).collect()
}

#[test]
fn outlines_holes_and_lines_become_walls() {
    let folder = Folder::new("walls");
    folder.write("room.wkt", &format!("GEOMETRYCOLLECTION ({ROOM})"));
    // The path is relative to the folder of the scenario, not to the folder of the process.
    let world = folder.build(FLAT, "floor_plan = \"plans/room.wkt\"");
    let outline = vec![[1.0, 1.0], [21.0, 1.0], [21.0, 13.0], [1.0, 13.0]];
    let hole = vec![[5.0, 5.0], [6.0, 5.0], [6.0, 7.0], [5.0, 7.0]];
    let expected = vec![(outline, true), (hole, true), (vec![[10.0, 3.0], [10.0, 9.0]], false)];
    assert_eq!(walls(&world), expected);
    // A snapshot needs no file.
    let mut saved = Vec::new();
    world.save(&mut saved).unwrap();
    drop(folder);
    let loaded = World::<2>::load(&saved[..]).unwrap();
    assert_eq!(walls(&loaded), expected);
    assert_eq!(loaded.state_hash(), world.state_hash());
}

#[test]
fn scale_and_origin_place_a_drawing() {
    let folder = Folder::new("drawing");
    folder.write(
        "hall.svg",
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="500">
        <path id="a wall" d="M100 400H900M100 100H900" stroke="black"/>
        <rect id="exit" x="900" y="100" width="50" height="300"/>
        <path id="odd" d="M0 0h50l-20 40z"/><rect x="3" width="9" height="9"/></svg>"##,
    );
    let plan = "floor_plan = { file = \"plans/hall.svg\", scale = 0.02, origin = [5, 3] }";
    let world = folder.build(FLAT, plan);
    // The y axis of a drawing points down: the line at 400 of 500 is 100 pixels, or 2 m, above the origin.
    let lines = [[5.0, 3.0 + 2.0], [5.0, 3.0 + 8.0]].map(|[x, y]| (vec![[x + 2.0, y], [x + 18.0, y]], false));
    assert_eq!(walls(&world), lines);
    let names: Vec<_> = world.environment().walls.items().iter().map(|wall| wall.name.clone().unwrap()).collect();
    assert_eq!(names, ["a_wall", "a_wall-2"]);
    // The rectangle is a region; the triangle is none.
    let [region] = world.environment().regions.items() else { panic!() };
    assert_eq!(region.name, "exit");
    let shape = &region.shape;
    let expected = throng::Shape::Box { centre: [5.0 + 18.5, 3.0 + 5.0].into(), half: [0.5, 3.0].into() };
    assert_eq!(*shape, expected);
}

#[test]
fn plans_that_do_not_fit_are_refused_with_their_bounds() {
    let folder = Folder::new("wrong");
    folder.write("wide.wkt", "POLYGON ((0 0, 4000 0, 4000 3000, 0 3000, 0 0))");
    folder.write(
        "hall.svg",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><path d=\"M1 1H8\" stroke=\"red\"/></svg>",
    );
    folder.write("broken.wkt", "LINESTRING (0 0,\n 1 x)");
    folder.write("crossed.wkt", "POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))");
    folder.write("empty.wkt", "POLYGON EMPTY");
    folder.write("room.wkt", "LINESTRING (0 0, 1 0)");
    let refused = |world: &str, plan: &str| folder.load(world, plan).unwrap_err();
    let wide = "dimensions = 2\nsize = [5000.0, 5000.0]";
    let in_space = "dimensions = 3\nsize = [40.0, 30.0, 20.0]";
    for (world, plan, parts) in [
        // In centimetres: too wide for any building without a word about its scale.
        (wide, "floor_plan = \"plans/wide.wkt\"", &["2:14: ", "4000 m x 3000 m, from (0, 0) to (4000, 3000)"][..]),
        (
            FLAT,
            "floor_plan = { file = \"plans/wide.wkt\", scale = 1 }",
            &["from (0, 0) to (4000, 3000) m", "(0, 0) to (40, 30) m"],
        ),
        (
            FLAT,
            "floor_plan = { file = \"plans/wide.wkt\", scale = 0.01, origin = [1, -1] }",
            &["(1, -1) to (41, 29) m"],
        ),
        (FLAT, "floor_plan = \"plans/hall.svg\"", &["from (1, 8) to (8, 8) in px", "set scale"]),
        (FLAT, "floor_plan = \"plans/broken.wkt\"", &["broken.wkt:2:4: expected a number, found `x)`"]),
        (FLAT, "floor_plan = \"plans/missing.wkt\"", &["missing.wkt: cannot be read"]),
        (FLAT, "floor_plan = \"plans/plan.pdf\"", &["its extension must be .wkt, .geojson, .svg, .dxf or .toml"]),
        (FLAT, "floor_plan = \"plans/plan.dwg\"", &["is a DWG, which is not read"]),
        (
            FLAT,
            "floor_plan = { file = \"plans/crossed.wkt\", scale = 1 }",
            &["crossed.wkt:1:10: ", "crosses itself", "(1, 1) m"],
        ),
        (FLAT, "floor_plan = \"plans/empty.wkt\"", &["neither walls nor areas"]),
        (in_space, "floor_plan = \"plans/room.wkt\"", &["two dimensions"]),
        (FLAT, "floor_plan = 3", &["floor_plan = 3: must be the name of a file, or a table"]),
        (FLAT, "floor_plan = { scale = 1 }", &["floor_plan.file: is missing"]),
        (FLAT, "floor_plan = { file = \"plans/room.wkt\", scale = 0 }", &["floor_plan.scale = 0: must be a number"]),
        (FLAT, "floor_plan = { file = \"plans/room.wkt\", scales = 1 }", &["floor_plan.scales: unknown key"]),
    ] {
        let text = refused(world, plan);
        assert!(parts.iter().all(|part| text.contains(part)), "{plan}: {text}");
    }
    // In an open world, nothing is outside, and a given scale is taken as meant.
    let open = wide.replace("5000", "50") + "\nedge = \"open\"";
    assert!(folder.load(&open, "floor_plan = { file = \"plans/wide.wkt\", scale = 1 }").is_ok());
}

#[test]
fn floors_are_selected_and_strokes_that_cross_are_cut_with_a_warning() {
    let folder = Folder::new("floors");
    let feature = |properties: &str, kind: &str, points: &str| {
        format!(
            "{{\"type\": \"Feature\", \"properties\": {{{properties}}}, \"geometry\": {{\"type\": \"{kind}\", \
              \"coordinates\": {points}}}}}"
        )
    };
    let square = |low: u8, high: u8| format!("[[[{low},1],[{high},1],[{high},9],[{low},9],[{low},1]]]");
    let features = [
        feature("\"level\": \"0\"", "Polygon", &square(1, 20)),
        feature("\"level\": \"1\"", "Polygon", &square(10, 30)),
        feature("\"level\": \"0\"", "LineString", "[[2,2],[6,5],[6,2],[2,5]]"),
    ];
    let crs = "\"crs\": {\"type\": \"name\", \"properties\": {\"name\": \"EPSG:25832\"}}";
    let text = format!("{{\"type\": \"FeatureCollection\", {crs}, \"features\": [{}]}}", features.join(","));
    folder.write("hall.geojson", &text);
    let warnings = |plan: &str| {
        let scenario = folder.load(FLAT, plan).unwrap();
        let warnings: Vec<String> = scenario.warnings().iter().map(ToString::to_string).collect();
        (warnings.join("; "), walls(&scenario.build::<2>().unwrap()))
    };
    let (all, _) = warnings("floor_plan = \"plans/hall.geojson\"");
    assert!(all.contains("their property level is 0, 1") && all.contains("`select = [\"level=0\"]`"), "{all}");
    let (ground, walls) = warnings("floor_plan = { file = \"plans/hall.geojson\", select = [\"level=0\"] }");
    assert!(
        !ground.contains("level") && ground.contains("cut there: the first one, in line 1 at (4, 3.5) m"),
        "{ground}"
    );
    assert_eq!(walls[0].0, [[1.0, 1.0], [20.0, 1.0], [20.0, 9.0], [1.0, 9.0]]);
    let refused = folder.load(FLAT, "floor_plan = { file = \"plans/hall.geojson\", select = [\"level=3\"] }");
    assert!(refused.unwrap_err().contains("no feature has level=3: its values are 0, 1"));
}
