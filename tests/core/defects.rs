//! Regression tests of values and memory, one per defect. Defects of ticks, events, questions and numbers are in
//! `tests/core/defects_in_ticks.rs`.
//!
//! Benches measure costs: quadratic searches of `Target::Nearest`, of environment and of leavers, alternating questions
//! and edits, serial copies and string comparisons in a tick. Other tests cover state hashes
//! (`tests/core/state_hash.rs`) and the order of rows far from the origin (the unit tests of arranging). Platforms
//! without a clock, and equal bits on other platforms, are tested where these are built.

/// Glob imports of both modules do not conflict.
#[allow(unused_imports, reason = "the test is that this compiles")]
mod names {
    use throng::behaviours::*;
    use throng::*;

    fn region() -> Option<Region<2>> {
        None
    }

    #[test]
    fn names_of_the_library_are_unambiguous() {
        assert_eq!(region(), None);
    }
}

use throng::behaviours::{Arrive, AvoidObstacles, Cohesion, FollowPath, Seek, Separation, Wander};
use throng::settings::NeighbourLists;
use throng::{
    AgentId, AgentRef, Behaviour, Catch, Condition, Error, Execution, Inputs, Noise, Place, Region, Rule, Settings,
    Shape, Species, SpeciesFilter, SpeciesId, State, Target, Vector, World,
};

use super::line::{line, settings};

// Checks of values.

#[test]
fn every_edit_of_a_rule_is_checked() {
    let bird = Species::new("bird").with(1.0, Separation::default()).with(1.0, Wander::default());
    let (mut world, bird, _) = line(bird.with_state(State::new("awake")), 20);
    world.step();
    let before = world.state_hash();
    for weight in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e38, -1e7] {
        assert!(world.edit_species(bird, |species| species.rules[0].weight = weight).is_err(), "weight {weight}");
        assert!(world.set_parameter(bird, "separation.weight", f64::from(weight)).is_err(), "weight {weight}");
        assert!(world.add_rule(bird, Rule::new(weight, Separation::default())).is_err(), "weight {weight}");
    }
    for radius in [f32::NAN, f32::INFINITY, -1.0, 2e6] {
        assert!(world.edit_rule::<Separation>(bird, 0, |rule| rule.radius = radius).is_err(), "radius {radius}");
        assert!(world.set_parameter(bird, "separation.radius", f64::from(radius)).is_err(), "radius {radius}");
        assert!(world.set_parameter(bird, "behaviours.0.radius", f64::from(radius)).is_err(), "radius {radius}");
        let rule = Separation { radius, ..Separation::default() };
        assert!(world.add_rule(bird, Rule::new(1.0, rule.clone())).is_err(), "radius {radius}");
        assert!(world.edit_species(bird, |species| species.rules[0] = Rule::new(1.0, rule)).is_err());
        assert!(world.set_parameter(bird, "separation.radius", f64::from(radius)).is_err());
    }
    let typo = |species: &mut Species<2>| species.rules[0].during = vec!["awaek".into()];
    assert!(matches!(world.edit_species(bird, typo), Err(Error::BadValue(_))));
    assert!(world.edit_rule::<Wander>(bird, 1, |rule| rule.circle_radius = f32::NAN).is_err());
    assert!(matches!(world.edit_rule::<Wander>(bird, 0, |_| ()), Err(Error::NoSuchRule { .. })));
    assert!(matches!(world.edit_rule::<Wander>(bird, 9, |_| ()), Err(Error::NoSuchRule { .. })));
    assert!(matches!(world.remove_rule(bird, 2), Err(Error::NoSuchRule { .. })));
    for (path, value) in [("max_speed", f64::NAN), ("max_speed", -1.0), ("mass", 0.0), ("response", 0.0), ("size", 1.0)]
    {
        assert!(world.set_parameter(bird, path, value).is_err(), "{path} = {value}");
    }
    for path in
        ["", ".", "separation.", ".radius", "separation.raduis", "behaviours.2.radius", "cohesion.radius", "a.b.c"]
    {
        assert!(world.set_parameter(bird, path, 1.0).is_err(), "{path}");
    }
    assert_eq!(world.state_hash(), before, "a refused edit changes nothing");
    for _ in 0..50 {
        world.step();
        assert_eq!(world.events(), []);
    }
}

#[test]
fn parameters_outside_their_tables_are_refused() {
    fn refused(rule: impl Behaviour<2> + Clone) {
        let mut world = World::new(settings()).unwrap();
        let species = Species::new("moth").with(1.0, rule.clone());
        assert!(matches!(world.add_species(species), Err(Error::BadValue(_))), "{rule:?}");
        let moth = world.add_species(Species::new("moth")).unwrap();
        assert!(matches!(world.add_rule(moth, Rule::new(1.0, rule.clone())), Err(Error::BadValue(_))), "{rule:?}");
    }
    let nan = f32::NAN;
    refused(Wander { circle_radius: nan, ..Wander::default() });
    refused(Seek { target: Target::Point(Vector([nan, 0.0])) });
    refused(Seek::<2> { target: Target::Random(nan) });
    refused(Seek::<2> { target: Target::Random(0.0) });
    refused(Arrive::<2> { slowing_radius: nan, ..Arrive::default() });
    refused(FollowPath { points: vec![Vector([0.0, nan])], ..FollowPath::default() });
    refused(AvoidObstacles { avoid_distance: -1.0, ..AvoidObstacles::default() });
    // Where the two limits contradict each other, the largest speed wins.
    let mut bird = Species::new("bird").with(1.0, Seek { target: Target::Point(Vector([90.0, 50.0])) });
    (bird.min_speed, bird.max_speed) = (20.0, 10.0.into());
    let (mut world, _, ids) = line(bird, 3);
    world.step();
    assert!(ids.iter().all(|&id| world.velocity(id).unwrap().length() < 10.001));
}

#[test]
fn negative_distances_are_refused() {
    for distance in [-5.0, -1.0, -1e-30, f32::NAN, f32::INFINITY, 2e6] {
        let catch = Catch { whom: SpeciesFilter::Own, distance, remove: false, during: Vec::new() };
        let mut hawk = Species::<2>::new("hawk");
        hawk.catch = Some(catch.clone());
        let point = Place::Point(vec![1.0, 1.0]);
        let conditions = [
            Condition::Nearer(SpeciesFilter::All, distance),
            Condition::Farther(SpeciesFilter::All, distance),
            Condition::NearerPlace(point.clone(), distance),
            Condition::FartherPlace(point, distance),
        ];
        let calm = |when| Species::new("hawk").with_state(State::new("calm").with_transition("calm", when));
        let mut world = World::new(settings()).unwrap();
        for species in std::iter::once(hawk).chain(conditions.map(calm)) {
            assert!(matches!(world.add_species(species), Err(Error::BadValue(_))), "{distance}");
        }
        let hawk = world.add_species(Species::new("hawk")).unwrap();
        assert!(world.edit_species(hawk, |species| species.catch = Some(catch)).is_err(), "{distance}");
    }
}

#[test]
fn worlds_too_small_for_squares_are_refused() {
    for size in [1e-38, 1e-45, 1e-7, 0.0, -1.0, f32::NAN, f32::INFINITY, 2e6] {
        let settings = Settings { size: Vector([100.0, size]), ..Settings::default() };
        assert!(matches!(World::<2>::new(settings.clone()), Err(Error::BadValue(_))), "{size}");
        let mut world = World::<2>::new(Settings::default()).unwrap();
        assert!(world.set_settings(settings).is_err(), "{size}");
    }
    // The smallest world has the same bits with fresh and with kept lists.
    let course = |neighbour_lists| {
        let settings = Settings { size: Vector([1e-6, 1e-6]), tick_seconds: 0.1, ..Settings::default() };
        let mut world = World::<2>::new(settings).unwrap();
        world.set_execution(Execution { neighbour_lists, ..Execution::default() }).unwrap();
        let mut mote = Species::new("mote").with(1.0, Cohesion { radius: 2e-7, ..Cohesion::default() });
        mote.max_speed = 1e-7.into();
        let mote = world.add_species(mote).unwrap();
        let mut noise = Noise::new(3, 0, 0, Noise::USER);
        for _ in 0..300 {
            let at = [noise.between(0.0, 1e-6), noise.between(0.0, 1e-6)];
            world.spawn(mote, at, [1e-7, 0.0]).unwrap();
        }
        (0..40)
            .map(|_| {
                world.step();
                world.state_hash()
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(course(NeighbourLists::Fresh), course(NeighbourLists::Kept));
}

// Memory of rules and states.

/// Adds its step to a count in every tick, and pushes along the first axis by the count.
#[derive(Clone, Debug)]
struct Counter(u64);

impl Behaviour<2> for Counter {
    fn inputs(&self) -> Inputs {
        Inputs::default().memory("count", 0u64)
    }

    fn steer(&self, me: &AgentRef<'_, 2>) -> Vector<2> {
        let count = me.recall::<u64>(0) + self.0;
        me.remember(0, count);
        Vector([count as f32, 0.0])
    }
}

/// Returns the forces of an agent's rules without their weights: the counts after one more tick.
fn counts(world: &mut World<2>, id: AgentId) -> Vec<f32> {
    let explanation = world.explain(id).unwrap();
    explanation.contributions.iter().map(|rule| rule.force[0] / rule.weight).collect()
}

#[test]
fn a_rule_keeps_its_memory_when_other_rules_change() {
    let species = Species::new("clerk").with(1e-6, Counter(1)).with(1e-6, Counter(100));
    let (mut world, clerk, ids) = line(species, 40);
    (0..3).for_each(|_| world.step());
    let near = |found: Vec<f32>, expected: &[f32]| {
        assert!(
            found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.01),
            "{found:?}"
        );
    };
    near(counts(&mut world, ids[7]), &[4.0, 400.0]);
    world.edit_species(clerk, |species| species.rules.swap(0, 1)).unwrap();
    near(counts(&mut world, ids[7]), &[400.0, 4.0]);
    world.add_rule(clerk, Rule::new(1e-6, Counter(7))).unwrap();
    world.edit_species(clerk, |species| species.rules.rotate_right(1)).unwrap();
    near(counts(&mut world, ids[7]), &[7.0, 400.0, 4.0]);
    world.step();
    world.edit_rule::<Counter>(clerk, 1, |rule| rule.0 = 1000).unwrap();
    near(counts(&mut world, ids[7]), &[14.0, 1400.0, 5.0]);
    world.remove_rule(clerk, 0).unwrap();
    near(counts(&mut world, ids[7]), &[1400.0, 5.0]);
    // A copy of a rule has a memory of its own.
    world.edit_species(clerk, |species| species.rules.push(species.rules[1].clone())).unwrap();
    near(counts(&mut world, ids[7]), &[1400.0, 5.0, 1.0]);
    world.step();
    near(counts(&mut world, ids[7]), &[2400.0, 6.0, 2.0]);
    // A rule that was removed and added again starts afresh, and so does a new agent.
    let rule = world.remove_rule(clerk, 0).unwrap();
    world.step();
    world.add_rule(clerk, rule).unwrap();
    near(counts(&mut world, ids[7]), &[7.0, 3.0, 1000.0]);
    let young = world.spawn(clerk, [50.0, 20.0], [0.0, 0.0]).unwrap();
    near(counts(&mut world, young), &[1.0, 1.0, 1000.0]);
}

#[test]
fn states_and_variables_survive_changes_of_rules_and_regions() {
    let species = Species::new("sleeper")
        .with_during("awake", 1.0, Seek { target: Target::Point(Vector([90.0, 50.0])) })
        .with_variable("rest", 0.0, 0.0, 100.0)
        .with_state(State::new("asleep").with_rate("rest", 1.0).with_transition("awake", Condition::After(1.0)))
        .with_state(State::new("awake"));
    type Edit = fn(&mut World<2>, SpeciesId);
    let edits: [(&str, Edit); 6] = [
        ("a rule with memory", |world, id| world.add_rule(id, Rule::new(0.0, Wander::default())).unwrap()),
        ("a rule that arrives", |world, id| {
            world.add_rule(id, Rule::new(0.0, Seek { target: Target::Point(Vector([1.0, 1.0])) })).unwrap();
        }),
        ("the first region", |world, _| {
            let shape = Shape::Ball { centre: Vector([1.0, 1.0]), radius: 0.1 };
            world.environment_mut().regions.add(Region { name: "pond".into(), shape }).unwrap();
        }),
        ("a column", |world, id| world.add_column(id, "age", 0u32).unwrap()),
        ("another speed", |world, id| world.set_parameter(id, "max_speed", 9.0).unwrap()),
        ("states in another order", |world, id| {
            world.edit_species(id, |species| species.states.reverse()).unwrap();
        }),
    ];
    for (what, edit) in edits {
        let (mut world, id, ids) = line(species.clone(), 30);
        (0..20).for_each(|_| world.step());
        let late = world.spawn(id, [50.0, 20.0], [0.0, 0.0]).unwrap();
        (0..3).for_each(|_| world.step());
        let rest = |world: &World<2>, id| world.column_value::<f32>(id, "rest").unwrap();
        let before = [rest(&world, ids[3]), rest(&world, late)];
        assert!(before[0] > before[1] && before[1] > 0.0);
        edit(&mut world, id);
        assert_eq!([rest(&world, ids[3]), rest(&world, late)], before, "{what}");
        assert_eq!(world.state(ids[3]).unwrap(), Some("awake"), "{what}");
        assert_eq!(world.state(late).unwrap(), Some("asleep"), "{what}");
        // The seconds in the state continue.
        (0..6).for_each(|_| world.step());
        assert_eq!(world.state(late).unwrap(), Some("asleep"), "{what}");
        (0..2).for_each(|_| world.step());
        assert_eq!(world.state(late).unwrap(), Some("awake"), "{what}");
    }
}

#[test]
fn a_first_region_does_not_disturb_paths_and_wandering() {
    let path = FollowPath {
        points: vec![Vector([20.0, 50.0]), Vector([80.0, 50.0]), Vector([80.0, 90.0])],
        ..FollowPath::default()
    };
    let species = || Species::new("walker").with(1.0, path.clone()).with(0.1, Wander::default());
    let (mut world, _, ids) = line(species(), 20);
    let (mut other, ..) = line(species(), 20);
    for tick in 0..100 {
        if tick == 40 {
            let shape = Shape::Ball { centre: Vector([50.0, 1.0]), radius: 0.1 };
            world.environment_mut().regions.add(Region { name: "pond".into(), shape }).unwrap();
        }
        world.step();
        other.step();
        for &id in &ids {
            assert_eq!(world.position(id), other.position(id), "tick {tick}");
            assert_eq!(world.steering_of(id), other.steering_of(id), "tick {tick}");
        }
    }
}

#[test]
fn explaining_changes_nothing() {
    let species = || {
        Species::new("moth")
            .with(1.0, Wander::default())
            .with(0.5, Separation::default())
            .with_state(State::new("calm").with_transition("wild", Condition::After(0.5)))
            .with_state(State::new("wild"))
    };
    let (mut world, moth, ids) = line(species(), 60);
    let (mut other, ..) = line(species(), 60);
    for tick in 0..60 {
        // Before the first tick, after a rule was added, and after it was removed.
        for &id in ids.iter().step_by(7) {
            let before = world.state_hash();
            world.explain(id).unwrap();
            assert_eq!(world.state_hash(), before, "tick {tick}");
        }
        if tick == 20 {
            world.add_rule(moth, Rule::new(0.0, Wander::default())).unwrap();
            world.explain(ids[0]).unwrap();
            world.remove_rule(moth, 2).unwrap();
        }
        world.step();
        other.step();
        let motion =
            |world: &World<2>| ids.iter().map(|&id| (world.position(id), world.velocity(id))).collect::<Vec<_>>();
        assert_eq!(motion(&world), motion(&other), "tick {tick}");
        assert_eq!(world.state(ids[0]), other.state(ids[0]));
    }
}

/// Regions are added and removed between ticks, and the world is saved before the next one.
#[test]
fn agents_stay_in_their_regions_when_others_change() {
    let ball = |x: f32| Shape::Ball { centre: Vector([x, 50.0]), radius: 5.0 };
    let region = |name: &str, x: f32| Region { name: name.into(), shape: ball(x) };
    let mut world = World::<2>::new(Settings::default()).unwrap();
    let sheep = world.add_species(Species::new("sheep")).unwrap();
    let agents = [10.0, 30.0, 50.0].map(|x| world.spawn(sheep, [x, 50.0], Vector::ZERO).unwrap());
    let [pen, ..] =
        [region("pen", 10.0), region("barn", 30.0)].map(|region| world.environment_mut().regions.add(region).unwrap());
    world.step();
    assert_eq!(world.events().len(), 2);
    // Hosts get a plain reference: dropping it has no effect.
    let environment: &mut throng::Environment<2> = world.environment_mut();
    environment.regions.remove(pen).unwrap();
    let pond = environment.regions.add(region("pond", 50.0)).unwrap();
    world.add_species(Species::new("dog")).unwrap();
    let mut bytes = Vec::new();
    world.save(&mut bytes).unwrap();
    let mut loaded = World::<2>::load(&bytes[..]).unwrap();
    assert_eq!(loaded.state_hash(), world.state_hash());
    let entered = throng::Event::EnteredRegion { agent: agents[2], species: sheep, region: pond };
    for world in [&mut world, &mut loaded] {
        world.step();
        assert_eq!(world.events(), [entered]);
        world.step();
        assert_eq!(world.events(), []);
    }
    assert_eq!(loaded.state_hash(), world.state_hash());
}

#[test]
fn a_query_of_walls_knows_new_settings() {
    let mut world = World::<2>::new(Settings { edge: [throng::Edge::Wrap; 2], ..Settings::default() }).unwrap();
    world.environment_mut().walls.add(throng::Wall::segment([1.0, 0.0], [1.0, 40.0])).unwrap();
    let mut near = Vec::new();
    world.query().walls_within([49.5, 20.0], 3.0, &mut near).unwrap();
    assert!(near.is_empty());
    world.set_settings(Settings { size: [50.0, 50.0].into(), ..world.settings().clone() }).unwrap();
    world.query().walls_within([49.5, 20.0], 3.0, &mut near).unwrap();
    assert_eq!(near.len(), 1, "the wall is behind the new seam");
    world.query().walls_within([10.0, 20.0], f32::INFINITY, &mut near).unwrap();
    assert!(!near.is_empty());
}

#[test]
fn a_species_from_another_world_is_saved_and_has_its_own_memory() {
    let mut other = World::<2>::new(Settings::default()).unwrap();
    let wanderer = |name: &str| Species::new(name).with(1.0, Wander::default());
    let names = ["one", "two", "three"].map(|name| other.add_species(wanderer(name)).unwrap());
    let mut world = World::<2>::new(Settings::default()).unwrap();
    let three = world.add_species(other.species(names[2]).unwrap().clone()).unwrap();
    world.spawn(three, [50.0, 50.0], [1.0, 0.0]).unwrap();
    for _ in 0..3 {
        world.add_rule(three, throng::Rule::new(1.0, Wander::default())).unwrap();
    }
    let mut bytes = Vec::new();
    world.save(&mut bytes).unwrap();
    let mut loaded = World::<2>::load(&bytes[..]).unwrap();
    for world in [&mut world, &mut loaded] {
        world.step();
    }
    assert_eq!(world.state_hash(), loaded.state_hash());
}

#[test]
fn a_whole_number_is_a_number() {
    let mut world = World::<2>::new(Settings::default()).unwrap();
    let bird = world.add_species(Species::new("bird").with(1.0, Separation::default())).unwrap();
    for (path, value) in [("max_speed", 12_u64), ("separation.weight", 4), ("separation.radius", 3)] {
        world.set_parameter(bird, path, value).unwrap();
    }
    let species = world.species(bird).unwrap();
    assert_eq!((species.quantity(throng::Quantity::MaxSpeed), species.rules[0].weight), (12.0.into(), 4.0));
}
