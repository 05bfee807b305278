//! Each model against a program that follows the published source: all pairs, in 64 bits.

use throng::{AgentId, Noise, Vector, World};

use crate::{birds, circles, flockers, flocking, vicsek};

/// The largest difference of positions in metres, and of velocities in metres per second, after a tick. Rounding to 32
/// bits grows where a short velocity is lengthened to the least speed.
const TOLERANCE: f64 = 1e-4;

/// An agent of the brute-force program.
#[derive(Clone, Copy, Debug)]
struct Agent<const D: usize> {
    id: AgentId,
    species: usize,
    at: [f64; D],
    velocity: [f64; D],
}

/// Another agent as one sees it.
#[derive(Clone, Copy, Debug)]
struct Other<const D: usize> {
    species: usize,
    offset: [f64; D],
    distance: f64,
    velocity: [f64; D],
}

fn agents<const D: usize>(world: &World<D>) -> Vec<Agent<D>> {
    let of_species = |(species, agents): (usize, &throng::Agents<D>)| {
        let rows = 0..agents.len();
        let wide = |vector: Vector<D>| vector.0.map(f64::from);
        let agent = |row: usize| Agent {
            id: agents.ids()[row],
            species,
            at: wide(agents.position(row)),
            velocity: wide(agents.velocity(row)),
        };
        rows.map(agent).collect::<Vec<_>>()
    };
    world.all_agents().iter().enumerate().flat_map(of_species).collect()
}

/// The offset from one point to another, to the nearest image on axes with a period.
fn offset<const D: usize>(from: [f64; D], to: [f64; D], period: Option<f64>) -> [f64; D] {
    std::array::from_fn(|axis| {
        let direct = to[axis] - from[axis];
        period.map_or(direct, |period| direct - (direct / period).round() * period)
    })
}

fn length<const D: usize>(vector: [f64; D]) -> f64 {
    vector.iter().map(|part| part * part).sum::<f64>().sqrt()
}

/// Steps a world and compares each tick with one of the program from the same state. `velocity` is the new velocity of
/// an agent from all others within the radius, and `dt` the time for which it moves with it. The mean number of others
/// must be at least `crowded`, so that the comparison means something.
fn compare<const D: usize>(
    mut world: World<D>,
    (radius, period, dt): (f64, Option<f64>, f64),
    (ticks, crowded): (u64, f64),
    velocity: impl Fn(&Agent<D>, &[Other<D>], u64) -> [f64; D],
) {
    for tick in 0..ticks {
        let before = agents(&world);
        world.step();
        let mut pairs = 0;
        for agent in &before {
            let others: Vec<Other<D>> = before
                .iter()
                .filter(|other| other.id != agent.id)
                .map(|other| {
                    let offset = offset(agent.at, other.at, period);
                    Other { species: other.species, offset, distance: length(offset), velocity: other.velocity }
                })
                .filter(|other| other.distance < radius)
                .collect();
            pairs += others.len();
            let velocity = velocity(agent, &others, tick);
            let (position, turned) = (world.position(agent.id).unwrap(), world.velocity(agent.id).unwrap());
            let there = added(agent.at, scaled(velocity, dt));
            let apart = length(offset(there, position.0.map(f64::from), period));
            let askew = length(offset(velocity, turned.0.map(f64::from), None));
            assert!(
                apart < TOLERANCE && askew < TOLERANCE,
                "tick {tick}: {} is {apart} m and {askew} m/s off",
                agent.id
            );
        }
        let mean = pairs as f64 / before.len() as f64;
        assert!(mean >= crowded, "{mean} neighbours");
    }
}

fn scaled<const D: usize>(vector: [f64; D], factor: f64) -> [f64; D] {
    vector.map(|part| part * factor)
}

fn added<const D: usize>(one: [f64; D], other: [f64; D]) -> [f64; D] {
    std::array::from_fn(|axis| one[axis] + other[axis])
}

fn sum<const D: usize>(vectors: impl Iterator<Item = [f64; D]>) -> [f64; D] {
    vectors.fold([0.0; D], added)
}

/// The mean; zero of none.
fn mean<const D: usize>(vectors: Vec<[f64; D]>) -> [f64; D] {
    let count = vectors.len();
    if count == 0 { [0.0; D] } else { scaled(sum(vectors.into_iter()), 1.0 / count as f64) }
}

fn wide(number: f32) -> f64 {
    f64::from(number)
}

#[test]
fn flocking_is_that_of_flame_gpu() {
    let side = 40.0;
    let world = flocking::world(800, side, 1).unwrap();
    compare(world, (wide(flocking::RADIUS), Some(wide(side)), 1.0), (6, 30.0), |agent, others, _| {
        let mut change = [0.0; 2];
        for other in others.iter().filter(|other| other.distance < 1.0) {
            let left = 1.0 - other.distance;
            change = added(change, scaled(other.offset, -0.015 * left * left));
        }
        if !others.is_empty() {
            let centre = mean(others.iter().map(|other| other.offset).collect());
            let velocity = mean(others.iter().map(|other| other.velocity).collect());
            change = added(change, added(scaled(centre, 0.03), scaled(velocity, 0.05)));
            change = added(change, scaled(agent.velocity, -1.0));
        }
        let new = added(agent.velocity, change);
        let speed = length(new);
        scaled(new, speed.clamp(0.5, 1.0) / speed)
    });
}

#[test]
fn birds_are_those_of_julia_dynamics_all_at_once() {
    let (side, radius) = (60.0, 15.0);
    let world = birds::world(200, side, radius, 2).unwrap();
    compare(world, (wide(radius), Some(wide(side)), 1.0), (6, 30.0), |agent, others, _| {
        let cohere = sum(others.iter().map(|other| other.offset));
        let matching = sum(others.iter().map(|other| other.velocity));
        let near = others.iter().filter(|other| other.distance < 1.0);
        let separate = sum(near.map(|other| scaled(other.offset, -1.0)));
        let total = added(added(scaled(cohere, 0.03), scaled(matching, 0.05)), scaled(separate, 0.015));
        let new = added(agent.velocity, scaled(total, 1.0 / others.len().max(1) as f64));
        scaled(new, 1.0 / length(new))
    });
}

#[test]
fn flockers_are_those_of_mason_all_at_once() {
    let (side, seed) = (50.0, 3);
    let world = flockers::world(300, side, seed).unwrap();
    assert!(world.all_agents().iter().all(|agents| agents.len() > 10), "some are dead and some alive");
    compare(world, (wide(flockers::NEIGHBOURHOOD), Some(wide(side)), 1.0), (6, 30.0), |agent, others, tick| {
        if agent.species == 1 {
            return [0.0; 2];
        }
        // Their means over the living include the agent itself.
        let living = || others.iter().filter(|other| other.species == 0);
        let offsets = living().map(|other| other.offset).chain([[0.0; 2]]);
        let velocities = living().map(|other| other.velocity).chain([agent.velocity]);
        let (cohesion, consistency) = (mean(offsets.collect()), mean(velocities.collect()));
        let away = |other: &Other<2>| scaled(other.offset, -1.0 / (other.distance.powi(4) + 1.0));
        let avoidance = scaled(mean(others.iter().map(away).collect()), 400.0);
        let random = flockers::random(&mut Noise::new(seed, agent.id.to_bits(), tick, Noise::USER)).0.map(f64::from);
        let total = [scaled(cohesion, 0.1), consistency, avoidance, random, agent.velocity];
        let new = sum(total.into_iter());
        scaled(new, 0.7 / length(new))
    });
}

#[test]
fn vicsek_is_that_of_sisyphe() {
    let (side, radius, seed) = (10.0, 1.0, 4);
    let world = vicsek::world(1000, side, radius, seed).unwrap();
    compare(world, (wide(radius), Some(wide(side)), wide(vicsek::DT)), (20, 25.0), |agent, others, tick| {
        let heading = scaled(agent.velocity, 1.0 / wide(radius));
        let all = added(sum(others.iter().map(|other| other.velocity)), agent.velocity);
        // Their concentration is nu / sigma, by which the target is multiplied before sigma and the step.
        let (nu, sigma, dt) = (5.0, 1.0, 0.01);
        let target = scaled(all, nu / sigma / length(all));
        // What the noise has along the heading does not matter: the projection removes it.
        let noise = wide(vicsek::diffusion(&mut Noise::new(seed, agent.id.to_bits(), tick, Noise::USER)));
        let noise = added(scaled([-heading[1], heading[0]], noise), scaled(heading, 0.3));
        let step = added(scaled(target, sigma * dt), noise);
        let along = step[0] * heading[0] + step[1] * heading[1];
        let across = added(step, scaled(heading, -along));
        let new = added(heading, added(across, scaled(heading, -sigma * dt)));
        scaled(new, wide(radius) / length(new))
    });
}

#[test]
fn diffusion_has_the_variance_of_the_scheme() {
    let draws = (0..20_000).map(|number| vicsek::diffusion(&mut Noise::new(5, number, 0, Noise::USER)));
    let variance = draws.map(|draw| wide(draw * draw)).sum::<f64>() / 20_000.0;
    assert!((variance / (2.0 * 1.0 * 0.01) - 1.0).abs() < 0.05, "{variance}");
}

#[test]
fn circles_are_those_of_flame_gpu() {
    let world = circles::world(9, 6).unwrap();
    compare(world, (wide(circles::RADIUS), None, 1.0), (10, 15.0), |_, others, _| {
        let force = |other: &Other<3>| {
            let strength = (other.distance / 2.0 * wide(circles::HALF_TURN) * -2.0).sin() * 0.05;
            scaled(other.offset, strength / other.distance)
        };
        mean(others.iter().map(force).collect())
    });
}
