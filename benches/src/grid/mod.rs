//! What does the usual good practice cost? A grid of cells with throng's own kernels.
//!
//! Cells are as wide as the perception radius. Agents are sorted by cell in every tick (a parallel counting sort that
//! keeps the order of equals), line of cells by line, and each line starts a new cluster, so that the sixteen agents in
//! the lanes are next to each other. Their candidates are the agents in the cells around theirs, 3 x 3 or 3 x 3 x 3 and
//! as many more as the sixteen lie across.

mod sort;

use std::ops::Range;
use std::sync::atomic::AtomicU32;

use rayon::prelude::*;
use throng::bench_kernels::{CHUNK, CLUSTER, Kernels, Sums};
use throng::{Error, InstructionSet, Vector};

use crate::design::{Clock, Counts, Design, hash};
use crate::flock::{Flock, RADIUS, RULES};

use sort::Lattice;

/// Whoever fills up a line of cells to whole clusters: nobody.
const NOBODY: u32 = u32::MAX;

/// The motion of [`CHUNK`] agents.
#[derive(Clone, Debug)]
struct Chunk<const D: usize> {
    position: [[f32; CHUNK]; D],
    velocity: [[f32; CHUNK]; D],
    force: [[f32; CHUNK]; D],
    number: [u32; CHUNK],
    counts: Counts,
}

impl<const D: usize> Chunk<D> {
    const EMPTY: Self = Self {
        position: [[f32::NAN; CHUNK]; D],
        velocity: [[0.0; CHUNK]; D],
        force: [[0.0; CHUNK]; D],
        number: [NOBODY; CHUNK],
        counts: Counts { candidates: 0, neighbours: 0 },
    };

    /// The places that somebody has.
    fn agents(&self) -> impl Iterator<Item = usize> + '_ {
        (0..CHUNK).filter(|&place| self.number[place] != NOBODY)
    }
}

/// A periodic world whose agents are found through a grid of cells.
#[derive(Debug)]
pub struct Grid<const D: usize> {
    kernels: Kernels<D>,
    size: f32,
    lattice: Lattice,
    chunks: Vec<Chunk<D>>,
    /// The chunks of the last tick, whose agents are sorted into those of this one.
    before: Vec<Chunk<D>>,
    packed: Vec<f32>,
    /// The rows of each cell.
    rows: Vec<Range<u32>>,
    /// How many agents of each block of chunks are in each cell, then where the next one goes.
    counts: Vec<Vec<u32>>,
    /// For each row, where its agent was.
    order: Vec<AtomicU32>,
    stages: [(&'static str, f64); 3],
}

impl<const D: usize> Grid<D> {
    /// The flock, before its first tick.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchInstructionSet`] if this machine lacks it.
    pub fn new(flock: &Flock<D>, set: InstructionSet) -> Result<Self, Error> {
        let kernels = Kernels::new(set, RULES).ok_or_else(|| Error::NoSuchInstructionSet(set.name().to_owned()))?;
        let agents = flock.position.len();
        let mut chunks = vec![Chunk::EMPTY; agents.div_ceil(CHUNK)];
        for row in 0..agents {
            let (chunk, place) = (&mut chunks[row / CHUNK], row % CHUNK);
            chunk.number[place] = row as u32;
            for axis in 0..D {
                chunk.position[axis][place] = flock.position[row][axis];
                chunk.velocity[axis][place] = flock.velocity[row][axis];
            }
        }
        // A little wider than the radius, so that rounding never loses a neighbour.
        let cells = ((flock.size / (RADIUS * 1.0001)) as usize).clamp(1, 1 << 20);
        Ok(Self {
            kernels,
            size: flock.size,
            lattice: Lattice { cells, scale: cells as f32 / flock.size },
            chunks,
            before: Vec::new(),
            packed: Vec::new(),
            rows: vec![0..0; cells.pow(D as u32)],
            counts: Vec::new(),
            order: Vec::new(),
            stages: [("sort", 0.0), ("steer", 0.0), ("integrate", 0.0)],
        })
    }

    /// Where the agents are, in the order in which they were spawned.
    #[must_use]
    pub fn positions(&self) -> Vec<Vector<D>> {
        let place = |(chunk, place): (&Chunk<D>, usize)| Vector::from_fn(|axis| chunk.position[axis][place]);
        self.in_order().into_iter().map(place).collect()
    }

    fn in_order(&self) -> Vec<(&Chunk<D>, usize)> {
        let mut agents: Vec<_> =
            self.chunks.iter().flat_map(|chunk| chunk.agents().map(move |place| (chunk, place))).collect();
        agents.sort_unstable_by_key(|(chunk, place)| chunk.number[*place]);
        agents
    }

    /// Fills the forces.
    fn steer(&mut self) {
        let mut chunks = std::mem::take(&mut self.chunks);
        chunks.par_iter_mut().for_each_init(
            || (Sums::default(), Vec::new()),
            |(sums, candidates), chunk| {
                sums.clear();
                chunk.counts = Counts::default();
                let (position, velocity) = (slices(&chunk.position), slices(&chunk.velocity));
                for first in (0..CHUNK).step_by(CLUSTER) {
                    let agents = chunk.number[first..first + CLUSTER].iter().filter(|&&id| id != NOBODY).count();
                    if agents == 0 {
                        continue;
                    }
                    let period = self.find(chunk, first, agents, candidates).then_some(Vector::splat(self.size));
                    chunk.counts.candidates += (agents * candidates.len()) as u64;
                    self.kernels.add_pairs(&position, &velocity, first, period, candidates, &self.packed, sums);
                }
                chunk.counts.neighbours = sums.neighbours(chunk.number.iter().map(|&number| number != NOBODY));
                self.kernels.steer(&velocity, sums, &mut chunk.force.each_mut().map(|axis| &mut axis[..]));
            },
        );
        self.chunks = chunks;
    }

    /// Fills `candidates` with the agents in the cells around those of a cluster. Tells whether some of them lie
    /// across the seam.
    fn find(&self, chunk: &Chunk<D>, first: usize, agents: usize, candidates: &mut Vec<u32>) -> bool {
        candidates.clear();
        let cells = self.lattice.cells as isize;
        let low = self.lattice.along(chunk.position[0][first]) as isize - 1;
        let high = self.lattice.along(chunk.position[0][first + agents - 1]) as isize + 1;
        let mut wraps = false;
        // Which cells along each axis: `low..=high`, or all of them where these would meet.
        let around = |low: isize, high: isize| if high - low >= cells { (0, cells - 1) } else { (low, high) };
        let across: [(isize, isize); D] = std::array::from_fn(|axis| {
            let at = self.lattice.along(chunk.position[axis][first]) as isize;
            let (from, to) = if axis == 0 { (low, high) } else { (at - 1, at + 1) };
            wraps |= from < 0 || to >= cells;
            around(from, to)
        });
        let (from, to) = across[0];
        let upper = if D == 3 { across[D - 1] } else { (0, 0) };
        for z in upper.0..=upper.1 {
            for y in across[1].0..=across[1].1 {
                let line = ((z.rem_euclid(cells) * cells + y.rem_euclid(cells)) * cells) as usize;
                // One run of rows, or two where it goes on at the other end of the line.
                for (start, end) in [(from + cells, cells - 1), (from, to), (0, to - cells)] {
                    let (start, end) = (start.clamp(0, cells), end.clamp(-1, cells - 1));
                    if start <= end {
                        let rows = self.rows[line + start as usize].start..self.rows[line + end as usize].end;
                        candidates.extend(rows);
                    }
                }
            }
        }
        wraps
    }

    /// Forces become velocities, velocities become positions; who crosses the seam comes in on the other side.
    fn integrate(&mut self) {
        let (kernels, size) = (&self.kernels, self.size);
        self.chunks.par_iter_mut().with_min_len(16).for_each(|chunk| {
            let force = slices(&chunk.force);
            let mut position = chunk.position.each_mut().map(|axis| &mut axis[..]);
            kernels.integrate(&force, &mut position, &mut chunk.velocity.each_mut().map(|axis| &mut axis[..]));
            for coordinate in position.into_iter().flatten() {
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
        self.chunks.iter().fold(Counts::default(), |sum, chunk| Counts {
            candidates: sum.candidates + chunk.counts.candidates,
            neighbours: sum.neighbours + chunk.counts.neighbours,
        })
    }

    fn stages(&self) -> Vec<(&'static str, f64)> {
        self.stages.to_vec()
    }

    fn hash(&self) -> u64 {
        hash(
            self.in_order().into_iter().flat_map(|(chunk, place)| {
                chunk.position.iter().chain(&chunk.velocity).map(move |column| column[place])
            }),
        )
    }
}

fn slices<const D: usize>(columns: &[[f32; CHUNK]; D]) -> [&[f32]; D] {
    columns.each_ref().map(|column| &column[..])
}
