//! The models of walkers keep their laws at any tick and in any place.

use throng::{WarningKind, World};
use throng_scenario::Scenario;

/// The world of a scenario with a seed.
fn world(text: &str, seed: u64) -> World<2> {
    let text = text.replace("[world]", &format!("[world]\nseed = {seed}"));
    let scenario = Scenario::parse(&text, "s.toml").unwrap_or_else(|problems| panic!("{problems}\n{text}"));
    scenario.build().unwrap()
}

fn steps(world: &mut World<2>, seconds: f32) {
    let ticks = (seconds / world.settings().tick_seconds).ceil() as usize;
    (0..ticks).for_each(|_| world.step());
}

/// The mean speed over some seconds.
fn mean_speed(world: &mut World<2>, seconds: f32) -> f32 {
    let ticks = (seconds / world.settings().tick_seconds).ceil() as usize;
    let (mut sum, mut count) = (0.0, 0.0);
    for _ in 0..ticks {
        world.step();
        for agents in world.all_agents() {
            for row in 0..agents.len() {
                sum += agents.velocity(row).length();
                count += 1.0;
            }
        }
    }
    sum / count
}

/// A person who walks along a corridor.
fn corridor(tick: f32, wide: f32, radius: f32, y: f32) -> String {
    let (low, high) = (5.0 - 0.5 * wide, 5.0 + 0.5 * wide);
    format!(
        r#"format = 1
walls = [[[0.0, {low}], [60.0, {low}]], [[0.0, {high}], [60.0, {high}]]]
fields.east = {{ cells = [1, 1], vectors = [[1.0, 0.0]] }}
[world]
dimensions = 2
size = [60.0, 10.0]
edge = ["wrap", "bounce"]
tick = {tick}
[species.walker]
count = 1
radius = {radius}
max_speed = 1.25
max_force = 1e5
place = {{ region = "point", centre = [1.0, {y}], heading = 0.0, speed = 0.0 }}
behaviours = [{{ rule = "follow_flow_field", field = "east" }}]
motion = {{ model = "collision_free_speed" }}
"#
    )
}

#[test]
fn a_person_goes_straight_between_near_walls() {
    for (wide, radius) in [(0.45, 0.2), (0.5, 0.2), (0.6, 0.2), (0.7, 0.3), (2.0, 0.25)] {
        for tick in [0.01, 0.05, 0.1, 0.25] {
            let mut world = world(&corridor(tick, wide, radius, 5.01), 0);
            steps(&mut world, 2.0);
            let from = world.all_agents().iter().next().unwrap().position(0)[0];
            steps(&mut world, 20.0);
            let to = world.all_agents().iter().next().unwrap().position(0)[0];
            let speed = (to - from) / 20.0;
            assert!((speed / 1.25 - 1.0).abs() < 0.01, "{wide} m, tick {tick} s: {speed} m/s");
        }
    }
}

/// People on a ring of 26 m in single file between walls.
fn ring(tick: f32, count: u32) -> String {
    use std::fmt::Write as _;
    let circle = |radius: f32| {
        let mut points = String::new();
        for at in 0..=96 {
            let angle = (at % 96) as f32 / 96.0 * std::f32::consts::TAU;
            let (sine, cosine) = throng::maths::sin_cos(angle);
            let _ = write!(points, "[{}, {}],", 10.0 + radius * cosine, 10.0 + radius * sine);
        }
        points
    };
    let middle = 26.0 / std::f32::consts::TAU;
    let (inner, outer) = (circle(middle - 0.25), circle(middle + 0.25));
    let (mut vectors, cells) = (String::new(), 40);
    for y in 0..cells {
        for x in 0..cells {
            let at = [x, y].map(|cell| (cell as f32 + 0.5) * 20.0 / cells as f32 - 10.0);
            let length = (at[0] * at[0] + at[1] * at[1]).sqrt();
            let _ = write!(vectors, "[{}, {}],", -at[1] / length, at[0] / length);
        }
    }
    format!(
        r#"format = 1
walls = [[{inner}], [{outer}]]
fields.round = {{ cells = [{cells}, {cells}], vectors = [{vectors}] }}
[world]
dimensions = 2
size = [20.0, 20.0]
edge = "bounce"
tick = {tick}
[species.walker]
count = {count}
radius = 0.2
max_speed = 1.25
max_force = 1e5
place = {{ region = "box", centre = [2.2, 2.2], size = [4.0, 4.0], speed = 0.0 }}
behaviours = [{{ rule = "follow_flow_field", field = "round" }}]
motion = {{ model = "collision_free_speed" }}
"#
    )
}

#[test]
fn the_speed_in_single_file_is_that_of_the_formula() {
    let middle = 26.0 / std::f32::consts::TAU;
    for tick in [0.05, 0.1] {
        let mut world = world(&ring(tick, 26), 0);
        let ids: Vec<_> = world.all_agents().iter().next().unwrap().ids().to_vec();
        for (number, id) in ids.into_iter().enumerate() {
            let (sine, cosine) = throng::maths::sin_cos(number as f32 / 26.0 * std::f32::consts::TAU);
            world.set_position(id, [10.0 + middle * cosine, 10.0 + middle * sine]).unwrap();
        }
        steps(&mut world, 20.0);
        // A gap of 0.6 m, less the chord, over a second.
        let speed = mean_speed(&mut world, 20.0);
        assert!((speed / 0.596 - 1.0).abs() < 0.02, "tick {tick} s: {speed} m/s");
    }
}

/// Eighty people before a door.
fn door(tick: f32, model: &str, wide: f32) -> String {
    let (low, high) = (5.0 - 0.5 * wide, 5.0 + 0.5 * wide);
    format!(
        r#"format = 1
walls = [[[10.0, 0.0], [10.0, {low}]], [[10.0, {high}], [10.0, 10.0]]]
region = [{{ name = "out", centre = [18.0, 5.0], radius = 1.0 }}, {{ name = "room", centre = [5.0, 5.0], size = [9.0, 9.0] }}]
source = [{{ name = "room", species = "walker", region = "room", number = 80, speed = 0.0 }}]
sink = [{{ name = "out", region = "out" }}]
navigation = {{ out = {{ goals = ["region:out"] }} }}
[world]
dimensions = 2
size = [20.0, 10.0]
edge = "bounce"
tick = {tick}
[species.walker]
radius = 0.25
mass = 80.0
max_speed = 1.3
max_force = 1e5
behaviours = [{{ rule = "walk_to", goals = ["out"] }}]
motion = {{ model = "{model}" }}
"#
    )
}

/// The seconds until all are out, at most `most`, and how many are left.
fn time_out(world: &mut World<2>, most: f32) -> (f32, usize) {
    world.step();
    loop {
        let left = world.all_agents().iter().map(|agents| agents.len()).sum();
        let seconds = world.seconds() as f32;
        if left == 0 || seconds >= most {
            return (seconds, left);
        }
        world.step();
    }
}

#[test]
fn the_flow_through_a_door_does_not_depend_on_the_tick() {
    for model in ["social_force", "collision_free_speed"] {
        let median = |tick: f32| {
            let mut outs: Vec<_> =
                (0..3).map(|seed| time_out(&mut world(&door(tick, model, 1.2), seed), 200.0)).collect();
            assert!(outs.iter().all(|(_, left)| *left == 0), "{model}, tick {tick} s: {outs:?}");
            outs.sort_by(|a, b| a.0.total_cmp(&b.0));
            outs[1].0
        };
        let right = median(0.01);
        for tick in [0.02, 0.05] {
            let seconds = median(tick);
            assert!((seconds / right - 1.0).abs() < 0.1, "{model}, tick {tick} s: {seconds} instead of {right} s");
        }
        let warns = |tick| {
            world(&door(tick, model, 1.2), 0).warnings().iter().any(|warning| warning.kind == WarningKind::Stiff)
        };
        assert!(!warns(0.05) && warns(0.2), "{model}");
    }
}

#[test]
fn nobody_jams_for_good_at_a_door() {
    for seed in 0..10 {
        for wide in [1.2, 1.5] {
            let out = time_out(&mut world(&door(0.05, "collision_free_speed", wide), seed), 300.0);
            assert_eq!(out.1, 0, "{wide} m, seed {seed}");
        }
    }
}

const MEET: &str = r#"format = 1
walls = [[[2.0, 2.0], [22.0, 2.0], [22.0, 22.0], [18.0, 22.0], [18.0, 6.0], [2.0, 6.0], [2.0, 2.0]]]
region = [{ name = "west", centre = [3.0, 4.0], size = [1.0, 3.0] }, { name = "north", centre = [20.0, 21.0], size = [3.0, 1.0] }]
sink = [{ name = "west", region = "west", species = ["b"] }, { name = "north", region = "north", species = ["a"] }]
navigation = { west = { goals = ["region:west"] }, north = { goals = ["region:north"] } }
[world]
dimensions = 2
size = [24.0, 24.0]
edge = "bounce"
tick = 0.05
[species.a]
count = COUNT
radius = 0.25
max_speed = 1.3
mass = 80.0
motion = { model = "MODEL" }
place = { region = "box", centre = [4.0, 4.0], size = [1.0, 3.0], speed = 0.0 }
behaviours = [{ rule = "walk_to", goals = ["north"] }]
[species.b]
count = COUNT
radius = 0.25
max_speed = 1.3
mass = 80.0
motion = { model = "MODEL" }
place = { region = "box", centre = [20.0, 20.0], size = [3.0, 1.0], speed = 0.0 }
behaviours = [{ rule = "walk_to", goals = ["west"] }]
"#;

/// Groups that meet head-on in a straight corridor of this width.
fn head_on(model: &str, wide: f32, count: u32) -> String {
    let (low, high) = (5.0 - 0.5 * wide, 5.0 + 0.5 * wide);
    let length = 0.8 * count as f32;
    let group = |name: &str, x: f32, goal: f32| {
        format!(
            r#"[species.{name}]
count = {count}
radius = 0.25
mass = 80.0
max_speed = 1.3
max_force = 1e5
place = {{ region = "box", centre = [{x}, 5.0], size = [{length}, 0.001], speed = 0.0 }}
behaviours = [{{ rule = "walk_to", goals = ["{name}"] }}]
motion = {{ model = "{model}" }}
[[region]]
name = "{name}"
centre = [{goal}, 5.0]
size = [1.0, {wide}]
[[sink]]
name = "{name}"
region = "{name}"
species = ["{name}"]
[navigation.{name}]
goals = ["region:{name}"]
"#
        )
    };
    format!(
        r#"format = 1
walls = [[[0.0, {low}], [30.0, {low}]], [[0.0, {high}], [30.0, {high}]]]
[world]
dimensions = 2
size = [30.0, 10.0]
edge = "bounce"
tick = 0.05
{}{}"#,
        group("a", 8.0, 28.0),
        group("b", 22.0, 2.0)
    )
}

#[test]
fn nobody_blocks_anybody_for_ever() {
    for model in ["social_force", "collision_free_speed"] {
        for count in ["1", "5"] {
            let text = MEET.replace("MODEL", model).replace("COUNT", count);
            for seed in 0..20 {
                let (_, left) = time_out(&mut world(&text, seed), 120.0);
                assert_eq!(left, 0, "{model}, {count} against {count}, seed {seed}");
            }
        }
    }
}

#[test]
fn groups_pass_head_on_on_both_sides_alike() {
    for model in ["social_force", "collision_free_speed"] {
        for wide in [9.0, 2.0, 1.2, 1.05] {
            let mut left_hand = 0;
            for seed in 0..12 {
                let count = if seed < 8 { 1 } else { 5 };
                let mut world = world(&head_on(model, wide, count), seed);
                // In single file, exactly head-on.
                let ids: Vec<_> = world.all_agents().iter().flat_map(|agents| agents.ids().to_vec()).collect();
                for (place, &id) in ids.iter().enumerate() {
                    let (group, place) = (place / count as usize, (place % count as usize) as f32);
                    let x = if group == 0 { 8.0 - 0.7 * place } else { 22.0 + 0.7 * place };
                    world.set_position(id, [x, 5.0]).unwrap();
                }
                let mut side = 0.0;
                while world.tick() < 2400 && world.all_agents().iter().any(|agents| !agents.is_empty()) {
                    world.step();
                    let [one, other] = [ids[0], ids[count as usize]].map(|id| world.position(id));
                    if let (Ok(one), Ok(other)) = (one, other)
                        && (one[0] - other[0]).abs() < 0.2
                    {
                        side = one[1] - other[1];
                    }
                }
                let left: usize = world.all_agents().iter().map(|agents| agents.len()).sum();
                assert_eq!(left, 0, "{model}, {wide} m, {count} against {count}, seed {seed}");
                left_hand += usize::from(side > 0.0);
            }
            assert!((2..=10).contains(&left_hand), "{model}, {wide} m: {left_hand} of 12 pass on their left");
        }
    }
}

#[test]
fn a_crowd_at_one_point_comes_to_rest() {
    for model in ["social_force", "collision_free_speed"] {
        for count in [1, 2, 5, 20, 60] {
            let text = format!(
                r#"format = 1
[world]
dimensions = 2
size = [40.0, 40.0]
edge = "bounce"
tick = 0.05
[species.walker]
count = {count}
radius = 0.25
mass = 80.0
max_speed = 1.3
max_force = 1e5
place = {{ region = "disc", centre = [20.0, 20.0], radius = 12.0, speed = 0.0 }}
behaviours = [{{ rule = "arrive", target = [20.0, 20.0], slowing_radius = 1.0 }}]
motion = {{ model = "{model}" }}
"#
            );
            let mut world = world(&text, 0);
            steps(&mut world, 60.0);
            let speed = mean_speed(&mut world, 10.0);
            assert!(speed < 0.05, "{model}, {count}: {speed} m/s");
        }
    }
}

#[test]
fn people_behind_a_wall_are_not_felt() {
    for model in ["social_force", "collision_free_speed"] {
        let walk = |behind: u32| {
            let text = format!(
                r#"format = 1
walls = [[[0.0, 5.0], [40.0, 5.0]]]
[world]
dimensions = 2
size = [40.0, 10.0]
edge = "bounce"
tick = 0.05
[species.walker]
count = 1
radius = 0.25
mass = 80.0
max_speed = 1.3
place = {{ region = "point", centre = [2.0, 4.74], heading = 0.0, speed = 1.3 }}
behaviours = [{{ rule = "seek", target = [39.0, 4.74] }}]
motion = {{ model = "{model}" }}
[species.other]
count = {behind}
radius = 0.25
mass = 80.0
max_speed = 0.0
place = {{ region = "box", centre = [15.0, 5.3], size = [8.0, 0.04], speed = 0.0 }}
motion = {{ model = "{model}" }}
"#
            );
            let mut world = world(&text, 0);
            (0..400)
                .map(|_| {
                    world.step();
                    world.all_agents().iter().find(|agents| agents.name() == "walker").unwrap().position(0)
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(walk(0), walk(12), "{model}");
        assert!(walk(0)[399][0] > 20.0);
    }
}
