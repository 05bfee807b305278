//! A named column of the agents of one species.

use std::ops::Range;

use crate::agents::columns::data::{Data, Spare, type_name};
use crate::agents::columns::view::{ColumnSlice, ColumnView};
use crate::base::clone::clone_fields;

/// The owner of a column, which defines its purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// The number of an agent's state.
    State,
    /// The time since the agent entered its state, in seconds.
    Seconds,
    /// The agent's flags: bits of [`flag`](crate::agents::flag).
    Flags,
    /// The largest speed of an agent outside all zones, in metres per second, while the environment has zones.
    FreeSpeed,
    /// The regions that contain the agent, one bit each.
    Regions,
    /// The way that the agent went in the last tick, in metres per axis.
    Moved,
    /// A variable of the species' states.
    Variable,
    /// The time left of one of [`TIMES`](crate::species::tables::TIMES), in seconds.
    Time,
    /// The memory of the rule with this key.
    Rule(u32),
    /// The place of the agent in the mix.
    Mix,
    /// The host.
    Host,
    /// The host, for itself: no part of the state.
    Local,
    /// How often the agent was set elsewhere: no part of the state.
    Jumps,
}

impl Owner {
    /// Returns whether [`Agents::columns`](crate::Agents::columns) includes the column.
    pub(crate) const fn is_host(self) -> bool {
        matches!(self, Self::Time | Self::Variable | Self::Host | Self::Local)
    }

    /// Returns whether the column is part of the state.
    pub(crate) const fn is_state(self) -> bool {
        !matches!(self, Self::Local | Self::Jumps)
    }

    /// Returns whether the column is the memory of a rule.
    pub(crate) const fn is_rule(self) -> bool {
        matches!(self, Self::Rule(_))
    }
}

/// A column of the agents of one species.
#[derive(Debug, PartialEq)]
pub(crate) struct Column {
    pub(crate) owner: Owner,
    pub(crate) name: String,
    /// The number of numbers in a row.
    pub(crate) width: usize,
    /// The value of a new agent: one row.
    pub(crate) start: Data,
    pub(crate) data: Data,
}

clone_fields!(Column { owner, name, width, start, data });

impl Column {
    /// A column for `rows` agents with the value `start`.
    pub(crate) fn new(owner: Owner, name: impl Into<String>, start: Data, rows: usize) -> Self {
        let mut data = start.empty_like();
        data.resize(rows, &start);
        Self { owner, name: name.into(), width: start.len(), start, data }
    }

    /// A copy of some rows.
    pub(crate) fn part(&self, rows: Range<usize>) -> Self {
        let Self { owner, name, width, start, data } = self;
        let data = data.part(rows.start * width..rows.end * width);
        Self { owner: *owner, name: name.clone(), width: *width, start: start.clone(), data }
    }

    /// Appends a row with the value of a new agent.
    pub(crate) fn push(&mut self) {
        let rows = self.data.len() / self.width;
        self.data.resize(rows + 1, &self.start);
    }

    /// Removes a row; the last one takes its place.
    pub(crate) fn swap_remove(&mut self, row: usize) {
        self.data.swap_remove(row, self.width);
    }

    /// Reorders the rows: the row `old(new)` moves to `new`; into new memory if `room` says for how many rows.
    pub(crate) fn reorder(&mut self, old: impl Fn(usize) -> usize + Sync, room: Option<usize>, spare: &mut Spare) {
        self.data.reorder(self.width, old, room, spare);
    }

    /// The value of a row, as numbers.
    pub(crate) fn numbers(&self, row: usize) -> Vec<f64> {
        self.data.to_f64(row * self.width..(row + 1) * self.width)
    }

    /// The type of a row's value, in Rust's notation.
    pub(crate) fn type_name(&self) -> String {
        type_name(self.data.type_name(), self.width)
    }

    /// Returns the column in the form for hosts.
    pub(crate) fn view(&self) -> ColumnView<'_> {
        let numbers = match &self.data {
            Data::F32(numbers) => ColumnSlice::F32(numbers),
            Data::U32(numbers) => ColumnSlice::U32(numbers),
            Data::U64(numbers) => ColumnSlice::U64(numbers),
        };
        ColumnView { name: &self.name, width: self.width, numbers }
    }

    /// All but the values.
    pub(crate) fn layout(&self) -> (Owner, &str, usize, &Data) {
        (self.owner, &self.name, self.width, &self.start)
    }

    /// Returns whether the column has this owner and this name.
    pub(crate) fn is(&self, owner: Owner, name: &str) -> bool {
        self.owner == owner && self.name == name
    }

    /// Returns the column with the width of `start`. Each row keeps its numbers up to the new width; further ones come
    /// from `start`.
    pub(crate) fn widened(self, start: Data, rows: usize) -> Self {
        let mut wider = Self::new(self.owner, self.name, start, rows);
        if let (Data::U64(old), Data::U64(new)) = (&self.data, &mut wider.data) {
            for (old, new) in old.chunks(self.width).zip(new.chunks_mut(wider.width)) {
                let both = if old.len() < new.len() { old.len() } else { new.len() };
                new[..both].copy_from_slice(&old[..both]);
            }
        }
        wider
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::columns::Stored as _;

    #[test]
    fn rows_are_added_removed_and_reordered() {
        let mut column = Column::new(Owner::Host, "heading", [1.0f32, 2.0].data(), 3);
        <[f32; 2]>::rows_mut(&mut column.data).unwrap()[2] = [5.0, 6.0];
        column.push();
        assert_eq!(<[f32; 2]>::rows(&column.data).unwrap(), [[1.0, 2.0], [1.0, 2.0], [5.0, 6.0], [1.0, 2.0]]);
        column.swap_remove(0);
        column.reorder(|row| 2 - row, None, &mut Spare::default());
        assert_eq!(<[f32; 2]>::rows(&column.data).unwrap(), [[5.0, 6.0], [1.0, 2.0], [1.0, 2.0]]);
        column.swap_remove(2);
        assert_eq!(column.data.len(), 4);
    }
}
