//! Starts in floor plans, and the plans that can be read.

use throng::{Vector, WarningKind, World};

use super::{Folder, bodies, deepest};

const L_SHAPE: &str = "POLYGON ((0 0, 30 0, 30 5, 5 5, 5 30, 0 30, 0 0), (10 1, 12 1, 12 4, 10 4, 10 1))";

fn scenario(plan: &str, size: f32, rest: &str) -> String {
    format!(
        "format = 1\nfloor_plan = {plan}\n[world]\ndimensions = 2\nsize = [{size}, {size}]\nedge = \"bounce\"\n{rest}"
    )
}

/// Whether a body is in the L and outside of its hole.
fn is_in_l(at: Vector<2>, radius: f32) -> bool {
    let [x, y] = at.0;
    let (low, high, bend) = (radius - 1e-4, 30.0 - radius + 1e-4, 5.0 - radius + 1e-4);
    let inside = x >= low && y >= low && x <= high && y <= high && (x <= bend || y <= bend);
    let hole = x > 10.0 - low && x < 12.0 + low && y > 1.0 - low && y < 4.0 + low;
    inside && !hole
}

#[test]
fn agents_start_in_the_walkable_area() {
    let folder = Folder::new("l");
    folder.write("l.wkt", L_SHAPE);
    folder.write("bare.wkt", &L_SHAPE.replace(", (10 1, 12 1, 12 4, 10 4, 10 1)", ""));
    for (radius, count, motion) in
        [(0.0, 1000, ""), (0.25, 200, ""), (0.25, 200, "orca"), (0.25, 700, "collision_free_speed")]
    {
        let motion = if motion.is_empty() { String::new() } else { format!("motion = {{ model = \"{motion}\" }}") };
        for place in ["", "place = { region = \"box\", centre = [12.0, 12.0], size = [24.0, 24.0] }"] {
            let text = scenario(
                "\"l.wkt\"",
                30.0,
                &format!("[species.walker]\ncount = {count}\nradius = {radius}\n{motion}\n{place}"),
            );
            let world: World<2> = folder.load(&text).unwrap().build().unwrap();
            let bodies = bodies(&world, "walker");
            let outside = bodies.iter().filter(|(at, radius)| !is_in_l(*at, *radius)).count();
            assert_eq!((bodies.len(), outside), (count, 0), "{radius}, {motion}, {place}");
            assert!(motion.is_empty() || deepest(&world, &bodies) < 1e-5);
        }
    }
    // A source that reaches out of the building; neither a region nor a hole says which side is inside.
    let source = "[[region]]\nname = \"in\"\ncentre = [4.0, 4.0]\nsize = [7.0, 7.0]\n\
                  [[source]]\nname = \"in\"\nspecies = \"walker\"\nregion = \"in\"\nnumber = 60\n\
                  [species.walker]\nradius = 0.25\n";
    for plan in ["\"l.wkt\"", "\"bare.wkt\""] {
        let mut world: World<2> = folder.load(&scenario(plan, 30.0, source)).unwrap().build().unwrap();
        let mut saved = Vec::new();
        world.save(&mut saved).unwrap();
        let mut loaded = World::<2>::load(&saved[..]).unwrap();
        [&mut world, &mut loaded].into_iter().for_each(World::step);
        assert_eq!(world.state_hash(), loaded.state_hash());
        assert_eq!(world.population(), 60);
        for (at, _) in bodies(&world, "walker") {
            assert!(is_in_l(at, 0.0), "{plan}: {at:?}");
        }
    }
}

#[test]
fn starts_have_regions_by_name_and_areas_of_plans() {
    let folder = Folder::new("named");
    folder.write(
        "rooms.toml",
        "units = \"m\"\nwalls = [[[0, 0], [20, 0]]]\n[[zone]]\nname = \"ell\"\n\
         points = [[2, 2], [10, 2], [10, 4], [4, 4], [4, 10], [2, 10]]\n[[zone]]\nname = \"box\"\n\
         points = [[12, 12], [18, 12], [18, 15], [12, 15]]\n",
    );
    let in_ell = |at: Vector<2>| {
        let [x, y] = at.0;
        (2.0..=10.0).contains(&x) && (2.0..=10.0).contains(&y) && (x <= 4.0 || y <= 4.0)
    };
    let in_box = |at: Vector<2>| (12.0..=18.0).contains(&at[0]) && (12.0..=15.0).contains(&at[1]);
    for (region, holds) in [("ell", &in_ell as &dyn Fn(Vector<2>) -> bool), ("box", &in_box)] {
        let text = scenario(
            "\"rooms.toml\"",
            20.0,
            &format!("[species.walker]\ncount = 50\nradius = 0.2\nplace = {{ region = \"region:{region}\" }}"),
        );
        let world: World<2> = folder.load(&text).unwrap().build().unwrap();
        assert!(bodies(&world, "walker").iter().all(|(at, _)| holds(*at)), "{region}");
    }
    let text = scenario("\"rooms.toml\"", 20.0, "[species.a]\ncount = 1\nplace = { region = \"region:bax\" }");
    let found = folder.load(&text).map(drop).unwrap_err();
    assert!(found.contains("s.toml:9:20: ") && found.contains("did you mean `box`"), "{found}");
}

#[test]
fn plans_are_read_as_others_read_them() {
    let folder = Folder::new("read");
    let one = "[species.a]\ncount = 40\nradius = 0.1\nplace = { region = \"all\" }";
    let rooms = "GEOMETRYCOLLECTION (POLYGON ((0 0, 5 0, 5 5, 0 5, 0 0)), POLYGON ((5 2, 8 2, 8 3, 5 3, 5 2)), \
                 POLYGON ((8 0, 12 0, 12 5, 8 5, 8 0)))";
    let micron = "POLYGON ((40 40, 70 40, 70 70, 40 70, 40 40), (50 50, 55 50, 55 50.3, 50.0015 50.3, \
                  50.0015 50.299985, 50.00149997 50.29999436, 50 50))";
    for (text, walls, corners) in [(rooms, 1, 12), (micron, 2, 8)] {
        folder.write("plan.wkt", text);
        for origin in [[0.0, 0.0], [1.0, 1.0], [0.123_456, 7.891_011]] {
            let plan = format!("{{ file = \"plan.wkt\", origin = {origin:?} }}");
            let world: World<2> = folder.load(&scenario(&plan, 80.0, one)).unwrap().build().unwrap();
            let found: usize = world.environment().walls.items().iter().map(|wall| wall.shape.edges().len()).sum();
            assert_eq!((world.environment().walls.len(), found), (walls, corners), "{text}, {origin:?}");
        }
    }
    // A plan beside the world says where to put it, to the millimetre.
    folder.write("plan.wkt", "POLYGON ((500.25 123.5, 510.25 123.5, 510.25 133.5, 500.25 123.5))");
    let found = folder.load(&scenario("\"plan.wkt\"", 80.0, one)).map(drop).unwrap_err();
    assert!(found.contains("set origin = [-500.25, -123.5]"), "{found}");
    // A plan in the coordinates of a map is moved by whole metres, and a warning says so.
    folder.write(
        "plan.wkt",
        "POLYGON ((412300.25 5650123.5, 412310.25 5650123.5, 412310.25 5650133.5, 412300.25 5650123.5))",
    );
    let moved = folder.load(&scenario("\"plan.wkt\"", 80.0, one)).unwrap();
    let warnings: Vec<String> = moved.warnings().into_iter().map(|warning| warning.message).collect();
    assert!(warnings.iter().any(|said| said.contains("`origin = [-412300, -5650123]` says so")), "{warnings:?}");
    let world: World<2> = moved.build().unwrap();
    assert_eq!(world.environment().walls.items()[0].shape.edges()[0], [Vector([0.25, 0.5]), Vector([10.25, 0.5])]);
    let plan = "{ file = \"plan.wkt\", origin = [-412300.25, -5650123.5] }";
    let world: World<2> = folder.load(&scenario(plan, 80.0, one)).unwrap().build().unwrap();
    assert_eq!(world.environment().walls.items()[0].shape.edges()[0], [Vector([0.0, 0.0]), Vector([10.0, 0.0])]);
    // One element of several.
    folder.write("plan.wkt", rooms);
    let plan = "{ file = \"plan.wkt\", element = 2 }";
    let world: World<2> = folder.load(&scenario(plan, 80.0, one)).unwrap().build().unwrap();
    assert!(bodies(&world, "a").iter().all(|(at, _)| at[0] > 8.0 && at[0] < 12.0 && at[1] < 5.0));
}

/// Filled shapes of a drawing are walls if the scenario says so; if it says nothing, there is a warning.
#[test]
fn filled_walls_of_a_drawing_are_named_or_warned_of() {
    let folder = Folder::new("svg");
    folder.write(
        "flat.svg",
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400" viewBox="0 0 600 400">
        <path id="walls" fill="#333" fill-rule="evenodd"
         d="M0 0 H600 V400 H0 Z M20 20 V380 H290 V240 H310 V380 H580 V20 H310 V160 H290 V20 Z"/>
        <g id="furniture"><rect id="table" x="80" y="150" width="80" height="60" fill="#ca8"/></g></svg>"##,
    );
    let load = |more: &str, rest: &str| {
        let plan = format!("{{ file = \"flat.svg\", scale = 0.02{more} }}");
        folder.load(&scenario(&plan, 20.0, &format!("{rest}[species.a]\ncount = 1\nradius = 0.1"))).unwrap()
    };
    let walls = |more: &str| load(more, "").build::<2>().unwrap().environment().walls.len();
    let doubts = |more: &str, rest: &str| {
        let warnings = load(more, rest).warnings();
        let reading = warnings.into_iter().filter(|warning| warning.kind == WarningKind::Reading);
        reading.map(|warning| warning.message).collect::<Vec<_>>()
    };
    let all = doubts("", "");
    // Shapes that are called walls are walls; of others it is doubtful.
    assert!(all.len() == 1 && all[0].contains("no stroke") && all[0].contains("walk: table."), "{all:?}");
    assert_eq!(walls(""), 2);
    for (more, count) in [
        (", walls = []", 0),
        (", walls = [\"walls\"]", 2),
        (", walls = [\"#333\"]", 2),
        (", walls = [\"#333333\", \"furniture\"]", 3),
        (", walls = [\"table\"]", 1),
    ] {
        assert_eq!((walls(more), doubts(more, "").len()), (count, 0), "{more}");
    }
    // What the scenario refers to is an area.
    let said = doubts("", "[[sink]]\nname = \"s\"\nregion = \"table\"\n");
    assert!(said.is_empty(), "{said:?}");
}
