//! Sources, sinks, zones, populations and times in scenario files, and the mistakes in them.

use throng_scenario::{BuildError, Scenario};

const FILE: &str = r#"
format = 1
[world]
dimensions = 2
size = [40.0, 20.0]
edge = "bounce"
tick = 0.1
[[region]]
name = "gate"
centre = [5.0, 10.0]
size = [6.0, 8.0]
[[region]]
name = "exit"
centre = [38.0, 10.0]
radius = 2.0
[[region]]
name = "stairs"
centre = [20.0, 10.0]
size = [10.0, 20.0]
[[source]]
name = "trains"
species = "visitor"
region = "gate"
schedule = [[0.0, 10], [5.0, 20]]
heading = [1.0, 0.0]
speed = 1.0
[[source]]
name = "street"
species = "visitor"
region = "gate"
poisson = 0.5
limit = 100
[[sink]]
name = "exit"
region = "exit"
species = ["visitor"]
states = ["walk"]
[[zone]]
region = "stairs"
factor = 0.5
against = 0.65
direction = [1.0, 0.0]
[species.visitor]
radius = { mean = 0.25, sd = 0.02, low = 0.2, high = 0.3 }
population = "rimea"
pre_movement = { median = 3.0, log_sd = 0.5 }
lifetime = [300.0, 400.0]
states = { walk = { behaviours = [{ rule = "seek", target = [38.0, 10.0] }] } }
"#;

#[test]
fn a_file_has_sources_sinks_and_zones() {
    let scenario = Scenario::parse(FILE, "people.toml").unwrap_or_else(|problems| panic!("{problems}"));
    let mut world = scenario.build::<2>().unwrap();
    (0..1500).for_each(|_| world.step());
    let removed: Vec<(&str, u64)> = world.removed().collect();
    assert!(matches!(removed[..], [("sink:exit", gone)] if gone > 60), "{removed:?}");
    assert_eq!(world.spawned(), world.population() as u64 + removed[0].1);
    let names: Vec<&str> = world.environment().sources.items().iter().map(|source| &source.name[..]).collect();
    assert_eq!((names, world.environment().zones.len()), (vec!["trains", "street"], 1));
}

/// Replaces one text of the file, and returns the message, with its place.
fn mistake(old: &str, new: &str) -> String {
    assert!(FILE.contains(old), "{old}");
    let text = FILE.replacen(old, new, 1);
    match Scenario::parse(&text, "people.toml") {
        Ok(_) => panic!("`{new}` is accepted"),
        Err(problems) => problems.to_string(),
    }
}

#[test]
fn every_mistake_has_its_place() {
    for (old, new, expected) in [
        ("species = \"visitor\"", "species = \"visiter\"", "source.0.species"),
        ("region = \"gate\"", "region = \"gat\"", "unknown region `gat`"),
        ("schedule = [[0.0, 10], [5.0, 20]]", "schedule = [[5.0, 10], [0.0, 20]]", "in ascending order of times"),
        ("schedule = [[0.0, 10], [5.0, 20]]", "schedule = [[0.0, 1.5]]", "source.0.schedule"),
        ("schedule = [[0.0, 10], [5.0, 20]]", "", "must have one of number, rate, poisson, schedule, on_entry"),
        ("schedule = [[0.0, 10], [5.0, 20]]", "rate = 1.0\nnumber = 3", "and no more than one"),
        ("poisson = 0.5", "poisson = -0.5", "must be a number in [0, 10000] 1/s"),
        ("poisson = 0.5", "rate = 20000", "source.1.rate"),
        ("poisson = 0.5", "on_entry = \"exits\"", "unknown region `exits`"),
        ("name = \"street\"", "name = \"trains\"", "must be a name that no other source has"),
        ("size = [6.0, 8.0]", "size = [6.0, 0.5]", "the region is smaller than a body of 0.3 m radius"),
        ("centre = [5.0, 10.0]", "centre = [1.0, 10.0]", "the region must lie in the world"),
        ("[[sink]]", "[[obstacle]]\ncentre = [5.0, 10.0]\nradius = 9.0\n[[sink]]", "no free place was found"),
        ("species = [\"visitor\"]", "species = [\"vistor\"]", "unknown species `vistor`"),
        ("states = [\"walk\"]", "states = [\"run\"]", "unknown state `run`"),
        ("factor = 0.5", "factor = -0.5", "must be a number in [0, 10]"),
        ("factor = 0.5", "factor = 11", "zone.0.factor"),
        ("against = 0.65\n", "", "zone.0.against"),
        ("direction = [1.0, 0.0]\n", "", "`against` needs it"),
        ("direction = [1.0, 0.0]", "direction = [0.0, 0.0]", "zone.0.direction"),
        ("population = \"rimea\"", "population = \"rimae\"", "one of rimea, weidmann, imo_passengers, imo_crew"),
        ("population = \"rimea\"", "population = \"rimea\"\nmax_speed = 1.0", "`population` does not use it"),
        ("sd = 0.02", "sd = -0.02", "species.visitor.radius.sd"),
        ("mean = 0.25, ", "", "must have one of mean, median, gamma, weibull"),
        ("sd = 0.02, ", "", "`mean` needs it"),
        ("mean = 0.25", "mean = 0.5", "must have low <= mean <= high"),
        ("low = 0.2", "low = -0.2", "species.visitor.radius.low"),
        ("log_sd = 0.5", "log_sd = 0.5, sd = 1.0", "`median` does not use it"),
        ("lifetime = [300.0, 400.0]", "lifetime = -1.0", "species.visitor.lifetime"),
        ("lifetime = [300.0, 400.0]", "[species.other]", "species.other.count"),
    ] {
        let message = mistake(old, new);
        assert!(message.contains(expected), "`{new}`: {message}");
        let place = message.lines().next().and_then(|line| line.strip_prefix("people.toml:"));
        assert!(place.is_some_and(|rest| rest.starts_with(|digit: char| digit.is_ascii_digit())), "{message}");
    }
}

#[test]
fn sources_count_towards_the_limits() {
    let text = FILE.replacen("[5.0, 20]", "[5.0, 9_000_000_000]", 1);
    let scenario = Scenario::parse(&text, "people.toml").unwrap();
    assert!(matches!(scenario.check_limits(), Err(BuildError::Agents(9_000_000_010))));
}

#[test]
fn agents_of_a_population_start_at_their_own_speeds() {
    let text = FILE.replacen("population = \"rimea\"", "count = 50\npopulation = \"rimea\"", 1);
    let world = Scenario::parse(&text, "people.toml").unwrap().build::<2>().unwrap();
    let visitors = world.agents(world.find_species("visitor").unwrap()).unwrap();
    assert_eq!(visitors.len(), 50);
    for row in 0..50 {
        assert!((visitors.velocity(row).length() - visitors.max_speed(row)).abs() < 1e-5);
    }
}
