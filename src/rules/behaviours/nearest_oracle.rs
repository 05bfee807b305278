//! Tests: rules limited to the nearest neighbours agree with exhaustive searches.

use crate::rules::behaviours::testing::{RESPONSE, assert_near, periodic};
use crate::rules::behaviours::{Alignment, Cohesion, Evade, Separation};
use crate::rules::steering;
use crate::{AgentId, Behaviour, Noise, Species, Vector, World};

const RADIUS: f32 = 15.0;
const MAX_SPEED: f32 = 10.0;

/// A neighbour: the square of its distance, its id, its offset and its velocity.
type VisibleAgents<const D: usize> = (f32, AgentId, Vector<D>, Vector<D>);

/// A crowd with one rule, dense in the middle and sparse at the edges of the world.
fn crowd<const D: usize>(rule: impl Behaviour<D>) -> World<D> {
    let mut world = periodic();
    let species = Species { response: RESPONSE, max_force: 1e6.into(), ..Species::new("crowd").with(1.0, rule) };
    let species = world.add_species(species).unwrap();
    let mut noise = Noise::new(5, 0, 0, Noise::USER);
    for number in 0..500 {
        let spread = if number % 2 == 0 { 12.0 } else { 49.0 };
        world.spawn(species, Vector::splat(50.0) + noise.in_ball() * spread, noise.in_ball() * 5.0).unwrap();
    }
    world
}

/// The `count` nearest neighbours of an agent by exhaustive search; all within the radius if `count` is zero.
fn nearest<const D: usize>(world: &World<D>, agent: AgentId, count: usize) -> Vec<VisibleAgents<D>> {
    let from = world.position(agent).unwrap();
    let others = world.species_ids().flat_map(|species| world.agents(species).unwrap().ids());
    let mut seen: Vec<VisibleAgents<D>> = others
        .filter(|other| **other != agent)
        .map(|&other| {
            let offset = world.settings().offset(from, world.position(other).unwrap());
            (offset.length_squared(), other, offset, world.velocity(other).unwrap())
        })
        .filter(|(squared, ..)| *squared <= RADIUS * RADIUS)
        .collect();
    seen.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.to_bits().cmp(&b.1.to_bits())));
    seen.truncate(if count == 0 { seen.len() } else { count });
    seen
}

/// Compares the force on every agent with a formula over its nearest neighbours, for several ticks.
fn compare<const D: usize, R: Behaviour<D>>(
    rule: impl Fn(u32) -> R,
    desired: impl Fn(&[VisibleAgents<D>]) -> Option<Vector<D>>,
) {
    for count in [0, 1, 7, 1000] {
        let mut world = crowd(rule(count));
        let ids: Vec<AgentId> = world.agents(world.species_ids().next().unwrap()).unwrap().ids().to_vec();
        for _ in 0..3 {
            let before = world.clone();
            world.step();
            for &agent in &ids {
                let wanted = desired(&nearest(&before, agent, count as usize));
                let expected = steering::force(wanted, before.velocity(agent).unwrap(), RESPONSE);
                assert_near(world.steering_of(agent).unwrap(), expected);
            }
        }
    }
}

fn rules_see_the_nearest<const D: usize>() {
    let separation = |nearest| Separation { radius: RADIUS, nearest, ..Separation::default() };
    compare::<D, _>(separation, |seen| steering::separation(seen.iter().map(|seen| seen.2), MAX_SPEED));
    let alignment = |nearest| Alignment { radius: RADIUS, nearest, ..Alignment::default() };
    compare::<D, _>(alignment, |seen| steering::alignment(seen.iter().map(|seen| seen.3)));
    let cohesion = |nearest| Cohesion { radius: RADIUS, nearest, ..Cohesion::default() };
    compare::<D, _>(cohesion, |seen| steering::cohesion(seen.iter().map(|seen| seen.2), MAX_SPEED));
    // The nearest hunter does not depend on the limit.
    let evade = |nearest| Evade { radius: RADIUS, horizon: 1e-6, nearest, ..Evade::default() };
    compare::<D, _>(evade, |seen| seen.first().and_then(|seen| steering::seek(-seen.2, MAX_SPEED)));
}

#[test]
fn limited_rules_use_only_the_nearest() {
    rules_see_the_nearest::<2>();
    rules_see_the_nearest::<3>();
}
