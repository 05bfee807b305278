//! Tests: rules that read the environment give the same bits as exhaustive searches.

use crate::rules::behaviours::{Alignment, AvoidObstacles, Hide, StayOnPath};
use std::sync::Arc;

use crate::base::settings::{Edge, LIMIT, Settings};
use crate::maths::Noise;
use crate::rules::behaviours::pursue::seconds_ahead;
use crate::rules::interface::{AgentRef, Behaviour, Inputs, SpeciesFilter};
use crate::rules::steering::{self, Body, Feeler};
use crate::rules::target::Target;
use crate::species::{Distribution, Rule, Species};
use crate::{Obstacle, Vector, World};

const SIZE: f32 = 100.0;

/// A rule without its spatial index, evaluated by exhaustive search.
#[derive(Debug)]
struct Naive<R>(R);

impl<const D: usize> Behaviour<D> for Naive<AvoidObstacles> {
    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let AvoidObstacles { avoid_distance, avoid_buffer, braking } = self.0;
        let obstacles = me.world().environment().obstacles.items().iter();
        me.towards(steering::avoid_obstacles(
            obstacles.map(|obstacle| Body::new(me.offset_to(obstacle.centre), obstacle.velocity, obstacle.radius)),
            me.velocity(),
            me.radius(),
            me.max_speed(),
            Feeler { avoid_distance, avoid_buffer, braking },
            || Noise::new(me.world().settings().seed, me.id().to_bits(), 0, Noise::AVOID),
        ))
    }
}

impl<const D: usize> Behaviour<D> for Naive<Hide<D>> {
    fn inputs(&self) -> Inputs {
        self.0.inputs()
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        let Hide { distance, slowing_radius, .. } = &self.0;
        let world = me.world();
        me.towards(me.target_past_goal(0).and_then(|hunter| {
            let places = world.environment().obstacles.items().iter().filter_map(|obstacle| {
                let centre = me.offset_to(obstacle.centre);
                let hunter = centre - world.settings().offset(hunter.offset, centre);
                steering::hiding_place(centre, obstacle.radius, hunter, *distance)
            });
            match steering::shortest(places) {
                Some(place) => Some(steering::arrive(place, me.max_speed(), *slowing_radius)),
                None => {
                    let seconds = seconds_ahead(me, hunter.offset, 0.0, LIMIT);
                    steering::evade(hunter.offset, hunter.velocity, me.max_speed(), seconds)
                }
            }
        }))
    }
}

impl<const D: usize> Behaviour<D> for Naive<StayOnPath<D>> {
    fn inputs(&self) -> Inputs {
        self.0.inputs()
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        self.0.steer(me)
    }
}

/// A rule without its batch implementation.
#[derive(Debug)]
struct OneByOne<R>(R);

impl<const D: usize, R: Behaviour<D>> Behaviour<D> for OneByOne<R> {
    fn inputs(&self) -> Inputs {
        self.0.inputs()
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        self.0.steer(me)
    }
}

/// Random obstacles: most in the world, some moving, some large, some far outside, some coincident.
fn obstacles<const D: usize>(count: usize) -> Vec<Obstacle<D>> {
    let mut noise = Noise::new(21, 0, 0, 0);
    let draw = |number: usize| Obstacle {
        centre: match number {
            3 => Vector::splat(3.0 * SIZE),
            4 => Vector::splat(-0.3 * SIZE),
            5 | 6 => Vector::splat(0.25 * SIZE),
            _ => Vector::from_fn(|_| noise.between(0.0, SIZE)),
        },
        radius: if number == 2 { 0.2 * SIZE } else { noise.between(0.0, 3.0) },
        velocity: if number % 3 == 1 { noise.in_ball() * 20.0 } else { Vector::ZERO },
        carve: false,
    };
    (0..count).map(draw).collect()
}

fn world<const D: usize>(
    edge: [Edge; 3],
    obstacles: &[Obstacle<D>],
    rule: Box<dyn Behaviour<D>>,
    speed: f32,
) -> World<D> {
    let settings = Settings {
        size: Vector::splat(SIZE),
        edge: std::array::from_fn(|axis| edge[axis]),
        tick_seconds: 0.1,
        ..Settings::default()
    };
    let mut world = World::new(settings).unwrap();
    for obstacle in obstacles {
        world.environment_mut().obstacles.add(*obstacle).unwrap();
    }
    let hawk = world.add_species(Species { max_speed: speed.into(), ..Species::new("hawk") }).unwrap();
    let mut crowd = Species::new("crowd").with(0.1, Alignment { radius: 5.0, ..Alignment::default() });
    crowd.rules.push(Rule::from_arc(1.0, Arc::from(rule)));
    (crowd.max_speed, crowd.radius) = (speed.into(), Distribution::Uniform(0.0, 2.0));
    let crowd = world.add_species(crowd).unwrap();
    let mut noise = Noise::new(22, 0, 0, 0);
    let mut any = || Vector::<D>::from_fn(|_| noise.between(0.0, SIZE));
    for number in 0..700 {
        let velocity = if number % 7 == 0 { Vector::ZERO } else { (any() - any()) * (0.01 * speed) };
        // One hawk stands in the large obstacle, another coincides with agents.
        match number {
            0 | 1 if !obstacles.is_empty() => world.spawn(hawk, obstacles[0].centre.0, velocity).unwrap(),
            2..=9 => world.spawn(crowd, Vector::splat(0.25 * SIZE), velocity).unwrap(),
            _ => world.spawn(crowd, any(), velocity).unwrap(),
        };
    }
    world
}

/// The bits of every position and velocity.
fn motions<const D: usize>(world: &World<D>) -> Vec<u32> {
    let columns =
        world.all_agents().iter().flat_map(|agents| agents.positions().into_iter().chain(agents.velocities()));
    columns.flatten().map(|number| number.to_bits()).collect()
}

/// Compares two worlds that differ only in the rule, which must give the same motion.
fn compare<const D: usize, A, B>(obstacles: &[Obstacle<D>], speed: f32, one: impl Fn() -> A, other: impl Fn() -> B)
where
    A: Behaviour<D> + 'static,
    B: Behaviour<D> + 'static,
{
    let mixed = [[Edge::Wrap, Edge::Bounce, Edge::Open], [Edge::Open, Edge::Wrap, Edge::Wrap]];
    for edge in Edge::ALL.map(|edge| [edge; 3]).into_iter().chain(mixed) {
        let mut a = world(edge, obstacles, Box::new(one()), speed);
        let mut b = world(edge, obstacles, Box::new(other()), speed);
        for tick in 0..20 {
            assert_eq!(motions(&a), motions(&b), "{edge:?}, tick {tick}, {:?}", one());
            a.step();
            b.step();
            if tick == 10 {
                // The environment changes during the run.
                for world in [&mut a, &mut b] {
                    let environment = world.environment_mut();
                    let ids: Vec<_> = environment.obstacles.iter().map(|(id, _)| id).collect();
                    if let [first, second, ..] = ids[..] {
                        let moved =
                            Obstacle { velocity: Vector::splat(3.0), ..*environment.obstacles.get(second).unwrap() };
                        environment.obstacles.set(second, moved).unwrap();
                        environment.obstacles.remove(first).unwrap();
                    }
                }
            }
        }
    }
}

fn avoiding<const D: usize>() {
    for (count, avoid_distance, avoid_buffer, speed) in
        [(0, 15.0, 1.0, 10.0), (40, 15.0, 1.0, 10.0), (40, 80.0, 0.0, 40.0), (300, 3.0, 0.5, 10.0)]
    {
        let rule = || AvoidObstacles { avoid_distance, avoid_buffer, braking: 0.5 };
        compare::<D, _, _>(&obstacles(count), speed, rule, || Naive(rule()));
        compare::<D, _, _>(&obstacles(count), speed, rule, || OneByOne(rule()));
    }
}

#[test]
fn avoid_obstacles_matches_an_exhaustive_search() {
    avoiding::<2>();
    avoiding::<3>();
}

fn hiding<const D: usize>() {
    let hawk = || Target::Nearest(SpeciesFilter::named("hawk"));
    for (count, distance, nearest) in
        [(0, 2.0, true), (1, 2.0, true), (9, 30.0, true), (60, 2.0, true), (200, 0.0, false)]
    {
        let from = || if nearest { hawk() } else { Target::Random(0.5) };
        let rule = || Hide { from: from(), distance, ..Hide::default() };
        compare::<D, _, _>(&obstacles(count), 10.0, rule, || Naive(rule()));
        compare::<D, _, _>(&obstacles(count), 10.0, rule, || OneByOne(rule()));
    }
}

#[test]
fn hide_matches_an_exhaustive_search() {
    hiding::<2>();
    hiding::<3>();
}

fn staying<const D: usize>() {
    let mut noise = Noise::new(23, 0, 0, 0);
    let mut walk = |points: usize, step: f32| {
        let mut at = Vector::<D>::splat(0.5 * SIZE);
        let mut next = || {
            at += noise.in_ball() * step;
            at
        };
        (0..points).map(|_| next()).collect::<Vec<_>>()
    };
    let paths = [walk(1, 0.0), walk(2, 60.0), walk(12, 30.0), walk(60, 5.0), walk(60, 90.0), walk(200, 3.0)];
    // A path that crosses the world repeatedly, one through a single point, and a ring far from the agents.
    let mut noise = Noise::new(24, 0, 0, 0);
    let mut any = || Vector::<D>::from_fn(|_| noise.between(0.0, SIZE));
    let zigzag = (0..120).map(|_| any()).collect();
    let star = (0..40).map(|number| if number % 2 == 0 { Vector::splat(40.0) } else { any() }).collect();
    let ring = (0..60).map(|_| (any() - Vector::splat(0.5 * SIZE)).direction() * 40.0 + Vector::splat(9e3)).collect();
    let looks = [[(0.0, 1.0, 10.0), (3.0, 0.0, 10.0)], [(1.0, 9.0, 40.0), (0.0, 1e6, 1e3)]];
    for (number, points) in paths.into_iter().chain([zigzag, star, ring]).enumerate() {
        for (radius, horizon, speed) in looks[number % 2] {
            let rule = || StayOnPath { points: points.clone(), radius, closed: points.len() % 3 == 0, horizon };
            compare::<D, _, _>(&[], speed, rule, || Naive(rule()));
        }
    }
}

#[test]
fn stay_on_path_matches_an_exhaustive_search() {
    staying::<2>();
    staying::<3>();
}
