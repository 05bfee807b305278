//! The index of one species: boxes around placed rows, and an index of strays.

use fearless_simd::Level;

use crate::agents::Agents;
use crate::agents::positions::Positions;
use crate::agents::row_order::{self, RowOrder};
use crate::index::agent_index::AgentIndex;
use crate::index::ordered_copy::{OrderedCopy, Threads};
use crate::kernels::CLUSTER;

/// The index of one species, and the rows that it may not cover.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpeciesIndex<const D: usize> {
    /// The index of placed rows.
    pub(crate) placed: AgentIndex<D>,
    /// The strays at the start of the tick.
    ///
    /// A row becomes a stray when its agent is spawned or relocated, or moves into the row of a removed agent. Inside
    /// the box of its cluster it would make the box as large as the world, at a cost for the cluster and for all that
    /// search near the box. Boxes therefore leave strays out. Every tick searches them, even if it uses kept lists.
    pub(crate) strays: OrderedCopy<u32, D>,
    /// The loose rows: strays, and rows edited since the boxes were measured.
    pub(crate) loose: Vec<u32>,
    /// The rows edited since kept lists were updated.
    pub(crate) edited: Vec<u32>,
    /// Whether the boxes contain all rows that are not loose.
    pub(crate) valid: bool,
    /// The number of ticks that the previous row order lasted, if any.
    pub(crate) lasted: Option<u32>,
    /// The stride: the largest distance that an agent moved in the last tick, rounding included, in metres.
    pub(crate) stride: f32,
    /// The distance by which the host has moved its agents since then, one by one excluded, in metres.
    pub(crate) by_host: f32,
    /// The smallest radius of a pass by or over the species, in metres; infinite without one.
    pub(crate) radius: f32,
    /// Whether searches need an order also without a pass: agents of this species search the environment or other agents
    /// near them, or others search for one of this species.
    pub(crate) is_ordered: bool,
    /// Whether this tick remeasures boxes for a pass, and whether it keeps the lists of one.
    pub(crate) measured: bool,
    pub(crate) held: bool,
}

impl<const D: usize> SpeciesIndex<D> {
    /// Lists each of this number of rows as loose: all may be anywhere.
    pub(crate) fn loosen(&mut self, rows: usize) {
        self.loose.clear();
        self.loose.extend(0..rows as u32);
    }

    /// Remeasures the boxes around all rows except those in `loose`.
    pub(crate) fn measure(&mut self, level: Level, agents: &Agents<D>, period: &[f32; D]) {
        self.sort_and_trim(agents.len());
        self.placed.rebuild(level, &agents.position, agents.len(), &self.loose, period);
        self.valid = true;
    }

    /// Returns whether all rows are in boxes that were measured at their present positions.
    pub(crate) fn is_fresh(&self) -> bool {
        self.valid && self.placed.moved == 0.0 && self.loose.is_empty()
    }

    /// Sorts the loose and the edited rows, removes duplicates, and drops those beyond the last of `agents` rows.
    pub(crate) fn sort_and_trim(&mut self, agents: usize) {
        row_order::sort_and_trim(&mut self.loose, agents);
        row_order::sort_and_trim(&mut self.edited, agents);
    }

    /// Prepares the index of `agents` rows for a tick. Boxes that lack too many rows are not valid.
    pub(crate) fn prepare(&mut self, agents: usize) {
        self.sort_and_trim(agents);
        self.valid &= !row_order::are_too_many(self.loose.len(), agents);
    }

    /// Rebuilds the index of the loose rows.
    pub(crate) fn rebuild_strays(&mut self, level: Level, agents: &Agents<D>, period: &[f32; D]) {
        let strays = (&agents.position, self.loose.iter().copied());
        self.strays.fill((level, Threads::All), period, std::iter::once(strays), |_, row| row);
    }

    /// Lets searches find the rows in their places alone, until strays are copied again.
    pub(crate) fn forget_strays(&mut self, level: Level, position: &Positions<D>, period: &[f32; D]) {
        let none = std::iter::once((position, std::iter::empty()));
        self.strays.fill((level, Threads::One), period, none, |_, row| row);
    }

    /// Returns the expected number of ticks until the rows, which are in this order, are arranged again.
    pub(crate) fn ticks_left(&self, order: &RowOrder) -> f32 {
        order.ticks_left(self.radius, self.way(), self.lasted)
    }

    /// Returns a bound of how far agents are from where they were, in metres, after they moved by `distance` in a world
    /// with this period. Positions are rounded: the new ones, and with their residuals the old ones.
    pub(crate) fn stride_of(&self, distance: f32, period: &[f32; D]) -> f32 {
        let extent = period.iter().fold(self.placed.extent(), |most, &period| {
            if period < f32::INFINITY && period > most { period } else { most }
        });
        distance * (1.0 + 1e-4) + 2.0 * f32::EPSILON * extent
    }

    /// Records that agents moved by this stride in a tick.
    pub(crate) fn advanced(&mut self, stride: f32) {
        self.placed.moved += stride;
        (self.stride, self.by_host) = (stride, 0.0);
    }

    /// Records that the host moved agents by at most this distance in metres, all rounding included.
    pub(crate) fn moved_by_host(&mut self, by: f32) {
        self.placed.moved += by;
        self.by_host += by;
    }

    /// Returns how far agents are expected to move from one tick to the next, in metres.
    pub(crate) fn way(&self) -> f32 {
        self.stride + self.by_host
    }

    /// Makes a row loose: its position may be outside its cluster's box.
    pub(crate) fn make_loose(&mut self, row: usize) {
        // A row that is already loose is on the list.
        if self.placed.make_loose(row) {
            self.loose.push(row as u32);
        }
        self.edit(row);
    }

    /// Records that the agent of a row changed or was moved, for kept lists. Without boxes there are none.
    pub(crate) fn edit(&mut self, row: usize) {
        if !self.valid {
            return;
        }
        // Repeated edits of a row must not consume more and more memory.
        if self.edited.len() == self.edited.capacity() {
            row_order::sort_and_trim(&mut self.edited, usize::MAX);
            self.edited.reserve(CLUSTER + self.edited.len());
        }
        self.edited.push(row as u32);
    }
}
