//! Storeys and stairs in scenario files: people leave over stairs, and mistakes with their places.

use std::collections::HashMap;

use throng::maths::sin_cos;
use throng::{Shape, Vector, World};
use throng_scenario::Scenario;

/// Two storeys and a stair; people walk from one to an exit on the other.
fn house(from: &str, to: &str) -> String {
    format!(
        "format = 1\n[world]\ndimensions = 2\nsize = [20, 16]\ntick = 0.05\nseed = 3\n\
         [[storey]]\nname = \"ground\"\n[[storey]]\nname = \"first\"\nelevation = 3.5\n\
         [[stair]]\nname = \"west\"\nstoreys = [\"ground\", \"first\"]\nfoot = [[4, 4], [6, 4]]\nrun = [0, 6]\n\
         [[region]]\nname = \"exit\"\ncentre = [18, 8]\nsize = [2, 4]\nstorey = \"{to}\"\n\
         [[sink]]\nname = \"exit\"\nregion = \"exit\"\n[navigation.out]\ngoals = [\"region:exit\"]\n\
         [species.person]\ncount = 60\npeople = true\nplace = {{ storey = \"{from}\", speed = 0 }}\n\
         behaviours = [{{ rule = \"walk_to\", goals = [\"out\"] }}]\n"
    )
}

fn read(text: &str) -> Scenario {
    Scenario::parse(text, "s.toml").unwrap_or_else(|problems| panic!("{problems}"))
}

fn positions(world: &World<2>) -> Vec<Vector<2>> {
    world.all_agents().iter().flat_map(|agents| (0..agents.len()).map(|row| agents.position(row))).collect()
}

/// Everyone starts on one storey, outside of the hole of the stair, and leaves on the other.
fn leave(from: &str, to: &str, stair: &str) {
    let scenario = read(&house(from, to).replace("foot = [[4, 4], [6, 4]]\nrun = [0, 6]\n", stair));
    let storeys = scenario.storeys().unwrap();
    let mut world = scenario.build::<2>().unwrap();
    let mut seen = Vec::new();
    for at in positions(&world) {
        let place = storeys.locate(at).unwrap();
        assert_eq!(place.name, from);
        let [x, y] = place.plan.0;
        assert!(!((4.0..=6.0).contains(&x) && (4.0..=7.0).contains(&y)), "{place:?}");
        assert!((0.0..=20.0).contains(&x) && (0.0..=16.0).contains(&y), "{place:?}");
    }
    while world.population() > 0 && world.tick() < 4000 {
        world.step();
        for at in positions(&world) {
            let place = storeys.locate(at).unwrap_or_else(|| panic!("{at:?} is in no storey"));
            assert!((0.0..=3.5).contains(&place.elevation));
            if !seen.contains(&place.name.to_owned()) {
                seen.push(place.name.to_owned());
            }
        }
    }
    let left: Vec<_> = positions(&world).into_iter().map(|at| storeys.locate(at)).collect();
    assert_eq!(left, [], "{stair}");
    assert_eq!(
        (world.population(), &seen[..]),
        (0, &[from, "west", to].map(str::to_owned)[..]),
        "tick {}",
        world.tick()
    );
}

/// A straight flight, one that turns on a landing and comes back beside itself, and a spiral of three quarters.
const STAIRS: [&str; 3] = [
    "foot = [[4, 4], [6, 4]]\nrun = [0, 6]\n",
    "foot = [[4, 4], [6, 4]]\npath = [[5, 9], [7.5, 9], [7.5, 4]]\n",
    "foot = [[6, 4], [8, 4]]\ncentre = [5, 4]\nturn = 270\n",
];

#[test]
fn people_leave_downstairs() {
    STAIRS.iter().for_each(|stair| leave("first", "ground", stair));
}

#[test]
fn people_leave_upstairs() {
    STAIRS.iter().for_each(|stair| leave("ground", "first", stair));
}

/// Stairs with a short landing, with several, to the right, aslant, and spirals both ways, each beside a stair that
/// is named like a second flight.
#[test]
fn stairs_of_many_shapes_have_heights_and_lead_up() {
    let shapes = [
        "foot = [[4, 4], [6, 4]]\npath = [[5, 5.5], [8, 5.5], [8, 4]]\n",
        "foot = [[2, 2], [3.2, 2]]\npath = [[2.6, 6], [4.1, 6], [4.1, 3], [5.6, 3], [5.6, 6]]\n",
        "foot = [[10, 12], [10, 10.5]]\npath = [[6, 11.25], [6, 9], [9, 9]]\n",
        "foot = [[8, 8], [9.5, 8]]\npath = [[8.75, 5], [7, 3]]\n",
        "foot = [[2.6, 8], [4, 8]]\ncentre = [2, 8]\nturn = 300\n",
        "foot = [[7.6, 6], [6.4, 6]]\ncentre = [5, 6]\nturn = -90\n",
    ];
    let other =
        "[[stair]]\nname = \"west-2\"\nstoreys = [\"ground\", \"first\"]\nfoot = [[16, 10], [17, 10]]\nrun = [0, 4]\n";
    for shape in shapes {
        let text =
            house("ground", "first").replace("foot = [[4, 4], [6, 4]]\nrun = [0, 6]\n", &format!("{shape}{other}"));
        let scenario = read(&text.replace("count = 60", "count = 12"));
        let (storeys, mut world) = (scenario.storeys().unwrap(), scenario.build::<2>().unwrap());
        let environment = world.environment();
        for zone in environment.zones.items() {
            let of_zone = environment.regions.items().iter().filter(|region| region.name == zone.region);
            let middle =
                |shape: Shape<2>| if let Shape::Box { centre, .. } = shape { centre } else { panic!("{shape:?}") };
            let stairs: Vec<_> = of_zone.map(|region| storeys.locate(middle(region.shape)).unwrap().name).collect();
            assert!(!stairs.is_empty() && stairs.iter().all(|stair| *stair == stairs[0]), "{shape}: {stairs:?}");
        }
        let mut heights = HashMap::new();
        while world.population() > 0 && world.tick() < 4000 {
            world.step();
            for agents in world.all_agents() {
                for (row, id) in agents.ids().iter().enumerate() {
                    let place = storeys.locate(agents.position(row)).unwrap();
                    let before = heights.insert(*id, place.elevation).unwrap_or(0.0);
                    assert!((place.elevation - before).abs() < 0.3, "{shape}: from {before} m to {place:?}");
                }
            }
        }
        assert_eq!(world.population(), 0, "{shape}");
    }
}

/// Heights rise along the flights, and stay on landings; each flight has a zone in its own direction.
#[test]
fn flights_rise_and_landings_are_level() {
    let house = |stair: &str| read(&house("ground", "first").replace(STAIRS[0], stair));
    let [landing, spiral] = [STAIRS[1], STAIRS[2]].map(house);
    let height = |scenario: &Scenario, plan| {
        let storeys = scenario.storeys().unwrap();
        storeys.locate(storeys.position("west", plan).unwrap()).unwrap().elevation
    };
    // Two flights of 4 m.
    let rise = 3.5 / 8.0;
    let on_landing = [
        ([5.0, 4.0], 0.0),
        ([4.2, 6.0], 2.0),
        ([4.5, 8.5], 4.0),
        ([6.0, 9.0], 4.0),
        ([7.5, 8.8], 4.0),
        ([8.0, 6.0], 6.0),
        ([7.5, 4.0], 8.0),
    ];
    for (plan, along) in on_landing {
        assert!((height(&landing, plan) - along * rise).abs() < 1e-3, "{plan:?}: {}", height(&landing, plan));
    }
    // A spiral rises with the angle.
    for degrees in [0.0_f32, 40.0, 90.0, 200.0, 270.0] {
        let (sine, cosine) = sin_cos(degrees * (std::f32::consts::PI / 180.0));
        let at = height(&spiral, [5.0 + 2.0 * cosine, 4.0 + 2.0 * sine]);
        assert!((at - 3.5 * degrees / 270.0).abs() < 0.03, "{degrees}: {at}");
    }
    let directions = |scenario: &Scenario| -> Vec<Vector<2>> {
        let world = scenario.build::<2>().unwrap();
        world.environment().zones.iter().map(|(_, zone)| zone.against.unwrap().direction.direction()).collect()
    };
    assert_eq!(directions(&landing), [[0.0, 1.0], [0.0, -1.0]].map(Vector));
    let around = directions(&spiral);
    assert!(around.len() > 11, "{around:?}");
    assert!(around.iter().any(|direction| (*direction - Vector([-1.0, 0.0])).length() < 0.4), "{around:?}");
}

#[test]
fn storeys_map_there_and_back() {
    let text = "format = 1\n[world]\ndimensions = 2\nsize = [20.5, 16]\n\
        [[storey]]\nname = \"a\"\n[[storey]]\nname = \"b\"\nelevation = 3\n[[storey]]\nname = \"c\"\nelevation = 7\n\
        [[stair]]\nname = \"up\"\nstoreys = [\"a\", \"b\"]\nfoot = [[4, 4], [6, 4]]\nrun = [0, 8]\n\
        [[stair]]\nname = \"on\"\nstoreys = [\"b\", \"c\"]\nfoot = [[18, 4], [18, 7]]\nrun = [-5, 0]\n\
        [[stair]]\nname = \"side\"\nstoreys = [\"a\", \"b\"]\nfoot = [[10, 15], [12, 15]]\nrun = [0, -4]\n\
        [species.person]\ncount = 1\n";
    let scenario = read(text);
    let (storeys, world) = (scenario.storeys().unwrap(), scenario.build::<2>().unwrap());
    assert_eq!(storeys.names().collect::<Vec<_>>(), ["a", "b", "c"]);
    assert_eq!(world.settings().seams.len(), 6);
    let places = [
        ("a", [0.0, 0.0], 0.0),
        ("b", [20.5, 16.0], 3.0),
        ("c", [7.3, 8.1], 7.0),
        ("up", [5.0, 4.0], 0.0),
        ("up", [5.5, 6.0], 0.75),
        ("side", [11.0, 12.0], 2.25),
        ("on", [13.0, 5.0], 7.0),
    ];
    for (name, plan, elevation) in places {
        let at = storeys.position(name, plan).unwrap();
        let found = storeys.locate(at).unwrap();
        assert_eq!((found.name, found.elevation), (name, elevation));
        assert!((found.plan - Vector(plan)).length() < 1e-5, "{found:?}");
        assert_eq!(storeys.position(name, found.plan), Some(at));
        assert!((0..2).all(|axis| at[axis] <= world.settings().size[axis]), "{at:?}");
    }
    assert_eq!((storeys.position("d", [1.0, 1.0]), storeys.locate([-40.0, 0.0])), (None, None));
    // Every seam leads from the part on its left to the same place of the plan in another part.
    for seam in &world.settings().seams {
        let middle = (seam.ends[0] + seam.ends[1]) * 0.5;
        let along = seam.ends[1] - seam.ends[0];
        let left = Vector([-along[1], along[0]]) * (0.1 / along.length());
        let [before, beyond] = [middle + left, middle - left + seam.shift].map(|at| storeys.locate(at).unwrap());
        assert_ne!(before.name, beyond.name);
        assert!((before.plan - beyond.plan).length() < 0.21 && (before.elevation - beyond.elevation).abs() < 0.2);
    }
}

/// A file with these storeys and stairs, which begin in its third line.
fn file(items: &str) -> String {
    let rest = "[world]\ndimensions = 2\nsize = [20, 16]\n[species.person]\ncount = 1\n";
    format!("format = 1\n\n{items}\n{rest}")
}

const STOREYS: &str = "storey = [{ name = \"ground\" }, { name = \"first\", elevation = 3 }]\n";
const STAIR: &str =
    "[[stair]]\nname = \"west\"\nstoreys = [\"ground\", \"first\"]\nfoot = [[4, 4], [6, 4]]\nrun = [0, 6]\n";

#[test]
fn mistakes_are_reported_with_their_places() {
    let with = |from: &str, to: &str| format!("{STOREYS}{}", STAIR.replacen(from, to, 1));
    let after = |items: &str| format!("{STOREYS}{STAIR}{items}");
    let cases = [
        (
            with("\"first\"]", "\"frist\"]"),
            "s.toml:6:11: stair.0.storeys = [\"ground\", \"frist\"]: unknown storey `frist`; did you mean `first`? (one of \
             ground, first)",
        ),
        (
            with(", \"first\"]", "]"),
            "s.toml:6:11: stair.0.storeys = [\"ground\"]: must be two storeys: the one at the foot, and the one at the head",
        ),
        (
            with("[\"ground\", \"first\"]", "[\"first\", \"ground\"]"),
            "s.toml:6:11: stair.0.storeys = [\"first\", \"ground\"]: must have the lower storey first",
        ),
        (
            with("[6, 4]", "[6, 5]"),
            "s.toml:7:8: stair.0.foot = [[4, 4], [6, 5]]: must be a line of 0.1 m or more along an axis",
        ),
        (
            with("[6, 4]", "[4, 4]"),
            "s.toml:7:8: stair.0.foot = [[4, 4], [4, 4]]: must be a line of 0.1 m or more along an axis",
        ),
        (with(", [6, 4]", ""), "s.toml:7:8: stair.0.foot = [[4, 4]]: must be the two ends of a line"),
        (
            with("[0, 6]", "[1, 6]"),
            "s.toml:8:7: stair.0.run = [1, 6]: must be [0, y] with y of 0.1 m or more either way, across `foot`",
        ),
        (with("[0, 6]", "[6, 0]"), "s.toml:8:7: stair.0.run = [6, 0]: must be [0, y] with y of 0.1 m or more"),
        (with("[6, 4]", "[4, 6]"), "s.toml:8:7: stair.0.run = [0, 6]: must be [x, 0] with x of 0.1 m or more"),
        (
            with("[0, 6]", "[0, 13]"),
            "s.toml:7:8: stair.0: the flight must lie in the plan of the building: [0, 0] to [20, 16] m",
        ),
        (
            after(&STAIR.replace("west", "east").replace("[6, 4]", "[5, 4]")),
            "s.toml:12:8: stair.1.foot = [[4, 4], [5, 4]]: must be beside the stair or lift `west`, which is at the same storey",
        ),
        (after(STAIR), "s.toml:10:8: stair.1.name = \"west\": must be a name that no other storey, stair or lift has"),
        (with("\"west\"", "\"first\""), "s.toml:5:8: stair.0.name = \"first\": must be a name that no other"),
        (
            STOREYS.replace("\"first\"", "\"ground\""),
            "s.toml:3:41: storey.1.name = \"ground\": must be a name that no other storey, stair or lift has",
        ),
        (
            format!("{}{STAIR}", STOREYS.replace("}]", "}, { name = \"top\" }]")),
            "s.toml:3:67: storey.2: no stair or lift leads to it: it must be one of the `storeys` of one",
        ),
        (
            with("run = [0, 6]", "path = [[6, 9]]"),
            "s.toml:8:8: stair.0.path = [[6, 9]]: must lead from the middle of `foot` across it",
        ),
        (
            with("run = [0, 6]", "path = [[5, 9], [5, 5]]"),
            "stair.0.path = [[5, 9], [5, 5]]: must be a way that turns by a right angle at most",
        ),
        (
            with("run = [0, 6]", "path = [[5, 9], [8, 9], [8, 6], [2, 6]]"),
            "must be a way that turns by a right angle at most",
        ),
        (
            with("run = [0, 6]", "centre = [5.5, 4]\nturn = 90"),
            "stair.0.centre = [5.5, 4]: must lie on the line of `foot`, beyond its ends",
        ),
        (
            with("run = [0, 6]", "centre = [3, 4]"),
            "s.toml:4:1: stair.0: needs `turn`, of 15 degrees or more either way",
        ),
        (with("run = [0, 6]", "run = [0, 6]\nturn = 90"), "s.toml:9:8: stair.0.turn = 90: needs `centre`"),
        (
            with("run = [0, 6]", ""),
            "s.toml:7:8: stair.0.foot = [[4, 4], [6, 4]]: needs exactly one of `run`, `path` and `centre`",
        ),
        (with("run = [0, 6]", "run = [0, 6]\nup = 0"), "s.toml:9:6: stair.0.up = 0: must be a number in (0, 10]"),
        (
            after("[[region]]\nname = \"a\"\ncentre = [5, 5]\nradius = 1\nstorey = \"firts\""),
            "s.toml:13:10: region.0.storey = \"firts\": unknown storey `firts`; did you mean `first`?",
        ),
        (
            after("[[region]]\nname = \"a\"\ncentre = [5, 25]\nradius = 1"),
            "s.toml:9:1: region.0: the region must lie in the plan of the building: [0, 0] to [20, 16] m",
        ),
        (
            after("[[wall]]\nline = [[1, 1], [30, 1]]\nstorey = \"first\""),
            "s.toml:9:1: wall.0: the wall must lie in the plan",
        ),
        (
            after(
                "[[region]]\nname = \"a\"\ncentre = [5, 11]\nradius = 2\nstorey = \"first\"\n\
                 [[source]]\nname = \"a\"\nregion = \"a\"\nspecies = \"person\"\nnumber = 3",
            ),
            "s.toml:16:10: source.0.region = \"a\": the region must be clear of the stair or lift `west`",
        ),
        (
            after(
                "[species.other]\ncount = 1\nplace = { region = \"box\", centre = [19, 5], size = [4, 4], storey = \"first\" }",
            ),
            "s.toml:11:27: species.other.place: the region must lie in the world: [0, 0] to [20.0, 16.0]",
        ),
        (
            after(
                "[[region]]\nname = \"a\"\ncentre = [5, 2]\nradius = 1\n\
                   [species.other]\ncount = 1\nplace = { region = \"region:a\", storey = \"first\" }",
            ),
            "s.toml:15:32: species.other.place.storey: `region` does not use it",
        ),
        (
            "[[region]]\nname = \"a\"\ncentre = [5, 5]\nradius = 1\nstorey = \"first\"".to_owned(),
            "s.toml:7:10: region.0.storey = \"first\": unknown storey `first`",
        ),
    ];
    for (items, expected) in cases {
        let text = file(&items);
        let found = Scenario::parse(&text, "s.toml").map_or_else(|problems| problems.to_string(), |_| String::new());
        assert!(found.contains(expected), "{text}\n  gives {found}\n  not   {expected}");
    }
    let wraps = file(&after("")).replace("[20, 16]", "[20, 16]\nedge = [\"wrap\", \"bounce\"]");
    let found = Scenario::parse(&wraps, "s.toml").unwrap_err().to_string();
    let expected = "world.edge = [\"wrap\", \"bounce\"]: must be one of bounce, open, remove, respawn";
    assert!(found.contains(expected), "{found}");
    let space = file(&after("")).replace("dimensions = 2\nsize = [20, 16]", "dimensions = 3\nsize = [20, 16, 9]");
    let found = Scenario::parse(&space, "s.toml").unwrap_err().to_string();
    assert!(found.contains("s.toml:3:1: storey: needs a world of two dimensions"), "{found}");
}

/// Walls, obstacles, queues, lines and areas lie where their storey is.
#[test]
fn items_lie_on_their_storeys() {
    let text = file(&format!(
        "{STOREYS}{STAIR}[[wall]]\nname = \"w\"\nline = [[9, 1], [9, 5]]\nstorey = \"first\"\n\
         [[obstacle]]\ncentre = [15, 8]\nradius = 0.5\nstorey = \"first\"\n\
         [places.queue]\nline = [[10, 2], [18, 2]]\nstorey = \"first\"\n\
         [output.measures.line.door]\nfrom = [9, 5]\nto = [9, 16]\nstorey = \"first\"\n\
         [output.measures.area.front]\ncentre = [12, 12]\nsize = [2, 2]\n"
    ));
    let scenario = read(&text);
    let (storeys, world) = (scenario.storeys().unwrap(), scenario.build::<2>().unwrap());
    let first = |plan: [f32; 2]| storeys.position("first", plan).unwrap();
    let environment = world.environment();
    let wall = environment.walls.get(environment.walls.find("w").unwrap()).unwrap();
    assert_eq!(wall.shape.edges(), [[first([9.0, 1.0]), first([9.0, 5.0])]]);
    assert_eq!(environment.obstacles.items()[0].centre, first([15.0, 8.0]));
    let queue = &environment.places.items()[0];
    assert_eq!(queue.points[0], first([10.0, 2.0]));
    let recording = scenario.recording();
    assert_eq!(recording.lines[0].1, [first([9.0, 5.0]), first([9.0, 16.0])]);
    assert_eq!(environment.zones.len(), 1);
    assert_eq!(environment.regions.named("stair-west").unwrap().name, "stair-west");
}

/// Of two flights, one that carries up and one that carries down, people take the one that goes their way.
#[test]
fn people_take_the_escalator_that_goes_their_way() {
    for (from, to, expected) in [("ground", "first", "west"), ("first", "ground", "east")] {
        let text = house(from, to)
            .replace("run = [0, 6]\n", "run = [0, 6]\nescalator = 0.5\n")
            .replace("count = 60", "count = 20")
            + "[[stair]]\nname = \"east\"\nstoreys = [\"ground\", \"first\"]\nfoot = [[10, 4], [12, 4]]\nrun = [0, 6]\n\
               escalator = -0.5\n";
        let scenario = read(&text);
        let (storeys, mut world) = (scenario.storeys().unwrap(), scenario.build::<2>().unwrap());
        let mut on = [0, 0];
        while world.population() > 0 && world.tick() < 3000 {
            world.step();
            for at in positions(&world) {
                match storeys.locate(at).unwrap().name {
                    "west" => on[0] += 1,
                    "east" => on[1] += 1,
                    _ => {}
                }
            }
        }
        assert_eq!(world.population(), 0);
        let [taken, other] = if expected == "west" { on } else { [on[1], on[0]] };
        assert!(taken > 1000 && other == 0, "{from} to {to}: {on:?} people on west and east");
    }
}

/// A person walks on a flight at its speed on level ground times the factor of its kind, of its species or of the
/// stair. A world that is restored on the flight goes the same way.
#[test]
fn kinds_and_species_have_speeds_on_stairs() {
    let kinds = "kinds = [{ name = \"old\", share = 1.0, stairs_up = 0.3, stairs_down = 0.45 }]\n";
    let species = "stairs_up = 0.4\n";
    for (keys, up, down) in [("", 0.5, 0.6), (species, 0.4, 0.6), (kinds, 0.3, 0.45)] {
        for (from, to, factor) in [("ground", "first", up), ("first", "ground", down)] {
            let text = house(from, to).replace("count = 60\n", &format!("count = 1\nmax_speed = 1.2\n{keys}"));
            let scenario = read(&text);
            let (storeys, mut world) = (scenario.storeys().unwrap(), scenario.build::<2>().unwrap());
            let is_on_flight = |world: &World<2>| {
                let place = storeys.locate(positions(world)[0]).unwrap();
                place.name == "west" && (6.5..7.5).contains(&place.plan[1])
            };
            while !is_on_flight(&world) && world.tick() < 2000 {
                world.step();
            }
            let mut bytes = Vec::new();
            world.save(&mut bytes).unwrap();
            let mut restored = World::<2>::load(&bytes[..]).unwrap();
            let before = positions(&world)[0];
            for world in [&mut world, &mut restored] {
                (0..20).for_each(|_| world.step());
            }
            let speed = (positions(&world)[0] - before).length();
            assert!((speed - 1.2 * factor).abs() < 0.01, "{keys:?}, from {from}: {speed} m/s");
            assert_eq!(world.state_hash(), restored.state_hash());
        }
    }
}

/// On a landing people from the floor and from above share the way down: the floor has 38 to 57 % of the flow where both
/// queue (Galea, Sharp and Lawrence 2008; Boyce, Purser and Shields 2012).
#[test]
fn people_from_a_floor_merge_with_people_from_above() {
    let text = "format = 1\n[world]\ndimensions = 2\nsize = [12, 12]\ntick = 0.05\nseed = 1\n\
        [[storey]]\nname = \"ground\"\n[[storey]]\nname = \"first\"\nelevation = 3.5\n\
        [[storey]]\nname = \"second\"\nelevation = 7\n\
        [[stair]]\nname = \"lower\"\nstoreys = [\"ground\", \"first\"]\nfoot = [[0, 2], [1.4, 2]]\nrun = [0, 4]\n\
        [[stair]]\nname = \"upper\"\nstoreys = [\"first\", \"second\"]\nfoot = [[1.6, 6], [3, 6]]\nrun = [0, -4]\n\
        [[wall]]\nstorey = \"first\"\nline = [[0, 7.5], [3, 7.5], [3, 7.25]]\n\
        [[wall]]\nstorey = \"first\"\nline = [[3, 6.25], [3, 6]]\n\
        [[region]]\nname = \"exit\"\ncentre = [8, 0.75]\nsize = [2, 1.5]\n\
        [[sink]]\nname = \"exit\"\nregion = \"exit\"\n[navigation.out]\ngoals = [\"region:exit\"]\n";
    let species = |name: &str, storey: &str| {
        format!(
            "[species.{name}]\ncount = 110\npeople = true\nbehaviours = [{{ rule = \"walk_to\", goals = [\"out\"] }}]\n\
             place = {{ region = \"box\", centre = [8, 7], size = [7, 9], storey = \"{storey}\", speed = 0 }}\n"
        )
    };
    let scenario = read(&format!("{text}{}{}", species("floor", "first"), species("above", "second")));
    let (storeys, mut world) = (scenario.storeys().unwrap(), scenario.build::<2>().unwrap());
    // The agents of each species that are on the lower flight, on the ground or out.
    let down = |world: &World<2>| -> Vec<usize> {
        let of = |name: &str| {
            let agents = world.agents(world.find_species(name).unwrap()).unwrap();
            let is_above = |row: &usize| {
                let place = storeys.locate(agents.position(*row)).unwrap();
                !["lower", "ground"].contains(&place.name)
            };
            110 - (0..agents.len()).filter(is_above).count()
        };
        ["floor", "above"].map(of).to_vec()
    };
    (0..700).for_each(|_| world.step());
    let before = down(&world);
    (0..1000).for_each(|_| world.step());
    let [floor, above] = [0, 1].map(|species| (down(&world)[species] - before[species]) as f64);
    let share = floor / (floor + above);
    assert!(floor + above > 60.0 && (0.38..=0.57).contains(&share), "{floor} from the floor, {above} from above");
}
