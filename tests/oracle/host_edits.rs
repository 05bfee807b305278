//! Tests of a host that adds, removes and edits agents while the world runs.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use throng::behaviours::Seek;
use throng::settings::NeighbourLists;
use throng::{AgentId, Distribution, Edge, Error, Execution, InstructionSet, Settings, Species, Vector, World};

use crate::crowds::{NAMES, RESPONSE, cases, fov, species};
use crate::naive::{Formula, Rule, agents, length, steering, sub};

const SIZE: f32 = 30.0;

/// An edit that a host makes between two ticks. `choice` chooses among the living agents, in the order of ids.
#[derive(Clone, Debug)]
enum Edit {
    Spawn { species: usize, place: [f32; 3], velocity: [f32; 3] },
    Despawn { choice: prop::sample::Index },
    Move { choice: prop::sample::Index, place: [f32; 3] },
    Push { choice: prop::sample::Index, velocity: [f32; 3] },
    Goal { choice: prop::sample::Index, goal: Option<[f32; 3]> },
    Rule { species: usize, radius: f32, fov: f32 },
    Step,
}

fn edit() -> impl Strategy<Value = Edit> {
    let place = || prop::array::uniform3(0.0f32..SIZE);
    let velocity = || prop::array::uniform3(-3.0f32..3.0);
    let choice = any::<prop::sample::Index>;
    prop_oneof![
        6 => (0..2usize, place(), velocity())
            .prop_map(|(species, place, velocity)| Edit::Spawn { species, place, velocity }),
        3 => choice().prop_map(|choice| Edit::Despawn { choice }),
        2 => (choice(), place()).prop_map(|(choice, place)| Edit::Move { choice, place }),
        1 => (choice(), velocity()).prop_map(|(choice, velocity)| Edit::Push { choice, velocity }),
        1 => (choice(), prop::option::of(place())).prop_map(|(choice, goal)| Edit::Goal { choice, goal }),
        1 => (0..2usize, 0.5f32..20.0, fov()).prop_map(|(species, radius, fov)| Edit::Rule { species, radius, fov }),
        2 => Just(Edit::Step),
    ]
}

fn cut<const D: usize>(of: [f32; 3]) -> Vector<D> {
    Vector::from_fn(|axis| of[axis])
}

/// The host's record of each agent: species, position, velocity and goal as it last wrote or read them.
type Known<const D: usize> = BTreeMap<AgentId, (usize, Vector<D>, Vector<D>, Option<Vector<D>>)>;

/// Checks that the world agrees with the host's record of all agents, and refuses the ids of removed ones.
fn compare<const D: usize>(world: &World<D>, known: &Known<D>, gone: &[AgentId]) {
    let found: Known<D> = agents(world)
        .into_iter()
        .map(|a| (a.id, (a.species, Vector(a.position), Vector(a.velocity), a.goal.map(Vector))))
        .collect();
    assert_eq!(&found, known);
    assert_eq!(world.population(), known.len());
    for (&id, (species, ..)) in known {
        let (found, row) = world.find(id).unwrap();
        assert_eq!((found.number(), world.agents(found).unwrap().ids()[row]), (*species, id));
    }
    for &id in gone {
        assert_eq!(world.find(id), Err(Error::NoSuchAgent(id)));
    }
}

/// Worlds with the same state that run in other ways, each in a pool of its own, and get the same edits.
struct Twins<const D: usize>(Vec<(World<D>, ThreadPool)>);

impl<const D: usize> Twins<D> {
    fn new(world: &World<D>) -> Self {
        let ways = [
            (NeighbourLists::Fresh, InstructionSet::Baseline, 1),
            (NeighbourLists::Kept, InstructionSet::Baseline, 3),
            (NeighbourLists::Auto, InstructionSet::widest(), 2),
            (NeighbourLists::Fresh, InstructionSet::widest(), 1),
        ];
        let twin = |(neighbour_lists, set, threads)| {
            let mut twin = world.clone();
            twin.set_execution(Execution { neighbour_lists, instruction_set: Some(set) }).unwrap();
            (twin, ThreadPoolBuilder::new().num_threads(threads).build().unwrap())
        };
        Self(ways.into_iter().map(twin).collect())
    }

    /// Makes an edit in all of them.
    fn each(&mut self, edit: impl Fn(&mut World<D>) + Sync) {
        for (twin, pool) in &mut self.0 {
            pool.install(|| edit(twin));
        }
    }

    /// Checks that they have the bits of the world. One continues from a snapshot every few ticks, and one for good
    /// after the second tick.
    fn compare(&mut self, world: &World<D>) {
        for (twin, _) in &mut self.0 {
            assert_eq!(twin.state_hash(), world.state_hash(), "{:?}", twin.instruction_set());
            assert_eq!(twin.events(), world.events());
        }
        let restored = if world.tick() == 2 { Some(3) } else { world.tick().is_multiple_of(3).then_some(0) };
        if let Some(twin) = restored {
            let mut bytes = Vec::new();
            world.save(&mut bytes).unwrap();
            let way = Execution { neighbour_lists: NeighbourLists::Kept, ..Execution::default() };
            self.0[twin].0 = World::load(&bytes[..]).unwrap();
            self.0[twin].0.set_execution(way).unwrap();
        }
    }
}

fn check<const D: usize>(edge: Edge, seed: u64, edits: &[Edit]) {
    let settings =
        Settings { size: Vector::splat(SIZE), edge: [edge; _], seed, tick_seconds: 0.05, ..Settings::default() };
    let mut world = World::<D>::new(settings).unwrap();
    let neighbour_lists = if seed.is_multiple_of(2) { NeighbourLists::Kept } else { NeighbourLists::Fresh };
    world.set_execution(Execution { neighbour_lists, ..Execution::default() }).unwrap();
    let rule = |kind| Rule { kind, weight: 1.0, radius: 6.0, fov: 360.0, filter: throng::SpeciesFilter::All };
    let mut rules = [
        vec![rule(Formula::Separation), rule(Formula::Alignment), rule(Formula::Cohesion), rule(Formula::Seek(3.0))],
        vec![rule(Formula::Cohesion), rule(Formula::Alignment), rule(Formula::Seek(9.0))],
    ];
    let ids = [0, 1].map(|number| {
        let mut species: Species<D> = species(NAMES[number], &rules[number]);
        species.max_speed = Distribution::Uniform(1.0, 6.0);
        world.add_species(species).unwrap()
    });
    let mut twins = Twins::new(&world);
    let (mut known, mut gone) = (Known::new(), Vec::new());
    for edit in edits {
        let chosen = |choice: &prop::sample::Index| {
            (!known.is_empty()).then(|| *known.keys().nth(choice.index(known.len())).unwrap())
        };
        match edit {
            Edit::Spawn { species, place, velocity } => {
                let (place, velocity) = (cut(*place), cut(*velocity));
                let id = world.spawn(ids[*species], place, velocity).unwrap();
                twins.each(|twin| assert_eq!(twin.spawn(ids[*species], place, velocity), Ok(id)));
                assert!(known.insert(id, (*species, place, velocity, None)).is_none() && !gone.contains(&id));
            }
            Edit::Despawn { choice } => {
                let Some(id) = chosen(choice) else { continue };
                world.despawn(id).unwrap();
                twins.each(|twin| twin.despawn(id).unwrap());
                known.remove(&id);
                gone.push(id);
            }
            Edit::Move { choice, place } => {
                let Some(id) = chosen(choice) else { continue };
                world.set_position(id, cut(*place)).unwrap();
                twins.each(|twin| twin.set_position(id, cut(*place)).unwrap());
                known.get_mut(&id).unwrap().1 = cut(*place);
            }
            Edit::Push { choice, velocity } => {
                let Some(id) = chosen(choice) else { continue };
                world.set_velocity(id, cut(*velocity)).unwrap();
                twins.each(|twin| twin.set_velocity(id, cut(*velocity)).unwrap());
                known.get_mut(&id).unwrap().2 = cut(*velocity);
            }
            Edit::Goal { choice, goal } => {
                let Some(id) = chosen(choice) else { continue };
                world.set_goal(id, goal.map(cut)).unwrap();
                twins.each(|twin| twin.set_goal(id, goal.map(cut)).unwrap());
                known.get_mut(&id).unwrap().3 = goal.map(cut);
            }
            Edit::Rule { species: number, radius, fov } => {
                let changed = &mut rules[*number];
                (changed[0].radius, changed[0].fov) = (*radius, *fov);
                let rules = species(NAMES[*number], changed).rules;
                let set = |world: &mut World<D>| {
                    world.edit_species(ids[*number], |species| species.rules = rules.clone()).unwrap();
                };
                set(&mut world);
                twins.each(set);
            }
            Edit::Step => {
                let before = agents(&world);
                world.step();
                twins.each(World::step);
                twins.compare(&world);
                for after in agents(&world) {
                    let entry = known.get_mut(&after.id).unwrap();
                    (entry.1, entry.2) = (Vector(after.position), Vector(after.velocity));
                }
                for me in &before {
                    let rules = &rules[me.species];
                    let Some(expected) = steering(world.settings(), &before, &NAMES, me, rules, RESPONSE) else {
                        continue;
                    };
                    let (species, row) = world.find(me.id).unwrap();
                    let force = world.steering(species).unwrap().map(|axis| f64::from(axis[row]));
                    assert!(
                        length(sub(force, expected.value)) <= expected.error,
                        "{force:?}, not {expected:?}: {me:?}"
                    );
                }
            }
        }
        compare(&world, &known, &gone);
    }
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn random_edits_between_ticks(wrap in any::<bool>(), seed in any::<u64>(), edits in prop::collection::vec(edit(), 0..160)) {
        let edge = if wrap { Edge::Wrap } else { Edge::Bounce };
        check::<2>(edge, seed, &edits);
        check::<3>(edge, seed, &edits);
    }
}

#[test]
fn a_stale_id_is_refused_everywhere() {
    let mut world = World::<2>::new(Settings::default()).unwrap();
    let id = world.add_species(Species::new("starling").with(1.0, Seek::default())).unwrap();
    let first = world.spawn(id, [1.0, 1.0], [0.0, 0.0]).unwrap();
    world.despawn(first).unwrap();
    let second = world.spawn(id, [2.0, 2.0], [0.0, 0.0]).unwrap();
    let hash = world.state_hash();
    let refused = Err(Error::NoSuchAgent(first));
    assert_eq!(world.despawn(first), refused);
    assert_eq!(world.set_position(first, [3.0, 3.0]), refused);
    assert_eq!(world.set_velocity(first, [3.0, 3.0]), refused);
    assert_eq!(world.set_goal(first, Some(Vector::ZERO)), refused);
    assert_eq!(world.find(first), Err(Error::NoSuchAgent(first)));
    assert_eq!(world.find(AgentId::from_bits(77)), Err(Error::NoSuchAgent(AgentId::from_bits(77))));
    assert_eq!(world.find(second), Ok((id, 0)));
    assert_eq!(world.state_hash(), hash, "a refused edit changes nothing");
}

/// An agent that the edge of the world removes is gone like one that the host removes.
#[test]
fn leavers_are_removed_in_the_next_tick() {
    let mut world = World::<2>::new(Settings { edge: [Edge::Remove; _], ..Settings::default() }).unwrap();
    let id = world.add_species(Species::new("starling")).unwrap();
    let leaver = world.spawn(id, [99.99, 50.0], [9.0, 0.0]).unwrap();
    let other = world.spawn(id, [50.0, 50.0], [9.0, 0.0]).unwrap();
    world.step();
    assert_eq!(world.events(), [throng::Event::Left { agent: leaver, species: id }]);
    assert!(world.find(leaver).is_ok());
    world.step();
    assert_eq!(world.find(leaver), Err(Error::NoSuchAgent(leaver)));
    assert!(world.find(other).is_ok());
    let reason = throng::Removal::Left;
    assert_eq!(world.events(), [throng::Event::Removed { agent: leaver, species: id, reason }]);
}
