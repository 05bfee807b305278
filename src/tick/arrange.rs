//! Arrange: rows are put into a space order, so that the agents of a cluster are near each other.
//!
//! The world is cut into slabs of about one cluster's width along the last axis, each slab into strips along the one
//! before, and rows run along the strips, there and back, so that consecutive rows are always close by. Slabs and
//! strips hold equal numbers of agents, not equal widths: one far outlier does not put a flock into one strip. Every
//! sort is a counting sort that keeps the order of equals, so the result is a function of the state alone. What is
//! sorted is atomic so that threads can put rows wherever they belong: each place is written once, by one of them.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::agents::Agents;
use crate::ids::{AgentId, Ids};
use crate::kernels::CLUSTER;

/// What arranging needs, kept from one time to the next so that nothing is allocated.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// The rows in their new order, each below its sort key.
    order: Vec<AtomicU64>,
    /// What they are sorted into, and back from.
    buffer: Vec<AtomicU64>,
    /// For each block of rows and each digit: how many rows, then where the next one goes.
    counts: Vec<[u32; DIGITS]>,
    spare: Vec<f32>,
    spare_ids: Vec<AgentId>,
}

/// Keys are sorted by eight bits at a time, the lowest first.
const DIGITS: usize = 256;

/// The digits of a key that are looked at: the lowest byte of a coordinate is far below what a cluster measures.
const SHIFTS: [u32; 3] = [40, 48, 56];
/// An odd number of times to and fro ends in the other one of two buffers.
const _: () = assert!(SHIFTS.len() % 2 == 1);

/// Rows of one block, which one thread counts.
const BLOCK: usize = 8192;

/// Puts the rows of one species into space order.
pub(crate) fn arrange<const D: usize>(agents: &mut Agents<D>, ids: &Ids, workspace: &mut Workspace) {
    let count = agents.len();
    if count <= CLUSTER {
        return;
    }
    sort_all(&agents.position[D - 1][..count], workspace);
    order_parts(agents, &workspace.order, &workspace.buffer, D - 1, false);
    reorder(agents, workspace);
    agents.id.par_iter().with_min_len(BLOCK).enumerate().for_each(|(row, &id)| ids.set_row(id, row as u32));
}

/// Cuts rows that are in the order of `axis` into parts, and orders each by the axes before it: every other part the
/// other way round, so that it starts next to where the one before it ended.
fn order_parts<const D: usize>(agents: &Agents<D>, rows: &[AtomicU64], buffer: &[AtomicU64], axis: usize, back: bool) {
    let Some(next) = axis.checked_sub(1) else { return };
    let clusters = rows.len().div_ceil(CLUSTER);
    let parts = side(clusters, axis + 1);
    // Parts differ by no more than a cluster. A remainder that is left for the last one would be spread thinly along it.
    let start = |part: usize| (part * clusters / parts * CLUSTER).clamp(0, rows.len());
    (0..parts).into_par_iter().for_each(|part| {
        let (part, back) = (start(part)..start(part + 1), (part % 2 == 1) ^ back);
        let (rows, buffer) = (&rows[part.clone()], &buffer[part]);
        sort_part(&agents.position[next], rows, buffer, back);
        order_parts(agents, rows, buffer, next, back);
    });
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

/// The row below a key.
#[inline]
fn row(entry: &AtomicU64) -> usize {
    entry.load(Relaxed) as u32 as usize
}

#[inline]
fn digit(entry: u64, shift: u32) -> usize {
    (entry >> shift) as usize % DIGITS
}

/// Sorts all rows by one coordinate, in parallel: `workspace.order`.
fn sort_all(position: &[f32], workspace: &mut Workspace) {
    let Workspace { order, buffer, counts, .. } = workspace;
    order.resize_with(position.len(), AtomicU64::default);
    buffer.resize_with(position.len(), AtomicU64::default);
    counts.resize(position.len().div_ceil(BLOCK), [0; DIGITS]);
    let (mut from, mut to) = (&*buffer, &*order);
    from.par_iter().with_min_len(BLOCK).enumerate().for_each(|(row, entry)| {
        entry.store(keyed(position[row], row as u32, false), Relaxed);
    });
    for shift in SHIFTS {
        from.par_chunks(BLOCK).zip(&mut *counts).for_each(|(rows, counts)| *counts = count(rows, shift));
        add_up(counts);
        from.par_chunks(BLOCK).zip(&mut *counts).for_each(|(rows, next)| distribute(rows, to, shift, next));
        (from, to) = (to, from);
    }
}

/// How many rows have each digit.
fn count(rows: &[AtomicU64], shift: u32) -> [u32; DIGITS] {
    let mut counts = [0; DIGITS];
    for entry in rows {
        counts[digit(entry.load(Relaxed), shift)] += 1;
    }
    counts
}

/// Makes counts into where each block's rows of each digit start: by digit, then by block, so that equals keep their
/// order.
fn add_up(counts: &mut [[u32; DIGITS]]) {
    let mut start = 0;
    for digit in 0..DIGITS {
        for block in &mut *counts {
            start += std::mem::replace(&mut block[digit], start);
        }
    }
}

/// Puts each row where the next one with its digit goes.
fn distribute(rows: &[AtomicU64], to: &[AtomicU64], shift: u32, next: &mut [u32; DIGITS]) {
    for entry in rows {
        let entry = entry.load(Relaxed);
        let place = &mut next[digit(entry, shift)];
        to[*place as usize].store(entry, Relaxed);
        *place += 1;
    }
}

/// Sorts the rows of a part by one coordinate, downwards if `back`.
fn sort_part(position: &[f32], rows: &[AtomicU64], buffer: &[AtomicU64], back: bool) {
    for (keyed_row, row) in buffer.iter().zip(rows) {
        let row = self::row(row);
        keyed_row.store(keyed(position[row], row as u32, back), Relaxed);
    }
    let (mut from, mut to) = (buffer, rows);
    for shift in SHIFTS {
        let mut next = count(from, shift);
        add_up(std::slice::from_mut(&mut next));
        distribute(from, to, shift, &mut next);
        (from, to) = (to, from);
    }
}

/// Brings every column into the new order.
fn reorder<const D: usize>(agents: &mut Agents<D>, workspace: &mut Workspace) {
    let Workspace { order, spare, spare_ids, .. } = workspace;
    agents.trim();
    for column in agents.float_columns_mut() {
        spare.resize(column.len(), 0.0);
        let (agents, padding) = spare.split_at_mut(order.len());
        agents.par_iter_mut().with_min_len(BLOCK).zip(&*order).for_each(|(new, entry)| {
            *new = column[row(entry)];
        });
        padding.copy_from_slice(&column[order.len()..]);
        std::mem::swap(column, spare);
    }
    for column in &mut agents.columns.0 {
        column.reorder(|row_now| row(&order[row_now]));
    }
    spare_ids.clone_from(&agents.id);
    spare_ids.par_iter_mut().with_min_len(BLOCK).zip(&*order).for_each(|(new, entry)| *new = agents.id[row(entry)]);
    std::mem::swap(&mut agents.id, spare_ids);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Noise, Settings, Species, Vector, World};

    #[test]
    fn sorted_by_coordinate_and_stable() {
        let mut noise = Noise::new(1, 0, 0, 0);
        // Few distinct values, so that there are many equals; more than one block.
        let position: Vec<f32> = (0..3 * BLOCK).map(|_| (noise.between(-50.0, 50.0) as i32) as f32 * 3.5).collect();
        let mut workspace = Workspace::default();
        sort_all(&position, &mut workspace);
        let rows: Vec<usize> = workspace.order.iter().map(row).collect();
        for pair in rows.windows(2) {
            let (a, b) = (position[pair[0]], position[pair[1]]);
            assert!(a < b || (a == b && pair[0] < pair[1]), "{pair:?}: {a} {b}");
        }
        assert_eq!(rows.len(), position.len());
    }

    #[test]
    fn no_cluster_is_spread_out() {
        let mut noise = Noise::new(2, 0, 0, 0);
        let mut world = World::<3>::new(Settings { size: Vector::splat(1.0), ..Settings::default() }).unwrap();
        let species = world.add_species(Species::new("a")).unwrap();
        for _ in 0..32_500 {
            world.spawn(species, Vector::from_fn(|_| noise.between(0.0, 1.0)), Vector::ZERO).unwrap();
        }
        world.step();
        for column in world.agents(species).unwrap().positions() {
            for (cluster, column) in column.chunks(CLUSTER).enumerate() {
                let low = column.iter().fold(1.0, |low, &at| if at < low { at } else { low });
                let high = column.iter().fold(0.0, |high, &at| if at > high { at } else { high });
                // About a tenth of the world; all of it where few agents are left for the last strip of a slab.
                assert!(high - low < 0.4, "cluster {cluster}: {low} to {high}");
            }
        }
    }

    #[test]
    fn sides_of_squares_and_cubes() {
        assert_eq!([side(1, 2), side(8, 2), side(9, 2), side(26, 3), side(27, 3)], [1, 2, 3, 2, 3]);
    }
}
