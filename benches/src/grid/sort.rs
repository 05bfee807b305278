//! The parallel counting sort of agents by cell.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use throng::bench_kernels::{CHUNK, CLUSTER, ChunkedAxes, ChunkedColumn, for_each_chunk};

use super::Grid;
use super::rows::{NO_AGENT, Rows};

impl<const D: usize> Grid<D> {
    /// Sorts agents by cell.
    pub(super) fn sort(&mut self) {
        std::mem::swap(&mut self.agents, &mut self.before);
        let Self { lattice, agents, before, cells, starts, order, .. } = self;
        let per_block = before.number.len().div_ceil(rayon::current_num_threads()).clamp(1, usize::MAX);
        let blocks = before.number.par_chunks(per_block).enumerate();
        starts.resize_with(blocks.len(), Vec::new);
        let living = |(block, numbers): (usize, &[u32])| {
            let rows = block * per_block..block * per_block + numbers.len();
            rows.filter(|&row| before.number[row] != NO_AGENT)
        };
        blocks.clone().zip(&mut *starts).for_each(|(block, counts)| {
            counts.clear();
            counts.resize(cells.len(), 0);
            for row in living(block) {
                counts[lattice.cell(&before.position, row)] += 1;
            }
        });
        let mut next = 0u32;
        for (number, rows) in cells.iter_mut().enumerate() {
            if number % lattice.cells == 0 {
                next = next.next_multiple_of(CLUSTER as u32);
            }
            rows.start = next;
            for counts in &mut *starts {
                next += std::mem::replace(&mut counts[number], next);
            }
            rows.end = next;
        }
        let all = (next as usize).next_multiple_of(CHUNK);
        order.resize_with(all, AtomicU32::default);
        order.par_iter_mut().with_min_len(1 << 14).for_each(|order| *order.get_mut() = NO_AGENT);
        blocks.zip(&mut *starts).for_each(|(block, next)| {
            for row in living(block) {
                let next = &mut next[lattice.cell(&before.position, row)];
                order[*next as usize].store(row as u32, Ordering::Relaxed);
                *next += 1;
            }
        });
        agents.resize(all);
        let Rows { position, velocity, number } = agents;
        let split = (
            ChunkedAxes::<D, CHUNK>::new(position),
            ChunkedAxes::<D, CHUNK>::new(velocity),
            ChunkedColumn(number.as_mut_slice(), CHUNK),
        );
        for_each_chunk(all / CHUNK, 4, split, &|chunk, (position, velocity, number)| {
            for (place, from) in order[chunk * CHUNK..(chunk + 1) * CHUNK].iter().enumerate() {
                let from = from.load(Ordering::Relaxed);
                let row = from as usize;
                for axis in 0..D {
                    position.0[axis][place] = if from == NO_AGENT { f32::NAN } else { before.position[axis][row] };
                    velocity.0[axis][place] = if from == NO_AGENT { f32::NAN } else { before.velocity[axis][row] };
                }
                number.0[place] = if from == NO_AGENT { NO_AGENT } else { before.number[row] };
            }
        });
    }
}
