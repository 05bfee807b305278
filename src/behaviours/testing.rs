//! What do the tests of the rules start from? A wide world without an edge, and somebody in it.
#![cfg(test)]

use crate::{AgentId, Behaviour, Edge, Settings, Species, SpeciesId, Vector, World};

/// Seconds per tick: a power of two, so that times add up exactly.
pub(super) const TICK: f32 = 1.0 / 64.0;

/// The response of [`species`], in seconds.
pub(super) const RESPONSE: f32 = 0.25;

/// An open world without species.
pub(super) fn open<const D: usize>() -> World<D> {
    World::new(Settings { edge: Edge::Open, tick_seconds: TICK, ..Settings::default() }).unwrap()
}

/// A periodic world of 100 m without species.
pub(super) fn periodic<const D: usize>() -> World<D> {
    World::new(Settings { size: Vector::splat(100.0), tick_seconds: TICK, ..Settings::default() }).unwrap()
}

/// Agents with one rule: of at most 10 m/s and, so that nothing is cut, very strong.
pub(super) fn species<const D: usize>(name: &str, rule: impl Behaviour<D> + 'static) -> Species<D> {
    let species = Species::new(name).with(1.0, rule);
    Species { response: RESPONSE, max_force: 1e6.into(), ..species }
}

/// Adds somebody with one rule.
pub(super) fn add<const D: usize>(
    world: &mut World<D>,
    rule: impl Behaviour<D> + 'static,
    position: [f32; D],
    velocity: [f32; D],
) -> AgentId {
    let name = format!("with rule {}", world.species_ids().count());
    let species = world.add_species(species(&name, rule)).unwrap();
    world.spawn(species, position, velocity).unwrap()
}

/// Adds a species of this name without rules, and somebody of it, who flies on with the same velocity.
pub(super) fn add_inert<const D: usize>(
    world: &mut World<D>,
    name: &str,
    position: [f32; D],
    velocity: [f32; D],
) -> (SpeciesId, AgentId) {
    let species = world.add_species(Species { max_speed: 1e3.into(), ..Species::new(name) }).unwrap();
    (species, world.spawn(species, position, velocity).unwrap())
}

/// Somebody with one rule in an open world.
pub(super) fn alone<const D: usize>(
    rule: impl Behaviour<D> + 'static,
    position: [f32; D],
    velocity: [f32; D],
) -> (World<D>, AgentId) {
    let mut world = open();
    let agent = add(&mut world, rule, position, velocity);
    (world, agent)
}

/// The force on an agent in the next tick, in newtons.
pub(super) fn force<const D: usize>(world: &mut World<D>, agent: AgentId) -> Vector<D> {
    world.step();
    assert!(world.events().is_empty(), "{:?}", world.events());
    let (species, row) = world.find(agent).unwrap();
    let force = world.steering(species).unwrap();
    Vector::from_fn(|axis| force[axis][row])
}

/// The velocity that an agent wants, judging by the force on it in the next tick.
pub(super) fn desired<const D: usize>(world: &mut World<D>, agent: AgentId) -> Vector<D> {
    let (_, velocity) = motion(world, agent);
    velocity + force(world, agent) * RESPONSE
}

/// The position and the velocity of an agent.
pub(super) fn motion<const D: usize>(world: &World<D>, agent: AgentId) -> (Vector<D>, Vector<D>) {
    let (species, row) = world.find(agent).unwrap();
    let agents = world.agents(species).unwrap();
    (agents.position(row), agents.velocity(row))
}

/// The distance between two agents.
pub(super) fn distance<const D: usize>(world: &World<D>, one: AgentId, other: AgentId) -> f32 {
    world.settings().offset(motion(world, one).0, motion(world, other).0).length()
}

/// Asserts that two vectors are the same but for rounding.
#[track_caller]
pub(super) fn assert_near<const D: usize>(actual: Vector<D>, expected: impl Into<Vector<D>>) {
    let expected = expected.into();
    assert!((actual - expected).length() < 1e-4 * (1.0 + expected.length()), "{actual:?}, not {expected:?}");
}
