//! Walls in scenario files: their shapes, and mistakes with their places.

use throng::{Vector, WallShape};
use throng_scenario::Scenario;

/// A file with these walls, which begin in its third line.
fn file(walls: &str) -> String {
    let rest = "[world]\ndimensions = 2\nsize = [100.0, 100.0]\n[species.walker]\ncount = 60\nradius = 0.5\nplace = { region = \"all\" }\n";
    format!("format = 1\n\n{walls}\n{rest}")
}

fn problems(walls: &str) -> String {
    Scenario::parse(&file(walls), "s.toml").map_or_else(|problems| problems.to_string(), |_| String::new())
}

#[test]
fn a_file_declares_walls_of_every_shape() {
    let text = file(
        "walls = [[[1.0, 1.0], [2.0, 1.0]], [[3, 3], [4, 4], [5, 3]]]\n\
         [[wall]]\nname = \"door\"\nline = [[10, 10], [20, 10]]\nopen = [[1, 2.5]]\n\
         [[wall]]\npolygon = [[30, 30], [40, 30], [35, 40]]\nvelocity = [1.0, 0.0]\n\
         [[wall]]\ncentre = [60, 60]\nradius = 3\n\
         [[wall]]\ncentre = [80, 80]\nsize = [4, 2]\n\
         [[wall]]\npoint = [0, 5]\nnormal = [0, 1]\n",
    );
    let world = Scenario::parse(&text, "s.toml").unwrap().build::<2>().unwrap();
    let environment = world.environment();
    let door = environment.walls.get(environment.walls.find("door").unwrap()).unwrap();
    assert_eq!((&door.open[..], environment.walls.len()), (&[[1.0, 2.5]][..], 7));
    let shapes: Vec<&WallShape<2>> = environment.walls.items().iter().map(|wall| &wall.shape).collect();
    let triangle = [[30.0, 30.0], [40.0, 30.0], [35.0, 40.0]].map(Vector).to_vec();
    assert_eq!(*shapes[1], WallShape::Path { points: triangle, closed: true });
    assert_eq!(*shapes[2], WallShape::Ball { centre: Vector([60.0, 60.0]), radius: 3.0 });
    assert_eq!(*shapes[3], WallShape::Box { centre: Vector([80.0, 80.0]), half: Vector([2.0, 1.0]) });
    assert_eq!(*shapes[4], WallShape::Plane { point: Vector([0.0, 5.0]), normal: Vector([0.0, 1.0]) });
    assert_eq!(shapes[6].edges().len(), 2);
    // No body overlaps a wall at the start.
    let mut near = Vec::new();
    for agents in world.all_agents() {
        for row in 0..agents.len() {
            world.query().walls_within(agents.position(row), 0.499, &mut near).unwrap();
            assert!(near.is_empty(), "{near:?}");
        }
    }
}

#[test]
fn no_agent_starts_inside_a_solid() {
    let text = file("[[wall]]\ncentre = [50, 50]\nsize = [90, 90]\n[[wall]]\ncentre = [50, 50]\nradius = 60\n");
    let world = Scenario::parse(&text, "s.toml").unwrap().build::<2>().unwrap();
    for agents in world.all_agents() {
        for row in 0..agents.len() {
            assert!(agents.position(row).distance(Vector([50.0, 50.0])) > 60.5);
        }
    }
}

#[test]
fn mistakes_are_reported_with_their_places() {
    let cases = [
        ("[[wall]]\nline = [[1, 1]]", "s.toml:4:8: wall.0.line = [[1, 1]]: must have at least 2 points"),
        (
            "[[wall]]\nline = [[1, 1], [2, 2], [2, 2]]",
            "s.toml:4:8: wall.0.line = [[1, 1], [2, 2], [2, 2]]: point 1 is equal",
        ),
        (
            "[[wall]]\nline = [[1, 1], [nan, 2]]",
            "s.toml:4:8: wall.0.line = [[1, 1], [nan, 2]]: must be an array of vectors",
        ),
        (
            "[[wall]]\npolygon = [[0, 0], [9, 9], [9, 0], [0, 9]]",
            "s.toml:4:11: wall.0.polygon = [[0, 0], [9, 9], [9, 0], [0, 9]]: segment 0 crosses segment 2",
        ),
        ("walls = [[[1, 1], [2, 2]], [[3, 3], [3, 3]]]", "s.toml:3:28: walls.1 = [[3, 3], [3, 3]]: point 0 is equal"),
        ("walls = [[[1, 1], [2]]]", "s.toml:3:10: walls.0 = [[1, 1], [2]]: must be an array of vectors"),
        ("walls = 3", "s.toml:3:9: walls = 3: must be an array of paths"),
        ("[[wall]]\nname = \"a\"", "s.toml:3:1: wall.0: must have one of line, polygon, radius, size, normal"),
        (
            "[[wall]]\nline = [[1, 1], [2, 2]]\nradius = 3",
            "s.toml:3:1: wall.0: must have one of line, polygon, radius, size, normal, and no more than one",
        ),
        ("[[wall]]\nradius = 3", "s.toml:3:1: wall.0.centre: is missing: `radius` needs it"),
        ("[[wall]]\nline = [[1, 1], [2, 2]]\ncentre = [1, 1]", "s.toml:5:1: wall.0.centre: `line` does not use it"),
        ("[[wall]]\ncentre = [1, 1]\nradius = 0", "s.toml:5:10: wall.0.radius = 0: must be a number in (0, 1e6] m"),
        (
            "[[wall]]\ncentre = [1, 1]\nsize = [1, 0]",
            "s.toml:5:8: wall.0.size = [1, 0]: must be an array of one number",
        ),
        (
            "[[wall]]\npoint = [1, 1]\nnormal = [0, 0]",
            "s.toml:5:10: wall.0.normal = [0, 0]: must be a vector that is not zero",
        ),
        (
            "[[wall]]\nline = [[1, 1], [2, 2]]\nopen = [[3, 3]]",
            "s.toml:5:8: wall.0.open = [[3, 3]]: must be an array of intervals [from, to]",
        ),
        (
            "[[wall]]\nname = \"a\"\nline = [[1, 1], [2, 2]]\n[[wall]]\nname = \"a\"\nline = [[1, 3], [2, 3]]",
            "s.toml:7:8: wall.1.name = \"a\": must be a name that no other wall has",
        ),
    ];
    for (walls, expected) in cases {
        let found = problems(walls);
        assert!(found.contains(expected), "{walls}\n  gives {found}\n  not   {expected}");
    }
    let space = file("[[wall]]\nline = [[1, 1, 1], [2, 2, 2]]").replace("dimensions = 2", "dimensions = 3");
    let space = space.replace("[100.0, 100.0]", "[100.0, 100.0, 100.0]");
    let found = Scenario::parse(&space, "s.toml").unwrap_err().to_string();
    assert!(found.contains("lines and polygons are walls of two dimensions"), "{found}");
    let full = "[[wall]]\ncentre = [50, 50]\nsize = [110, 110]";
    assert!(problems(full).contains("no free place was found"), "{}", problems(full));
}

#[test]
fn walls_lines_and_areas_in_another_unit_have_a_message() {
    let read = |items: &str, edge: &str| {
        let text = format!(
            "format = 1\n{items}\n[world]\ndimensions = 2\nsize = [40.0, 20.0]\nedge = \"{edge}\"\n[species.walker]\ncount = 1\n"
        );
        Scenario::parse(&text, "hall.toml")
    };
    let said = |items: &str, edge: &str| read(items, edge).map_or_else(|faults| faults.to_string(), |_| String::new());
    for (items, key) in [
        ("walls = [[[0.0, 0.0], [40.0, 0.0]], [[0.0, 0.0], [40000.0, 0.0]]]", "hall.toml:2:37: walls.1"),
        ("wall = [{ centre = [20000.0, 100.0], size = [100.0, 200.0] }]", "hall.toml:2:9: wall.0"),
        ("wall = [{ line = [[1.0, 21.0], [5.0, 21.0]] }]", "hall.toml:2:9: wall.0"),
        (
            "output.measures.line.door = { from = [40000, 0], to = [40000, 900] }",
            "hall.toml:2:22: output.measures.line.door",
        ),
        (
            "output.measures.area.front = { centre = [20, 5], size = [4000, 4000] }",
            "hall.toml:2:22: output.measures.area.front",
        ),
    ] {
        let found = said(items, "bounce");
        assert!(found.contains(key) && found.contains("another unit"), "{found}");
        assert_eq!(said(items, "open"), "");
    }
    assert_eq!(said("walls = [[[-2.0, -1.0], [45.0, 21.0]]]", "bounce"), "", "a wall may reach out of the world");
    assert_eq!(said("wall = [{ line = [[1.0, 21.0], [5.0, 21.0]] }]", "wrap"), "", "and lie beyond a seam");
    // A world without edges has any walls, but a drawing that is all in another unit is named.
    let warned = |items: &str| {
        let warnings = read(items, "open").unwrap().warnings();
        warnings.iter().any(|warning| warning.key == "walls" && warning.to_string().contains("another unit"))
    };
    assert!(warned("walls = [[[0, 0], [40000, 0]], [[0, 0], [0, 20000]]]"));
    assert!(!warned("walls = [[[0, 0], [40000, 0]], [[0, 0], [0, 20]]]") && !warned(""));
}

#[test]
fn a_mover_that_carves_closes_no_way_for_good() {
    let checked = |keys: &str| {
        let text = format!(
            "format = 1\nwalls = [[[20.0, -1.0], [20.0, 9.0]], [[20.0, 11.0], [20.0, 21.0]]]\n\
             wall = [{{ centre = [20.0, 10.0], size = [1.0, 3.0], {keys} }}]\n\
             navigation.out.goals = [[35.0, 10.0]]\n\
             [world]\ndimensions = 2\nsize = [40.0, 20.0]\nedge = \"bounce\"\ntick = 0.1\nticks = 10\n\
             [species.walker]\ncount = 3\nplace = {{ region = \"disc\", centre = [5.0, 10.0], radius = 2.0 }}\n\
             behaviours = [{{ rule = \"walk_to\", goals = [\"out\"] }}]\n"
        );
        Scenario::parse(&text, "gate.toml").map_err(|faults| faults.to_string())
    };
    assert!(checked("velocity = [0.0, 0.0]").is_err_and(|text| text.contains("no way leads there")));
    let world = checked("velocity = [0.5, 0.0], carve = true").unwrap().build::<2>().unwrap();
    let wall = world.environment().walls.items().iter().find(|wall| wall.carve);
    assert_eq!(wall.map(|wall| wall.velocity), Some(throng::Vector([0.5, 0.0])));
}
