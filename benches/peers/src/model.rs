//! krABMaga's model `flockers`: agents and state follow the crate's, with all five weights 1. Neighbours are all agents in
//! 3 x 3 cells, without a test of distance, and not across the seam.

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

#[derive(Clone, Copy)]
pub(crate) struct Bird {
    pub(crate) id: u32,
    pub(crate) pos: Real2D,
    pub(crate) last_d: Real2D,
}

impl Agent for Bird {
    fn step(&mut self, state: &mut dyn State) {
        let Some(state) = state.as_any().downcast_ref::<Flockers>() else { return };
        let found = state.field.get_neighbors_within_relax_distance(self.pos, state.radius);
        let (mut avoid, mut cohere, mut match_up) = ([0.0f32; 2], [0.0f32; 2], [0.0f32; 2]);
        let (mut count, mut near) = (0u32, 0u64);
        for other in found.iter().filter(|other| other.id != self.id) {
            let dx = toroidal_distance(self.pos.x, other.pos.x, state.size);
            let dy = toroidal_distance(self.pos.y, other.pos.y, state.size);
            let square = dx * dx + dy * dy;
            count += 1;
            near += u64::from(square <= state.radius * state.radius);
            for (axis, (offset, last)) in [(dx, other.last_d.x), (dy, other.last_d.y)].into_iter().enumerate() {
                avoid[axis] += offset / (square * square + 1.0);
                cohere[axis] += offset;
                match_up[axis] += last;
            }
        }
        if let Some([candidates, neighbours]) = &state.counts {
            candidates.fetch_add(found.len() as u64, Ordering::Relaxed);
            neighbours.fetch_add(near, Ordering::Relaxed);
        }
        let mut rng = rand::rng();
        let random = [rng.random::<f32>() * 2.0 - 1.0, rng.random::<f32>() * 2.0 - 1.0];
        let length = (random[0] * random[0] + random[1] * random[1]).sqrt();
        let count = if count > 0 { count as f32 } else { 1.0 };
        // Their model divides the mean of the velocities by the count once more.
        let towards = |axis: usize, momentum: f32| {
            400.0 * avoid[axis] / count - cohere[axis] / count / 10.0
                + match_up[axis] / count / count
                + 0.05 * random[axis] / length
                + momentum
        };
        let (dx, dy) = (towards(0, self.last_d.x), towards(1, self.last_d.y));
        let distance = (dx * dx + dy * dy).sqrt();
        let scale = if distance > 0.0 { state.jump / distance } else { 0.0 };
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

/// The birds on a torus.
pub(crate) struct Flockers {
    birds: Vec<Bird>,
    field: Field2D<Bird>,
    size: f32,
    radius: f32,
    jump: f32,
    /// Candidates and neighbours since they were last taken, if they are counted.
    pub(crate) counts: Option<[AtomicU64; 2]>,
}

impl Flockers {
    /// Birds on a torus of this size, which look this far and move by `jump` in a step.
    pub(crate) fn new(birds: Vec<Bird>, size: f32, radius: f32, jump: f32) -> Self {
        Self { birds, field: Field2D::new(size, size, radius / 1.5, true), size, radius, jump, counts: None }
    }
}

impl State for Flockers {
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
