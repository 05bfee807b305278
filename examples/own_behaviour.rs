//! Two custom rules, used like built-in ones; no registration is needed.
//!
//! Starlings align with their six or seven nearest neighbours, at any distance (Ballerini et al., "Interaction ruling
//! animal collective behavior depends on topological rather than metric distance", 2008), which keeps a sparse flock
//! together. The example compares the same few restless birds when they align with all neighbours within eight metres
//! and with the nearest seven.

use throng::behaviours::Alignment;
use throng::{
    AgentRef, Behaviour, Error, Inputs, NeighbourSum, Noise, Perception, Settings, Species, SpeciesFilter, Vector,
    World, measures,
};

/// Aligns with the nearest neighbours. `inputs` requests the sum of their velocities, which the engine computes in the
/// same pass as the sums of other rules.
#[derive(Debug)]
struct AlignWithNearest {
    /// The number of neighbours to align with.
    count: u32,
    /// The largest distance of neighbours, in metres.
    radius: f32,
}

impl<const D: usize> Behaviour<D> for AlignWithNearest {
    fn inputs(&self) -> Inputs {
        let nearest = Perception { nearest: self.count, ..Perception::within(self.radius, &SpeciesFilter::Own) };
        Inputs::default().sum(NeighbourSum::Velocity, nearest)
    }

    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        me.towards((me.count(0) > 0).then(|| me.sum(0) / me.count(0) as f32))
    }
}

/// Pushes in a random direction, drawn for each agent and tick: the same on every machine and thread.
#[derive(Debug)]
struct Restless {
    /// The strength of the push, in newtons.
    force: f32,
}

impl<const D: usize> Behaviour<D> for Restless {
    fn steer(&self, me: &AgentRef<'_, D>) -> Vector<D> {
        me.noise(Noise::USER).direction() * self.force
    }
}

fn world(behaviour: impl Behaviour<2>) -> Result<World<2>, Error> {
    let size = Vector([100.0, 100.0]);
    let mut world = World::new(Settings { size, tick_seconds: 0.1, seed: 3, ..Settings::default() })?;
    let mut starling = Species::new("starling").with(1.0, behaviour).with(1.0, Restless { force: 30.0 });
    (starling.min_speed, starling.max_speed) = (8.0, 10.0.into());
    let species = world.add_species(starling)?;
    for number in 0..60 {
        let mut noise = Noise::new(3, number, 0, Noise::USER);
        let position = Vector::from_fn(|axis| noise.between(0.0, size[axis]));
        world.spawn(species, position, noise.direction() * 9.0)?;
    }
    Ok(world)
}

/// The mean polarisation over the next `ticks` ticks.
fn mean_polarisation(world: &mut World<2>, ticks: u32) -> f64 {
    let mut sum = 0.0;
    for _ in 0..ticks {
        world.step();
        sum += measures::polarisation(world);
    }
    sum / f64::from(ticks)
}

fn main() -> Result<(), Error> {
    let mut metric = world(Alignment { radius: 8.0, ..Alignment::default() })?;
    let mut topological = world(AlignWithNearest { count: 7, radius: 30.0 })?;

    println!("polarisation of sixty restless starlings (1: all have one heading)");
    println!(" seconds         all within 8 m   the nearest 7");
    for start in (0..60).step_by(10) {
        let seconds = format!("{start} to {}", start + 10);
        let (metric, topological) = (mean_polarisation(&mut metric, 100), mean_polarisation(&mut topological, 100));
        println!("{seconds:>8} {metric:22.2} {topological:15.2}");
    }
    Ok(())
}
