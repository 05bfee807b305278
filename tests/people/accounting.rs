//! Every agent is accounted for: spawned = alive + removed, in every tick, whatever happens.

use std::collections::BTreeMap;

use throng::behaviours::{Seek, Wander};
use throng::{
    Arrivals, Catch, Condition, Distribution, Edge, Event, Noise, Region, Removal, Settings, Shape, Sink, Source,
    Species, SpeciesFilter, State, Vector, World, Zone,
};

/// A random world with every way to come and to go.
fn random_world(seed: u64) -> World<2> {
    let mut noise = Noise::new(seed, 1, 2, Noise::USER);
    let edge = [Edge::Remove, Edge::Open, Edge::Bounce, Edge::Wrap, Edge::Respawn][seed as usize % 5];
    let edge = [edge; 2];
    let size = Vector([noise.between(20.0, 60.0), noise.between(20.0, 60.0)]);
    let mut world = World::new(Settings { size, edge, tick_seconds: 0.1, seed, ..Settings::default() }).unwrap();
    let visitor = Species::new("visitor")
        .with_radius(Distribution::Uniform(0.1, 0.4))
        .with_max_speed(Distribution::Normal { mean: 5.0, sd: 2.0, low: 1.0, high: 9.0 })
        .with_pre_movement(Distribution::LogNormal { median: 0.5, log_sd: 0.7, low: 0.0, high: 5.0 })
        .with_lifetime(Distribution::Uniform(1.0, 20.0))
        .with_state(State::new("in").with_transition("out", Condition::After(2.0)))
        .with_state(State::new("out"))
        .with(1.0, Wander::default())
        .with_during("out", 1.0, Seek { target: [0.0, 0.0].into() });
    let hunter = Species::new("hunter").with(1.0, Wander::default()).with_catch(Catch {
        whom: SpeciesFilter::named("visitor"),
        distance: 1.5,
        remove: true,
        during: Vec::new(),
    });
    let visitor = world.add_species(visitor).unwrap();
    let hunter = world.add_species(hunter).unwrap();
    for number in 0..40 {
        let at = Vector([noise.between(0.0, size[0]), noise.between(0.0, size[1])]);
        world.spawn(if number % 8 == 0 { hunter } else { visitor }, at, noise.direction() * 4.0).unwrap();
    }
    let environment = world.environment_mut();
    for name in ["gate", "door", "corner", "stairs"] {
        let centre = Vector([noise.between(0.0, size[0]), noise.between(0.0, size[1])]);
        let radius = noise.between(2.0, 6.0);
        environment.regions.add(Region { name: name.to_owned(), shape: Shape::Ball { centre, radius } }).unwrap();
    }
    let arrivals = [
        Arrivals::Rate(noise.between(0.0, 20.0)),
        Arrivals::Poisson(noise.between(0.0, 20.0)),
        Arrivals::Schedule(vec![(0.5, 20), (2.0, 100)]),
        Arrivals::OnEntry("door".to_owned()),
    ];
    for (number, arrivals) in arrivals.into_iter().enumerate() {
        environment.sources.add(Source::new(format!("s{number}"), "visitor", "gate", arrivals)).unwrap();
    }
    environment.sinks.add(Sink::new("corner", "corner")).unwrap();
    let states = vec!["out".to_owned()];
    environment.sinks.add(Sink { states, species: vec!["visitor".to_owned()], ..Sink::new("out", "door") }).unwrap();
    environment.zones.add(Zone::new("stairs", 0.5).with_against([1.0, 0.0], 0.65)).unwrap();
    world
}

/// Counts what the events of a tick say about agents that come and go.
fn count(events: &[Event], counts: &mut BTreeMap<&str, u64>) {
    for event in events {
        *counts.entry(event.name()).or_default() += 1;
    }
}

#[test]
fn every_agent_is_accounted_for_in_every_tick() {
    let mut reasons = BTreeMap::<String, u64>::new();
    for seed in 0..25 {
        let mut world = random_world(seed);
        let mut noise = Noise::new(seed, 0, 0, Noise::USER);
        let (mut by_host, mut counts) = (world.population() as u64, BTreeMap::new());
        let mut despawned = 0;
        for _ in 0..80 {
            world.step();
            count(world.events(), &mut counts);
            // The host removes and spawns agents too.
            if noise.unit() < 0.3 {
                let species = world.species_ids().next().unwrap();
                let ids = world.agents(species).unwrap().ids().to_vec();
                if let Some(&id) = ids.get((noise.unit() * ids.len() as f32) as usize) {
                    world.despawn(id).unwrap();
                    despawned += 1;
                }
                world.spawn(species, [5.0, 5.0], [0.0, 0.0]).unwrap();
                by_host += 1;
            }
            let removed: u64 = world.removed().map(|(_, count)| count).sum();
            assert_eq!(world.spawned(), world.population() as u64 + removed, "seed {seed}");
            let of_sources: u64 =
                world.environment().sources.iter().filter_map(|(id, _)| world.environment().source_spawned(id)).sum();
            assert_eq!(world.spawned(), by_host + of_sources, "seed {seed}");
            assert_eq!(of_sources, counts.get("spawned").copied().unwrap_or(0));
        }
        // The next tick reports the removals of the host.
        world.step();
        count(world.events(), &mut counts);
        let removed: BTreeMap<String, u64> = world.removed().map(|(name, count)| (name.to_owned(), count)).collect();
        let of = |name: &str| removed.get(name).copied().unwrap_or(0);
        assert_eq!(of("despawned"), despawned);
        assert_eq!(removed.values().sum::<u64>(), counts.get("removed").copied().unwrap_or(0));
        removed.into_iter().for_each(|(name, count)| *reasons.entry(name).or_default() += count);
    }
    let seen: Vec<&str> = reasons.keys().map(|name| &name[..]).collect();
    assert_eq!(seen, ["caught", "despawned", "left", "lifetime", "sink:corner", "sink:out"], "{reasons:?}");
}

#[test]
fn threads_lists_clones_and_snapshots_change_no_bit() {
    for seed in 0..5 {
        let pools = [1, 3].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
        let mut first = random_world(seed);
        let mut other = random_world(seed);
        for tick in 0..60 {
            pools[0].install(|| first.step());
            pools[1].install(|| other.step());
            assert_eq!((first.state_hash(), first.events()), (other.state_hash(), other.events()), "{seed}: {tick}");
            if tick % 7 == 3 {
                other.release_memory();
            }
            if tick % 10 == 5 {
                let mut file = Vec::new();
                other.save(&mut file).unwrap();
                let again = World::<2>::load(&file[..]).unwrap();
                assert_eq!(again.state_hash(), other.state_hash());
                assert!(again.removed().eq(other.removed()) && again.spawned() == other.spawned());
                other = again;
            }
        }
    }
}

#[test]
fn a_snapshot_covers_items_that_no_tick_has_seen() {
    let mut world = random_world(3);
    (0..5).for_each(|_| world.step());
    let before = world.state_hash();
    let id = world.environment_mut().zones.add(Zone::new("gate", 0.3)).unwrap();
    assert_ne!(world.state_hash(), before);
    let mut file = Vec::new();
    world.save(&mut file).unwrap();
    let again = World::<2>::load(&file[..]).unwrap();
    assert_eq!(again.state_hash(), world.state_hash());
    for id in world.environment().zones.iter().map(|(id, _)| id).collect::<Vec<_>>() {
        world.environment_mut().zones.remove(id).unwrap();
    }
    assert_eq!(world.environment().zones.get(id), None);
    world.save(&mut Vec::new()).unwrap();
    world.step();
}

#[test]
fn a_sink_removes_the_agents_of_its_species_and_states() {
    let settings = Settings { tick_seconds: 0.5, edge: [Edge::Bounce; 2], ..Settings::default() };
    let mut world = World::<2>::new(settings).unwrap();
    let states = |species: Species<2>| {
        species.with_state(State::new("in").with_transition("out", Condition::After(2.0))).with_state(State::new("out"))
    };
    let [a, b] = ["a", "b"].map(|name| world.add_species(states(Species::new(name))).unwrap());
    let environment = world.environment_mut();
    let shape = Shape::Box { centre: Vector([50.0, 50.0]), half: Vector([5.0, 5.0]) };
    environment.regions.add(Region { name: "exit".to_owned(), shape }).unwrap();
    let (species, states) = (vec!["a".to_owned()], vec!["out".to_owned()]);
    let exit = environment.sinks.add(Sink { species, states, ..Sink::new("exit", "exit") }).unwrap();
    let [inside, other] = [a, b].map(|species| world.spawn(species, [50.0, 50.0], [0.0, 0.0]).unwrap());
    let outside = world.spawn(a, [60.0, 50.0], [0.0, 0.0]).unwrap();
    let mut ticks = 0;
    while world.find(inside).is_ok() {
        world.step();
        ticks += 1;
    }
    // Two seconds are four ticks; the next one removes the agent.
    assert_eq!(ticks, 5);
    assert!(world.find(other).is_ok() && world.find(outside).is_ok());
    assert_eq!(world.events(), [Event::Removed { agent: inside, species: a, reason: Removal::Sink(exit) }]);
    assert_eq!(world.removed().collect::<Vec<_>>(), [("sink:exit", 1)]);
    // An agent that the host moves away in time stays.
    world.set_position(outside, [50.0, 50.0]).unwrap();
    world.step();
    world.set_position(outside, [60.0, 50.0]).unwrap();
    (0..3).for_each(|_| world.step());
    assert!(world.find(outside).is_ok());
}
