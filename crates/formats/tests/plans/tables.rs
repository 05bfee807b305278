//! Plans in TOML.

use throng_formats::{AreaKind, FloorPlan, Format, ReadOptions, Units};

use crate::{path, read, refused};

#[test]
fn walls_and_zones_are_read_in_their_units() {
    let plan = FloorPlan::load(path("corridor.toml"), &ReadOptions::default()).unwrap();
    assert_eq!((plan.units, plan.scale), (Units::Centimetres, Some(0.01)));
    assert_eq!((plan.walls.len(), plan.areas.len(), plan.segments()), (3, 1, 8));
    assert_eq!(plan.walls[0].points, [[0.0, 0.0], [20.0, 0.0], [20.0, 15.0]]);
    assert_eq!((plan.walls[2].name.as_deref(), plan.walls[2].closed), (Some("pillar"), true));
    let zone = &plan.areas[0];
    assert_eq!((zone.name.as_deref(), zone.kind, zone.outline.len()), (Some("exit"), AreaKind::Zone, 4));
    // A given scale replaces the units.
    let options = ReadOptions { scale: Some(1.0), ..ReadOptions::default() };
    assert_eq!(FloorPlan::load(path("corridor.toml"), &options).unwrap().bounds().unwrap().high, [2000.0, 1500.0]);
    // A ring may repeat its first point, and zones have holes.
    let text = "[[zone]]\npoints = [[0,0],[9,0],[9,9],[0,0]]\nholes = [[[5,1],[6,1],[6,2]]]";
    let plan = read(text, Format::Toml).unwrap();
    assert_eq!((plan.areas[0].outline.len(), plan.areas[0].holes.len(), plan.walls.len()), (3, 1, 0));
}

#[test]
fn errors_have_places_and_reasons() {
    for (text, error) in [
        ("walls = 3", "1:9: expected an array of polylines, found `3`"),
        ("walls = [[[0, 0], [1]]]", "1:19: expected a point [x, y], found `[1]`"),
        ("walls = [[[0, 0],\n [1, true]]]", "2:6: expected a number, found `true`"),
        ("walls = [[[0, 0], [0.0, 0]]]", "1:10: the wall must have two different points: its length is zero"),
        ("walls = [[[0, 0], [inf, 0]]]", "1:20: must be a number within 1e9 of zero"),
        ("units = \"px\"", "1:9: expected one of \"m\", \"cm\", \"mm\", \"ft\" and \"in\", found `\"px\"`"),
        ("[[wall]]\nname = \"a\"", "1:1: the key `points` is missing"),
        ("[[wall]]\npoints = [[0, 0], [1, 1]]\nclosed = true", "2:10: the ring must have three different corners"),
        ("[[wall]]\ncolour = 1", "2:1: unknown key `colour`: known are name, points, closed"),
        ("[wall]\npoints = 1", "1:1: expected an array of tables, found `[wall]`"),
        ("units = ", "1:9: not TOML: "),
    ] {
        let found = refused(text, Format::Toml);
        assert!(found.starts_with(error), "{text}: {found}");
    }
}
