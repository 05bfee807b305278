//! Values of `--set` reach every key, and are refused like the values of a file.

use throng_scenario::Scenario;

use super::GOOD;

#[test]
fn overrides_reach_every_key() {
    let set = |sets: &[&str]| {
        let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
        Scenario::parse_with(GOOD, "s.toml", &sets)
    };
    assert_eq!(set(&["world.seed=3"]).unwrap().seed(), 3);
    assert_eq!(set(&["world.seed=0x7fff_ffff_ffff_ffff"]).unwrap().seed(), throng_scenario::keys::MAX_SEED);
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
    // A table that the file does not have.
    let placed = |sets: &[&str]| {
        let world = set(sets).unwrap().build::<2>().unwrap();
        world.agents(world.find_species("hawk").unwrap()).unwrap().velocity(0)
    };
    let along = placed(&["species.hawk.place.heading=[0, 1]", "species.hawk.place.speed=0.5"]);
    assert_eq!(along, throng::Vector([0.0, 0.5]));
    assert_eq!(along, placed(&["species.hawk.place={heading=[0, 1], speed=0.5}"]));
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
        (
            "species.starling.plaice.speed=1",
            "--set species.starling.plaice.speed=1: the species has neither a key nor a rule `plaice`; did you mean `place`?",
        ),
        ("world.tick=.5", "--set world.tick=.5: .5 is not a value: write 0.5"),
        ("world.tick=-5.", "--set world.tick=-5.: -5. is not a value: write -5.0"),
        ("world.seed=+007", "--set world.seed=+007: +007 is not a value: write 7"),
        (
            "world.size=[.5, 1]",
            "--set world.size=[.5, 1]: [.5, 1] is not a value: a number has digits on both sides of its point, such as 0.5",
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
