//! Comparison E: FLAME GPU's circles (Chisholm, Richmond and Maddock 2016; `circles_spatial3D.cu` of
//! FLAMEGPU2-circles-benchmark, d5621f9): agents in space that settle on spheres around each other.

use throng::{
    AgentRef, Edge, Error, Inputs, Motion, Noise, Perception, Settings, Species, SpeciesFilter, Vector, World,
};

use crate::model::spawn;

pub(crate) const RADIUS: f32 = 2.0;
pub(crate) const REPULSE: f32 = 0.05;
/// Their constant for half a turn.
#[expect(clippy::approx_constant, reason = "the benchmark's own number")]
pub(crate) const HALF_TURN: f32 = 3.141;

/// Moves by the mean force of the neighbours.
#[derive(Debug)]
struct Circles;

impl Motion<3> for Circles {
    fn inputs(&self) -> Inputs {
        Inputs::default().neighbours(Perception::within(RADIUS, &SpeciesFilter::Own)).nearby()
    }

    fn velocity(&self, me: &AgentRef<'_, 3>, _wanted: Vector<3>) -> Vector<3> {
        let (mut force, mut count) = (Vector::ZERO, 0);
        for neighbour in me.neighbours(0) {
            let separation = neighbour.distance_squared.sqrt();
            if separation > 0.0 {
                // The sine of minus an angle is the sine of the angle less half a turn.
                let sine = sine(separation / RADIUS * HALF_TURN * 2.0 - std::f32::consts::PI);
                force += neighbour.offset * (sine * REPULSE / separation);
                count += 1;
            }
        }
        if count > 0 { force / count as f32 } else { Vector::ZERO }
    }
}

/// The sine of an angle of at most half a turn, within 1e-6: its series. It has no branch and no call of a library.
fn sine(angle: f32) -> f32 {
    let squared = angle * angle;
    let mut series = 1.0;
    for term in [272.0, 210.0, 156.0, 110.0, 72.0, 42.0, 20.0, 6.0] {
        series = 1.0 - squared * (1.0 / term) * series;
    }
    angle * series
}

/// The agents at their start, one per cubic metre of a cube without walls.
pub(crate) fn world(side: u16, seed: u64) -> Result<World<3>, Error> {
    let (agents, side) = (usize::from(side).pow(3), f32::from(side));
    let size = Vector::splat(side);
    let settings =
        Settings { size, edge: [Edge::Open; 3], tick_seconds: 1.0, seed, pair_budget: None, ..Settings::default() };
    let mut world = World::new(settings)?;
    let circle = world.add_species(Species::new("circle").with_max_speed(REPULSE).with_motion(Circles))?;
    let start = |noise: &mut Noise| (Vector::from_fn(|_| noise.between(0.0, side)), Vector::ZERO);
    spawn(&mut world, agents, |_| circle, start)?;
    Ok(world)
}
