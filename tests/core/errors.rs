//! Tests of errors as data: the rule, the parameter, the given value and the allowed values.

use throng::behaviours::{Seek, Separation};
use throng::parameters::{Allowed, Kind, Range, Value};
use throng::{
    BadValue, Condition, Distribution, Edge, Error, FlowField, Obstacle, Settings, Species, State, Target, Vector,
    World,
};

fn world() -> World<2> {
    World::new(Settings { edge: [Edge::Bounce; _], ..Settings::default() }).unwrap()
}

fn bad<T: std::fmt::Debug>(result: Result<T, Error>) -> BadValue {
    match result {
        Err(Error::BadValue(bad)) => *bad,
        other => panic!("{other:?}"),
    }
}

/// Rule, name, value, range.
fn parts(bad: &BadValue) -> (Option<&str>, &str, &Value, Option<Range>) {
    (bad.rule.as_deref(), &bad.what, &bad.value, bad.allowed.range())
}

#[test]
fn a_parameter_names_its_rule_its_value_and_its_range() {
    let mut world = world();
    let bird = world.add_species(Species::new("bird").with(1.0, Separation::default())).unwrap();
    let minus = Value::Number(-1.0);
    for refused in [
        bad(world.set_parameter(bird, "separation.radius", -1.0)),
        bad(world.set_parameter(bird, "behaviours.0.radius", -1.0)),
        bad(world.edit_rule::<Separation>(bird, 0, |rule| rule.radius = -1.0)),
        bad(world.edit_species(bird, |species| species.rules[0].edit(|rule: &mut Separation| rule.radius = -1.0))),
        bad(world.add_species(Species::new("b").with(1.0, Separation { radius: -1.0, ..Separation::default() }))),
    ] {
        assert_eq!(parts(&refused), (Some("separation"), "radius", &minus, Some(Range::LENGTH)));
        assert_eq!(refused.to_string(), "separation.radius = -1: must be a number in [0, 1e6] m");
    }
    let weight = bad(world.edit_species(bird, |species| species.rules[0].weight = f32::INFINITY));
    assert_eq!(parts(&weight).0, Some("separation"));
    assert_eq!(weight.what, "weight");
    let unknown = bad(world.set_parameter(bird, "separation.raduis", 1.0));
    assert_eq!((unknown.rule.as_deref(), &unknown.what[..]), (Some("separation"), "parameter"));
    assert!(matches!(&unknown.allowed, Allowed::OneOf(names) if names.iter().any(|name| name == "radius")));
    let seek = Species::new("moth").with(1.0, Seek { target: Target::Random(f32::NAN) });
    assert!(matches!(bad(world.add_species(seek)).allowed, Allowed::Kind { kind: Kind::Target, .. }));
}

#[test]
fn quantities_settings_and_places_state_their_ranges() {
    let mut world = world();
    let bird = world.add_species(Species::new("bird")).unwrap();
    let slow = bad(world.set_parameter(bird, "max_speed", -2.0));
    assert_eq!(parts(&slow), (None, "max_speed", &Value::Number(-2.0), Some(Range::LENGTH)));
    let drawn = bad(world.edit_species(bird, |species| species.mass = Distribution::Uniform(3.0, 1.0)));
    assert_eq!(drawn.value, Value::Point(vec![3.0, 1.0]));
    let unknown = bad(world.set_parameter(bird, "speed", 2.0));
    assert_eq!((&unknown.what[..], &unknown.value), ("quantity", &Value::Word("speed".to_owned())));
    assert!(matches!(unknown.allowed, Allowed::OneOf(names) if names.len() == 7));
    let settings = Settings::<2> { tick_seconds: 0.0, ..Settings::default() };
    assert_eq!(parts(&bad(settings.check())), (None, "tick_seconds", &0.0.into(), Some(Range::above(0.0, 1000.0))));
    let outside = bad(world.spawn(bird, [0.1, 100.5], [0.0; 2]));
    assert_eq!((outside.value, outside.allowed), (Value::Point(vec![0.1, 100.5]), Allowed::Inside(vec![100.0; 2])));
    let far = bad(world.spawn(bird, [f32::NAN, 2.0], [0.0; 2]));
    assert_eq!((&far.what[..], far.allowed.range()), ("position", Some(Range::COORDINATE)));
    let obstacle = Obstacle::new(Vector::ZERO, -0.5);
    let inverse = bad(world.environment_mut().obstacles.add(obstacle));
    assert_eq!(parts(&inverse), (None, "radius", &Value::Number(-0.5), Some(Range::LENGTH)));
    let short = bad(FlowField::<2>::new("flow", [2, 3], vec![Vector::ZERO; 5]));
    assert_eq!((short.value, short.allowed), (5_usize.into(), Allowed::Kind { kind: Kind::Whole(6, 6), unit: "" }));
}

#[test]
fn states_and_variables_list_the_known_names() {
    let refused =
        |state: State| bad(Species::<2>::new("deer").with_variable("energy", 1.0, 0.0, 2.0).with_state(state).check());
    let to = refused(State::new("calm").with_transition("alarmed", Condition::After(1.0)));
    assert_eq!((&to.what[..], to.allowed), ("to", Allowed::OneOf(vec!["calm".to_owned()])));
    let variable = refused(State::new("calm").with_transition("calm", Condition::Below("vigour".to_owned(), 0.5)));
    assert_eq!(variable.allowed, Allowed::OneOf(vec!["energy".to_owned()]));
    // Beyond the range of its variable a condition would never hold.
    for never in [Condition::Below("energy".to_owned(), -0.1), Condition::Above("energy".to_owned(), 2.5)] {
        let threshold = refused(State::new("calm").with_transition("calm", never));
        assert_eq!((&threshold.what[..], threshold.allowed.range()), ("value", Some(Range::from(0.0, 2.0))));
    }
    let after = refused(State::new("calm").with_transition("calm", Condition::After(f32::INFINITY)));
    assert_eq!(after.to_string(), "after = inf: must be a number in (-inf, inf) s");
    let upside_down = bad(Species::<2>::new("deer").with_variable("energy", 1.0, 2.0, 0.0).check());
    assert_eq!((&upside_down.what[..], upside_down.allowed), ("energy", Allowed::Ascending));
}
