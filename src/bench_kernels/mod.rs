//! The kernels without a world, for measurements and for engines of another design.
//!
//! The module requires the feature `bench` and is outside semantic versioning.

mod tile;

use fearless_simd::Level;

use crate::kernels::combine::{Force, QuantitySlice, SteeredRows, add_weighted, along_sum, to_mean};
use crate::kernels::group::group;
use crate::kernels::integrate::{Limits, integrate};
use crate::kernels::pairs::{CandidateList, Observers, Sum, Terms, add_pairs};
use crate::kernels::vision::Vision;
use crate::kernels::{GROUPS, rows};
use crate::{InstructionSet, Vector};

pub use crate::agents::parallel::ChunkedAxes;
pub use crate::agents::parallel::ChunkedColumn;
pub use crate::agents::parallel::for_each_chunk;
pub use tile::Tile;

/// The number of agents in a cluster.
pub const CLUSTER: usize = crate::kernels::CLUSTER;

/// The number of agents in a chunk, whose sums are in one [`Sums`].
pub const CHUNK: usize = crate::kernels::CHUNK;

/// A flock of equal agents with separation, alignment and cohesion, each with weight 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlockRules {
    /// The perception radius of separation, in metres.
    pub separation_radius: f32,
    /// The perception radius of alignment and cohesion, in metres.
    pub radius: f32,
    /// The largest speed, in metres per second.
    pub max_speed: f32,
    /// The largest force, in newtons; the mass is one kilogram.
    pub max_force: f32,
    /// The time in which an agent reaches its desired velocity, in seconds.
    pub response: f32,
    /// The length of a tick, in seconds.
    pub tick_seconds: f32,
}

impl FlockRules {
    fn terms(&self) -> Terms {
        let view = |radius: f32| Some(Vision { radius_squared: radius * radius, cosine_squared: Vision::ALL_ROUND });
        Terms {
            inverse_offsets: view(self.separation_radius),
            velocities: view(self.radius),
            offsets: view(self.radius),
        }
    }
}

/// Sums over the neighbours of up to [`CHUNK`] agents, for the three rules of a flock.
#[derive(Clone, Debug)]
pub struct Sums<const D: usize> {
    sums: Box<[Sum<D>; 3]>,
    forces: Box<[Force<D>; 2]>,
}

impl<const D: usize> Default for Sums<D> {
    fn default() -> Self {
        Self { sums: Box::new([Sum::ZERO; 3]), forces: Box::new([[[0.0; CHUNK]; D]; 2]) }
    }
}

impl<const D: usize> Sums<D> {
    /// Sets all sums to zero.
    pub fn clear(&mut self) {
        for sum in self.sums.iter_mut() {
            *sum = Sum::ZERO;
        }
    }

    /// Returns the number of neighbours of the agents in the first rows for which `is_agent` is true.
    pub fn neighbours(&self, is_agent: impl Iterator<Item = bool>) -> u64 {
        self.sums[1].count.iter().zip(is_agent).map(|(&count, agent)| if agent { count as u64 } else { 0 }).sum()
    }
}

/// The candidates of the clusters of one chunk.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    /// The rows of candidates outside the cluster: the candidates of the first group, then of the second, and so on.
    pub rows: Vec<u32>,
    /// The end of each group's rows.
    ends: [usize; GROUPS],
    /// One bit for each cluster: whether a pair within the radius may lie across a seam.
    pub seams: u16,
}

impl Lists {
    /// Removes all candidates.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.seams = 0;
    }
}

/// The kernels with one instruction set. They panic if the lengths of slices do not match.
#[derive(Clone, Copy, Debug)]
pub struct Kernels<const D: usize> {
    level: Level,
    rules: FlockRules,
}

impl<const D: usize> Kernels<D> {
    /// Returns the kernels; `None` if this machine lacks the instruction set.
    #[must_use]
    pub fn new(set: InstructionSet, rules: FlockRules) -> Option<Self> {
        set.level().map(|level| Self { level, rules })
    }

    /// Adds the pairs of a chunk's agents and their candidates, rows of the same columns, to the sums. `period` is the
    /// period of the world.
    pub fn add_pairs(
        &self,
        position: &[&[f32]; D],
        velocity: &[&[f32]; D],
        chunk: usize,
        period: Vector<D>,
        lists: &Lists,
        sums: &mut Sums<D>,
    ) {
        let own = chunk * CHUNK..((chunk + 1) * CHUNK).clamp(0, position[0].len());
        let observers = Observers {
            position: position.map(|column| &column[own.clone()]),
            velocity: velocity.map(|column| &column[own.clone()]),
            heading: velocity.map(|column| &column[own.clone()]),
            period: period.0,
            seams: lists.seams,
            each_other: true,
            views: None,
        };
        let Lists { rows, ends, .. } = lists;
        let candidates = CandidateList { rows, ends, position: *position, velocity: *velocity };
        add_pairs(self.level, &observers, &candidates, &self.rules.terms(), &[0, 1, 2], &mut sums.sums[..]);
    }

    /// Ends the list of a cluster, whose rows begin at `start`. Each of its groups gets all of them.
    pub fn end_list(&self, lists: &mut Lists, cluster: usize, start: usize) {
        let groups = CLUSTER / group(self.level);
        let end = lists.rows.len();
        for group in 0..groups {
            if group > 0 {
                lists.rows.extend_from_within(start..end);
            }
            lists.ends[cluster * groups + group] = lists.rows.len();
        }
    }

    /// Computes the forces from the sums, for up to [`CHUNK`] agents.
    pub fn steer(&self, velocity: &[&[f32]; D], sums: &mut Sums<D>, force: &mut [&mut [f32]; D]) {
        let Sums { sums, forces } = sums;
        let [total, one] = &mut **forces;
        *total = [[0.0; CHUNK]; D];
        let steered = SteeredRows {
            velocity: *velocity,
            max_speed: QuantitySlice::Same(self.rules.max_speed),
            response: self.rules.response,
        };
        along_sum(self.level, &steered, &sums[0], -1.0, one);
        add_weighted(self.level, total, one, 1.0);
        to_mean(self.level, &steered, &sums[1], one);
        add_weighted(self.level, total, one, 1.0);
        along_sum(self.level, &steered, &sums[2], 1.0, one);
        add_weighted(self.level, total, one, 1.0);
        for (out, total) in force.iter_mut().zip(total) {
            let agents = out.len();
            out.copy_from_slice(&total[..agents]);
        }
    }

    /// Integrates forces to velocities and velocities to positions, for whole clusters of agents in a world without an
    /// edge. Positions and velocities come with their residuals.
    pub fn integrate(&self, force: &[&[f32]; D], position: [[&mut [f32]; D]; 2], velocity: [[&mut [f32]; D]; 2]) {
        let sums = |[sum, residual]: [_; 2]| crate::kernels::integrate::CompensatedColumns { sum, residual };
        let limits = Limits {
            mass: QuantitySlice::Same(1.0),
            max_force: QuantitySlice::Same(self.rules.max_force),
            max_speed: QuantitySlice::Same(self.rules.max_speed),
            min_speed: 0.0,
            turn: None,
            moves: true,
            direct: false,
            explicit: false,
        };
        let (position, velocity) = (&mut sums(position), &mut sums(velocity));
        let steps = crate::kernels::integrate::Steps { steering: *force, displacement: None };
        integrate(self.level, &limits, self.rules.tick_seconds, &steps, position, velocity);
    }
}

/// Returns `range` of each column.
#[must_use]
pub fn columns<const D: usize>(columns: &[Vec<f32>; D], range: std::ops::Range<usize>) -> [&[f32]; D] {
    rows(columns, range)
}
