//! Tests of zones over time: smoke slows people down as its formula says, and doses add up.

use throng::{AnyWorld, World};
use throng_scenario::Scenario;

/// A person in the smoke and the gas of the left half.
const ROOM: &str = r#"
format = 1
world = { dimensions = 2, size = [200, 10], edge = "bounce", tick = 0.1, seed = 1 }
region = [{ name = "left", centre = [50, 5], size = [100, 10] }]
zone = [{ region = "left", factor = 0.5, extinction = [[0, 0.0], [10, 5.0], [20, 100.0]], variable = "dose", rate = [[0, 0.0], [10, 0.2]] }]

[species.person]
count = 1
max_speed = 1.0
motion = { model = "kinematic" }
place = { region = "point", centre = [1, 5], speed = 0.0 }
variables = { dose = { start = 0.0, low = 0.0, high = 5.0 } }

[species.person.states.walks]
behaviours = [{ rule = "expression", set = "velocity = vector(1, 0)" }]
transitions = [{ to = "down", when = "dose", above = 1.0 }]

[species.person.states.down]
behaviours = [{ rule = "expression", set = "velocity = vector(0, 0)" }]
"#;

/// The room, with another person in the clear air of the right half.
fn world() -> World<2> {
    let scenario = Scenario::parse(ROOM, "smoke.toml").unwrap_or_else(|problems| panic!("{problems}"));
    let AnyWorld::Flat(mut world) = scenario.build_any().unwrap() else { panic!("two dimensions") };
    let person = world.species_ids().next().unwrap();
    world.spawn(person, [150.0, 5.0], [0.0, 0.0]).unwrap();
    world
}

/// The largest factor that Frantzich and Nilsson leave at an extinction.
fn factor(extinction: f64) -> f64 {
    (1.0 - 0.057 / 0.706 * extinction).max(0.1)
}

#[test]
fn smoke_slows_down_and_doses_add_up() {
    let mut world = world();
    let person = world.species_ids().next().unwrap();
    let (mut expected, mut dose) = (1.0, 0.0);
    for tick in 0..200 {
        let seconds = f64::from(tick) * 0.1;
        let extinction = if seconds < 10.0 { 0.5 * seconds } else { 5.0 + 9.5 * (seconds - 10.0) };
        let before = world.agents(person).unwrap().position(0).0[0];
        world.step();
        let agents = world.agents(person).unwrap();
        let walked = f64::from(agents.position(0).0[0] - before);
        dose += 0.1 * if seconds < 10.0 { 0.02 * seconds } else { 0.2 };
        let found = agents.column::<f32>("dose").unwrap();
        assert!((f64::from(found[0]) - dose).abs() < 1e-4, "{dose} after {seconds} s: {}", found[0]);
        assert_eq!(found[1], 0.0, "clear air adds nothing");
        if dose < 1.0 {
            // The zones of a tick are those at the end of the last one: the first tick has none.
            let of_tick = if tick == 0 { 0.1 } else { 0.1 * 0.5 * factor(extinction) };
            assert!((walked - of_tick).abs() < 1e-5, "{of_tick} after {seconds} s: {walked}");
            expected += of_tick;
        }
        let clear = f64::from(agents.position(1).0[0]);
        assert!((clear - (150.0 + 0.1 * f64::from(tick + 1))).abs() < 1e-3, "clear air slows nothing down: {clear}");
    }
    // A dose of one stops it.
    let end = f64::from(world.agents(person).unwrap().position(0).0[0]);
    assert!((end - expected).abs() < 0.1, "it stopped at {end}, not {expected}");
    assert!(dose > 2.0, "the test reaches the dose");
}

#[test]
fn a_snapshot_has_smoke_and_doses() {
    let mut world = world();
    (0..50).for_each(|_| world.step());
    let mut bytes = Vec::new();
    world.save(&mut bytes).unwrap();
    let mut restored = World::<2>::load(&mut &bytes[..]).unwrap();
    assert_eq!(restored.environment().zones.items(), world.environment().zones.items());
    for _ in 0..80 {
        world.step();
        restored.step();
        assert_eq!(restored.state_hash(), world.state_hash());
    }
}

#[test]
fn wrong_series_are_refused() {
    for (old, new, reason) in [
        ("[10, 5.0]", "[30, 5.0]", "in ascending order of times"),
        ("[10, 5.0]", "[10, -5.0]", "each number in [0, 1000]"),
        ("variable = \"dose\"", "variable = \"dosis\"", "did you mean `dose`?"),
    ] {
        assert!(ROOM.contains(old));
        let text = ROOM.replace(old, new);
        let problems = Scenario::parse(&text, "smoke.toml").unwrap_err().to_string();
        assert!(problems.contains(reason), "{problems}");
    }
}
