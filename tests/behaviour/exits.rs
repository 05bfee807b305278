//! Exits: whoever walks to a place where a sink removes walkers gets out.

use throng::World;

use crate::scene::{population, run, world};

const MODELS: [&str; 4] = ["orca", "pedvo", "social_force", "collision_free_speed"];

/// The ground of a hall of 20 by 10 metres, or of its half with a door, with an exit.
fn open(radius: f32) -> String {
    format!("region = [{{ name = \"out\", centre = [14.0, 5.0], radius = {radius} }}]\n")
}

fn door(width: f32, depth: f32) -> String {
    let [low, high, middle] = [5.0 - 0.5 * width, 5.0 + 0.5 * width, 20.0 + 0.5 * depth];
    format!(
        "walls = [[[0.0, 0.0], [20.0, 0.0], [20.0, {low}]], [[20.0, {high}], [20.0, 10.0], [0.0, 10.0], [0.0, 0.0]]]\n\
         region = [{{ name = \"out\", centre = [{middle}, 5.0], size = [{depth}, {width}] }}]\n"
    )
}

fn hall(ground: &str, rest: &str, model: &str, count: usize, seed: u64) -> World<2> {
    world(&format!(
        "format = 1\nsink = [{{ name = \"out\", region = \"out\" }}]\n{ground}\
         [world]\ndimensions = 2\nsize = [24.0, 10.0]\nedge = \"bounce\"\ntick = 0.05\nticks = 1\nuntil = \"empty\"\n\
         seed = {seed}\n[species.v]\ncount = {count}\npeople = true\nmotion = {{ model = \"{model}\" }}\n\
         place = {{ region = \"box\", centre = [8.0, 5.0], size = [14.0, 9.0], speed = 0.0 }}\n{rest}"
    ))
}

const WALK: &str = "behaviours = [{ rule = \"walk_to\", goals = [\"out\"] }]\n";

/// The ground, with a way to the exit.
fn to_region(ground: &str) -> String {
    format!("navigation = {{ out = {{ goals = [\"region:out\"] }} }}\n{ground}")
}

/// The number of people that stay, and the time of the last exit.
fn left(ground: &str, rest: &str, model: &str, seed: u64) -> (usize, f64) {
    let mut world = hall(ground, rest, model, 60, seed);
    let removed = run(&mut world, 300.0).removed;
    (population(&world), removed.last().copied().unwrap_or(0.0))
}

#[test]
fn nobody_comes_to_rest_before_an_exit() {
    for model in MODELS {
        for (ground, seed) in [(open(0.1), 1), (open(0.3), 1), (door(0.9, 0.2), 6), (door(0.8, 0.3), 2)] {
            let (left, _) = left(&to_region(&ground), WALK, model, seed);
            assert_eq!(left, 0, "{model}, seed {seed}: {ground}");
        }
    }
}

#[test]
#[ignore = "takes minutes"]
fn all_get_out_by_exits_of_all_sizes() {
    let seeds = std::env::var("SEEDS").map_or(20, |seeds| seeds.parse().unwrap());
    let only = std::env::var("MODEL").unwrap_or_default();
    let what = std::env::var("WHAT").unwrap_or_default();
    let sizes = [0.1, 0.2, 0.3, 0.5, 1.0, 2.0];
    let mut grounds: Vec<String> = sizes.iter().map(|size| open(*size)).collect();
    grounds.extend([0.7, 0.8, 0.9, 1.0, 1.2, 2.0].iter().flat_map(|width| sizes.map(|depth| door(*width, depth))));
    for model in MODELS.iter().filter(|model| model.contains(&only)) {
        for ground in grounds.iter().filter(|ground| ground.contains(&what)) {
            let all: Vec<(usize, f64)> = (0..seeds).map(|seed| left(&to_region(ground), WALK, model, seed)).collect();
            let stay: Vec<usize> = all.iter().map(|(left, _)| *left).filter(|left| *left > 0).collect();
            let last = all.iter().map(|(_, last)| last).sum::<f64>() / all.len() as f64;
            eprintln!("{model} {} stay {stay:?} last {last:.1}", ground.trim().rsplit('\n').next().unwrap_or(""));
        }
    }
}
