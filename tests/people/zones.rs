//! Zones: stairs and other ground on which agents are slower.

use std::collections::BTreeSet;

use throng::behaviours::Seek;
use throng::motions::{CollisionFreeSpeed, Kinematic, Orca, Pedvo, SocialForce};
use throng::{
    Distribution, Edge, Event, Noise, Region, Removal, Settings, Shape, Sink, Species, SpeciesId, Vector, Wall, World,
    Zone,
};

/// A corridor with ten metres of stairs from x = 10 to x = 20, which lead up, and a walker that goes along the x axis.
fn stairs(max_speed: impl Into<Distribution>, target: f32, kinematic: bool) -> (World<2>, SpeciesId) {
    let settings =
        Settings { size: Vector([30.0, 2.0]), edge: [Edge::Open; 2], tick_seconds: 0.05, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let walker = Species::new("walker")
        .with_max_speed(max_speed)
        .with_max_force(1e4)
        .with(1.0, Seek { target: [target, 1.0].into() });
    let species = world.add_species(if kinematic { walker.kinematic() } else { walker }).unwrap();
    let shape = Shape::Box { centre: Vector([15.0, 1.0]), half: Vector([5.0, 1.0]) };
    let environment = world.environment_mut();
    environment.regions.add(Region { name: "stairs".to_owned(), shape }).unwrap();
    environment.zones.add(Zone::new("stairs", 0.5).with_against([1.0, 0.0], 0.65)).unwrap();
    (world, species)
}

/// RiMEA tests 2 and 3: ten metres of stairs at 1 m/s on level ground take 20.0 s up and 15.38 s down, within 5 %.
#[test]
fn ten_metres_of_stairs_take_the_times_of_rimea() {
    for kinematic in [false, true] {
        for (from, to, expected) in [(5.0f32, 1000.0f32, 20.0f64), (25.0, -1000.0, 10.0 / 0.65)] {
            let (mut world, species) = stairs(1.0, to, kinematic);
            let walker = world.spawn(species, [from, 1.0], [if to > 0.0 { 1.0 } else { -1.0 }, 0.0]).unwrap();
            let mut seconds = 0.0f64;
            for _ in 0..1000 {
                world.step();
                let at = world.position(walker).unwrap()[0];
                seconds += if (10.0..=20.0).contains(&at) { 0.05 } else { 0.0 };
                let speed = world.velocity(walker).unwrap().length();
                assert!(speed <= 1.0 + 1e-6);
            }
            let at = world.position(walker).unwrap()[0];
            assert!(!(5.0..25.0).contains(&at), "{at}");
            assert!((seconds / expected - 1.0).abs() < 0.05, "{seconds} s, expected {expected}");
            // Off the stairs, the walker has its own speed again, to the bit.
            let (species, row) = world.find(walker).unwrap();
            assert_eq!(world.agents(species).unwrap().max_speed(row).to_bits(), 1f32.to_bits());
        }
    }
}

#[test]
fn the_drawn_speed_returns() {
    let (mut world, species) = stairs(Distribution::Uniform(0.8, 1.6), 1000.0, false);
    let spawn = |world: &mut World<2>, x: f32| world.spawn(species, [x, 1.0], [1.0, 0.0]).unwrap();
    let walkers: Vec<_> = [2.0, 9.9, 12.0, 19.0].map(|x| spawn(&mut world, x)).to_vec();
    let speed = |world: &World<2>, walker| {
        let (species, row) = world.find(walker).unwrap();
        world.agents(species).unwrap().max_speed(row)
    };
    let own: Vec<f32> = walkers.iter().map(|&walker| speed(&world, walker)).collect();
    (0..40).for_each(|_| world.step());
    let on_stairs = walkers.iter().filter(|&&walker| (10.0..=20.0).contains(&world.position(walker).unwrap()[0]));
    assert!(on_stairs.clone().count() >= 1);
    for (&walker, &own) in walkers.iter().zip(&own) {
        let at = world.position(walker).unwrap()[0];
        if (10.5..19.5).contains(&at) {
            assert_eq!(speed(&world, walker), own * 0.5);
        }
    }
    // A body that the host sets on the stairs applies to level ground.
    world.set_quantity(walkers[2], throng::Quantity::MaxSpeed, 1.2).unwrap();
    (0..2).for_each(|_| world.step());
    assert_eq!(speed(&world, walkers[2]), 0.6);
    // Without zones, all have their own speeds in the next tick.
    for id in world.environment().zones.iter().map(|(id, _)| id).collect::<Vec<_>>() {
        world.environment_mut().zones.remove(id).unwrap();
    }
    world.step();
    let expected = [own[0], own[1], 1.2, own[3]];
    for (&walker, own) in walkers.iter().zip(expected) {
        assert_eq!(speed(&world, walker).to_bits(), own.to_bits());
    }
}

#[test]
fn factors_of_overlapping_zones_multiply() {
    let (mut world, species) = stairs(2.0, 1000.0, false);
    world.environment_mut().zones.add(Zone::new("stairs", 0.25)).unwrap();
    let walker = world.spawn(species, [15.0, 1.0], [1.0, 0.0]).unwrap();
    (0..3).for_each(|_| world.step());
    let (species, row) = world.find(walker).unwrap();
    assert_eq!(world.agents(species).unwrap().max_speed(row), 0.25);
    assert!(world.environment_mut().zones.add(Zone::new("stairs", -0.1)).is_err());
    assert!(world.environment_mut().zones.add(Zone::new("stairs", 1.0).with_against([1.0, 0.0], 11.0)).is_err());
}

/// Three hundred regions of seventy names, each name with a zone and some with a sink, against all pairs of agents and
/// regions.
#[test]
fn many_zones_and_sinks_act_as_each_alone() {
    const NAMES: usize = 70;
    let settings = Settings { size: Vector([300.0; 2]), edge: [Edge::Wrap; 2], ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let walker = world.add_species(Species::new("walker").with_max_speed(3.0)).unwrap();
    let mut noise = Noise::new(3, 0, 0, 0);
    let factor = |name: usize| 0.5 + 0.01 * name as f32;
    let (mut regions, environment) = (Vec::new(), world.environment_mut());
    for number in 0..300 {
        let centre = Vector::from_fn(|_| noise.between(0.0, 300.0));
        let shape = Shape::Box { centre, half: Vector::from_fn(|_| noise.between(1.0, 20.0)) };
        regions.push((number % NAMES, shape));
        environment.regions.add(Region { name: format!("n{}", number % NAMES), shape }).unwrap();
    }
    for name in 0..NAMES {
        environment.zones.add(Zone::new(format!("n{name}"), factor(name))).unwrap();
    }
    for name in [60, 3, 40] {
        environment.sinks.add(Sink::new(format!("s{name}"), format!("n{name}"))).unwrap();
    }
    for _ in 0..2000 {
        world.spawn(walker, Vector::from_fn(|_| noise.between(0.0, 300.0)), noise.in_ball() * 3.0).unwrap();
    }
    let names_at = |world: &World<2>, at: Vector<2>| {
        let inside = |(_, shape): &&(usize, Shape<2>)| match shape {
            Shape::Box { centre, half } => {
                let offset = world.settings().offset(*centre, at);
                (0..2).all(|axis| offset[axis].abs() <= half[axis])
            }
            _ => false,
        };
        regions.iter().filter(inside).map(|(name, _)| *name).collect::<BTreeSet<usize>>()
    };
    let (mut slowed, mut removed) = (0, 0);
    for _ in 0..30 {
        let agents = world.agents(walker).unwrap();
        let before: Vec<_> =
            (0..agents.len()).map(|row| (agents.ids()[row], names_at(&world, agents.position(row)))).collect();
        world.step();
        // Regions count from the end of a tick on: new agents are in none.
        if world.tick() == 1 {
            continue;
        }
        for (id, names) in before {
            // The first sink of several takes an agent.
            let sink = [60, 3, 40].iter().position(|name| names.contains(name));
            let Ok((species, row)) = world.find(id) else {
                let gone = |event: &&Event| matches!(event, Event::Removed { agent, .. } if *agent == id);
                let event = world.events().iter().find(gone);
                let by = sink.map(|sink| Removal::Sink(world.environment().sinks.ids()[sink]));
                assert!(
                    matches!(event, Some(Event::Removed { reason, .. }) if Some(*reason) == by),
                    "{id:?} {event:?}"
                );
                removed += 1;
                continue;
            };
            assert_eq!(sink, None);
            let expected = names.iter().map(|&name| factor(name)).product::<f32>() * 3.0;
            let found = world.agents(species).unwrap().max_speed(row);
            assert!((found / expected - 1.0).abs() < 1e-5, "{found} {expected} {names:?}");
            slowed += usize::from(names.len() > 1);
        }
    }
    assert!(slowed > 2000 && removed > 100, "{slowed} {removed}");
}

/// A walker of each motion, and a vehicle, to a target beyond a passage.
fn walkers(target: f32) -> Vec<(&'static str, Species<2>)> {
    let walker = || Species::people("walker").with_max_speed(1.0).with(1.0, Seek { target: [target, 2.0].into() });
    let vehicle = Species { motion: None, ..walker() }.with_mass(1.0);
    vec![
        ("kinematic", walker().with_motion(Kinematic {})),
        ("collision_free_speed", walker().with_motion(CollisionFreeSpeed::default())),
        ("orca", walker().with_motion(Orca::default())),
        ("pedvo", walker().with_motion(Pedvo::default())),
        ("social_force", walker().with_motion(SocialForce::default())),
        ("vehicle", vehicle),
    ]
}

/// A passage with an escalator from x = 8 to x = 12, up which a crowd that starts at these places wants to go.
fn up_an_escalator(species: Species<2>, zone: Zone<2>, starts: &[[f32; 2]]) -> World<2> {
    let settings =
        Settings { size: Vector([20.0, 4.0]), edge: [Edge::Bounce; 2], tick_seconds: 0.05, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let species = world.add_species(species).unwrap();
    let shape = Shape::Box { centre: Vector([10.0, 2.0]), half: Vector([2.0, 2.0]) };
    let environment = world.environment_mut();
    environment.regions.add(Region { name: "escalator".to_owned(), shape }).unwrap();
    environment.zones.add(zone).unwrap();
    for &at in starts {
        world.spawn(species, at, [0.0, 0.0]).unwrap();
    }
    world
}

/// The least and the largest x of all agents.
fn extent(world: &World<2>) -> [f32; 2] {
    let [x, _] = world.all_agents()[0].positions();
    let mut sorted = x.to_vec();
    sorted.sort_by(f32::total_cmp);
    [sorted[0], sorted[sorted.len() - 1]]
}

/// The wanted direction decides, also for one that rests: no agent climbs an escalator with a factor of zero against its
/// direction, neither alone nor in a crowd that presses on, and one on it stays there.
#[test]
fn no_agent_moves_against_a_direction_with_a_factor_of_zero() {
    let crowd: Vec<[f32; 2]> =
        (0..10).map(|place| [14.0 + (place / 3) as f32 * 0.6, 1.0 + (place % 3) as f32]).collect();
    for (name, species) in walkers(1.0) {
        for starts in [&[[16.0, 2.0]][..], &crowd, &[[10.0, 2.0]]] {
            let mut world =
                up_an_escalator(species.clone(), Zone::new("escalator", 0.5).with_against([1.0, 0.0], 0.0), starts);
            (0..800).for_each(|_| world.step());
            // One that comes with speed stands at its first tick on the escalator, a vehicle at its second.
            let least = if starts.len() == 1 && starts[0][0] < 12.0 { 9.85 } else { 11.75 };
            let [x, _] = extent(&world);
            assert!(x > least && x < 16.0, "{name} with {} people: {x}", starts.len());
        }
    }
}

#[test]
fn a_factor_against_a_direction_is_the_speed_of_those_who_want_to_go_there() {
    let seconds = |species: Species<2>, zone: Zone<2>, from: f32, target: f32| {
        let mut world = up_an_escalator(species, zone, &[[from, 2.0]]);
        let on = |world: &World<2>| (8.0..=12.0).contains(&extent(world)[0]);
        let ticks = (0..2400).map(|_| {
            world.step();
            usize::from(on(&world))
        });
        let ticks: usize = ticks.sum();
        assert!((extent(&world)[0] - target).abs() < 0.5);
        ticks as f32 * 0.05
    };
    for (up, down) in walkers(2.0).into_iter().zip(walkers(18.0)) {
        let zone = Zone::new("escalator", 0.5).with_against([1.0, 0.0], 0.1);
        for (from, target, species, expected) in [(16.0, 2.0, up.1, 40.0), (4.0, 18.0, down.1, 8.0)] {
            // At rest on it, half of the way is left.
            for (from, expected) in [(from, expected), (10.0, 0.5 * expected)] {
                let found = seconds(species.clone(), zone.clone(), from, target);
                // Some set off and turn slowly.
                assert!((found - expected).abs() < 0.05 * expected + 0.6, "{}: {found} s, expected {expected}", up.0);
            }
        }
    }
    // A zone through which people go only against its direction.
    for (name, species) in walkers(2.0) {
        let found = seconds(species, Zone::new("escalator", 0.0).with_against([1.0, 0.0], 0.5), 10.0, 2.0);
        assert!((found - 4.0).abs() < 0.8, "{name}: {found} s");
    }
}

/// An escalator carries agents at rest with its speed, walkers faster by it, and none into a wall.
#[test]
fn zones_carry_their_agents() {
    for (name, species) in walkers(18.0) {
        let zone = |carry: f32| Zone::new("escalator", 1.0).with_carry([carry, 0.0]);
        for (carry, expected) in [(0.5, 4.0 / 1.5), (-0.5, 8.0)] {
            let mut world = up_an_escalator(species.clone(), zone(carry), &[[4.0, 2.0]]);
            let ticks = (0..800).filter(|_| {
                world.step();
                (8.0..=12.0).contains(&extent(&world)[0])
            });
            let found = ticks.count() as f32 * 0.05;
            assert!((found - expected).abs() < 0.3, "{name}: {found} s with {carry} m/s, expected {expected}");
        }
        let mut world = up_an_escalator(Species { rules: vec![], ..species.clone() }, zone(0.5), &[[9.0, 2.0]]);
        // The first tick finds the zones.
        (0..41).for_each(|_| world.step());
        let at = extent(&world)[0];
        assert!((at - 10.0).abs() < 1e-3 && world.all_agents()[0].velocity(0).length() < 1e-6, "{name}: {at}");
        let mut world = up_an_escalator(Species { rules: vec![], ..species }, zone(0.5), &[[9.0, 2.0]]);
        world.environment_mut().walls.add(Wall::segment([11.0, 0.0], [11.0, 4.0])).unwrap();
        (0..200).for_each(|_| world.step());
        // Some models keep off walls.
        let gap = 11.0 - world.all_agents()[0].radius(0) - extent(&world)[0];
        assert!((-0.01..0.5).contains(&gap), "{name}: {gap}");
    }
}
