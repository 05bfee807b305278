//! Two rules of one's own: nothing is registered, they are used as throng's own rules are.
//!
//! Starlings were found to fly as their six or seven nearest neighbours do, however far these are (Ballerini et al.,
//! "Interaction ruling animal collective behavior depends on topological rather than metric distance", 2008). It keeps
//! a sparse flock together: here are the same few restless birds once aligning with everybody within eight metres, and
//! once with the nearest seven.

use throng::behaviours::Alignment;
use throng::{Behaviour, Error, Me, Noise, Perception, Reads, Settings, Species, Vector, Whom, World, metrics};

/// Flies as the `COUNT` nearest neighbours do. It wants its neighbours one by one, so it says so in `reads`.
#[derive(Debug)]
struct AlignWithNearest<const COUNT: usize> {
    /// Further than this nobody is looked for, in metres.
    radius: f32,
    whom: Whom,
}

impl<const COUNT: usize, const D: usize> Behaviour<D> for AlignWithNearest<COUNT> {
    fn reads(&self) -> Reads<'_> {
        Reads::Neighbours(Perception { radius: self.radius, field_of_view: 360.0, whom: &self.whom })
    }

    fn steer(&self, me: &Me<'_, D>) -> Vector<D> {
        // The nearest so far, nearest first. Of two at the same distance the first row stays, so that the choice is
        // the same on every run.
        let mut nearest = [(f32::INFINITY, Vector::ZERO); COUNT];
        for neighbour in me.neighbours() {
            let place =
                nearest.partition_point(|(distance_squared, _)| *distance_squared <= neighbour.distance_squared);
            if place < COUNT {
                nearest[place..].rotate_right(1);
                nearest[place] = (neighbour.distance_squared, neighbour.velocity);
            }
        }
        let (mut sum, mut count) = (Vector::ZERO, 0.0);
        for (_, velocity) in nearest.iter().filter(|(distance_squared, _)| distance_squared.is_finite()) {
            sum += *velocity;
            count += 1.0;
        }
        if count > 0.0 { me.towards(sum / count) } else { Vector::ZERO }
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

fn world(behaviour: impl Behaviour<2> + 'static) -> Result<World<2>, Error> {
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
    let mut topological = world(AlignWithNearest::<7> { radius: 30.0, whom: Whom::Own })?;

    println!("polarisation of sixty restless starlings (1: all fly one way)");
    println!(" seconds   everybody within 8 m   the nearest 7");
    for start in (0..60).step_by(10) {
        let seconds = format!("{start} to {}", start + 10);
        let (metric, topological) = (mean_polarisation(&mut metric, 100), mean_polarisation(&mut topological, 100));
        println!("{seconds:>8} {metric:22.2} {topological:15.2}");
    }
    Ok(())
}
