//! Sources: how many agents come, when, and where.

use throng::{
    Arrivals, Distribution, Edge, Event, Obstacle, Region, Settings, Shape, Source, Species, Vector, Wall, World,
};

fn settings(tick_seconds: f32) -> Settings<2> {
    Settings { size: Vector([40.0, 30.0]), edge: [Edge::Bounce; 2], tick_seconds, seed: 11, ..Settings::default() }
}

fn region(name: &str, centre: [f32; 2], half: [f32; 2]) -> Region<2> {
    Region { name: name.to_owned(), shape: Shape::Box { centre: Vector(centre), half: Vector(half) } }
}

/// A world with one source, whose agents stay where they are.
fn world(arrivals: Arrivals, radius: impl Into<Distribution>, tick: f32) -> World<2> {
    let mut world = World::new(settings(tick)).unwrap();
    world.add_species(Species::new("visitor").with_radius(radius).with_max_speed(0.0)).unwrap();
    let environment = world.environment_mut();
    environment.regions.add(region("gate", [20.0, 15.0], [15.0, 10.0])).unwrap();
    environment.sources.add(Source::new("gate", "visitor", "gate", arrivals)).unwrap();
    world
}

/// The population after each of a number of ticks.
fn populations(mut world: World<2>, ticks: usize) -> Vec<usize> {
    let after = |_| {
        world.step();
        world.population()
    };
    (0..ticks).map(after).collect()
}

#[test]
fn a_rate_gives_its_number_of_agents_in_any_time() {
    for (rate, tick) in [(2.0, 0.05), (0.3, 0.1), (7.0, 0.0166), (25.0, 1.0)] {
        for (number, population) in populations(world(Arrivals::Rate(rate), 0.05, tick), 400).into_iter().enumerate() {
            let expected = f64::from(rate) * f64::from(tick) * (number + 1) as f64;
            assert!((population as f64 - expected).abs() <= 1.0, "{rate}/s after {number}: {population}, {expected}");
        }
    }
    // Ten ticks of a tenth of a second at one agent per second: the rounding of the sum loses no agent.
    assert_eq!(populations(world(Arrivals::Rate(1.0), 0.05, 0.1), 10).last(), Some(&1));
}

#[test]
fn a_schedule_is_kept_to_the_tick() {
    let times = Arrivals::Schedule(vec![(0.0, 3), (0.5, 2), (0.5, 1), (1.2, 4)]);
    let expected = [3, 3, 6, 6, 10, 10];
    assert_eq!(populations(world(times, 0.05, 0.25), 6), expected);
    assert_eq!(populations(world(Arrivals::at_once(7), 0.05, 0.25), 3), [7, 7, 7]);
}

#[test]
fn poisson_arrivals_have_the_mean_the_variance_and_the_gaps_of_the_process() {
    let (rate, tick, ticks) = (5.0, 0.2, 4000);
    let after = populations(world(Arrivals::Poisson(rate), 0.0, tick), ticks);
    let counts: Vec<f64> =
        std::iter::once(after[0]).chain(after.windows(2).map(|pair| pair[1] - pair[0])).map(|n| n as f64).collect();
    let mean = counts.iter().sum::<f64>() / ticks as f64;
    let variance = counts.iter().map(|count| (count - mean) * (count - mean)).sum::<f64>() / (ticks - 1) as f64;
    // Mean and variance of a tick are both 1; their standard errors are 0.016 and about 0.027.
    assert!((mean - 1.0).abs() < 0.05 && (variance - 1.0).abs() < 0.09, "{mean} {variance}");
    // Ticks without an arrival: exp(-1).
    let none = counts.iter().filter(|&&count| count == 0.0).count() as f64 / ticks as f64;
    assert!((none - (-1f64).exp()).abs() < 0.025, "{none}");
}

#[test]
fn a_limit_ends_a_source() {
    for arrivals in [Arrivals::Rate(10.0), Arrivals::Poisson(10.0), Arrivals::at_once(90)] {
        let mut world = world(arrivals, 0.05, 0.5);
        let (id, source) = world.environment().sources.iter().next().map(|(id, source)| (id, source.clone())).unwrap();
        world.environment_mut().sources.set(id, Source { limit: Some(12), ..source }).unwrap();
        (0..40).for_each(|_| world.step());
        assert_eq!((world.population(), world.environment().source_spawned(id)), (12, Some(12)));
    }
}

#[test]
fn an_agent_comes_for_each_that_enters() {
    let mut world = world(Arrivals::OnEntry("door".to_owned()), 0.1, 0.5);
    world.environment_mut().regions.add(region("door", [2.0, 2.0], [1.0, 1.0])).unwrap();
    let gate = world.environment().regions.ids()[0];
    let visitor = world.find_species("visitor").unwrap();
    let first = world.spawn(visitor, [2.0, 2.0], [0.0, 0.0]).unwrap();
    let second = world.spawn(visitor, [38.0, 28.0], [0.0, 0.0]).unwrap();
    let mut expected = Vec::new();
    for (agent, to) in [(first, [2.0, 2.0]), (second, [2.2, 2.9]), (first, [30.0, 28.0]), (first, [2.0, 2.0])] {
        world.set_position(agent, to).unwrap();
        // The event belongs to the first tick, and the agent comes in the second.
        world.step();
        let entered = world.events().iter().filter(|event| event.name() == "entered_region").count();
        let in_gate = world
            .events()
            .iter()
            .filter(|event| matches!(event, Event::EnteredRegion { region, .. } if *region == gate))
            .count();
        let before = world.population();
        world.step();
        assert_eq!(world.population() - before, entered - in_gate);
        expected.push(world.population());
    }
    assert_eq!(expected, [3, 4, 4, 5]);
}

#[test]
fn bodies_fill_a_region_without_overlap_and_the_rest_waits() {
    for edge in [Edge::Bounce, Edge::Wrap, Edge::Open].map(|edge| [edge; 2]) {
        let mut world = World::<2>::new(Settings { edge, ..settings(0.1) }).unwrap();
        let radius = Distribution::Uniform(0.2, 0.5);
        let visitor = world.add_species(Species::new("visitor").with_radius(radius).with_max_speed(0.0)).unwrap();
        let guard = world.add_species(Species::new("guard").with_radius(1.5).with_max_speed(0.0)).unwrap();
        world.spawn(guard, [39.0, 15.0], [0.0, 0.0]).unwrap();
        let rock = Obstacle::new([36.0, 17.0], 0.7);
        let environment = world.environment_mut();
        environment.obstacles.add(rock).unwrap();
        environment.walls.add(Wall::segment([34.0, 14.0], [37.0, 11.0])).unwrap();
        // In the periodic world the region crosses the seam.
        environment.regions.add(region("gate", [38.0, 15.0], [5.0, 4.0])).unwrap();
        let id = environment.sources.add(Source::new("gate", "visitor", "gate", Arrivals::at_once(500))).unwrap();
        (0..20).for_each(|_| world.step());
        let waiting = world.environment().source_backlog(id).unwrap();
        let spawned = world.environment().source_spawned(id).unwrap();
        assert_eq!((spawned + waiting, world.backlog()), (500, waiting));
        assert!((30..200).contains(&spawned), "{edge:?}: {spawned}");
        let (visitors, settings) = (world.agents(visitor).unwrap(), world.settings());
        let bodies: Vec<(Vector<2>, f32)> =
            (0..visitors.len()).map(|row| (visitors.position(row), visitors.radius(row))).collect();
        for (number, &(at, radius)) in bodies.iter().enumerate() {
            let apart = |other: Vector<2>| settings.offset(at, other).length();
            for &(other, reach) in &bodies[..number] {
                assert!(apart(other) >= radius + reach - 1e-5, "{edge:?}: {at:?} {other:?}");
            }
            assert!(apart(Vector([39.0, 15.0])) >= radius + 1.5 - 1e-5);
            assert!(apart(rock.centre) >= radius + rock.radius - 1e-5);
            // The line through the wall's ends is x + y = 48.
            let middle = settings.offset([35.5, 12.5], at);
            let (across, along) = ((middle[0] + middle[1]) / 2f32.sqrt(), (middle[0] - middle[1]) / 2f32.sqrt());
            assert!(across.abs() >= radius - 1e-4 || along.abs() >= 1.5 * 2f32.sqrt(), "{at:?} {across} {along}");
            let inside = settings.offset([38.0, 15.0], at);
            assert!(inside[0].abs() <= 5.0 - radius + 1e-4 && inside[1].abs() <= 4.0 - radius + 1e-4);
        }
        // Room that agents leave is filled again.
        let leaving = visitors.ids()[..10].to_vec();
        leaving.into_iter().for_each(|agent| world.despawn(agent).unwrap());
        (0..40).for_each(|_| world.step());
        assert!(world.environment().source_spawned(id).unwrap() >= spawned + 8);
    }
}

#[test]
fn new_agents_have_the_heading_and_the_speed_of_their_source() {
    let mut world = world(Arrivals::Rate(50.0), 0.1, 0.1);
    let visitor = world.find_species("visitor").unwrap();
    world.edit_species(visitor, |species| species.max_speed = Distribution::Uniform(1.0, 2.0)).unwrap();
    let (id, source) = world.environment().sources.iter().next().map(|(id, source)| (id, source.clone())).unwrap();
    world.step();
    let agents = world.agents(visitor).unwrap();
    for row in 0..agents.len() {
        assert!((agents.velocity(row).length() - agents.max_speed(row)).abs() < 1e-5);
    }
    let heading = Some(Vector([0.0, -2.0]));
    let speed = Some(Distribution::Same(0.5));
    world.environment_mut().sources.set(id, Source { heading, speed, ..source }).unwrap();
    world.step();
    let spawned: Vec<_> = world
        .events()
        .iter()
        .filter_map(|event| match event {
            Event::Spawned { agent, source, .. } if *source == id => Some(*agent),
            _ => None,
        })
        .collect();
    assert_eq!(spawned.len(), 5);
    for agent in spawned {
        assert_eq!(world.velocity(agent).unwrap(), Vector([0.0, -0.5]));
    }
}

#[test]
fn a_source_waits_for_its_species_and_its_region() {
    let mut world = World::<2>::new(settings(1.0)).unwrap();
    world.environment_mut().sources.add(Source::new("a", "visitor", "gate", Arrivals::Rate(1.0))).unwrap();
    (0..3).for_each(|_| world.step());
    assert_eq!((world.population(), world.backlog()), (0, 3));
    world.add_species(Species::new("visitor")).unwrap();
    world.step();
    assert_eq!(world.backlog(), 4);
    world.environment_mut().regions.add(region("gate", [20.0, 15.0], [9.0, 9.0])).unwrap();
    world.step();
    assert_eq!((world.population(), world.backlog()), (5, 0));
}

#[test]
fn bad_sources_are_refused() {
    let mut world = World::<2>::new(settings(1.0)).unwrap();
    let environment = world.environment_mut();
    let mut refused = |arrivals| environment.sources.add(Source::new("a", "b", "c", arrivals)).is_err();
    assert!(refused(Arrivals::Rate(-1.0)) && refused(Arrivals::Poisson(f32::NAN)));
    assert!(refused(Arrivals::Schedule(vec![(1.0, 1), (0.5, 1)])));
    assert!(refused(Arrivals::Schedule(vec![(f32::INFINITY, 1)])));
    assert!(!refused(Arrivals::Rate(1.0)) && refused(Arrivals::Rate(1.0)), "the name is taken");
}

#[test]
fn new_agents_keep_the_gap_of_their_species_also_after_a_restore() {
    let least = |gap: f32| {
        let mut world = world(Arrivals::at_once(25), 0.25, 0.1);
        let visitor = world.species_ids().next().unwrap();
        world.edit_species(visitor, |species| species.gap = gap).unwrap();
        let mut saved = Vec::new();
        world.save(&mut saved).unwrap();
        let mut world = World::<2>::load(&saved[..]).unwrap();
        assert_eq!(world.species(visitor).unwrap().gap, gap);
        world.step();
        let agents = world.agents(visitor).unwrap();
        assert_eq!(agents.len(), 25);
        let at = |row: usize| agents.position(row);
        let pairs = (0..25).flat_map(|one| (0..one).map(move |other| at(one).distance(at(other)) - 0.5));
        pairs.fold(f32::INFINITY, |least, gap| if gap < least { gap } else { least })
    };
    assert!((0.0..1.2).contains(&least(0.0)));
    assert!(least(1.2) >= 1.2 - 1e-5);
    // A key that came later and is not used leaves a snapshot as it was.
    let hash = |gap: f32| {
        let mut world = world(Arrivals::at_once(1), 0.25, 0.1);
        let visitor = world.species_ids().next().unwrap();
        world.edit_species(visitor, |species| species.gap = gap).unwrap();
        world.state_hash()
    };
    assert_ne!(hash(0.5), hash(0.0));
}
