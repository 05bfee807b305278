//! What is moved? Workload `flock`: N agents spread evenly over a periodic square or cube, each with about twenty
//! neighbours within its perception radius; separation within half of it, alignment and cohesion within all of it; a
//! hundredth of it per tick at full speed.

use throng::behaviours::{Alignment, Cohesion, Separation};
use throng::bench_kernels::FlockRules;
use throng::{Error, Execution, Noise, Settings, Species, Vector, World};

/// Neighbours of an agent at the start, on average.
pub const NEIGHBOURS: f64 = 20.0;
/// The perception radius, in metres.
pub const RADIUS: f32 = 10.0;
/// Within this distance agents keep away from each other, in metres.
pub const SEPARATION_RADIUS: f32 = RADIUS / 2.0;
/// Metres per second.
pub const MAX_SPEED: f32 = 1.0;
/// Newtons; the mass is one kilogram.
pub const MAX_FORCE: f32 = 1.0;
/// The time in which an agent takes on the velocity it wants, in seconds.
pub const RESPONSE: f32 = 1.0;
/// Seconds per tick.
pub const TICK_SECONDS: f32 = 0.1;

const SEED: u64 = 7;

/// The rules and limits, as the kernels take them.
pub const RULES: FlockRules = FlockRules {
    separation_radius: SEPARATION_RADIUS,
    radius: RADIUS,
    max_speed: MAX_SPEED,
    max_force: MAX_FORCE,
    response: RESPONSE,
    tick_seconds: TICK_SECONDS,
};

/// Where a flock starts.
#[derive(Clone, Debug)]
pub struct Flock<const D: usize> {
    /// The length of the world's side, in metres.
    pub size: f32,
    /// Positions, in the order in which agents are spawned: no order in space.
    pub position: Vec<Vector<D>>,
    /// Velocities, all of full speed.
    pub velocity: Vec<Vector<D>>,
}

impl<const D: usize> Flock<D> {
    /// A flock of so many agents.
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

    /// The flock in throng.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchInstructionSet`] if this machine lacks the one that is asked for.
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
