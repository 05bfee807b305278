//! Where the agents of one species are: the boxes around the rows in their places, and the rows out of place.

use fearless_simd::Level;

use crate::agents::{Agents, row_order};
use crate::index::agent_index::AgentIndex;
use crate::index::strays::Strays;
use crate::kernels::CLUSTER;

/// The index of one species, and the rows that may be missing from it.
#[derive(Clone, Debug, Default)]
pub(crate) struct SpeciesIndex<const D: usize> {
    /// Rows in their places.
    pub(crate) placed: AgentIndex<D>,
    /// Rows out of place, as they were at the start of the tick.
    pub(crate) strays: Strays<D>,
    /// Rows that may be outside of the boxes of the index: those out of place, and those that were edited since.
    pub(crate) loose: Vec<u32>,
    /// Rows that were edited since kept lists were brought up to date.
    pub(crate) edited: Vec<u32>,
    /// Whether the boxes hold the rows that are not loose.
    pub(crate) valid: bool,
    /// The number of ticks that the previous row order lasted, if there was one.
    pub(crate) lasted: Option<u32>,
    /// The largest distance that an agent moved in the last tick, all rounding included, in metres.
    pub(crate) stride: f32,
    /// The smallest radius of a pass by or over the species, in metres.
    pub(crate) radius: f32,
    /// Whether this tick remeasures boxes for a pass, and whether it keeps the lists of one.
    pub(crate) measured: bool,
    pub(crate) held: bool,
}

impl<const D: usize> SpeciesIndex<D> {
    /// Remeasures the boxes around all rows except those in `loose`.
    pub(crate) fn measure(&mut self, level: Level, agents: &Agents<D>, period: &[f32; D]) {
        self.settle(agents.len());
        self.placed.rebuild(level, &agents.position, agents.len(), &self.loose, period);
        self.valid = true;
    }

    /// Returns whether all rows are in boxes that were measured at their present positions.
    pub(crate) fn is_fresh(&self) -> bool {
        self.valid && self.placed.moved == 0.0 && self.loose.is_empty()
    }

    /// Sorts the loose and the edited rows, removes duplicates, and drops those beyond the last of `agents` rows.
    pub(crate) fn settle(&mut self, agents: usize) {
        row_order::settle(&mut self.loose, agents);
        row_order::settle(&mut self.edited, agents);
    }

    /// Makes a row loose: it may be anywhere from now on.
    pub(crate) fn let_go(&mut self, row: usize) {
        // A row that is already loose is on the list.
        if self.placed.let_go(row) {
            self.loose.push(row as u32);
        }
        self.edit(row);
    }

    /// Records that a row has another agent, or that its agent was moved.
    pub(crate) fn edit(&mut self, row: usize) {
        // A row that is edited again and again must not take up more and more memory.
        if self.edited.len() == self.edited.capacity() {
            row_order::settle(&mut self.edited, usize::MAX);
            self.edited.reserve(CLUSTER + self.edited.len());
        }
        self.edited.push(row as u32);
    }
}
