//! Tests that rules written in code are checked against their tables when a species enters a world.

use throng::behaviours::{
    Arrive, AvoidNeighbours, AvoidObstacles, Containment, Flee, FollowPath, OffsetPursuit, Seek, Separation, Wander,
    WanderToTargets,
};
use throng::{Behaviour, Error, NamedRule, Registry, Settings, Species, SpeciesFilter, Target, Vector, World};

/// Returns the parameter for which a world refuses a rule, if it does.
fn refused(rule: impl Behaviour<2> + 'static) -> Option<String> {
    let mut world = World::new(Settings::default()).unwrap();
    match world.add_species(Species::new("moth").with(1.0, rule)) {
        Ok(_) => None,
        Err(Error::BadValue(bad)) => Some(bad.what),
        Err(other) => panic!("{other}"),
    }
}

/// Returns the parameter for which a world refuses a rule with this target, if it does.
fn refused_target(target: Target<2>) -> Option<String> {
    refused(Seek { target })
}

#[test]
fn numbers_outside_the_table_are_refused() {
    let nan = f32::NAN;
    let cases = [
        (refused(Wander { circle_radius: nan, ..Wander::default() }), "circle_radius"),
        (refused(Wander { angle_change: 36_001.0, ..Wander::default() }), "angle_change"),
        (refused(Arrive::<2> { slowing_radius: nan, ..Arrive::default() }), "slowing_radius"),
        (refused(Arrive::<2> { slowing_radius: -1.0, ..Arrive::default() }), "slowing_radius"),
        (refused(AvoidObstacles { avoid_distance: -1.0, ..AvoidObstacles::default() }), "avoid_distance"),
        (refused(AvoidObstacles { avoid_distance: 0.0, ..AvoidObstacles::default() }), "avoid_distance"),
        (refused(AvoidNeighbours { horizon: f32::INFINITY, ..AvoidNeighbours::default() }), "horizon"),
        (refused(Separation { radius: nan, ..Separation::default() }), "radius"),
        (refused(Separation { fov: 361.0, ..Separation::default() }), "fov"),
        (refused(WanderToTargets { interval: 0.0 }), "interval"),
        (refused(FollowPath { points: vec![Vector([0.0, nan])], ..FollowPath::default() }), "points"),
        (refused(Containment { centre: Vector([1e7, 0.0]), ..Containment::default() }), "centre"),
        (refused(OffsetPursuit { offset: Vector([f32::NEG_INFINITY, 0.0]), ..OffsetPursuit::default() }), "offset"),
    ];
    for (refused, parameter) in cases {
        assert_eq!(refused.as_deref(), Some(parameter));
    }
    assert_eq!(refused(Flee::<2> { panic_radius: -0.0, ..Flee::default() }), None);
}

#[test]
fn invalid_targets_are_refused() {
    for target in [
        Target::Point(Vector([f32::NAN, 0.0])),
        Target::Point(Vector([0.0, 2e6])),
        Target::Random(0.0),
        Target::Random(f32::NAN),
        Target::Random(-1.0),
        Target::Random(f32::INFINITY),
        Target::Mark(String::new()),
    ] {
        assert_eq!(refused_target(target.clone()).as_deref(), Some("target"), "{target:?}");
    }
    let named = Target::Nearest(SpeciesFilter::Named(vec!["hawk".to_owned(), "owl".to_owned()]));
    for target in [Target::Random(1e-30), Target::Mark("light".to_owned()), Target::Nearest(SpeciesFilter::Own), named]
    {
        assert_eq!(refused_target(target.clone()), None, "{target:?}");
    }
}

#[test]
fn every_default_is_in_its_range() {
    fn check<const D: usize>() {
        for rule in Registry::new().rules::<D>() {
            assert_eq!(rule.check(), Ok(()), "{rule:?}");
        }
    }
    check::<2>();
    check::<3>();
}

#[test]
fn a_copy_of_a_rule_has_its_own_parameters() {
    use throng::parameters::Value::Number;
    let mut rule: Box<dyn NamedRule<2>> = Registry::new().named("separation").unwrap();
    rule.set("radius", &Number(3.0)).unwrap();
    let copy = rule.duplicate();
    rule.set("radius", &Number(4.0)).unwrap();
    assert_eq!((copy.get("radius"), rule.get("radius")), (Some(Number(3.0)), Some(Number(4.0))));
}

#[test]
fn a_zero_that_is_set_has_no_sign() {
    use throng::parameters::{Reflect, Value};
    let mut rule = Flee::<2>::default();
    rule.set("panic_radius", &Value::Number(-0.0)).unwrap();
    rule.set("target", &Value::Point(vec![-0.0, 1.0])).unwrap();
    let Target::Point(point) = rule.target else { panic!("{rule:?}") };
    assert!(rule.panic_radius.is_sign_positive() && point[0].is_sign_positive());
}
