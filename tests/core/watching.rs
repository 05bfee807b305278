//! Tests that a world can be read in the middle of a tick: answers are right at every stage, and change nothing.

use crate::edits::{Random, edit};
use crate::scenarios::{pool, scenarios, tick};
use throng::behaviours::{AvoidWalls, Pursue, Separation, Wander};
use throng::measures::polarisation;
use throng::{AgentId, Edge, Neighbour, Settings, Species, SpeciesFilter, Target, Vector, Wall, WallShape, World};

/// All agents and their squared distances from a point, nearest first, then in the order of species and rows.
fn naive<const D: usize>(world: &World<D>, point: Vector<D>) -> Vec<(f32, AgentId)> {
    let mut all = Vec::new();
    for agents in world.all_agents() {
        let squared = |row| world.settings().offset(point, agents.position(row)).length_squared();
        all.extend((0..agents.len()).map(|row| (squared(row), agents.ids()[row])));
    }
    all.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    all
}

fn ids<const D: usize>(found: &[Neighbour<D>]) -> impl Iterator<Item = &AgentId> {
    found.iter().map(|near| &near.id)
}

/// Compares the answers of a world with the answers of a search through all agents.
fn ask<const D: usize>(world: &World<D>, random: &mut Random, what: &str) {
    let (mut found, mut near) = (Vec::new(), Vec::new());
    for _ in 0..2 {
        let point = random.point(world.settings().size);
        let (radius, count) = (random.unit() * 0.2 * world.settings().size[0], random.below(9));
        let all = naive(world, point);
        world.query().within(point, radius, &mut found).unwrap();
        let within = all.iter().take_while(|(squared, _)| *squared <= radius * radius).map(|(_, id)| id);
        assert!(within.eq(ids(&found)), "{what}: within {radius} of {point:?}");
        world.query().nearest(point, count, &mut found).unwrap();
        assert!(all.iter().map(|(_, id)| id).take(count).eq(ids(&found)), "{what}: {count} nearest to {point:?}");
    }
    let species: Vec<_> = world.species_ids().collect();
    let agents = world.agents(species[random.below(species.len())]).unwrap();
    if let Some(&id) = agents.ids().get(random.below(agents.len())) {
        let radius = random.unit() * 10.0;
        world.query().around(id, radius, &mut near).unwrap();
        let all = naive(world, world.position(id).unwrap());
        let within = all.iter().filter(|(squared, other)| *squared <= radius * radius && *other != id);
        assert!(within.map(|(_, other)| other).eq(ids(&near)), "{what}: neighbours within {radius}");
        for neighbour in near {
            assert_eq!(
                world.position(neighbour.id).unwrap(),
                world.agents(neighbour.species).unwrap().position(neighbour.row)
            );
        }
    }
}

/// Runs a world with every tick watched beside a world with none watched.
fn check<const D: usize>(name: &str, mut world: World<D>, ticks: usize) {
    let mut twin = world.clone();
    let (mut random, mut random_of_twin, mut points) = (Random::new(5), Random::new(5), Random::new(7));
    for number in 0..ticks {
        if number % 3 == 2 {
            edit(&mut world, &mut random);
            edit(&mut twin, &mut random_of_twin);
        }
        world.step_watched(|stage, world| {
            let what = format!("{name}, {stage} of tick {number}");
            ask(world, &mut points, &what);
            let order = polarisation(world);
            assert!(order.is_nan() || (0.0..=1.001).contains(&order), "{what}: {order}");
            if number % 8 == 3
                && let Some(&id) = world.all_agents().iter().find_map(|agents| agents.ids().first())
            {
                assert_eq!(world.clone().explain(id).unwrap().position, world.position(id).unwrap(), "{what}");
            }
        });
        assert_eq!((world.state_hash(), world.events().to_vec()), tick(&mut twin), "{name}: tick {number}");
        ask(&world, &mut points, &format!("{name}, after tick {number}"));
        ask(&twin, &mut points, &format!("{name} unwatched, after tick {number}"));
    }
}

#[test]
fn every_scenario_can_be_read_in_every_stage() {
    for (name, scenario) in scenarios().into_iter().filter(|(_, scenario)| scenario.agents() < 1500) {
        pool(2).install(|| match scenario.dimensions() {
            3 => check::<3>(&name, scenario.build().unwrap(), 24),
            _ => check::<2>(&name, scenario.build().unwrap(), 24),
        });
    }
}

/// Several species that look for the nearest of all, between walls.
fn hunters<const D: usize>(edge: Edge, count: usize) -> World<D> {
    let settings = Settings { size: Vector::splat(60.0), edge: [edge; _], tick_seconds: 0.2, ..Settings::default() };
    let mut world = World::<D>::new(settings).unwrap();
    let mut random = Random::new(1);
    for number in 0..5 {
        let pursue = Pursue { target: Target::Nearest(SpeciesFilter::All), ..Pursue::default() };
        let species = Species::new(format!("hunter{number}"))
            .with_max_speed(4.0)
            .with(1.0, pursue)
            .with(0.5, Wander::default())
            .with(0.5, Separation::default())
            .with(1.0, AvoidWalls::default());
        let id = world.add_species(species).unwrap();
        for _ in 0..count / 5 {
            let (at, velocity) = (random.point(Vector::splat(60.0)), random.point(Vector::splat(4.0)));
            world.spawn(id, at, velocity).unwrap();
        }
    }
    let wall = WallShape::Box { centre: Vector::splat(30.0), half: Vector::splat(4.0) };
    world.environment_mut().walls.add(Wall::new(wall)).unwrap();
    world
}

#[test]
fn questions_of_a_watched_tick_change_no_later_search() {
    for edge in [Edge::Wrap, Edge::Bounce, Edge::Open] {
        check("hunters", hunters::<2>(edge, 300), 40);
        check("hunters in space", hunters::<3>(edge, 300), 20);
        let (mut world, mut twin) = (hunters::<2>(edge, 300), hunters::<2>(edge, 300));
        let (mut points, mut found) = (Random::new(3), Vec::new());
        for number in 0..30 {
            world.step_watched(|_, world| {
                for _ in 0..100 {
                    world.query().nearest(points.point(Vector::splat(60.0)), 1, &mut found).unwrap();
                }
            });
            assert_eq!((world.state_hash(), world.events().to_vec()), tick(&mut twin), "{edge:?}: tick {number}");
            ask(&world, &mut points, "between ticks");
        }
    }
}

#[test]
fn agents_that_were_removed_before_a_sort_are_not_found() {
    let settings = Settings { size: Vector([100.0; 2]), ..Settings::default() };
    let mut world = World::<2>::new(settings).unwrap();
    let bird = Species::new("bird").with(1.0, Separation { radius: 2.0, ..Separation::default() });
    let bird = world.add_species(bird).unwrap();
    let mut random = Random::new(2);
    let mut ids: Vec<AgentId> = (0..20_000)
        .map(|_| world.spawn(bird, random.point(Vector([100.0; 2])), random.point(Vector([3.0; 2]))).unwrap())
        .collect();
    for number in 0..60 {
        for id in ids.drain(..ids.len() / 20).collect::<Vec<_>>() {
            world.despawn(id).unwrap();
        }
        world.step_watched(|stage, world| ask(world, &mut random, &format!("{stage} of tick {number}")));
        ask(&world, &mut random, "between ticks");
    }
}
