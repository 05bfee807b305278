//! Forged snapshots on several ranks: all of them refuse what one process refuses, and none waits for another.

use throng::behaviours::{Alignment, Separation, Wander};
use throng::ranks::{Ranks, in_process};
use throng::{Edge, Noise, Registry, Settings, SnapshotError, Species, Vector, World};

use crate::edits::Random;
use crate::seal::{HEADER, Section, sealed, sections};
use crate::{NUMBERS, world};

/// A world whose ranks move only their own agents, with columns of every type in which rows differ.
fn flock() -> World<2> {
    let settings = Settings { size: Vector([80.0, 60.0]), edge: [Edge::Wrap; 2], ..Settings::default() };
    let mut world = World::<2>::new(settings).unwrap();
    let bird = Species::new("bird").with(1.0, Separation::default()).with(0.2, Wander::default());
    let bird = world.add_species(bird).unwrap();
    let fly = world.add_species(Species::new("fly").with(1.0, Alignment::default())).unwrap();
    world.add_column(bird, "group", 1_u32).unwrap();
    let mut noise = Noise::new(4, 0, 0, Noise::USER);
    let mut ids = Vec::new();
    for number in 0..900 {
        let at = Vector([noise.between(0.0, 80.0), noise.between(0.0, 60.0)]);
        let id = world.spawn(if number % 4 == 0 { fly } else { bird }, at, noise.in_ball()).unwrap();
        world.set_quantity(id, throng::Quantity::Radius, noise.between(0.1, 0.5)).unwrap();
        ids.push(id);
    }
    for id in ids.into_iter().step_by(90) {
        world.despawn(id).unwrap();
    }
    (0..12).for_each(|_| world.step());
    world
}

/// Loads a snapshot on three ranks, and compares the outcome with the outcome of one process. The bytes of rank 1 may
/// differ. Returns whether it was loaded.
fn load(what: &str, bytes: &[u8], of_second: &[u8]) -> bool {
    let load_on = |ranks: Ranks, bytes: &[u8]| {
        let mut world: World<2> = ranks.load(bytes, &Registry::new())?;
        (0..3).for_each(|_| world.step());
        ranks.gather(&mut world);
        Ok(world.state_hash())
    };
    let one: Result<u64, SnapshotError> = load_on(Ranks::default(), bytes);
    let load_on = &load_on;
    let found: Vec<Result<u64, SnapshotError>> = std::thread::scope(|scope| {
        let ranks = in_process(3).into_iter().enumerate();
        let threads: Vec<_> = ranks
            .map(|(rank, transport)| {
                let bytes = if rank == 1 { of_second } else { bytes };
                scope.spawn(move || load_on(Ranks::new(transport), bytes))
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| panic!("{what}: a rank panics"))).collect()
    });
    let is_refused = one.is_err() || bytes != of_second;
    for (rank, found) in found.iter().enumerate() {
        match (found, &one) {
            (Ok(found), Ok(one)) if !is_refused => assert_eq!(found, one, "{what}: rank {rank}"),
            (Err(_), _) if is_refused => {}
            _ => panic!("{what}: rank {rank} has {found:?}, and one process {one:?}"),
        }
    }
    if let (Err(one), false) = (&one, bytes != of_second) {
        let errors = found.iter().map(|found| found.as_ref().unwrap_err().to_string());
        let same = errors.filter(|error| *error == one.to_string()).count();
        assert!(same > 0, "{what}: no rank has the error {one}");
    }
    !is_refused
}

/// Forges numbers at random places of every section.
fn forge(world: &World<2>, count: usize) {
    let mut bytes = Vec::new();
    world.save(&mut bytes).unwrap();
    assert!(load("the original", &bytes, &bytes));
    let (original, mut random): (Vec<Section>, _) = (sections(&bytes), Random::new(3));
    let (mut loaded, mut refused) = (0, 0);
    for (place, (tag, payload)) in original.iter().enumerate().filter(|(_, (_, payload))| payload.len() >= 8) {
        for _ in 0..count {
            let (at, number) = (random.below(payload.len() - 7), NUMBERS[random.below(NUMBERS.len())]);
            let width = if number > u64::from(u32::MAX) { 8 } else { 4 };
            let mut forged = original.clone();
            forged[place].1[at..at + width].copy_from_slice(&number.to_le_bytes()[..width]);
            let what = format!("{number:#x} at {at} of section {} ({place})", String::from_utf8_lossy(tag));
            let forged = sealed(&bytes[..HEADER], &forged);
            if load(&what, &forged, &forged) {
                loaded += 1;
            } else {
                refused += 1;
            }
        }
    }
    println!("{loaded} loaded, {refused} refused");
    assert!(loaded > 10 && refused > 20, "{loaded} loaded, {refused} refused");
}

#[test]
fn ranks_refuse_forged_numbers_as_one_process() {
    forge(&flock(), 30);
    forge(&world(), 12);
}

#[test]
fn a_rank_that_reads_a_damaged_snapshot_ends_all() {
    let mut bytes = Vec::new();
    flock().save(&mut bytes).unwrap();
    let mut random = Random::new(8);
    for _ in 0..60 {
        let (at, bit) = (random.below(bytes.len()), random.below(8));
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << bit;
        assert!(!load(&format!("bit {bit} of byte {at}"), &flipped, &flipped));
        assert!(!load(&format!("bit {bit} of byte {at} on rank 1"), &bytes, &flipped));
        assert!(!load(&format!("cut to {at} on rank 1"), &bytes, &bytes[..at]));
    }
    // Whole, but of another tick.
    let mut other = flock();
    other.step();
    let mut later = Vec::new();
    other.save(&mut later).unwrap();
    assert!(!load("another tick", &bytes, &later));
}
