//! Fixtures for the tests of the rules: worlds with agents that one rule steers.
#![cfg(test)]

use std::sync::Arc;

use crate::rules::behaviours::{NamedRule, all};
use crate::rules::parameters::{Kind, Parameter, Value};
use crate::{AgentId, Behaviour, Edge, Event, Noise, Rule, Settings, Species, SpeciesId, Vector, World};

/// Seconds per tick: a power of two, so that times add up exactly.
pub(crate) const TICK: f32 = 1.0 / 64.0;

/// The response of [`species`], in seconds.
pub(crate) const RESPONSE: f32 = 0.25;

/// A world of 100 m without species.
fn empty<const D: usize>(edge: Edge) -> World<D> {
    World::new(Settings { edge: [edge; _], tick_seconds: TICK, ..Settings::default() }).unwrap()
}

/// An open world without species.
pub(crate) fn open<const D: usize>() -> World<D> {
    empty(Edge::Open)
}

/// A periodic world without species.
pub(crate) fn periodic<const D: usize>() -> World<D> {
    empty(Edge::Wrap)
}

/// A world with one species of default strength and one rule, without agents.
pub(crate) fn ruled<const D: usize>(edge: Edge, rule: impl Behaviour<D>) -> World<D> {
    let mut world = empty(edge);
    world.add_species(Species { response: RESPONSE, ..Species::new("agent").with(1.0, rule) }).unwrap();
    world
}

/// Adds an agent of the first species.
pub(crate) fn spawn<const D: usize>(world: &mut World<D>, position: [f32; D], velocity: [f32; D]) -> AgentId {
    let first = world.species_ids().next().unwrap();
    world.spawn(first, position, velocity).unwrap()
}

/// Gives the first species one more rule.
pub(crate) fn add_rule<const D: usize>(world: &mut World<D>, weight: f32, rule: impl Behaviour<D>) {
    let first = world.species_ids().next().unwrap();
    world.add_rule(first, Rule::new(weight, rule)).unwrap();
}

/// A species with one rule, a maximum speed of 10 m/s and a force limit that is never reached.
pub(crate) fn species<const D: usize>(name: &str, rule: impl Behaviour<D>) -> Species<D> {
    let species = Species::new(name).with(1.0, rule);
    Species { response: RESPONSE, max_force: 1e6.into(), ..species }
}

/// Adds an agent with one rule.
pub(crate) fn add<const D: usize>(
    world: &mut World<D>,
    rule: impl Behaviour<D>,
    position: [f32; D],
    velocity: [f32; D],
) -> AgentId {
    let name = format!("with rule {}", world.species_ids().count());
    let species = world.add_species(species(&name, rule)).unwrap();
    world.spawn(species, position, velocity).unwrap()
}

/// Adds a species with this name and without rules, and one agent of it, which keeps its velocity.
pub(crate) fn add_inert<const D: usize>(
    world: &mut World<D>,
    name: &str,
    position: [f32; D],
    velocity: [f32; D],
) -> (SpeciesId, AgentId) {
    let species = world.add_species(Species { max_speed: 1e3.into(), ..Species::new(name) }).unwrap();
    (species, world.spawn(species, position, velocity).unwrap())
}

/// An agent with one rule in an open world.
pub(crate) fn alone<const D: usize>(
    rule: impl Behaviour<D>,
    position: [f32; D],
    velocity: [f32; D],
) -> (World<D>, AgentId) {
    let mut world = open();
    let agent = add(&mut world, rule, position, velocity);
    (world, agent)
}

/// The first agent whose steering was not finite.
fn quarantined<const D: usize>(world: &World<D>) -> Option<Event> {
    world.events().iter().copied().find(|event| matches!(event, Event::Quarantined { .. }))
}

/// The force on an agent in the next tick, in newtons.
pub(crate) fn force<const D: usize>(world: &mut World<D>, agent: AgentId) -> Vector<D> {
    world.step();
    assert_eq!(quarantined(world), None);
    world.steering_of(agent).unwrap()
}

/// The desired velocity of an agent, derived from the force on it in the next tick.
pub(crate) fn desired<const D: usize>(world: &mut World<D>, agent: AgentId) -> Vector<D> {
    let (_, velocity) = motion(world, agent);
    velocity + force(world, agent) * RESPONSE
}

/// The position and the velocity of an agent.
pub(crate) fn motion<const D: usize>(world: &World<D>, agent: AgentId) -> (Vector<D>, Vector<D>) {
    (world.position(agent).unwrap(), world.velocity(agent).unwrap())
}

/// The offset from one agent to another.
pub(crate) fn offset<const D: usize>(world: &World<D>, from: AgentId, to: AgentId) -> Vector<D> {
    world.settings().offset(motion(world, from).0, motion(world, to).0)
}

/// Asserts that two vectors are equal up to rounding.
#[track_caller]
pub(crate) fn assert_near<const D: usize>(actual: Vector<D>, expected: impl Into<Vector<D>>) {
    let expected = expected.into();
    assert!((actual - expected).length() < 1e-4 * (1.0 + expected.length()), "{actual:?}, not {expected:?}");
}

/// A small crowd with one rule and difficult cases: coincident agents, agents at rest, an obstacle, a hunter.
fn crowd<const D: usize>(rule: Arc<dyn Behaviour<D>>, max_speed: f32) -> World<D> {
    let mut world = periodic();
    let at = Vector::splat(50.0);
    world.environment_mut().obstacles.add(crate::Obstacle::new(at, 3.0)).unwrap();
    add_inert(&mut world, "hawk", at.0, [0.0; D]);
    let rules = vec![Rule::from_arc(1.0, rule)];
    let species = Species { rules, max_speed: max_speed.into(), ..Species::new("crowd") };
    let species = world.add_species(species).unwrap();
    let mut noise = Noise::new(3, 0, 0, 0);
    for number in 0..400 {
        let velocity = if number % 3 == 0 { Vector::ZERO } else { noise.in_ball() * 10.0 };
        let position = if number % 5 == 0 { at } else { at + noise.in_ball() * 30.0 };
        world.spawn(species, position, velocity).unwrap();
    }
    world
}

/// The hash of the state after some ticks in a pool of `threads` threads; panics on a quarantined agent.
fn hash_after<const D: usize>(rule: Box<dyn NamedRule<D>>, max_speed: f32, threads: usize) -> u64 {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let what = format!("at most {max_speed} m/s: {rule:?}");
        let mut world = crowd(Arc::from(rule as Box<dyn Behaviour<D>>), max_speed);
        for _ in 0..4 {
            world.step();
            assert_eq!(quarantined(&world), None, "{what}");
        }
        world.state_hash()
    })
}

/// The extreme values of a parameter's range, and some awkward ones.
pub(crate) fn extremes<const D: usize>(parameter: &Parameter) -> Vec<Value> {
    let point = |at: f64| vec![at; D];
    match parameter.kind {
        Kind::Number(range) => {
            let low = if range.above { 1e-30 } else { range.low };
            [low, 1e-30, range.high].map(Value::Number).to_vec()
        }
        Kind::Target => {
            ["nearest:all", "nearest:absent", "kept:all", "random:1"].map(|word| Value::Word(word.to_owned())).to_vec()
        }
        Kind::Points(_) => {
            vec![Value::Points(vec![]), Value::Points(vec![point(50.0); 3]), Value::Points(vec![point(1e6)])]
        }
        Kind::Point(_) => [0.0, 1e6].map(|at| Value::Point(point(at))).to_vec(),
        Kind::Whole(low, high) => [low, 1, high].map(Value::Whole).to_vec(),
        Kind::Flag => [true, false].map(Value::Flag).to_vec(),
        Kind::Choice(words) => words.iter().map(|&word| Value::Word(word.to_owned())).collect(),
        _ => Vec::new(),
    }
}

fn every_rule_at_its_extremes<const D: usize>() {
    for number in 0..all::<D>().len() {
        let fresh = || {
            let mut rule = all::<D>().swap_remove(number);
            for parameter in rule.parameters() {
                let value = match parameter.kind {
                    Kind::Target => Value::Point(vec![50.0; D]),
                    Kind::Points(_) => Value::Points([30.0, 50.0, 50.0, 80.0].map(|at| vec![at; D]).to_vec()),
                    Kind::Statements => Value::Word("velocity = mean(offset) + random_direction()".to_owned()),
                    _ => continue,
                };
                rule.set(parameter.name, &value).unwrap();
            }
            rule
        };
        for parameter in fresh().parameters() {
            for value in extremes::<D>(parameter) {
                let mut rule = fresh();
                rule.set(parameter.name, &value).unwrap();
                hash_after(rule, 10.0, 1);
            }
        }
        for max_speed in [0.0, 1e-30, 1e6] {
            hash_after(fresh(), max_speed, 1);
        }
        let name = fresh().rule();
        assert_eq!(hash_after(fresh(), 10.0, 1), hash_after(fresh(), 10.0, 3), "{name} by one thread and by three");
    }
}

#[test]
fn every_rule_is_finite_at_extremes_and_independent_of_the_pool() {
    every_rule_at_its_extremes::<2>();
    every_rule_at_its_extremes::<3>();
}
