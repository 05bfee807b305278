//! The index of a species' strays.
//!
//! A row becomes a stray when its agent is spawned or relocated, or moves into the row of a removed agent. Inside the
//! box of its cluster it would make the box as large as the world, at a cost for the cluster and for all that search
//! near the box. Boxes therefore leave strays out. This index copies them in a space order of their own, and every tick
//! searches it, even if it uses kept lists.

use fearless_simd::Level;
use rayon::prelude::*;

use crate::index::box_hierarchy::{BoxHierarchy, GRAIN};
use crate::index::morton;
use crate::kernels::CLUSTER;

/// The strays of a species, in a space order of their own.
#[derive(Clone, Debug)]
pub(crate) struct Strays<const D: usize> {
    /// The rows, in space order.
    pub(crate) rows: Vec<u32>,
    /// Their positions, one column per axis, padded to whole clusters.
    pub(crate) position: [Vec<f32>; D],
    /// The boxes around them.
    pub(crate) boxes: BoxHierarchy<D>,
    keys: Vec<u64>,
}

impl<const D: usize> Default for Strays<D> {
    fn default() -> Self {
        let position = std::array::from_fn(|_| Vec::new());
        Self { rows: Vec::new(), position, boxes: BoxHierarchy::default(), keys: Vec::new() }
    }
}

impl<const D: usize> Strays<D> {
    /// Rebuilds the index from the present positions of `rows`.
    pub(crate) fn rebuild(&mut self, level: Level, position: &[Vec<f32>; D], rows: &[u32], period: &[f32; D]) {
        self.rows.clear();
        if rows.is_empty() {
            return;
        }
        if rows.len() <= CLUSTER {
            self.rows.extend(rows);
        } else {
            self.order(position, rows);
        }
        for (axis, column) in self.position.iter_mut().enumerate() {
            column.clear();
            column.extend(self.rows.iter().map(|&row| position[axis][row as usize]));
            column.resize(self.rows.len().next_multiple_of(CLUSTER), f32::NAN);
        }
        self.boxes.measure(level, &self.position, self.rows.len(), None, period, GRAIN);
    }

    /// Sorts the rows into Morton order. It affects only the cost, because results of searches are sorted.
    fn order(&mut self, position: &[Vec<f32>; D], rows: &[u32]) {
        morton::fill(&mut self.keys, position, rows.iter().copied());
        if rows.len() > 4096 {
            self.keys.par_sort_unstable();
        } else {
            self.keys.sort_unstable();
        }
        self.rows.extend(self.keys.iter().map(|&key| key as u32));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}
