//! Links in scenario files: between storeys, and from sheet to sheet of a mesh.

use throng::{Vector, World};
use throng_scenario::Scenario;

/// Two storeys that nothing but a link joins: people walk from the upper one to an exit on the lower one.
fn house(link: &str) -> String {
    format!(
        "format = 1\n[world]\ndimensions = 2\nsize = [20, 10]\ntick = 0.05\nseed = 3\n\
         [[storey]]\nname = \"ground\"\n[[storey]]\nname = \"first\"\nelevation = 3\n\
         [[region]]\nname = \"head\"\ncentre = [15, 5]\nsize = [1, 1]\nstorey = \"first\"\n\
         [[region]]\nname = \"foot\"\ncentre = [17, 5]\nsize = [1, 1]\n\
         [[region]]\nname = \"exit\"\ncentre = [1, 5]\nsize = [2, 4]\n{link}\n\
         [[sink]]\nname = \"exit\"\nregion = \"exit\"\n[navigation.out]\ngoals = [\"region:exit\"]\n\
         [species.person]\ncount = 6\npeople = true\nplace = {{ storey = \"first\", speed = 0 }}\n\
         behaviours = [{{ rule = \"walk_to\", goals = [\"out\"] }}]\n"
    )
}

/// The height of the first person, and its place in the plan.
fn place(scenario: &Scenario, world: &World<2>) -> Option<(f32, Vector<2>)> {
    let agents = &world.all_agents()[0];
    let at = (!agents.is_empty()).then(|| agents.position(0))?;
    scenario.storeys().unwrap().locate(at).map(|place| (place.elevation, place.plan))
}

#[test]
fn people_climb_down_a_ladder_between_storeys() {
    let text = house("[[link]]\nname = \"ladder\"\nstart = \"head\"\nend = \"foot\"\nseconds = 4");
    let scenario = Scenario::parse(&text, "s.toml").unwrap_or_else(|problems| panic!("{problems}"));
    let mut world = scenario.build::<2>().unwrap();
    let mut ways = Vec::new();
    let ladder = world.environment().links.find("ladder").unwrap();
    while world.population() > 0 && world.tick() < 4000 {
        world.step();
        let first = world.all_agents()[0].ids().first().copied();
        let crossing = world.environment().crossing(ladder).unwrap().next();
        if crossing.is_some_and(|(agent, _)| Some(agent) == first) {
            ways.extend(place(&scenario, &world));
        }
    }
    assert_eq!(world.population(), 0, "tick {}", world.tick());
    // The plan continues where the storey changes, half way.
    assert!(ways.windows(2).all(|pair| pair[0].1.distance(pair[1].1) < 0.05), "{ways:?}");
    let above = ways.iter().filter(|(height, _)| *height == 3.0).count();
    assert!(ways.len() == 79 && (39..=40).contains(&above), "{above} of {}", ways.len());
}

#[test]
fn mistakes_in_links_name_the_key() {
    let link = "[[link]]\nname = \"ladder\"\nstart = \"head\"\nend = \"foot\"\nseconds = 4";
    for (old, new, message) in [
        ("end = \"foot\"", "end = \"feet\"", "link.0.end = \"feet\""),
        ("seconds = 4", "seconds = -1", "link.0.seconds = -1"),
        ("seconds = 4", "", "link.0.seconds"),
        ("seconds = 4", "seconds = 4\ncapacity = 0", "link.0.capacity = 0"),
    ] {
        let problems = Scenario::parse(&house(&link.replace(old, new)), "s.toml").unwrap_err().to_string();
        assert!(problems.contains(message), "{problems}");
    }
    let problems = Scenario::parse(&house(""), "s.toml").unwrap_err().to_string();
    assert!(problems.contains("storey"), "{problems}");
}

#[test]
fn some_climb_down_and_others_jump_from_a_gallery() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/ground/9-links.toml");
    let scenario = Scenario::load(path).unwrap_or_else(|problems| panic!("{problems}"));
    let mut world = scenario.build::<2>().unwrap();
    let links = ["ladder", "jump"].map(|name| world.environment().links.find(name).unwrap());
    let mut used = [Vec::new(), Vec::new()];
    for _ in 0..scenario.ticks() {
        world.step();
        for (link, used) in links.iter().zip(&mut used) {
            used.extend(world.environment().crossing(*link).unwrap().map(|(agent, _)| agent));
            used.sort_unstable();
            used.dedup();
        }
    }
    assert!(used.iter().all(|used| used.len() >= 5), "{used:?}");
    let (agents, storeys) = (&world.all_agents()[0], scenario.storeys().unwrap());
    let mut heights = (0..agents.len()).map(|row| storeys.locate(agents.position(row)).unwrap().elevation);
    assert!(heights.all(|height| height == 0.0));
}
