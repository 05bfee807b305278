//! A grid of cells with throng's own kernels, as a design: the usual good practice.
//!
//! Cells are as wide as the perception radius. A parallel, stable counting sort orders agents by cell in every tick,
//! line by line. Each line of cells starts a new cluster, so that the sixteen agents in the lanes are close to each
//! other. Their candidates are the agents in the surrounding cells: 3 x 3 or 3 x 3 x 3, and more where the sixteen span
//! several cells.

mod lattice;
mod rows;
mod sort;

use std::ops::Range;
use std::sync::atomic::AtomicU32;
use std::sync::{Mutex, PoisonError};

use throng::bench_kernels::{
    CHUNK, CLUSTER, ChunkedAxes, ChunkedColumn, Kernels, Lists, Sums, columns, for_each_chunk,
};
use throng::{Error, InstructionSet, Vector};

use crate::design::{Counts, Design};
use crate::flock::{Flock, RADIUS};
use crate::rival::{Clock, hash};
use crate::roofline::RULES;

use lattice::Lattice;
use rows::{NO_AGENT, Rows};

/// A periodic world that finds neighbours through a grid of cells.
#[derive(Debug)]
pub struct Grid<const D: usize> {
    kernels: Kernels<D>,
    size: f32,
    lattice: Lattice,
    agents: Rows<D>,
    /// The rows of the last tick, from which the sort fills `agents`.
    before: Rows<D>,
    force: [Vec<f32>; D],
    /// The counts of each chunk.
    counts: Vec<Counts>,
    /// The rows of each cell.
    cells: Vec<Range<u32>>,
    /// Per block of rows and cell: the number of agents, then the row of the next one.
    starts: Vec<Vec<u32>>,
    /// Per row: the row of its agent in `before`.
    order: Vec<AtomicU32>,
    scratches: Vec<Mutex<Scratch<D>>>,
    stages: [(&'static str, f64); 3],
}

/// Buffers of one thread.
#[derive(Debug, Default)]
struct Scratch<const D: usize> {
    sums: Sums<D>,
    lists: Lists,
}

impl<const D: usize> Grid<D> {
    /// Builds the flock, before its first tick.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchInstructionSet`] if this machine lacks it.
    pub fn new(flock: &Flock<D>, set: InstructionSet) -> Result<Self, Error> {
        let kernels = Kernels::new(set, RULES).ok_or_else(|| Error::NoSuchInstructionSet(set.name().to_owned()))?;
        let mut agents = Rows::new();
        agents.resize(flock.position.len().next_multiple_of(CHUNK));
        for (row, (position, velocity)) in flock.position.iter().zip(&flock.velocity).enumerate() {
            agents.number[row] = row as u32;
            for axis in 0..D {
                agents.position[axis][row] = position[axis];
                agents.velocity[axis][row] = velocity[axis];
            }
        }
        // A little wider than the radius, so that rounding never loses a neighbour.
        let cells = ((flock.size / (RADIUS * 1.0001)) as usize).clamp(1, 1 << 20);
        Ok(Self {
            kernels,
            size: flock.size,
            lattice: Lattice { cells, scale: cells as f32 / flock.size },
            agents,
            before: Rows::new(),
            force: std::array::from_fn(|_| Vec::new()),
            counts: Vec::new(),
            cells: vec![0..0; cells.pow(D as u32)],
            starts: Vec::new(),
            order: Vec::new(),
            scratches: Vec::new(),
            stages: [("sort", 0.0), ("steer", 0.0), ("integrate", 0.0)],
        })
    }

    /// Returns the positions of the agents, in the order in which they were spawned.
    #[must_use]
    pub fn positions(&self) -> Vec<Vector<D>> {
        let place = |row: usize| Vector::from_fn(|axis| self.agents.position[axis][row]);
        self.in_order().into_iter().map(place).collect()
    }

    /// Returns the rows of the agents, in the order in which they were spawned.
    fn in_order(&self) -> Vec<usize> {
        let number = &self.agents.number;
        let mut rows: Vec<_> = (0..number.len()).filter(|&row| number[row] != NO_AGENT).collect();
        rows.sort_unstable_by_key(|&row| number[row]);
        rows
    }

    /// Fills the forces.
    fn steer(&mut self) {
        let mut force = std::mem::replace(&mut self.force, std::array::from_fn(|_| Vec::new()));
        let mut counts = std::mem::take(&mut self.counts);
        let chunks = self.agents.chunks();
        for column in &mut force {
            column.resize(chunks * CHUNK, 0.0);
        }
        counts.resize(chunks, Counts::default());
        self.scratches.resize_with(rayon::current_num_threads(), Mutex::default);
        let split = (ChunkedAxes::<D, CHUNK>::new(&mut force), ChunkedColumn(&mut counts, 1));
        for_each_chunk(chunks, 1, split, &|chunk, (mut force, counts)| {
            let scratch = &self.scratches[rayon::current_thread_index().unwrap_or(0)];
            // No thread waits here: each has a scratch of its own.
            let mut scratch = scratch.lock().unwrap_or_else(PoisonError::into_inner);
            counts.0[0] = self.steer_chunk(chunk, &mut force.0, &mut scratch);
        });
        (self.force, self.counts) = (force, counts);
    }

    /// Fills the forces of one chunk and returns its counts.
    fn steer_chunk(&self, chunk: usize, force: &mut [&mut [f32]; D], scratch: &mut Scratch<D>) -> Counts {
        let Scratch { sums, lists } = scratch;
        let mut counts = Counts::default();
        let own = chunk * CHUNK..(chunk + 1) * CHUNK;
        let Rows { position, velocity, number } = &self.agents;
        let (all_positions, all_velocities) = (columns(position, 0..number.len()), columns(velocity, 0..number.len()));
        sums.clear();
        lists.clear();
        for (cluster, first) in own.clone().step_by(CLUSTER).enumerate() {
            let agents = number[first..first + CLUSTER].iter().filter(|&&number| number != NO_AGENT).count();
            let start = lists.rows.len();
            if agents > 0 && self.find(first, agents, &mut lists.rows) {
                lists.seams |= 1 << cluster;
            }
            counts.candidates += (agents * (agents + lists.rows.len() - start)) as u64;
            self.kernels.end_list(lists, cluster, start);
        }
        let period = Vector::splat(self.size);
        self.kernels.add_pairs(&all_positions, &all_velocities, chunk, period, lists, sums);
        counts.neighbours = sums.neighbours(number[own.clone()].iter().map(|&number| number != NO_AGENT));
        self.kernels.steer(&columns(velocity, own), sums, force);
        counts
    }

    /// Appends the rows of the agents in the cells around a cluster, except its own. Returns whether some of these
    /// cells lie across the seam.
    fn find(&self, first: usize, agents: usize, candidates: &mut Vec<u32>) -> bool {
        let own = first as u32..(first + agents) as u32;
        let position = &self.agents.position;
        let cells = self.lattice.cells as isize;
        let low = self.lattice.along(position[0][first]) as isize - 1;
        let high = self.lattice.along(position[0][first + agents - 1]) as isize + 1;
        let mut wraps = false;
        // The cells along each axis: `low..=high`, or all of them where the two ends would meet.
        let around = |low: isize, high: isize| if high - low >= cells { (0, cells - 1) } else { (low, high) };
        let across: [(isize, isize); D] = std::array::from_fn(|axis| {
            let at = self.lattice.along(position[axis][first]) as isize;
            let (from, to) = if axis == 0 { (low, high) } else { (at - 1, at + 1) };
            wraps |= from < 0 || to >= cells;
            around(from, to)
        });
        let (from, to) = across[0];
        let upper = if D == 3 { across[D - 1] } else { (0, 0) };
        for z in upper.0..=upper.1 {
            for y in across[1].0..=across[1].1 {
                let line = ((z.rem_euclid(cells) * cells + y.rem_euclid(cells)) * cells) as usize;
                // One run of rows, or two where it continues at the other end of the line.
                for (start, end) in [(from + cells, cells - 1), (from, to), (0, to - cells)] {
                    let (start, end) = (start.clamp(0, cells), end.clamp(-1, cells - 1));
                    if start <= end {
                        let rows = self.cells[line + start as usize].start..self.cells[line + end as usize].end;
                        candidates.extend(rows.start..rows.end.min(own.start));
                        candidates.extend(rows.start.max(own.end)..rows.end);
                    }
                }
            }
        }
        wraps
    }

    /// Integrates forces to velocities and velocities to positions. An agent that crosses the seam enters on the other
    /// side.
    fn integrate(&mut self) {
        let (kernels, size, all_forces) = (&self.kernels, self.size, &self.force);
        let chunks = self.agents.chunks();
        let Rows { position, velocity, .. } = &mut self.agents;
        let split = (ChunkedAxes::<D, CHUNK>::new(position), ChunkedAxes::<D, CHUNK>::new(velocity));
        for_each_chunk(chunks, 16, split, &|chunk, (mut position, velocity)| {
            let force = columns(all_forces, chunk * CHUNK..(chunk + 1) * CHUNK);
            // Rounding errors are dropped, as is usual.
            let mut residuals = [[[0.0; CHUNK]; D]; 2];
            let [of_position, of_velocity] =
                residuals.each_mut().map(|residuals| residuals.each_mut().map(|column| column.as_mut_slice()));
            let moved = position.0.each_mut().map(|column| &mut **column);
            kernels.integrate(&force, [moved, of_position], [velocity.0, of_velocity]);
            for coordinate in position.0.into_iter().flatten() {
                if *coordinate < 0.0 {
                    *coordinate += size;
                }
                if *coordinate >= size {
                    *coordinate -= size;
                }
            }
        });
    }
}

impl<const D: usize> Design for Grid<D> {
    fn tick(&mut self) {
        let mut clock = Clock::start();
        self.sort();
        self.stages[0].1 = clock.lap();
        self.steer();
        self.stages[1].1 = clock.lap();
        self.integrate();
        self.stages[2].1 = clock.lap();
    }

    fn counts(&self) -> Counts {
        let mut sum = Counts::default();
        self.counts.iter().for_each(|counts| sum += *counts);
        sum
    }

    fn stages(&self) -> Vec<(&'static str, f64)> {
        self.stages.to_vec()
    }

    fn hash(&self) -> u64 {
        let Rows { position, velocity, .. } = &self.agents;
        let motion = |row| position.iter().chain(velocity).map(move |column| column[row]);
        hash(self.in_order().into_iter().flat_map(motion))
    }
}
