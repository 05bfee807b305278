//! Copies of agents in an order of their own, for searches among some of them.
//!
//! A copy has the names of agents in Morton order, their positions, and boxes around these. It remembers the stamps of
//! the positions that it was made from, and can only be read with the same stamps: after agents moved or changed rows
//! there is nothing to read. Four indices are such copies: the [strays](super::species_index::SpeciesIndex) of a tick,
//! the [loose rows](super::query_index::QueryIndex) of host queries, the
//! [agents of several species](super::joint_index::JointIndex), and the [sample](crate::measures::Sample) of measures.

use std::ops::ControlFlow;

use fearless_simd::Level;
use rayon::prelude::*;

use crate::agents::positions::{Positions, Stamp};
use crate::boxes::hierarchy::{BoxHierarchy, GRAIN};
use crate::boxes::morton;
use crate::kernels::CLUSTER;
use crate::kernels::nearest::Bound;
use crate::maths::ones;

/// From this number of agents on, threads share the sort.
const MANY: usize = 4096;

/// The threads that make a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Threads {
    /// The calling one only: others may wait for the copy, so that this one must not take over their work.
    One,
    /// All of the pool.
    All,
}

/// Agents copied in Morton order. `Name` is the name of the agent at a place: a row, or a species and a row.
#[derive(Clone, Debug)]
pub(crate) struct OrderedCopy<Name, const D: usize> {
    names: Vec<Name>,
    /// One column per axis, padded to whole clusters.
    position: [Vec<f32>; D],
    boxes: BoxHierarchy<D>,
    /// The stamp of each part that was copied.
    stamps: Vec<Stamp>,
    keys: Vec<u64>,
    /// The agents and their positions before they are sorted.
    unsorted: (Vec<Name>, [Vec<f32>; D]),
}

impl<Name, const D: usize> Default for OrderedCopy<Name, D> {
    fn default() -> Self {
        let columns = || std::array::from_fn(|_| Vec::new());
        Self {
            names: Vec::new(),
            position: columns(),
            boxes: BoxHierarchy::default(),
            stamps: Vec::new(),
            keys: Vec::new(),
            unsorted: (Vec::new(), columns()),
        }
    }
}

impl<Name: Copy, const D: usize> OrderedCopy<Name, D> {
    /// Copies agents anew: for each part, rows of its positions and their names.
    pub(crate) fn fill<'a, Rows: Iterator<Item = u32> + Clone>(
        &mut self,
        (level, threads): (Level, Threads),
        period: &[f32; D],
        parts: impl Iterator<Item = (&'a Positions<D>, Rows)>,
        name: impl Fn(usize, u32) -> Name,
    ) {
        self.stamps.clear();
        let (names, columns) = &mut self.unsorted;
        names.clear();
        columns.iter_mut().for_each(Vec::clear);
        for (part, (position, rows)) in parts.enumerate() {
            self.stamps.push(position.stamp());
            names.extend(rows.clone().map(|row| name(part, row)));
            for (column, from) in columns.iter_mut().zip(&**position) {
                column.extend(rows.clone().map(|row| from[row as usize]));
            }
        }
        let count = names.len();
        morton::fill(&mut self.keys, columns, 0..count as u32);
        // The order of one cluster affects nothing. The order of more affects only the cost, for results are sorted.
        if threads == Threads::All && count > MANY {
            self.keys.par_sort_unstable();
        } else if count > CLUSTER {
            self.keys.sort_unstable();
        }
        let places = || self.keys.iter().map(|&key| key as u32 as usize);
        self.names.clear();
        self.names.extend(places().map(|place| names[place]));
        for (column, unsorted) in self.position.iter_mut().zip(columns) {
            column.clear();
            column.extend(places().map(|place| unsorted[place]));
            column.resize(count.next_multiple_of(CLUSTER), f32::NAN);
        }
        let grain = if threads == Threads::All { GRAIN } else { usize::MAX };
        self.boxes.measure(level, &self.position, count, None, period, grain);
    }

    /// Takes one agent out by its place, and accepts the stamp that its part has since.
    pub(crate) fn take_out(&mut self, place: usize, part: usize, stamp: Stamp) {
        self.position.iter_mut().for_each(|column| column[place] = f32::NAN);
        self.accept(part, stamp);
    }

    /// Accepts the stamp that a part has since an agent was moved that is not in this copy.
    pub(crate) fn accept(&mut self, part: usize, stamp: Stamp) {
        self.stamps[part] = stamp;
    }

    /// The number of agents that were copied.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// Reads the copy, given the positions of its parts as they are now; `None` if they are not those that were copied.
    pub(crate) fn read<'a>(&self, parts: impl IntoIterator<Item = &'a Positions<D>>) -> Option<Copied<'_, Name, D>> {
        let is_fresh = self.names.is_empty() || self.stamps.iter().copied().eq(parts.into_iter().map(Positions::stamp));
        is_fresh.then_some(Copied { names: &self.names, position: &self.position, boxes: &self.boxes })
    }
}

/// A copy that is not stale.
#[derive(Debug)]
pub(crate) struct Copied<'a, Name, const D: usize> {
    names: &'a [Name],
    position: &'a [Vec<f32>; D],
    boxes: &'a BoxHierarchy<D>,
}

impl<Name, const D: usize> Clone for Copied<'_, Name, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Name, const D: usize> Copy for Copied<'_, Name, D> {}

impl<'a, Name: Copy, const D: usize> Copied<'a, Name, D> {
    /// The names of the agents, in order.
    pub(crate) fn names(self) -> &'a [Name] {
        self.names
    }

    /// Calls `visit` with every agent within a squared distance of a point of the world, in any order, with its squared
    /// distance.
    pub(crate) fn within(
        self,
        period: &[f32; D],
        point: [f32; D],
        squared: f32,
        mut visit: impl FnMut(Name, f32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.boxes.within(self.position, period, 0.0, point, squared, &mut |cluster, places, squared| {
            let first = cluster as usize * CLUSTER;
            ones(places).try_for_each(|lane| visit(self.names[first + lane], squared[lane]))
        })
    }

    /// Calls `visit` with the agents that the bound accepts, nearest boxes first: with the place, the name and the squared
    /// distance. `visit` returns the next bound, whose row is a place.
    pub(crate) fn nearest(
        self,
        period: &[f32; D],
        point: [f32; D],
        bound: Bound,
        mut visit: impl FnMut(u32, Name, f32) -> Bound,
    ) {
        self.boxes.nearest(self.position, period, 0.0, point, u32::MAX, bound, |place, squared| {
            visit(place, self.names[place as usize], squared)
        });
    }
}
