//! The rule `expression` where it has no result or wants too much, and names with another meaning.

use throng::behaviours::Expression;
use throng::{Error, Faults, Settings, Species, Statements, Warning, WarningKind, World};

fn rule(set: &[&str]) -> Expression {
    Expression { set: Statements::new(set.iter().copied()).unwrap(), ..Expression::default() }
}

fn world() -> World<2> {
    World::new(Settings { tick_seconds: 0.5, ..Settings::default() }).unwrap()
}

fn bird(set: &[&str]) -> Species<2> {
    let bird = Species::new("bird").with(1.0, rule(set));
    bird.with_variable("a", -1.0, -1e6, 1e6).with_variable("b", 0.0, -1e6, 1e6)
}

/// The faults after a tick of two agents, 3 m apart.
fn faults(bird: Species<2>) -> Faults {
    let mut world = world();
    let bird = world.add_species(bird).unwrap();
    world.spawn_many(bird, &[[10.0, 10.0], [13.0, 10.0]], &[[1.0, 0.0]; 2]).unwrap();
    world.step();
    world.faults()
}

#[test]
fn a_result_that_is_not_a_number_names_its_operation() {
    let cases = [
        ("b = 1 + sqrt(a)", "at character 9 of \"b = 1 + sqrt(a)\", sqrt(-1) is not a finite number"),
        ("b = 2 * (b / b)", "at character 12 of \"b = 2 * (b / b)\", 0 / 0 is not a finite number"),
        ("b = log(a)", "at character 5 of \"b = log(a)\", log(-1) is not a finite number"),
        ("b = sum(sqrt(-distance)) * 2", "at character 9 of \"b = sum(sqrt(-distance)) * 2\", sqrt(-3)"),
        ("b = sum(distance * sqrt(a))", "at character 20 of \"b = sum(distance * sqrt(a))\", sqrt(-1)"),
        ("b = inf - inf", "at character 9 of \"b = inf - inf\", inf - inf"),
        ("force = vector(1 / b, 0)", "at character 18 of \"force = vector(1 / b, 0)\", 1 / 0"),
    ];
    for (text, cause) in cases {
        let faults = faults(bird(&[text]));
        assert_eq!(faults.quarantined, 2, "{text}");
        let message = faults.warnings()[0].to_string();
        let cause = format!("in 100 % of agent-ticks: first by species.bird.expression: {cause}");
        assert!(message.contains(&cause), "{message}");
    }
}

#[test]
fn no_function_hides_a_result_that_is_not_a_number() {
    let cases = [
        "clamp(a, 0 / b, 1)",
        "clamp(a, 0, 0 / b)",
        "clamp(0 / b, 0, 1)",
        "min(1, 0 / b)",
        "max(0 / b, 1)",
        "min(where(distance > 0, 0 / b, 1))",
        "max(0 / b)",
        "where(0 / b, 1, 2)",
        "where(0 / b > 1, 1, 2)",
        "0 / b == 0",
        "0 / b != 0",
        "not (0 / b)",
        "1 and 0 / b",
        "0 / b or 0",
        "count(0 / b < 1)",
        "sign(0 / b) + floor(0 / b)",
        "chance(0 / b)",
        "exp(0 / b)",
        "tanh(0 / b)",
        "atan2(1, 0 / b)",
        "wrap(1, b)",
    ];
    for text in cases {
        assert_eq!(faults(bird(&[&format!("a = {text}")])).quarantined, 2, "{text}");
    }
    // A branch that is not taken may be anything.
    for text in ["where(b, sqrt(a), 2)", "b and log(a) > 1", "a or log(a) > 1", "where(a < 0, 1, sqrt(a))"] {
        assert_eq!(faults(bird(&[&format!("a = {text}")])).quarantined, 0, "{text}");
    }
}

#[test]
fn a_velocity_or_force_beyond_the_limits_is_counted() {
    let wants = |set: &str, motion: bool| {
        let bird = bird(&[set]);
        faults(if motion { bird.kinematic() } else { bird }).cut
    };
    assert_eq!(wants("velocity = vector(25, 0) + 0 * sum(offset)", true), 2);
    assert_eq!(wants("velocity = vector(8, 6)", true), 0, "the largest speed itself");
    assert_eq!(wants("velocity = max_speed * direction(offset_of)".replace("offset_of", "velocity").as_str(), true), 0);
    assert_eq!((wants("force = vector(31, 0)", false), wants("force = vector(30, 0)", false)), (2, 0));
    assert_eq!((wants("force = vector(31, 0)", true), wants("b = 1", false)), (0, 0), "without a limit");
    let faults = faults(bird(&["velocity = vector(0, -11)"]).kinematic());
    assert_eq!(faults.warnings().iter().map(|warning| warning.kind).collect::<Vec<_>>(), [WarningKind::Cut]);
}

#[test]
fn a_constant_beyond_the_limits_is_a_warning() {
    let said = |set: &str, motion: bool| {
        let mut world = world();
        let bird = bird(&[set]);
        world.add_species(if motion { bird.kinematic() } else { bird }).unwrap();
        let cut = world.warnings_for(&[2]).into_iter().filter(|warning| warning.kind == WarningKind::Cut);
        cut.map(|warning: Warning| warning.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(
        said("velocity = 5 * vector(3, -4)", true),
        ["species.bird.expression.set: a velocity of 25 m/s is cut at max_speed = 10"]
    );
    assert_eq!(said("force = vector(0, 40)", false).len(), 1);
    for (set, motion) in [("velocity = vector(10, 0)", true), ("velocity = a * vector(10, 0)", true)] {
        assert!(said(set, motion).is_empty(), "{set}");
    }
    assert!(said("force = vector(0, 40)", true).is_empty());
}

#[test]
fn a_name_has_one_meaning() {
    let taken = |name: &str| {
        let species = Species::<2>::new("fly").with_variable(name, 0.0, 0.0, 1.0);
        matches!(world().add_species(species), Err(Error::NameTaken(_)))
    };
    let meant = ["a_i", "a_j", "speed", "velocity", "force", "pi", "dt", "time", "offset", "state", "and", "let"];
    let columns = ["id", "tick", "frame", "species", "x", "vy", "x_unwrapped"];
    for name in meant.iter().chain(&columns) {
        assert!(taken(name), "{name}");
    }
    assert!(!taken("phase") && !taken("sum") && !taken("i"));
    for name in ["own", "all"] {
        assert!(world().add_species(Species::new(name)).is_err(), "{name}");
    }
    let mut world = world();
    let fly = world.add_species(Species::new("fly")).unwrap();
    for name in columns {
        assert_eq!(world.add_column(fly, name, 0_u32), Err(Error::NameTaken(name.into())));
        assert!(world.add_local_column(fly, name, 0_u32).is_err());
    }
    for set in ["let a = 1", "let x_i = 1", "let and = 1", "let force = 1", "a_j = 1", "let = 1"] {
        let is_read = Statements::new([set]).is_ok();
        let refused = !is_read || world.add_species(Species { name: set.into(), ..bird(&[set]) }).is_err();
        assert!(refused, "{set}");
    }
}

#[test]
fn a_name_with_the_ending_of_the_agent_is_set_and_read_alike() {
    let mut world = world();
    let bird = world.add_species(bird(&["b_i += 1 + b - b_i"])).unwrap();
    let agent = world.spawn(bird, [1.0, 1.0], [0.0, 0.0]).unwrap();
    (0..10).for_each(|_| world.step());
    assert_eq!(world.column_value::<f32>(agent, "b"), Ok(10.0));
}
