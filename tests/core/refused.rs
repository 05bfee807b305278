//! Tests that a refused edit changes nothing: neither the hash of the state, nor a byte of a snapshot, nor a recording.

use std::sync::Arc;

use throng::behaviours::{Alignment, Cohesion, Separation, Wander};
use throng::parameters::{Reflect, Value};
use throng::{
    AgentId, Arrivals, Behaviour, Distribution, Edge, Error, Mark, Obstacle, Places, Quantity, Region, Registry, Rule,
    Settings, Shape, Sink, Source, Species, SpeciesId, State, Track, Tracks, Variable, Vector, Wall, World, Zone,
};

fn world() -> (World<2>, SpeciesId, AgentId) {
    let mut world =
        World::<2>::new(Settings { size: Vector([40.0; 2]), edge: [Edge::Bounce; 2], ..Settings::default() }).unwrap();
    let bird = |name: &str| {
        Species::new(name)
            .with(1.0, Separation::default())
            .with(1.0, Alignment::default())
            .with(1.0, Cohesion::default())
            .with(0.1, Wander::default())
    };
    let states = vec![State::new("rest"), State::new("fly")];
    let variables = vec![Variable { name: "thirst".into(), start: 0.5.into(), low: 0.0, high: 1.0 }];
    let one = world.add_species(Species { states, variables, ..bird("one") }).unwrap();
    world.add_species(bird("other")).unwrap();
    world.add_column(one, "load", 1.0_f32).unwrap();
    let environment = world.environment_mut();
    environment.regions.add(Region::new("here", Shape::Ball { centre: [30.0; 2].into(), radius: 2.0 })).unwrap();
    environment.sinks.add(Sink::new("out", "here")).unwrap();
    environment.marks.add(Mark::new("lamp", [3.0; 2])).unwrap();
    for number in 0..60 {
        let at = [1.0 + (number % 8) as f32, 1.0 + (number / 8) as f32];
        let species = world.species_ids().nth(number % 2).unwrap();
        world.spawn(species, at, [1.0, 0.5]).unwrap();
    }
    (0..5).for_each(|_| world.step());
    world.record(0);
    let id = world.agents(one).unwrap().ids()[3];
    (world, one, id)
}

type Edit = Box<dyn Fn(&mut World<2>) -> Result<(), Error>>;

/// Every edit, each with values that are refused.
fn edits(one: SpeciesId, id: AgentId) -> Vec<(String, Edit)> {
    const NAN: f32 = f32::NAN;
    let mut all: Vec<(String, Edit)> = Vec::new();
    let mut add = |name: &str, edit: fn(&mut World<2>, SpeciesId, AgentId) -> Result<(), Error>| {
        all.push((name.to_owned(), Box::new(move |world| edit(world, one, id))));
    };
    add("spawn", |world, one, _| world.spawn(one, [NAN; 2], [0.0; 2]).map(drop));
    add("spawn outside", |world, one, _| world.spawn(one, [-1.0; 2], [0.0; 2]).map(drop));
    add("spawn_many", |world, one, _| world.spawn_many(one, &[[1.0; 2], [NAN; 2]], &[[0.0; 2]; 2]).map(drop));
    add("spawn_many of other lengths", |world, one, _| world.spawn_many(one, &[[1.0; 2]], &[]).map(drop));
    add("despawn", |world, _, _| world.despawn(AgentId::from_bits(1 << 40)));
    add("change_species", |world, one, _| world.change_species(AgentId::from_bits(1 << 40), one));
    add("set_position", |world, _, id| world.set_position(id, [NAN; 2]));
    add("set_positions", |world, one, _| {
        let mut all = vec![1.0; world.agents(one)?.len()];
        all[5] = -7.0;
        world.set_positions(one, [&all[..], &all])
    });
    add("set_positions_of", |world, _, id| world.set_positions_of(&[id, id], &[[1.0; 2], [NAN; 2]]));
    add("set_velocity", |world, _, id| world.set_velocity(id, [NAN; 2]));
    add("set_velocities", |world, one, _| {
        let mut all = vec![1.0; world.agents(one)?.len()];
        all[5] = NAN;
        world.set_velocities(one, [&all[..], &all])
    });
    add("set_velocities_of", |world, _, id| world.set_velocities_of(&[id, id], &[[1.0; 2], [NAN; 2]]));
    add("set_heading", |world, _, id| world.set_heading(id, [0.0; 2]));
    add("set_goal", |world, _, id| world.set_goal(id, Some(Vector([NAN; 2]))));
    add("set_state", |world, _, id| world.set_state(id, "swim"));
    add("set_quantity", |world, _, id| world.set_quantity(id, Quantity::Mass, -1.0));
    add("set_quantity of the species", |world, _, id| world.set_quantity(id, Quantity::MinSpeed, 1.0));
    add("add_species", |world, _, _| world.add_species(Species { min_speed: NAN, ..Species::new("new") }).map(drop));
    add("add_species twice", |world, _, _| world.add_species(Species::new("other")).map(drop));
    add("edit_species", |world, one, _| world.edit_species(one, |species| species.min_speed = NAN));
    add("edit_species, name", |world, one, _| world.edit_species(one, |species| species.name = "other".into()));
    add("edit_rule", |world, one, _| world.edit_rule::<Separation>(one, 0, |rule| rule.radius = NAN));
    add("edit_rule of another type", |world, one, _| world.edit_rule::<Wander>(one, 0, |_| ()));
    add("add_rule", |world, one, _| world.add_rule(one, Rule::new(NAN, Wander::default())));
    add("remove_rule", |world, one, _| world.remove_rule(one, 40).map(drop));
    add("set_tick_seconds", |world, _, _| world.set_tick_seconds(0.0));
    add("set_settings", |world, _, _| {
        world.set_settings(Settings { size: Vector([NAN; 2]), ..world.settings().clone() })
    });
    add("add_column", |world, one, _| world.add_column(one, "load", 1_u32));
    add("add_column, variable", |world, one, _| world.add_column(one, "thirst", 1_u32));
    add("remove_column", |world, one, _| world.remove_column(one, "none"));
    add("set_column_value", |world, _, id| world.set_column_value(id, "load", 1_u32));
    add("set_column_value, variable", |world, _, id| world.set_column_value(id, "thirst", f32::INFINITY));
    add("set_column_values", |world, _, id| {
        world.set_column_values(&[id, AgentId::from_bits(1 << 40)], "load", 2.0_f32)
    });
    add("set_column", |world, one, _| world.set_column(one, "load", &[1.0_f32]));
    add("marks", |world, _, _| world.environment_mut().marks.add(Mark::new("lamp", [1.0; 2])).map(drop));
    add("marks, put", |world, _, _| world.environment_mut().marks.put(Mark::new("lamp", [NAN; 2])).map(drop));
    add("obstacles", |world, _, _| world.environment_mut().obstacles.add(Obstacle::new([1.0; 2], -1.0)).map(drop));
    add("walls", |world, _, _| world.environment_mut().walls.add(Wall::segment([NAN; 2], [1.0; 2])).map(drop));
    add("regions", |world, _, _| {
        let region = world.environment().regions.ids()[0];
        let shape = Shape::Ball { centre: [NAN; 2].into(), radius: 1.0 };
        world.environment_mut().regions.edit(region, |region| region.shape = shape).map(drop)
    });
    add("zones", |world, _, _| world.environment_mut().zones.add(Zone::new("here", NAN)).map(drop));
    add("sinks", |world, _, _| world.environment_mut().sinks.add(Sink::new("out", "here")).map(drop));
    add("sources", |world, _, _| {
        world.environment_mut().sources.add(Source::new("in", "one", "here", Arrivals::Poisson(NAN))).map(drop)
    });
    add("places", |world, _, _| {
        world
            .environment_mut()
            .places
            .add(Places { name: "line".into(), points: vec![[NAN; 2].into()], is_queue: true })
            .map(drop)
    });
    add("tracks", |world, _, _| {
        let track = Track { first: 0, positions: vec![[NAN; 2].into()] };
        world.environment_mut().tracks.add(Tracks::new("all", "one", 1.0, vec![track])).map(drop)
    });
    for quantity in Quantity::ALL {
        let name = quantity.name();
        all.push((format!("set_parameter {name}"), Box::new(move |world| world.set_parameter(one, name, f64::NAN))));
        let turned = Distribution::Uniform(2.0, 1.0);
        let edit =
            move |world: &mut World<2>| world.edit_species(one, |species| species.set_quantity(quantity, turned))?;
        all.push((format!("edit_species {name}"), Box::new(edit)));
    }
    all
}

fn bytes(world: &World<2>) -> Vec<u8> {
    let mut bytes = Vec::new();
    world.save(&mut bytes).unwrap();
    bytes
}

/// Makes an edit that is refused.
fn refuse(world: &mut World<2>, name: &str, edit: &dyn Fn(&mut World<2>) -> Result<(), Error>) {
    let before = (world.state_hash(), bytes(world));
    assert!(edit(world).is_err(), "{name} is refused");
    assert!(before == (world.state_hash(), bytes(world)), "{name} changes nothing");
    assert_eq!(world.recording().unwrap().edits().count(), 0, "{name} is not recorded");
}

#[test]
fn a_refused_edit_changes_nothing() {
    let (mut world, one, id) = world();
    for (name, edit) in edits(one, id) {
        refuse(&mut world, &name, &*edit);
    }
}

/// Each parameter of each rule and motion, with a value that it never has.
#[test]
fn a_refused_parameter_changes_nothing() {
    let (mut world, one, _) = world();
    let registry = Registry::new();
    for rule in registry.rules::<2>() {
        let rule = Arc::from(rule.duplicate() as Box<dyn Behaviour<2>>);
        world.stop_recording();
        if world.edit_species(one, |species| species.rules = vec![Rule::from_arc(1.0, rule)]).is_err() {
            continue;
        }
        world.step();
        world.record(0);
        let Some(table) = world.species(one).unwrap().rules[0].behaviour.table() else { continue };
        let names: Vec<String> = Reflect::parameters(table).iter().map(|parameter| parameter.name.to_owned()).collect();
        for name in names.into_iter().chain(["weight".to_owned(), "no such parameter".to_owned()]) {
            let path = format!("behaviours.0.{name}");
            refuse(&mut world, &path, &|world| world.set_parameter(one, &path, Value::Number(f64::NAN)));
        }
    }
}

/// A definition that stays as it is changes nothing either.
#[test]
fn an_edit_without_effect_changes_nothing() {
    let (mut world, one, _) = world();
    let before = (world.state_hash(), bytes(&world));
    world.edit_species(one, |_| ()).unwrap();
    let radius = world.species(one).unwrap().rules[0].behaviour.table().unwrap().get("radius").unwrap();
    world.set_parameter(one, "separation.radius", radius).unwrap();
    assert!(before == (world.state_hash(), bytes(&world)) && world.recording().unwrap().edits().count() == 0);
    world.set_parameter(one, "separation.radius", 7.0).unwrap();
    assert!(before.0 != world.state_hash() && world.recording().unwrap().edits().count() == 1);
}
