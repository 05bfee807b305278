//! Tests of states, marks, obstacles, regions and flow fields of scenario files, and of the messages about mistakes.

use throng::{Catch, Condition, Edge, Event, Mark, Obstacle, Place, Shape, SpeciesFilter, Vector, World};
use throng_scenario::Scenario;

/// A valid file; the cases replace parts of it.
const GOOD: &str = r#"format = 1
[world]
dimensions = 2
size = [100.0, 50.0]
edge = "bounce"
[marks]
water = [80, 25]
[[obstacle]]
centre = [50, 25]
radius = 5
velocity = [1, 0]
[[region]]
name = "pond"
centre = [80, 25]
radius = 4
[[region]]
name = "barn"
centre = [10, 10]
size = [8, 4]
[fields.wind]
cells = [2, 1]
vectors = [[0, 1], [0, -1]]
[species.prey]
count = 3
behaviours = [{ rule = "arrive", target = "mark:water" }, { rule = "follow_flow_field", field = "wind" }]
[species.hunter]
count = 2
place = { region = "disc", centre = [50, 25], radius = 20 }
behaviours = [{ rule = "avoid_obstacles" }]
variables = { stamina = { start = 1, low = 0, high = 2 } }
catch = { whom = "prey", distance = 1.5, remove = true, during = ["hunt"] }
[species.hunter.states.hunt]
behaviours = [{ rule = "pursue", target = "nearest:prey", weight = 2 }]
rates = { stamina = -0.25 }
transitions = [
  { to = "rest", when = "stamina", below = 0.1 },
  { to = "rest", event = "caught" },
  { to = "rest", farther = ["prey"], distance = 30 },
]
[species.hunter.states.rest]
behaviours = [{ rule = "wander" }]
transitions = [{ to = "hunt", after = 3 }, { to = "hunt", nearer = "prey", distance = 2 }]
"#;

fn problems(text: &str) -> String {
    Scenario::parse(text, "s.toml").expect_err("an invalid file").to_string()
}

#[test]
fn a_valid_file_is_read() {
    let world = Scenario::parse(GOOD, "s.toml").unwrap_or_else(|problems| panic!("{problems}")).build::<2>().unwrap();
    let environment = world.environment();
    assert_eq!(environment.marks.items(), [Mark::new("water", [80.0, 25.0])]);
    let rock = Obstacle { velocity: Vector([1.0, 0.0]), ..Obstacle::new([50.0, 25.0], 5.0) };
    assert_eq!(environment.obstacles.items(), [rock]);
    let [pond, barn] = environment.regions.items() else { panic!("expected two regions") };
    assert_eq!((&pond.name[..], &barn.name[..]), ("pond", "barn"));
    assert_eq!(pond.shape, Shape::Ball { centre: Vector([80.0, 25.0]), radius: 4.0 });
    assert_eq!(barn.shape, Shape::Box { centre: Vector([10.0, 10.0]), half: Vector([4.0, 2.0]) });
    assert_eq!(environment.fields.named("wind").unwrap().vectors(), [Vector([0.0, 1.0]), Vector([0.0, -1.0])]);
    let hunter = world.species(world.find_species("hunter").unwrap()).unwrap();
    let rules: Vec<_> = hunter.rules.iter().map(|rule| (rule.behaviour.name(), &rule.during[..])).collect();
    let [hunt, rest] = ["hunt", "rest"].map(|name| [name.to_owned()]);
    assert_eq!(rules, [("avoid_obstacles", &[][..]), ("pursue", &hunt), ("wander", &rest)]);
    assert_eq!((&hunter.states[0].name[..], hunter.states.len()), ("hunt", 2));
    assert_eq!(hunter.states[0].rates, [("stamina".to_owned(), -0.25)]);
    let conditions: Vec<_> = hunter.states[0].transitions.iter().map(|transition| transition.when.clone()).collect();
    let prey = || SpeciesFilter::named("prey");
    let expected = [Condition::Below("stamina".to_owned(), 0.1), Condition::Caught, Condition::Farther(prey(), 30.0)];
    assert_eq!(conditions, expected);
    let during = vec!["hunt".to_owned()];
    assert_eq!(hunter.catch, Some(Catch { whom: prey(), distance: 1.5, remove: true, during }));
    assert_eq!((hunter.variables[0].start, hunter.variables[0].high), (1.0.into(), 2.0));
}

#[test]
fn a_hunter_of_a_file_hunts_and_rests() {
    let text = GOOD.replace("count = 2\nplace = { region = \"disc\", centre = [50, 25], radius = 20 }", "count = 2");
    let mut world = Scenario::parse(&text, "s.toml").unwrap().build::<2>().unwrap();
    let hunter = world.agents(world.find_species("hunter").unwrap()).unwrap().ids()[0];
    let mut seen = Vec::new();
    let mut caught = 0;
    for _ in 0..600 {
        world.step();
        caught += world.events().iter().filter(|event| matches!(event, Event::Caught { .. })).count();
        let state = world.explain(hunter).unwrap().state.unwrap();
        if seen.last() != Some(&state) {
            seen.push(state);
        }
    }
    assert!(seen.len() >= 3, "{seen:?}");
    assert_eq!(world.population(), 5 - caught);
}

/// Each case: the text that is replaced, its replacement, and the start of the message.
#[test]
fn every_mistake_is_reported_with_its_place_and_the_allowed_values() {
    let cases: &[(&str, &str, &str)] = &[
        // Environment.
        ("water = [80, 25]", "water = [80]", "s.toml:7:9: marks.water = [80]: must be an array of one number"),
        ("water = [80, 25]", "'a b' = [80, 25]", "s.toml:7:1: marks.a b: a name must be 1 to 64 letters, digits"),
        ("[marks]", "[mark]", "s.toml:6:2: mark: unknown key; did you mean `marks`?"),
        ("radius = 5", "radius = -5", "s.toml:10:10: obstacle.0.radius = -5: must be a number in [0, 1e6] m"),
        ("radius = 5\n", "\n", "s.toml:8:1: obstacle.0.radius: is missing: must be a number in [0, 1e6] m"),
        ("velocity = [1, 0]", "speed = 1", "s.toml:11:1: obstacle.0.speed: unknown key"),
        ("[[obstacle]]", "[obstacle]", "s.toml:8:1: obstacle = [obstacle]: must be an array of tables"),
        ("radius = 4", "", "s.toml:12:1: region.0: must have either a radius or a size"),
        ("radius = 4", "radius = 4\nsize = [1, 1]", "s.toml:12:1: region.0: must have either a radius or a size"),
        ("\"barn\"", "\"pond\"", "s.toml:17:8: region.1.name = \"pond\": must be a name that no other region has"),
        ("cells = [2, 1]", "cells = [3, 1]", "s.toml:22:1: fields.wind.vectors: there are 2 vectors, and 3 cells"),
        ("cells = [2, 1]", "cells = [2, 0]", "s.toml:21:9: fields.wind.cells = [2, 0]: must be an array of one whole"),
        ("[0, -1]]", "[0]]", "s.toml:22:11: fields.wind.vectors = [[0, 1], [0]]: must be an array of vectors"),
        // Names in rules.
        (
            "\"mark:water\"",
            "\"mark:watre\"",
            "s.toml:25:43: species.prey.behaviours.0.target = \"mark:watre\": unknown mark `watre`; did you mean `water`?",
        ),
        (
            "field = \"wind\"",
            "field = \"storm\"",
            "s.toml:25:97: species.prey.behaviours.1.field = \"storm\": unknown flow field `storm`",
        ),
        (
            "\"nearest:prey\"",
            "\"nearest:pray\"",
            "s.toml:33:43: species.hunter.states.hunt.behaviours.0.target = \"nearest:pray\": unknown species `pray`; did you mean `prey`?",
        ),
        // Places among obstacles.
        (
            "centre = [50, 25], radius = 20 }",
            "centre = [50, 25], radius = 4 }",
            "s.toml:28:28: species.hunter.place: is inside an obstacle",
        ),
        (
            "{ region = \"disc\", centre = [50, 25], radius = 20 }",
            "{ region = \"point\", centre = [51, 25] }",
            "s.toml:28:29: species.hunter.place: is inside an obstacle",
        ),
        ("radius = 5", "radius = 500", "s.toml:23:10: species.prey: is inside an obstacle"),
        // States.
        (
            "to = \"rest\", when",
            "to = \"rset\", when",
            "s.toml:36:10: species.hunter.states.hunt.transitions.0.to = \"rset\": unknown state `rset`; did you mean `rest`?",
        ),
        (
            "when = \"stamina\"",
            "when = \"strength\"",
            "s.toml:36:25: species.hunter.states.hunt.transitions.0.when = \"strength\": unknown variable `strength`",
        ),
        ("below = 0.1", "below = nan", "s.toml:36:44: species.hunter.states.hunt.transitions.0.below = nan: must be"),
        (
            "below = 0.1",
            "below = -0.5",
            "s.toml:36:44: species.hunter.states.hunt.transitions.0.below = -0.5: must be a number in [0, ",
        ),
        (", below = 0.1", "", "s.toml:36:3: species.hunter.states.hunt.transitions.0: must have one of below, above"),
        ("below = 0.1", "below = 0.1, above = 1", "s.toml:36:3: species.hunter.states.hunt.transitions.0: must have"),
        (
            "when = \"stamina\", ",
            "",
            "s.toml:36:3: species.hunter.states.hunt.transitions.0.when: is missing: `below` needs it",
        ),
        (
            "after = 3",
            "after = 3, distance = 1",
            "s.toml:42:42: species.hunter.states.rest.transitions.0.distance: `after` does not use it",
        ),
        (
            "event = \"caught\"",
            "event = \"cought\"",
            "s.toml:37:26: species.hunter.states.hunt.transitions.1.event = \"cought\": must be one of caught, was_caught, arrived",
        ),
        (
            "farther = [\"prey\"]",
            "farther = [\"pray\"]",
            "s.toml:38:28: species.hunter.states.hunt.transitions.2.farther = [\"pray\"]: unknown species `pray`; did you mean `prey`?",
        ),
        (
            "nearer = \"prey\"",
            "nearer = 7",
            "s.toml:42:68: species.hunter.states.rest.transitions.1.nearer = 7: must be \"own\", \"all\"",
        ),
        (
            "nearer = \"prey\"",
            "nearer = \"mark:watre\"",
            "s.toml:42:68: species.hunter.states.rest.transitions.1.nearer = \"mark:watre\": unknown mark `watre`; did you mean `water`?",
        ),
        (
            "nearer = \"prey\"",
            "nearer = \"region:pnod\"",
            "s.toml:42:68: species.hunter.states.rest.transitions.1.nearer = \"region:pnod\": unknown region `pnod`; did you mean `pond`?",
        ),
        (
            "nearer = \"prey\"",
            "nearer = \"sea:prey\"",
            "s.toml:42:68: species.hunter.states.rest.transitions.1.nearer = \"sea:prey\": unknown species `sea:prey`",
        ),
        (
            "nearer = \"prey\"",
            "nearer = [1, 2, 3]",
            "s.toml:42:68: species.hunter.states.rest.transitions.1.nearer = [1, 2, 3]: must be \"own\", \"all\"",
        ),
        (
            "\"nearest:prey\"",
            "\"kept:pray\"",
            "s.toml:33:43: species.hunter.states.hunt.behaviours.0.target = \"kept:pray\": unknown species `pray`; did you mean `prey`?",
        ),
        (
            "rates = { stamina = -0.25 }",
            "rates = { stamin = -0.25 }",
            "s.toml:34:11: species.hunter.states.hunt.rates.stamin: unknown variable `stamin`; did you mean `stamina`?",
        ),
        (
            "stamina = -0.25",
            "stamina = inf",
            "s.toml:34:21: species.hunter.states.hunt.rates.stamina = inf: must be a number in [-1e6, 1e6] per second",
        ),
        (
            "start = 1, low",
            "start = 3, low",
            "s.toml:30:15: species.hunter.variables.stamina: must have low <= start <= high",
        ),
        (
            "start = 1, low = 0",
            "start = 1",
            "s.toml:30:15: species.hunter.variables.stamina.low: is missing: must be a number in [-1e6, 1e6]",
        ),
        (
            "during = [\"hunt\"]",
            "during = [\"hunting\"]",
            "s.toml:31:66: species.hunter.catch.during = [\"hunting\"]: unknown state `hunting`",
        ),
        ("remove = true", "remove = 1", "s.toml:31:51: species.hunter.catch.remove = 1: must be true or false"),
        (
            "[species.hunter.states.rest]",
            "[species.hunter.states.sleep]\n[species.hunter.states.rest]",
            "s.toml:40:24: species.hunter.states.sleep: no transition leads from `hunt`, where agents start, to `sleep`",
        ),
        (
            "{ rule = \"wander\" }",
            "{ rule = \"wonder\" }",
            "s.toml:41:24: species.hunter.states.rest.behaviours.0.rule = \"wonder\": unknown rule; did you mean `wander`?",
        ),
    ];
    let mut wrong_ones = Vec::new();
    for (right, wrong, expected) in cases {
        assert!(GOOD.contains(right), "{right}");
        let message = problems(&GOOD.replacen(right, wrong, 1));
        if !message.lines().any(|line| line.starts_with(expected)) {
            wrong_ones.push(format!("{wrong}\nexpected: {expected}\nis: {message}"));
        }
    }
    assert!(wrong_ones.is_empty(), "{}", wrong_ones.join("\n\n"));
}

#[test]
fn every_unknown_name_of_a_list_is_reported() {
    let message = problems(&GOOD.replacen("during = [\"hunt\"]", "during = [\"chase\", \"hunt\", \"doze\"]", 1));
    for name in ["chase", "doze"] {
        assert!(message.contains(&format!("unknown state `{name}`")), "{message}");
    }
}

#[test]
fn only_agents_inside_an_obstacle_are_placed_again() {
    let many = GOOD.replace("count = 2", "count = 2000");
    let world = Scenario::parse(&many, "s.toml").unwrap().build::<2>().unwrap();
    let hunters = world.agents(world.find_species("hunter").unwrap()).unwrap();
    let centre = Vector([50.0, 25.0]);
    assert!((0..hunters.len()).all(|row| (hunters.position(row) - centre).length() >= 5.5));
    // Agents whose first place is outside the obstacle are where they are without it.
    let clear = many.replace("radius = 5\n", "radius = 0\n");
    let clear = Scenario::parse(&clear, "s.toml").unwrap().build::<2>().unwrap();
    let others = clear.agents(clear.find_species("hunter").unwrap()).unwrap();
    let same = (0..hunters.len()).filter(|&row| hunters.position(row) == others.position(row)).count();
    assert!((1800..2000).contains(&same), "{same}");
}

#[test]
fn three_dimensions_and_overrides() {
    let text = GOOD
        .replace("dimensions = 2", "dimensions = 3")
        .replace("size = [100.0, 50.0]", "size = [100.0, 50.0, 50.0]")
        .replace("[80, 25]", "[80, 25, 25]")
        .replace("[50, 25]", "[50, 25, 25]")
        .replace("[1, 0]", "[1, 0, 0]")
        .replace("[10, 10]\nsize = [8, 4]", "[10, 10, 10]\nsize = [8, 4, 2]")
        .replace("[2, 1]\nvectors = [[0, 1], [0, -1]]", "[2, 1, 1]\nvectors = [[0, 1, 0], [0, -1, 0]]");
    let sets = [
        "obstacle.0.radius=2",
        "marks.water=[1, 2, 3]",
        "species.hunter.states.hunt.rates.stamina=-1",
        "species.hunter.states.hunt.pursue.weight=3",
        "species.hunter.states.rest.transitions.0.after=9",
        "species.hunter.catch.distance=0.5",
        "species.hunter.variables.stamina.start=0.5",
        "world.edge=wrap",
    ];
    let scenario = Scenario::parse_with(&text, "s.toml", &sets.map(str::to_owned)).unwrap_or_else(|p| panic!("{p}"));
    let world = scenario.build::<3>().unwrap();
    assert_eq!(world.settings().edge, [Edge::Wrap; 3]);
    assert_eq!(world.environment().obstacles.items()[0].radius, 2.0);
    assert_eq!(world.environment().marks.items(), [Mark::new("water", [1.0, 2.0, 3.0])]);
    let hunter = world.species(world.find_species("hunter").unwrap()).unwrap();
    assert_eq!(hunter.states[0].rates[0].1, -1.0);
    assert_eq!(hunter.rules[1].weight, 3.0);
    assert_eq!(hunter.states[1].transitions[0].when, Condition::After(9.0));
    assert_eq!(hunter.catch.as_ref().unwrap().distance, 0.5);
    assert_eq!(hunter.variables[0].start, 0.5.into());
    let wrong = ["species.hunter.states.hunt.pursue.wait=3".to_owned()];
    let message = Scenario::parse_with(GOOD, "s.toml", &wrong).unwrap_err().to_string();
    assert!(message.starts_with("--set species.hunter.states.hunt.pursue.wait=3: "), "{message}");
}

/// A world of one kilometre with ticks of one second, from a scenario file that ends in `text`.
fn world(text: &str) -> World<2> {
    let head = "format = 1\n[world]\ndimensions = 2\nsize = [1000, 1000]\nedge = \"open\"\ntick = 1\n";
    let scenario = Scenario::parse(&format!("{head}{text}"), "s.toml");
    scenario.unwrap_or_else(|problems| panic!("{problems}")).build::<2>().unwrap()
}

/// Runs a world and returns each change of state of a species' first agent, with its tick.
fn changes(world: &mut World<2>, species: &str, ticks: u64) -> Vec<(u64, String)> {
    let id = world.agents(world.find_species(species).unwrap()).unwrap().ids()[0];
    let mut changes: Vec<(u64, String)> = Vec::new();
    for _ in 0..ticks {
        world.step();
        let state = world.explain(id).unwrap().state.unwrap();
        if changes.last().is_none_or(|(_, last)| *last != state) {
            changes.push((world.tick(), state));
        }
    }
    changes
}

#[test]
fn a_hunter_hunts_for_a_hundred_ticks_and_rests_for_two_hundred() {
    let mut world = world(
        r#"
[species.hunter]
count = 1
variables = { stamina = { start = 200, low = 0, high = 200 } }
[species.hunter.states.hunt]
rates = { stamina = -2 }
transitions = [{ to = "rest", when = "stamina", below = 0 }]
[species.hunter.states.rest]
rates = { stamina = 1 }
transitions = [{ to = "hunt", when = "stamina", above = 200 }]
"#,
    );
    // The thresholds are the bounds to which the variable is clamped.
    let expected = [(1, "hunt"), (100, "rest"), (300, "hunt"), (400, "rest"), (600, "hunt")];
    assert_eq!(changes(&mut world, "hunter", 650), expected.map(|(tick, state)| (tick, state.to_owned())));
}

#[test]
fn the_pointer_is_sought_within_300_metres() {
    let mut world = world(
        r#"
[marks]
pointer = [900, 500]
[species.moth]
count = 1
place = { region = "point", centre = [500, 500], speed = 0 }
[species.moth.states.idle]
transitions = [{ to = "chase", nearer = "mark:pointer", distance = 300 }]
[species.moth.states.chase]
behaviours = [{ rule = "seek", target = "mark:pointer" }]
transitions = [{ to = "idle", farther = "mark:pointer", distance = 300 }]
"#,
    );
    let moth = world.agents(world.find_species("moth").unwrap()).unwrap().ids()[0];
    for (pointer, state, steers) in [
        ([900.0, 500.0], "idle", 0.0),
        ([800.5, 500.0], "idle", 0.0),
        ([800.0, 500.0], "chase", 1.0),
        ([200.0, 500.0], "chase", -1.0),
        ([199.0, 500.0], "idle", 0.0),
        ([500.0, 801.0], "idle", 0.0),
    ] {
        world.environment_mut().marks.put(Mark::new("pointer", pointer)).unwrap();
        world.set_position(moth, [500.0, 500.0]).unwrap();
        world.set_velocity(moth, [0.0, 0.0]).unwrap();
        world.step();
        assert_eq!(world.explain(moth).unwrap().state.as_deref(), Some(state), "{pointer:?}");
        assert_eq!(world.steering_of(moth).unwrap().direction(), Vector([steers, 0.0]), "{pointer:?}");
    }
}

#[test]
fn a_distance_to_a_place_is_to_a_point_a_mark_or_a_region() {
    let places = [
        ("[80, 25]", Place::Point(vec![80.0, 25.0])),
        ("\"mark:water\"", Place::Mark("water".to_owned())),
        ("\"region:pond\"", Place::Region("pond".to_owned())),
    ];
    for (word, place) in places {
        let text = GOOD.replacen("nearer = \"prey\"", &format!("nearer = {word}"), 1);
        let text = text.replacen("farther = [\"prey\"]", &format!("farther = {word}"), 1);
        let world = Scenario::parse(&text, "s.toml").unwrap().build::<2>().unwrap();
        let hunter = world.species(world.find_species("hunter").unwrap()).unwrap();
        assert_eq!(hunter.states[1].transitions[1].when, Condition::NearerPlace(place.clone(), 2.0));
        assert_eq!(hunter.states[0].transitions[2].when, Condition::FartherPlace(place, 30.0));
    }
}

#[test]
fn a_kept_prey_is_hunted_until_the_hunter_rests() {
    for (target, keeps) in [("kept:prey", true), ("nearest:prey", false)] {
        let text = r#"
[species.prey]
count = 2
place = { region = "point", centre = [500, 500], speed = 0 }
[species.hunter]
count = 1
place = { region = "point", centre = [500, 500], speed = 0 }
max_speed = 0.001           # metres per second
[species.hunter.states.hunt]
behaviours = [{ rule = "pursue", target = "TARGET" }]
transitions = [{ to = "rest", after = 5 }]
[species.hunter.states.rest]
transitions = [{ to = "hunt", after = 2 }]
"#;
        let mut world = world(&text.replace("TARGET", target));
        let ids = |name: &str| world.agents(world.find_species(name).unwrap()).unwrap().ids().to_vec();
        let (prey, hunter) = (ids("prey"), ids("hunter")[0]);
        let step = |world: &mut World<2>, right: f32, left: f32| {
            world.set_position(prey[0], [500.0 + right, 500.0]).unwrap();
            if world.contains(prey[1]) {
                world.set_position(prey[1], [500.0 - left, 500.0]).unwrap();
            }
            world.set_velocity(hunter, [0.0, 0.0]).unwrap();
            world.step();
            world.steering_of(hunter).unwrap()[0]
        };
        assert!(step(&mut world, 10.0, 20.0) > 0.0, "{target}: the prey on the right is nearer");
        assert_eq!(step(&mut world, 30.0, 20.0) > 0.0, keeps, "{target}: the prey on the left is nearer now");
        // Questions change nothing, and a clone of the world keeps the memory.
        world.explain(hunter).unwrap();
        world = world.clone();
        assert_eq!(step(&mut world, 30.0, 5.0) > 0.0, keeps, "{target}");
        // The hunter rests in the fifth and the sixth tick.
        step(&mut world, 30.0, 5.0);
        assert_eq!([step(&mut world, 30.0, 5.0), step(&mut world, 30.0, 5.0)], [0.0; 2], "{target}: the hunter rests");
        assert!(step(&mut world, 30.0, 5.0) < 0.0, "{target}: the hunter chooses the prey on the left");
        assert_eq!(step(&mut world, 3.0, 5.0) < 0.0, keeps, "{target}");
        world.despawn(prey[1]).unwrap();
        assert!(step(&mut world, 30.0, 5.0) > 0.0, "{target}: the kept prey was removed");
    }
}

/// Fireflies with a statement, whose text begins in column 5 of line 10.
fn fireflies(statements: &str) -> String {
    format!(
        "format = 1\n[world]\ndimensions = 2\nsize = [9.0, 9.0]\n[species.fly]\ncount = 5\nvariables = {{ phase = \
         {{ start = [0, 6], low = 0, high = 9 }} }}\n[[species.fly.behaviours]]\nrule = \"expression\"\nset = {statements}\n"
    )
}

#[test]
fn a_mistake_in_a_statement_has_its_column() {
    let cases = [
        ("\"phase += sin(phse)\"", "s.toml:10:21: ", "unknown name `phse`"),
        ("[\"let a = 1\", \"phase += sin(phase_j)\"]", "s.toml:10:35: ", "`phase_j` is of a neighbour"),
        ("'''\nphase = 2 +\n'''", "s.toml:12:1: ", "expected a value before the end"),
        ("\"phase = mean(phas_j)\"", "s.toml:10:21: ", "did you mean `phase_j`?"),
        ("\"phase = \\u0032 +\"", "s.toml:10:7: ", "expected a value before the end"),
        ("3", "s.toml:10:7: ", "must be a statement such as"),
    ];
    for (statements, place, reason) in cases {
        let message = problems(&fireflies(statements));
        assert!(message.contains(place) && message.contains(reason), "{statements}: {message}");
    }
    // A variable of any other species may be a neighbour's.
    let other = "[species.bell]\ncount = 1\nvariables = { tone = { start = 1, low = 0, high = 2 } }\n";
    let seen = fireflies("\"phase = mean(tone_j)\"") + "from = \"all\"\n" + other;
    Scenario::parse(&seen, "s.toml").unwrap_or_else(|problems| panic!("{problems}"));
    assert!(problems(&seen.replace("tone_j", "tune_j")).contains("did you mean `tone_j`?"));
}

#[test]
fn a_start_may_be_drawn() {
    let world = Scenario::parse(&fireflies("\"phase += 0\""), "s.toml").unwrap().build::<2>().unwrap();
    let fly = world.species_ids().next().unwrap();
    let phases = world.agents(fly).unwrap().column::<f32>("phase").unwrap();
    assert!(phases.windows(2).all(|pair| pair[0] != pair[1]) && phases.iter().all(|phase| (0.0..6.0).contains(phase)));
    let wrong = fireflies("\"phase += 0\"").replace("[0, 6]", "[0, 12]");
    assert!(problems(&wrong).contains("must have low <= start <= high"));
}
