//! Tests of snapshots: a saved or cloned world continues with the same bits, and damaged or unknown data is refused.

use std::error::Error as _;

use crate::edits::{KINDS, Random, edit, edit_of};
use crate::scenarios::{ids, pool, scenarios, tick};
use throng::behaviours::{Cohesion, Separation, Wander};
use throng::parameters::{Kind, Range};
use throng::settings::NeighbourLists;
use throng::{
    AgentRef, Behaviour, Execution, FlowField, InstructionSet, Kinematic, Motion, Registry, Settings, SnapshotError,
    Species, Vector, World,
};
use throng_scenario::Scenario;

fn saved<const D: usize>(world: &World<D>) -> Vec<u8> {
    let mut bytes = Vec::new();
    world.save(&mut bytes).unwrap();
    bytes
}

/// The largest number of ticks before the snapshot, and the number after it.
fn ticks(scenario: &Scenario) -> (usize, usize) {
    match scenario.agents() {
        0..2000 => (60, 100),
        2000..20_000 => (6, 12),
        _ => (3, 5),
    }
}

/// A world after a random number of ticks, with edits between them.
fn lived<const D: usize>(scenario: &Scenario, random: &mut Random) -> World<D> {
    let mut world = scenario.build::<D>().unwrap();
    for _ in 0..random.below(ticks(scenario).0) {
        for _ in 0..random.below(4) {
            edit(&mut world, random);
        }
        world.step();
    }
    // No tick follows the last edits.
    for _ in 0..random.below(8) {
        edit(&mut world, random);
    }
    world
}

/// Compares a loaded and a cloned world with the original. Returns the number of ticks compared.
fn check<const D: usize>(name: &str, scenario: &Scenario, seed: u64) -> usize {
    let mut random = Random::new(seed);
    let mut world = pool(2).install(|| lived::<D>(scenario, &mut random));
    let bytes = saved(&world);
    let mut loaded = World::<D>::load(&bytes[..]).unwrap_or_else(|error| panic!("{name}, seed {seed}: {error}"));
    let mut clone = world.clone();
    assert_eq!(loaded.state_hash(), world.state_hash(), "{name}, seed {seed}: the hash of the loaded world");
    assert_eq!(clone.state_hash(), world.state_hash(), "{name}, seed {seed}: the hash of the clone");
    assert!(saved(&loaded) == bytes, "{name}, seed {seed}: the loaded world saves the same bytes");
    let sets: Vec<InstructionSet> = InstructionSet::available().collect();
    let set = |number: usize| Some(sets[(seed as usize + number) % sets.len()]);
    loaded.set_execution(Execution { neighbour_lists: NeighbourLists::Fresh, instruction_set: set(0) }).unwrap();
    clone.set_execution(Execution { neighbour_lists: NeighbourLists::Kept, instruction_set: set(1) }).unwrap();
    let (one, two, three) = (pool(1), pool(2), pool(3));
    for number in 0..ticks(scenario).1 {
        if number % 7 == 5 {
            let kind = random.below(KINDS);
            let handed_out =
                [&mut world, &mut loaded, &mut clone].map(|world| edit_of(world, &mut random.clone(), kind));
            assert!(handed_out.iter().all(|id| *id == handed_out[0]), "{name}, seed {seed}: {handed_out:?}");
            random.next();
        }
        let expected = two.install(|| tick(&mut world));
        let what = format!("{name}, seed {seed}, tick {number} after the snapshot");
        assert_eq!(one.install(|| tick(&mut loaded)), expected, "{what}, loaded");
        assert_eq!(three.install(|| tick(&mut clone)), expected, "{what}, cloned");
    }
    assert_eq!(ids(&loaded), ids(&world));
    ticks(scenario).1
}

fn check_all(seed: u64) {
    let mut compared = 0;
    for (name, scenario) in scenarios() {
        compared += match scenario.dimensions() {
            3 => check::<3>(&name, &scenario, seed),
            _ => check::<2>(&name, &scenario, seed),
        };
    }
    assert!(compared > 2000, "{compared} ticks were compared, expected more than 2000");
}

#[test]
fn a_restored_world_continues_with_the_same_bits() {
    check_all(1);
}

#[test]
fn a_restored_world_continues_with_the_same_bits_after_other_edits() {
    check_all(2);
}

#[test]
fn every_kind_of_edit_by_itself_survives_a_snapshot() {
    let all = scenarios();
    let scenario = &all.iter().find(|(name, _)| name == "hunt").unwrap().1;
    for kind in 0..KINDS {
        let mut random = Random::new(kind as u64 + 50);
        let mut world = scenario.build::<2>().unwrap();
        (0..5).for_each(|_| world.step());
        for _ in 0..6 {
            edit_of(&mut world, &mut random, kind);
        }
        for when in ["before a tick", "after a tick"] {
            let mut loaded =
                World::<2>::load(&saved(&world)[..]).unwrap_or_else(|error| panic!("edit {kind}: {error}"));
            for number in 0..20 {
                assert_eq!(tick(&mut loaded), tick(&mut world), "edit {kind}, saved {when}, tick {number}");
            }
        }
    }
}

/// A world with content in every section.
fn rich() -> World<2> {
    let all = scenarios();
    let mut random = Random::new(9);
    let mut world = all.iter().find(|(name, _)| name == "hunt").unwrap().1.build::<2>().unwrap();
    for kind in (0..KINDS).cycle().take(3 * KINDS) {
        edit_of(&mut world, &mut random, kind);
        world.step();
    }
    world
        .environment_mut()
        .fields
        .put(FlowField::new("wind", [2, 1], vec![Vector([1.0, 0.0]), Vector([0.0, 1.0])]).unwrap())
        .unwrap();
    world
}

#[test]
fn cut_and_flipped_snapshots_are_refused() {
    let bytes = saved(&rich());
    let mut random = Random::new(4);
    let cuts = (0..200).chain(bytes.len() - 200..bytes.len()).chain((0..200).map(|_| random.below(bytes.len())));
    for cut in cuts.collect::<Vec<_>>() {
        let refused = World::<2>::load(&bytes[..cut]).err();
        assert!(matches!(refused, Some(SnapshotError::Damaged(_))), "cut to {cut} of {}: {refused:?}", bytes.len());
    }
    // Every bit of the header and of the first sections, then random bits of the whole.
    let first = (0..4000.min(bytes.len() * 8)).map(|bit| (bit / 8, bit % 8)).collect::<Vec<_>>();
    let others: Vec<(usize, usize)> = (0..500).map(|_| (random.below(bytes.len()), random.below(8))).collect();
    for (at, bit) in first.into_iter().chain(others) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << bit;
        assert!(World::<2>::load(&flipped[..]).is_err(), "refused: bit {bit} of byte {at} of {}", bytes.len());
    }
}

#[test]
fn each_wrong_header_has_an_error_of_its_own() {
    let bytes = saved(&rich());
    let with = |at: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = value;
        World::<2>::load(&bytes[..]).unwrap_err()
    };
    assert!(matches!(with(0, b'X'), SnapshotError::NotASnapshot));
    assert!(matches!(with(8, 99), SnapshotError::Format(99)));
    assert!(matches!(with(12, 99), SnapshotError::Physics(99)));
    assert!(matches!(World::<3>::load(&bytes[..]), Err(SnapshotError::Dimensions(2))));
    assert!(matches!(World::<2>::load(&b"x"[..]), Err(SnapshotError::Damaged("header"))));
    assert!(matches!(World::<2>::load(&[b'x'; 100][..]), Err(SnapshotError::NotASnapshot)));
    let messages = [with(0, b'X'), with(8, 99), with(12, 99), World::<3>::load(&bytes[..]).unwrap_err()];
    let mut messages = messages.map(|error| error.to_string()).to_vec();
    messages.dedup();
    assert_eq!(messages.len(), 4);
}

/// A failing stream has an error of its own.
#[test]
fn failures_of_the_stream_are_passed_on() {
    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("gone"))
        }
    }
    impl std::io::Write for Broken {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("full"))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    assert!(matches!(World::<2>::load(Broken), Err(SnapshotError::Io(_))));
    assert!(matches!(rich().save(&mut Broken), Err(SnapshotError::Io(_))));
    // A stream that yields one byte at a time is read to the end of the snapshot, and no further.
    struct Slow<'a>(&'a [u8]);
    impl std::io::Read for Slow<'_> {
        fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
            let (Some(byte), Some(to)) = (self.0.split_off_first(), to.first_mut()) else { return Ok(0) };
            *to = *byte;
            Ok(1)
        }
    }
    let world = rich();
    let mut bytes = saved(&world);
    bytes.extend(b"and more");
    let mut slow = Slow(&bytes);
    assert_eq!(World::<2>::load(&mut slow).unwrap().state_hash(), world.state_hash());
    assert_eq!(slow.0, b"and more");
}

throng::rule! {
    /// The desired velocity is the velocity of the wind.
    "drift": "Drifts with the wind."
    pub struct Drift {
        /// How fast the wind blows.
        pub speed: f32 = 3.0, "m/s", Kind::Number(Range::from(0.0, 100.0));
    }
}

impl<const D: usize> Behaviour<D> for Drift {
    fn inputs(&self) -> throng::Inputs {
        throng::Inputs::default().memory("gust", 0u64)
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        me.remember(0, me.recall::<u64>(0) + 1);
        let gust = (me.recall::<u64>(0) % 7) as f32;
        me.towards(Vector::from_fn(|axis| if axis == 0 { self.speed + gust } else { 0.0 }))
    }

    throng::reflect!();
}

/// A rule without a table.
#[derive(Clone, Debug)]
struct Untold;

impl<const D: usize> Behaviour<D> for Untold {
    fn steer(&self, _: &AgentRef<'_, D>) -> Vector<D> {
        Vector::ZERO
    }
}

/// A host's own motion.
#[derive(Clone, Debug)]
struct Stubborn;

impl<const D: usize> Motion<D> for Stubborn {
    fn velocity(&self, me: &AgentRef<'_, D>, _: Vector<D>) -> Vector<D> {
        me.velocity()
    }
}

fn small(species: Species<2>) -> World<2> {
    let mut world = World::new(Settings::default()).unwrap();
    let id = world.add_species(species).unwrap();
    for number in 0..40 {
        world.spawn(id, [number as f32, 2.0 * number as f32], [1.0, 0.0]).unwrap();
    }
    world
}

#[test]
fn rules_are_saved_by_name_or_refused() {
    let unknown = |result: Result<(), SnapshotError>, name: &str| match result {
        Err(SnapshotError::UnknownRule(found)) => assert!(found.contains(name), "{found}"),
        other => panic!("{other:?}"),
    };
    let untold = small(Species::new("moth").with(1.0, Untold));
    unknown(untold.save(&mut Vec::new()), "Untold");
    unknown(small(Species::new("moth").with_motion(Stubborn)).save(&mut Vec::new()), "Stubborn");
    // A world with such a rule can still be cloned and hashed; what cannot be written enters the hash by name.
    let (mut world, mut clone) = (untold.clone(), untold.clone());
    assert_eq!(tick(&mut world), tick(&mut clone));
    let hashes =
        [Species::new("moth"), Species::new("moth").with_motion(Stubborn), Species::new("moth").with(1.0, Untold)]
            .map(|species| small(species).state_hash());
    assert!(hashes[0] != hashes[1] && hashes[1] != hashes[2] && hashes[2] != hashes[0], "{hashes:x?}");

    let mut world = small(Species::new("moth").with(1.0, Drift { speed: 5.0 }).with(0.1, Cohesion::default()));
    (0..5).for_each(|_| world.step());
    let bytes = saved(&world);
    unknown(World::<2>::load(&bytes[..]).map(|_| ()), "drift");
    let registry = Registry::new().with(Drift::default()).unwrap();
    let mut loaded = World::<2>::load_with(&bytes[..], &registry).unwrap();
    let moth = world.find_species("moth").unwrap();
    assert_eq!(loaded.species(moth).unwrap().rules[0].get::<Drift>().unwrap().speed, 5.0);
    for _ in 0..50 {
        assert_eq!(tick(&mut loaded), tick(&mut world));
    }

    let mut world = small(Species::new("moth").with(1.0, Wander::default()).with_motion(Kinematic {}));
    let mut loaded = World::<2>::load(&saved(&world)[..]).unwrap();
    for _ in 0..50 {
        assert_eq!(tick(&mut loaded), tick(&mut world));
    }
}

#[test]
fn non_finite_values_of_the_host_are_saved() {
    let mut world = small(Species::new("moth").with(1.0, Wander::default()));
    let moth = world.find_species("moth").unwrap();
    world.add_column(moth, "heat", f32::NAN).unwrap();
    world.add_column(moth, "box", [f32::INFINITY, f32::NEG_INFINITY, -0.0]).unwrap();
    let id = world.agents(moth).unwrap().ids()[3];
    world.set_column_value(id, "heat", f32::from_bits(0x7fc0_1234)).unwrap();
    world.edit_species(moth, |species| species.max_turn_rate = f32::INFINITY).unwrap();
    let loaded = World::<2>::load(&saved(&world)[..]).unwrap();
    assert_eq!(loaded.state_hash(), world.state_hash());
    assert_eq!(loaded.column_value::<f32>(id, "heat").unwrap().to_bits(), 0x7fc0_1234);
}

#[test]
fn empty_worlds_and_species_are_saved() {
    for species in 0..3 {
        let mut world = World::<3>::new(Settings::default()).unwrap();
        for number in 0..species {
            world.add_species(Species::new(format!("species {number}")).with(1.0, Separation::default())).unwrap();
        }
        let mut loaded = World::<3>::load(&saved(&world)[..]).unwrap();
        assert_eq!(loaded.state_hash(), world.state_hash());
        assert_eq!(tick(&mut loaded), tick(&mut world));
    }
}

#[test]
fn an_error_of_the_reader_is_kept_as_the_cause() {
    struct Unplugged;

    impl std::io::Read for Unplugged {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("unplugged"))
        }
    }

    let error = World::<2>::load(Unplugged).err().unwrap();
    assert!(matches!(error, SnapshotError::Io(_)));
    assert_eq!(error.source().unwrap().to_string(), "unplugged");
    assert!(World::<2>::load(&b"too short"[..]).err().unwrap().source().is_none());
}
