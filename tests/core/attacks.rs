//! Tests that unusual calls of a host leave the world valid.

use throng::behaviours::{Cohesion, Seek, Separation, Wander};
use throng::{
    AgentId, AgentRef, Behaviour, Condition, Edge, Error, Mark, Rule, Settings, Species, SpeciesId, State, Target,
    Vector, World,
};

fn world(edge: Edge) -> World<2> {
    World::new(Settings { edge: [edge; _], tick_seconds: 0.05, seed: 9, ..Settings::default() }).unwrap()
}

fn crowd(world: &mut World<2>, species: SpeciesId, count: usize) -> Vec<AgentId> {
    (0..count)
        .map(|number| {
            let at = number as f32;
            world.spawn(species, [(at * 7.3) % 100.0, (at * 3.1) % 100.0], [1.0, at % 3.0 - 1.0]).unwrap()
        })
        .collect()
}

/// Panics for one agent, from a tick on.
#[derive(Clone, Debug)]
struct Fails(u64);

impl<const D: usize> Behaviour<D> for Fails {
    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        assert!(me.world().tick() < self.0 || me.row() != 700, "the rule fails");
        Vector::ZERO
    }
}

#[test]
fn a_rule_that_panics_leaves_a_valid_world() {
    let mut world = world(Edge::Wrap);
    let bird = Species::new("bird")
        .with(1.0, Separation::default())
        .with(1.0, Wander::default())
        .with_state(State::new("calm").with_transition("calm", Condition::After(0.1)))
        .with_variable("energy", 1.0, 0.0, 1.0);
    let bird = world.add_species(bird).unwrap();
    let ids = crowd(&mut world, bird, 1000);
    world.add_column(bird, "load", 3_u32).unwrap();
    (0..3).for_each(|_| world.step());
    let mut twin = world.clone();
    world.add_rule(bird, Rule::new(0.0, Fails(3))).unwrap();
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let positions = world.agents(bird).unwrap().positions().map(<[f32]>::to_vec);
    let failed = world.try_step();
    std::panic::set_hook(hook);
    let Err(Error::Panicked(panicked)) = failed else { panic!("{failed:?}") };
    assert_eq!((panicked.tick, panicked.seed, &panicked.message[..]), (3, world.settings().seed, "the rule fails"));
    assert_eq!((world.tick(), world.agents(bird).unwrap().positions().map(<[f32]>::to_vec)), (3, positions));
    world.remove_rule(bird, 2).unwrap();
    world.despawn(ids[5]).unwrap();
    twin.despawn(ids[5]).unwrap();
    let late = world.spawn(bird, [1.0, 1.0], [0.0, 1.0]).unwrap();
    assert_eq!(twin.spawn(bird, [1.0, 1.0], [0.0, 1.0]).unwrap(), late);
    for _ in 0..5 {
        world.step();
    }
    assert_eq!(world.population(), 1000);
    assert_eq!(world.agents(bird).unwrap().column::<u32>("load").unwrap(), [3; 1000]);
    assert!(world.explain(late).is_ok());
    let mut bytes = Vec::new();
    world.save(&mut bytes).unwrap();
    let mut again = World::<2>::load(&bytes[..]).unwrap();
    world.step();
    again.step();
    assert_eq!(world.state_hash(), again.state_hash());
}

#[test]
fn a_loaded_world_saves_the_same_bytes_with_its_hash() {
    let mut world = world(Edge::Bounce);
    let bird =
        world.add_species(Species::new("bird").with(1.0, Cohesion::default()).with(1.0, Wander::default())).unwrap();
    let ids = crowd(&mut world, bird, 700);
    world.add_column(bird, "pair", [1.5_f32, 2.5]).unwrap();
    world.add_column(bird, "key", 7_u64).unwrap();
    world.environment_mut().marks.put(Mark::new("nest", [3.0, 4.0])).unwrap();
    (0..20).for_each(|_| world.step());
    world.despawn(ids[3]).unwrap();
    world.set_goal(ids[4], Some(Vector([2.0, 2.0]))).unwrap();
    let saved = |world: &World<2>| {
        let mut bytes = Vec::new();
        world.save(&mut bytes).unwrap();
        bytes
    };
    let bytes = saved(&world);
    let again = World::<2>::load(&bytes[..]).unwrap();
    assert!(saved(&again) == bytes);
    // The last section: the hash of all hashes, then its own.
    let hash = u64::from_le_bytes(bytes[bytes.len() - 16..bytes.len() - 8].try_into().unwrap());
    assert_eq!((world.state_hash(), again.state_hash()), (hash, hash));
}

#[test]
fn settings_that_change_keep_every_agent_inside() {
    // One edge for both axes, and mixed ones.
    let mut edges = Edge::ALL.map(|edge| [edge; 2]).to_vec();
    edges.extend([[Edge::Wrap, Edge::Remove], [Edge::Bounce, Edge::Open], [Edge::Respawn, Edge::Wrap]]);
    for &from in &edges {
        for &to in &edges {
            for size in [[100.0, 100.0], [7.0, 250.0], [0.5, 0.5]] {
                let mut world = world(Edge::Wrap);
                world.set_settings(Settings { edge: from, ..world.settings().clone() }).unwrap();
                let bird = Species::new("bird").with(1.0, Separation::default()).with(1.0, Wander::default());
                let bird = world.add_species(bird).unwrap();
                crowd(&mut world, bird, 300);
                world.spawn(bird, [100.0, 100.0], [5.0, 5.0]).unwrap();
                let far = |axis: usize, at: f32| if from[axis] == Edge::Open { at } else { 50.0 };
                world.spawn(bird, [far(0, -1e5), far(1, 1e5)], [5.0, 5.0]).unwrap();
                (0..4).for_each(|_| world.step());
                let settings = Settings { edge: to, size: size.into(), ..world.settings().clone() };
                world.set_settings(settings).unwrap();
                for _ in 0..4 {
                    let mut bytes = Vec::new();
                    world.save(&mut bytes).unwrap();
                    let loaded =
                        World::<2>::load(&bytes[..]).unwrap_or_else(|error| panic!("{from:?} {to:?}: {error}"));
                    assert_eq!(loaded.state_hash(), world.state_hash());
                    world.step();
                    let positions = world.agents(bird).unwrap().positions();
                    for axis in (0..2).filter(|&axis| to[axis] != Edge::Open) {
                        let inside = positions[axis].iter().all(|at| (0.0..=size[axis]).contains(at));
                        assert!(inside, "{from:?} {to:?} {size:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn invalid_paths_to_parameters_are_refused() {
    let mut world = world(Edge::Wrap);
    let bird = world.add_species(Species::new("bird").with(1.0, Separation::default())).unwrap();
    crowd(&mut world, bird, 10);
    let before = world.state_hash();
    for path in [
        "",
        ".",
        "..",
        "separation",
        "separation.",
        ".radius",
        "behaviours.",
        "behaviours.0",
        "behaviours.1.radius",
        "behaviours.-1.radius",
        "behaviours.99999999999999999999999.radius",
        "separation.radius.radius",
        "speed",
        "max_speed.radius",
        "separation.whom",
        "name",
        "behaviours.0.during",
    ] {
        assert!(matches!(world.set_parameter(bird, path, 1.0), Err(Error::BadValue(_))), "{path}");
    }
    for value in [f64::NAN, f64::INFINITY, -1.0, 1e7, 1e300, -f64::MIN_POSITIVE] {
        let refused = world.set_parameter(bird, "separation.radius", value).is_err();
        // A value that rounds to zero is zero.
        assert_eq!(refused, value != -f64::MIN_POSITIVE, "{value}");
    }
    world.set_parameter(bird, "separation.radius", Separation::default().radius).unwrap();
    assert_eq!(world.state_hash(), before);
}

#[test]
fn columns_and_variables_do_not_take_each_others_names() {
    let mut world = world(Edge::Wrap);
    let bird = world.add_species(Species::new("bird").with_variable("energy", 1.0, 0.0, 1.0)).unwrap();
    let [id] = crowd(&mut world, bird, 1)[..] else { panic!() };
    assert!(matches!(world.add_column(bird, "energy", 1.0_f32), Err(Error::NameTaken(_))));
    world.add_column(bird, "load", 1.0_f32).unwrap();
    let taken = world.edit_species(bird, |species| *species = species.clone().with_variable("load", 0.0, 0.0, 1.0));
    assert!(matches!(taken, Err(Error::NameTaken(_))));
    assert!(matches!(world.remove_column(bird, "energy"), Err(Error::NoSuchColumn(_))));
    for value in [f32::NAN, 1.1, -0.1, f32::INFINITY] {
        assert!(matches!(world.set_column_value(id, "energy", value), Err(Error::BadValue(_))), "{value}");
        assert!(matches!(world.set_column(bird, "energy", &[value]), Err(Error::BadValue(_))), "{value}");
    }
    assert!(matches!(world.set_column_value(id, "energy", 1_u32), Err(Error::ColumnType { .. })));
    assert_eq!(world.column_value::<f32>(id, "energy").unwrap(), 1.0);
    // Columns with the names of the engine's own are the host's.
    for name in ["seconds", "flags", "regions", ""] {
        world.add_column(bird, name, 5_u32).unwrap();
        assert_eq!(world.column_value::<u32>(id, name).unwrap(), 5);
    }
    let taken = world.add_column(bird, "state", 5_u32);
    assert!(matches!(taken, Err(Error::NameTaken(_))), "trajectories have a column of this name");
    let state = State::new("calm").with_transition("calm", Condition::After(0.1));
    world.edit_species(bird, |species| *species = species.clone().with_state(state)).unwrap();
    (0..5).for_each(|_| world.step());
    assert_eq!(world.column_value::<u32>(id, "seconds").unwrap(), 5);
}

#[test]
fn copied_rules_do_not_share_memory_between_species() {
    let mut world = world(Edge::Wrap);
    let seek = || Seek { target: Target::Random(1.0) };
    let a = world.add_species(Species::new("a").with(1.0, Wander::default()).with(1.0, seek())).unwrap();
    let b = world.add_species(Species::new("b").with(1.0, Wander::default())).unwrap();
    crowd(&mut world, a, 40);
    crowd(&mut world, b, 40);
    (0..10).for_each(|_| world.step());
    let rule = world.species(a).unwrap().rules[0].clone();
    world.add_rule(b, rule.clone()).unwrap();
    world.add_rule(a, rule).unwrap();
    world.edit_species(a, |species| species.rules.reverse()).unwrap();
    for _ in 0..10 {
        world.step();
        let mut bytes = Vec::new();
        world.save(&mut bytes).unwrap();
        let mut again = World::<2>::load(&bytes[..]).unwrap();
        let mut clone = world.clone();
        again.step();
        clone.step();
        assert_eq!(again.state_hash(), clone.state_hash());
    }
}

#[test]
fn a_row_without_an_agent_is_refused_alike_everywhere() {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    for states in [false, true] {
        let mut world = world(Edge::Wrap);
        let bird = Species::new("bird");
        let bird = if states { bird.with_state(throng::State::new("calm")) } else { bird };
        let bird = world.add_species(bird).unwrap();
        let ids = crowd(&mut world, bird, 33);
        for set in [false, true] {
            if set {
                world.set_quantity(ids[3], throng::Quantity::Mass, 7.0).unwrap();
                world.set_goal(ids[3], Some(throng::Vector([1.0, 2.0]))).unwrap();
            }
            let agents = world.agents(bird).unwrap();
            let reads: [(&str, &dyn Fn(usize) -> bool); 9] = [
                ("mass", &|row| agents.mass(row) > 0.0),
                ("radius", &|row| agents.radius(row) > 0.0),
                ("max_speed", &|row| agents.max_speed(row) > 0.0),
                ("max_force", &|row| agents.max_force(row) > 0.0),
                ("state", &|row| agents.state(row) > 0),
                ("seconds", &|row| agents.seconds_in_state(row).is_some()),
                ("goal", &|row| agents.goal(row).is_some()),
                ("position", &|row| agents.position(row)[0] > 0.0),
                ("velocity", &|row| agents.velocity(row)[0] > 0.0),
            ];
            for (name, read) in reads {
                read(32);
                for row in [33, 40, 48, usize::MAX] {
                    let caught = catch_unwind(AssertUnwindSafe(|| read(row))).unwrap_err();
                    let text = caught.downcast_ref::<String>().unwrap();
                    assert_eq!(text, &format!("row {row} of 33 agents"), "{name}");
                }
            }
            let all: Vec<_> = agents.iter().collect();
            assert_eq!(all.len(), 33);
            for (row, agent) in all.iter().enumerate() {
                assert_eq!((agent.id, agent.row), (agents.ids()[row], row));
                assert_eq!((agent.position, agent.velocity), (agents.position(row), agents.velocity(row)));
            }
        }
    }
}

#[test]
fn debug_texts_do_not_grow_with_a_world() {
    let mut world = world(Edge::Wrap);
    let bird = world.add_species(Species::new("bird")).unwrap();
    crowd(&mut world, bird, 5000);
    for number in 0..100 {
        let at = [number as f32, 5.0];
        world.environment_mut().walls.add(throng::Wall::segment(at, [at[0], 9.0])).unwrap();
    }
    world.step();
    let agents = format!("{:?}", world.agents(bird).unwrap());
    let environment = format!("{:?}", world.environment());
    assert!(agents.len() < 80 && agents.contains("5000"), "{agents}");
    assert!(environment.len() < 80 && environment.contains("walls: 100"), "{environment}");
    let texts = [format!("{world:?}"), format!("{:?}", world.query()), format!("{:?}", throng::AnyWorld::from(world))];
    for text in texts {
        assert!(text.len() < 120, "{text}");
    }
}

#[test]
fn queries_beyond_the_population_return_all_agents() {
    let mut world = world(Edge::Wrap);
    let bird = world.add_species(Species::new("bird")).unwrap();
    let ids = crowd(&mut world, bird, 33);
    let mut found = Vec::new();
    world.query().nearest([1.0, 1.0], usize::MAX, &mut found).unwrap();
    assert_eq!(found.len(), 33);
    world.query().nearest([1.0, 1.0], 0, &mut found).unwrap();
    assert!(found.is_empty());
    world.query().within([1.0, 1.0], f32::INFINITY, &mut found).unwrap();
    assert_eq!(found.len(), 33);
    assert!(
        world.query().within([1.0, 1.0], -1.0, &mut found).is_err()
            && world.query().within([1.0, 1.0], f32::NAN, &mut found).is_err()
    );
    world.clear();
    world.query().nearest([1.0, 1.0], 3, &mut found).unwrap();
    assert!(found.is_empty() && !world.contains(ids[0]) && world.despawn(ids[0]).is_err());
    world.step();
    assert_eq!(world.population(), 0);
}
