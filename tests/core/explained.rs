//! Tests that an explanation is the steering of the next tick, bit by bit.

use crate::edits::Random;
use throng::behaviours::{Alignment, Cohesion, Separation};
use throng::{AgentId, Edge, Settings, Species, SpeciesFilter, Vector, World};

fn bits<const D: usize>(vector: Vector<D>) -> [u32; D] {
    vector.0.map(f32::to_bits)
}

/// Explains agents of a random world before its ticks, after random edits, and compares with what the ticks do.
fn check<const D: usize>(seed: u64) {
    let mut random = Random::new(seed);
    let size = Vector::splat(20.0 + 30.0 * random.unit());
    let edge = Edge::ALL[random.below(Edge::ALL.len())];
    let settings = Settings { size, edge: [edge; _], seed, tick_seconds: 0.1, ..Settings::default() };
    let mut world = World::<D>::new(settings).unwrap();
    let mut species = Vec::new();
    for number in 0..1 + random.below(3) {
        let radius = 1.0 + 6.0 * random.unit();
        let from = if random.below(2) == 0 { SpeciesFilter::All } else { SpeciesFilter::Own };
        let bird = Species::new(format!("s{number}"))
            .with(1.5, Separation { radius, from: from.clone(), ..Separation::default() })
            .with(1.0, Alignment { radius, from: from.clone(), ..Alignment::default() })
            .with(1.0, Cohesion { radius, from, ..Cohesion::default() });
        species.push(world.add_species(bird).unwrap());
    }
    for _ in 0..20 + random.below(400) {
        let id = species[random.below(species.len())];
        world.spawn(id, random.point(size), random.point(Vector::splat(4.0))).unwrap();
    }
    for _ in 0..40 {
        for _ in 0..random.below(4) {
            let id = species[random.below(species.len())];
            let agents = world.agents(id).unwrap();
            let chosen = agents.ids().get(random.below(agents.len())).copied();
            match (random.below(4), chosen) {
                (0, _) => drop(world.spawn(id, random.point(size), Vector::ZERO)),
                (1, Some(agent)) => drop(world.despawn(agent)),
                (2, Some(agent)) => drop(world.set_position(agent, random.point(size))),
                (_, Some(agent)) => drop(world.set_velocity(agent, random.point(Vector::splat(3.0)))),
                _ => {}
            }
        }
        let all: Vec<AgentId> = world.all_agents().iter().flat_map(|agents| agents.ids()).copied().collect();
        let asked: Vec<AgentId> = (0..5).filter_map(|_| all.get(random.below(all.len())).copied()).collect();
        let before: Vec<_> = asked.iter().map(|&id| world.explain(id).unwrap()).collect();
        world.step();
        for (id, explanation) in asked.into_iter().zip(before) {
            // The tick may have removed it.
            if let Ok(steering) = world.steering_of(id) {
                let tick = world.tick();
                assert_eq!(bits(explanation.steering), bits(steering), "seed {seed}, tick {tick}, agent {id:?}");
            }
        }
    }
}

#[test]
fn an_explanation_is_the_steering_of_the_next_tick() {
    for seed in 0..60 {
        check::<2>(seed);
        check::<3>(seed);
    }
}
