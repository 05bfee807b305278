//! Tests of the names in rules and states: they are resolved again whenever a named thing is added, removed or changed.

use std::sync::{Arc, Mutex};

use throng::behaviours::{FollowFlowField, Seek};
use throng::{
    AgentId, AgentRef, Behaviour, Condition, Edge, FlowField, Inputs, Mark, Place, Region, Settings, Shape, Species,
    SpeciesFilter, State, Target, Vector, World,
};

fn world() -> World<2> {
    World::new(Settings { edge: [Edge::Bounce; _], tick_seconds: 0.01, ..Settings::default() }).unwrap()
}

/// A rule without force that records the items that its names resolve to.
#[derive(Clone, Debug)]
struct Look {
    targets: [Target<2>; 3],
    seen: Arc<Mutex<Found>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Found {
    targets: [Option<[f32; 2]>; 3],
    field: Option<[f32; 2]>,
    /// The values of the column in the first species and in the agent's own species.
    columns: [Option<Vec<f32>>; 2],
}

impl Behaviour<2> for Look {
    fn inputs(&self) -> Inputs {
        let inputs = Inputs::default().target("a", &self.targets[0]).memory("ticks", 0_u32);
        inputs.target("b", &self.targets[1]).target("c", &self.targets[2]).flow_field("wind").column("load")
    }

    fn steer(&self, me: &AgentRef<'_, 2>) -> Vector<2> {
        me.remember(0, me.recall::<u32>(0) + 1);
        let first = me.world().all_agents()[0].species();
        *self.seen.lock().unwrap() = Found {
            targets: [0, 1, 2].map(|number| me.target(number).map(|aim| (me.position() + aim.offset).0)),
            field: me.flow_field(0).map(|field| field.at(me.position(), me.world().settings()).0),
            columns: [first, me.species()].map(|species| me.column::<f32>(0, species).map(<[f32]>::to_vec)),
        };
        Vector::ZERO
    }
}

/// A world with two ants and an observer, and a function that steps the world and returns what the observer found.
fn watched(targets: [Target<2>; 3]) -> (World<2>, [AgentId; 2], impl Fn(&mut World<2>) -> Found) {
    let mut world = world();
    let ant = world.add_species(Species::new("ant").with_max_speed(0.0)).unwrap();
    let seen = Arc::<Mutex<Found>>::default();
    let owl = Species::new("owl").with_max_speed(0.0).with(1.0, Look { targets, seen: seen.clone() });
    let owl = world.add_species(owl).unwrap();
    let ants = [[10.0, 10.0], [90.0, 90.0]].map(|at| world.spawn(ant, at, [0.0; 2]).unwrap());
    world.spawn(owl, [20.0, 20.0], [0.0; 2]).unwrap();
    let look = move |world: &mut World<2>| {
        world.step();
        seen.lock().unwrap().clone()
    };
    (world, ants, look)
}

#[test]
fn names_follow_marks_fields_and_columns() {
    let targets = [
        Target::Mark("food".to_owned()),
        Target::Nearest(SpeciesFilter::named("bee")),
        Target::Point(Vector([1.0, 2.0])),
    ];
    let (mut world, _, look) = watched(targets);
    let ant = world.find_species("ant").unwrap();
    let owl = world.find_species("owl").unwrap();
    let nothing = Found { targets: [None, None, Some([1.0, 2.0])], ..Found::default() };
    assert_eq!(look(&mut world), nothing);
    let other = world.environment_mut().marks.put(Mark::new("water", [5.0, 5.0])).unwrap();
    let food = world.environment_mut().marks.put(Mark::new("food", [30.0, 40.0])).unwrap();
    assert_eq!(look(&mut world).targets[0], Some([30.0, 40.0]));
    world.environment_mut().marks.remove(other).unwrap();
    world.environment_mut().marks.edit(food, |food| food.position = [31.0, 40.0].into()).unwrap();
    assert_eq!(look(&mut world).targets[0], Some([31.0, 40.0]));
    world.environment_mut().marks.remove(food).unwrap();
    assert_eq!(look(&mut world), nothing);

    let flow = |name: &str, along: [f32; 2]| FlowField::new(name, [1, 1], vec![Vector(along)]).unwrap();
    let calm = world.environment_mut().fields.put(flow("calm", [0.0; 2])).unwrap();
    world.environment_mut().fields.put(flow("wind", [1.0, 2.0])).unwrap();
    assert_eq!(look(&mut world).field, Some([1.0, 2.0]));
    world.environment_mut().fields.remove(calm).unwrap();
    world.environment_mut().fields.put(flow("wind", [3.0, 2.0])).unwrap();
    assert_eq!(look(&mut world).field, Some([3.0, 2.0]));

    world.add_column(ant, "age", 1.0_f32).unwrap();
    world.add_column(ant, "load", 2.0_f32).unwrap();
    world.add_column(owl, "load", 7_u32).unwrap();
    assert_eq!(look(&mut world).columns, [Some(vec![2.0, 2.0]), None]);
    world.remove_column(ant, "age").unwrap();
    world.remove_column(owl, "load").unwrap();
    world.add_column(owl, "load", 3.0_f32).unwrap();
    assert_eq!(look(&mut world).columns, [Some(vec![2.0, 2.0]), Some(vec![3.0])]);
    world.remove_column(ant, "load").unwrap();
    assert_eq!(look(&mut world).columns, [None, Some(vec![3.0])]);

    // A species is added and renamed, and another one takes its name.
    let bee = world.add_species(Species::new("bee").with_max_speed(0.0)).unwrap();
    assert_eq!(look(&mut world).targets[1], None);
    world.spawn(bee, [50.0, 51.0], [0.0; 2]).unwrap();
    assert_eq!(look(&mut world).targets[1], Some([50.0, 51.0]));
    world.edit_species(bee, |species| species.name = "wasp".to_owned()).unwrap();
    assert_eq!(look(&mut world).targets[1], None);
    world.edit_species(ant, |species| species.name = "bee".to_owned()).unwrap();
    assert_eq!(look(&mut world).targets[1], Some([10.0, 10.0]));
}

#[test]
fn a_rule_keeps_several_targets_beside_its_memory() {
    let ants = || Target::Kept(SpeciesFilter::named("ant"));
    let bees = Target::Kept(SpeciesFilter::named("bee"));
    let (mut world, [near, far], look) = watched([ants(), Target::Nearest(SpeciesFilter::named("ant")), bees]);
    let bee = world.add_species(Species::new("bee").with_max_speed(0.0)).unwrap();
    world.spawn(bee, [30.0, 30.0], [0.0; 2]).unwrap();
    let bee = Some([30.0, 30.0]);
    assert_eq!(look(&mut world).targets, [Some([10.0, 10.0]), Some([10.0, 10.0]), bee]);
    // The rule keeps the agent that was nearest, although another one is nearest now.
    world.set_position(near, [80.0, 20.0]).unwrap();
    world.set_position(far, [21.0, 20.0]).unwrap();
    assert_eq!(look(&mut world).targets, [Some([80.0, 20.0]), Some([21.0, 20.0]), bee]);
    let mut bytes = Vec::new();
    // The rule has no table: the clone stands for the snapshot.
    assert!(world.save(&mut bytes).is_err());
    let mut clone = world.clone();
    assert_eq!(look(&mut clone).targets, look(&mut world).targets);
    world.despawn(near).unwrap();
    assert_eq!(look(&mut world).targets, [Some([21.0, 20.0]), Some([21.0, 20.0]), bee]);
}

#[test]
fn conditions_follow_marks_and_regions() {
    let mut world = world();
    let condition = |place| Condition::NearerPlace(place, 1.0);
    let moth = Species::new("moth")
        .with_state(
            State::new("dark")
                .with_transition("lit", condition(Place::Mark("lamp".to_owned())))
                .with_transition("inside", condition(Place::Region("house".to_owned()))),
        )
        .with_state(State::new("lit"))
        .with_state(State::new("inside"));
    let moth = world.add_species(moth).unwrap();
    let agent = world.spawn(moth, [50.0, 50.0], [0.0; 2]).unwrap();
    let state = |world: &mut World<2>| {
        world.step();
        let now = world.agents(moth).unwrap().state(0);
        world.set_state(agent, "dark").unwrap();
        now
    };
    assert_eq!(state(&mut world), 0);
    let house = |name: &str, centre: [f32; 2]| {
        let shape = Shape::Ball { centre: Vector(centre), radius: 2.0 };
        Region { name: name.to_owned(), shape }
    };
    let barn = world.environment_mut().regions.add(house("barn", [50.0, 50.0])).unwrap();
    assert_eq!(state(&mut world), 0);
    // The region is renamed, and no other region is added.
    world.environment_mut().regions.set(barn, house("house", [50.0, 50.0])).unwrap();
    assert_eq!(state(&mut world), 2);
    world.environment_mut().regions.set(barn, house("house", [10.0, 50.0])).unwrap();
    assert_eq!(state(&mut world), 0);
    world.environment_mut().marks.put(Mark::new("lamp", [50.0, 50.5])).unwrap();
    assert_eq!(state(&mut world), 1);
    world.environment_mut().marks.put(Mark::new("lamp", [20.0, 50.5])).unwrap();
    assert_eq!(state(&mut world), 0);
}

#[test]
fn throngs_own_rules_follow_names_too() {
    let mut world = world();
    let seek = Seek { target: Target::Mark("food".to_owned()) };
    let fish = Species::new("fish").with(1.0, seek).with(1.0, FollowFlowField::default());
    let fish = world.add_species(fish).unwrap();
    let id = world.spawn(fish, [50.0, 50.0], [0.0; 2]).unwrap();
    let forces = |world: &mut World<2>| {
        let forces = world.explain(id).unwrap().contributions;
        [forces[0].force != Vector::ZERO, forces[1].force != Vector::ZERO]
    };
    assert_eq!(forces(&mut world), [false; 2]);
    world.environment_mut().marks.put(Mark::new("food", [9.0, 9.0])).unwrap();
    assert_eq!(forces(&mut world), [true, false]);
    world.environment_mut().fields.put(FlowField::new("flow", [1, 1], vec![Vector([1.0, 0.0])]).unwrap()).unwrap();
    assert_eq!(forces(&mut world), [true, true]);
    world.set_parameter(fish, "follow_flow_field.field", "wind").unwrap();
    assert_eq!(forces(&mut world), [true, false]);
}
