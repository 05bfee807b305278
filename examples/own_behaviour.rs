//! Two rules of one's own: nothing is registered, they are used as throng's own rules are.
//!
//! Starlings were found to fly as their six or seven nearest neighbours do, however far these are (Ballerini et al.,
//! "Interaction ruling animal collective behavior depends on topological rather than metric distance", 2008). It keeps
//! a sparse flock together: here are the same few restless birds once aligning with everybody within eight metres, and
//! once with the nearest seven.

use throng::behaviours::Alignment;
use throng::{Addend, Behaviour, Error, Me, Needs, Noise, Perception, Settings, Species, Vector, Whom, World, metrics};

/// Flies as its nearest neighbours do. It wants the sum of their velocities, so it says so in `needs`: the engine forms
/// it in the same pass as those of other rules.
#[derive(Debug)]
struct AlignWithNearest {
    /// How many neighbours count.
    count: u32,
    /// Further than this nobody is looked for, in metres.
    radius: f32,
}

impl<const D: usize> Behaviour<D> for AlignWithNearest {
    fn needs(&self) -> Needs<'_> {
        let nearest = Perception { nearest: self.count, ..Perception::within(self.radius, &Whom::Own) };
        Needs::default().sum(Addend::Velocity, nearest)
    }

    fn steer(&self, me: &Me<'_, D>) -> Vector<D> {
        me.towards((me.count(0) > 0).then(|| me.sum(0) / me.count(0) as f32))
    }
}

/// Pushes in a direction that is drawn anew for each agent and tick: the same one on every machine and thread.
#[derive(Debug)]
struct Restless {
    /// How hard, in newtons.
    force: f32,
}

impl<const D: usize> Behaviour<D> for Restless {
    fn steer(&self, me: &Me<'_, D>) -> Vector<D> {
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
        sum += metrics::polarisation(world);
    }
    sum / f64::from(ticks)
}

fn main() -> Result<(), Error> {
    let mut metric = world(Alignment { radius: 8.0, ..Alignment::default() })?;
    let mut topological = world(AlignWithNearest { count: 7, radius: 30.0 })?;

    println!("polarisation of sixty restless starlings (1: all fly one way)");
    println!(" seconds   everybody within 8 m   the nearest 7");
    for start in (0..60).step_by(10) {
        let seconds = format!("{start} to {}", start + 10);
        let (metric, topological) = (mean_polarisation(&mut metric, 100), mean_polarisation(&mut topological, 100));
        println!("{seconds:>8} {metric:22.2} {topological:15.2}");
    }
    Ok(())
}
