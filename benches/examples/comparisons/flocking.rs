//! Comparison A: FLAME GPU's flocking in two dimensions, `FLAMEGPU2/src/boids2D.cu` of
//! FLAMEGPU/ABM_Framework_Comparisons (fee20ac).
//!
//! Three rules of a host's own. Each returns a change of velocity, which a tick of one second adds to a mass of one
//! kilogram. The speed is then limited to [0.5, 1], and the velocity added to the position.

use throng::{
    AgentRef, Behaviour, Error, Inputs, NeighbourSum, Noise, Perception, Settings, Species, SpeciesFilter, Vector,
    World,
};

use crate::model::spawn;

pub(crate) const SIDE: f32 = 400.0;
pub(crate) const RADIUS: f32 = 5.0;
pub(crate) const SEPARATION_RADIUS: f32 = 1.0;
pub(crate) const STEER_SCALE: f32 = 0.03;
pub(crate) const COLLISION_SCALE: f32 = 0.015;
pub(crate) const MATCH_SCALE: f32 = 0.05;
pub(crate) const SPEEDS: [f32; 2] = [0.5, 1.0];

/// Away from neighbours within the separation radius, by the square of how far they are inside it.
#[derive(Debug)]
struct Separate;

impl Behaviour<2> for Separate {
    fn inputs(&self) -> Inputs {
        Inputs::default().neighbours(Perception::within(SEPARATION_RADIUS, &SpeciesFilter::Own)).nearby()
    }

    fn steer(&self, me: &AgentRef<'_, 2>) -> Vector<2> {
        let mut change = Vector::ZERO;
        for neighbour in me.neighbours(0) {
            let left = 1.0 - neighbour.distance_squared.sqrt() / SEPARATION_RADIUS;
            change += neighbour.offset * (-COLLISION_SCALE * left * left);
        }
        change
    }
}

/// Towards the mean position of the neighbours.
#[derive(Debug)]
struct Cohere;

impl Behaviour<2> for Cohere {
    fn inputs(&self) -> Inputs {
        Inputs::default().sum(NeighbourSum::Offset, Perception::within(RADIUS, &SpeciesFilter::Own)).nearby()
    }

    fn steer(&self, me: &AgentRef<'_, 2>) -> Vector<2> {
        match me.count(0) {
            0 => Vector::ZERO,
            count => me.sum(0) * (STEER_SCALE / count as f32),
        }
    }
}

/// A share of the neighbours' mean velocity replaces the agent's own.
#[derive(Debug)]
struct Match;

impl Behaviour<2> for Match {
    fn inputs(&self) -> Inputs {
        Inputs::default().sum(NeighbourSum::Velocity, Perception::within(RADIUS, &SpeciesFilter::Own)).nearby()
    }

    fn steer(&self, me: &AgentRef<'_, 2>) -> Vector<2> {
        match me.count(0) {
            0 => Vector::ZERO,
            count => me.sum(0) * (MATCH_SCALE / count as f32) - me.velocity(),
        }
    }
}

/// The flock at its start: uniform positions, and directions of points drawn from a square.
pub(crate) fn world(agents: usize, side: f32, seed: u64) -> Result<World<2>, Error> {
    let settings =
        Settings { size: Vector::splat(side), tick_seconds: 1.0, seed, pair_budget: None, ..Settings::default() };
    let mut world = World::new(settings)?;
    let boid = Species::new("boid").with(1.0, Separate).with(1.0, Cohere).with(1.0, Match);
    let boid = boid.with_mass(1.0).with_max_force(1e9).with_min_speed(SPEEDS[0]).with_max_speed(SPEEDS[1]);
    let boid = world.add_species(boid)?;
    let start = |noise: &mut Noise| {
        let position = Vector::from_fn(|_| noise.between(0.0, side));
        (position, Vector::from_fn(|_| noise.between(-1.0, 1.0)).direction())
    };
    spawn(&mut world, agents, |_| boid, start)?;
    Ok(world)
}
