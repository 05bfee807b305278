//! Tests of pictures of buildings.
#![cfg(feature = "scenario")]

use throng::AnyWorld;
use throng_draw::{Building, Drawable, EnvironmentShape, Options, picture};
use throng_scenario::Scenario;

/// Two storeys of 20 m by 20 m, 14 m apart, so that the building is as high as it is drawn. A wall shuts a closet, which is
/// empty.
const HOUSE: &str = r#"
format = 1
world = { dimensions = 2, size = [20, 20] }
storey = [{ name = "ground" }, { name = "first", elevation = 14.0 }]
stair = [{ name = "west", storeys = ["ground", "first"], foot = [[4, 4], [6, 4]], run = [0, 6] }]
wall = [{ line = [[14, 0], [14, 6], [20, 6]] }]
species.person = { count = 1, people = true, place = { region = "point", centre = [9, 9], storey = "first", speed = 0.0 } }
"#;

fn house() -> (Scenario, AnyWorld) {
    let scenario = Scenario::parse(HOUSE, "house.toml").unwrap_or_else(|problems| panic!("{problems}"));
    let world = scenario.build_any().unwrap();
    (scenario, world)
}

fn positions(drawable: &impl Drawable) -> Vec<[f32; 3]> {
    let mut all = Vec::new();
    drawable.crowd(&mut |agents| all.extend(agents.iter().map(|agent| agent.position.0)));
    all
}

#[test]
fn storeys_above_each_other_have_the_plan_and_their_heights() {
    let (scenario, world) = house();
    let building = Building { crowd: &world, storeys: scenario.storeys(), stacked: true };
    assert_eq!(positions(&building), [[9.0, 9.0, 14.0]]);
    let subject = building.subject();
    assert!(!subject.flat);
    assert_eq!((subject.bounds.low.0, subject.bounds.high.0), ([0.0; 3], [20.0, 20.0, 16.5]));
    // Walls on the flight rise with it, and all others lie on a storey.
    let mut rising = 0;
    for shape in building.shapes() {
        if let EnvironmentShape::Wall { from, to } = shape {
            let heights = [from[2], to[2]];
            assert!(from.0[..2].iter().chain(&to.0[..2]).all(|at| (0.0..=20.0).contains(at)), "{from:?} {to:?}");
            match heights {
                [low, high] if low == high => assert!(low == 0.0 || low == 14.0, "{from:?} {to:?}"),
                _ => rising += 1,
            }
        }
    }
    assert_eq!(rising, 2);
}

#[test]
fn a_picture_names_the_storeys_and_the_floor_is_where_they_are() {
    let (scenario, world) = house();
    let building = Building { crowd: &world, storeys: scenario.storeys(), stacked: false };
    assert_eq!(positions(&building), positions(&world));
    let name = |shape| match shape {
        EnvironmentShape::Floor { name, .. } => Some(name),
        _ => None,
    };
    let names: Vec<_> = building.shapes().into_iter().filter_map(name).collect();
    assert_eq!(names, ["ground", "first", ""]);
    // The closet, which is empty, is as light as the hall.
    let options = Options { width: Some(640), ..Options::default() };
    let (picture, storeys) = (picture(&building, &options).unwrap(), scenario.storeys().unwrap());
    let size = building.subject().bounds.high;
    let light = |x: f32, y: f32| {
        let (column, row) = (x / size[0] * picture.width() as f32, (1.0 - y / size[1]) * picture.height() as f32);
        let place = 3 * (row as usize * picture.width() + column as usize);
        picture.pixels()[place..place + 3].iter().map(|&channel| u32::from(channel)).sum::<u32>()
    };
    let at = |name: &str, plan: [f32; 2]| {
        let at = storeys.position(name, plan).unwrap();
        light(at[0], at[1])
    };
    // The background is a little lighter in the middle of a picture.
    let [closet, hall] = [[17.0, 3.0], [10.0, 15.0]].map(|plan| at("ground", plan));
    assert!(closet.abs_diff(hall) < 10, "{closet} and {hall}");
}

#[test]
fn the_ground_of_a_mesh_has_its_own_heights() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/ground/7-bridge.toml");
    let scenario = Scenario::load(file).unwrap_or_else(|problems| panic!("{problems}"));
    let world = scenario.build_any().unwrap();
    let building = Building { crowd: &world, storeys: scenario.storeys(), stacked: true };
    let bounds = building.subject().bounds;
    assert_eq!((bounds.low.0, bounds.high.0), ([0.0, 8.0, 0.0], [60.0, 36.0, 7.5]));
    let mut rising = 0;
    for shape in building.shapes() {
        assert!(!matches!(shape, EnvironmentShape::Floor { .. }), "a flat floor would cut through the ramp");
        if let EnvironmentShape::Wall { from, to } = shape {
            rising += usize::from([from[2], to[2]] == [0.0, 5.0] || [from[2], to[2]] == [5.0, 0.0]);
        }
    }
    assert_eq!(rising, 2, "both sides of the ramp");
    assert!(positions(&building).iter().all(|at| at[2] == 0.0), "all start on the road");
}
