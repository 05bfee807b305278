//! People choose exits by the time that they expect, stay with their choice, and turn from exits that close.

use std::collections::HashMap;

use throng::{AgentId, Event, Wall, World};

use crate::scene::{population, run, world};

/// A line across the hall at `x` with a gap of this width in its middle.
fn gap(x: f32, width: f32) -> String {
    let (low, high) = (5.0 - 0.5 * width, 5.0 + 0.5 * width);
    format!("[[{x}, 0.0], [{x}, {low}]], [[{x}, {high}], [{x}, 10.0]]")
}

/// A hall of 19 m x 10 m with exits in the west and in the east, behind these walls, and people in it.
fn hall(walls: &[String], rule: &str, people: u32, rest: &str) -> World<2> {
    world(&format!(
        "format = 1\nwalls = [{}]\n\
         region = [{{ name = \"hall\", centre = [12.0, 5.0], size = [16.0, 9.0] }}, \
                   {{ name = \"west\", centre = [0.6, 5.0], size = [1.0, 9.0] }}, \
                   {{ name = \"east\", centre = [23.4, 5.0], size = [1.0, 9.0] }}]\n\
         sink = [{{ name = \"west\", region = \"west\" }}, {{ name = \"east\", region = \"east\" }}]\n\
         [navigation]\nwest = {{ goals = [\"region:west\"], cell = 0.1 }}\n\
         east = {{ goals = [\"region:east\"], cell = 0.1 }}\n\
         [world]\ndimensions = 2\nsize = [24.0, 10.0]\nedge = \"bounce\"\ntick = 0.05\nticks = 1\n\
         [species.person]\ncount = {people}\nplace = {{ region = \"region:hall\", speed = 0.0 }}\n\
         radius = 0.2\nmax_speed = 1.34\nmotion = {{ model = \"pedvo\" }}\n\
         behaviours = [{{ rule = \"walk_to\", goals = [\"west\", \"east\"], {rule} }}]\n{rest}",
        walls.join(", ")
    ))
}

const BY_TIME: &str = "choose = \"time\"";

/// The share of the people that head for the exit in the west.
fn share_west(world: &World<2>) -> f64 {
    let heads = headings(world);
    let west = world.environment().navigations.find("west").unwrap().to_bits() as u32 + 1;
    heads.values().filter(|&&to| to == west).count() as f64 / heads.len() as f64
}

/// The navigation of each agent that has one.
fn headings(world: &World<2>) -> HashMap<AgentId, u32> {
    let ids = world.all_agents().iter().flat_map(|agents| agents.ids().iter().copied());
    let heading = |id| Some((id, world.column_value::<[u32; 2]>(id, "heading").ok()?[0]));
    ids.filter_map(heading).filter(|(_, to)| *to != 0).collect()
}

fn advance(world: &mut World<2>, seconds: f64) {
    let ticks = (seconds / f64::from(world.settings().tick_seconds)).round() as u64;
    (0..ticks).for_each(|_| world.step());
}

/// Advances a world until it is empty, and returns the number of people by each sink, and when the last left.
fn leave(world: &mut World<2>, seconds: f64) -> HashMap<String, (u32, f64)> {
    let mut left: HashMap<String, (u32, f64)> = HashMap::new();
    for _ in 0..(seconds / 0.05) as u64 {
        world.step();
        for event in world.events() {
            if let Event::Removed { reason, .. } = event {
                let (count, last) = left.entry(format!("{reason:?}")).or_default();
                (*count, *last) = (*count + 1, world.seconds());
            }
        }
        if population(world) == 0 {
            break;
        }
    }
    left
}

#[test]
fn people_divide_so_that_both_exits_take_as_long() {
    // The share s of 200 people at which both times are equal, for people at 4 to 20 m with exits at 1.1 and 22.9 m:
    // (2.9 + 16 s) / 1.34 + 200 s / (1.3 w) = (18.9 - 16 s) / 1.34 + 200 (1 - s) / (1.3 e).
    let equal = |west: f64, east: f64| {
        let (people, walk) = (200.0 / 1.3, 16.0 / 1.34);
        (walk + people / east) / (2.0 * walk + people / west + people / east)
    };
    let corridor = |width: f32| {
        let (low, high) = (5.0 - 0.5 * width, 5.0 + 0.5 * width);
        let side = |from: f32, to: f32| format!("[[3.0, {from}], [3.0, {to}], [4.0, {to}], [4.0, {from}]]");
        [side(0.0, low), side(10.0, high)]
    };
    let doors = |west, east| vec![gap(2.5, west), gap(21.5, east)];
    for (walls, west, east) in [
        (doors(1.5, 1.5), 1.5, 1.5),
        (doors(1.0, 2.0), 1.0, 2.0),
        (doors(2.0, 1.0), 2.0, 1.0),
        // Behind a corridor of one metre, a door of three metres lets no more people through.
        ([doors(3.0, 2.0), corridor(1.0).to_vec()].concat(), 1.0, 2.0),
    ] {
        let mut world = hall(&walls, &format!("{BY_TIME}, crowd = \"known\", hysteresis = 0.05"), 200, "");
        advance(&mut world, 5.0);
        let (share, equal) = (share_west(&world), equal(west, east));
        assert!((share - equal).abs() < 0.06, "{share} for {equal} with {west} m and {east} m");
    }
}

#[test]
fn people_stay_with_their_choice() {
    for crowd in ["seen", "known"] {
        for seed in 0..3 {
            let rule = format!("{BY_TIME}, crowd = \"{crowd}\"");
            let mut world = hall(&[gap(2.5, 1.2), gap(21.5, 1.2)], &rule, 100, "");
            let settings = throng::Settings { seed, ..world.settings().clone() };
            world.set_settings(settings).unwrap();
            let (mut heads, mut turns): (HashMap<AgentId, u32>, HashMap<AgentId, u32>) = Default::default();
            for _ in 0..60 * 20 {
                world.step();
                for (id, to) in headings(&world) {
                    if heads.insert(id, to).is_some_and(|before| before != to) {
                        *turns.entry(id).or_default() += 1;
                    }
                }
            }
            let all: u32 = turns.values().sum();
            assert!(f64::from(all) < 0.1 * 100.0, "{all} turns of 100 people, {crowd}, seed {seed}");
        }
    }
}

#[test]
fn a_queue_behind_a_wall_counts_if_it_is_known() {
    // The exit in the west is nearer to the agent, and sixty people wait for it behind a wall across the hall.
    let walls = ["[[9.0, 3.0], [9.0, 10.0]]".to_owned(), gap(2.5, 1.0)];
    for (crowd, to_west) in [("seen", true), ("known", false)] {
        let rest = "[species.late]\ncount = 1\nradius = 0.2\nmax_speed = 1.34\nmotion = { model = \"pedvo\" }\n\
                    place = { region = \"point\", centre = [9.5, 5.0], speed = 0.0 }\n";
        let rule = format!(
            "behaviours = [{{ rule = \"walk_to\", goals = [\"west\", \"east\"], {BY_TIME}, crowd = \"{crowd}\" }}]\n"
        );
        let mut world = hall(&walls, BY_TIME, 0, &format!("{rest}{rule}"));
        let person = world.find_species("person").unwrap();
        for number in 0..60 {
            world
                .spawn(person, [4.0 + 0.5 * (number % 8) as f32, 2.5 + 0.5 * (number / 8) as f32], [0.0, 0.0])
                .unwrap();
        }
        advance(&mut world, 1.2);
        let late = world.find_species("late").unwrap();
        let late = world.agents(late).unwrap().ids()[0];
        let west = world.environment().navigations.find("west").unwrap().to_bits() as u32 + 1;
        assert_eq!(headings(&world)[&late] == west, to_west, "{crowd}");
    }
}

#[test]
fn all_leave_when_an_exit_closes_and_opens_again() {
    let door = "[[wall]]\nname = \"door\"\nline = [[2.5, 4.4], [2.5, 5.6]]\nopen = [[0.0, 6.0], [40.0, 1e6]]\n";
    for (rule, rest) in [
        ("choose = \"distance\"", String::new()),
        (BY_TIME, String::new()),
        ("choose = \"time\", crowd = \"known\", every = 1e6", String::new()),
        // The exit in the east is known to none of them.
        (BY_TIME, "familiar = { east = 0.0 }\n".to_owned()),
    ] {
        let mut world = hall(&[gap(2.5, 1.2), gap(21.5, 1.2)], rule, 60, &format!("{rest}{door}"));
        advance(&mut world, 8.0);
        assert_eq!(share_west(&world), 0.0, "{rule}: the door closed two seconds ago");
        let left = leave(&mut world, 120.0);
        assert_eq!(population(&world), 0, "{rule}: {left:?}");
    }
    // Without another exit they wait, and leave when it opens.
    let mut world = hall(&[gap(2.5, 1.2), gap(21.5, 1.2)], BY_TIME, 40, door);
    world.environment_mut().walls.add(Wall::segment([21.5, 4.4], [21.5, 5.6])).unwrap();
    advance(&mut world, 39.0);
    assert!(population(&world) > 10);
    run(&mut world, 60.0);
    assert_eq!(population(&world), 0);
}

#[test]
fn people_turn_from_an_exit_that_the_host_closes() {
    let mut world = hall(&[gap(2.5, 1.2), gap(21.5, 1.2)], BY_TIME, 60, "");
    advance(&mut world, 5.0);
    assert!(share_west(&world) > 0.3);
    let door = world.environment_mut().walls.add(Wall::segment([2.5, 4.4], [2.5, 5.6])).unwrap();
    advance(&mut world, 2.0);
    assert_eq!(share_west(&world), 0.0);
    world.environment_mut().walls.remove(door).unwrap();
    advance(&mut world, 6.0);
    assert!(share_west(&world) > 0.1, "{}", share_west(&world));
    run(&mut world, 120.0);
    assert_eq!(population(&world), 0);
}

#[test]
fn the_quickest_way_avoids_slow_stairs() {
    // Two passages lead to the east: the near one above over stairs, and one below on the level.
    let walls = [
        "[[10.0, 2.0], [10.0, 8.0]], [[16.0, 2.0], [16.0, 8.0]], [[10.0, 2.0], [16.0, 2.0]], [[10.0, 8.0], [16.0, 8.0]]",
    ];
    let cases =
        [(0.9, "time", 1, true), (0.3, "time", 0, false), (0.3, "distance", 0, true), (0.3, "distance", 1, false)];
    for (factor, choose, quickest, upper) in cases {
        let mut world =
            hall(&walls.map(str::to_owned), &format!("choose = \"{choose}\", quickest = {quickest}"), 0, "");
        let environment = world.environment_mut();
        let shape = throng::Shape::Box { centre: [13.0, 9.0].into(), half: [3.0, 1.0].into() };
        environment.regions.add(throng::Region::new("stairs", shape)).unwrap();
        environment.zones.add(throng::Zone::new("stairs", factor)).unwrap();
        let person = world.find_species("person").unwrap();
        let agent = world.spawn(person, [9.0, 6.5], [0.0, 0.0]).unwrap();
        let west = world.environment().navigations.find("west").unwrap();
        world.environment_mut().navigations.remove(west).unwrap();
        let mut highest: f32 = 0.0;
        for _ in 0..20 * 20 {
            world.step();
            let Ok(at) = world.position(agent) else { break };
            if (11.0..15.0).contains(&at[0]) {
                highest = at[1];
            }
        }
        assert_eq!(highest > 5.0, upper, "factor {factor}, by {choose}, {quickest}: at {highest}");
    }
}

#[test]
fn an_agent_follows_others_by_its_weight() {
    for (follow, expected) in [(0.0, true), (0.8, false)] {
        let rest = "[species.late]\ncount = 1\nradius = 0.2\nmax_speed = 1.34\nmotion = { model = \"pedvo\" }\n\
                    place = { region = \"point\", centre = [11.0, 8.0], speed = 0.0 }\npre_movement = 2.0\n";
        let rule =
            format!("behaviours = [{{ rule = \"walk_to\", goals = [\"west\", \"east\"], follow = {follow} }}]\n");
        let mut world =
            hall(&[gap(2.5, 2.0), gap(21.5, 2.0)], "choose = \"time\", order = \"to\"", 0, &format!("{rest}{rule}"));
        let person = world.find_species("person").unwrap();
        world.add_column(person, "to", 2_u32).unwrap();
        for number in 0..10 {
            world.spawn(person, [11.0 + 0.5 * number as f32, 4.0], [0.0, 0.0]).unwrap();
        }
        advance(&mut world, 4.0);
        let late = world.agents(world.find_species("late").unwrap()).unwrap().ids()[0];
        let west = world.environment().navigations.find("west").unwrap().to_bits() as u32 + 1;
        assert_eq!(headings(&world)[&late] == west, expected, "follow {follow}");
    }
}
