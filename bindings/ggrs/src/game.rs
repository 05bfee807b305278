//! A game of a flock and two players, as GGRS asks for it.

use std::net::SocketAddr;

use ggrs::{Config, GgrsRequest, PredictRepeatLast};
use throng::behaviours::{Alignment, Cohesion, Flee, Separation};
use throng::{AgentId, Error, Noise, Settings, Species, SpeciesFilter, Target, Vector, World};

/// The length of a tick in seconds: a frame of GGRS.
pub const TICK: f32 = 1.0 / 60.0;

/// What a player holds in a tick: bits for left, right, down and up.
pub type Input = u8;

/// The types of a session.
pub struct Rollback;

impl Config for Rollback {
    type Input = Input;
    type InputPredictor = PredictRepeatLast;
    type State = World<2>;
    type Address = SocketAddr;
}

/// The game. All of its state is in the world.
pub struct Game {
    /// Birds, and one agent per player.
    pub world: World<2>,
    players: [AgentId; 2],
}

impl Game {
    /// A flock of this many birds with two players in the midst.
    pub fn new(birds: u64) -> Result<Self, Error> {
        let side = 3.0 * (birds as f32).sqrt();
        let mut world = World::new(Settings { size: Vector([side; 2]), tick_seconds: TICK, ..Settings::default() })?;
        let player = world.add_species(Species::new("player").with_max_speed(12.0))?;
        let mut flock = Species::new("bird").with_max_speed(9.0).with_min_speed(4.0);
        flock = flock.with(1.5, Separation { radius: 2.0, ..Separation::default() });
        flock = flock.with(1.0, Alignment { radius: 6.0, ..Alignment::default() });
        flock = flock.with(0.5, Cohesion { radius: 6.0, ..Cohesion::default() });
        flock = flock.with(
            3.0,
            Flee { target: Target::Nearest(SpeciesFilter::named("player")), panic_radius: 15.0, ..Flee::default() },
        );
        let bird = world.add_species(flock)?;
        let players = [
            world.spawn(player, [0.3 * side, 0.5 * side], [0.0; 2])?,
            world.spawn(player, [0.7 * side, 0.5 * side], [0.0; 2])?,
        ];
        for number in 0..birds {
            let mut noise = Noise::new(7, number, 0, Noise::USER);
            world.spawn(bird, [noise.between(0.0, side), noise.between(0.0, side)], noise.direction() * 6.0)?;
        }
        Ok(Self { world, players })
    }

    /// Carries out the requests of GGRS, in their order.
    pub fn handle(&mut self, requests: Vec<GgrsRequest<Rollback>>) -> Result<(), Error> {
        for request in requests {
            match request {
                GgrsRequest::SaveGameState { cell, frame } => {
                    cell.save(frame, Some(self.world.clone()), Some(self.world.state_hash().into()));
                }
                // GGRS loads no frame that it has not asked to save.
                GgrsRequest::LoadGameState { cell, .. } => {
                    if let Some(saved) = cell.data() {
                        self.world.clone_from(&saved);
                    }
                }
                GgrsRequest::AdvanceFrame { inputs } => {
                    for (player, (input, _)) in self.players.into_iter().zip(inputs) {
                        self.world.set_velocity(player, velocity(input))?;
                    }
                    self.world.step();
                }
            }
        }
        Ok(())
    }
}

/// The velocity in metres per second for what a player holds.
fn velocity(input: Input) -> Vector<2> {
    let held = |bit: u32| f32::from(input >> bit & 1);
    Vector([held(1) - held(0), held(3) - held(2)]) * 8.0
}
