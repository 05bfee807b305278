//! Events are decided on the path of a tick.

use throng::{AgentId, Event, World};
use throng_scenario::Scenario;

/// The world of a scenario.
fn world<const D: usize>(text: &str) -> World<D> {
    let scenario = Scenario::parse(text, "s.toml").unwrap_or_else(|problems| panic!("{problems}\n{text}"));
    scenario.build().unwrap()
}

/// Advances a world by some seconds, and counts events of one name by the way.
fn count<const D: usize>(world: &mut World<D>, seconds: f32, name: &str) -> usize {
    let ticks = (seconds / world.settings().tick_seconds).ceil() as usize;
    let mut events = 0;
    for _ in 0..ticks {
        world.step();
        events += world.events().iter().filter(|event| event.name() == name).count();
    }
    events
}

/// The number of an agent among those that were spawned, while none was removed.
fn slot(agent: AgentId) -> usize {
    agent.to_bits() as u32 as usize
}

/// A hall of 40 m in which 100 walkers cross a strip at `x`, in `dimensions` dimensions.
fn strip(dimensions: usize, tick: f32, wide: f32, x: f32, edge: &str, rest: &str) -> String {
    let (deep, flow) = if dimensions == 2 { ("", "") } else { (", 10.0", ", 0.0") };
    let (centre, cells) = if dimensions == 2 { ("", "1, 1") } else { (", 5.0", "1, 1, 1") };
    let bounce = if dimensions == 2 { "" } else { ", \"bounce\"" };
    format!(
        r#"format = 1
[world]
dimensions = {dimensions}
size = [40.0, 10.0{deep}]
edge = ["{edge}", "bounce"{bounce}]
tick = {tick}
[[region]]
name = "exit"
centre = [{x}, 5.0{centre}]
size = [{wide}, 10.0{deep}]
[fields.east]
cells = [{cells}]
vectors = [[1.0, 0.0{flow}]]
[species.walker]
count = 100
radius = 0.2
max_speed = [1.0, 1.6]
place = {{ region = "box", centre = [5.0, 5.0{centre}], size = [9.0, 9.0{deep}], speed = 1.0 }}
behaviours = [{{ rule = "follow_flow_field", field = "east" }}]
{rest}
"#
    )
}

const SINK: &str = "[[sink]]\nname = \"exit\"\nregion = \"exit\"";

#[test]
fn nobody_walks_through_a_thin_exit() {
    for (dimensions, edge, x) in [(2, "open", 20.0), (2, "wrap", 0.0), (2, "wrap", 39.99), (3, "open", 20.0)] {
        for wide in [0.001, 0.05, 0.1, 0.2] {
            for tick in [0.05, 0.1, 0.25, 0.5] {
                let text = strip(dimensions, tick, wide, x, edge, SINK);
                let removed = match dimensions {
                    2 => count(&mut world::<2>(&text), 60.0, "removed"),
                    _ => count(&mut world::<3>(&text), 60.0, "removed"),
                };
                assert_eq!(removed, 100, "{dimensions} dimensions, {edge} at {x}, {wide} m, tick {tick} s");
            }
        }
    }
}

#[test]
fn every_entry_of_a_region_is_reported_once_and_counted_by_sources() {
    let source = r#"[[source]]
name = "light"
species = "lamp"
region = "hall"
on_entry = "exit"
speed = 0.0
[[region]]
name = "hall"
centre = [30.0, 5.0]
size = [9.0, 9.0]
[species.lamp]
radius = 0.0"#;
    for tick in [0.05, 0.25, 1.0] {
        let mut world = world::<2>(&strip(2, tick, 0.05, 20.0, "open", source));
        let (mut entered, mut left) = ([0; 100], [0; 100]);
        let line = world.environment().regions.ids()[0];
        for _ in 0..(60.0 / tick) as usize {
            world.step();
            for event in world.events() {
                match event {
                    Event::EnteredRegion { agent, region, .. } if *region == line && slot(*agent) < 100 => {
                        entered[slot(*agent)] += 1
                    }
                    Event::LeftRegion { agent, region, .. } if *region == line && slot(*agent) < 100 => {
                        left[slot(*agent)] += 1
                    }
                    _ => {}
                }
            }
        }
        assert_eq!((entered, left), ([1; 100], [1; 100]), "tick {tick} s");
        let lamps = world.all_agents().iter().find(|agents| agents.name() == "lamp").map(|agents| agents.len());
        assert_eq!(lamps, Some(100), "tick {tick} s");
    }
}

/// One runner at `speed` that changes its state, and turns, where it passes a place.
fn turning(tick: f32, speed: f32, when: &str) -> String {
    format!(
        r#"format = 1
[world]
dimensions = 2
size = [400.0, 10.0]
edge = "open"
tick = {tick}
[marks]
post = [200.0, 5.3]
[[region]]
name = "strip"
centre = [200.0, 5.0]
size = [0.1, 10.0]
[species.runner]
count = 1
radius = 0.2
max_speed = {speed}
motion = {{ model = "kinematic" }}
place = {{ region = "point", centre = [1.3, 5.0], speed = {speed}, heading = 0.0 }}
[species.runner.states.out]
behaviours = [{{ rule = "seek", target = [390.0, 5.0] }}]
transitions = [{{ to = "back", {when} }}]
[species.runner.states.back]
behaviours = [{{ rule = "seek", target = [0.0, 5.0] }}]
"#
    )
}

#[test]
fn a_place_is_met_on_the_way() {
    for when in [
        "nearer = \"region:strip\", distance = 0.0",
        "nearer = \"mark:post\", distance = 0.4",
        "nearer = [200.0, 5.0], distance = 0.1",
    ] {
        for (tick, speed) in [(0.05, 3.0), (0.25, 9.0), (1.0, 30.0)] {
            let mut world = world::<2>(&turning(tick, speed, when));
            count(&mut world, 400.0 / speed * 0.75, "");
            let x = world.all_agents().iter().next().unwrap().position(0)[0];
            assert!(x < 200.0, "{when}: at {x} m with {speed} m/s and a tick of {tick} s");
        }
    }
}

#[test]
fn a_target_is_touched_on_the_way() {
    for rule in ["seek", "arrive"] {
        for (tick, speed) in [(0.05, 3.0), (0.25, 20.0), (1.0, 60.0)] {
            let mut world = world::<2>(&format!(
                r#"format = 1
[world]
dimensions = 2
size = [400.0, 400.0]
edge = "wrap"
tick = {tick}
[species.runner]
count = 40
radius = 0.1
max_speed = {speed}
max_force = 1e4
place = {{ region = "box", centre = [50.0, 50.0], size = [90.0, 90.0], speed = {speed} }}
behaviours = [{{ rule = "{rule}", target = [399.9, 0.1] }}]
"#
            ));
            // A point has no extent: one that walks over it touches it.
            let mut arrived = [false; 40];
            for _ in 0..(400.0 / tick) as usize {
                world.step();
                for event in world.events() {
                    if let Event::Arrived { agent, .. } = event {
                        arrived[slot(*agent)] = true;
                    }
                }
            }
            assert!(arrived.iter().filter(|arrived| **arrived).count() >= 39, "{rule}, {speed} m/s, tick {tick} s");
        }
    }
}

/// A hawk and a dove that fly past each other, 0.3 m apart, over `walls`.
fn flight(tick: f32, speed: f32, walls: &str) -> String {
    format!(
        r#"format = 1
{walls}
[world]
dimensions = 2
size = [200.0, 20.0]
edge = ["wrap", "bounce"]
tick = {tick}
[species.hawk]
count = 1
radius = 0.1
max_speed = {speed}
place = {{ region = "point", centre = [150.0, 10.0], speed = {speed}, heading = 0.0 }}
catch = {{ whom = "dove", distance = 0.5 }}
[species.dove]
count = 1
radius = 0.1
max_speed = {speed}
place = {{ region = "point", centre = [53.21, 10.3], speed = {speed}, heading = 180.0 }}
"#
    )
}

#[test]
fn prey_is_caught_on_the_way_and_not_through_a_wall() {
    for (tick, speed) in [(0.05, 2.0), (0.1, 30.0), (0.5, 40.0), (1.0, 55.0)] {
        let seconds = 75.0 / speed;
        let caught = count(&mut world::<2>(&flight(tick, speed, "")), seconds, "caught");
        assert!(caught > 0, "{speed} m/s, tick {tick} s");
        let wall = "walls = [[[0.0, 10.15], [200.0, 10.15]]]";
        let caught = count(&mut world::<2>(&flight(tick, speed, wall)), seconds, "caught");
        assert_eq!(caught, 0, "{speed} m/s, tick {tick} s");
    }
}

#[test]
fn a_condition_does_not_look_through_walls() {
    for (walls, meets) in [("", true), ("walls = [[[5.0, 0.0], [5.0, 10.0]]]", false)] {
        let mut world = world::<2>(&format!(
            r#"format = 1
{walls}
[world]
dimensions = 2
size = [10.0, 10.0]
edge = "bounce"
[species.guard]
count = 1
radius = 0.2
place = {{ region = "point", centre = [4.5, 5.0] }}
[species.guard.states.calm]
behaviours = []
transitions = [{{ to = "alert", nearer = "thief", distance = 2.0 }}]
[species.guard.states.alert]
behaviours = []
[species.thief]
count = 1
radius = 0.2
place = {{ region = "point", centre = [5.5, 5.0] }}
"#
        ));
        count(&mut world, 1.0, "");
        assert_eq!(world.all_agents().iter().next().unwrap().state(0) == 1, meets);
    }
}

#[test]
fn nobody_circles_round_a_waypoint() {
    for (turn, threshold, min_speed) in [
        (45.0, 2.0, 0.0),
        (90.0, 1.0, 0.0),
        (45.0, 1.0, 0.0),
        (90.0, 0.3, 0.0),
        (60.0, 1.0, 5.0),
        (90.0, 0.0, 0.0),
        (1000.0, 0.0, 0.0),
        (20.0, 0.0, 9.0),
    ] {
        for (dimensions, tick) in [(2, 0.05), (2, 0.25), (3, 0.05)] {
            let z = |z: u32| if dimensions == 2 { String::new() } else { format!(", {z}") };
            let [a, b, c, d] = [10, 10, 60, 30].map(z);
            let size = if dimensions == 2 { "100.0, 100.0" } else { "100.0, 100.0, 100.0" };
            let text = format!(
                r#"format = 1
[world]
dimensions = {dimensions}
size = [{size}]
edge = "open"
tick = {tick}
[species.a]
count = 20
max_speed = 10.0
min_speed = {min_speed}
max_turn_rate = {turn}
place = {{ region = "disc", centre = [10.0, 10.0{a}], radius = 5.0 }}
behaviours = [{{ rule = "follow_path", points = [[10, 10{a}], [90, 10{b}], [50, 90{c}], [20, 40{d}]], threshold = {threshold} }}]
"#
            );
            let mut arrived = [false; 20];
            let mut note = |events: &[Event]| {
                for event in events {
                    if let Event::Arrived { agent, .. } = event {
                        arrived[slot(*agent)] = true;
                    }
                }
            };
            let ticks = (120.0 / tick) as usize;
            if dimensions == 2 {
                let mut world = world::<2>(&text);
                (0..ticks).for_each(|_| {
                    world.step();
                    note(world.events());
                });
            } else {
                let mut world = world::<3>(&text);
                (0..ticks).for_each(|_| {
                    world.step();
                    note(world.events());
                });
            }
            let arrived = arrived.iter().filter(|arrived| **arrived).count();
            assert_eq!(arrived, 20, "{dimensions}D, {turn} degrees/s, {threshold} m, {min_speed} m/s, tick {tick} s");
        }
    }
}
