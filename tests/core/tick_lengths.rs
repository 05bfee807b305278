//! Tests of worlds in which the length of a tick changes while they run.

use crate::scenarios::{scenarios, tick};
use throng::behaviours::{Seek, Wander};
use throng::measures::{ExitTimes, FlowLine};
use throng::{
    Arrivals, Edge, Event, Noise, Region, Settings, Shape, Sink, Source, Species, Target, Vector, Wall, WallShape,
    World,
};

/// Random lengths of a tick: some are like the last one, some far from it.
fn lengths() -> impl FnMut() -> f32 {
    let (mut noise, mut last) = (Noise::new(12, 0, 0, Noise::USER), 0.05);
    move || {
        last = match (noise.unit() * 6.0) as u32 {
            0 => noise.between(1e-3, 0.5),
            1..4 => last * noise.between(0.9, 1.1),
            _ => last,
        };
        last = last.clamp(1e-3, 0.5);
        last
    }
}

/// Steps a world with random lengths beside one that forgets everything derived before each tick.
fn compare<const D: usize>(name: &str, mut world: World<D>, ticks: usize) {
    let (mut twin, mut length) = (world.clone(), lengths());
    let mut seconds = 0.0;
    for number in 0..ticks {
        let next = length();
        world.set_tick_seconds(next).unwrap();
        twin.set_tick_seconds(next).unwrap();
        twin.release_memory();
        assert_eq!(tick(&mut world), tick(&mut twin), "{name}: tick {number} of {next} s");
        seconds += f64::from(next);
        assert!((world.seconds() - seconds).abs() < 1e-9 * seconds, "{name}: tick {number}");
        if number == ticks / 2 {
            let mut file = Vec::new();
            world.save(&mut file).unwrap();
            twin = World::load(&file[..]).unwrap_or(twin);
            assert_eq!((twin.state_hash(), twin.seconds()), (world.state_hash(), world.seconds()), "{name}");
        }
    }
}

#[test]
fn kept_data_changes_no_bit_of_any_scenario_when_ticks_change_their_length() {
    for (name, scenario) in scenarios() {
        match scenario.dimensions() {
            3 => compare(&name, scenario.build::<3>().unwrap(), 24),
            _ => compare(&name, scenario.build::<2>().unwrap(), 24),
        }
    }
}

/// Walls that move fast and leave their boxes in few long ticks.
#[test]
fn moving_walls_stop_agents_in_ticks_of_any_length() {
    for edge in [Edge::Wrap, Edge::Bounce] {
        let settings = Settings::<2> { size: Vector([40.0; 2]), edge: [edge; 2], ..Settings::default() };
        let (mut world, mut noise) = (World::new(settings).unwrap(), Noise::new(3, 0, 0, Noise::USER));
        let species = Species::new("ant").with_radius(0.2).with(1.0, Wander::default());
        let ant = world.add_species(species).unwrap();
        for number in 0..40 {
            let mut any = |most: f32| Vector([0, 1].map(|_| noise.between(0.0, most)));
            let shape = match number % 2 {
                0 => WallShape::Ball { centre: any(40.0), radius: 0.4 },
                _ => WallShape::Box { centre: any(40.0), half: any(0.5) + Vector([0.1; 2]) },
            };
            let velocity = any(4.0) - Vector([2.0; 2]);
            world.environment_mut().walls.add(Wall { velocity, ..Wall::new(shape) }).unwrap();
        }
        for _ in 0..300 {
            let at = Vector([0, 1].map(|_| noise.between(0.0, 40.0)));
            world.spawn(ant, at, noise.direction::<2>() * 2.0).unwrap();
        }
        compare(&format!("{edge:?}"), world, 300);
    }
}

/// Agents leave a source by a schedule, pass a line and a door, and leave in a sink, at the same times whatever the ticks.
#[test]
fn doors_schedules_and_measures_follow_the_time() {
    let run = |change: &dyn Fn(u64) -> f32| {
        let settings = Settings::<2> {
            size: Vector([40.0, 10.0]),
            tick_seconds: 0.1,
            edge: [Edge::Open; 2],
            ..Settings::default()
        };
        let mut world = World::new(settings).unwrap();
        let species = Species::new("walker").with_radius(0.1).with_max_speed(2.0);
        let species = species.with(1.0, Seek { target: Target::Point(Vector([38.0, 5.0])) });
        world.add_species(species).unwrap();
        let square = |x: f32| Shape::Box { centre: Vector([x, 5.0]), half: Vector([0.5; 2]) };
        let environment = world.environment_mut();
        environment.regions.add(Region::new("in", square(2.0))).unwrap();
        environment.regions.add(Region::new("out", square(38.0))).unwrap();
        let arrivals = Arrivals::Schedule(vec![(3.0, 1), (9.0, 1), (12.0, 1)]);
        environment.sources.add(Source::new("in", "walker", "in", arrivals)).unwrap();
        environment.sinks.add(Sink::new("out", "out")).unwrap();
        let door = Wall { open: vec![[25.0, 1000.0]], ..Wall::segment([20.0, -100.0], [20.0, 100.0]) };
        environment.walls.add(door).unwrap();
        let (mut exits, mut line) = (ExitTimes::new(), FlowLine::new([30.0, 0.0], [30.0, 10.0]));
        let mut spawned = Vec::new();
        exits.observe(&world);
        line.observe(&world);
        while world.seconds() < 45.0 {
            world.set_tick_seconds(change(world.tick())).unwrap();
            let before = world.seconds();
            world.step();
            let new = world.events().iter().filter(|event| matches!(event, Event::Spawned { .. })).count();
            spawned.extend(std::iter::repeat_n(before, new));
            exits.observe(&world);
            line.observe(&world);
        }
        let times: Vec<f64> = exits.times().to_vec();
        (spawned, line.times().unwrap(), times, exits.last())
    };
    let (spawned, crossed, times, last) = run(&|_| 0.1);
    assert!(spawned.len() == 3 && times.len() == 3 && crossed[0] > 25.0, "{spawned:?} {crossed:?} {times:?}");
    for change in [|tick: u64| if tick < 100 { 0.05 } else { 0.1 }, |tick: u64| 0.06 + 0.04 * ((tick % 7) as f32 / 6.0)]
    {
        let other = run(&change);
        let near = |a: f64, b: f64| (a - b).abs() < 0.5;
        let all = |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| near(*a, *b));
        assert!(all(&other.0, &spawned) && all(&other.1, &crossed) && all(&other.2, &times), "{other:?}");
        assert!(near(other.3, last), "{other:?}");
    }
}

#[test]
fn a_change_of_all_settings_keeps_the_time_too() {
    let mut world = World::<3>::new(Settings { tick_seconds: 0.5, ..Settings::default() }).unwrap();
    let hash = world.state_hash();
    world.set_tick_seconds(0.25).unwrap();
    world.set_tick_seconds(0.5).unwrap();
    assert_eq!(world.state_hash(), hash, "no tick has had another length");
    (0..4).for_each(|_| world.step());
    let settings = Settings { tick_seconds: 0.125, ..world.settings().clone() };
    world.set_settings(settings).unwrap();
    assert_eq!(world.seconds(), 2.0);
    world.step();
    assert_eq!(world.seconds(), 2.125);
    for bad in [0.0, -1.0, 1001.0, f32::NAN] {
        assert!(world.set_tick_seconds(bad).is_err());
    }
    assert_eq!(world.settings().tick_seconds, 0.125);
}
