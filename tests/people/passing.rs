//! People pass each other on the nearer side or on their `side`, keep off walls, and give way where two cannot pass.

use throng::{Vector, World};
use throng_scenario::Scenario;

fn world(text: &str) -> World<2> {
    Scenario::parse(text, "scene.toml").unwrap_or_else(|problems| panic!("{problems}")).build().unwrap()
}

/// Two fields that lead along x and back.
const FIELDS: &str = "[fields.along]\ncells = [1, 1]\nvectors = [[1.0, 0.0]]\n\
                      [fields.back]\ncells = [1, 1]\nvectors = [[-1.0, 0.0]]\n";

/// A species that follows one of the fields.
fn species(name: &str, field: &str, motion: &str, keys: &str) -> String {
    format!(
        "[species.{name}]\npeople = true\nmotion = {{ {motion} }}\nresponse = 0.5\n{keys}\n\
         behaviours = [{{ rule = \"follow_flow_field\", field = \"{field}\", horizon = 0.0 }}]\n"
    )
}

/// The side on which a fast person passes a slow one, positive for the left: `aside` is how far it starts to the left.
fn overtakes(side: &str, aside: f32) -> f32 {
    let motion = format!("model = \"pedvo\", side = \"{side}\"");
    let text = format!(
        "format = 1\n[world]\ndimensions = 2\nsize = [40.0, 8.0]\nedge = \"bounce\"\ntick = 0.05\nticks = 1\n{FIELDS}{}{}",
        species("slow", "along", &motion, "count = 0\nmax_speed = 0.6"),
        species("fast", "along", &motion, "count = 0\nmax_speed = 1.4"),
    );
    let mut world = world(&text);
    let [slow, fast] = ["slow", "fast"].map(|name| world.find_species(name).unwrap());
    world.spawn(slow, [8.0, 4.0], Vector::ZERO).unwrap();
    world.spawn(fast, [4.0, 4.0 + aside], Vector::ZERO).unwrap();
    for _ in 0..400 {
        world.step();
        let [slow, fast] = [slow, fast].map(|species| world.agents(species).unwrap().position(0));
        if fast[0] > slow[0] {
            return fast[1] - slow[1];
        }
    }
    panic!("the fast person stays behind");
}

#[test]
fn people_overtake_on_the_nearer_side() {
    for aside in [0.08, 0.15, 0.25] {
        for side in ["left", "right", "drawn"] {
            assert!(overtakes(side, aside) > 0.2, "{aside} m to the left, {side}");
            assert!(overtakes(side, -aside) < -0.2, "{aside} m to the right, {side}");
        }
    }
}

#[test]
fn people_straight_behind_overtake_on_their_side() {
    for aside in [-0.02, 0.0, 0.02] {
        assert!(overtakes("left", aside) > 0.2, "{aside} m");
        assert!(overtakes("right", aside) < -0.2, "{aside} m");
    }
}

/// The positions after 4 s of two groups that meet in a corridor: mirrored across its middle, or not.
fn meets(species_of: impl Fn(&str) -> String, mirrored: bool) -> Vec<Vector<2>> {
    let text = format!(
        "format = 1\nwalls = [[[0.0, 4.0], [32.0, 4.0]], [[0.0, 8.0], [32.0, 8.0]]]\n\
         [world]\ndimensions = 2\nsize = [32.0, 12.0]\nedge = \"bounce\"\ntick = 0.02\nticks = 1\n{FIELDS}{}{}",
        species_of("along"),
        species_of("back"),
    );
    let mut world = world(&text);
    for number in 0..12 {
        for (name, from, sign) in [("along", 10.0, 1.0), ("back", 16.0, -1.0)] {
            let species = world.find_species(name).unwrap();
            let aside = -1.375 + 0.8125 * (number % 4) as f32 + 0.0625 * (number / 4) as f32 - sign * 0.125;
            let at = [from - sign * 0.9 * (number / 4) as f32, 6.0 + if mirrored { -aside } else { aside }];
            world.spawn(species, at, [0.5 * sign, 0.0]).unwrap();
        }
    }
    (0..200).for_each(|_| world.step());
    let of = |all: &throng::Agents<2>| (0..all.len()).map(|row| all.position(row)).collect::<Vec<_>>();
    world.all_agents().iter().flat_map(of).collect()
}

/// Numbers between 4 and 8 are symmetric about 6, so that only sums in another order round in another way.
#[track_caller]
fn assert_mirrored(what: &str, species_of: impl Fn(&str, bool) -> String) {
    let [usual, mirrored] = [false, true].map(|mirrored| meets(|name| species_of(name, mirrored), mirrored));
    for (one, other) in usual.iter().zip(&mirrored) {
        let apart = (*one - Vector([other[0], 12.0 - other[1]])).length();
        assert!(apart < 0.01, "{what}: {one:?} and {other:?}");
    }
}

#[test]
fn mirrored_crowds_walk_mirrored_ways() {
    for model in ["pedvo", "orca"] {
        assert_mirrored(model, |name, mirrored| {
            let motion = format!("model = \"{model}\", side = \"{}\"", if mirrored { "left" } else { "right" });
            species(name, name, &motion, "count = 0\nmax_speed = 1.3")
        });
    }
}

/// All rules that draw nothing.
#[test]
fn mirrored_agents_steer_to_mirrored_sides() {
    let rules = ["separation", "alignment", "cohesion", "avoid_neighbours", "avoid_walls", "containment", "queue"];
    for rule in rules {
        assert_mirrored(rule, |name, _| {
            format!(
                "[species.{name}]\ncount = 0\nmax_speed = 1.3\nresponse = 0.5\nradius = 0.2\n\
                 behaviours = [{{ rule = \"follow_flow_field\", field = \"{name}\", horizon = 0.0 }}, {{ rule = \"{rule}\" }}]\n"
            )
        });
    }
}

/// The share of people whose body is within a centimetre of a wall, in a corridor with people both ways.
#[test]
fn few_people_brush_against_walls() {
    let keys = "count = 52\nmax_speed = { mean = 1.34, sd = 0.26, low = 0.7, high = 2.0 }\n\
                place = { region = \"box\", centre = [13.0, 3.0], size = [26.0, 3.6], speed = 0.0 }";
    let text = format!(
        "format = 1\nwalls = [[[0.0, 1.0], [26.0, 1.0]], [[0.0, 5.0], [26.0, 5.0]]]\n\
         [world]\ndimensions = 2\nsize = [26.0, 6.0]\nedge = [\"wrap\", \"bounce\"]\ntick = 0.05\nticks = 1\nseed = 2\n{FIELDS}{}{}",
        species("along", "along", "model = \"pedvo\"", keys),
        species("back", "back", "model = \"pedvo\"", keys),
    );
    let (mut world, mut near, mut all) = (world(&text), 0, 0);
    for tick in 0..1200 {
        world.step();
        if tick >= 400 {
            for agents in world.all_agents() {
                let is_near = |row: &usize| !(1.21..=4.79).contains(&agents.position(*row)[1]);
                (near, all) = (near + (0..agents.len()).filter(is_near).count(), all + agents.len());
            }
        }
    }
    assert!(near * 8 < all, "{near} of {all}");
}

/// In a row between benches no two can pass. Those that meet head-on know both doors, or step back.
#[test]
fn rows_that_meet_head_on_come_out() {
    for (width, knows_both) in [(0.45, true), (0.5, false), (0.55, true)] {
        let (low, high) = (4.0 - 0.5 * width, 4.0 + 0.5 * width);
        let goals = |own: &str| if knows_both { "\"left\", \"right\"".to_owned() } else { format!("\"{own}\"") };
        let person = |own: &str| {
            format!(
                "[species.to_{own}]\npeople = true\ncount = 0\n\
                 behaviours = [{{ rule = \"walk_to\", goals = [{}], hysteresis = 0.0 }}]\n",
                goals(own)
            )
        };
        let text = format!(
            "format = 1\n\
             wall = [{{ polygon = [[4.0, 2.0], [12.0, 2.0], [12.0, {low:?}], [4.0, {low:?}]] }}, \
                     {{ polygon = [[4.0, {high:?}], [12.0, {high:?}], [12.0, 6.0], [4.0, 6.0]] }}]\n\
             region = [{{ name = \"west\", centre = [0.5, 4.0], size = [1.0, 8.0] }}, \
                       {{ name = \"east\", centre = [15.5, 4.0], size = [1.0, 8.0] }}]\n\
             sink = [{{ name = \"west\", region = \"west\" }}, {{ name = \"east\", region = \"east\" }}]\n\
             navigation.left = {{ goals = [\"region:west\"], clearance = 0.2, cell = 0.05 }}\n\
             navigation.right = {{ goals = [\"region:east\"], clearance = 0.2, cell = 0.05 }}\n\
             [world]\ndimensions = 2\nsize = [16.0, 8.0]\nedge = \"bounce\"\ntick = 0.05\nticks = 1\n{}{}",
            person("left"),
            person("right")
        );
        let mut world = world(&text);
        for number in 0..4 {
            let at = number as f32;
            for (name, x) in [("to_right", 7.4 - 0.6 * at), ("to_left", 8.6 + 0.6 * at)] {
                world.spawn(world.find_species(name).unwrap(), [x, 4.0], Vector::ZERO).unwrap();
            }
        }
        for _ in 0..4000 {
            world.step();
        }
        assert_eq!(world.population(), 0, "a row of {width} m, both doors: {knows_both}");
    }
}
