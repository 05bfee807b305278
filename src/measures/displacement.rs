//! The mean squared displacement, with positions unwrapped across the seam.

use crate::base::ids::SpeciesId;
use crate::maths::Vector;
use crate::measures::by_agent::ByAgent;
use crate::measures::saved::saved;
use crate::world::World;

/// Measures how far agents have moved since the first observation. It observes the world before the first tick and
/// after each tick.
///
/// On a periodic axis positions are unwrapped: an agent that moves less than half of the period between two
/// observations is followed across the seam.
#[derive(Clone, Debug, Default)]
pub struct Displacement {
    paths: ByAgent<(u32, Path)>,
    observed: bool,
}

/// The unwrapped way of one agent from its first position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    first: [f32; 3],
    last: [f32; 3],
    /// The number of periods that the agent has crossed on each axis.
    images: [i32; 3],
}

saved!(Displacement { paths, observed });
saved!(Path { first, last, images });

impl Path {
    pub(super) fn from<const D: usize>(position: Vector<D>) -> Self {
        let first = std::array::from_fn(|axis| if axis < D { position[axis] } else { 0.0 });
        Self { first, last: first, images: [0; 3] }
    }

    /// Follows the agent to its next position.
    pub(super) fn follow<const D: usize>(&mut self, position: Vector<D>, period: [f32; D]) {
        for axis in 0..D {
            let step = position[axis] - self.last[axis];
            if step > 0.5 * period[axis] {
                self.images[axis] -= 1;
            } else if step < -0.5 * period[axis] {
                self.images[axis] += 1;
            }
            self.last[axis] = position[axis];
        }
    }

    /// The squared distance from the first position in m², unwrapped.
    pub(super) fn squared<const D: usize>(&self, period: [f32; D]) -> f64 {
        (0..D)
            .map(|axis| {
                let across = match self.images[axis] {
                    0 => 0.0,
                    images => f64::from(images) * f64::from(period[axis]),
                };
                let distance = f64::from(self.last[axis]) - f64::from(self.first[axis]) + across;
                distance * distance
            })
            .sum()
    }
}

impl Displacement {
    /// A measure that starts with its first observation.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Observes the world. Agents that appear after the first observation are left out.
    pub fn observe<const D: usize>(&mut self, world: &World<D>) {
        let period = world.settings().period();
        self.paths.start();
        for agents in world.all() {
            for (row, &id) in agents.ids().iter().enumerate() {
                let position = agents.position(row);
                if !self.observed {
                    self.paths.set(id, (agents.species().0, Path::from(position)));
                } else if let Some((_, path)) = self.paths.touch(id) {
                    path.follow(position, period);
                }
            }
        }
        self.observed = true;
        self.paths.gone(|_| {});
    }

    /// The mean squared displacement in m², of all agents that were present from the first to the last observation, or
    /// of those of one species. NaN without agents.
    #[must_use]
    pub fn mean_squared<const D: usize>(&self, world: &World<D>, species: Option<SpeciesId>) -> f64 {
        let period = world.settings().period();
        let (mut sum, mut agents) = (0.0, 0u64);
        for (own, path) in self.paths.values() {
            if species.is_none_or(|species| species.0 == *own) {
                sum += path.squared(period);
                agents += 1;
            }
        }
        sum / agents as f64
    }
}
