//! Which agents are in which cell? A parallel counting sort, in every tick.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use throng::bench_kernels::{CHUNK, CLUSTER, packed_width};

use super::{Chunk, Grid, NOBODY, slices};

/// The cells of a world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lattice {
    /// Cells per axis.
    pub(super) cells: usize,
    /// Cells per metre.
    pub(super) scale: f32,
}

impl Lattice {
    /// The cell along one axis.
    pub(super) fn along(&self, coordinate: f32) -> usize {
        ((coordinate * self.scale) as usize).clamp(0, self.cells - 1)
    }

    /// The cell of an agent. Cells next to each other along the first axis have numbers next to each other.
    fn cell<const D: usize>(&self, chunk: &Chunk<D>, place: usize) -> usize {
        (0..D).rev().fold(0, |cell, axis| cell * self.cells + self.along(chunk.position[axis][place]))
    }
}

impl<const D: usize> Grid<D> {
    /// Sorts agents by cell.
    pub(super) fn sort(&mut self) {
        std::mem::swap(&mut self.chunks, &mut self.before);
        let Self { kernels, lattice, chunks, before, packed, rows, counts, order, .. } = self;
        let per_block = before.len().div_ceil(rayon::current_num_threads()).clamp(1, usize::MAX);
        let blocks = before.par_chunks(per_block);
        counts.resize_with(blocks.len(), Vec::new);
        blocks.clone().zip(&mut *counts).for_each(|(block, counts)| {
            counts.clear();
            counts.resize(rows.len(), 0);
            for chunk in block {
                for place in chunk.agents() {
                    counts[lattice.cell(chunk, place)] += 1;
                }
            }
        });
        let mut next = 0u32;
        for (number, rows) in rows.iter_mut().enumerate() {
            if number % lattice.cells == 0 {
                next = next.next_multiple_of(CLUSTER as u32);
            }
            rows.start = next;
            for counts in &mut *counts {
                next += std::mem::replace(&mut counts[number], next);
            }
            rows.end = next;
        }
        let all = (next as usize).div_ceil(CHUNK);
        order.resize_with(all * CHUNK, AtomicU32::default);
        order.par_iter_mut().with_min_len(1 << 14).for_each(|order| *order.get_mut() = NOBODY);
        blocks.zip(&mut *counts).enumerate().for_each(|(number, (block, next))| {
            for (offset, chunk) in block.iter().enumerate() {
                let first = (number * per_block + offset) * CHUNK;
                for place in chunk.agents() {
                    let next = &mut next[lattice.cell(chunk, place)];
                    order[*next as usize].store((first + place) as u32, Ordering::Relaxed);
                    *next += 1;
                }
            }
        });
        chunks.resize(all, Chunk::EMPTY);
        packed.resize(all * CHUNK * packed_width(D), 0.0);
        let packed = packed.par_chunks_mut(CHUNK * packed_width(D));
        chunks.par_iter_mut().zip(order.par_chunks(CHUNK)).zip(packed).for_each(|((chunk, order), packed)| {
            for (place, from) in order.iter().enumerate() {
                let from = from.load(Ordering::Relaxed) as usize;
                let old = before.get(from / CHUNK).unwrap_or(&Chunk::EMPTY);
                for axis in 0..D {
                    chunk.position[axis][place] = old.position[axis][from % CHUNK];
                    chunk.velocity[axis][place] = old.velocity[axis][from % CHUNK];
                }
                chunk.number[place] = old.number[from % CHUNK];
            }
            kernels.pack(&slices(&chunk.position), &slices(&chunk.velocity), packed);
        });
    }
}
