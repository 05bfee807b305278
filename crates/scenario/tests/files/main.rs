//! Scenario files: accepted and refused values, with the messages.

mod mistakes;
mod overrides;
mod sweeps;

use throng_scenario::{BuildError, LARGEST_FILE, MOST_RULES, MOST_SPECIES, Scenario};

/// A valid file; the cases replace parts of it.
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
    let starlings = world.agents(world.find_species("starling").unwrap()).unwrap();
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

#[test]
fn missing_binary_and_huge_files_are_refused() {
    let folder = std::env::temp_dir().join(format!("throng-scenario-files-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let said = |path: &std::path::Path| Scenario::load(path).unwrap_err().to_string();
    let missing = folder.join("missing.toml");
    assert!(said(&missing).starts_with(&format!("{}: cannot be read: ", missing.to_string_lossy())));
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
fn the_scenarios_of_the_project_are_valid() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios");
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
