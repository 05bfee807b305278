//! Tests of `throng plan`: contents, bounds and units of floor plans, pictures of them, and refused files.

use crate::common;

use std::fs;

use common::{Folder, json, throng};

/// The path of one of the project's floor plans.
fn plan(name: &str) -> String {
    format!("{}/../../scenarios/plans/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn bounds_units_and_walls_are_printed() {
    let folder = Folder::new("plan");
    let object = json(&throng(&folder, &["plan", &plan("rooms.wkt"), "--json"]).stdout);
    assert_eq!(object["bounds"], serde_json::json!({ "low": [0.0, 0.0], "high": [20.0, 12.0] }));
    assert_eq!((object["walls"].as_u64(), object["wall_segments"].as_u64()), (Some(7), Some(19)));
    assert_eq!((object["file_unit"].as_str(), object["unit"].as_str()), (Some("m"), Some("m")));
    // 20 m x 12 m without two walls of 0.4 m x 4.7 m and a pillar of 1 m x 2 m.
    assert!((object["areas"][0]["content"].as_f64().unwrap() - (240.0 - 2.0 * 0.4 * 4.7 - 2.0)).abs() < 1e-9);
    let text = String::from_utf8(throng(&folder, &["plan", &plan("corridor.toml")]).stdout).unwrap();
    for part in [
        "cm, of 0.01 m",
        "(0, 0) to (20, 15) m",
        "3, of 8 segments",
        "exit: zone, 4 corners, 3.0 m²; a region of a scenario",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn pixels_and_large_plans_get_a_warning_unless_there_is_a_scale() {
    let folder = Folder::new("units");
    let pixels = throng(&folder, &["plan", &plan("hall.svg")]);
    let text = String::from_utf8(pixels.stdout).unwrap();
    assert!(text.contains("warning: the plan reaches from (100, 0) to (2900, 2000) in px"), "{text}");
    let scaled = json(&throng(&folder, &["plan", &plan("hall.svg"), "--scale", "0.01", "--json"]).stdout);
    assert_eq!(scaled["size"], serde_json::json!([28.0, 20.0]));
    let [filled] = &scaled["warnings"].as_array().unwrap()[..] else { panic!("{scaled}") };
    assert!(filled.as_str().unwrap().starts_with("no stroke: read as areas"), "{filled}");
    let wide = folder.write("wide.wkt", "POLYGON ((0 0, 4000 0, 4000 3000, 0 3000, 0 0))");
    let wide = json(&throng(&folder, &["plan", &wide, "--json"]).stdout);
    assert!(wide["warnings"][0].as_str().unwrap().contains("(0, 0) to (4000, 3000)"), "{wide}");
}

#[test]
fn a_picture_shows_the_plan() {
    let folder = Folder::new("plan-picture");
    for output in ["plan.png", "plan.svg"] {
        let drawn = throng(&folder, &["plan", &plan("hall.svg"), "--scale", "0.01", "-o", output, "--quiet"]);
        assert!(drawn.status.success() && drawn.stdout.is_empty(), "{drawn:?}");
        let again = throng(&folder, &["plan", &plan("hall.svg"), "-o", output]);
        assert_eq!(again.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&again.stderr).contains("--force"));
    }
    let figure = fs::read_to_string(folder.path("plan.svg")).unwrap();
    for part in ["x in m", "y in m", "entrance", "hall.svg"] {
        assert!(figure.contains(part), "{part}");
    }
    let mut reader = png::Decoder::new(std::io::BufReader::new(fs::File::open(folder.path("plan.png")).unwrap()))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    let black = pixels.chunks(3).filter(|pixel| *pixel == [0, 0, 0]).count();
    // Walls of 100 m are about 3000 pixels long and two wide.
    assert!((3000..12_000).contains(&black), "{black} black pixels");
}

#[test]
fn wrong_files_are_refused_with_their_place() {
    let folder = Folder::new("plan-wrong");
    let broken = folder.write("broken.wkt", "POLYGON ((0 0, 1 0,\n 1 x, 0 0))");
    let refused = throng(&folder, &["plan", &broken]);
    assert_eq!(refused.status.code(), Some(2));
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(text.contains("broken.wkt:2:4: expected a number"), "{text}");
    for arguments in [
        &["plan", "missing.wkt"][..],
        &["plan", "plan.dwg"],
        &["plan", &plan("square.geojson"), "--select", "level=0"],
        &["plan", &plan("rooms.wkt"), "--scale", "0"],
        &["plan", &plan("rooms.wkt"), "--scale", "nan"],
        &["plan", &plan("rooms.wkt"), "-o", "picture.bmp"],
    ] {
        let refused = throng(&folder, arguments);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        assert!(!refused.stderr.is_empty() && refused.stdout.is_empty());
    }
    let unwritable = throng(&folder, &["plan", &plan("rooms.wkt"), "-o", "no/folder/a.png"]);
    assert_eq!(unwritable.status.code(), Some(5), "{unwritable:?}");
}
