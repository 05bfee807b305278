//! Reading, hashing and saving of a world by ranks without gathering it, and how they continue from a snapshot.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use crate::ranks::{flock, on};
use crate::scenarios::scenarios;
use throng::behaviours::Wander;
use throng::ranks::{InProcess, Ranks};
use throng::{Edge, Noise, Registry, Settings, Species, Vector, World};

#[test]
fn a_rank_may_read_the_world_alone() {
    let run = |transport: Option<InProcess>| {
        let all = transport.map_or_else(Ranks::default, Ranks::new);
        let (rank, ranks) = (all.rank(), all.count());
        let mut world = flock::<2>(4000, Edge::Wrap);
        let first = world.all_agents().iter().next().unwrap().ids()[0];
        all.divide(&mut world).unwrap();
        let hash_and_near = |world: &World<2>| {
            let mut near = Vec::new();
            world.query().within(world.position(first).unwrap(), 6.0, &mut near).unwrap();
            (world.state_hash(), near)
        };
        let tick = |number: usize| {
            world.step();
            // The ranks that read this tick, one after another.
            let readers = [vec![number % ranks], vec![], vec![0, 0], vec![ranks - 1, 0], vec![]];
            for &reader in &readers[number % 5] {
                all.gather_at(&mut world, reader);
                if rank == reader {
                    hash_and_near(&world);
                }
            }
            if number % 10 == 3 {
                all.gather(&mut world);
            }
            let reads = number % 10 == 3 || readers[number % 5].last() == Some(&rank);
            reads.then(|| hash_and_near(&world))
        };
        (0..60).map(tick).collect::<Vec<_>>()
    };
    let expected = run(None);
    for ranks in [2, 3] {
        let found = on(ranks, |transport| run(Some(transport)));
        let mut read = 0;
        for (tick, expected) in expected.iter().enumerate() {
            for found in found.iter().filter_map(|found| found[tick].as_ref()) {
                assert_eq!(Some(found), expected.as_ref(), "tick {tick}");
                read += 1;
            }
        }
        assert_eq!(read, 36 + 6 * (ranks - 1));
    }
}

/// Steps a world on some ranks, and returns the snapshots that they write together after these ticks. Compares the
/// hashes of all ranks with these.
fn snapshots<const D: usize>(
    ranks: usize,
    ticks: &[u64],
    hashes: &[u64],
    build: &(impl Fn() -> World<D> + Sync),
) -> Vec<Vec<u8>> {
    let files: Vec<_> = ticks.iter().map(|_| Mutex::new(Vec::new())).collect();
    on(ranks, |rank| {
        let (ranks, mut world) = (Ranks::new(rank), build());
        ranks.divide(&mut world).unwrap();
        for ((&tick, file), &hash) in ticks.iter().zip(&files).zip(hashes) {
            (world.tick()..tick).for_each(|_| world.step());
            assert_eq!(ranks.state_hash(&world), hash, "{} ranks in tick {tick}", ranks.count());
            let write = &mut |at: u64, bytes: &[u8]| {
                let (mut file, at) = (file.lock().unwrap(), at as usize);
                let length = file.len().max(at + bytes.len());
                file.resize(length, 0xAA);
                file[at..at + bytes.len()].copy_from_slice(bytes);
                Ok(())
            };
            ranks.save_part(&world, write).unwrap();
        }
    });
    files.into_iter().map(|file| file.into_inner().unwrap()).collect()
}

/// Compares the snapshots that ranks write together with the snapshots of one process, and continues from them.
fn compare_snapshots<const D: usize>(what: &str, ticks: &[u64], build: impl Fn() -> World<D> + Sync) {
    let mut world = build();
    let save = |world: &World<D>| {
        let mut bytes = Vec::new();
        world.save(&mut bytes).unwrap();
        (bytes, world.state_hash())
    };
    let (expected, hashes): (Vec<Vec<u8>>, Vec<u64>) = ticks
        .iter()
        .map(|&tick| {
            (world.tick()..tick).for_each(|_| world.step());
            save(&world)
        })
        .unzip();
    assert_eq!(Ranks::default().state_hash(&world), world.state_hash(), "one process");
    for ranks in [1, 2, 5] {
        for ((found, expected), tick) in snapshots(ranks, ticks, &hashes, &build).iter().zip(&expected).zip(ticks) {
            assert!(found == expected, "{what}: {ranks} ranks in tick {tick}");
        }
    }
    let last = &expected[expected.len() - 1];
    assert_eq!(World::<D>::load(&last[..]).unwrap().state_hash(), world.state_hash());
    (0..7).for_each(|_| world.step());
    for ranks in [1, 2, 3] {
        let resumed = on(ranks, |rank| {
            let ranks = Ranks::new(rank);
            let mut world: World<D> = ranks.load(&last[..], &Registry::new()).unwrap();
            let first = ranks.state_hash(&world);
            (0..7).for_each(|_| world.step());
            [first, ranks.state_hash(&world)]
        });
        let expected = [hashes[hashes.len() - 1], world.state_hash()];
        assert!(resumed.iter().all(|found| *found == expected), "{what}: {ranks} ranks go on to {resumed:x?}");
    }
}

/// What a rank reads of the agents of all: species, ids, positions, radii and velocities, in their order.
type Reading = Vec<(String, u64, [u32; 2], u32, [u32; 2])>;

/// Steps a world on one process or on a rank, and reads its agents at these ranks one after another.
fn readings(build: &impl Fn() -> World<2>, rank: Option<InProcess>, readers: &[usize]) -> Vec<Reading> {
    let mut world = build();
    let ranks = rank.map_or_else(Ranks::default, Ranks::new);
    ranks.divide(&mut world).unwrap();
    let mut read = |&reader: &usize| {
        (0..6).for_each(|_| world.step());
        let mut reading = Reading::new();
        ranks.read_at(&world, reader, &mut |agents| {
            for (row, id) in agents.ids().iter().enumerate() {
                let bits = |vector: Vector<2>| [0, 1].map(|axis| vector[axis].to_bits());
                let (position, velocity) = (bits(agents.position(row)), bits(agents.velocity(row)));
                let radius = agents.radius(row).to_bits();
                reading.push((agents.name().to_owned(), id.to_bits(), position, radius, velocity));
            }
        });
        reading
    };
    readers.iter().map(&mut read).collect()
}

#[test]
fn a_rank_reads_the_agents_of_all_in_blocks() {
    let build = || {
        let settings = Settings { size: Vector([4000.0, 900.0]), ..Settings::default() };
        let mut world = World::<2>::new(settings).unwrap();
        let species = ["bird", "fly", "absent"].map(|name| Species::new(name).with(1.0, Wander::default()));
        let [bird, fly, _] = species.map(|species| world.add_species(species).unwrap());
        let mut noise = Noise::new(6, 0, 0, 0);
        for number in 0..160_000 {
            let at = Vector([noise.between(0.0, 4000.0), noise.between(0.0, 900.0)]);
            let id = world.spawn(if number % 8 == 0 { fly } else { bird }, at, noise.in_ball()).unwrap();
            world.set_quantity(id, throng::Quantity::Radius, noise.between(0.1, 0.5)).unwrap();
        }
        world
    };
    let readers = [1, 0, 2];
    let expected: Vec<Reading> = readings(&build, None, &[0, 0, 0]);
    for (rank, found) in on(3, |rank| readings(&build, Some(rank), &readers)).iter().enumerate() {
        for ((found, expected), &reader) in found.iter().zip(&expected).zip(&readers) {
            assert!(found == if rank == reader { expected } else { &[][..] }, "rank {rank}, read at {reader}");
        }
    }
}

#[test]
fn ranks_write_the_snapshots_of_one_process() {
    compare_snapshots("flat", &[1, 30], || flock::<2>(6000, Edge::Wrap));
    compare_snapshots("in space", &[0, 12], || flock::<3>(3000, Edge::Wrap));
    compare_snapshots("respawn", &[20], || flock::<2>(3000, Edge::Respawn));
    for (name, scenario) in scenarios() {
        if scenario.dimensions() == 2 && scenario.agents() < 1000 {
            compare_snapshots(&name, &[0, 15], || scenario.build::<2>().unwrap());
        }
    }
}

#[test]
fn a_rank_that_goes_on_from_a_snapshot_has_its_own_agents_alone() {
    let has_all = |world: &World<2>| {
        let mut bytes = Vec::new();
        world.save(&mut bytes).unwrap();
        let found = on(2, |rank| {
            let world: World<2> = Ranks::new(rank).load(&bytes[..], &Registry::new()).unwrap();
            // The hash of a world that lacks agents is refused.
            catch_unwind(AssertUnwindSafe(|| world.state_hash())).is_ok()
        });
        assert_eq!(found[0], found[1]);
        found[0]
    };
    let mut flock = flock::<2>(3000, Edge::Wrap);
    flock.step();
    assert!(!has_all(&flock));
    let hunt = scenarios().into_iter().find(|(name, _)| name == "hunt").unwrap().1;
    assert!(has_all(&hunt.build::<2>().unwrap()));
}
