//! Arrange: rows are put into a space order, so that the agents of a cluster are near each other.
//!
//! The world is cut into slabs of about one cluster's width along the last axis, each slab into strips along the one
//! before, and rows run along the strips, there and back, so that consecutive rows are always close by. Slabs and
//! strips hold equal numbers of agents, not equal widths: one far outlier does not put a flock into one strip. Every
//! sort is a counting sort that keeps the order of equals, so the result is a function of the state alone.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::agents::Agents;
use crate::ids::{AgentId, Ids};
use crate::kernels::CLUSTER;

/// Ticks from one arrangement to the next.
pub(crate) const INTERVAL: u64 = 16;

/// What arranging needs, kept from one time to the next so that nothing is allocated.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// The rows in their new order, each below its sort key.
    order: Vec<u64>,
    sorted: Vec<AtomicU64>,
    /// For each block of rows and each digit: how many rows, then where the next one goes.
    counts: Vec<[u32; DIGITS]>,
    spare: Vec<f32>,
    spare_ids: Vec<AgentId>,
}

/// Keys are sorted by eight bits at a time, the lowest first.
const DIGITS: usize = 256;

/// The digits of a key that are looked at: the lowest byte of a coordinate is far below what a cluster measures.
const SHIFTS: [u32; 3] = [40, 48, 56];

/// Rows of one block, which one thread counts.
const BLOCK: usize = 8192;

/// Puts the rows of one species into space order.
pub(crate) fn arrange<const D: usize>(agents: &mut Agents<D>, ids: &mut Ids, workspace: &mut Workspace) {
    let count = agents.len();
    if count <= CLUSTER {
        return;
    }
    let slabs = side(count.div_ceil(CLUSTER), D);
    let per_slab = count.div_ceil(slabs).next_multiple_of(CLUSTER);
    sort_all(&agents.position[D - 1][..count], workspace);
    let Workspace { order, sorted, .. } = workspace;
    order
        .par_chunks_mut(per_slab)
        .zip(sorted.par_chunks_mut(per_slab))
        .enumerate()
        .for_each(|(slab, (rows, buffer))| order_part(agents, rows, buffer, D - 1, slab % 2 == 1));
    reorder(agents, workspace);
    for (row, &id) in agents.id.iter().enumerate() {
        ids.set_row(id, row as u32);
    }
}

/// The number of parts per axis that `clusters` make: the largest whole number whose power is no larger.
fn side(clusters: usize, dimensions: usize) -> usize {
    (1..).take_while(|side: &usize| side.pow(dimensions as u32) <= clusters).last().unwrap_or(1)
}

/// A row below a key that compares as its coordinate does, or the other way round.
#[inline]
fn keyed(position: f32, row: u32, back: bool) -> u64 {
    let bits = position.to_bits();
    let key = bits ^ ((bits as i32 >> 31) as u32 | 1 << 31);
    u64::from(if back { !key } else { key }) << 32 | u64::from(row)
}

#[inline]
fn digit(entry: u64, shift: u32) -> usize {
    (entry >> shift) as usize % DIGITS
}

/// Sorts all rows by one coordinate, in parallel: `workspace.order`.
fn sort_all(position: &[f32], workspace: &mut Workspace) {
    let Workspace { order, sorted, counts, .. } = workspace;
    order.resize(position.len(), 0);
    sorted.resize_with(position.len(), AtomicU64::default);
    counts.resize(position.len().div_ceil(BLOCK), [0; DIGITS]);
    order.par_iter_mut().with_min_len(BLOCK).enumerate().for_each(|(row, entry)| {
        *entry = keyed(position[row], row as u32, false);
    });
    for shift in SHIFTS {
        order.par_chunks(BLOCK).zip(&mut *counts).for_each(|(rows, counts)| {
            counts.fill(0);
            for &entry in rows {
                counts[digit(entry, shift)] += 1;
            }
        });
        // Where each block's rows of each digit start: by digit, then by block, so that equals keep their order.
        let mut start = 0;
        for digit in 0..DIGITS {
            for block in &mut *counts {
                start += std::mem::replace(&mut block[digit], start);
            }
        }
        // Every place is written once, so the order of the writes does not matter.
        order.par_chunks(BLOCK).zip(&mut *counts).for_each(|(rows, next)| {
            for &entry in rows {
                let place = &mut next[digit(entry, shift)];
                sorted[*place as usize].store(entry, Relaxed);
                *place += 1;
            }
        });
        order.par_iter_mut().with_min_len(BLOCK).zip(&mut *sorted).for_each(|(entry, sorted)| {
            *entry = *sorted.get_mut();
        });
    }
}

/// Orders the rows of a part by the axis before `axis`, downwards if `back`, and likewise what that cuts it into.
fn order_part<const D: usize>(agents: &Agents<D>, rows: &mut [u64], buffer: &mut [AtomicU64], axis: usize, back: bool) {
    let Some(axis) = axis.checked_sub(1) else { return };
    for entry in &mut *rows {
        let row = *entry as u32;
        *entry = keyed(agents.position[axis][row as usize], row, back);
    }
    sort_part(rows, buffer);
    if axis == 0 {
        return;
    }
    let strips = side(rows.len().div_ceil(CLUSTER), axis + 1);
    let per_strip = rows.len().div_ceil(strips).next_multiple_of(CLUSTER);
    let parts = rows.chunks_mut(per_strip).zip(buffer.chunks_mut(per_strip));
    for (strip, (rows, buffer)) in parts.enumerate() {
        order_part(agents, rows, buffer, axis, (strip % 2 == 1) ^ back);
    }
}

/// Sorts by key, keeping the order of equals.
fn sort_part(rows: &mut [u64], buffer: &mut [AtomicU64]) {
    for shift in SHIFTS {
        let mut next = [0u32; DIGITS];
        for &entry in &*rows {
            next[digit(entry, shift)] += 1;
        }
        let mut start = 0;
        for count in &mut next {
            start += std::mem::replace(count, start);
        }
        for &entry in &*rows {
            let place = &mut next[digit(entry, shift)];
            *buffer[*place as usize].get_mut() = entry;
            *place += 1;
        }
        for (entry, sorted) in rows.iter_mut().zip(&mut *buffer) {
            *entry = *sorted.get_mut();
        }
    }
}

/// Brings every column into the new order.
fn reorder<const D: usize>(agents: &mut Agents<D>, workspace: &mut Workspace) {
    let Workspace { order, spare, spare_ids, .. } = workspace;
    for column in agents.columns_mut() {
        spare.resize(column.len(), 0.0);
        let (agents, padding) = spare.split_at_mut(order.len());
        agents.par_iter_mut().with_min_len(BLOCK).zip(&*order).for_each(|(new, &entry)| {
            *new = column[entry as u32 as usize];
        });
        padding.copy_from_slice(&column[order.len()..]);
        std::mem::swap(column, spare);
    }
    if agents.memory_width > 0 {
        let width = agents.memory_width;
        spare.clear();
        spare.extend(order.iter().flat_map(|&entry| &agents.memory[entry as u32 as usize * width..][..width]));
        spare.resize(agents.memory.len(), 0.0);
        std::mem::swap(&mut agents.memory, spare);
    }
    spare_ids.clear();
    spare_ids.extend(order.iter().map(|&entry| agents.id[entry as u32 as usize]));
    std::mem::swap(&mut agents.id, spare_ids);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::Noise;

    #[test]
    fn sorted_by_coordinate_and_stable() {
        let mut noise = Noise::new(1, 0, 0, 0);
        // Few distinct values, so that there are many equals; more than one block.
        let position: Vec<f32> = (0..3 * BLOCK).map(|_| (noise.between(-50.0, 50.0) as i32) as f32 * 3.5).collect();
        let mut workspace = Workspace::default();
        sort_all(&position, &mut workspace);
        let rows: Vec<usize> = workspace.order.iter().map(|&entry| entry as u32 as usize).collect();
        for pair in rows.windows(2) {
            let (a, b) = (position[pair[0]], position[pair[1]]);
            assert!(a < b || (a == b && pair[0] < pair[1]), "{pair:?}: {a} {b}");
        }
        assert_eq!(rows.len(), position.len());
    }

    #[test]
    fn sides_of_squares_and_cubes() {
        assert_eq!([side(1, 2), side(8, 2), side(9, 2), side(26, 3), side(27, 3)], [1, 2, 3, 2, 3]);
    }
}
