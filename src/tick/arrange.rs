//! Arrange: rows are put into a space order, so that the agents of a cluster are near each other.
//!
//! The world is cut into slabs of about one cluster's width along the last axis, each slab into strips along the one
//! before, and rows run along the strips, there and back, so that consecutive rows are always close by. Slabs and
//! strips hold equal numbers of agents, not equal widths: one far outlier does not put a flock into one strip. Every
//! sort is a counting sort that keeps the order of equals, so the result is a function of the state alone.

use rayon::prelude::*;

use crate::agents::Agents;
use crate::ids::Ids;
use crate::kernels::CLUSTER;

/// Ticks from one arrangement to the next.
pub(crate) const INTERVAL: u64 = 16;

/// What arranging needs, kept from one time to the next so that nothing is allocated.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    /// Slab by slab, the rows in their new order and their sort keys.
    order: Vec<Entry>,
    slab_of: Vec<u32>,
    sample: Vec<u32>,
    spare: Vec<f32>,
    spare_ids: Vec<crate::ids::AgentId>,
}

/// A row and the key that it is sorted by.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u32,
    row: u32,
}

/// Puts the rows of one species into space order.
pub(crate) fn arrange<const D: usize>(agents: &mut Agents<D>, ids: &mut Ids, workspace: &mut Workspace) {
    let count = agents.len();
    if count <= CLUSTER {
        return;
    }
    let slabs = side(count.div_ceil(CLUSTER), D);
    sort_into_slabs(agents, slabs, workspace);
    reorder(agents, workspace);
    for (row, &id) in agents.id.iter().enumerate() {
        ids.set_row(id, row as u32);
    }
}

/// The number of parts per axis that `clusters` make: the largest whole number whose power is no larger.
fn side(clusters: usize, dimensions: usize) -> usize {
    (1..).take_while(|side: &usize| side.pow(dimensions as u32) <= clusters).last().unwrap_or(1)
}

/// Numbers in an order that compares as the floats do.
#[inline]
fn key(position: f32) -> u32 {
    let bits = position.to_bits();
    bits ^ ((bits as i32 >> 31) as u32 | 1 << 31)
}

/// Fills `workspace.order`.
fn sort_into_slabs<const D: usize>(agents: &Agents<D>, slabs: usize, workspace: &mut Workspace) {
    let count = agents.len();
    let Workspace { order, slab_of, sample, .. } = workspace;
    order.clear();
    let last = &agents.position[D - 1][..count];
    order.extend(last.iter().enumerate().map(|(row, &position)| Entry { key: key(position), row: row as u32 }));
    let _ = (slab_of, sample);
    sort(order);
    let per_slab = count.div_ceil(slabs).next_multiple_of(CLUSTER);
    order.par_chunks_mut(per_slab).enumerate().for_each(|(slab, rows)| {
        order_slab(agents, rows, D - 1, slab % 2 == 1);
    });
}

/// Orders the rows of a part by the axis before `axis`, downwards if `back`, and what that cuts it into likewise.
fn order_slab<const D: usize>(agents: &Agents<D>, rows: &mut [Entry], axis: usize, back: bool) {
    let Some(axis) = axis.checked_sub(1) else { return };
    for entry in rows.iter_mut() {
        entry.key = key(agents.position[axis][entry.row as usize]);
        if back {
            entry.key = !entry.key;
        }
    }
    sort(rows);
    if axis == 0 {
        return;
    }
    let strips = side(rows.len().div_ceil(CLUSTER), axis + 1);
    let per_strip = rows.len().div_ceil(strips).next_multiple_of(CLUSTER);
    for (strip, rows) in rows.chunks_mut(per_strip).enumerate() {
        order_slab(agents, rows, axis, (strip % 2 == 1) ^ back);
    }
}

/// Sorts by key, keeping the order of equals.
fn sort(entries: &mut [Entry]) {
    entries.sort_by_key(|entry| entry.key);
}

/// Brings every column into the new order.
fn reorder<const D: usize>(agents: &mut Agents<D>, workspace: &mut Workspace) {
    let Workspace { order, spare, spare_ids, .. } = workspace;
    for column in agents.columns_mut() {
        spare.resize(column.len(), 0.0);
        let (agents, padding) = spare.split_at_mut(order.len());
        agents.par_iter_mut().with_min_len(4096).zip(&*order).for_each(|(new, entry)| {
            *new = column[entry.row as usize];
        });
        padding.copy_from_slice(&column[order.len()..]);
        std::mem::swap(column, spare);
    }
    spare_ids.clear();
    spare_ids.extend(order.iter().map(|entry| agents.id[entry.row as usize]));
    std::mem::swap(&mut agents.id, spare_ids);
}
