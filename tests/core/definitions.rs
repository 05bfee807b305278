//! Definitions pass through texts and binary formats unchanged, or are refused with the reason.

use std::collections::BTreeMap;
use std::fmt::Debug;

use proptest::prelude::*;
use serde::Serialize;
use serde::de::{DeserializeOwned, DeserializeSeed};
use throng::behaviours::{Alignment, FollowPath, Seek, Separation, Wander};
use throng::parameters::{Definition, Kind, Range, Reflect, Value};
use throng::*;

/// Writes a value as JSON, as TOML and as the bytes of postcard, which names no fields, and reads each.
fn through<T: Serialize + DeserializeOwned>(value: &T) -> [T; 3] {
    let json = serde_json::to_string(value).unwrap();
    let toml = toml::to_string(&BTreeMap::from([("value", value)])).unwrap();
    let bytes = postcard::to_allocvec(value).unwrap();
    let mut table: BTreeMap<String, T> = toml::from_str(&toml).unwrap_or_else(|error| panic!("{error}\n{toml}"));
    let of_json = serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}\n{json}"));
    [of_json, table.remove("value").unwrap(), postcard::from_bytes(&bytes).unwrap()]
}

fn stays<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T) {
    for read in through(&value) {
        assert_eq!(read, value);
    }
}

/// A number of a range: one of its ends, a small one or any.
fn number(range: Range, noise: &mut Noise) -> f64 {
    let [low, high] = [range.low, range.high].map(|end| end.clamp(-1e6, 1e6) as f32);
    let drawn = match noise.between(0.0, 4.0) as u32 {
        0 => low,
        1 => high,
        2 => low + noise.unit(),
        _ => noise.between(low, high),
    };
    f64::from(if range.contains(drawn.into()) { drawn } else { high })
}

fn pick<T: Clone>(list: &[T], noise: &mut Noise) -> T {
    list[noise.between(0.0, list.len() as f32) as usize].clone()
}

/// A value that a parameter of this kind can have.
fn drawn<const D: usize>(kind: Kind, noise: &mut Noise) -> Value {
    let words = ["wolf", "own", "a \"text\""].map(str::to_owned);
    let some = |noise: &mut Noise| 0..noise.between(0.0, 3.0) as usize;
    let point = |range, noise: &mut Noise| (0..D).map(|_| number(range, noise)).collect::<Vec<_>>();
    match kind {
        Kind::Number(range) => Value::Number(number(range, noise)),
        Kind::Whole(low, high) => Value::Whole(pick(&[low, high.clamp(low, low + 3)], noise)),
        Kind::Flag => Value::Flag(noise.unit() < 0.5),
        Kind::Choice(words) => Value::from(pick(words, noise)),
        Kind::Text | Kind::Reference(_) => Value::Word(pick(&words, noise)),
        Kind::References(_) => Value::Words(some(noise).map(|_| pick(&words, noise)).collect()),
        Kind::Statements => pick(&[Value::Words(Vec::new()), Value::Words(vec!["let n = count()".to_owned()])], noise),
        Kind::SpeciesFilter => pick(&["own".into(), "all".into(), Value::Words(words.to_vec())], noise),
        Kind::Point(range) => Value::Point(point(range, noise)),
        Kind::Points(range) => Value::Points(some(noise).map(|_| point(range, noise)).collect()),
        Kind::Target => {
            let point = Value::Point(point(Range::COORDINATE, noise));
            let words = ["mark:lamp", "nearest:own", "kept:wolf,dog", "agent:7", "random:0.1"].map(Value::from);
            pick(&[&words[..], &[point]].concat(), noise)
        }
        other => panic!("a parameter of the kind {other:?}"),
    }
}

fn draw_parameters<const D: usize>(table: &mut dyn Reflect, noise: &mut Noise) {
    for parameter in table.parameters() {
        table.set(parameter.name, &drawn::<D>(parameter.kind, noise)).unwrap();
    }
}

/// A species with every built-in rule and one motion, all with drawn parameters.
fn drawn_species<const D: usize>(noise: &mut Noise) -> Species<D> {
    let registry = Registry::new();
    let mut species = everything();
    species.mass = Distribution::Same(number(Range::from(0.1, 1e6), noise) as f32);
    for rule in registry.rules::<D>() {
        let mut rule = rule.duplicate();
        draw_parameters::<D>(&mut *rule, noise);
        let rule = Rule::from_arc(noise.between(-2.0, 2.0), std::sync::Arc::from(rule as Box<dyn Behaviour<D>>));
        species.rules.push(if noise.unit() < 0.5 { rule.during("rest") } else { rule });
    }
    let motions: Vec<_> = registry.motions::<D>().collect();
    let mut motion = motions[noise.between(0.0, motions.len() as f32) as usize].duplicate();
    draw_parameters::<D>(&mut *motion, noise);
    species.motion = Some(std::sync::Arc::from(motion as Box<dyn Motion<D>>));
    species
}

/// A species with a value in each field but its rules and its motion.
fn everything<const D: usize>() -> Species<D> {
    let place = |place| Condition::NearerPlace(place, 2.0);
    let conditions = [
        Condition::Below("stamina".into(), 0.1),
        Condition::Above("stamina".into(), 0.9),
        Condition::Nearer(SpeciesFilter::All, 3.0),
        Condition::Farther(SpeciesFilter::Named(vec!["wolf:hunt".into()]), 0.3),
        place(Place::Point(vec![1.0; D])),
        place(Place::Mark("lamp".into())),
        Condition::FartherPlace(Place::Region("pond".into()), 4.0),
        Condition::Open("door".into()),
        Condition::Closed("door".into()),
        Condition::After(5.0),
        Condition::Caught,
        Condition::WasCaught,
        Condition::Arrived,
    ];
    let run = conditions.into_iter().fold(State::new("run"), |state, when| state.with_transition("rest", when));
    let mut species = Species::new("sheep")
        .with_mass(Distribution::Uniform(40.0, 70.0))
        .with_radius(Distribution::Normal { mean: 0.4, sd: 0.1, low: 0.2, high: 0.6 })
        .with_max_speed(Population::ImoCrew)
        .with_max_force(Distribution::LogNormal { median: 20.0, log_sd: 0.2, low: 0.0, high: 99.0 })
        .with_min_speed(0.1)
        .with_max_turn_rate(90.0)
        .with_response(0.3)
        .with_state(run.with_rate("stamina", -0.2).with_rate("heat", 0.1))
        .with_state(State::new("rest"))
        .with_variable("stamina", 1.0, 0.0, 1.0)
        .with_variable("heat", 0.0, 0.0, 1.0)
        .with_catch(Catch { whom: SpeciesFilter::Own, distance: 0.5, remove: true, during: vec!["run".into()] })
        .with_contacts(SpeciesFilter::All, 0.1)
        .with_pre_movement(2.0)
        .with_lifetime(Distribution::Uniform(50.0, 60.0))
        .with_kinds(PersonKind::residents(0.5))
        .with_kinds([PersonKind {
            pre_movement: Some(Distribution::Uniform(1.0, 2.0)),
            familiar: vec![Familiar { navigation: "stairs".into(), share: 0.1, radii: [0.2, 0.3] }],
            ..PersonKind::new("lamb", 0.25)
        }])
        .with_familiar("gate", 0.4)
        .with_sight(Sight::Walls);
    species.moved_by_host = true;
    species.combine = Combine::Priority(1.5);
    species
}

/// The hash of a world with this species.
fn hash<const D: usize>(species: Species<D>) -> u64 {
    let mut world = World::new(Settings::default()).unwrap();
    world.add_species(species).unwrap();
    world.state_hash()
}

fn species_stays<const D: usize>(species: &Species<D>) {
    for read in through(species) {
        assert_eq!(format!("{read:?}"), format!("{species:?}"));
        assert_eq!(hash(read), hash(species.clone()));
    }
}

proptest! {
    #[test]
    fn a_species_is_read_as_it_was_written(seed in any::<u64>()) {
        let mut noise = Noise::new(seed, 0, 0, Noise::USER);
        species_stays(&drawn_species::<2>(&mut noise));
        species_stays(&drawn_species::<3>(&mut noise));
    }

    #[test]
    fn every_number_is_read_as_it_was_written(bits in any::<u32>()) {
        let number = f32::from_bits(bits);
        prop_assume!(number.is_finite());
        stays(Vector([number, 1.0, -0.1]));
        stays(Distribution::Same(number));
        if number.abs() <= LIMIT {
            stays(Target::Point(Vector([number, 0.1])));
        }
    }
}

#[test]
fn what_has_its_default_may_be_left_out() {
    let plain = Species::<2>::new("plain");
    species_stays(&plain);
    assert_eq!(toml::to_string(&plain).unwrap(), "name = \"plain\"\n");
    let read: Species<2> = toml::from_str("name = \"plain\"\nbehaviours = [{ rule = \"wander\" }]").unwrap();
    assert_eq!(format!("{read:?}"), format!("{:?}", plain.with(1.0, Wander::default())));
    assert_eq!(toml::from_str::<Settings<2>>("").unwrap(), Settings::default());
    assert_eq!(serde_json::from_str::<Environment<3>>("{}").unwrap(), Environment::default());
    let wall: Wall<2> = toml::from_str("line = [[0, 0], [4, 3]]").unwrap();
    assert_eq!(wall, Wall::segment([0.0, 0.0], [4.0, 3.0]));
}

#[test]
fn settings_are_read_as_they_were_written() {
    for pair_budget in [None, Some(64)] {
        for edge in [[Edge::Remove; 2], [Edge::Wrap, Edge::Bounce]] {
            stays(Settings {
                size: [30.0, 0.1].into(),
                edge,
                tick_seconds: 0.3,
                seed: 7,
                pair_budget,
                ..Settings::default()
            });
        }
    }
    let text = "edge = \"bounce\"\npair_budget = \"off\"";
    let read = Settings::<3> { edge: [Edge::Bounce; 3], pair_budget: None, ..Settings::default() };
    assert_eq!(toml::from_str::<Settings<3>>(text).unwrap(), read);
    stays(Execution { neighbour_lists: NeighbourLists::Kept, instruction_set: Some(InstructionSet::Avx512) });
    stays(Execution::default());
    stays(AgentStart::new([1.0, 2.0], [0.1, 0.2]));
    stays((Edge::ALL, Population::ALL, Quantity::ALL));
    for word in Quantity::ALL.map(Quantity::name) {
        assert_eq!(serde_json::from_value::<Quantity>(word.into()).ok(), Quantity::named(word));
    }
    for population in Population::ALL {
        assert_eq!(serde_json::to_value(population).unwrap(), population.name());
    }
    for set in InstructionSet::ALL {
        assert_eq!(serde_json::to_value(set).unwrap(), set.name());
    }
}

#[test]
fn values_and_events_are_read_as_they_were_written() {
    let words = ["mark:a".to_owned()].to_vec();
    for value in [true.into(), 3_u64.into(), "word".into(), Value::Words(words), Value::Point(vec![0.5, 1e30])] {
        stays(value);
    }
    for target in [
        Target::Point(Vector([0.1, 2.0])),
        Target::Mark("lamp".into()),
        Target::Agent(AgentId::from_bits(1 << 40)),
        Target::Nearest(SpeciesFilter::Own),
        Target::Kept(SpeciesFilter::Named(vec!["wolf".into(), "dog:run".into()])),
        Target::Random(0.1),
    ] {
        stays(target);
    }
    stays(SpeciesFilter::Named(Vec::new()));
    assert_eq!(serde_json::from_str::<SpeciesFilter>("\"wolf\"").unwrap(), SpeciesFilter::named("wolf"));

    let mut world = World::<2>::new(Settings::default()).unwrap();
    let species = world.add_species(Species::new("fly")).unwrap();
    let agent = world.spawn(species, [1.0, 1.0], [0.0, 0.0]).unwrap();
    let sink = SinkId::from_bits(3);
    let pushed = Event::PushedOut { agent, species, wall: WallId::from_bits(4), depth: 0.1 };
    stays(vec![pushed, Event::Removed { agent, species, reason: Removal::Sink(sink) }]);
    let text = r#"{"pushed_out":{"agent":0,"species":0,"wall":4,"depth":0.1}}"#;
    assert_eq!(serde_json::to_string(&pushed).unwrap(), text);
}

/// An environment with an item of each form.
fn scenery() -> Environment<2> {
    let mut all = Environment::<2>::default();
    all.marks.add(Mark::new("lamp", [10.1, 20.0])).unwrap();
    all.obstacles.add(Obstacle { velocity: [0.1, 0.0].into(), ..Obstacle::new([30.0, 30.0], 2.0) }).unwrap();
    let [centre, half] = [[50.0, 50.0], [10.0, 5.0]].map(Vector);
    all.regions.add(Region::new("pond", Shape::Ball { centre, radius: 4.0 })).unwrap();
    all.regions.add(Region::new("gate", Shape::Box { centre, half })).unwrap();
    all.fields.add(FlowField::new("wind", [2, 1], vec![Vector([1.0, 0.1]), Vector([0.0, -1.0])]).unwrap()).unwrap();
    for (number, arrivals) in [
        Arrivals::Rate(4.0),
        Arrivals::Poisson(0.3),
        Arrivals::Schedule(vec![(0.5, 3), (1.0, 1)]),
        Arrivals::OnEntry("pond".into()),
    ]
    .into_iter()
    .enumerate()
    {
        all.sources.add(Source::new(number.to_string(), "sheep", "gate", arrivals)).unwrap();
    }
    let limited = Source::new("limited", "sheep", "gate", Arrivals::Rate(1.0));
    let speed = Some(Distribution::Uniform(0.5, 1.0));
    all.sources.add(Source { limit: Some(9), heading: Some([1.0, 0.0].into()), speed, ..limited }).unwrap();
    all.sinks.add(Sink { species: vec!["sheep".into()], ..Sink::new("drain", "pond") }).unwrap();
    all.zones.add(Zone::new("gate", 0.5).with_against([1.0, 0.0], 0.25)).unwrap();
    all.zones.add(Zone::new("pond", 0.1)).unwrap();
    let [point, normal] = [[0.0, 1.0], [0.0, 1.0]].map(Vector);
    for shape in [
        WallShape::Path {
            points: vec![Vector([70.0, 70.0]), Vector([80.0, 70.1]), Vector([80.0, 90.0])],
            closed: true,
        },
        WallShape::Box { centre: Vector([20.0, 80.0]), half: Vector([1.0, 0.5]) },
        WallShape::Ball { centre: Vector([20.0, 60.0]), radius: 1.5 },
        WallShape::Plane { point, normal },
    ] {
        all.walls.add(Wall::new(shape)).unwrap();
    }
    let door = Wall::segment([5.0, 40.0], [5.0, 60.0]);
    all.walls.add(Wall { name: Some("door".into()), open: vec![[0.0, 0.5]], ..door }).unwrap();
    let goals = vec![Goal::Point(Vector([90.0, 10.0])), Goal::Mark("lamp".into()), Goal::Region("pond".into())];
    all.navigations.add(Navigation { cell: Some(2.0), ..Navigation::new("out", goals) }).unwrap();
    all.places.add(Places::queue("till", &[Vector([60.0, 10.0]), Vector([64.0, 10.0])], 1.0)).unwrap();
    let positions = vec![Vector([50.0, 30.0]), Vector([50.5, 30.25])];
    all.tracks.add(Tracks::new("film", "sheep", 0.04, vec![Track { first: 7, positions }])).unwrap();
    all
}

#[test]
fn an_environment_is_read_as_it_was_written() {
    stays(scenery());
}

/// The hash of a world of these definitions after a while.
fn after(settings: Settings<2>, species: Species<2>, environment: Environment<2>) -> u64 {
    let mut world = World::new(settings).unwrap();
    *world.environment_mut() = environment;
    let sheep = world.add_species(species).unwrap();
    for number in 0..20 {
        world.spawn(sheep, [4.0 * number as f32, 45.0], [1.0, 0.5]).unwrap();
    }
    (0..30).for_each(|_| world.step());
    world.state_hash()
}

#[test]
fn a_world_of_read_definitions_runs_to_the_same_bits() {
    let settings = Settings::<2> { tick_seconds: 0.1, seed: 3, ..Settings::default() };
    let mut species = everything::<2>()
        .with(1.5, Separation { radius: 4.3, ..Separation::default() })
        .with_during("run", 0.7, Alignment::default())
        .with(1.0, Wander::default())
        .with(0.3, Seek { target: Target::Mark("lamp".into()) });
    species.moved_by_host = false;
    let hash = after(settings.clone(), species.clone(), scenery());
    let read = through(&settings).into_iter().zip(through(&species)).zip(through(&scenery()));
    for ((settings, species), environment) in read {
        assert_eq!(after(settings, species, environment), hash);
    }
    assert_ne!(after(settings, species, Environment::default()), hash);
}

/// The reason for which a text is refused.
fn refused<T: DeserializeOwned + Debug>(text: &str) -> String {
    serde_json::from_str::<T>(text).unwrap_err().to_string()
}

#[test]
fn a_refusal_names_what_is_wrong_and_what_is_allowed() {
    let of_rule = |rule: &str| refused::<Species<2>>(&format!("{{\"name\": \"a\", \"behaviours\": [{rule}]}}"));
    for (refusal, parts) in [
        (refused::<Settings<2>>(r#"{"sise": [1, 2]}"#), ["unknown field `sise`", "`size`"]),
        (refused::<Settings<2>>(r#"{"size": [1, 2, 3]}"#), ["length 3", "an array of 2 values"]),
        (refused::<Settings<2>>(r#"{"edge": "brick"}"#), ["unknown variant `brick`", "`bounce`"]),
        (refused::<Settings<2>>(r#"{"pair_budget": -1}"#), ["-1", "a whole number or \"off\""]),
        (refused::<Species<2>>(r#"{"name": "a", "mas": 1}"#), ["unknown field `mas`", "`mass`"]),
        (refused::<Species<2>>(r#"{"mass": 1}"#), ["missing field", "`name`"]),
        (refused::<Species<2>>(r#"{"name": "a", "mass": -1}"#), ["mass = -1", "[0.000001, 1e6] kg"]),
        (refused::<Species<2>>(r#"{"name": "a", "mass": {"mean": 1}}"#), ["[low, high]", "mean, sd, low and high"]),
        (refused::<Species<2>>(r#"{"name": "a", "mass": {"men": 1}}"#), ["unknown field `men`", "`mean`"]),
        (refused::<Species<2>>(r#"{"name": "a", "motion": {"model": "orka"}}"#), ["model = \"orka\"", "`orca`"]),
        (of_rule(r#"{"rule": "seperation"}"#), ["rule = \"seperation\"", "did you mean `separation`?"]),
        (of_rule(r#"{"weight": 1}"#), ["missing field", "`rule`"]),
        (of_rule(r#"{"rule": "separation", "radios": 3}"#), ["separation.parameter = \"radios\"", "`radius`"]),
        (of_rule(r#"{"rule": "separation", "radius": -3}"#), ["separation.radius = -3", "[0, 1e6] m"]),
        (of_rule(r#"{"rule": "separation", "during": ["sleep"]}"#), ["separation.during = \"sleep\"", "must be"]),
        (refused::<Environment<2>>(r#"{"wall": []}"#), ["unknown field `wall`", "`walls`"]),
        (
            refused::<Environment<2>>(r#"{"zones": [{"region": "a", "factor": 11}]}"#),
            ["factor = 11", "must be a number in [0, 10]"],
        ),
        (
            refused::<Environment<2>>(r#"{"sinks": [{"name": "a", "region": "b"}, {"name": "a", "region": "b"}]}"#),
            ["`a`", "is taken already"],
        ),
        (
            refused::<FlowField<2>>(r#"{"name": "a", "cells": [2, 1], "vectors": [[0, 0]]}"#),
            ["vectors = 1", "must be 2"],
        ),
        (refused::<Target<2>>(r#""lamp""#), ["target = \"lamp\"", "\"mark:NAME\""]),
        (refused::<Value>("[1, \"a\"]"), ["mixed", "words"]),
    ] {
        for part in parts {
            assert!(refusal.contains(part), "{part:?} is missing in {refusal:?}");
        }
    }
}

/// A rule of a host without a table.
#[derive(Clone, Debug)]
struct KeepPace;

impl<const D: usize> Behaviour<D> for KeepPace {
    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        me.towards(me.velocity())
    }
}

throng::rule! {
    /// The force falls.
    "fall": "Falls."
    struct Fall {
        /// Gravity.
        gravity: f32 = 9.81, "m/s²", Kind::Number(Range::from(0.0, 1e3));
    }
}

impl<const D: usize> Behaviour<D> for Fall {
    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        Vector::splat(-self.gravity * me.mass())
    }

    throng::reflect!();
}

impl<const D: usize> Motion<D> for Fall {
    fn velocity(&self, me: &AgentRef<'_, D>, _wanted: Vector<D>) -> Vector<D> {
        me.velocity() - Vector::splat(self.gravity)
    }

    throng::reflect!(motion);
}

#[test]
fn a_rule_of_a_host_is_read_with_its_registry() {
    let pace = Species::<2>::new("horse").with(1.0, KeepPace);
    assert!(serde_json::to_string(&pace).unwrap_err().to_string().contains("`KeepPace` has no table of parameters"));
    assert!(postcard::to_allocvec(&pace).is_err());

    let leaf = Species::<2>::new("leaf").with(1.0, Fall { gravity: 1.62 }).with_motion(Fall { gravity: 3.7 });
    let text = serde_json::to_string(&leaf).unwrap();
    assert!(refused::<Species<2>>(&text).contains("model = \"fall\""));
    let registry = Registry::new().with(Fall::default()).unwrap().with_motion(Fall::default()).unwrap();
    let read = registry.species_seed::<2>().deserialize(&mut serde_json::Deserializer::from_str(&text)).unwrap();
    assert_eq!(format!("{read:?}"), format!("{leaf:?}"));
}

/// A rule with a parameter that has the name of a key of all rules.
#[test]
fn the_keys_of_all_rules_are_no_parameters() {
    throng::rule! {
        /// The force is zero.
        "nap": "Naps."
        struct Nap {
            /// The hours.
            during: f32 = 1.0, "h", Kind::Number(Range::LENGTH);
        }
    }
    impl<const D: usize> Behaviour<D> for Nap {
        fn steer(&self, _me: &AgentRef<'_, D>) -> Vector<D> {
            Vector::ZERO
        }

        throng::reflect!();
    }
    assert!(Registry::new().with(Nap::default()).unwrap_err().to_string().contains("during"));
}

#[test]
fn an_empty_list_of_points_is_one() {
    let empty = Species::<3>::new("ant").with(1.0, FollowPath { points: Vec::new(), ..FollowPath::default() });
    species_stays(&empty);
}

#[test]
fn the_word_of_a_default_is_read_by_name_too() {
    let mut source = Source::<2>::new("door", "bird", "hall", Arrivals::Rate(1.0));
    source.heading = Some([1.0, 0.0].into());
    Definition::set(&mut source, "heading", &"random".into()).unwrap();
    assert_eq!(source.heading, None);
    assert!(Definition::set(&mut source, "speed", &"the largest speed of each agent".into()).is_err());
}
