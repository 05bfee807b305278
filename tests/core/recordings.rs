//! Tests of recordings: their replay has the same hash at every tick, and damaged ones are refused.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::edits::{Random, edit};
use crate::scenarios::{pool, scenarios, tick};
use throng::behaviours::{Separation, Wander};
use throng::parameters::Value;
use throng::ranks::{Ranks, in_process};
use throng::{
    AgentRef, AgentStart, AnyRecording, AnyWorld, Behaviour, Contacts, FlowField, Mark, Navigation, Obstacle, Places,
    Quantity, Recording, RecordingError, Region, Registry, Rule, Settings, Shape, Sink, SnapshotError, Source, Species,
    SpeciesFilter, SpeciesId, Track, Tracks, Vector, Wall, WallShape, World, Zone,
};

fn recorded<const D: usize>(world: &World<D>) -> Recording<D> {
    world.recording().expect("the world is recorded")
}

fn written<const D: usize>(recording: &Recording<D>) -> Vec<u8> {
    let mut bytes = Vec::new();
    recording.write(&mut bytes).unwrap();
    bytes
}

/// The same recording from a file.
fn reread<const D: usize>(recording: &Recording<D>) -> Recording<D> {
    Recording::read(&written(recording)[..]).unwrap()
}

/// A random course of a scenario, with edits, accesses without an edit, clones and snapshots.
fn course<const D: usize>(name: &str, start: &World<D>, seed: u64) {
    let (mut random, mut world) = (Random::new(seed), start.clone());
    // Not all recordings begin at the first tick, and some edits come before the start.
    for _ in 0..random.below(3) {
        edit(&mut world, &mut random);
        world.step();
    }
    world.record(random.below(4) as u64);
    let mut hashes = Vec::new();
    for _ in 0..12 {
        for _ in 0..random.below(6) {
            edit(&mut world, &mut random);
        }
        match random.below(6) {
            0 => world = world.clone(),
            1 => drop(world.environment_mut()),
            2 => {
                // The page of the program goes back in this way.
                let (recording, mut bytes) = (recorded(&world), Vec::new());
                world.save(&mut bytes).unwrap();
                world = World::load(&bytes[..]).unwrap();
                world.continue_recording(&recording).unwrap();
            }
            _ => {}
        }
        world.step();
        hashes.push(world.state_hash());
    }
    for _ in 0..3 {
        edit(&mut world, &mut random);
    }
    for (way, recording) in [("in memory", recorded(&world)), ("from a file", reread(&recorded(&world)))] {
        let what = format!("{name}, seed {seed}, {way}");
        let mut replay = recording.replay().unwrap();
        for (tick, hash) in hashes.iter().enumerate() {
            assert_eq!(replay.step(), Ok(true), "{what}, tick {tick}");
            assert_eq!(replay.world().state_hash(), *hash, "{what}, tick {tick}");
        }
        assert_eq!(replay.step(), Ok(false), "{what}");
        assert_eq!(replay.world().state_hash(), world.state_hash(), "{what}");
        assert_eq!(recording.end_tick() - recording.start_tick(), hashes.len() as u64);
    }
}

#[test]
fn a_replay_has_the_same_hash_at_every_tick() {
    let pool = pool(2);
    for (name, scenario) in scenarios().into_iter().filter(|(_, scenario)| scenario.agents() < 3000) {
        pool.install(|| match scenario.dimensions() {
            3 => course::<3>(&name, &scenario.build().unwrap(), 0),
            _ => course::<2>(&name, &scenario.build().unwrap(), 0),
        });
    }
}

/// A world with two species. The first has states.
fn world() -> (World<2>, SpeciesId) {
    let mut world = World::<2>::new(Settings { size: [60.0, 60.0].into(), ..Settings::default() }).unwrap();
    let mut hen = Species::new("hen").with(1.0, Wander::default()).with(1.0, Separation::default());
    hen.states = ["eats", "rests"].map(throng::State::new).to_vec();
    let hen = world.add_species(hen).unwrap();
    world.add_species(Species::new("fox").with(1.0, Wander::default())).unwrap();
    for number in 0..20 {
        world.spawn(hen, [number as f32, 2.0 * number as f32], [1.0, 0.5]).unwrap();
    }
    (world, hen)
}

/// An edit by the words of its recording, and the function that makes it.
type Named = (&'static str, fn(&mut World<2>, SpeciesId));

/// The ids of the agents of a species.
fn ids(world: &World<2>, species: SpeciesId) -> Vec<throng::AgentId> {
    world.agents(species).unwrap().ids().to_vec()
}

/// Every function of a world that changes its state.
const EDITS: [Named; 45] = [
    ("add the species cat", |world, _| {
        let mut cat = Species::new("cat").with(0.3, Wander::default());
        cat.contacts = Some(Contacts { whom: SpeciesFilter::All, distance: 2.0 });
        world.add_species(cat).unwrap();
    }),
    ("change the species 0, hen", |world, hen| {
        world.edit_species(hen, |hen| hen.max_speed = throng::Distribution::Uniform(2.0, 3.0)).unwrap();
    }),
    ("change the species 0, hen", |world, hen| {
        world.edit_rule::<Separation>(hen, 1, |rule| rule.radius = 3.0).unwrap();
    }),
    ("change the species 0, hen", |world, hen| world.add_rule(hen, Rule::new(0.5, Wander::default())).unwrap()),
    ("change the species 0, hen", |world, hen| drop(world.remove_rule(hen, 0).unwrap())),
    ("change the species 0, hen", |world, hen| world.set_parameter(hen, "separation.radius", 2.0).unwrap()),
    ("change the species 0, hen", |world, hen| {
        world.set_parameter(hen, "separation.weight", Value::Number(0.7)).unwrap();
    }),
    ("change the settings", |world, _| {
        world.set_settings(Settings { seed: 9, size: [50.0, 50.0].into(), ..world.settings().clone() }).unwrap();
    }),
    ("change the length of a tick to 0.03 s", |world, _| world.set_tick_seconds(0.03).unwrap()),
    ("add an agent of species 0 at (7, 3)", |world, hen| {
        world.spawn(hen, [7.0, 3.0], [1.0, 1.0]).unwrap();
    }),
    ("add an agent of species 0 at (7, 3)", |world, hen| {
        let start = AgentStart::new([7.0, 3.0], [0.0, 0.0]).with_heading([0.0, 1.0]).with_goal([9.0, 9.0]);
        world.spawn_from(hen, &start).unwrap();
    }),
    ("add 2 agents of species 0", |world, hen| {
        world.spawn_many(hen, &[[1.0, 1.0], [2.0, 59.0]], &[[1.0, 0.0], [0.0, 1.0]]).unwrap();
    }),
    ("remove agent", |world, hen| world.despawn(ids(world, hen)[3]).unwrap()),
    ("remove 10 agents", |world, hen| {
        assert_eq!(world.despawn_where(hen, |_, row| row % 2 == 0), Ok(10));
    }),
    ("remove all agents", |world, _| world.clear()),
    ("remove the species 1", |world, _| {
        let fox = world.find_species("fox").unwrap();
        world.remove_species(fox).unwrap();
    }),
    ("make agent", |world, hen| {
        let fox = world.find_species("fox").unwrap();
        world.change_species(ids(world, hen)[5], fox).unwrap();
    }),
    ("move agent", |world, hen| world.set_position(ids(world, hen)[5], [-1.0, 61.0]).unwrap()),
    ("move all agents of species 0", |world, hen| {
        let moved =
            world.agents(hen).unwrap().positions().map(|axis| axis.iter().map(|at| at * 0.9).collect::<Vec<_>>());
        world.set_positions(hen, moved.each_ref().map(|axis| &axis[..])).unwrap();
    }),
    ("move 2 agents", |world, hen| {
        world.set_positions_of(&ids(world, hen)[..2], &[[30.0, 1.0], [31.0, 2.0]]).unwrap();
    }),
    ("set the velocity of agent", |world, hen| world.set_velocity(ids(world, hen)[5], [2.0, -1.0]).unwrap()),
    ("set the velocities of all agents of species 0", |world, hen| {
        world.set_velocities(hen, [&[0.5; 20], &[-0.5; 20]]).unwrap();
    }),
    ("set the velocities of 2 agents", |world, hen| {
        world.set_velocities_of(&ids(world, hen)[..2], &[[3.0, 1.0], [1.0, 2.0]]).unwrap();
    }),
    ("turn agent", |world, hen| world.set_heading(ids(world, hen)[5], [0.0, 3.0]).unwrap()),
    ("set the goal of agent", |world, hen| world.set_goal(ids(world, hen)[5], Some([3.0, 3.0].into())).unwrap()),
    ("clear the goal of agent", |world, hen| world.set_goal(ids(world, hen)[5], None).unwrap()),
    ("put agent", |world, hen| world.set_state(ids(world, hen)[5], "rests").unwrap()),
    ("set mass of agent", |world, hen| world.set_quantity(ids(world, hen)[5], Quantity::Mass, 3.0).unwrap()),
    ("add the column load to species 0", |world, hen| world.add_column(hen, "load", [1.0_f32, 2.0]).unwrap()),
    ("remove the column old of species 0", |world, hen| world.remove_column(hen, "old").unwrap()),
    ("set old of agent", |world, hen| world.set_column_value(ids(world, hen)[5], "old", [3_u64, 4]).unwrap()),
    ("set old of 2 agents", |world, hen| {
        world.set_column_values(&ids(world, hen)[..2], "old", [5_u64, 6]).unwrap();
    }),
    ("set old of all agents of species 0", |world, hen| {
        let values: Vec<[u64; 2]> = (0..20).map(|row| [row, 1]).collect();
        world.set_column(hen, "old", &values).unwrap();
    }),
    ("move wall 0 to (12, 40), at an angle of 0.5", |world, _| {
        let car = world.environment().walls.ids()[0];
        assert_eq!(world.move_wall(car, [12.0, 40.0], 0.5), Ok(true));
    }),
    ("change the marks", |world, _| _ = world.environment_mut().marks.put(Mark::new("lamp", [1.0, 2.0])).unwrap()),
    ("change the obstacles", |world, _| {
        world.environment_mut().obstacles.add(Obstacle::new([5.0, 5.0], 2.0)).unwrap();
    }),
    ("change the regions", |world, _| {
        let shape = Shape::Ball { centre: [20.0, 20.0].into(), radius: 9.0 };
        world.environment_mut().regions.add(Region::new("yard", shape)).unwrap();
    }),
    ("change the fields", |world, _| {
        let wind = FlowField::new("wind", [1, 1], vec![Vector([1.0, 0.0])]).unwrap();
        world.environment_mut().fields.put(wind).unwrap();
    }),
    ("change the sources", |world, _| {
        let source = Source::new("coop", "hen", "shed", throng::Arrivals::Rate(9.0));
        world.environment_mut().sources.add(source).unwrap();
    }),
    ("change the sinks", |world, _| _ = world.environment_mut().sinks.add(Sink::new("pot", "shed")).unwrap()),
    ("change the zones", |world, _| _ = world.environment_mut().zones.add(Zone::new("shed", 0.5)).unwrap()),
    ("change the walls", |world, _| {
        world.environment_mut().walls.add(Wall::segment([3.0, 3.0], [9.0, 9.0])).unwrap();
    }),
    ("change the navigations", |world, _| {
        let goals = vec![throng::Goal::Point([30.0, 30.0].into())];
        let navigation = Navigation {
            clearance: 0.4,
            cell: Some(1.0),
            capacity: Some(1.0),
            flow: 2.0,
            ..Navigation::new("way", goals)
        };
        world.environment_mut().navigations.add(navigation).unwrap();
    }),
    ("change the places", |world, _| {
        world
            .environment_mut()
            .places
            .add(Places::queue("line", &[Vector([4.0, 4.0]), Vector([5.0, 4.0])], 0.5))
            .unwrap();
    }),
    ("change the tracks", |world, _| {
        let positions = (0..30).map(|frame| Vector([5.0 + 0.1 * frame as f32, 9.0])).collect();
        let tracks = Tracks::new("film", "hen", 0.5, vec![Track { first: 4, positions }]);
        world.environment_mut().tracks.add(tracks).unwrap();
    }),
];

#[test]
fn every_edit_is_recorded_and_replayed() {
    for (words, make) in EDITS {
        let (mut world, hen) = world();
        world.add_column(hen, "old", [1_u64, 2]).unwrap();
        let shape = Shape::Ball { centre: Vector([40.0, 40.0]), radius: 12.0 };
        world.environment_mut().regions.add(Region::new("shed", shape)).unwrap();
        let shape = WallShape::Box { centre: Vector([10.0, 40.0]), half: Vector([2.0, 1.0]) };
        world.environment_mut().walls.add(Wall::new(shape)).unwrap();
        world.step();
        world.record(0);
        make(&mut world, hen);
        let (edited, recording) = (world.state_hash(), reread(&recorded(&world)));
        let edits: Vec<_> = recording.edits().collect();
        assert!(matches!(&edits[..], [(1, edit)] if edit.starts_with(words)), "{words}: {edits:?}");
        let mut replay = recording.replay().unwrap();
        replay.run().unwrap();
        assert_eq!(replay.world().state_hash(), edited, "{words}");
        // Such an edit is found again in the world that replayed it, also after ticks.
        let mut replayed = replay.into_world();
        for number in 0..40 {
            assert_eq!(tick(&mut replayed), tick(&mut world), "{words}, tick {number}");
        }
    }
}

#[test]
fn data_outside_of_the_state_are_not_recorded() {
    let (mut world, hen) = world();
    world.add_local_column(hen, "sprite", 7_u32).unwrap();
    world.record(0);
    world.set_column_value(ids(&world, hen)[1], "sprite", 8_u32).unwrap();
    world.set_column(hen, "sprite", &[9_u32; 20]).unwrap();
    world.remove_column(hen, "sprite").unwrap();
    world.add_local_column(hen, "tint", 7_u32).unwrap();
    world.keep_previous(true);
    world.release_memory();
    assert_eq!(world.environment_mut().walls.len(), 0);
    // Refused edits, and those without an effect.
    assert!(
        world.spawn(hen, [f32::NAN, 0.0], [0.0, 0.0]).is_err()
            && world.set_parameter(hen, "wander.weight", 2e9).is_err()
    );
    assert!(world.add_species(Species::new("fox")).is_err() && world.add_column(hen, "tint", 1_u32).is_err());
    world.change_species(ids(&world, hen)[1], hen).unwrap();
    world.step();
    assert_eq!(recorded(&world).edits().count(), 0);
    // The name of a column that is local here is free in the replay.
    world.remove_column(hen, "tint").unwrap();
    world.add_column(hen, "sprite", 1.0_f32).unwrap();
    for recording in [recorded(&world), reread(&recorded(&world))] {
        assert_eq!(recording.edits().count(), 1);
        recording.replay().unwrap().run().unwrap();
    }
}

#[test]
fn clones_and_earlier_worlds_continue_for_themselves() {
    let (mut world, hen) = world();
    world.record(0);
    world.spawn(hen, [1.0, 1.0], [1.0, 0.0]).unwrap();
    world.step();
    let (mut clone, earlier) = (world.clone(), recorded(&world));
    world.clear();
    clone.step();
    clone.spawn(hen, [2.0, 2.0], [1.0, 0.0]).unwrap();
    assert!(matches!(clone.continue_recording(&earlier), Err(RecordingError::OtherWorld)));
    for (world, edits) in [(&world, [0, 1]), (&clone, [0, 2])] {
        let recording = recorded(world);
        assert_eq!(recording.edits().map(|(tick, _)| tick).collect::<Vec<_>>(), edits);
        assert_eq!(recording.end_hash(), world.state_hash());
        recording.replay().unwrap().run().unwrap();
    }
    // Many entries are dropped without a deep stack.
    (0..200_000).for_each(|_| world.clear());
    drop((world.recording(), world));
    clone.stop_recording();
    assert!(clone.recording().is_none());
}

/// A rule without a table.
#[derive(Clone, Debug)]
struct Untold;

impl<const D: usize> Behaviour<D> for Untold {
    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        assert!(me.position()[0] < 50.0, "it is out of bounds");
        me.towards(Vector::from_fn(|axis| if axis == 0 { 4.0 } else { 0.0 }))
    }
}

#[test]
fn a_rule_that_cannot_be_written_is_named_and_a_failed_step_fails_again() {
    let (mut world, hen) = world();
    world.record(1);
    world.step();
    let species = world.add_species(Species::new("moth").with(1.0, Untold)).unwrap();
    world.spawn(species, [40.0, 5.0], [4.0, 0.0]).unwrap();
    let error = std::iter::repeat_with(|| world.try_step()).find_map(Result::err).unwrap();
    world.set_velocity(ids(&world, hen)[0], [1.0, 0.0]).unwrap();
    let recording = recorded(&world);
    match recording.write(&mut Vec::new()) {
        Err(SnapshotError::UnknownRule(name)) => assert!(name.contains("Untold"), "{name}"),
        other => panic!("{other:?}"),
    }
    let mut replay = recording.replay().unwrap();
    replay.run().unwrap();
    assert_eq!(replay.world_mut().try_step().unwrap_err().to_string(), error.to_string());
}

#[test]
fn damaged_recordings_are_refused_with_a_place() {
    let (mut world, hen) = world();
    world.record(2);
    for (_, make) in EDITS.iter().filter(|(words, _)| words.starts_with("add") || words.starts_with("change the")) {
        make(&mut world, hen);
        if world.tick() > 5 {
            break;
        }
        world.step();
    }
    let bytes = written(&recorded(&world));
    for cut in 0..bytes.len() {
        assert!(Recording::<2>::read(&bytes[..cut]).is_err(), "cut to {cut} of {}", bytes.len());
    }
    let mut random = Random::new(3);
    let edits = bytes.windows(4).position(|tag| tag == b"EDIT").unwrap();
    let all = 8 * bytes.len();
    let bits = (0..1360).map(|number| match number {
        0..160 => number,
        160..760 => random.below(all),
        _ => 8 * edits + random.below(all - 8 * edits),
    });
    for bit in bits {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(Recording::<2>::read(&flipped[..]).is_err(), "bit {bit} of {all}");
    }
    let message = |bytes: &[u8]| Recording::<2>::read(bytes).unwrap_err().to_string();
    assert_eq!(message(b"x"), "this is not a recording");
    assert!(message(&bytes[..bytes.len() - 9]).contains("STOP"));
    assert!(message(&[&bytes[..8], &[9, 0, 0, 0]].concat()).contains("format 9"));
    assert!(matches!(Recording::<3>::read(&bytes[..]), Err(RecordingError::Start(SnapshotError::Dimensions(2)))));
}

#[test]
fn worlds_of_any_dimensions_are_recorded() {
    for dimensions in [2, 3] {
        let mut world = AnyWorld::new(dimensions, Settings::default()).unwrap();
        world.record(0);
        throng::with_world!(&mut world, world => world.add_species(Species::new("bird")).map(drop)).unwrap();
        world.step();
        let (recording, mut bytes) = (world.recording().unwrap(), Vec::new());
        recording.write(&mut bytes).unwrap();
        match AnyRecording::read_with(&bytes[..], &Registry::new()).unwrap() {
            AnyRecording::Flat(recording) => assert_eq!((dimensions, recording.replay().unwrap().run()), (2, Ok(()))),
            AnyRecording::Space(recording) => assert_eq!((dimensions, recording.replay().unwrap().run()), (3, Ok(()))),
        }
        let mut again = AnyWorld::new(dimensions, Settings::default()).unwrap();
        assert!(again.continue_recording(&recording).is_err());
        world.continue_recording(&recording).unwrap();
        let mut other = AnyWorld::new(5 - dimensions, Settings::default()).unwrap();
        assert!(other.continue_recording(&recording).is_err());
    }
}

#[test]
fn a_divided_world_is_not_recorded() {
    let refused = in_process(2).into_iter().map(|rank| {
        std::thread::spawn(move || {
            let (mut world, _) = world();
            world.record(0);
            let ranks = Ranks::new(rank);
            ranks.divide(&mut world).unwrap();
            world.recording().is_none() && catch_unwind(AssertUnwindSafe(|| world.record(0))).is_err()
        })
    });
    for rank in refused.collect::<Vec<_>>() {
        assert!(rank.join().unwrap());
    }
}
