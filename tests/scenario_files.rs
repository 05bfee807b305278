//! Tests that an invalid scenario file is refused with the mistake, its place and the allowed values.

#![cfg(feature = "scenario")]

use throng::Scenario;
use throng::parameters::{Allowed, Kind, Range};
use throng::scenario::{BuildError, LARGEST_FILE, Location, MOST_RULES, MOST_SPECIES, Problem, Reason};

/// A valid file, of which the cases replace parts.
const GOOD: &str = r#"format = 1
[world]
dimensions = 2
size = [100.0, 50.0]
edge = "bounce"
tick = 0.02
seed = 7
[species.starling]
count = 20
place = { region = "disc", centre = [50.0, 25.0], radius = 20.0, heading = 90, speed = [1, 2] }
max_speed = [5, 9]
behaviours = [
  { rule = "separation", radius = 2.0, weight = 1.5 },
  { rule = "alignment", fov = 270.0, from = "all" },
]
[species.hawk]
count = 1
behaviours = [{ rule = "cohesion", from = ["starling"] }]
[output]
trajectory = { every = 10 }
"#;

fn problems(text: &str) -> String {
    Scenario::parse(text, "s.toml").expect_err("an invalid file").to_string()
}

#[test]
fn a_valid_file_is_read() {
    let scenario = Scenario::parse(GOOD, "folder/s.toml").unwrap();
    assert_eq!((scenario.name(), scenario.dimensions(), scenario.seed(), scenario.agents()), ("s", 2, 7, 21));
    assert_eq!(scenario.output().trajectory_every, Some(10));
    let world = scenario.build::<2>().unwrap();
    // Species keep the order of the file, which is not alphabetical.
    let names: Vec<&str> = world.species_ids().map(|id| world.agents(id).unwrap().name()).collect();
    assert_eq!(names, ["starling", "hawk"]);
    let starlings = world.agents(world.species_named("starling").unwrap()).unwrap();
    for row in 0..starlings.len() {
        let from_centre = starlings.position(row) - [50.0, 25.0].into();
        assert!(from_centre.length() <= 20.0);
        let velocity = starlings.velocity(row);
        assert!(velocity[0].abs() < 1e-6 && (1.0..=2.0).contains(&velocity[1]), "{velocity:?}");
        assert!((5.0..=9.0).contains(&starlings.max_speed(row)));
    }
}

#[test]
fn equal_files_give_equal_worlds_and_another_seed_another_world() {
    let hash = |text: &str| Scenario::parse(text, "s.toml").unwrap().build::<2>().unwrap().state_hash();
    assert_eq!(hash(GOOD), hash(GOOD));
    assert_ne!(hash(GOOD), hash(&GOOD.replace("seed = 7", "seed = 8")));
}

#[test]
fn another_species_does_not_move_the_agents_before_it() {
    let more = format!("{GOOD}\n[species.crow]\ncount = 5\n");
    let world = |text: &str| Scenario::parse(text, "s.toml").unwrap().build::<2>().unwrap();
    let (few, many) = (world(GOOD), world(&more));
    for id in few.species_ids() {
        assert_eq!(few.agents(id).unwrap().positions(), many.agents(id).unwrap().positions());
    }
}

/// Each case: the text that is replaced, its replacement, and the start of the message.
#[test]
fn every_mistake_is_reported_with_its_place_and_the_allowed_values() {
    let cases: &[(&str, &str, &str)] = &[
        // The file as a whole.
        ("format = 1", "", "s.toml:1:1: format: is missing: must be 1"),
        ("format = 1", "format = 2", "s.toml:1:10: format = 2: this program reads format = 1 only"),
        ("format = 1", "format = '1'", "s.toml:1:10: format = '1': must be 1"),
        ("[output]", "[outputs]", "s.toml:19:2: outputs: unknown key; did you mean `output`? (one of format, "),
        // The world.
        ("size = ", "sise = ", "s.toml:4:1: world.sise: unknown key; did you mean `size`? (one of name, "),
        ("dimensions = 2", "dimensions = 4", "s.toml:3:14: world.dimensions = 4: must be a whole number from 2 to 3"),
        ("dimensions = 2\n", "", "s.toml:2:2: world.dimensions: is missing: must be a whole number from 2 to 3"),
        (
            "[100.0, 50.0]",
            "[100.0, 0]",
            "s.toml:4:8: world.size = [100.0, 0]: must be an array of one number per dimension, each in [0.000001, 1e6] m",
        ),
        ("[100.0, 50.0]", "[100.0, -5]", "s.toml:4:8: world.size = [100.0, -5]: must be an array"),
        ("[100.0, 50.0]", "[100.0]", "s.toml:4:8: world.size = [100.0]: must be an array"),
        ("[100.0, 50.0]", "[100, 50, 20]", "s.toml:4:8: world.size = [100, 50, 20]: must be an array"),
        ("[100.0, 50.0]", "[1e-60, 50.0]", "s.toml:4:8: world.size = [1e-60, 50.0]: must be an array"),
        (
            "\"bounce\"",
            "\"bouncy\"",
            "s.toml:5:8: world.edge = \"bouncy\": must be one of wrap, bounce, open, remove, respawn, or an array of one per dimension",
        ),
        (
            "\"bounce\"",
            "[\"wrap\", \"bouncy\"]",
            "s.toml:5:8: world.edge = [\"wrap\", \"bouncy\"]: must be one of wrap, ",
        ),
        ("\"bounce\"", "[\"wrap\"]", "s.toml:5:8: world.edge = [\"wrap\"]: must be one of wrap, "),
        ("\"bounce\"", "[]", "s.toml:5:8: world.edge = []: must be one of wrap, "),
        ("\"bounce\"", "[1, 2]", "s.toml:5:8: world.edge = [1, 2]: must be one of wrap, "),
        ("tick = 0.02", "tick = 0", "s.toml:6:8: world.tick = 0: must be a number in (0, 1000] s"),
        ("tick = 0.02", "tick = -0.02", "s.toml:6:8: world.tick = -0.02: must be a number in (0, 1000] s"),
        ("tick = 0.02", "tick = nan", "s.toml:6:8: world.tick = nan: must be a number in (0, 1000] s"),
        ("tick = 0.02", "tick = 2026-11-20", "s.toml:6:8: world.tick = 2026-11-20: must be a number in (0, 1000] s"),
        ("seed = 7", "seed = -7", "s.toml:7:8: world.seed = -7: must be a whole number from 0 to 9223372036854775807"),
        (
            "seed = 7",
            "seed = 7.5",
            "s.toml:7:8: world.seed = 7.5: must be a whole number from 0 to 9223372036854775807",
        ),
        (
            "seed = 7",
            "seed = 9223372036854775808",
            "s.toml:7:8: world.seed = 9223372036854775808: must be a whole number from 0 to 9223372036854775807",
        ),
        (
            "seed = 7",
            "pair_budget = 8",
            "s.toml:7:15: world.pair_budget = 8: must be a whole number from 64 on, or \"off\"",
        ),
        ("seed = 7", "candidate_cap = 8", "s.toml:7:1: world.candidate_cap: is not a key any more: see `pair_budget`"),
        ("seed = 7", "name = \"a\\nb\"", "s.toml:7:8: world.name = \"a\\nb\": must be a text on one line"),
        ("seed = 7", "ticks = true", "s.toml:7:9: world.ticks = true: must be a whole number from 0 to "),
        // Species.
        ("count = 20", "count = -1", "s.toml:9:9: species.starling.count = -1: must be a whole number from 0 to "),
        ("count = 20", "count = 1.5", "s.toml:9:9: species.starling.count = 1.5: must be a whole number"),
        ("count = 20\n", "\n", "s.toml:8:10: species.starling.count: is missing: must be a whole number"),
        (
            "[5, 9]",
            "[9, 5]",
            "s.toml:11:13: species.starling.max_speed = [9, 5]: must be a number in [0, 1e6] m/s, [low, high] for a draw",
        ),
        ("[5, 9]", "1e39", "s.toml:11:13: species.starling.max_speed = 1e39: must be a number in [0, 1e6] m/s"),
        ("[5, 9]", "inf", "s.toml:11:13: species.starling.max_speed = inf: must be a number in [0, 1e6] m/s"),
        ("[5, 9]", "-0.5", "s.toml:11:13: species.starling.max_speed = -0.5: must be a number in [0, 1e6] m/s"),
        (
            "max_speed = [5, 9]",
            "mass = 0",
            "s.toml:11:8: species.starling.mass = 0: must be a number in [0.000001, 1e6] kg",
        ),
        (
            "max_speed = [5, 9]",
            "response = [1, 2]",
            "s.toml:11:12: species.starling.response = [1, 2]: must be a number in [0.000001, 1e6] s",
        ),
        (
            "max_speed = [5, 9]",
            "threshold = 1",
            "s.toml:11:1: species.starling.threshold: only combine = \"priority\" uses it",
        ),
        (
            "max_speed = [5, 9]",
            "combine = \"sum\"",
            "s.toml:11:11: species.starling.combine = \"sum\": must be one of weighted, priority, truncated",
        ),
        ("[species.hawk]", "[species.all]", "s.toml:16:10: species.all: a species cannot be named `all`"),
        ("[species.hawk]", "[species.'a,b']", "s.toml:16:10: species.a,b: the name of a species is 1 to 64 letters"),
        ("[species.hawk]\ncount = 1", "[species]\nhawk = 1", "s.toml:17:8: species.hawk = 1: must be a table"),
        // Places.
        (
            "\"disc\"",
            "\"disk\"",
            "s.toml:10:20: species.starling.place.region = \"disk\": must be one of all, disc, circle, box, point",
        ),
        ("radius = 20.0, ", "", "s.toml:10:1: species.starling.place.radius: is missing: the region `disc` needs it"),
        ("\"disc\"", "\"point\"", "s.toml:10:52: species.starling.place.radius: the region `point` does not use it"),
        (
            "radius = 20.0",
            "radius = 30.0",
            "s.toml:10:28: species.starling.place: the region must lie in the world: [0, 0] to [100.0, 50.0]",
        ),
        (
            "heading = 90",
            "heading = [0, 0]",
            "s.toml:10:76: species.starling.place.heading = [0, 0]: must be \"random\", a vector",
        ),
        (
            "heading = 90",
            "heading = 'up'",
            "s.toml:10:76: species.starling.place.heading = 'up': must be \"random\", a vector",
        ),
        (
            "speed = [1, 2]",
            "speed = -1",
            "s.toml:10:88: species.starling.place.speed = -1: must be a number in [0, 1e6] m/s",
        ),
        // Rules.
        (
            "\"separation\"",
            "\"seperation\"",
            "s.toml:13:12: species.starling.behaviours.0.rule = \"seperation\": unknown rule; did you mean `separation`? (one of seek, ",
        ),
        (
            "rule = \"separation\", ",
            "",
            "s.toml:13:3: species.starling.behaviours.0.rule: is missing: must be the name of a rule",
        ),
        ("\"separation\"", "7", "s.toml:13:12: species.starling.behaviours.0.rule = 7: unknown rule (one of seek, "),
        (
            "radius = 2.0, weight",
            "radius = nan, weight",
            "s.toml:13:35: species.starling.behaviours.0.radius = nan: must be a number in [0, 1e6] m",
        ),
        (
            "radius = 2.0, weight",
            "radius = 1e39, weight",
            "s.toml:13:35: species.starling.behaviours.0.radius = 1e39: must be a number in [0, 1e6] m",
        ),
        (
            "radius = 2.0, weight",
            "radius = \"far\", weight",
            "s.toml:13:35: species.starling.behaviours.0.radius = \"far\": must be a number in [0, 1e6] m",
        ),
        (
            "weight = 1.5",
            "weight = inf",
            "s.toml:13:49: species.starling.behaviours.0.weight = inf: must be a number in [-1e6, 1e6]",
        ),
        ("weight = 1.5", "wait = 1.5", "s.toml:13:40: species.starling.behaviours.0.wait: unknown key"),
        (
            "fov = 270.0",
            "fov = 400",
            "s.toml:14:31: species.starling.behaviours.1.fov = 400: must be a number in [0, 360] degrees",
        ),
        (
            "\"all\"",
            "\"hawks\"",
            "s.toml:14:45: species.starling.behaviours.1.from = \"hawks\": unknown species `hawks`; did you mean `hawk`? (one of starling, hawk)",
        ),
        (
            "[\"starling\"]",
            "[\"starling\", \"owl\"]",
            "s.toml:18:43: species.hawk.behaviours.0.from = [\"starling\", \"owl\"]: unknown species `owl` (one of starling, hawk)",
        ),
        (
            "[{ rule = \"cohesion\", from = [\"starling\"] }]",
            "\"cohesion\"",
            "s.toml:18:14: species.hawk.behaviours = \"cohesion\": must be an array of tables",
        ),
        (
            "[{ rule = \"cohesion\", from = [\"starling\"] }]",
            "[1]",
            "s.toml:18:15: species.hawk.behaviours.0 = 1: must be a table",
        ),
        // The output of a run.
        ("every = 10", "every = 0", "s.toml:20:24: output.trajectory.every = 0: must be a whole number from 1 to "),
        (
            "trajectory = { every = 10 }",
            "picture = { colour = \"red\" }",
            "s.toml:20:22: output.picture.colour = \"red\": must be one of species, heading, speed, neighbours, state",
        ),
        // Invalid TOML.
        ("tick = 0.02", "tick = ", "s.toml:6:8: not TOML: "),
        ("seed = 7", "seed = 7\nseed = 8", "s.toml:8:1: not TOML: "),
        ("[world]", "[world", "s.toml:2:7: not TOML: "),
    ];
    for (right, wrong, expected) in cases {
        assert!(GOOD.contains(right), "{right}");
        let text = GOOD.replacen(right, wrong, 1);
        let message = problems(&text);
        assert!(message.lines().any(|line| line.starts_with(expected)), "{wrong}\nexpected: {expected}\nis: {message}");
    }
}

/// The kind of a problem, its key, value, allowed range and known names are known without reading a message.
#[test]
fn mistakes_in_motions_and_goals_are_reported_with_the_known_names() {
    let file = |motion: &str, goals: &str| {
        format!("{GOOD}\n[species.fish]\ncount = 1\nmotion = {motion}\n[navigation.out]\ngoals = {goals}\n")
    };
    let cases = [
        ("\"kinematic\"", "species.fish.motion = \"kinematic\": must be "),
        ("{ speed = 1.0 }", "species.fish.motion.model: is missing"),
        ("{ model = \"kinematik\" }", "species.fish.motion.model = \"kinematik\": "),
    ];
    for (motion, said) in cases {
        let problems = problems(&file(motion, "[]"));
        assert!(problems.contains("s.toml:24:") && problems.contains(said), "{problems}");
    }
    assert!(problems(&file("{ model = \"kinematik\" }", "[]")).contains("did you mean `kinematic`?"));
    for (goals, said) in [("[\"region:exit\"]", "exit"), ("[\"mark:door\"]", "door"), ("[\"exit\"]", "unknown goal")] {
        let problems = problems(&file("{ model = \"kinematic\" }", goals));
        assert!(problems.contains("s.toml:26:") && problems.contains("navigation.out.goals"), "{problems}");
        assert!(problems.contains(said), "{problems}");
    }
}

#[test]
fn problems_are_data() {
    let first = |right: &str, wrong: &str| {
        assert!(GOOD.contains(right), "{right}");
        let problems = Scenario::parse(&GOOD.replacen(right, wrong, 1), "s.toml").unwrap_err();
        let Problem { place, key, value, reason } = problems.list()[0].clone();
        let Location::Text { line, .. } = place else { panic!("{place:?}") };
        (line, key, value.unwrap_or_default(), reason)
    };
    let (line, key, value, reason) = first("tick = 0.02", "tick = -1");
    assert_eq!((line, &key[..], &value[..]), (6, "world.tick", "-1"));
    assert_eq!(reason.allowed().and_then(Allowed::range), Some(Range::above(0.0, 1000.0)));
    let (_, key, value, reason) = first("weight = 1.5", "weight = inf");
    assert_eq!((&key[..], &value[..]), ("species.starling.behaviours.0.weight", "inf"));
    assert_eq!(reason.allowed().and_then(Allowed::range), Some(Range::COORDINATE));
    let (_, _, _, reason) = first("count = 20", "count = [1]");
    assert!(matches!(reason, Reason::MustBe(Allowed::Kind { kind: Kind::Whole(0, _), .. })));
    let (_, key, _, reason) = first("size = ", "sise = ");
    assert_eq!((&key[..], reason.allowed().is_some()), ("world.size", true));
    assert!(matches!(reason, Reason::Missing(_)), "{reason:?}");
    for (right, wrong, what, name) in [
        ("seed = 7", "sead = 7", "key", "sead"),
        ("\"cohesion\"", "\"cohere\"", "rule", "cohere"),
        ("[\"starling\"]", "[\"sparrow\"]", "species", "sparrow"),
    ] {
        match first(right, wrong).3 {
            Reason::Unknown { what: found, name: other, known } => {
                assert_eq!((found, &other[..]), (what, name));
                assert!(!known.is_empty() && !known.contains(&other));
            }
            other => panic!("{other:?}"),
        }
    }
    let (_, _, _, reason) = first("seed = 7", "seed = ");
    assert!(matches!(reason, Reason::Syntax(_)), "{reason:?}");
    let (_, _, _, reason) = first("format = 1", "format = 2");
    assert_eq!(reason, Reason::Format);
    let (_, _, _, reason) = first("[species.hawk]", "[species.own]");
    assert_eq!(reason, Reason::Reserved("own".to_owned()));
    let missing = Scenario::load("missing file.toml").unwrap_err();
    assert!(matches!(missing.list()[0].reason, Reason::Unreadable { kind: std::io::ErrorKind::NotFound, .. }));
    let set = |set: &str| Scenario::parse_with(GOOD, "s.toml", &[set.to_owned()]).unwrap_err().list()[0].clone();
    let element = set("species.starling.behaviours.7.weight=1");
    assert_eq!(element.place, Location::Set("species.starling.behaviours.7.weight=1".to_owned()));
    assert_eq!(element.reason, Reason::NoElement { number: "7".to_owned(), count: 2 });
    assert_eq!(set("world.seed.x=1").reason, Reason::NoKeys("seed".to_owned()));
}

#[test]
fn a_column_counts_characters() {
    let text = GOOD.replace("\"disc\", centre", "\"disc\", \"ö\" = 1, centre");
    assert_eq!(
        problems(&text),
        concat!(
            "s.toml:10:28: species.starling.place.ö: unknown key ",
            "(one of region, centre, radius, size, heading, speed, goal, group_size, file, tick)"
        )
    );
}

#[test]
fn all_mistakes_are_reported_at_once_in_the_order_of_the_file() {
    let text = GOOD
        .replace("tick = 0.02", "tick = 0")
        .replace("count = 20", "count = -1")
        .replace("size", "sise")
        .replace("\"cohesion\"", "\"cohere\"");
    let message = problems(&text);
    let starts: Vec<&str> = message.lines().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!(starts, ["s.toml:2:2", "s.toml:4:1", "s.toml:6:8", "s.toml:9:9", "s.toml:18:24"], "{message}");
}

#[test]
fn twenty_mistakes_are_shown_and_the_rest_counted() {
    let mut text = GOOD.to_owned();
    for number in 0..5000 {
        text.push_str(&format!("wrong{number} = 1\n"));
    }
    let message = problems(&text);
    assert_eq!(message.lines().count(), 21);
    assert_eq!(message.lines().last(), Some("and 4980 more"));
}

#[test]
fn missing_binary_and_huge_files_are_refused() {
    let folder = std::env::temp_dir().join(format!("throng-scenario-files-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let said = |path: &std::path::Path| Scenario::load(path).unwrap_err().to_string();
    let missing = folder.join("missing.toml");
    assert!(said(&missing).starts_with(&format!("{}: cannot be read: ", missing.display())));
    assert!(said(&folder).contains("cannot be read"));
    let binary = folder.join("binary.toml");
    std::fs::write(&binary, b"format = 1\n\xff\xfe").unwrap();
    assert!(said(&binary).ends_with("is not UTF-8 at byte 11"));
    let huge = folder.join("huge.toml");
    std::fs::File::create(&huge).unwrap().set_len(LARGEST_FILE + 1).unwrap();
    assert!(said(&huge).ends_with("is larger than 16 MiB"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn hostile_texts_are_refused_without_harm() {
    for text in [
        String::new(),
        "\u{feff}".to_owned(),
        "=".repeat(100_000),
        "[".repeat(100_000),
        format!("format = {}1{}", "[".repeat(100_000), "]".repeat(100_000)),
        format!("{} = 1", vec!["a"; 10_000].join(".")),
        format!("format = 1\nspecies = {}{}", "{ a = ".repeat(10_000), "}".repeat(10_000)),
        "format = 1\0".to_owned(),
        "[[world]]\n[[species]]\nformat = []".to_owned(),
        "format = 1\nworld = 1\nspecies = 1\noutput = 1".to_owned(),
    ] {
        let message = problems(&text);
        assert!(message.starts_with("s.toml:"), "{message}");
        assert!(message.len() < 10_000, "{} bytes of message", message.len());
    }
}

#[test]
fn windows_line_ends_and_a_byte_order_mark_are_accepted() {
    let text = format!("\u{feff}{}", GOOD.replace('\n', "\r\n"));
    assert!(Scenario::parse(&text, "s.toml").is_ok());
    let text = text.replace("tick = 0.02", "tick = 0");
    assert!(problems(&text).starts_with("s.toml:6:8: world.tick = 0: "));
}

#[test]
fn too_many_agents_are_refused_before_any_is_spawned() {
    let build = |count: &str| {
        let text = GOOD.replace("count = 20", &format!("count = {count}"));
        Scenario::parse(&text, "s.toml").unwrap().build::<2>().unwrap_err()
    };
    let refused = build("1_000_000_000_000");
    assert!(matches!(refused, BuildError::Agents(1_000_000_000_001)));
    assert!(refused.to_string().starts_with("1000000000001 agents are more than one world can have: "), "{refused}");
}

#[test]
fn another_number_of_dimensions_is_an_error() {
    let scenario = Scenario::parse(GOOD, "s.toml").unwrap();
    let refused = scenario.build::<3>().unwrap_err();
    assert_eq!(refused, BuildError::Dimensions(2));
    assert_eq!(refused.to_string(), "the scenario has 2 dimensions");
}

#[test]
fn overrides_reach_every_key() {
    let set = |sets: &[&str]| {
        let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
        Scenario::parse_with(GOOD, "s.toml", &sets)
    };
    assert_eq!(set(&["world.seed=3"]).unwrap().seed(), 3);
    assert_eq!(set(&["world.seed=0x7fff_ffff_ffff_ffff"]).unwrap().seed(), throng::scenario::keys::MAX_SEED);
    assert_eq!(set(&["species.starling.count=5", "species.hawk.count = 2"]).unwrap().agents(), 7);
    assert_eq!(set(&["world.edge=wrap"]).unwrap().build::<2>().unwrap().settings().edge, [throng::Edge::Wrap; 2]);
    let corridor = set(&["world.edge=[\"wrap\", \"bounce\"]"]).unwrap().build::<2>().unwrap();
    assert_eq!(corridor.settings().edge, [throng::Edge::Wrap, throng::Edge::Bounce]);
    let remove = set(&["world.edge=[\"wrap\", \"bounce\"]", "world.edge.1=remove"]).unwrap().build::<2>().unwrap();
    assert_eq!(remove.settings().edge, [throng::Edge::Wrap, throng::Edge::Remove]);
    assert_eq!(set(&["world.size.0=200"]).unwrap().build::<2>().unwrap().settings().size[0], 200.0);
    let rule = |sets: &[&str], number: usize, name: &str| {
        let world = set(sets).unwrap().build::<2>().unwrap();
        let species = world.species(world.species_ids().next().unwrap()).unwrap();
        (species.rules[number].weight, species.rules[number].behaviour.table().unwrap().get(name).unwrap())
    };
    use throng::parameters::Value::Number;
    assert_eq!(rule(&["species.starling.separation.radius=3"], 0, "radius"), (1.5, Number(3.0)));
    assert_eq!(rule(&["species.starling.behaviours.1.weight=2"], 1, "fov"), (2.0, Number(270.0)));
    // The later override wins.
    assert_eq!(set(&["world.seed=3", "world.seed=4"]).unwrap().seed(), 4);
}

#[test]
fn invalid_overrides_have_messages_of_the_same_form() {
    let cases = [
        ("world.seed=-1", "--set world.seed=-1: world.seed = -1: must be a whole number from 0 to "),
        ("world.sise=1", "--set world.sise=1: world.sise: unknown key; did you mean `size`?"),
        ("worlds.seed=1", "--set worlds.seed=1: worlds: unknown key; did you mean `world`?"),
        ("seed", "--set seed: must be key=value, such as world.seed=3"),
        ("world.seed=[1", "--set world.seed=[1: [1 is not a value"),
        ("species.owl.count=1", "--set species.owl.count=1: unknown species `owl` (one of starling, hawk)"),
        (
            "species.starling.flee.radius=1",
            "--set species.starling.flee.radius=1: the species has neither a key nor a rule `flee`",
        ),
        (
            "species.starling.behaviours.7.weight=1",
            "--set species.starling.behaviours.7.weight=1: `7` must be the number of an element: there are 2, from 0",
        ),
        (
            "species.starling.separation.radius=nan",
            "--set species.starling.separation.radius=nan: species.starling.behaviours.0.radius = nan: must be a number in [0, 1e6] m",
        ),
        ("world.seed.x=1", "--set world.seed.x=1: `seed` has no keys"),
        ("=1", "--set =1: must be key=value"),
        (".=1", "--set .=1: must be key=value"),
    ];
    for (set, expected) in cases {
        let message = Scenario::parse_with(GOOD, "s.toml", &[set.to_owned()]).unwrap_err().to_string();
        assert!(message.starts_with(expected), "expected: {expected}\nis: {message}");
    }
}

/// Every parameter of every rule refuses values that its table does not allow.
#[test]
fn rules_refuse_numbers_outside_their_ranges() {
    for rule in throng::Registry::new().rules::<2>() {
        for parameter in rule.parameters() {
            let Kind::Number(range) = parameter.kind else { continue };
            for value in [
                "nan".to_owned(),
                "inf".to_owned(),
                "-inf".to_owned(),
                "1e39".to_owned(),
                format!("{}", range.low - 1.0),
            ] {
                if value == "inf" && range.contains(f64::INFINITY) {
                    continue;
                }
                let (name, key) = (rule.rule(), parameter.name);
                let text = GOOD.replace(
                    "{ rule = \"cohesion\", from = [\"starling\"] }",
                    &format!("{{ rule = \"{name}\", {key} = {value} }}"),
                );
                let message = problems(&text);
                let expected = format!("species.hawk.behaviours.0.{key} = {value}: must be a number in {range}");
                assert!(message.contains(&expected), "{name}: {message}");
            }
        }
    }
}

#[test]
fn the_scenarios_of_the_project_are_valid() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            Scenario::load(&path).unwrap_or_else(|problems| panic!("{problems}"));
            count += 1;
        }
    }
    assert!(count >= 3);
}

#[test]
fn messages_hold_no_control_characters() {
    let key = "\"a\\u001b[31mb\\nerror: all is well\\u202e\"";
    let text = GOOD.replace("[species.hawk]", &format!("[species.{key}]")).replace("seed = 7", &format!("{key} = 7"));
    let sets = ["world.\u{1b}]0;x\u{7}=1".to_owned()];
    let message = Scenario::parse_with(&text, "s\n\u{1b}[2J.toml", &sets).unwrap_err().to_string();
    assert!(message.contains("species.a\\u{1b}[31mb\\nerror: all is well\\u{202e}: the name"), "{message}");
    assert!(message.lines().all(|line| line.starts_with("s\\n\\u{1b}[2J.toml:") || line.starts_with("--set ")));
    assert!(!message.chars().any(|character| character.is_control() && character != '\n'), "{message:?}");
    let scenario = Scenario::parse(GOOD, "s\u{1b}[2J.toml").unwrap();
    assert_eq!(scenario.name(), "s\\u{1b}[2J");
}

#[test]
fn scenarios_of_thousands_of_species_or_rules_are_refused() {
    let head = GOOD.split("[species").next().unwrap();
    let species = |count: usize, rules: usize| {
        let rules = "{ rule = \"seek\" },".repeat(rules);
        let each = (0..count).map(|number| format!("[species.s{number}]\ncount = 0\nbehaviours = [{rules}]\n"));
        let text = head.to_owned() + &each.collect::<String>();
        Scenario::parse(&text, "s.toml").unwrap().check_limits()
    };
    assert_eq!(species(MOST_SPECIES, 1), Ok(()));
    assert_eq!(species(MOST_SPECIES + 1, 0), Err(BuildError::Species(MOST_SPECIES + 1)));
    assert_eq!(species(2, MOST_RULES / 2), Ok(()));
    assert_eq!(species(2, MOST_RULES / 2 + 1), Err(BuildError::Rules(MOST_RULES + 2)));
    for (refused, what) in [(species(MOST_SPECIES + 1, 0), "species"), (species(2, MOST_RULES), "rules")] {
        let said = refused.unwrap_err().to_string();
        assert!(said.contains(&format!("{what} are more than one scenario can have")), "{said}");
    }
    let memory = BuildError::Memory { agents: 5, needed: 7 << 20, available: 3 << 20 };
    assert_eq!(memory.to_string(), "5 agents need about 7 MiB of memory, and 3 MiB are available");
}

#[test]
fn a_region_of_a_file_must_fit_where_an_axis_has_boundaries() {
    let text = |edge: &str, centre: &str| {
        format!(
            "format = 1\n[world]\ndimensions = 2\nsize = [100, 50]\nedge = {edge}\n[species.walker]\ncount = 9\n\
             place = {{ region = \"disc\", centre = {centre}, radius = 10 }}\n"
        )
    };
    let fits = |edge: &str, centre: &str| Scenario::parse(&text(edge, centre), "s.toml").is_ok();
    assert!(fits("[\"wrap\", \"bounce\"]", "[0, 25]") && !fits("[\"wrap\", \"bounce\"]", "[50, 0]"));
    assert!(fits("[\"remove\", \"open\"]", "[50, 0]") && !fits("[\"remove\", \"open\"]", "[0, 25]"));
    let mut world =
        Scenario::parse(&text("[\"wrap\", \"bounce\"]", "[0, 25]"), "s.toml").unwrap().build::<2>().unwrap();
    assert_eq!(world.settings().edge, [throng::Edge::Wrap, throng::Edge::Bounce]);
    world.step();
}
