//! Comparison C: MASON's flockers (`sim/app/flockers`) with its settings, on the ladder of sizes of Antelmi et al.
//! (2023).
//!
//! MASON's flockers move one after the other in a random order; here all move at once, as in krABMaga.

use throng::{
    AgentRef, Behaviour, Error, Inputs, NeighbourSum, Noise, Perception, Settings, Species, SpeciesFilter, Vector,
    World,
};

use crate::model::spawn;

pub(crate) const NEIGHBOURHOOD: f32 = 10.0;
pub(crate) const JUMP: f32 = 0.7;
/// The share of dead flockers, which others avoid and which do not move.
pub(crate) const DEAD: f32 = 0.1;
/// The weights of cohesion, avoidance, randomness, consistency and momentum are all one.
pub(crate) const RANDOMNESS: f32 = 0.05;

/// Avoidance, cohesion, consistency and randomness. The velocity itself is the momentum.
#[derive(Debug)]
struct Flock;

impl Behaviour<2> for Flock {
    fn inputs(&self) -> Inputs {
        let alive = Perception::within(NEIGHBOURHOOD, &SpeciesFilter::Own);
        let sums = Inputs::default().sum(NeighbourSum::Offset, alive.clone()).sum(NeighbourSum::Velocity, alive);
        sums.neighbours(Perception::within(NEIGHBOURHOOD, &SpeciesFilter::All)).nearby()
    }

    fn steer(&self, me: &AgentRef<'_, 2>) -> Vector<2> {
        // An agent is among its own neighbours in the means of the living.
        let alive = me.count(0) as f32 + 1.0;
        let cohesion = me.sum(0) / (10.0 * alive);
        let consistency = (me.sum(1) + me.velocity()) / alive;
        let mut avoidance = Vector::ZERO;
        let others = me.neighbours(0);
        let count = others.len();
        for other in others {
            avoidance += other.offset * (-1.0 / (other.distance_squared * other.distance_squared + 1.0));
        }
        if count > 0 {
            avoidance *= 400.0 / count as f32;
        }
        avoidance + cohesion + consistency + random(&mut me.noise(Noise::USER))
    }
}

/// A short vector in the direction of a point drawn from a square.
pub(crate) fn random(noise: &mut Noise) -> Vector<2> {
    Vector::from_fn(|_| noise.between(-1.0, 1.0)).direction() * RANDOMNESS
}

/// The flockers at their start: at rest, at uniform positions, a tenth of them dead.
pub(crate) fn world(agents: usize, side: f32, seed: u64) -> Result<World<2>, Error> {
    let settings =
        Settings { size: Vector::splat(side), tick_seconds: 1.0, seed, pair_budget: None, ..Settings::default() };
    let mut world = World::new(settings)?;
    let living = Species::new("flocker").with(1.0, Flock).with_mass(1.0).with_max_force(1e9);
    let living = world.add_species(living.with_min_speed(JUMP).with_max_speed(JUMP))?;
    let dead = world.add_species(Species::new("dead").with_max_speed(0.0))?;
    let species = |noise: &mut Noise| if noise.unit() < DEAD { dead } else { living };
    spawn(&mut world, agents, species, |noise| (Vector::from_fn(|_| noise.between(0.0, side)), Vector::ZERO))?;
    Ok(world)
}
