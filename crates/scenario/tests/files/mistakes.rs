//! An invalid file is refused with each mistake, its place and the allowed values.

use throng::parameters::{Allowed, Kind, Range};
use throng_scenario::{Location, Problem, Reason, Scenario};

use super::{GOOD, problems};

/// Each case: the text that is replaced, its replacement, and the start of the message.
#[test]
fn every_mistake_is_reported_with_its_place_and_the_allowed_values() {
    let cases: &[(&str, &str, &str)] = &[
        (
            "[output]",
            "[[wall]]\ncentre = [50.0, 20.0]\nsize = [15.7, 1e-45]\n[output]",
            "s.toml:21:8: wall.0.size = [15.7, 1e-45]: must be an array of one number per dimension, each in [0.000001, 1e6] m",
        ),
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
            "s.toml:20:22: output.picture.colour = \"red\": unknown quantity `red` (one of species, heading, speed, neighbours, state)",
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

/// The kind of a problem, its key, value, allowed range and known names are known without reading a message.
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
            "(one of region, regions, centre, radius, size, polygon, storey, height, heading, speed, goal, group_size, positions, file, tick)"
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
