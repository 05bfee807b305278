//! Tracks: recorded paths that agents follow, whatever else would move them.

use throng::behaviours::{Seek, Separation};
use throng::motions::CollisionFreeSpeed;
use throng::settings::NeighbourLists;
use throng::target::Target;
use throng::{
    Edge, Event, Execution, InstructionSet, Noise, Region, Removal, Settings, Shape, Sink, Species, Track, Tracks,
    Vector, Wall, WallAudit, WallShape, World,
};

const TICK: f32 = 0.05;

fn settings() -> Settings<2> {
    Settings { size: Vector([40.0, 30.0]), edge: [Edge::Bounce; 2], tick_seconds: TICK, seed: 5, ..Settings::default() }
}

/// People on the way to the right end.
fn walkers() -> Species<2> {
    Species::new("walker")
        .with_radius(0.2)
        .with_max_speed(1.3)
        .with_motion(CollisionFreeSpeed::default())
        .with(1.0, Seek { target: Target::Point(Vector([39.0, 15.0])) })
}

fn track(first: u64, positions: impl IntoIterator<Item = [f32; 2]>) -> Track<2> {
    Track { first, positions: positions.into_iter().map(Vector).collect() }
}

/// Random walks of several lengths that begin at several times.
fn wanderings(count: u64) -> Vec<Track<2>> {
    let walk = |number: u64| {
        let mut noise = Noise::new(3, number, 0, 1);
        let mut at = Vector([noise.between(3.0, 37.0), noise.between(3.0, 27.0)]);
        let heading: Vector<2> = noise.direction();
        let length = 10 + number * 7 % 60;
        track(
            number % 12 * 3,
            (0..length).map(|_| {
                let next = at + heading * 0.3 + noise.direction::<2>() * 0.05;
                at = Vector([next[0].clamp(0.0, 40.0), next[1].clamp(0.0, 30.0)]);
                at.0
            }),
        )
    };
    (0..count).map(walk).collect()
}

/// Positions many periods outside are images of those inside, and rounded more: debug builds check the boxes of agents.
#[test]
fn positions_far_outside_of_a_periodic_world_are_images() {
    for far in [35.0, 115.0, 3355.0, 1e6, -1e6] {
        let mut world = World::new(Settings { edge: [Edge::Wrap; 2], ..settings() }).unwrap();
        let walker = world.add_species(walkers()).unwrap();
        let tracks = Tracks::new("far", "walker", 2.0, vec![track(0, [[2.0, far], [2.0, 2.0], [far, 2.0]])]);
        world.environment_mut().tracks.add(tracks).unwrap();
        for _ in 0..60 {
            world.step();
            let agents = world.agents(walker).unwrap();
            let at = agents.position(0);
            assert!((0.0..40.0).contains(&at[0]) && (0.0..30.0).contains(&at[1]), "{far}: {at}");
        }
    }
}

/// Each agent that follows a track is where its track is, at the end of each tick, and lives as long as its track.
#[test]
fn agents_come_go_and_are_where_they_were_recorded() {
    for frame_seconds in [TICK, 4.0 * TICK, 0.073, 0.01] {
        let mut world = World::new(settings()).unwrap();
        let walker = world.add_species(walkers()).unwrap();
        let tracks = wanderings(50);
        let item = Tracks::new("all", "walker", frame_seconds, tracks.clone());
        let sorted = item.tracks.clone();
        let id = world.environment_mut().tracks.add(item).unwrap();
        let last = sorted.iter().map(Track::last).max().unwrap() as f64 * f64::from(frame_seconds);
        assert!(!world.has_ended());
        let (mut removed, mut came) = (0, std::collections::BTreeSet::new());
        for number in 0..(last / f64::from(TICK)) as usize + 3 {
            world.step();
            let now = (number + 1) as f64 * f64::from(TICK);
            let frame = now / f64::from(frame_seconds);
            let lives = |track: &&Track<2>| (track.first as f64) < frame + 1e-3 && track.last() as f64 > frame - 1e-3;
            let followers = world.environment().followers(id).unwrap().to_vec();
            assert_eq!(followers.len(), sorted.iter().filter(lives).count(), "{frame_seconds}: tick {number}");
            assert_eq!(world.population(), followers.len());
            for (agent, track) in followers {
                let (track, at) = (&sorted[track as usize], world.position(agent).unwrap());
                let since = frame - track.first as f64;
                let before = track.positions[(since + 1e-3) as usize];
                let after = track.positions[((since + 1e-3) as usize + 1).min(track.positions.len() - 1)];
                let expected = before + (after - before) * (since - (since + 1e-3).floor()).clamp(0.0, 1.0) as f32;
                assert!(at.distance(expected) < 1e-3, "{frame_seconds}: {at} and {expected}");
                if came.contains(&agent) {
                    // The velocity is the mean of the tick.
                    let velocity = world.velocity(agent).unwrap();
                    assert!(velocity.length() < 0.4 / frame_seconds, "{velocity}");
                }
                came.insert(agent);
            }
            let gone = |event: &&Event| matches!(event, Event::Removed { reason: Removal::Track, .. });
            removed += world.events().iter().filter(gone).count();
        }
        assert!(world.has_ended() && removed == came.len(), "{frame_seconds}: {removed} of {}", came.len());
        assert_eq!(world.removed().find(|(name, _)| *name == "track").map(|(_, count)| count), Some(removed as u64));
        assert!(world.agents(walker).unwrap().is_empty());
    }
}

/// A recorded person passes through a wall, a closed room and a crowd, and has no event with any of them.
#[test]
fn nothing_else_moves_them() {
    let slow = || walkers().with_max_speed(0.25);
    let mut world = World::new(settings()).unwrap();
    let walker = world.add_species(slow()).unwrap();
    let crowd: Vec<[f32; 2]> = (0..60).map(|n| [20.0 + (n % 6) as f32 * 0.45, 12.0 + (n / 6) as f32 * 0.6]).collect();
    world.spawn_many(walker, &crowd, &vec![[0.0; 2]; crowd.len()]).unwrap();
    let environment = world.environment_mut();
    environment.walls.add(Wall::segment([10.0, 0.0], [10.0, 30.0])).unwrap();
    let shape = WallShape::Box { centre: Vector([14.0, 15.0]), half: Vector([1.5, 4.0]) };
    environment.walls.add(Wall::new(shape)).unwrap();
    let way = |frame: usize| [2.0 + 0.06 * frame as f32, 15.0];
    let tracks = Tracks::new("one", "walker", TICK, vec![track(0, (0..=560).map(way))]);
    let id = environment.tracks.add(tracks).unwrap();
    let (mut audit, mut alone) = (WallAudit::default(), World::new(settings()).unwrap());
    let mut met = false;
    for frame in 1..=560 {
        audit.before(&world);
        world.step();
        audit.after(&world);
        let [(agent, _)] = *world.environment().followers(id).unwrap() else { panic!() };
        assert_eq!(world.position(agent).unwrap(), Vector(way(frame)), "frame {frame}");
        assert!(world.velocity(agent).unwrap().distance(Vector([0.06 / TICK, 0.0])) < 1e-3);
        assert!(world.events().iter().all(|event| event.agent() != agent), "{:?}", world.events());
        let near = |at: Vector<2>| at.distance(Vector(way(frame)));
        met |= world.agents(walker).unwrap().iter().any(|other| other.id != agent && near(other.position) < 0.39);
    }
    assert_eq!(audit.crossings(), 0);
    assert!(met, "it walks through the crowd");
    // Others give way to it: without it, the crowd goes elsewhere.
    let walker = alone.add_species(slow()).unwrap();
    alone.spawn_many(walker, &crowd, &vec![[0.0; 2]; crowd.len()]).unwrap();
    (0..560).for_each(|_| alone.step());
    let mean = |world: &World<2>| world.agents(walker).unwrap().iter().map(|agent| agent.position[1]).sum::<f32>();
    assert!((mean(&world) - 15.0 - mean(&alone)).abs() > 0.05);
}

/// A person on its way passes a recorded one that stands.
#[test]
fn others_see_them() {
    let mut world = World::new(settings()).unwrap();
    let walker = world.add_species(walkers()).unwrap();
    let stands = Tracks::new("one", "walker", 100.0, vec![track(0, [[20.0, 15.0], [20.0, 15.0]])]);
    world.environment_mut().tracks.add(stands).unwrap();
    let agent = world.spawn(walker, [15.0, 15.05], [1.3, 0.0]).unwrap();
    let mut nearest = f32::INFINITY;
    for _ in 0..400 {
        world.step();
        let gap = world.position(agent).unwrap().distance(Vector([20.0, 15.0]));
        nearest = if gap < nearest { gap } else { nearest };
    }
    assert!(nearest > 0.35 && nearest < 1.0, "{nearest}");
}

/// A world in which agents are recorded and simulated, come and go, turn at walls, and are mixed with another species.
fn busy() -> World<2> {
    let mut world = World::new(Settings { edge: [Edge::Wrap; 2], ..settings() }).unwrap();
    let walker = world.add_species(walkers()).unwrap();
    let bird = Species::new("bird").with(1.0, Separation { from: throng::SpeciesFilter::All, ..Separation::default() });
    let bird = world.add_species(bird).unwrap();
    for number in 0..400 {
        let mut noise = Noise::new(8, number, 0, 2);
        let at = [noise.between(0.0, 39.9), noise.between(0.0, 29.9)];
        world.spawn(if number % 3 == 0 { bird } else { walker }, at, [1.0, 0.0]).unwrap();
    }
    let environment = world.environment_mut();
    environment.walls.add(Wall::segment([30.0, 5.0], [30.0, 25.0])).unwrap();
    let shape = Shape::Box { centre: Vector([38.0, 15.0]), half: Vector([1.0, 3.0]) };
    environment.regions.add(Region::new("exit", shape)).unwrap();
    environment.sinks.add(Sink::new("exit", "exit")).unwrap();
    environment.tracks.add(Tracks::new("slow", "walker", 0.08, wanderings(120))).unwrap();
    let jumps = (0..40).map(|number| [(number * 17 % 40) as f32, (number * 11 % 30) as f32]);
    environment.tracks.add(Tracks::new("jumps", "bird", 0.1, vec![track(2, jumps)])).unwrap();
    world
}

/// The hash after each tick.
fn run(mut world: World<2>, ticks: usize, execution: Execution) -> Vec<u64> {
    world.set_execution(execution).unwrap();
    let after = |_| {
        world.step();
        world.state_hash()
    };
    (0..ticks).map(after).collect()
}

#[test]
fn a_world_with_tracks_has_equal_bits() {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let hashes = run(busy(), 90, Execution::default());
    for threads in [1, 3] {
        for instruction_set in InstructionSet::available().map(Some) {
            for neighbour_lists in [NeighbourLists::Fresh, NeighbourLists::Kept] {
                let execution = Execution { instruction_set, neighbour_lists };
                let found = pool(threads).install(|| run(busy(), 90, execution));
                assert_eq!(found, hashes, "{threads}: {instruction_set:?}, {neighbour_lists:?}");
            }
        }
    }
}

#[test]
fn a_world_with_tracks_continues_from_a_snapshot_and_a_recording() {
    let mut world = busy();
    world.record(0);
    for ticks in [0, 1, 33, 200] {
        while world.tick() < ticks {
            world.step();
        }
        let mut bytes = Vec::new();
        world.save(&mut bytes).unwrap();
        let mut loaded = World::<2>::load(&bytes[..]).unwrap();
        assert_eq!(loaded.state_hash(), world.state_hash());
        let mut copy = world.clone();
        for number in 0..30 {
            loaded.step();
            copy.step();
            assert_eq!(loaded.state_hash(), copy.state_hash(), "{ticks} + {number}");
        }
    }
    // Derived data decide no bit.
    let mut copy = world.clone();
    copy.release_memory();
    copy.step();
    world.step();
    assert_eq!(copy.state_hash(), world.state_hash());
}

#[test]
fn ranks_follow_tracks_together() {
    use throng::ranks::{self, Ranks};
    let run = |ranks: &Ranks| {
        let mut world = busy();
        ranks.divide(&mut world).unwrap();
        (0..60).for_each(|_| world.step());
        ranks.state_hash(&world)
    };
    let alone = run(&Ranks::default());
    let threads = ranks::in_process(3).into_iter().map(|rank| std::thread::spawn(move || run(&Ranks::new(rank))));
    for rank in threads.collect::<Vec<_>>() {
        assert_eq!(rank.join().unwrap(), alone);
    }
}

/// A host takes an agent from its track by removing it, changing its species, or removing the tracks.
#[test]
fn agents_can_be_taken_from_their_tracks() {
    let mut world = World::new(settings()).unwrap();
    let walker = world.add_species(walkers()).unwrap();
    let other = world.add_species(Species::new("other").with_max_speed(0.0)).unwrap();
    let lines = (0..3).map(|row| track(0, (0..200).map(move |x| [x as f32 * 0.05, 5.0 + row as f32])));
    let id = world.environment_mut().tracks.add(Tracks::new("lines", "walker", TICK, lines.collect())).unwrap();
    world.step();
    let agents: Vec<_> = world.environment().followers(id).unwrap().iter().map(|(agent, _)| *agent).collect();
    world.despawn(agents[0]).unwrap();
    world.change_species(agents[1], other).unwrap();
    (0..20).for_each(|_| world.step());
    assert_eq!(world.environment().followers(id).unwrap(), [(agents[2], 2)]);
    assert!(world.position(agents[1]).unwrap()[0] < 0.2, "it has no speed of its own");
    assert_eq!(world.position(agents[2]).unwrap(), Vector([21.0 * 0.05, 7.0]));
    world.environment_mut().tracks.remove(id).unwrap();
    (0..300).for_each(|_| world.step());
    assert_eq!(world.agents(walker).unwrap().len(), 1);
    assert!(world.position(agents[2]).unwrap()[0] > 15.0, "it walks by itself");
}
