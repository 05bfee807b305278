//! Where the agents of one species are: the boxes around the rows in their places, and the rows out of place.

use fearless_simd::Level;

use crate::agents::Agents;
use crate::index::Index;
use crate::kernels::CHUNK;
use crate::order;
use crate::strays::Strays;

/// The index of one species, and the rows that it may not hold.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places<const D: usize> {
    /// Rows in their places.
    pub(crate) index: Index<D>,
    /// Rows out of place, as they were at the start of the tick.
    pub(crate) strays: Strays<D>,
    /// Rows that may be outside of the boxes of the index: those out of place, and those that were edited since.
    pub(crate) loose: Vec<u32>,
    /// Whether the boxes hold the rows that are not loose.
    pub(crate) valid: bool,
    /// The ticks that the order of rows before this one lasted, if there was one.
    pub(crate) lasted: Option<u32>,
    /// The farthest that any agent went in the last tick, with all rounding, in metres.
    pub(crate) stride: f32,
    /// The smallest radius of a pass that the species has part in, in metres.
    pub(crate) radius: f32,
    /// Whether this tick measures boxes anew for a pass, and whether it keeps the lists of one.
    pub(crate) measured: bool,
    pub(crate) held: bool,
}

impl<const D: usize> Places<D> {
    /// Measures the boxes anew around all rows but those in `loose`.
    pub(crate) fn measure(&mut self, level: Level, agents: &Agents<D>, period: &[f32; D]) {
        self.settle(agents.len());
        self.index.rebuild(level, &agents.position, agents.len(), &self.loose, period);
        self.valid = true;
    }

    /// Whether all rows are in boxes that were measured around them where they are now.
    pub(crate) fn is_fresh(&self) -> bool {
        self.valid && self.index.moved == 0.0 && self.loose.is_empty()
    }

    /// Puts the loose rows in order, each once, and forgets those beyond the last of `agents` rows.
    pub(crate) fn settle(&mut self, agents: usize) {
        order::settle(&mut self.loose, agents);
    }

    /// Whether so many of the rows are loose that to look for them one by one costs more than new lists.
    pub(crate) fn are_many_loose(&self, agents: usize) -> bool {
        self.loose.len() > CHUNK + agents / 16
    }

    /// Lets a row be anywhere from now on.
    pub(crate) fn let_go(&mut self, row: usize) {
        // A row that was let go before is on the list.
        if self.index.let_go(row) {
            self.loose.push(row as u32);
        }
    }
}
