//! Tests that the state hashes of two worlds differ wherever the worlds would diverge.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

use throng::behaviours::{Cohesion, Separation, Wander};
use throng::{
    AgentRef, Behaviour, Catch, Distribution, Edge, FlowField, Kinematic, Mark, Motion, Rule, Settings, Shape, Species,
    SpeciesFilter, Vector, World,
};

fn saved<const D: usize>(world: &World<D>) -> Vec<u8> {
    let mut bytes = Vec::new();
    world.save(&mut bytes).unwrap();
    bytes
}

/// A world from which two agents were removed, in one order or the other.
fn base(swapped: bool) -> World<2> {
    let settings = Settings { tick_seconds: 0.1, edge: [Edge::Remove; _], ..Settings::default() };
    let mut world = World::<2>::new(settings).unwrap();
    let mut hawk = Species::new("hawk").with(1.0, Separation::default()).with(0.5, Wander::default());
    hawk.catch = Some(Catch { whom: SpeciesFilter::named("dove"), distance: 1.0, remove: false, during: Vec::new() });
    let hawk = world.add_species(hawk).unwrap();
    let dove = world.add_species(Species::new("dove")).unwrap();
    let environment = world.environment_mut();
    environment.marks.put(Mark::new("nest", [10.0, 10.0])).unwrap();
    environment.fields.put(FlowField::new("wind", [1, 1], vec![Vector([1.0, 0.0])]).unwrap()).unwrap();
    let shape = Shape::Ball { centre: Vector([10.0, 20.0]), radius: 3.0 };
    environment.regions.add(throng::Region { name: "pond".into(), shape }).unwrap();
    let ids: Vec<_> =
        (0..20).map(|number| world.spawn(hawk, [5.0 * number as f32 + 1.0, 50.0], [1.0, 0.0]).unwrap()).collect();
    world.spawn(dove, [1.0, 50.5], [0.0, 0.0]).unwrap();
    // The last two rows are removed, so that no other row moves.
    let gone = if swapped { [ids[18], ids[19]] } else { [ids[19], ids[18]] };
    gone.iter().for_each(|&id| world.despawn(id).unwrap());
    world
}

/// An edit of a world.
type Change = Box<dyn Fn(&mut World<2>)>;

#[test]
fn the_hash_differs_wherever_worlds_would_diverge() {
    fn setting(change: impl Fn(&mut Settings<2>) + 'static) -> Change {
        Box::new(move |world| {
            let mut settings = world.settings().clone();
            change(&mut settings);
            world.set_settings(settings).unwrap();
        })
    }
    fn of_hawks(change: impl Fn(&mut Species<2>) + 'static) -> Change {
        Box::new(move |world| {
            let hawk = world.find_species("hawk").unwrap();
            world.edit_species(hawk, &change).unwrap();
        })
    }
    fn of_first(change: impl Fn(&mut World<2>, throng::AgentId) + 'static) -> Change {
        Box::new(move |world| {
            let id = world.all_agents().iter().next().unwrap().ids()[0];
            change(world, id);
        })
    }
    fn of_region(change: impl Fn(&mut throng::Region<2>) + 'static) -> Change {
        Box::new(move |world| {
            let environment = world.environment_mut();
            let (id, region) = environment.regions.iter().map(|(id, region)| (id, region.clone())).next().unwrap();
            let mut region = region;
            change(&mut region);
            environment.regions.set(id, region).unwrap();
        })
    }
    let nothing: Change = Box::new(|_| ());
    let changes: Vec<(&str, Change)> = vec![
        ("edge", setting(|settings| settings.edge = [Edge::Bounce; _])),
        ("edge of one axis", setting(|settings| settings.edge[1] = Edge::Bounce)),
        ("edge of the other axis", setting(|settings| settings.edge[0] = Edge::Bounce)),
        ("tick_seconds", setting(|settings| settings.tick_seconds = 0.2)),
        ("size", setting(|settings| settings.size = Vector([100.0, 101.0]))),
        ("budget", setting(|settings| settings.pair_budget = Some(4097))),
        ("no budget", setting(|settings| settings.pair_budget = None)),
        ("seed", setting(|settings| settings.seed = 1)),
        ("largest speed", of_hawks(|species| species.max_speed = 10.5.into())),
        ("largest speed, drawn", of_hawks(|species| species.max_speed = Distribution::Uniform(10.0, 10.5))),
        ("smallest speed", of_hawks(|species| species.min_speed = 0.5)),
        ("largest turn", of_hawks(|species| species.max_turn_rate = 90.0)),
        ("response", of_hawks(|species| species.response = 0.25)),
        ("weight", of_hawks(|species| species.rules[0].weight = 1.5)),
        (
            "radius of a rule",
            of_hawks(|species| species.rules[0].edit::<Separation, _>(|rule| rule.radius = 6.0).unwrap()),
        ),
        ("order of rules", of_hawks(|species| species.rules.reverse())),
        ("another rule", of_hawks(|species| species.rules.push(Rule::new(0.0, Cohesion::default())))),
        ("motion", of_hawks(|species| species.motion = Some(std::sync::Arc::new(Kinematic {})))),
        ("combination", of_hawks(|species| species.combine = throng::Combine::Truncated)),
        ("moved by the host", of_hawks(|species| species.moved_by_host = true)),
        ("catch", of_hawks(|species| species.catch.as_mut().unwrap().distance = 2.0)),
        ("name of a species", of_hawks(|species| species.name = "eagle".into())),
        ("a state", of_hawks(|species| species.states.push(throng::State::new("calm")))),
        (
            "a variable",
            of_hawks(|species| {
                species.variables.push(throng::Variable {
                    name: "thirst".into(),
                    start: 0.0.into(),
                    low: 0.0,
                    high: 1.0,
                });
            }),
        ),
        (
            "a column",
            Box::new(|world| {
                let hawk = world.find_species("hawk").unwrap();
                world.add_column(hawk, "age", 0u32).unwrap();
            }),
        ),
        ("position", of_first(|world, id| world.set_position(id, [2.0, 50.0]).unwrap())),
        ("velocity", of_first(|world, id| world.set_velocity(id, [1.5, 0.0]).unwrap())),
        ("goal", of_first(|world, id| world.set_goal(id, Some(Vector([2.0, 50.0]))).unwrap())),
        ("mass of one", of_first(|world, id| world.set_quantity(id, throng::Quantity::Mass, 3.0).unwrap())),
        (
            "mark",
            Box::new(|world| {
                world.environment_mut().marks.put(Mark::new("nest", [11.0, 10.0])).unwrap();
            }),
        ),
        (
            "name of a mark",
            Box::new(|world| {
                let environment = world.environment_mut();
                let id = environment.marks.find("nest").unwrap();
                environment.marks.remove(id).unwrap();
                environment.marks.put(Mark::new("lair", [10.0, 10.0])).unwrap();
            }),
        ),
        (
            "flow field",
            Box::new(|world| {
                world
                    .environment_mut()
                    .fields
                    .put(FlowField::new("wind", [1, 1], vec![Vector([1.0, 0.5])]).unwrap())
                    .unwrap();
            }),
        ),
        (
            "size of a region",
            of_region(|region| {
                region.shape = Shape::Ball { centre: Vector([10.0, 20.0]), radius: 3.5 };
            }),
        ),
        (
            "shape of a region",
            of_region(|region| {
                region.shape = Shape::Box { centre: Vector([10.0, 20.0]), half: Vector([3.0, 3.0]) };
            }),
        ),
        ("name of a region", of_region(|region| region.name = "lake".into())),
        (
            "an obstacle",
            Box::new(|world| {
                let obstacle = throng::Obstacle::new(Vector([1.0, 1.0]), 1.0);
                world.environment_mut().obstacles.add(obstacle).unwrap();
            }),
        ),
        ("a tick", Box::new(|world| world.step())),
    ];
    let hash = |swapped: bool, change: &Change| {
        let mut world = base(swapped);
        change(&mut world);
        world.state_hash()
    };
    assert_eq!(hash(false, &nothing), hash(false, &nothing));
    let mut hashes = vec![("nothing", hash(false, &nothing)), ("free list", hash(true, &nothing))];
    hashes.extend(changes.iter().map(|(what, change)| (*what, hash(false, change))));
    for (number, (what, found)) in hashes.iter().enumerate() {
        for (other, known) in &hashes[..number] {
            assert_ne!(found, known, "{what} and {other}: different hashes");
        }
    }
}

#[test]
fn the_hash_covers_agents_about_to_leave() {
    let hash = |remove: bool| {
        let mut world = base(false);
        let hawk = world.find_species("hawk").unwrap();
        let set = |world: &mut World<2>, remove| {
            world.edit_species(hawk, |species| species.catch.as_mut().unwrap().remove = remove).unwrap();
        };
        set(&mut world, remove);
        world.step();
        assert!(world.events().iter().any(|event| event.name() == "caught"));
        set(&mut world, false);
        let population = world.population();
        let hash = world.state_hash();
        let mut loaded = World::<2>::load(&saved(&world)[..]).unwrap();
        world.step();
        loaded.step();
        assert_eq!(loaded.state_hash(), world.state_hash());
        (population - world.population(), hash)
    };
    let ((gone, with), (stayed, without)) = (hash(true), hash(false));
    assert_eq!((gone, stayed), (1, 0));
    assert_ne!(with, without);
}

/// A rule and a motion of a host, whose `Debug` text is another one each time.
struct Drift;

impl fmt::Debug for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        write!(f, "Drift of call {}", CALLS.fetch_add(1, Ordering::Relaxed))
    }
}

impl Behaviour<2> for Drift {
    fn steer(&self, me: &AgentRef<'_, 2>) -> Vector<2> {
        me.towards(Vector([1.0, 0.0]))
    }
}

impl Motion<2> for Drift {
    fn velocity(&self, _: &AgentRef<'_, 2>, wanted: Vector<2>) -> Vector<2> {
        wanted
    }
}

/// The same with another name.
#[derive(Debug)]
struct Sail;

impl Behaviour<2> for Sail {
    fn steer(&self, me: &AgentRef<'_, 2>) -> Vector<2> {
        Behaviour::steer(&Drift, me)
    }
}

#[test]
fn rules_without_a_table_enter_the_hash_by_name() {
    let world = |species: Species<2>| {
        let mut world = World::<2>::new(Settings::default()).unwrap();
        let species = world.add_species(species).unwrap();
        world.spawn(species, [50.0, 50.0], [1.0, 0.0]).unwrap();
        world
    };
    let drift = || Species::new("ant").with(1.0, Drift).with_motion(Drift);
    assert_eq!(world(drift()).state_hash(), world(drift()).state_hash());
    assert_ne!(world(drift()).state_hash(), world(Species::new("ant").with(1.0, Sail).with_motion(Drift)).state_hash());
    let mut bytes = Vec::new();
    let refused = world(Species::new("ant").with_motion(Drift)).save(&mut bytes).unwrap_err();
    assert!(refused.to_string().contains("Drift") && !refused.to_string().contains("call"), "{refused}");
    assert!(bytes.is_empty(), "nothing is written before the refusal");
}
