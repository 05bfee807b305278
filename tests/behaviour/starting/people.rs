//! The defaults for people in a file, and the agents that are named before a run.

use throng::{WarningKind, World};

use super::{WALKERS, bodies, parse};

/// A room with a door in its east wall, and people in it.
fn room(door: f32, clearance: &str, walker: &str) -> String {
    let (low, high) = (5.0 - 0.5 * door, 5.0 + 0.5 * door);
    format!(
        "format = 1\nwalls = [[[10.0, 0.0], [10.0, {low}]], [[10.0, {high}], [10.0, 10.0]]]\n\
         region = [{{ name = \"out\", centre = [18.0, 5.0], radius = 1.0 }}]\n\
         sink = [{{ name = \"out\", region = \"out\" }}]\n\
         navigation = {{ out = {{ goals = [\"region:out\"]{clearance} }} }}\n\
         [world]\ndimensions = 2\nsize = [20.0, 10.0]\nedge = \"bounce\"\ntick = 0.05\nticks = 1200\n\
         [species.walker]\nplace = {{ region = \"box\", centre = [5.0, 5.0], size = [8.0, 8.0], speed = 0.0 }}\n\
         behaviours = [{{ rule = \"walk_to\", goals = [\"out\"] }}]\n{walker}"
    )
}

#[test]
fn people_have_the_bodies_of_people() {
    for model in WALKERS {
        let text = room(1.2, "", &format!("count = 30\nmotion = {{ model = \"{model}\" }}"));
        let mut world: World<2> = parse(&text).build().unwrap();
        let agents = world.agents(world.find_species("walker").unwrap()).unwrap();
        assert_eq!((agents.mass(0), agents.radius(0), agents.max_speed(0)), (80.0, 0.2, 1.34), "{model}");
        (0..1200).for_each(|_| world.step());
        assert!(world.population() < 10, "{model}: {} are left", world.population());
        // What the file says counts.
        let text = room(
            1.2,
            "",
            &format!("count = 3\nmass = 60\nradius = 0.25\nmax_speed = 1\nmotion = {{ model = \"{model}\" }}"),
        );
        let world: World<2> = parse(&text).build().unwrap();
        let agents = world.agents(world.find_species("walker").unwrap()).unwrap();
        assert_eq!((agents.mass(0), agents.radius(0), agents.max_speed(0)), (60.0, 0.25, 1.0), "{model}");
    }
    // Other motions have other defaults.
    let world: World<2> = parse(&room(1.2, "", "count = 1")).build().unwrap();
    assert_eq!(bodies(&world, "walker")[0].1, 0.5);
}

#[test]
fn a_body_wider_than_its_ways_is_named() {
    let narrow = |clearance: &str, radius: &str| {
        let text = room(1.2, clearance, &format!("count = 3\nradius = {radius}\nmotion = {{ model = \"orca\" }}"));
        let warnings = parse(&text).warnings();
        warnings
            .into_iter()
            .filter(|warning| warning.kind == WarningKind::Narrow)
            .map(|warning| warning.to_string())
            .next()
    };
    for (clearance, radius) in [
        ("", "0.45"),
        ("", "[0.2, 0.3]"),
        (", clearance = 0.3", "0.31"),
        ("", "{ mean = 0.25, sd = 0.1, low = 0.1, high = 0.5 }"),
    ] {
        let said = narrow(clearance, radius).unwrap_or_else(|| panic!("{clearance}, {radius}"));
        assert!(
            said.starts_with("species.walker.radius: ") && said.contains("set navigation.out.clearance = "),
            "{said}"
        );
    }
    for (clearance, radius) in [("", "0.25"), (", clearance = 0.45", "0.45"), (", clearance = 0.3", "[0.2, 0.3]")] {
        assert_eq!(narrow(clearance, radius), None, "{clearance}, {radius}");
    }
    // A door on the only way that is too narrow for the clearance is an error.
    let text = room(0.8, ", clearance = 0.45", "count = 3\nradius = 0.45\nmotion = { model = \"orca\" }");
    let found = super::problems(&text);
    assert!(found.contains("no way leads there"), "{found}");
}

/// A world has ended once no agent is left and none will come.
#[test]
fn a_world_ends_when_nobody_is_left_or_to_come() {
    let source = |arrivals: &str| {
        format!(
            "format = 1\n[world]\ndimensions = 2\nsize = [20.0, 10.0]\nedge = \"remove\"\ntick = 0.1\nuntil = \"empty\"\n\
             [[region]]\nname = \"gate\"\ncentre = [18.0, 5.0]\nsize = [2.0, 4.0]\n\
             [[source]]\nname = \"gate\"\nspecies = \"walker\"\nregion = \"gate\"\nheading = 0.0\nspeed = 2.0\n{arrivals}\n\
             [species.walker]\nradius = 0.1\nbehaviours = [{{ rule = \"seek\", target = [90.0, 5.0] }}]"
        )
    };
    for (arrivals, least) in [("number = 5", 1), ("schedule = [[0.0, 2], [8.0, 3]]", 80), ("rate = 1.0\nlimit = 4", 30)]
    {
        let scenario = parse(&source(arrivals));
        assert!(scenario.until_empty());
        let mut world: World<2> = scenario.build().unwrap();
        assert!(!world.has_ended(), "{arrivals}: before the first tick");
        let ended = (1..400).find(|_| {
            world.step();
            world.has_ended()
        });
        assert!(ended.is_some_and(|tick| tick >= least && tick < 200), "{arrivals}: {ended:?}");
        assert_eq!(world.population(), 0);
    }
    let mut world: World<2> = parse(&source("rate = 0.05")).build().unwrap();
    (0..50).for_each(|_| world.step());
    assert!(world.population() == 0 && !world.has_ended(), "one is to come");
}
