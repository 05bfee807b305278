//! The workload `flock`: N agents spread evenly over a periodic square or cube, each with about twenty neighbours
//! within its perception radius. Separation acts within half of the radius, alignment and cohesion within all of it. At
//! full speed an agent moves a hundredth of the radius per tick.

use throng::behaviours::{Alignment, Cohesion, Separation};
use throng::{Error, Execution, Noise, Settings, Species, Vector, World};

/// The mean number of neighbours of an agent at the start.
pub const NEIGHBOURS: f64 = 20.0;
/// The perception radius, in metres.
pub const RADIUS: f32 = 10.0;
/// The radius of separation, in metres.
pub const SEPARATION_RADIUS: f32 = RADIUS / 2.0;
/// The largest speed, in metres per second.
pub const MAX_SPEED: f32 = 1.0;
/// The largest force, in newtons; the mass is one kilogram.
pub const MAX_FORCE: f32 = 1.0;
/// The response, in seconds.
pub const RESPONSE: f32 = 1.0;
/// Seconds per tick.
pub const TICK_SECONDS: f32 = 0.1;

const SEED: u64 = 7;

/// The start of a flock.
#[derive(Clone, Debug)]
pub struct Flock<const D: usize> {
    /// The length of the world's side, in metres.
    pub size: f32,
    /// Positions, in the order in which agents are spawned, which is not an order in space.
    pub position: Vec<Vector<D>>,
    /// Velocities, all at full speed.
    pub velocity: Vec<Vector<D>>,
}

impl<const D: usize> Flock<D> {
    /// Creates a flock of `agents` agents.
    #[must_use]
    pub fn new(agents: usize) -> Self {
        let size = size_of::<D>(agents);
        let (position, velocity) = (0..agents).map(|number| agent(number, size)).unzip();
        Self { size, position, velocity }
    }

    /// Builds the flock's world in throng.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchInstructionSet`] if this machine lacks the instruction set of `execution`.
    pub fn world(&self, execution: Execution) -> Result<World<D>, Error> {
        world(self.size, self.position.iter().copied().zip(self.velocity.iter().copied()), execution)
    }

    /// Builds the world of a flock of `agents` agents without a copy of their start.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchInstructionSet`] if this machine lacks the instruction set of `execution`.
    pub fn world_of(agents: usize, execution: Execution) -> Result<World<D>, Error> {
        let size = size_of::<D>(agents);
        world(size, (0..agents).map(|number| agent(number, size)), execution)
    }
}

/// Returns the length of the world's side in metres, such that an agent has [`NEIGHBOURS`] on average.
fn size_of<const D: usize>(agents: usize) -> f32 {
    let radius = f64::from(RADIUS);
    let ball = std::f64::consts::PI * if D == 2 { radius.powi(2) } else { 4.0 / 3.0 * radius.powi(3) };
    (agents as f64 * ball / NEIGHBOURS).powf(1.0 / D as f64) as f32
}

/// Returns the position and the velocity at which an agent starts.
fn agent<const D: usize>(number: usize, size: f32) -> (Vector<D>, Vector<D>) {
    let mut noise = Noise::new(SEED, number as u64, 0, Noise::USER);
    let position = Vector::from_fn(|_| noise.between(0.0, size));
    (position, noise.direction() * MAX_SPEED)
}

fn world<const D: usize>(
    size: f32,
    agents: impl Iterator<Item = (Vector<D>, Vector<D>)>,
    execution: Execution,
) -> Result<World<D>, Error> {
    let mut world = World::new(Settings {
        size: Vector::splat(size),
        tick_seconds: TICK_SECONDS,
        seed: SEED,
        ..Settings::default()
    })?;
    world.set_execution(execution)?;
    let mut boid = Species::new("boid")
        .with(1.0, Separation { radius: SEPARATION_RADIUS, ..Separation::default() })
        .with(1.0, Alignment { radius: RADIUS, ..Alignment::default() })
        .with(1.0, Cohesion { radius: RADIUS, ..Cohesion::default() });
    (boid.max_speed, boid.max_force, boid.response) = (MAX_SPEED.into(), MAX_FORCE.into(), RESPONSE);
    let boid = world.add_species(boid)?;
    for (position, velocity) in agents {
        world.spawn(boid, position, velocity)?;
    }
    Ok(world)
}
