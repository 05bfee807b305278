//! Comparison B: the flocking model of JuliaDynamics/ABMFrameworksComparison (553c394), small and large.
//!
//! Two deviations from the declaration of the model: all birds move at once, not one after the other in a random order,
//! and numbers have 32 bits.

use throng::{
    AgentRef, Behaviour, Error, Inputs, NeighbourSum, Noise, Perception, Settings, Species, SpeciesFilter, Vector,
    World,
};

use crate::model::spawn;

pub(crate) const SPEED: f32 = 1.0;
pub(crate) const COHERE: f32 = 0.03;
pub(crate) const SEPARATE: f32 = 0.015;
pub(crate) const MATCH: f32 = 0.05;
pub(crate) const SEPARATION: f32 = 1.0;

/// Cohesion, separation and matching, divided by the number of neighbours.
#[derive(Debug)]
struct Flock {
    radius: f32,
}

impl Behaviour<2> for Flock {
    fn inputs(&self) -> Inputs {
        let within = |radius: f32| Perception::within(radius, &SpeciesFilter::Own);
        let sums = Inputs::default().sum(NeighbourSum::Offset, within(self.radius));
        let sums = sums.sum(NeighbourSum::Velocity, within(self.radius));
        sums.sum(NeighbourSum::Offset, within(SEPARATION)).nearby()
    }

    fn steer(&self, me: &AgentRef<'_, 2>) -> Vector<2> {
        match me.count(0) {
            0 => Vector::ZERO,
            count => (me.sum(0) * COHERE + me.sum(1) * MATCH - me.sum(2) * SEPARATE) / count as f32,
        }
    }
}

/// The birds at their start: positions uniform in the square, velocities uniform in [-1, 1].
pub(crate) fn world(agents: usize, side: f32, radius: f32, seed: u64) -> Result<World<2>, Error> {
    let settings =
        Settings { size: Vector::splat(side), tick_seconds: 1.0, seed, pair_budget: None, ..Settings::default() };
    let mut world = World::new(settings)?;
    let bird = Species::new("bird").with(1.0, Flock { radius }).with_mass(1.0).with_max_force(1e9);
    let bird = world.add_species(bird.with_min_speed(SPEED).with_max_speed(SPEED))?;
    let start = |noise: &mut Noise| {
        let position = Vector::from_fn(|_| noise.between(0.0, side));
        (position, Vector::from_fn(|_| noise.between(-1.0, 1.0)))
    };
    spawn(&mut world, agents, |_| bird, start)?;
    Ok(world)
}
