//! Comparison D: the Vicsek model in continuous time of Degond and Motsch (2008), as SiSyPHE discretises it
//! (`sisyphe.models.Vicsek`, scheme "projection", 71c5b88).
//!
//! throng's own model `vicsek` is another one: its noise is a uniform angle once per tick. Here the noise is Brownian
//! on the circle, so the model is a motion of a host's own. SiSyPHE moves particles before it turns them, throng after;
//! from the first turn on the two schemes are one.

use throng::{
    AgentRef, Error, Inputs, Motion, NeighbourSum, Noise, Perception, Settings, Species, SpeciesFilter, Vector, World,
};

use crate::model::spawn;

pub(crate) const SIDE: f32 = 100.0;
/// The rate of relaxation to the mean direction.
pub(crate) const NU: f32 = 5.0;
/// The coefficient of diffusion.
pub(crate) const SIGMA: f32 = 1.0;
pub(crate) const DT: f32 = 0.01;

/// Relaxes to the mean direction within the radius and diffuses, at a speed of one radius per second.
#[derive(Debug)]
struct Vicsek {
    radius: f32,
}

impl Motion<2> for Vicsek {
    fn inputs(&self) -> Inputs {
        let near = Perception::within(self.radius, &SpeciesFilter::Own);
        Inputs::default().sum(NeighbourSum::Velocity, near).nearby()
    }

    fn velocity(&self, me: &AgentRef<'_, 2>, _wanted: Vector<2>) -> Vector<2> {
        let heading = me.velocity() / self.radius;
        let target = (me.sum(0) + me.velocity()).direction() * (NU * DT);
        let turn = target.dot(heading.perp()) + diffusion(&mut me.noise(Noise::USER));
        // The correction of Stratonovich shortens the old heading.
        (heading * (1.0 - SIGMA * DT) + heading.perp() * turn).direction() * self.radius
    }
}

/// The step of a Brownian motion across the heading. SiSyPHE draws one for each axis and projects both on this
/// direction, which has the same distribution.
pub(crate) fn diffusion(noise: &mut Noise) -> f32 {
    (2.0 * SIGMA * DT).sqrt() * noise.normal()
}

/// The particles at their start: uniform positions and directions.
pub(crate) fn world(agents: usize, side: f32, radius: f32, seed: u64) -> Result<World<2>, Error> {
    let settings =
        Settings { size: Vector::splat(side), tick_seconds: DT, seed, pair_budget: None, ..Settings::default() };
    let mut world = World::new(settings)?;
    let particle = world.add_species(Species::new("particle").with_max_speed(radius).with_motion(Vicsek { radius }))?;
    let start = |noise: &mut Noise| (Vector::from_fn(|_| noise.between(0.0, side)), noise.direction() * radius);
    spawn(&mut world, agents, |_| particle, start)?;
    Ok(world)
}
