//! krABMaga's model `flockers`: agents and state as in the crate, with the start and the step length of the flock.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use krabmaga::engine::agent::Agent;
use krabmaga::engine::fields::field::Field;
use krabmaga::engine::fields::field_2d::{Field2D, Location2D, toroidal_distance, toroidal_transform};
use krabmaga::engine::location::Real2D;
use krabmaga::engine::schedule::Schedule;
use krabmaga::engine::state::State;
use krabmaga::rand::{self, Rng};
use throng_bench::flock::{MAX_SPEED, RADIUS, TICK_SECONDS};
use throng_bench::{Counts, Design, Flock};

pub(crate) const NAME: &str = if cfg!(feature = "parallel") { "krabmaga_parallel" } else { "krabmaga" };
pub(crate) const NOTES: &str = "krABMaga 0.6.2, model flockers: neighbours are all in 3 x 3 cells of 6.67 m, without a \
    test of distance, and not across the seam; separation falls off as 1 / (d^4 + 1); a random turn in every tick";

const JUMP: f32 = MAX_SPEED * TICK_SECONDS;
const DISCRETIZATION: f32 = RADIUS / 1.5;

#[derive(Clone, Copy)]
struct Bird {
    id: u32,
    pos: Real2D,
    last_d: Real2D,
}

impl Agent for Bird {
    fn step(&mut self, state: &mut dyn State) {
        let Some(state) = state.as_any().downcast_ref::<Flocker>() else { return };
        let found = state.field.get_neighbors_within_relax_distance(self.pos, RADIUS);
        let (mut avoid, mut cohere, mut match_up) = ([0.0f32; 2], [0.0f32; 2], [0.0f32; 2]);
        let (mut count, mut near) = (0u32, 0u64);
        for other in found.iter().filter(|other| other.id != self.id) {
            let dx = toroidal_distance(self.pos.x, other.pos.x, state.size);
            let dy = toroidal_distance(self.pos.y, other.pos.y, state.size);
            let square = dx * dx + dy * dy;
            count += 1;
            near += u64::from(square <= RADIUS * RADIUS);
            for (axis, (offset, last)) in [(dx, other.last_d.x), (dy, other.last_d.y)].into_iter().enumerate() {
                avoid[axis] += offset / (square * square + 1.0);
                cohere[axis] += offset;
                match_up[axis] += last;
            }
        }
        state.candidates.fetch_add(found.len() as u64, Ordering::Relaxed);
        state.neighbours.fetch_add(near, Ordering::Relaxed);
        let mut rng = rand::rng();
        let random = [rng.random::<f32>() * 2.0 - 1.0, rng.random::<f32>() * 2.0 - 1.0];
        let length = (random[0] * random[0] + random[1] * random[1]).sqrt();
        let count = if count > 0 { count as f32 } else { 1.0 };
        let towards = |axis: usize, momentum: f32| {
            400.0 * avoid[axis] / count - cohere[axis] / count / 10.0
                + match_up[axis] / count / count
                + 0.05 * random[axis] / length
                + momentum
        };
        let (dx, dy) = (towards(0, self.last_d.x), towards(1, self.last_d.y));
        let distance = (dx * dx + dy * dy).sqrt();
        let scale = if distance > 0.0 { JUMP / distance } else { 0.0 };
        self.last_d = Real2D { x: dx * scale, y: dy * scale };
        self.pos = Real2D {
            x: toroidal_transform(self.pos.x + self.last_d.x, state.size),
            y: toroidal_transform(self.pos.y + self.last_d.y, state.size),
        };
        state.field.set_object_location(*self, self.pos);
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
        self.pos
    }

    fn set_location(&mut self, location: Real2D) {
        self.pos = location;
    }
}

impl fmt::Display for Bird {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.id)
    }
}

struct Flocker {
    birds: Vec<Bird>,
    field: Field2D<Bird>,
    size: f32,
    candidates: AtomicU64,
    neighbours: AtomicU64,
}

impl State for Flocker {
    fn reset(&mut self) {}

    fn init(&mut self, schedule: &mut Schedule) {
        for bird in &self.birds {
            self.field.set_object_location(*bird, bird.pos);
            schedule.schedule_repeating(Box::new(*bird), 0.0, 0);
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

/// The model and its schedule.
pub(crate) struct Peer {
    flocker: Flocker,
    schedule: Schedule,
    counts: Counts,
}

impl Peer {
    /// The flock, before its first tick.
    pub(crate) fn new<const D: usize>(flock: &Flock<D>, threads: usize) -> Self {
        let birds = flock.position.iter().zip(&flock.velocity).zip(0..).map(|((position, velocity), id)| Bird {
            id,
            pos: Real2D { x: position[0], y: position[1] },
            last_d: Real2D { x: velocity[0] * TICK_SECONDS, y: velocity[1] * TICK_SECONDS },
        });
        let field = Field2D::new(flock.size, flock.size, DISCRETIZATION, true);
        let (candidates, neighbours) = (AtomicU64::new(0), AtomicU64::new(0));
        let mut flocker = Flocker { birds: birds.collect(), field, size: flock.size, candidates, neighbours };
        #[cfg(feature = "parallel")]
        let mut schedule = Schedule::with_threads(threads);
        #[cfg(not(feature = "parallel"))]
        let mut schedule = {
            let _one = threads;
            Schedule::new()
        };
        flocker.init(&mut schedule);
        Self { flocker, schedule, counts: Counts::default() }
    }
}

impl Design for Peer {
    fn tick(&mut self) {
        self.schedule.step(&mut self.flocker);
        let take = |counter: &mut AtomicU64| std::mem::take(counter.get_mut());
        let (candidates, neighbours) = (take(&mut self.flocker.candidates), take(&mut self.flocker.neighbours));
        self.counts = Counts { candidates, neighbours, capped: 0 };
    }

    fn counts(&self) -> Counts {
        self.counts
    }

    fn stages(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    fn hash(&self) -> u64 {
        0
    }
}
