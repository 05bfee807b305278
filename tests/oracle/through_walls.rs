//! A wall between agents leaves every rule and every model without an effect of those behind it, if they ask for it.

use std::sync::Arc;

use throng::parameters::{Kind, Reflect, Value};
use throng::{Behaviour, Edge, Motion, Registry, Rule, Settings, Sight, Species, Vector, Wall, WallShape, World};

/// Replaces what a rule refers to: it perceives all agents, and its targets are the nearest of them. A model perceives
/// them from afar.
fn perceiving(table: &mut dyn Reflect) {
    for parameter in table.parameters() {
        let value = match parameter.kind {
            Kind::Target => Value::from("nearest:all"),
            Kind::SpeciesFilter => Value::from("all"),
            Kind::Statements => Value::Words(vec!["force = sum(velocity_j)".to_owned()]),
            Kind::Number(_) if parameter.name == "radius" => Value::Number(10.0),
            _ => continue,
        };
        table.set(parameter.name, &value).unwrap();
    }
}

/// The velocity of an agent after a tick, beside a wall behind which others are or are not.
fn velocity<const D: usize>(species: &Species<D>, others: bool) -> Vector<D> {
    let settings =
        Settings { size: Vector::splat(100.0), edge: [Edge::Open; D], tick_seconds: 0.1, ..Settings::default() };
    let mut world = World::<D>::new(settings).unwrap();
    let plane = WallShape::Plane { point: Vector::splat(50.0), normal: Vector::from_fn(|axis| f32::from(axis == 0)) };
    world.environment_mut().walls.add(Wall::new(plane)).unwrap();
    let species = world.add_species(species.clone()).unwrap();
    world.add_column(species, "group", 1u32).unwrap();
    let at = |x: f32, y: f32| Vector::from_fn(|axis| [x, y, 50.0][axis]);
    let me = world.spawn(species, at(49.0, 50.0), Vector::from_fn(|axis| f32::from(axis == 0))).unwrap();
    for (x, y) in [(50.8, 50.0), (51.0, 50.5)] {
        if others {
            world.spawn(species, at(x, y), Vector::from_fn(|axis| [-1.0, 0.3, 0.1][axis])).unwrap();
        }
    }
    world.step();
    world.velocity(me).unwrap()
}

fn heeds<const D: usize>(species: &Species<D>) -> bool {
    (velocity(species, true) - velocity(species, false)).length() > 1e-4
}

/// Checks all rules. Returns the names of those that heed others through the wall if they may.
fn check_rules<const D: usize>() -> Vec<&'static str> {
    let mut heeding = Vec::new();
    for rule in Registry::new().rules::<D>() {
        let mut rule = rule.duplicate();
        perceiving(&mut *rule);
        let name = rule.rule();
        let with = |sight: Option<&str>| {
            let mut rule = rule.duplicate();
            if let Some(sight) = sight {
                rule.set("sight", &Value::from(sight)).unwrap();
            }
            let mut species = Species::<D>::new("bird");
            species.rules.push(Rule::from_arc(1.0, Arc::from(rule as Box<dyn Behaviour<D>>)));
            species
        };
        heeding.extend(heeds(&with(None)).then_some(name));
        assert!(!heeds(&with(None).with_sight(Sight::Walls)), "{name}");
        if rule.get("sight").is_some() {
            assert!(!heeds(&with(Some("walls"))), "{name}");
            let always = with(Some("always")).with_sight(Sight::Walls);
            assert_eq!(heeds(&always), heeds(&with(None)), "{name}");
        }
    }
    heeding
}

#[test]
fn a_wall_hides_agents_from_every_rule() {
    let expected = [
        "seek",
        "flee",
        "arrive",
        "pursue",
        "evade",
        "offset_pursuit",
        "interpose",
        "hide",
        "match_velocity",
        "separation",
        "alignment",
        "cohesion",
        "avoid_neighbours",
        "queue",
        "stay_in_group",
        "expression",
    ];
    for heeding in [check_rules::<2>(), check_rules::<3>()] {
        let missing: Vec<_> = expected.iter().filter(|name| !heeding.contains(name)).collect();
        assert!(missing.is_empty() && heeding.len() == expected.len(), "{missing:?} of {heeding:?}");
    }
}

#[test]
fn a_wall_hides_agents_from_every_model() {
    let mut heeding = Vec::new();
    for motion in Registry::new().motions::<2>() {
        let mut motion = motion.duplicate();
        perceiving(&mut *motion);
        let name = motion.rule();
        let species = Species::<2> {
            motion: Some(Arc::from(motion as Box<dyn Motion<2>>)),
            ..Species::new("bird").with_max_speed(1.5).with(1.0, throng::behaviours::Wander::default())
        };
        heeding.extend(heeds(&species).then_some(name));
        assert!(!heeds(&species.with_sight(Sight::Walls)), "{name}");
    }
    for (name, heeds) in [("vicsek", true), ("orca", true), ("social_force", false), ("collision_free_speed", false)] {
        assert_eq!(heeding.contains(&name), heeds, "{heeding:?}");
    }
}

/// The nearest agent that no wall hides is the target, whatever stands nearer behind a wall.
#[test]
fn the_nearest_in_sight_is_the_target() {
    let settings = Settings { size: Vector([100.0; 2]), edge: [Edge::Open; 2], ..Settings::default() };
    let mut world = World::<2>::new(settings).unwrap();
    world.environment_mut().walls.add(Wall::segment([50.0, 40.0], [50.0, 60.0])).unwrap();
    let prey = world.add_species(Species::new("prey").with_max_speed(0.0)).unwrap();
    let target = throng::Target::Nearest(throng::SpeciesFilter::named("prey"));
    let pursue = throng::behaviours::Pursue { target, ..Default::default() };
    let hunter =
        world.add_species(Species::new("hunter").with_sight(Sight::Walls).with(1.0, pursue).kinematic()).unwrap();
    for at in [[52.0, 50.0], [55.0, 51.0], [30.0, 50.0], [10.0, 50.0]] {
        world.spawn(prey, at, [0.0, 0.0]).unwrap();
    }
    let hunters: Vec<_> =
        (0..6).map(|row| world.spawn(hunter, [49.0, 47.0 + row as f32], [0.0, 0.0]).unwrap()).collect();
    world.step();
    for hunter in hunters {
        assert!(world.velocity(hunter).unwrap()[0] < -5.0);
    }
}
