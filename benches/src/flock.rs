//! The workload `flock`: N agents spread evenly over a periodic square or cube, each with about twenty neighbours
//! within its perception radius. Separation acts within half of the radius, alignment and cohesion within all of it. At
//! full speed an agent moves a hundredth of the radius per tick.

use throng::behaviours::{Alignment, Cohesion, Separation};
use throng::bench_kernels::FlockRules;
use throng::{Error, Execution, Noise, Settings, Species, Vector, World};

/// The mean number of neighbours of an agent at the start.
pub const NEIGHBOURS: f64 = 20.0;
/// The perception radius, in metres.
pub const RADIUS: f32 = 10.0;
/// Within this distance agents keep away from each other, in metres.
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

/// The rules and limits, in the form that the kernels take.
pub const RULES: FlockRules = FlockRules {
    separation_radius: SEPARATION_RADIUS,
    radius: RADIUS,
    max_speed: MAX_SPEED,
    max_force: MAX_FORCE,
    response: RESPONSE,
    tick_seconds: TICK_SECONDS,
};

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
    /// Makes a flock of `agents` agents.
    #[must_use]
    pub fn new(agents: usize) -> Self {
        let radius = f64::from(RADIUS);
        let ball = std::f64::consts::PI * if D == 2 { radius.powi(2) } else { 4.0 / 3.0 * radius.powi(3) };
        let size = (agents as f64 * ball / NEIGHBOURS).powf(1.0 / D as f64) as f32;
        let mut flock = Self { size, position: Vec::new(), velocity: Vec::new() };
        for number in 0..agents as u64 {
            let mut noise = Noise::new(SEED, number, 0, Noise::USER);
            flock.position.push(Vector::from_fn(|_| noise.between(0.0, size)));
            flock.velocity.push(noise.direction() * MAX_SPEED);
        }
        flock
    }

    /// Makes the flock's world in throng.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchInstructionSet`] if this machine lacks the instruction set of `execution`.
    pub fn world(&self, execution: Execution) -> Result<World<D>, Error> {
        let mut world = World::new(Settings {
            size: Vector::splat(self.size),
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
        for (position, velocity) in self.position.iter().zip(&self.velocity) {
            world.spawn(boid, *position, *velocity)?;
        }
        Ok(world)
    }
}
