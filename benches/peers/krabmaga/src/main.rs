//! Runs krABMaga's model `flockers` once and prints one line of JSON: `throng-peer-krabmaga AGENTS SIDE STEPS`.
//!
//! Agents and state follow the model of the crate's authors, with all five weights 1, as MASON's model of this name has
//! them. Neighbours are those of krABMaga: all agents in 3 x 3 cells of 6.67, without a test of distance.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::time::Instant;

use krabmaga::engine::agent::Agent;
use krabmaga::engine::fields::field::Field;
use krabmaga::engine::fields::field_2d::{Field2D, Location2D, toroidal_distance, toroidal_transform};
use krabmaga::engine::location::Real2D;
use krabmaga::engine::schedule::Schedule;
use krabmaga::engine::state::State;
use krabmaga::rand::{self, Rng};

const NEIGHBOURHOOD: f32 = 10.0;
const JUMP: f32 = 0.7;

#[derive(Clone, Copy)]
struct Bird {
    id: u32,
    at: Real2D,
    last: Real2D,
}

impl Agent for Bird {
    fn step(&mut self, state: &mut dyn State) {
        let Some(state) = state.as_any().downcast_ref::<Flockers>() else { return };
        let found = state.field.get_neighbors_within_relax_distance(self.at, NEIGHBOURHOOD);
        let (mut avoidance, mut cohesion, mut consistency) = ([0.0f32; 2], [0.0f32; 2], [0.0f32; 2]);
        let mut count = 0u32;
        for other in found.iter().filter(|other| other.id != self.id) {
            let dx = toroidal_distance(self.at.x, other.at.x, state.side);
            let dy = toroidal_distance(self.at.y, other.at.y, state.side);
            let squared = dx * dx + dy * dy;
            count += 1;
            for (axis, (offset, last)) in [(dx, other.last.x), (dy, other.last.y)].into_iter().enumerate() {
                avoidance[axis] += offset / (squared * squared + 1.0);
                cohesion[axis] += offset;
                consistency[axis] += last;
            }
        }
        let mut noise = rand::rng();
        let random = [noise.random::<f32>() * 2.0 - 1.0, noise.random::<f32>() * 2.0 - 1.0];
        let length = (random[0] * random[0] + random[1] * random[1]).sqrt();
        let count = if count > 0 { count as f32 } else { 1.0 };
        // Their model divides the mean of the velocities by the count once more.
        let towards = |axis: usize, momentum: f32| {
            400.0 * avoidance[axis] / count - cohesion[axis] / count / 10.0
                + consistency[axis] / count / count
                + 0.05 * random[axis] / length
                + momentum
        };
        let (dx, dy) = (towards(0, self.last.x), towards(1, self.last.y));
        let distance = (dx * dx + dy * dy).sqrt();
        let scale = if distance > 0.0 { JUMP / distance } else { 0.0 };
        self.last = Real2D { x: dx * scale, y: dy * scale };
        self.at = Real2D {
            x: toroidal_transform(self.at.x + self.last.x, state.side),
            y: toroidal_transform(self.at.y + self.last.y, state.side),
        };
        state.field.set_object_location(*self, self.at);
    }
}

impl Hash for Bird {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl Eq for Bird {}

impl PartialEq for Bird {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Location2D<Real2D> for Bird {
    fn get_location(self) -> Real2D {
        self.at
    }

    fn set_location(&mut self, location: Real2D) {
        self.at = location;
    }
}

impl fmt::Display for Bird {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.id)
    }
}

struct Flockers {
    field: Field2D<Bird>,
    agents: u32,
    side: f32,
}

impl State for Flockers {
    fn reset(&mut self) {}

    fn init(&mut self, schedule: &mut Schedule) {
        let mut noise = rand::rng();
        for id in 0..self.agents {
            let at = Real2D { x: self.side * noise.random::<f32>(), y: self.side * noise.random::<f32>() };
            let bird = Bird { id, at, last: Real2D { x: 0.0, y: 0.0 } };
            self.field.set_object_location(bird, at);
            schedule.schedule_repeating(Box::new(bird), 0.0, 0);
        }
    }

    fn update(&mut self, _step: u64) {
        self.field.lazy_update();
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn as_state(&self) -> &dyn State {
        self
    }

    fn as_state_mut(&mut self) -> &mut dyn State {
        self
    }
}

/// The processor time of all threads of this process, in seconds; zero where the system has no such file.
fn processor_seconds() -> f64 {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let nanoseconds = threads.filter_map(|thread| {
        std::fs::read_to_string(thread.path().join("schedstat")).ok()?.split(' ').next()?.parse::<f64>().ok()
    });
    nanoseconds.sum::<f64>() * 1e-9
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [agents, side, steps] = &arguments[..] else { return Err("throng-peer-krabmaga AGENTS SIDE STEPS".into()) };
    let (agents, side, steps): (u32, f32, u32) = (agents.parse()?, side.parse()?, steps.parse()?);
    let field = Field2D::new(side, side, NEIGHBOURHOOD / 1.5, true);
    let mut flockers = Flockers { field, agents, side };
    let mut schedule = Schedule::new();
    flockers.init(&mut schedule);
    let (start, used) = (Instant::now(), processor_seconds());
    for _ in 0..steps {
        schedule.step(&mut flockers);
    }
    let (seconds, processor) = (start.elapsed().as_secs_f64(), processor_seconds() - used);
    println!(r#"{{"agents":{agents},"threads":1,"ticks":{steps},"seconds":[{seconds}],"processor_seconds":{processor}}}"#);
    Ok(())
}
