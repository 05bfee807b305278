//! Tests of edge cases: empty worlds, one and two agents, coincident agents, the seam, far outliers, non-finite forces.

use proptest::prelude::*;
use throng::behaviours::{Alignment, AvoidNeighbours, Cohesion, Separation};
use throng::{
    AgentId, AgentRef, Behaviour, Edge, Event, LIMIT, Settings, Species, SpeciesFilter, Vector, World, steering,
};

use crate::crowds::cases;
use crate::naive::{EPSILON, agents, length, offset};

const SIZE: f32 = 20.0;

fn settings<const D: usize>(edge: Edge, seed: u64) -> Settings<D> {
    Settings { size: Vector::splat(SIZE), edge: [edge; _], seed, ..Settings::default() }
}

fn flocking<const D: usize>(name: &str) -> Species<D> {
    Species::new(name).with(1.5, Separation::default()).with(1.0, Alignment::default()).with(1.0, Cohesion::default())
}

/// A world with one species, which only separates and starts at rest on these points.
fn parting<const D: usize>(settings: Settings<D>, points: &[Vector<D>]) -> (World<D>, Vec<AgentId>) {
    let mut world = World::new(settings).unwrap();
    let id = world.add_species(Species::new("starling").with(1.0, Separation::default())).unwrap();
    let ids = points.iter().map(|&point| world.spawn(id, point, Vector::ZERO).unwrap()).collect();
    (world, ids)
}

fn distance<const D: usize>(world: &World<D>, a: AgentId, b: AgentId) -> f64 {
    let place = |id| {
        let (species, row) = world.find(id).unwrap();
        world.agents(species).unwrap().position(row).0
    };
    length(offset(world.settings(), place(a), place(b)))
}

fn force<const D: usize>(world: &World<D>, id: AgentId) -> Vector<D> {
    let (species, row) = world.find(id).unwrap();
    Vector(world.steering(species).unwrap().map(|axis| axis[row]))
}

fn nobody_and_one<const D: usize>() {
    for edge in Edge::ALL {
        let mut world = World::<D>::new(settings(edge, 1)).unwrap();
        world.step();
        let id = world.add_species(flocking("starling")).unwrap();
        world.step();
        let one = world.spawn(id, Vector::splat(5.0), Vector::splat(1.0)).unwrap();
        for _ in 0..20 {
            world.step();
            assert_eq!(force(&world, one), Vector::ZERO, "an agent is not its own neighbour");
        }
        assert_eq!((world.tick(), world.population()), (22, 1));
    }
}

#[test]
fn empty_worlds_and_single_agents_are_stepped() {
    nobody_and_one::<2>();
    nobody_and_one::<3>();
}

/// Two coincident agents part at once, in opposite directions, and keep moving apart.
fn two_on_one_point<const D: usize>(edge: Edge, at: f32, seed: u64) {
    let (mut world, ids) = parting(settings::<D>(edge, seed), &[Vector::splat(at); 2]);
    let mut before = 0.0;
    for tick in 0..20 {
        world.step();
        let (one, other) = (force(&world, ids[0]), force(&world, ids[1]));
        if tick == 0 {
            assert_eq!(one, -other);
            let full = world.agents(world.find(ids[0]).unwrap().0).unwrap().max_speed(0) / 0.2;
            assert!((one.length() - full).abs() < 1e-3, "{one:?}");
        }
        if before < 5.0 {
            let after = distance(&world, ids[0], ids[1]);
            assert!(after > before && one.dot(other) < 0.0, "tick {tick}: {before} m, then {after} m");
            before = after;
        }
    }
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn two_coincident_agents_part(at in prop_oneof![Just(0.0f32), Just(10.0), 5.0f32..15.0], seed in any::<u64>()) {
        two_on_one_point::<2>(Edge::Wrap, at, seed);
        two_on_one_point::<3>(Edge::Wrap, at, seed);
        two_on_one_point::<2>(Edge::Open, at, seed);
        two_on_one_point::<3>(Edge::Open, at, seed);
    }
}

/// Coincident agents of two species that perceive each other part too, in a direction that follows from the seed.
#[test]
fn coincident_agents_of_two_species_part() {
    let part = |seed| {
        let mut world = World::<2>::new(settings(Edge::Wrap, seed)).unwrap();
        let ids = ["starling", "hawk"].map(|name| {
            let species =
                Species::new(name).with(1.0, Separation { from: SpeciesFilter::All, ..Separation::default() });
            let id = world.add_species(species).unwrap();
            world.spawn(id, [3.0, 3.0], [0.0, 0.0]).unwrap()
        });
        world.step();
        assert_eq!(force(&world, ids[0]), -force(&world, ids[1]));
        assert!(force(&world, ids[0]) != Vector::ZERO);
        force(&world, ids[0])
    };
    assert_eq!(part(1), part(1));
    assert_ne!(part(1), part(2));
}

/// A crowd on one point, larger than a chunk, comes apart: no two agents share a point at the end.
fn everybody_on_one_point<const D: usize>(seed: u64) {
    let (mut world, ids) = parting(settings::<D>(Edge::Wrap, seed), &[Vector::splat(0.0); 600]);
    for _ in 0..8 {
        world.step();
        assert!(world.events().is_empty());
    }
    let mut places: Vec<[u32; D]> = agents(&world).iter().map(|agent| agent.position.map(f32::to_bits)).collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), ids.len());
}

#[test]
fn a_crowd_on_one_point_parts() {
    everybody_on_one_point::<2>(1);
    everybody_on_one_point::<3>(2);
}

/// Two agents across the seam, or with one on it, have the distance that they would have elsewhere.
#[test]
fn agents_across_the_seam_separate() {
    for (one, other) in [(0.0, SIZE - 1.0), (SIZE, SIZE - 1.0), (0.5, SIZE - 0.5), (-0.5, 0.5)] {
        let points = [Vector([one, 5.0]), Vector([other, 5.0])];
        let (mut world, ids) = parting(settings::<2>(Edge::Wrap, 0), &points);
        let before = distance(&world, ids[0], ids[1]);
        world.step();
        assert!((before - 1.0).abs() < 1e-5, "{before}");
        let [x, y] = force(&world, ids[0]).0;
        assert!(x.abs() > 10.0 && y == 0.0, "{x} {y}");
        assert!(distance(&world, ids[0], ids[1]) > before);
    }
}

/// A periodic world ends just before its size, also for positions that round to it.
#[test]
fn positions_at_the_seam_stay_inside() {
    let hair = [-1e-9, -f32::MIN_POSITIVE, SIZE, -SIZE, 2.0 * SIZE, -0.0];
    let (mut world, ids) = parting(settings::<2>(Edge::Wrap, 0), &hair.map(Vector::splat));
    for _ in 0..2 {
        for agent in agents(&world) {
            assert!(agent.position.iter().all(|at| (0.0..SIZE).contains(at)), "{agent:?}");
        }
        for &id in &ids {
            world.set_position(id, [0.0, 5.0]).unwrap();
            world.set_velocity(id, [-1e-7, 0.0]).unwrap();
        }
        world.step();
    }
}

/// Where all agents coincide and exceed the budget, each has at most 512 candidates. A budget that is not exceeded
/// changes nothing.
#[test]
fn the_budget_bounds_the_cost() {
    let step = |count: usize, pair_budget| {
        let settings = Settings { pair_budget, ..settings::<2>(Edge::Wrap, 3) };
        let (mut world, _) = parting(settings, &vec![Vector([1.0, 1.0]); count]);
        world.step();
        (world.state_hash(), world.profile().capped, world.profile().candidates)
    };
    let (_, capped, neighbour_lists) = step(900, Some(64));
    assert_eq!(capped, 900);
    assert!(neighbour_lists <= 900 * 512, "{neighbour_lists}");
    assert_eq!((step(900, None).1, step(900, None).2), (0, 900 * 900));
    let other = |count, budget| (step(count, budget).1, step(count, budget).2);
    assert_eq!(other(900, Some(1000)), other(900, None));
}

/// An agent at the far end of an open world has no neighbours and does not affect the others.
#[test]
fn a_far_outlier_does_not_affect_the_others() {
    let near: Vec<Vector<2>> = (0..300).map(|i| Vector([(i % 20) as f32, (i / 20) as f32])).collect();
    let (mut without, ids) = parting(settings(Edge::Open, 0), &near);
    let (mut with, _) = parting(settings(Edge::Open, 0), &[near, vec![Vector([-LIMIT, LIMIT])]].concat());
    without.step();
    with.step();
    for &id in &ids {
        let (a, b) = (force(&with, id), force(&without, id));
        let difference = (a - b).length();
        assert!(f64::from(difference) <= 100.0 * 64.0 * EPSILON * 50.0, "equal but for the order of sums: {a:?} {b:?}");
    }
    assert_eq!(with.population(), without.population() + 1);
}

/// Hunter and prey perceive each other at different distances.
#[test]
fn hunter_and_prey_have_their_own_radii() {
    let mut world = World::<2>::new(settings(Edge::Wrap, 0)).unwrap();
    let mut add = |name: &str, filter: &str, radius| {
        let rule = Cohesion { radius, from: SpeciesFilter::named(filter), ..Cohesion::default() };
        let id = world.add_species(Species::new(name).with(1.0, rule)).unwrap();
        world.spawn(id, [if name == "hawk" { 2.0 } else { 18.0 }, 5.0], [0.0, 0.0]).unwrap()
    };
    let ids = [add("hawk", "starling", 5.0), add("starling", "hawk", 3.0)];
    world.step();
    assert_eq!(force(&world, ids[1]), Vector::ZERO);
    assert!(force(&world, ids[0])[0] < 0.0, "the prey is four metres away, across the seam");
    assert_eq!(world.profile().neighbours, 1);
}

/// The rules of a flock equal the plain functions of the library, which need no world.
#[test]
fn the_forces_of_a_flock_are_those_of_the_plain_functions() {
    let mut world = World::<3>::new(settings(Edge::Open, 0)).unwrap();
    let flock = Species::new("a")
        .with(1.0, Separation { radius: 9.0, ..Separation::default() })
        .with(1.0, Alignment { radius: 9.0, ..Alignment::default() })
        .with(1.0, Cohesion { radius: 9.0, ..Cohesion::default() });
    let (max_speed, response) = (10.0, flock.response);
    let id = world.add_species(flock).unwrap();
    let (me, mine) = (Vector([5.0, 5.0, 5.0]), Vector([1.0, -2.0, 0.5]));
    let others = [([6.0, 5.0, 3.0], [0.0, 1.0, 0.0]), ([2.0, 7.0, 5.5], [3.0, 0.0, -1.0]), ([5.0, 4.0, 9.0], [0.5; 3])];
    let agent = world.spawn(id, me, mine).unwrap();
    for (position, velocity) in others {
        world.spawn(id, position, velocity).unwrap();
    }
    let contributions = world.explain(agent).unwrap().contributions;
    let offsets = others.map(|(position, _)| Vector(position) - me);
    let expected = [
        steering::separation(offsets, max_speed),
        steering::alignment(others.map(|(_, velocity)| velocity)),
        steering::cohesion(offsets, max_speed),
    ];
    for (contribution, desired) in contributions.iter().zip(expected) {
        let expected = steering::force(desired, mine, response);
        assert!((contribution.force - expected).length() < 1e-4, "{contribution:?}, not {expected:?}");
    }
}

/// Neighbours of lists are counted once, by the list with the widest view, if no rule has a sum.
#[test]
fn neighbours_that_are_listed_are_counted() {
    let mut world = World::<2>::new(settings(Edge::Wrap, 0)).unwrap();
    let near = AvoidNeighbours { radius: 2.0, ..AvoidNeighbours::default() };
    let far = AvoidNeighbours { radius: 3.5, ..AvoidNeighbours::default() };
    let id = world.add_species(Species::new("a").with(1.0, near).with(1.0, far)).unwrap();
    for x in [5.0, 6.0, 9.0] {
        world.spawn(id, [x, 5.0], [0.0, 0.0]).unwrap();
    }
    world.step();
    // All agents see each other, except the two at the ends, four metres apart.
    assert_eq!(world.profile().neighbours, 4);
}

#[derive(Debug)]
struct Broken(f32);

impl<const D: usize> Behaviour<D> for Broken {
    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        if me.row() % 7 == 3 { Vector::splat(self.0) } else { Vector::splat(1.0) }
    }
}

/// Forces that are not finite are dropped and reported; other agents are unaffected.
#[test]
fn non_finite_forces_do_not_spread() {
    for broken in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut world = World::<3>::new(settings(Edge::Wrap, 0)).unwrap();
        let id = world.add_species(Species::new("starling").with(1.0, Broken(broken))).unwrap();
        for i in 0..300 {
            world.spawn(id, Vector::splat(i as f32 * 0.01), Vector::splat(0.5)).unwrap();
        }
        world.step();
        let sick: Vec<AgentId> =
            (0..300).filter(|row| row % 7 == 3).map(|row| world.agents(id).unwrap().ids()[row]).collect();
        let reported: Vec<Event> = sick.iter().map(|&agent| Event::Quarantined { agent, species: id }).collect();
        assert_eq!(world.events(), reported);
        for agent in agents(&world) {
            let unchanged = agent.velocity == [0.5; 3];
            assert_eq!(unchanged, sick.contains(&agent.id), "{agent:?}");
            assert!(agent.position.iter().all(|coordinate| coordinate.is_finite()));
        }
    }
}
